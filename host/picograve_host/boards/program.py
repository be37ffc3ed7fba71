"""What a board runs: sources, the stamp by which we know them, and how they are compiled.

    main              starts the service
    picograve/        the core, compiled for the chip; a `game` of one's own lies among the core's
                      games; of `only`, a game's name, there is this size alone
    picograve_board/  the service, compiled

What belongs to one board, `picograve_board/built`, is added when it is installed (install.py).
Nothing here needs more than the sources and compilers, because a wheel's build runs it, too
(prebuilt.py).
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import picograve
import picograve_board
from picograve_tools import mpy

from picograve_host.boards.one_size import letters_of, named

if TYPE_CHECKING:
    from picograve.protocols import Game

CORE = Path(picograve.__file__).parent
SERVICE = Path(picograve_board.__file__).parent
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


def files_of(game: "Game | None") -> list[tuple[Path, str]]:
    """[(path, name on a board)] of a game of one's own: it lies among ours. Ours need nothing."""
    return [(game.file, "picograve/games/" + game.file.name)] if game and game.file else []


def sizes_of(only: str | None) -> list[tuple[str, int]]:
    """[(name on a board, size)] of the game that comes in one size."""
    if only is None:
        return []
    return [("picograve/games/%s.py" % letters_of(only), named(only).size)]


def compile_into(
    folder: Path,
    arch: str,
    by: str,
    game: "Game | None" = None,
    only: str | None = None,
    frozen: bool = False,
) -> None:
    """The program's .mpy files, compiled by one of mpy.COMPILERS; `frozen`: for a firmware."""
    service = [(path, "picograve_board/" + path.name) for path in SERVICE.glob("*.py")]
    extra = [*sorted(service), (SERVICE / "main.py", "main.py"), *files_of(game)]
    mpy.build(arch, folder, extra, by, whole=True, frozen=frozen, sizes=sizes_of(only))
