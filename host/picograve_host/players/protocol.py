"""What a player is, for readers and for type checkers.

Player        whoever can be asked for a move
SearchPlayer  a search of ours, on this desktop or on a board
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from picograve import Config, Ledger
    from picograve.position import RootMove
    from picograve.protocols import Game

    from picograve_host.players.pool import Pool
    from picograve_host.players.thought import Thought

Watch = Callable[["SearchPlayer", int], bool | None]


class Player(Protocol):
    """Another program (engine.EnginePlayer, openspiel.OpenSpielPlayer), or a SearchPlayer."""

    @property
    def game(self) -> Game:
        """What it plays."""

    @property
    def config(self) -> Config | None:
        """How it plays, if it is a search of ours."""

    @property
    def ledger(self) -> Ledger | None:
        """Every byte of it, if it is a search of ours."""

    @property
    def where(self) -> str:
        """What thinks, in words: "numba", "sim (MicroPython 1.25.0 ...)"."""

    @property
    def mhz(self) -> int | None:
        """At which clock it thinks, if it is a chip that says so."""

    @property
    def moves(self) -> Sequence[str]:
        """The moves of the game so far, as texts."""

    def new_game(self, seed: int) -> None:
        """The first position; nothing remembered."""

    def play(self, move: str) -> None:
        """Make a move, its own or the other's."""

    def search(self, seconds: float | None = None, watch: Watch | None = None) -> Thought:
        """Think about the position. It ends after the ledger's playouts, or after `seconds`, or
        when watch(player, playouts), called every few playouts, returns True; another program
        knows neither."""

    def close(self) -> None:
        """End what was started for it."""


class SearchPlayer(Player, Protocol):
    """A search on this desktop (desktop.DesktopPlayer) or on a board (board.BoardPlayer)."""

    seed: int
    """Of its random numbers."""

    @property
    def config(self) -> Config:
        """How it plays."""

    @property
    def ledger(self) -> Ledger:
        """Every byte of it."""

    def set_game(self, game: Game) -> None:
        """Another game, or the same with another komi; from its start."""

    def set_position(self, moves: Sequence[str]) -> None:
        """The position after these moves; cheap where it goes on."""

    def root_moves(self, most: int | None = None) -> list[RootMove]:
        """The moves considered, best first, or so many of them; also while it thinks."""

    def variations(self, most: int | None = None) -> dict[str, list[str]]:
        """The moves that it expects from each of those on; empty where it cannot tell."""

    def go_on(self, watch: Watch) -> None:
        """Think on about the same position, the last search being complete, until watch(player,
        playouts) returns True. Who cannot returns at once."""

    def open_pool(self) -> bool:
        """Let the pool of nodes be seen from now on; False where there is none."""

    def pool(self) -> Pool | None:
        """The pool as it is now; None if a board has no time to show it yet."""
