"""Chips without their boards: MicroPython on a Cortex-M4, a Cortex-M33 and a RISC-V, in QEMU.

`command(chip)` is what to start, in a folder of its own: the chip's serial line is the program's
stdin and stdout, its flash the file flash.bin in the folder. machine.reset() ends the program.

The firmware is MicroPython's qemu port from Debian's tarball. That port was made to run
MicroPython's tests: it has no clock, no file system and no main.py. Files of ours are laid over it:

    board.mk          the chips' compiler flags
    config.h          what is switched on
    chip.c, chip.h    the clock, sleep, and the serial line
    flash.c           a flash, in a file of this machine
    main.c, _boot.py  from power-up to main.py

What this proves is that code for an instruction set is right. It says nothing of speed: QEMU counts
no cycles, and the chip's clock is this machine's.
"""

import shutil
import sys
from collections import namedtuple
from pathlib import Path

from picograve_tools import cache, micropython, mpy
from picograve_tools.cache import ToolFailed, ToolMissing, say_on_stderr

HERE = Path(__file__).parent
OURS = ("chip.c", "chip.h", "config.h", "flash.c", "main.c")  # laid over the port
FLASH = "flash.bin"  # as in flash.c

# What a family of chips is built and run with; each thing with its Debian package. `library` is a
# file that the compiler must find.
Tools = namedtuple("Tools", "qemu compiler library")
ARM = Tools(
    ("qemu-system-arm", "qemu-system-arm"),
    ("arm-none-eabi-gcc", "gcc-arm-none-eabi"),
    ("libc.a", "libnewlib-arm-none-eabi"),
)
RISCV = Tools(
    ("qemu-system-riscv32", "qemu-system-misc"),
    ("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf"),
    ("picolibc.specs", "picolibc-riscv64-unknown-elf"),
)
MAKE = ("make", "make")
KILLER = ("setpriv", "util-linux")

# heap: bytes. machine: QEMU's arguments. changes: in the port's files, (file, old, new).
Chip = namedtuple("Chip", "tools heap machine changes")
# Division of 64 bits comes with tables for C++, which want a place.
TABLES = ("mcu/arm/mps2.ld", "*(.rodata*)", "*(.rodata* .ARM.exidx*)")
CHIPS = {
    "m4": Chip(ARM, 256 * 1024, ("-machine", "mps2-an386"), (TABLES,)),
    "m33": Chip(
        ARM,
        432 * 1024,
        ("-machine", "mps2-an505"),
        (
            TABLES,
            ("mcu/arm/mps2.ld", "ORIGIN = 0x00000000", "ORIGIN = 0x10000000"),
            ("uart.c", "0x40004000", "0x50200000"),
        ),
    ),
    "rv32": Chip(RISCV, 256 * 1024, ("-machine", "virt", "-bios", "none"), ()),
}


def command(chip, say=say_on_stderr):
    """The program that is the chip, with its arguments."""
    cache.need(CHIPS[chip].tools.qemu, KILLER)
    return [
        KILLER[0], "--pdeathsig", "KILL",  # QEMU would outlive whoever started it
        CHIPS[chip].tools.qemu[0], *CHIPS[chip].machine,
        "-display", "none", "-monitor", "none", "-serial", "stdio",
        "-semihosting-config", "enable=on,target=native",
        "-kernel", str(firmware(chip, say)),
    ]  # fmt: skip


def firmware(chip, say=say_on_stderr):
    """The path of the chip's firmware.elf."""
    entry = cache.made(_entry(chip), lambda part: _build(chip, part, say), say)
    return entry / "firmware.elf"


def _entry(chip):
    ours = [(HERE / name).read_text() for name in (*OURS, "board.mk", "_boot.py")]
    return micropython.entry_name("qemu-" + chip, micropython.MICROPYTHON, CHIPS[chip], ours)


def _build(chip, part, say):
    tools = CHIPS[chip].tools
    cache.need(tools.compiler, MAKE)
    if not _has_library(tools):
        raise ToolMissing("install what is missing: apt install " + tools.library[1])
    mpy_cross = mpy.compiler()
    source = micropython.unpack_micropython(part, say)
    port = source / "ports" / "qemu"
    _lay_over(port, CHIPS[chip].changes)
    say("micropython: building the qemu port for %s" % chip)
    build = ["make", micropython.jobs(), "-C", port, "BOARD=PICOGRAVE", "BUILD=build"]
    build += ["CHIP=" + chip, "MICROPY_HEAP_SIZE=%d" % CHIPS[chip].heap]
    build += ["FROZEN_MANIFEST=%s" % (port / "manifest.py"), "PYTHON=" + sys.executable]
    settings = micropython.environment(MICROPY_MPYCROSS=mpy_cross)
    cache.run(build, part / "build.log", env=settings)
    (port / "build" / "firmware.elf").rename(part / "firmware.elf")
    shutil.rmtree(source)


def _lay_over(port, changes):
    for name in OURS:
        shutil.copy(HERE / name, port)
    board = port / "boards" / "PICOGRAVE"
    board.mkdir()
    shutil.copy(HERE / "board.mk", board / "mpconfigboard.mk")
    (port / "mphalport.c").write_text("")  # chip.c has all of it
    (port / "manifest.py").write_text('freeze("%s", "_boot.py")\n' % HERE)
    for name, old, new in changes:
        text = (port / name).read_text()
        if text.count(old) != 1:
            raise ToolFailed("%s of MicroPython's qemu port has no %s" % (name, old))
        (port / name).write_text(text.replace(old, new))


def _has_library(tools):
    return micropython.compiler_has(tools.library[0], tools.compiler[0])


def state(tools):
    """What the chips of a family are made of, or what building them lacks: rows as those of
    micropython.unix_state."""
    firmwares = {
        chip: cache.folder() / _entry(chip) for chip in CHIPS if CHIPS[chip].tools == tools
    }
    rows = [micropython.program_row(*tools.qemu)]
    if all(path.exists() for path in firmwares.values()):
        return rows + [(chip + " firmware", str(path), True) for chip, path in firmwares.items()]
    rows += [micropython.program_row(*program) for program in (tools.compiler, MAKE)]
    rows.append(micropython.row(tools.library[0], _has_library(tools), tools.library[1]))
    return [*rows, micropython.source_row(micropython.MICROPYTHON)]
