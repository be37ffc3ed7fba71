"""Real MicroPython, built from Debian's packages and kept in the cache.

    python -m picograve_tools.micropython [unix32 | unix64 | rp2040 | all]

- `unix(bits)`: the port for this machine. With 32 bits it is the everyday simulated board:
  small integers and heap blocks have the sizes they have on a chip.
- `rp2040_image()`: the firmware of a Raspberry Pi Pico, byte for byte what a board would run;
  picograve_tools.emulator runs it here.
- `unix_state()`, `rp2040_state()`: what of this is here, for `picograve doctor`; they build
  nothing.

Debian's tarball has no submodules: what a port needs of them comes from other packages (the
Pico's SDK, TinyUSB, mbedTLS), and what it does not need is switched off. An entry's name holds
a digest of its recipe, so a changed recipe makes a new entry.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from picograve.errors import BadInput
from picograve_tools import cache, debian, emulator, mpy
from picograve_tools.cache import ToolFailed, ToolMissing, say_on_stderr
from picograve_tools.debian import MICROPYTHON, Known

MBEDTLS = Known(
    "mbedtls", "3.6.6-0.1~deb13u1", True,
    "mbedtls_3.6.6.orig.tar.bz2",
    "8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a",
)  # fmt: skip
PICO_SDK = Known(
    "pico-sdk-source", "2.1.1-1", False,
    "pico-sdk-source_2.1.1-1_all.deb",
    "507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3",
)  # fmt: skip
TINYUSB = Known(
    "tinyusb-source", "0.18.0+dfsg-1", False,
    "tinyusb-source_0.18.0+dfsg-1_all.deb",
    "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
)  # fmt: skip

UNIX_SETTINGS = (
    "VARIANT=standard",
    "MICROPY_PY_FFI=0",
    "MICROPY_PY_SSL=0",
    "MICROPY_SSL_MBEDTLS=0",
    "MICROPY_PY_BTREE=0",
    "FROZEN_MANIFEST=",
    "CWARN=",  # a newer compiler's new warnings are no errors
)
RP2040_SETTINGS = (
    "-DMICROPY_BOARD=RPI_PICO",
    "-DPICO_NO_PICOTOOL=1",  # which would be downloaded; tools/uf2conv.py does its work
)
RP2040_MANIFEST = """\
freeze("$(PORT_DIR)/modules")
include("$(MPY_DIR)/extmod/asyncio")
"""
# Native code loads constants relative to a word: it must start at one, also when it is frozen.
# mpy-tool.py of 1.25 aligns Thumb code by halfwords; our firmware crashed at boot with that.
FROZEN_ALIGNMENT = ("__attribute__ ((aligned (2)))", "__attribute__ ((aligned (4)))")
UF2_FAMILY = "0xe48bff56"  # RP2040
FLASH_ADDRESS = "0x10000000"

BUILD_PROGRAMS = (("gcc", "gcc"), ("make", "make"))
ARM_PROGRAMS = (("arm-none-eabi-gcc", "gcc-arm-none-eabi"), ("cmake", "cmake"), ("make", "make"))
ARM_LIBRARIES = (
    ("libc.a", "libnewlib-arm-none-eabi"),
    ("libstdc++.a", "libstdc++-arm-none-eabi-newlib"),
)

# Fails without viper, else prints the number of bits.
PROBE = """\
import sys
@micropython.viper
def plus_one(number: int) -> int:
    return number + 1
