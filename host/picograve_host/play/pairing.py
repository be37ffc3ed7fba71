"""What a page of `picograve match --watch` may ask for: the next game of the two players.

The games are those of the match without --watch: the same seeds, and colours that alternate.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from picograve_host.play.choices import Choice

if TYPE_CHECKING:
    from picograve.protocols import Game


class Pairing:
    """In the place of choices.Choices; `players` are plain data (players/data.py)."""

    def __init__(
        self,
        game: "Game",
        players: Sequence[dict[str, Any]],
        seed: int,
        seconds: float | None,
        resign: float,
    ) -> None:
        self._game = game
        self._players = players
        self._seed = seed
        self._seconds = seconds
        self._resign = resign
        self._played = 0

    def find_all(self) -> None:
        """There is no more."""

    def offer(self) -> dict[str, Any]:
        return dict(match=True)

    def take(self, wish: dict[str, Any]) -> Choice:
        """The next game, whatever is wished."""
        first = self._played % 2  # who plays it
        seeds = [self._seed + 2 * self._played + number for number in (0, 1)]
        self._played += 1
        return Choice(
            self._game,
            self._players[first],
            frozenset(),
            seeds[first],
            self._seconds,
            minutes=None,
            rival=self._players[1 - first],
            rival_seed=seeds[1 - first],
            resign=self._resign,
        )
