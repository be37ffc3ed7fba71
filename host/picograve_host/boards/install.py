"""Installing a board: its program, what to set up when it boots, and the way there.

The program (program.py) is compiled here by C where there is a compiler; else it comes with
picograve, compiled by C before (prebuilt.py); else viper compiles it. To it belongs a file
`picograve_board/built`, with the stamp of the sources and what to set up when the board boots.

mpremote copies it all into lib; then the board boots and is asked who it is. Frozen into a
firmware, the code runs from flash and leaves the heap to the search.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from picograve import BadInput, Budget, Config, Ledger, load
from picograve_tools import mpy
from picograve_tools.cache import package
from picograve_tools.native import module

from picograve_host.boards import prebuilt, program
from picograve_host.boards.link import Link, LinkError
from picograve_host.boards.one_size import as_built

GAME = "go9"
SEARCH, PRESET = "graver", "strong"
# sys.implementation._mpy (MicroPython's documentation, "MicroPython .mpy files"): from bit 10 the
# architecture, bits 8 and 9 the version of native code, below that of the file.
MPY_ARCHITECTURES = (
    None, "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp", "xtensa",
    "xtensawin", "rv32imc",
)  # fmt: skip
MPY_VERSION = (6, 3)  # what mpy-cross 1.29 writes and MicroPython 1.25 reads
COMPILER = "PICOGRAVE_COMPILER"  # the environment's variable that chooses what compiles kernels


def default_ledger(board: dict[str, Any]) -> Ledger:
    """What the board allocates when it boots."""
    only = board.get("only")
    return Budget(**board["budget"]).ledger(
        as_built(load(only or GAME), only), Config(SEARCH, PRESET)
    )


def check_fit(board: dict[str, Any], ledger: Ledger) -> None:
    """Refuse a budget that the board's heap cannot hold."""
    usable = board.get("usable")
    if usable and ledger.total_bytes > usable:
        raise BadInput(
            "%s on %s takes %d bytes, %s has %d for it: give fewer nodes or bytes"
            % (ledger.search, ledger.game, ledger.total_bytes, board["name"], usable)
        )


def set_clock(board: dict[str, Any], mhz: int | None) -> None:
    """Let the board run at so many MHz, not at its certified clock; None: leave that."""
    if mhz is None:
        return
    if "clock" not in board:
        raise BadInput("%s has no clock that could be set: leave --mhz out" % board["name"])
    lowest, highest = board["clock"]["lowest"], board["clock"]["certified"]
    if not lowest <= mhz <= highest:
        raise BadInput(
            "%s is certified for %d MHz: --mhz must be %d to %d, not %d"
            % (board["name"], highest, lowest, highest, mhz)
        )
    board["mhz"] = mhz


def build(board: dict[str, Any], folder: Path) -> None:
    """The compiled files of a board into `folder`."""
    check_fit(board, default_ledger(board))
    kernels = kernels_of(board)
    game, only = board.get("game"), board.get("only")
    if kernels.are_ready:
        prebuilt.copy(board, folder)
    else:
        frozen = bool(board.get("frozen"))
        program.compile_into(folder, board["arch"], kernels.by, game, only, frozen)
    setting = dict(
        mhz=board.get("mhz"), game=only or GAME, search=SEARCH, config=dict(preset=PRESET),
        budget=board["budget"],
    )  # fmt: skip
    text = "STAMP = %r\nSETTING = %r\n" % (program.stamp(game, only), setting)
    built = mpy.compiled(text, "picograve_board/built.py", board["arch"])
    (folder / "picograve_board" / "built.mpy").write_bytes(built)


class Kernels(NamedTuple):
    """Where a board's kernels come from."""

    by: str  # what compiles or has compiled them
    are_ready: bool = False  # they came with picograve
    gap: str | None = None  # what C lacks here

    def __str__(self) -> str:
        if self.are_ready:
            return "by %s, as it came with picograve" % self.by
        if self.gap:
            return "by %s, which is slower than C: %s" % (self.by, self.gap)
        return "by %s, compiled here" % self.by


def kernels_of(board: dict[str, Any]) -> Kernels:
    """The best that a board can have here, unless its description or the environment chooses."""
    asked = board.get("compiler") or os.environ.get(COMPILER)
    if asked not in (None, *mpy.COMPILERS):
        raise BadInput("%s: the compiler is one of %s" % (asked, ", ".join(mpy.COMPILERS)))
    if asked not in (None, mpy.C):
        return Kernels(asked)
    not_ready = prebuilt.missing_for(board)
    if not_ready is None:
        return Kernels(mpy.C, are_ready=True)
    gap = module.missing_for(board["arch"])
    if gap is None:
        return Kernels(mpy.C)
    gaps = "%s; %s" % (gap, not_ready)
    if asked:
        raise BadInput("%s cannot have kernels by C: %s" % (board["name"], gaps))
    return Kernels(mpy.VIPER, False, gaps)


def install(board: dict[str, Any], port: str, say: Callable[[str], object]) -> dict[str, Any]:
    """Build for the board, copy, boot, check; its hello."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        say("%s: code for %s %s" % (board["name"], board["arch"], kernels_of(board)))
        build(board, Path(folder) / "lib")
        shutil.copy(program.SERVICE / "main.py", folder)
        say("%s: copying to %s" % (board["name"], port))
        _mpremote(port, "cp", "-r", "lib", "main.py", ":", folder=folder)
    say("%s: starting the service" % board["name"])
    _mpremote(port, "reset")
    hello = check(board, port)
    if board.get("mhz") not in (None, hello["mhz"]):
        clocks = hello["mhz"], board["mhz"]
        say("%s: it stays at %s MHz, %s cannot be set" % (board["name"], *clocks))
    return hello


def check(board: dict[str, Any], port: str) -> dict[str, Any]:
    """Whether the board answers with the program just built; its hello."""
    link = Link(port, board["serial"])
    link.close()
    if link.hello["stamp"] != program.stamp(board.get("game"), board.get("only")):
        raise LinkError("%s still runs other sources: unplug it, and flash again" % port)
    if link.hello["refusal"]:
        raise BadInput("the board refuses its default budget: %s" % link.hello["refusal"])
    return link.hello


def chip_at(port: str) -> tuple[str | None, tuple[int, int]]:
    """(arch, version) of the .mpy files that the MicroPython at a port takes."""
    answer = _mpremote(port, "exec", "import sys; print(getattr(sys.implementation, '_mpy', 0))")
    mpy = int(answer.split()[-1])
    return MPY_ARCHITECTURES[mpy >> 10], (mpy & 255, mpy >> 8 & 3)


def _mpremote(port, *arguments, folder=None):
    package("mpremote", "boards")
    command = [sys.executable, "-m", "mpremote", "connect", port, *arguments]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if answer.returncode:
        words = (answer.stderr or answer.stdout).strip().splitlines() or ["it says nothing"]
        raise LinkError("mpremote cannot reach the board at %s: %s" % (port, words[-1]))
    return answer.stdout
