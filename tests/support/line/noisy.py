"""A serial line that damages what it carries, between a pty for the host and a board's port."""

import contextlib
import os
import pty
import random
import select
import threading
import tty

DAMAGE = 0.01  # share of the bytes that meet with an accident


class NoisyLine:
    """`port` is the host's end."""

    def __init__(self, board_port, seed, damage=DAMAGE):
        self._random = random.Random(seed)
        self._damage = damage
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._board = os.open(board_port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._board)
        for end in (self._master, self._board):
            os.set_blocking(end, False)
        self._stop_reading, self._stop_writing = os.pipe()
        self.accidents = 0
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self):
        other = {self._master: self._board, self._board: self._master}
        while True:
            ready, _, _ = select.select([*other, self._stop_reading], [], [])
            if self._stop_reading in ready:
                return
            for end in ready:
                with contextlib.suppress(BlockingIOError):  # nobody reads: a line drops it
                    os.write(other[end], self._spoilt(os.read(end, 4096)))

    def _spoilt(self, data):
        out = bytearray()
        lost = 0  # bytes still to fall into a cut
        for byte in data:
            if lost:
                lost -= 1
                continue
            if self._random.random() >= self._damage:
                out.append(byte)
                continue
            self.accidents += 1
            accident = self._random.choice(("flip", "drop", "double", "cut"))
            if accident == "flip":
                out.append(byte ^ (1 << self._random.randrange(8)))
            elif accident == "double":
                out += bytes((byte, byte))
            elif accident == "cut":
                lost = self._random.randrange(1, 20)
        return bytes(out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self._stop_writing, b".")
        self._thread.join()
        for end in (self._master, self._slave, self._board, self._stop_reading):
            os.close(end)
        os.close(self._stop_writing)
