"""Win rates with their uncertainty, Elo, and tests of who is stronger.

The result of a game is in half points: 2 for a win, 1 for a draw, 0 for a loss.
"""

from collections.abc import Iterable, Sequence
from math import inf, log, log10, sqrt
from typing import NamedTuple

Z_95 = 1.959964  # standard normal quantile of 0.975

# What `verdict` says of a win rate beside that of the baseline against itself.
EQUAL, WEAKER, STRONGER = "equal", "weaker", "stronger"
PERHAPS_WEAKER, PERHAPS_STRONGER = "weaker?", "stronger?"


class Rate(NamedTuple):
    """0 to 1, with its 95 % interval."""

    rate: float
    low: float
    high: float


def agresti_coull(points: float, games: int) -> tuple[float, float]:
    """(centre, half width) of the 95 % interval for `points` won in `games` (draws: half).

    A. Agresti, B. A. Coull, "Approximate is better than exact", 1998, as in the GRAVE paper.
    """
    n = games + Z_95**2
    centre = (points + Z_95**2 / 2) / n
    return centre, Z_95 * sqrt(centre * (1 - centre) / n)


def win_rate(results: Sequence[int]) -> Rate | None:
    """The Rate of some results; None if there are none."""
    if not results:
        return None
    points = sum(results) / 2
    centre, half = agresti_coull(points, len(results))
    return Rate(points / len(results), max(0.0, centre - half), min(1.0, centre + half))


def difference(results: Sequence[int], others: Sequence[int]) -> Rate | None:
    """By how much one win rate is higher than another, with its 95 % interval; None if either has
    no results. Draws make it a little wider than it need be.

    A. Agresti, B. Caffo, "Simple and effective confidence intervals for proportions and
    differences of proportions result from adding two successes and two failures", 2000.
    """
    if not results or not others:
        return None
    centre = variance = 0.0
    for sign, played in ((1, results), (-1, others)):
        n = len(played) + 2
        p = (sum(played) / 2 + 1) / n
        centre += sign * p
        variance += p * (1 - p) / n
    half = Z_95 * sqrt(variance)
    rate = sum(results) / len(results) / 2 - sum(others) / len(others) / 2
    return Rate(rate, max(-1.0, centre - half), min(1.0, centre + half))


def elo(rate: float) -> float:
    """How many Elo points stronger a player is that wins `rate` of its games."""
    if rate <= 0:
        return -inf
    if rate >= 1:
        return inf
    return -400 * log10(1 / rate - 1)


def verdict(rate: Rate, of_itself: Rate) -> str:
    """A Rate beside that of the baseline against itself: equal inside the latter's interval,
    as the paper has it; outside, a question mark unless the two intervals are apart."""
    if of_itself.low <= rate.rate <= of_itself.high:
        return EQUAL
    if rate.rate < of_itself.low:
        return WEAKER if rate.high < of_itself.low else PERHAPS_WEAKER
    return STRONGER if rate.low > of_itself.high else PERHAPS_STRONGER


class Sprt:
    """A sequential probability ratio test: is the player `elo1` stronger, or only `elo0`?

    It ends the games as soon as one answer is as likely as `error` allows. It decides and
    does not measure: the win rate of a match that it ended is biased.

    The generalised test for three outcomes (M. Van den Bergh, "A practical introduction to the
    GSPRT"), but for the variance: that of the results about the middle of the two hypotheses
    and not about their own mean. The two agree where it matters, near a decision after many
    games; after the first few, their own variance is too small by chance, and deciding on it
    errs in up to 9 % of matches instead of 5 %.
    """

    def __init__(self, elo0: float, elo1: float, error: float = 0.05) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.bound = log((1 - error) / error)

    def log_likelihood_ratio(self, wins: float, draws: float, losses: float) -> float:
        # Half a win and half a loss more: the variance of draws alone could be 0.
        wins, losses = wins + 0.5, losses + 0.5
        games = wins + draws + losses
        mean = (wins + draws / 2) / games
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (self.elo0, self.elo1))
        middle = (low + high) / 2
        squares = wins * (1 - middle) ** 2 + draws * (0.5 - middle) ** 2 + losses * middle**2
        return games**2 * (high - low) * (mean - middle) / squares

    def decided_after(self, results: Iterable[int | None]) -> tuple[int, float] | None:
        """(games, the Elo difference accepted) at the first game that decides, or None."""
        counts = [0, 0, 0]  # losses, draws, wins
        for games, half_points in enumerate(results, 1):
            if half_points is not None:  # a failed game counts for nothing
                counts[half_points] += 1
            ratio = self.log_likelihood_ratio(counts[2], counts[1], counts[0])
            if abs(ratio) >= self.bound:
                return games, self.elo1 if ratio > 0 else self.elo0
        return None
