"""A Raspberry Pi Pico without the board: the real firmware image behind a serial port.

    with Emulator(micropython.rp2040_image()) as pico:
        ...  # open pico.port with pyserial, mpremote or picograve

The chip is rp2040js (MIT, by the Wokwi project) under Node.js: rp2040.mjs runs it, bootrom.c
stands in for the chip's mask ROM. This side keeps a pseudo-terminal and carries bytes between
it and the chip in a thread. The port outlives its clients and the chip's resets: a client can
close it and open it again, and need not look for it again as after a real reset. It goes away
with the emulator.

What a board does and this does too: soft and hard reset, machine.reset(), the watchdog, flash
with its file system, USB serial in both directions. What it does not: the second core, the boot
loader (machine.bootloader() halts the chip until reset()). Busy code runs at a fifth to a third
of a chip's speed at 125 MHz, by the wall clock; the chip's own clock counts cycles, as long as the
program has set them, so what is timed on the chip does not depend on this machine. Waits for flash
are not counted.
"""

import base64
import hashlib
import os
import pty
import select
import subprocess
import threading
import tty
from contextlib import suppress
from pathlib import Path

from picograve_tools import cache
from picograve_tools.cache import ToolFailed, ToolMissing, say_on_stderr

HERE = Path(__file__).parent
LIBRARY = "rp2040js@1.4.1"
LIBRARY_SHA512 = (  # as npm writes it
    "Yzr5xG7ZwbtA50IYAU1k/oSoSyDAhPtT5qC/Q2eFApoLuAYE8DQbPIMPs/0kh4Ietd4P0OpKk3CIkfNqjcr56g=="
)
LIBRARY_ENTRY = LIBRARY.replace("@", "-")
OLDEST_NODE = 18
BOOTROM_FLAGS = "-mcpu=cortex-m0plus -mthumb -masm-syntax-unified -O2 -ffreestanding".split()

CONNECT_SECONDS = 120  # a boot takes one or two; a busy machine may need longer
CLOSE_SECONDS = 20
# What the chip says while nobody reads the port is kept up to here, then lost: as on a board,
# whose firmware drops what its host does not take.
UNREAD_BYTES = 65536


