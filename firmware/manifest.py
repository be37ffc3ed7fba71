# Freezes picograve into a MicroPython firmware, so that its code stays in flash and leaves the
# heap to the search:
#
#   make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=.../firmware/manifest.py
#
# Frozen kernels are compiled from the readable source as it is; `picograve flash --uf2` freezes
# faster ones (tools/kernels), and repairs what crashed frozen native code of MicroPython 1.25 on
# an RP2040 (FROZEN_ALIGNMENT in tools/micropython.py); a build of your own needs that, too.
include("$(PORT_DIR)/boards/manifest.py")
package("picograve", base_path="../shared")
package("picograve_board", base_path=".")
module("main.py", base_path="picograve_board")
