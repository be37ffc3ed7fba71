"""The serial line as the board sees it: bytes from stdin, frames to stdout.

Differences from CPython, which runs this file as the simulated board `sim-cpython`: its
stdin is buffered, so that poll would not see what is in the buffer: we read below it.
Ctrl-C is taken from the interpreter (kbd_intr) and becomes a byte that the service looks
for, so that damage in the middle of a line cannot stop it.
"""

import select
import sys

try:
    from micropython import kbd_intr
except ImportError:

    def kbd_intr(_):
        pass


CTRL_C = 3


class Console:
    def __init__(self):
        self._in = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        self._out = sys.stdout.buffer
        self._byte = bytearray(1)
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        self._wait = getattr(poll, "ipoll", poll.poll)  # MicroPython's own allocates nothing
        kbd_intr(-1)

    def byte(self, wait):
        """The next byte, or None if there is none for `wait` milliseconds."""
        for _ in self._wait(wait):
            if not self._in.readinto(self._byte):
                raise EOFError("the line is closed")
            return self._byte[0]
        return None

    def write(self, frame):
        self._out.write(frame)
        if hasattr(self._out, "flush"):
            self._out.flush()

    def close(self):
        kbd_intr(CTRL_C)
