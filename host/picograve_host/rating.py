"""Win rates with their uncertainty, Elo, and tests of who is stronger.

The result of a game is in half points: 2 for a win, 1 for a draw, 0 for a loss. Games 2 n and
2 n + 1 are a pair, with the same seeds and the colours changed. A pair has 0 to 4 half points; how
many pairs have how many says more than the games one by one, because the two of a pair are not
independent: where one colour wins most games, most pairs are even, and the rate is known better
than by as many games of chance (the pentanomial model of fishtest and fastchess).
"""

from collections.abc import Iterable, Sequence
from math import ceil, inf, log, log10, sqrt
from typing import NamedTuple

Z_95 = 1.959964  # standard normal quantile of 0.975
PRIOR_PAIRS = 2

# What `verdict` says of a win rate beside that of the baseline against itself.
EQUAL, WEAKER, STRONGER = "equal", "weaker", "stronger"
PERHAPS_WEAKER, PERHAPS_STRONGER = "weaker?", "stronger?"


class Rate(NamedTuple):
    """0 to 1, with its 95 % interval."""

    rate: float
    low: float
    high: float


def agresti_coull(points: float, games: float) -> tuple[float, float]:
    """(centre, half width) of the 95 % interval for `points` won in `games` (draws: half).

    A. Agresti, B. A. Coull, "Approximate is better than exact", 1998, as in the GRAVE paper.
    """
    n = games + Z_95**2
    centre = (points + Z_95**2 / 2) / n
    return centre, Z_95 * sqrt(centre * (1 - centre) / n)


# What counts as equal in the GRAVE paper: GRAVE against itself, 500 games, 50 % of which it wins.
EQUAL_FROM = 0.5 - agresti_coull(250, 500)[1]


def win_rate(results: Sequence[int]) -> Rate | None:
    """The Rate of some results; None if there are none."""
    if not results:
        return None
    points = sum(results) / 2
    centre, half = agresti_coull(points, len(results))
    return Rate(points / len(results), max(0.0, centre - half), min(1.0, centre + half))


def pairs_of(numbered: Iterable[tuple[int, int | None]]) -> list[int]:
    """How many pairs have 0, 1, 2, 3, 4 half points, of [(number, half points)]. A pair of which a
    game is missing or has failed tells nothing."""
    points: dict[int, list[int]] = {}
    for number, half_points in numbered:
        if half_points is not None:
            points.setdefault(number // 2, []).append(half_points)
    sums = [sum(pair) for pair in points.values() if len(pair) == 2]
    return [sums.count(total) for total in range(5)]


def paired_rate(pairs: Sequence[int]) -> Rate | None:
    """The Rate of pairs (pairs_of); None if there are none.

    Agresti-Coull for as many independent games as the pairs are worth by their variance. So that
    few pairs that are alike by chance do not pass for certainty, PRIOR_PAIRS with the variance of
    independent games are counted with them: intervals of 10 to 250 pairs then hold the truth in 93
    to 97 % of cases, more where nearly all pairs are even.
    """
    count = sum(pairs)
    if not count:
        return None
    mean = sum(total * n for total, n in enumerate(pairs)) / (4 * count)
    games = mean * (1 - mean) / pair_variance(pairs) * count if 0 < mean < 1 else 2 * count
    centre, half = agresti_coull(mean * games, games)
    return Rate(mean, max(0.0, centre - half), min(1.0, centre + half))


def pair_variance(pairs: Sequence[float]) -> float:
    """Of the share of its points that a pair brings, PRIOR_PAIRS included; without pairs, that of
    even players."""
    count = sum(pairs)
    mean = sum(total * n for total, n in enumerate(pairs)) / (4 * count) if count else 0.5
    squares = sum(n * (total / 4 - mean) ** 2 for total, n in enumerate(pairs))
    return (squares + PRIOR_PAIRS * mean * (1 - mean) / 2) / (count + PRIOR_PAIRS)


def games_to_decide(rate: float, threshold: float, variance: float) -> int | None:
    """How many games it takes until the 95 % interval of a rate leaves the threshold out, if the
    rate is what it is said to be and `variance` that of its pairs; None where it never does."""
    if rate == threshold:
        return None
    return 2 * ceil(variance * (Z_95 / (rate - threshold)) ** 2)


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


def paired_difference(pairs: Sequence[int], others: Sequence[int]) -> Rate | None:
    """As `difference`, of pairs (pairs_of)."""
    if not sum(pairs) or not sum(others):
        return None
    rate = variance = 0.0
    for sign, played in ((1, pairs), (-1, others)):
        count = sum(played)
        rate += sign * sum(total * n for total, n in enumerate(played)) / (4 * count)
        # A pair more, half won and half lost, so that it is never 0.
        variance += pair_variance([played[0] + 0.5, *played[1:4], played[4] + 0.5]) / (count + 1)
    half = Z_95 * sqrt(variance)
    return Rate(rate, max(-1.0, rate - half), min(1.0, rate + half))


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

    The generalised test for the five outcomes of a pair (M. Van den Bergh, "A practical
    introduction to the GSPRT"), but for the variance: that of the results about the middle of the
    two hypotheses and not about their own mean. The two agree where it matters, near a decision
    after many games; after the first few, their own variance is too small by chance, and deciding
    on it errs in up to 9 % of matches instead of 5 %.
    """

    def __init__(self, elo0: float, elo1: float, error: float = 0.05) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.bound = log((1 - error) / error)

    def log_likelihood_ratio(self, counts: Sequence[float]) -> float:
        """`counts`: of the results from the worst to the best, evenly spaced: of games (losses,
        draws, wins) or of pairs (pairs_of)."""
        # As much as a game more, half won and half lost: the variance of draws alone could be 0.
        best = len(counts) - 1
        extra = 1 / best
        counts = [counts[0] + extra, *counts[1:-1], counts[-1] + extra]
        played = sum(counts)
        mean = sum(n * place for place, n in enumerate(counts)) / best / played
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (self.elo0, self.elo1))
        middle = (low + high) / 2
        squares = sum(n * (place / best - middle) ** 2 for place, n in enumerate(counts))
        return played**2 * (high - low) * (mean - middle) / squares

    def decided_after(self, results: Sequence[int | None]) -> tuple[int, float] | None:
        """(games, the Elo difference accepted) at the first pair that decides, or None. A pair with
        a failed game counts for nothing."""
        counts = [0] * 5
        for games in range(2, len(results) + 1, 2):
            one, other = results[games - 2 : games]
            if one is not None and other is not None:
                counts[one + other] += 1
            ratio = self.log_likelihood_ratio(counts)
            if abs(ratio) >= self.bound:
                return games, self.elo1 if ratio > 0 else self.elo0
        return None
