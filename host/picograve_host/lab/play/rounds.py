"""The rounds of `lab tune`: successive halving, from the games in the store.

Every configuration plays as many games; the better half goes on to the next round, which doubles
the games (K. Jamieson, A. Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
Optimization", 2016). The games of a round count in the next. Who stays follows from the results
alone, so a run that was killed takes the same way again.

The best of many has been lucky, too: its win rate in the rounds says less than its interval does.
What it is worth is measured by the confirmation, games that no choice has seen.
"""

from collections.abc import Iterator
from typing import NamedTuple

from picograve_host.lab.plan.experiment import Point
from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.plan.tuning import Tuning
from picograve_host.lab.play.store import Store
from picograve_host.rating import win_rate


class Round(NamedTuple):
    number: int  # from 1
    field: list[Point]
    games: int  # of each, those of the rounds before included


def rounds(tuning: Tuning, store: Store) -> Iterator[Round]:
    """One after the other: the games of a round must be in the store before the next is asked
    for. After the last one, one configuration is left."""
    field, games, number = tuning.field, tuning.games, 1
    while len(field) > 1:
        yield Round(number, field, games)
        field = ranked(tuning, store, field, games)[: -(-len(field) // tuning.narrow)]
        games = min(games * tuning.narrow, MOST_GAMES)
        number += 1


def ranked(tuning: Tuning, store: Store, field: list[Point], games: int) -> list[Point]:
    """The best first. Of equals, the one with fewer bytes is, then the one that was ahead before
    (in the first round: in the file)."""

    def place(point):
        results = store.results(point.key, games)
        rate = win_rate([points for points in results if points is not None])
        return (1 if rate is None else -rate.rate, tuning.bytes_of(point))

    return sorted(field, key=place)


def winner_of(tuning: Tuning, store: Store) -> Point:
    """When all rounds are played."""
    *_, last = rounds(tuning, store)
    return ranked(tuning, store, last.field, last.games)[0]
