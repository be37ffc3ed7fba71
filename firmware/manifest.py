# Freezes picograve into a MicroPython firmware, so that its code stays in flash and leaves the
# heap to the search:
#
#   make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=.../firmware/manifest.py
#
# Frozen kernels are compiled from the readable source as it is; `picograve flash` installs
# faster ones (tools/kernels), which take about 70 kB of heap.
include("$(PORT_DIR)/boards/manifest.py")
package("picograve", base_path="../shared")
package("picograve_board", base_path=".")
module("main.py", base_path="picograve_board")
