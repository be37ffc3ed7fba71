"""The heap as it is: used, free, and the largest block that can still be had.

Free bytes alone mislead: a heap in pieces refuses a large buffer with plenty free. The
largest block is found by asking for blocks, because MicroPython does not report it.
"""

import gc
import sys

# Bytes that a search must leave free, for requests and answers. With less, what is free lies in
# holes too small for an answer: measured on simulated boards, none of 1 kB was left with 8.6 kB.
RESERVE = 9216
_STEP = 256  # bytes: how finely the largest block is measured


if sys.implementation.name == "micropython":

    def figures():
        """(used, free, largest free block) in bytes, garbage collected."""
        gc.collect()
        used, free = gc.mem_alloc(), gc.mem_free()
        return used, free, _largest(free)

    def _largest(free):
        fits, too_many = 0, free // _STEP + 1
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            try:
                bytearray(middle * _STEP)
                fits = middle
                gc.collect()
            except MemoryError:  # only after a collection of its own
                too_many = middle
        return fits * _STEP

    def has_room():
        """Whether the service can still talk. The largest block is not asked for: that takes a
        Pico 0.15 s."""
        gc.collect()
        return gc.mem_free() >= RESERVE

else:
    emulated = None  # CPython has no such heap; picograve_host.boards.ram stands in for one

    def figures():
        return emulated.figures() if emulated else (None, None, None)

    def has_room():
        return emulated is None or emulated.figures()[1] >= RESERVE
