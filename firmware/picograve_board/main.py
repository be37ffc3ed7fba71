"""Starts the service when the board boots. Ctrl-C ends it and gives the REPL."""

import sys

# A Pico's boot script leaves its module rp2 behind, 1.4 kB of heap. Whoever wants it imports it.
sys.modules.pop("rp2", None)
globals().pop("rp2", None)

from picograve_board.service import main  # noqa: E402

main()
