"""One game between two players, with a third position, the referee's, that knows the rules."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from picograve import Position
from picograve.value import WIN

if TYPE_CHECKING:
    from picograve_host.players.protocol import Player, Watch
    from picograve_host.players.thought import Thought

RESIGN = "resign"  # what another program may answer instead of a move


def play_game(
    players: "Sequence[Player]",
    referee: Position,
    seconds: float | None = None,
    watch: "Watch | None" = None,
    on_move: "Callable[[int, Thought, float], object] | None" = None,
    resign: float = 0,
) -> int:
    """Play a game, the first of two players first; the first player's points.

    Who moves is read from the referee's position. on_move(turn, thought, wall) hears of every
    move; `turn` is the mover's place among the players. With `resign`, a player gives up whose
    last two searches and the other's last two agree that it wins with at most this probability;
    0: never.
    """
    referee.new_game()
    values: tuple[list[float], list[float]] = [], []  # of each player's searches, for itself
    while not referee.is_over:
        turn = referee.turn
        began = time.perf_counter()
        thought = players[turn].search(seconds, watch)
        wall = time.perf_counter() - began
        values[turn].append(thought.value)
        if thought.move == RESIGN or (resign and is_hopeless(values, turn, resign)):
            return WIN * turn
        referee.play(thought.move)
        for player in players:
            player.play(thought.move)
        if on_move:
            on_move(turn, thought, wall)
    return referee.points  # type: ignore[return-value]  # it is over


def is_hopeless(values: Sequence[Sequence[float]], turn: int, margin: float) -> bool:
    """Whether the last two searches of both, by their values for themselves, agree that the one
    whose turn it is wins with at most this probability."""
    mine, theirs = values[turn][-2:], values[1 - turn][-2:]
    if len(mine) < 2 or len(theirs) < 2:
        return False
    return max(mine) <= margin and min(theirs) >= 1 - margin
