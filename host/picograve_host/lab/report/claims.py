"""What a paper claims of a round robin, beside the games: confirmed, refuted or undecided.

A check (plan/checks.py) is made of comparisons. One holds, or is contradicted, if the 95 % interval
of the difference lies on one side of zero; else it is open. A claim is confirmed if all of its
comparisons hold, refuted if one is contradicted.
"""

from typing import Any, NamedTuple

from picograve.value import DRAW, LOSS, WIN

from picograve_host.lab.plan.checks import AHEAD, Check
from picograve_host.rating import difference, win_rate

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
    signs = [_compare(check, by_name[better], by_name[worse]) for better, worse in check.pairs]
    matches = {frozenset(pair) for pair in check.pairs}
    if check.by == AHEAD:
        names = {name for pair in check.pairs for name in pair}
        matches = {frozenset((name, other)) for name in names for other in by_name[name]["against"]}
    games = sum(by_name[one]["against"][other]["games"] for one, other in map(tuple, matches))
    if check.game:  # all its players' games there, each of which has two
        games = sum(row["by_game"][check.game]["games"] for row in rows) // 2
    holds, contradicted = signs.count(1), signs.count(-1)
    verdict = CONFIRMED if holds == len(signs) else REFUTED if contradicted else UNDECIDED
    return Finding(claim, verdict, holds, signs.count(0), contradicted, games)


def _compare(check, better, worse):
    """1: it holds, -1: it is contradicted, 0: it is open."""
    if check.by == AHEAD:
        counts = [row["by_game"][check.game] if check.game else row for row in (better, worse)]
        found = difference(*map(_won, counts))
        middle = 0.0
    else:
        found = win_rate(_results(better["against"][worse["player"]]))
        middle = 0.5
    if found is None:
        return 0
    return (found.low > middle) - (found.high < middle)


def _won(counts):
    """The results of a row with draws as losses: the paper counts wins."""
    return [WIN] * counts["wins"] + [LOSS] * (counts["games"] - counts["wins"])


def _results(counts):
    return [WIN] * counts["wins"] + [DRAW] * counts["draws"] + [LOSS] * counts["losses"]
