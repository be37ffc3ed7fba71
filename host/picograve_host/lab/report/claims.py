"""What a paper claims, beside the games: confirmed, refuted or undecided.

A check (plan/checks.py) is made of comparisons. One holds, or is contradicted, if a 95 % interval
says so, else it is open. A claim is confirmed if all of its comparisons hold, refuted if one is
contradicted.

In a round robin it is the interval of the difference, which lies on one side of zero; of two that
are said to be level, within or without LEVEL. Against one opponent, by pairs where they are known:
    is equal       the rate is above EQUAL_FROM (rating.py), where the paper's "equal" begins; the
                   claim is that fewer nodes are no loss, so stronger is as well
    is weaker      it is below
    beats          the difference is above zero
    is no better   it is below MARGIN; contradicted if it is above zero
    is as good     ... and above -MARGIN; contradicted if it is not zero
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from picograve.value import DRAW, LOSS, WIN

from picograve_host.lab.plan.checks import (
    AS_GOOD,
    BEATS,
    BEATS_MORE,
    EQUAL,
    LEVEL,
    LEVEL_WITH,
    NO_BETTER,
    WEAKER,
    Check,
    Comparison,
)
from picograve_host.rating import (
    EQUAL_FROM,
    difference,
    games_to_decide,
    pair_variance,
    paired_difference,
    paired_rate,
    win_rate,
)

MARGIN = 0.5 - EQUAL_FROM
FEW = 20  # games of a point
CONFIRMED, REFUTED, UNDECIDED = "confirmed", "refuted", "undecided"
HEADINGS = ["claim", "verdict", "comparisons that hold", "open", "contradicted", "games"]


class Finding(NamedTuple):
    claim: str
    verdict: str
    holds: int  # comparisons
    open: int
    contradicted: int
    games: int  # those that were looked at


def find(claim: str, check: Check, rows: list[dict[str, Any]]) -> Finding:
    """What the rows of tournament.rows_of say of a claim."""
    by_name = {row["player"]: row for row in rows}
    signs = [_compare(check, by_name, better, worse) for better, worse in check.pairs]
    matches = {frozenset(pair) for pair in check.pairs}
    names = {name for pair in check.pairs for name in pair}
    if check.by == BEATS_MORE:
        matches = {frozenset((check.who, name)) for name in names}
    elif check.by != BEATS:
        matches = {frozenset((name, other)) for name in names for other in by_name[name]["against"]}
    games = sum(by_name[one]["against"][other]["games"] for one, other in map(tuple, matches))
    if check.game:  # all its players' games there, each of which has two
        games = sum(row["by_game"][check.game]["games"] for row in rows) // 2
    return _finding(claim, signs, games)


def find_points(claim: str, check: list[Comparison], rows: list[dict[str, Any]]) -> Finding:
    """What the rows of table.rows_of say of a claim; those that the SPRT decided say nothing."""
    signs = [_judge(comparison, rows) for comparison in check]
    places = {place for left, _, right in check for place in (*left, *right)}
    return _finding(claim, signs, sum(rows[place]["games"] for place in places))


def _finding(claim, signs, games):
    holds, contradicted = signs.count(1), signs.count(-1)
    verdict = CONFIRMED if holds == len(signs) else REFUTED if contradicted else UNDECIDED
    return Finding(claim, verdict, holds, signs.count(0), contradicted, games)


def _judge(comparison, rows):
    """1: it holds, -1: it is contradicted, 0: it is open."""
    left, right = ([rows[place] for place in side] for side in (comparison.left, comparison.right))
    if any(row.get("sprt") for row in left + right):
        return 0
    by_pairs = all(row.get("pairs") for row in left + right)
    if right:
        found = (
            paired_difference(_pairs(left), _pairs(right))
            if by_pairs
            else difference(_pooled(left), _pooled(right))
        )
    else:
        found = paired_rate(_pairs(left)) if by_pairs else win_rate(_pooled(left))
    if found is None:
        return 0
    _, low, high = found
    holds, contradicted = {
        EQUAL: (low > EQUAL_FROM, high < EQUAL_FROM),
        WEAKER: (high < EQUAL_FROM, low > EQUAL_FROM),
        BEATS: (low > 0, high < 0),
        NO_BETTER: (high < MARGIN, low > 0),
        AS_GOOD: (low > -MARGIN and high < MARGIN, low > 0 or high < 0),
    }[comparison.verb]
    return -1 if contradicted else int(holds)


def games_needed(
    check: list[Comparison], rows: list[dict[str, Any]], papers: Sequence[float | None]
) -> int | None:
    """How many games of each of its points will decide a check, if rates are as they look: from
    FEW games on as played, before as in the paper (per cent, a point each). None if nobody knows,
    or if it lies on the border."""
    needs = [_needed(comparison, rows, papers) for comparison in check]
    known = [games for games in needs if games is not None]
    return max(known) if len(known) == len(needs) else None


def _needed(comparison, rows, papers):
    sides = [_looks(side, rows, papers) for side in (comparison.left, comparison.right) if side]
    if None in sides:
        return None
    rate = sides[0][0]
    distance = abs(rate - EQUAL_FROM)
    if comparison.right:
        apart = rate - sides[1][0]
        distance = abs(apart)
        if comparison.verb == NO_BETTER:
            distance = max(MARGIN - apart, apart)
        elif comparison.verb == AS_GOOD:
            distance = max(MARGIN - distance, distance)
    # A point's g games are g / 2 pairs; the points of a side are taken together.
    variance = sum(variance / points for _, variance, points in sides)
    return games_to_decide(distance, 0, variance)


def _looks(side, rows, papers):
    """(rate, variance of a pair, points) of one side, as far as it is known."""
    played = [rows[place] for place in side]
    pairs = _pairs(played) if all(row.get("pairs") for row in played) else [0] * 5
    rate = paired_rate(pairs)
    if rate and 2 * sum(pairs) >= FEW * len(side):
        return rate.rate, pair_variance(pairs), len(side)
    if any(papers[place] is None for place in side):
        return None
    return sum(papers[place] for place in side) / len(side) / 100, pair_variance([0] * 5), len(side)


def _pairs(rows):
    return [sum(row["pairs"][total] for row in rows) for total in range(5)]


def _pooled(rows):
    return [half_points for row in rows for half_points in _results(row)]


def _compare(check, by_name, one, other):
    """1: it holds, -1: it is contradicted, 0: it is open."""
    if check.by == BEATS:
        found = win_rate(_results(by_name[one]["against"][other]))
        return 0 if found is None else (found.low > 0.5) - (found.high < 0.5)
    if check.by == BEATS_MORE:
        against = by_name[check.who]["against"]
        found = difference(_results(against[one]), _results(against[other]))
    else:
        rows = by_name[one], by_name[other]
        counts = [row["by_game"][check.game] if check.game else row for row in rows]
        found = difference(*map(_won, counts))
    if found is None:
        return 0
    if check.by == LEVEL_WITH:
        apart = found.low > LEVEL or found.high < -LEVEL
        return (found.low > -LEVEL and found.high < LEVEL) - apart
    return (found.low > 0) - (found.high < 0)


def _won(counts):
    """The results of a row with draws as losses: the paper counts wins."""
    return [WIN] * counts["wins"] + [LOSS] * (counts["games"] - counts["wins"])


def _results(counts):
    return [WIN] * counts["wins"] + [DRAW] * counts["draws"] + [LOSS] * counts["losses"]
