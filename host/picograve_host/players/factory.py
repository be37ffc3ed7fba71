"""Opens any player from plain data (data.py): for match, GTP, think and the lab.

The kinds there are, and what each is, is in kinds.py.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve_host.players.kinds import module_of

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import Player, SearchPlayer


def say_on_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def open_player(
    data: dict[str, Any],
    game: "Game",
    seed: int = 1,
    hashes: bool = True,
    say: Callable[[str], object] = say_on_stderr,
) -> "Player":
    """A player of a game; close() it when done. `hashes`: whether a desktop search reports its
    tree's hash, which takes a while; a board does in any case."""
    return module_of(data).open_player(data, game, seed, hashes, say)


def open_search_player(
    data: dict[str, Any],
    game: "Game",
    seed: int = 1,
    hashes: bool = True,
    say: Callable[[str], object] = say_on_stderr,
) -> "SearchPlayer":
    """As open_player, of data that are a search's."""
    from picograve_host.players import search

    return search.open_player(data, game, seed, hashes, say)