class Emulator:
    """A running chip; `port` is the path of its serial port.

    With `flash`, a file, what the chip writes into its flash is kept there for the next time.
    """

    def __init__(self, image, flash=None, say=say_on_stderr):
        self.failure = None  # why the chip is gone, once it is
        self._say = say
        self._closing = False
        self._complaint = "no reason given"  # the last line on its stderr
        self._line = ""  # of which this has arrived
        self._settled = threading.Event()  # the chip is connected, or gone
        self._start_node(image, flash, say)
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._bridge = threading.Thread(target=self._carry, name="emulator", daemon=True)
        self._bridge.start()
        try:
            self._wait_for_connection()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def reset(self):
        """Pull the chip's RUN pin: RAM is lost, flash stays. Returns when USB is up again."""
        self._settled.clear()
        if self.failure:
            raise ToolFailed(self.failure)
        with suppress(BrokenPipeError):
            os.write(self._commands, b"reset\n")
        self._wait_for_connection()

    def close(self):
        """Switch the chip off and write its flash; the port is gone then."""
        if self._closing:
            return
        self._closing = True
        with suppress(BrokenPipeError):
            os.write(self._commands, b"off\n")
        os.close(self._commands)
        try:
            self.process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._bridge.join()

    def _start_node(self, image, flash, say):
        files = [library(say), bootrom(say), image]
        if flash is not None:
            files.append(flash)
        commands, self._commands = os.pipe()
        self.process = subprocess.Popen(
            ["node", HERE / "rp2040.mjs", str(commands), *map(os.path.abspath, files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[commands],
            start_new_session=True,  # Ctrl-C is for us: we then switch the chip off in order
            bufsize=0,
        )
        os.close(commands)
        os.set_blocking(self.process.stdin.fileno(), False)

    def _wait_for_connection(self):
        if not self._settled.wait(CONNECT_SECONDS):
            raise ToolFailed("the emulated chip has not come up in %d s" % CONNECT_SECONDS)
        if self.failure:
            raise ToolFailed(self.failure)

    # The thread.

    def _carry(self):
        """Carry bytes and events until the emulator ends."""
        node = self.process
        to_chip, to_port = b"", b""
        while True:
            # With bytes for the chip still in hand no more are taken: the client has to wait.
            readers = [node.stdout, node.stderr] + ([] if to_chip else [self._master])
            writers = ([node.stdin] if to_chip else []) + ([self._master] if to_port else [])
            readable, writable, _ = select.select(readers, writers, [])
            if node.stderr in readable:
                self._take_events(os.read(node.stderr.fileno(), 4096))
            if node.stdout in readable:
                data = os.read(node.stdout.fileno(), 4096)
                if not data:
                    break
                to_port = (to_port + data)[:UNREAD_BYTES]
            if self._master in readable:
                to_chip = os.read(self._master, 4096)
            if node.stdin in writable:
                to_chip = _written(node.stdin.fileno(), to_chip)
            if self._master in writable:
                to_port = _written(self._master, to_port)
        self._end()

    def _take_events(self, data):
        *lines, self._line = (self._line + data.decode(errors="replace")).split("\n")
        for line in lines:
            if line == "connected":
                self._settled.set()
            else:
                self._complaint = line

    def _end(self):
        node = self.process
        self._take_events(node.stderr.read())
        node.wait()
        for pipe in (node.stdin, node.stdout, node.stderr):
            pipe.close()
        os.close(self._master)
        os.close(self._slave)
        self.failure = "the emulator is closed"
        if node.returncode != 0:
            self.failure = "the emulator has ended (%d): %s" % (node.returncode, self._complaint)
            self._say(self.failure)
        self._settled.set()


def _written(descriptor, data):
    """Write what fits; returns the rest."""
    try:
        return data[os.write(descriptor, data) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:  # the emulator has ended; its other pipes say why
        return b""


# What it is made of.


def library(say=say_on_stderr):
    """The folder of rp2040js, fetched by npm from wherever this machine gets its packages."""
    cache.need(("node", "nodejs"))
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < OLDEST_NODE:
        raise ToolMissing("Node.js %d or newer is needed, not %s" % (OLDEST_NODE, version.strip()))
    return cache.made(LIBRARY_ENTRY, lambda part: _fetch_library(part, say), say)


def _fetch_library(part, say):
    cache.need(("npm", "npm"))
    say("rp2040js: downloading (npm, %s)" % LIBRARY)
    log = part / "npm.log"
    cache.run(["npm", "pack", LIBRARY, "--pack-destination", part], log)
    archive = part / (LIBRARY_ENTRY + ".tgz")
    cache.checked(archive, base64.b64decode(LIBRARY_SHA512).hex(), "sha512")
    cache.run(["tar", "-xf", archive, "-C", part, "--strip-components", "1"], log)


def bootrom(say=say_on_stderr):
    """The image of our stand-in for the mask ROM."""
    sources = HERE / "bootrom.ld", HERE / "bootrom.c"
    recipe = b"".join(file.read_bytes() for file in sources) + repr(BOOTROM_FLAGS).encode()
    name = "bootrom-" + hashlib.sha256(recipe).hexdigest()[:8]
    return cache.made(name, lambda part: _compile_bootrom(*sources, part), say) / "bootrom.bin"


def _compile_bootrom(script, source, part):
    cache.need(("arm-none-eabi-gcc", "gcc-arm-none-eabi"))
    log, program = part / "build.log", part / "bootrom.elf"
    command = ["arm-none-eabi-gcc", *BOOTROM_FLAGS, "-nostdlib", "-T", script, source, "-lgcc"]
    cache.run([*command, "-o", program], log)
    copy = ["arm-none-eabi-objcopy", "-O", "binary", program, part / "bootrom.bin"]
    cache.run(copy, log)