print(plus_one(31 if sys.maxsize == 0x7FFFFFFF else 63))
"""


def find_unix(say=say_on_stderr):
    """(path, bits) of a MicroPython with viper: 32 bits where that can be had, else 64."""
    program = shutil.which("micropython")
    installed_bits = program and bits_of(program)
    for bits in (32, 64):
        if installed_bits == bits:
            return Path(program), bits
        try:
            return unix(bits, say), bits
        except (ToolMissing, ToolFailed) as error:
            failure = error
            say("micropython with %d bits: %s" % (bits, error))
    raise failure


def bits_of(program):
    """The bits of a MicroPython with viper, or None."""
    answer = subprocess.run([program, "-c", PROBE], capture_output=True, text=True)
    return int(answer.stdout) if answer.returncode == 0 else None


# The port for this machine.


def unix(bits, say=say_on_stderr, tarball=MICROPYTHON):
    """The path of a `micropython` with viper and 32 or 64 bits."""
    name = _unix_entry(bits, tarball)
    return cache.made(name, lambda part: _build_unix(bits, part, say, tarball), say) / "micropython"


def _unix_entry(bits, tarball=MICROPYTHON):
    name = "unix%d" % bits
    return entry_name(name, tarball, _unix_settings(bits), version=tarball.version)


def _unix_settings(bits):
    return (*UNIX_SETTINGS, "MICROPY_FORCE_32BIT=1") if bits == 32 else UNIX_SETTINGS


def _build_unix(bits, part, say, tarball):
    cache.need(*BUILD_PROGRAMS)
    if bits == 32 and not compiles_32_bits():
        raise ToolMissing("gcc cannot make 32-bit programs: apt install gcc-multilib")
    source = unpack_micropython(part, say, tarball)
    say("micropython: building the unix port, %d bits" % bits)
    port = source / "ports" / "unix"
    command = ["make", jobs(), "-C", port, "BUILD=build", "PYTHON=" + sys.executable]
    cache.run(command + list(_unix_settings(bits)), part / "build.log", env=environment())
    program = port / "build" / "micropython"
    if bits_of(program) != bits:
        raise ToolFailed("MicroPython has no viper with %d bits on this processor" % bits)
    program.rename(part / "micropython")
    shutil.rmtree(source)


def compiles_32_bits():
    """Whether a program of 32 bits can be compiled, linked and started."""
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/program"
        try:
            subprocess.run(
                ["gcc", "-m32", "-x", "c", "-", "-o", program],
                input=b'#include <stdio.h>\nint main(void) { return puts("") < 0; }\n',
                check=True,
                capture_output=True,
            )
            subprocess.run([program], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return False
    return True


# The firmware of a Raspberry Pi Pico.


def rp2040_image(say=say_on_stderr, frozen=None):
    """The path of firmware.bin; firmware.uf2, for a board in hand, lies beside it.

    frozen: a folder of .mpy files that the firmware holds in flash, beside its own; and, in a
    folder of it, a user module in C (tools/native/firmware.py).
    """
    entry = _rp2040_entry(frozen)
    return cache.made(entry, lambda part: _build_rp2040(part, frozen, say), say) / "firmware.bin"


def _rp2040_entry(frozen=None):
    packages = (MICROPYTHON, MBEDTLS, PICO_SDK, TINYUSB)
    files = sorted(path for path in frozen.rglob("*") if path.is_file()) if frozen else ()
    more = [(path.relative_to(frozen).as_posix(), path.read_bytes()) for path in files]
    return entry_name("rp2040", packages, RP2040_SETTINGS, RP2040_MANIFEST, FROZEN_ALIGNMENT, more)


def _build_rp2040(part, frozen, say):
    missing = missing_for_rp2040()
    if missing:
        raise ToolMissing("install what is missing: apt install " + " ".join(missing))
    mpy_cross = mpy.compiler()
    source = unpack_micropython(part, say)
    _add_submodules(source / "lib", say)
    mpy_tool = source / "tools" / "mpy-tool.py"
    mpy_tool.write_text(mpy_tool.read_text().replace(*FROZEN_ALIGNMENT))
    manifest = part / "manifest.py"
    manifest.write_text(RP2040_MANIFEST + ('freeze_mpy("%s")\n' % frozen if frozen else ""))
    say("micropython: building the firmware for the RP2040")
    log, build = part / "build.log", part / "build"
    settings = environment(MICROPY_MPYCROSS=mpy_cross)
    configure = ["cmake", "-S", source / "ports" / "rp2", "-B", build, *RP2040_SETTINGS]
    configure += ["-DMICROPY_FROZEN_MANIFEST=%s" % manifest]
    configure += ["-DPython3_EXECUTABLE=" + sys.executable]
    user_module = frozen and frozen / mpy.FIRMWARE / "micropython.cmake"
    if user_module and user_module.exists():
        configure.append("-DUSER_C_MODULES=%s" % user_module)
    cache.run(configure, log, env=settings)
    cache.run(["make", jobs(), "-C", build], log, env=settings)
    (build / "firmware.bin").rename(part / "firmware.bin")
    uf2 = [sys.executable, source / "tools" / "uf2conv.py", "--convert", "--family", UF2_FAMILY]
    uf2 += ["--base", FLASH_ADDRESS, "--output", part / "firmware.uf2", part / "firmware.bin"]
    cache.run(uf2, log)
    shutil.rmtree(source)
    shutil.rmtree(build)


def missing_for_rp2040():
    """The Debian packages that the firmware's build lacks."""
    missing = [package for program, package in ARM_PROGRAMS if not shutil.which(program)]
    return missing + [package for library, package in ARM_LIBRARIES if not _arm_has(library)]


