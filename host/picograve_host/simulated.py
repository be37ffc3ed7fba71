"""Boards that run on this machine, each behind a pty: real MicroPython, or an emulated chip.

A simulated board is a folder as a board's file system, and MicroPython's unix port started in
it on `main`; when that ends (Ctrl-D at the REPL, a crash, `reset`), it is started again, as
a board would boot. The port stays. `start` makes any of them from its description.
"""

import contextlib
import hashlib
import os
import pty
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

from picograve_tools import cache, emulator, micropython

from picograve_host import install

CRASHES = 3  # in a row, each within a second of the start: then it is given up


def start(board, say):
    """A running machine with `port`, `reset()` and `close()`."""
    if board["runs"] == "rp2040":
        return Emulated(board, say)
    if board["runs"] == "cpython":
        say("%s: no MicroPython, no heap limit; it shows the protocol and the play" % board["name"])
        service = "from picograve_board.service import main; main()"
        return Simulated(board, [sys.executable, "-c", service])
    if board["runs"] == "unix64":
        executable, bits = micropython.unix(64, say), 64
    else:
        executable, bits = micropython.find_unix(say)
    if bits == 64 and board["runs"] == "unix":
        say("sim: 64 bits, for 32 the compiler lacks Debian's package gcc-multilib")
        board.update(arch=board["arch64"], heap=board["heap64"])
    command = [str(executable), "-X", "heapsize=%d" % board["heap"], "-i", "-c", "import main"]
    return Simulated(board, command)


class Emulated(emulator.Emulator):
    """An emulated chip with picograve on it: frozen into its firmware, or installed on its file
    system, once, and then kept in the cache.
    """

    def __init__(self, board, say):
        self._folder = tempfile.TemporaryDirectory(prefix="picograve-")
        with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
            install.build(board, Path(folder))
            if board.get("frozen"):
                super().__init__(micropython.rp2040_image(say, Path(folder)), say=say)
                return
            image = micropython.rp2040_image(say)
            files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            content = b"".join(path.read_bytes() for path in [image, *files])
        installed = "%s-%s" % (board["name"], hashlib.sha256(content).hexdigest()[:12])

        def make(part):
            with emulator.Emulator(image, part / "flash.bin", say) as chip:
                install.install(board, chip.port, say)

        flash = shutil.copy(cache.made(installed, make, say) / "flash.bin", self._folder.name)
        super().__init__(image, flash, say)

    def close(self):
        super().close()
        self._folder.cleanup()


class Simulated:
    """A board that is a process of this machine."""

    def __init__(self, board, command):
        self._folder = tempfile.TemporaryDirectory(prefix="picograve-")
        if "arch" in board:
            install.build(board, Path(self._folder.name))
        self._command = command
        # Hosts open the slave by its name. We keep it open, too, because a master without any slave
        # reads an error instead of waiting; and we carry the bytes between the master and the
        # board, because MicroPython's REPL flushes and reshapes a terminal that it is given.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._line, self._board = socket.socketpair()
        self._carrier = threading.Thread(target=self._carry, daemon=True)
        self._carrier.start()
        self._closing = threading.Event()
        self._crashes = 0
        self._boot()
        self._keeper = threading.Thread(target=self._keep_running, daemon=True)
        self._keeper.start()

    def _boot(self):
        self._process = subprocess.Popen(
            self._command,
            stdin=self._board,
            stdout=self._board,
            stderr=self._board,
            cwd=self._folder.name,
            env=dict(os.environ, PICOGRAVE_RUNTIME="cpython"),
            start_new_session=True,
        )

    def _carry(self):
        while True:
            ready, _, _ = select.select([self._master, self._line], [], [])
            if self._master in ready:
                data = os.read(self._master, 4096)
                with contextlib.suppress(BrokenPipeError):  # closed meanwhile: seen below
                    self._line.sendall(data)
            if self._line in ready:
                try:
                    data = self._line.recv(4096)
                except ConnectionResetError:  # closed with bytes of ours unread
                    return
                if not data:
                    return
                with contextlib.suppress(BlockingIOError):  # nobody reads: a board drops it, too
                    os.write(self._master, data)

    def _keep_running(self):
        while not self._closing.is_set():
            began = time.monotonic()
            self._process.wait()
            self._crashes = self._crashes + 1 if time.monotonic() - began < 1 else 0
            if self._crashes == CRASHES or self._closing.is_set():
                return
            self._boot()

    def reset(self):
        """As the reset button."""
        self._crashes = -1
        self._process.kill()

    def close(self):
        if self._closing.is_set():
            return
        self._closing.set()
        self._process.kill()
        self._keeper.join()
        self._process.kill()  # the one that was started meanwhile, if it was
        self._process.wait()
        self._board.close()
        self._carrier.join()
        self._line.close()
        os.close(self._slave)
        os.close(self._master)
        self._folder.cleanup()
