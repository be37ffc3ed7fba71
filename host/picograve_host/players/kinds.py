"""The kinds of players: a line each here, and a module that knows all the rest.

    {"gtp": "gnugo --mode gtp"}   a player as plain data (data.py), and so in experiment files
    gtp:gnugo --mode gtp          the same on the command line

Options, the factory, the lab and its reports follow from the table. A module is imported when its
kind is asked for: the command line needs the table before the core, whose runtime it chooses.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import Player


class Kind(NamedTuple):
    module: str  # it has what KindModule lists
    takes: str  # what its value is, for --help
    example: Any  # a value, of the type that all have
    limits: tuple[int, int] | None = None  # of a number


KINDS = {
    "search": Kind("picograve_host.players.search", "NAME", "graver2"),
    "gtp": Kind("picograve_host.players.engine", "COMMAND", "gnugo --mode gtp"),
    "uci": Kind("picograve_host.players.uci", "COMMAND", "stockfish; Skill Level=0; go nodes 50"),
    "openspiel": Kind("picograve_host.players.openspiel", "SIMULATIONS", 1000, (2, 10**9)),
}
# Other programs: no setting of ours concerns them, and they run on no board.
PROGRAMS = {key: kind for key, kind in KINDS.items() if key != "search"}


class KindModule(Protocol):
    """What the module of a kind has."""

    def open_player(
        self,
        data: dict[str, Any],
        game: Game,
        seed: int,
        hashes: bool,
        say: Callable[[str], object],
    ) -> Player:
        """See factory.open_player."""

    def name_of(self, data: dict[str, Any]) -> str:
        """Who it is, for tables and plots: GRAVE², gnugo."""

    def describe(self, data: dict[str, Any], game: Game | None) -> str:
        """The same with its size; `game` is None where it plays several."""

    def check(self, data: dict[str, Any], game: Game) -> None:
        """Refuse what cannot play here, before anything is played."""


def kind_of(data: dict[str, Any]) -> str:
    return next(key for key in KINDS if key in data)


def module_of(data: dict[str, Any]) -> KindModule:
    """The module that knows this player's kind."""
    module: Any = importlib.import_module(KINDS[kind_of(data)].module)
    return module


def name_of(data: dict[str, Any]) -> str:
    return module_of(data).name_of(data)
