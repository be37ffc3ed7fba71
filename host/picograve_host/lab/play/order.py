"""Which point gets the next games: `lab run --order`.

`missing`: {key of a point: numbers of the games that are still to be sent}
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sized
from math import inf
from typing import Protocol

from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.play.store import Store
from picograve_host.rating import paired_rate, pairs_of


class Order(Protocol):
    def choose(self, missing: Mapping[str, Sized]) -> str | None:
        """The key of a point that misses games; None if none does."""


class InTurn:
    """One after the other, so that the table grows evenly."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.turns = deque(keys)

    def choose(self, missing: Mapping[str, Sized]) -> str | None:
        for _ in range(len(self.turns)):
            key = self.turns[0]
            self.turns.rotate(-1)
            if missing[key]:
                return key
        return None


class ByPrecision:
    """Where most is to be learned: points whose 95 % interval holds the threshold come first, of
    them, and then of the others, the one whose interval is the widest."""

    def __init__(self, store: Store, games: int, threshold: float | None) -> None:
        self.store = store
        self.games = games
        self.threshold = threshold

    def choose(self, missing: Mapping[str, Sized]) -> str | None:
        lacking = [key for key in missing if missing[key]]
        return max(lacking, key=lambda key: self._need(key, missing), default=None)

    def _need(self, key, missing):
        """(whether it is undecided, the square of the width that its interval will have when the
        games under way are played)"""
        sent = self.games - len(missing[key])
        if not sent:
            return True, inf
        pairs = pairs_of(self.store.numbered_results(key, MOST_GAMES))
        rate = paired_rate(pairs)
        if rate is None:
            return True, 2 / sent
        decided = self.threshold is not None and not rate.low <= self.threshold <= rate.high
        return not decided, (rate.high - rate.low) ** 2 * 2 * sum(pairs) / sent
