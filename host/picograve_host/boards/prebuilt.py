"""Programs of boards that C has compiled before picograve was packed: nobody needs a compiler.

    python -m picograve_host.boards.prebuilt FOLDER   compiles them; the wheel's build does

    stamp             of the sources they were made from
    armv6m/           a program, for each chip that Debian has a C compiler for
    armv6m-go9/       of that program with Go in 9x9 alone, the files that are others

A wheel has them in MODULES, made by tools/wheel.py; a checkout compiles instead. There are none
for desktops: whoever has MicroPython's unix port has mostly built it, and so has a compiler.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from picograve_tools import mpy
from picograve_tools.cache import say_on_stderr
from picograve_tools.native import module

from picograve_host.boards import program

MODULES = Path(__file__).with_name("modules")
CHIPS = tuple(arch for arch in module.COMPILERS if arch not in ("x86", "x64"))
SIZES = ("go9",)  # the games that there are in one size alone
STAMP = "stamp"


def make(folder: Path, say: Callable[[str], object]) -> None:
    """Compile the programs of all chips whose compiler is here; it says which are not."""
    folder.mkdir()
    (folder / STAMP).write_text(program.stamp())
    for arch in CHIPS:
        missing = module.missing_for(arch)
        if missing:
            say("no modules for %s: %s" % (arch, missing))
            continue
        program.compile_into(folder / arch, arch, mpy.C)
        for only in SIZES:
            with tempfile.TemporaryDirectory(prefix="picograve-") as scratch:
                program.compile_into(Path(scratch), arch, mpy.C, only=only)
                _copy_others(Path(scratch), folder / arch, folder / _name(arch, only))


def _copy_others(source, known, folder):
    """The files of `source` that `known` does not have or has with other content."""
    for path in (path for path in source.rglob("*") if path.is_file()):
        name = path.relative_to(source)
        if not (known / name).exists() or (known / name).read_bytes() != path.read_bytes():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / name)


def missing_for(board: dict[str, Any]) -> str | None:
    """Why a board cannot have what came with picograve, in words, or None."""
    arch, game, only = board["arch"], board.get("game"), board.get("only")
    if not (MODULES / arch).exists() or board.get("frozen"):  # a firmware takes no native modules
        return "picograve came without modules for it"
    if (MODULES / STAMP).read_text() != program.stamp():
        return "the modules that came with picograve are of other sources"
    if game and game.file:
        return "%s is not among the modules that came with picograve" % game.file.name
    if only and not (MODULES / _name(arch, only)).exists():
        return "%s alone is not among the modules that came with picograve" % only
    return None


def copy(board: dict[str, Any], folder: Path) -> None:
    """The program of a board, for which nothing is missing."""
    shutil.copytree(MODULES / board["arch"], folder, dirs_exist_ok=True)
    if board.get("only"):
        shutil.copytree(MODULES / _name(board["arch"], board["only"]), folder, dirs_exist_ok=True)


def _name(arch, only):
    return "%s-%s" % (arch, only)


if __name__ == "__main__":
    make(Path(sys.argv[1]), say_on_stderr)
