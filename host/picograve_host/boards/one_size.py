"""A board built for one size of a game: the game as it is there, to count its bytes with.

The moves, rules and trees are the same; states and the table of codes are smaller, so that the
same bytes hold more nodes.
"""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picograve import BadInput, load
from picograve_tools import kernels

if TYPE_CHECKING:
    from picograve.protocols import Game


def named(text: str) -> "Game":
    """The game of which a board shall have this size alone."""
    game = load(text)
    if list(as_built(game, game.name).sizes) == list(game.sizes):
        raise BadInput("%s comes in all its sizes on every board: leave --game out" % text)
    return game


def check_size(game: "Game", only: str | None, port: str) -> None:
    """Refuse a size that the board at a port, built for `only`, does not have."""
    if only and game.name != only and letters_of(game.name) == letters_of(only):
        raise BadInput(
            "the board at %s has %s only: picograve flash --port %s --game %s, or all sizes "
            "without --game" % (port, only, port, game.name)
        )


def letters_of(name: str) -> str:
    """The name of a game without its size."""
    return name.rstrip("0123456789")


def as_built(game: "Game", only: str | None) -> "Game":
    """The game on a board built for `only`, a game's name; for ledgers, not to play."""
    if game.name != only:
        return game
    text = kernels.sized(Path(inspect.getfile(type(game))).read_text(), game.size)
    module: dict[str, Any] = {"__name__": type(game).__module__}
    exec(text.replace("@micropython.viper\n", ""), module)  # nobody calls its kernels
    built = module["Game"](game.size, **game.given)
    built.name, built.given = game.name, game.given
    built.file, built.digest = game.file, game.digest
    return built