def _arm_has(library):
    return compiler_has(library, "arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb")


def compiler_has(file, *compiler):
    """Whether a compiler with these flags finds a file of its libraries."""
    if not shutil.which(compiler[0]):
        return False
    command = [*compiler, "-print-file-name=" + file]
    answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return os.path.isabs(answer)  # the bare name, where there is none


def _add_submodules(lib, say):
    for package in (PICO_SDK, TINYUSB):
        debian.unpack(package, lib / "debian", say)
    for name in ("pico-sdk", "tinyusb"):
        (lib / name).rmdir()
        (lib / "debian" / "usr" / "src" / name).rename(lib / name)
    debian.unpack(MBEDTLS, lib / "mbedtls", say)


# For every port.


def unpack_micropython(part, say, tarball=MICROPYTHON):
    source = part / "source"
    debian.unpack(tarball, source, say)
    (source / "lib" / "micropython-lib" / "README.md").touch()  # the builds look for this file
    return source


def entry_name(name, *recipe, version=MICROPYTHON.version):
    digest = hashlib.sha256(repr(recipe).encode()).hexdigest()[:8]
    return "%s-%s-%s" % (name, version, digest)


def jobs():
    return "-j%d" % (os.cpu_count() or 1)


def environment(**more):
    """Ours, without what a make that started us would hand on to the make that we start."""
    makes = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
    return {k: v for k, v in os.environ.items() if k not in makes} | more


# What is here. Rows of (name, what is known of it or how to get it, whether it is there).


def unix_state():
    """What the simulated board runs on, or what building it lacks."""
    program = shutil.which("micropython")
    bits = program and bits_of(program)
    entries = [cache.folder() / _unix_entry(bits) for bits in (32, 64)]
    if bits or any(path.exists() for path in entries):
        found = "%s, %d bits" % (program, bits) if bits else next(filter(Path.exists, entries))
        return [("MicroPython", str(found), True)]
    needs = [program_row(*program) for program in BUILD_PROGRAMS]
    needs.append(source_row(MICROPYTHON))
    if all(ok for _, _, ok in needs):
        return [*needs, ("MicroPython", "built at first use, in about a minute", True)]
    return needs


def rp2040_state():
    """What the emulated Pico is made of, or what building it lacks."""
    firmware = cache.folder() / _rp2040_entry()
    library = cache.folder() / emulator.LIBRARY_ENTRY
    rows = [program_row("node", "nodejs")]
    if library.exists():
        rows.append(("emulator", str(library), True))
    else:
        rows.append(program_row("npm", "npm"))
    rows += [program_row(*program) for program in ARM_PROGRAMS]
    rows += [row("ARM " + name, _arm_has(name), package) for name, package in ARM_LIBRARIES]
    if firmware.exists():
        rows.append(("firmware", str(firmware), True))
    else:
        rows += map(source_row, (MICROPYTHON, MBEDTLS, PICO_SDK, TINYUSB))
    return rows


def unix32_row():
    """Whether the simulated board can have the 32 bits of a chip."""
    entry = cache.folder() / _unix_entry(32)
    if entry.exists():
        return "MicroPython", str(entry), True
    return row("gcc -m32", compiles_32_bits(), "gcc-multilib")


def program_row(program, package):
    return row(program, shutil.which(program), package)


def row(name, found, package):
    """`found`: a path, or whether it is there."""
    if found:
        return name, found if isinstance(found, str) else "works", True
    return name, cache.how_to_install(package), False


def source_row(known):
    name = "source of " + known.package.removesuffix("-source")
    file = cache.folder() / "downloads" / known.file
    if file.exists():
        return name, str(file), True
    if debian.can_download():
        return name, "downloaded at first use from Debian", True
    return name, "comes from Debian's archive, which this machine does not use", False


TARGETS = {"unix32": (unix, 32), "unix64": (unix, 64), "rp2040": (rp2040_image,)}


def main(arguments):
    wanted = TARGETS if arguments in ([], ["all"]) else arguments
    if not set(wanted) <= set(TARGETS):
        raise BadInput("picograve_tools.micropython builds %s or all" % ", ".join(TARGETS))
    for target in wanted:
        build, *bits = TARGETS[target]
        print(build(*bits))
    if "rp2040" in wanted:
        print(emulator.library())


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadInput, ToolFailed) as error:
        say_on_stderr("picograve: %s" % error)
        sys.exit(2 if isinstance(error, BadInput) else 1)
