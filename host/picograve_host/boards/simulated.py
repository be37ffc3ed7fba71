"""Boards that run on this machine, each behind a pty: real MicroPython, an emulated chip, or
the board's program on CPython with an emulated heap.

A simulated board is a program started in a folder that is the board's flash: MicroPython's unix
port on `main`, or QEMU. When it ends (Ctrl-D at the REPL, a crash, `reset`), it is started again,
as a board would boot. The port stays. `start` makes any of them from its description.
"""

import contextlib
import hashlib
import json
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
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from picograve_tools import cache, emulator, micropython, mpy, qemu

from picograve_host.boards import install

CRASHES = 3  # in a row, each within a second of the start: then it is given up


def start(board: dict[str, Any], say: Callable[[str], object]) -> "Emulated | Simulated":
    """A running machine with `port`, `reset()` and `close()`."""
    if board["runs"] == "rp2040":
        return Emulated(board, say)
    if board["runs"] in qemu.CHIPS:
        return _in_qemu(board, say)
    if board["runs"] == "cpython":
        say("%s: no MicroPython; its RAM is emulated, its speed is not" % board["name"])
        service = [sys.executable, "-m", "picograve_host.boards.cpython_service"]
        own = board.get("game") and board["game"].file
        return Simulated([*service, json.dumps(board["ram"]), *([str(own)] if own else [])])
    mpy.compiler()  # refuses before a MicroPython is built that could not be fed
    if board["runs"] == "unix64":
        executable, bits = micropython.unix(64, say), 64
    else:
        executable, bits = micropython.find_unix(say)
    if bits == 64 and board["runs"] == "unix":
        say("sim: 64 bits, for 32 the compiler lacks Debian's package gcc-multilib")
        board.update(arch=board["arch64"], heap=board["heap64"])
    command = [str(executable), "-X", "heapsize=%d" % board["heap"], "-i", "-c", "import main"]
    return Simulated(command, lambda folder: install.build(board, folder))


def _in_qemu(board, say):
    command = qemu.command(board["runs"], say)

    def make(part):
        with Simulated(command) as chip:
            install.install(board, chip.port, say)
            shutil.copy(chip.folder / qemu.FLASH, part)

    flash = _installed(board, qemu.firmware(board["runs"]), make, say) / qemu.FLASH
    return Simulated(command, lambda folder: shutil.copy(flash, folder))


def _installed(board, image, make, say):
    """The cache's entry with the flash of an emulated chip on which picograve is installed; `make`
    installs, once for each firmware and program."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        install.build(board, Path(folder))
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        content = b"".join(path.read_bytes() for path in [image, *files])
    name = "%s-%s" % (board["name"], hashlib.sha256(content).hexdigest()[:12])
    return cache.made(name, make, say)


class Emulated(emulator.Emulator):
    """An emulated Pico with picograve on it: frozen into its firmware, or installed on its file
    system.
    """

    def __init__(self, board: dict[str, Any], say: Callable[[str], object]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="picograve-")
        if board.get("frozen"):
            with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
                install.build(board, Path(folder))
                super().__init__(micropython.rp2040_image(say, Path(folder)), say=say)
            return
        image = micropython.rp2040_image(say)

        def make(part):
            with emulator.Emulator(image, part / "flash.bin", say) as chip:
                install.install(board, chip.port, say)

        installed = _installed(board, image, make, say) / "flash.bin"
        super().__init__(image, shutil.copy(installed, self._folder.name), say)

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


class Simulated:
    """A board that is a process of this machine, in a folder that `fill` fills."""

    def __init__(
        self, command: list[str], fill: Callable[[Path], object] = lambda folder: None
    ) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="picograve-")
        self.folder = Path(self._temporary.name)
        fill(self.folder)
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
            stdin=self._board.fileno(),
            stdout=self._board.fileno(),
            stderr=self._board.fileno(),
            cwd=self.folder,
            env=dict(os.environ, PICOGRAVE_RUNTIME="cpython"),
            start_new_session=True,
        )

    def _carry(self):
        while True:
            ends: list[Any] = [self._master, self._line]
            ready, _, _ = select.select(ends, [], [])
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

    def reset(self) -> None:
        """As the reset button."""
        self._crashes = -1
        self._process.kill()

    def close(self) -> None:
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
        self._temporary.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
