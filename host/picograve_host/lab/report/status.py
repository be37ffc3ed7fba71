"""`picograve lab status`: what an experiment still lacks, and what it will take.

Seconds of a game that no game of its point tells are those of the other points, by playouts. How
many games decide a point or a claim is told from its rate and the variance of its pairs, or, before
there are claims.FEW games, from the paper's rate and even players. A point is decided when its 95 %
interval by pairs leaves out what the GRAVE paper counts as equal from (rating.EQUAL_FROM).
"""

from typing import Any, NamedTuple

from picograve_host.lab.plan.experiment import Experiment, Point
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import claims
from picograve_host.lab.report.plots import name_of_point
from picograve_host.players.data import config_of, has_tree
from picograve_host.rating import EQUAL_FROM, paired_rate, pairs_of
from picograve_host.screen.tables import in_columns
from picograve_host.words import number

SEATS = ("player", "opponent")


class Status(NamedTuple):
    """Of a point. Rates in per cent; None where nothing is known."""

    point: str
    games: int  # played, of those that are wanted
    missing: int
    seconds: float | None  # of a game
    hours: float | None  # of the missing games on one core
    rate: float | None
    low: float | None  # of the 95 % interval by pairs
    high: float | None
    decided: bool | None  # None where the question is another
    to_decide: int | None  # games in all, those played included


def status_of(experiment: Experiment, store: Store | None, games: int) -> list[Status]:
    """`store` is None before the first game."""
    seconds = _seconds(experiment, store)
    return [_status(experiment, point, store, games, seconds[point.key])
            for point in experiment.points]  # fmt: skip


def _status(experiment, point, store, games, seconds):
    numbered = store.numbered_results(point.key, games) if store else []
    pairs = pairs_of(numbered)
    rate = paired_rate(pairs)
    missing = games - len(numbered)
    decided = to_decide = None
    if experiment.self_point:
        decided = rate is not None and not rate.low <= EQUAL_FROM <= rate.high
        to_decide = claims.games_needed(
            [claims.Comparison([0], claims.EQUAL, [])], [dict(pairs=pairs)], [point.paper]
        )
    low, mean, high = (
        (round(100 * value, 1) for value in (rate.low, rate.rate, rate.high))
        if rate
        else (None, None, None)
    )
    return Status(
        name_of_point(point),
        len(numbered),
        missing,
        seconds and round(seconds, 1),
        None if seconds is None else round(missing * seconds / 3600, 2),
        mean,
        low,
        high,
        decided,
        to_decide,
    )


class Claim(NamedTuple):
    """Of the experiment's [checks]."""

    claim: str
    verdict: str
    games: int  # behind it
    needed: int | None  # games of each of its points that will decide it


def claims_of(experiment: Experiment, store: Store | None, games: int) -> list[Claim]:
    papers = [point.paper for point in experiment.points]
    rows = [_row(store, point, games) for point in experiment.points]
    found = []
    for claim, check in experiment.point_checks.items():
        finding = claims.find_points(claim, check, rows)
        needed = claims.games_needed(check, rows, papers)
        found.append(Claim(claim, finding.verdict, finding.games, needed))
    return found


def _row(store, point, games):
    """As much of a row of table.rows_of as claims look at."""
    pairs = pairs_of(store.numbered_results(point.key, games)) if store else [0] * 5
    return dict(pairs=pairs, games=2 * sum(pairs))


def _seconds(experiment, store):
    """{key: seconds of a game, as played or as guessed; None}"""
    points = {point.key: point for point in experiment.points}
    played = {key: store.seconds_a_game(key) if store else None for key in points}
    known = {key: seconds for key, seconds in played.items() if seconds is not None}
    if not known:
        return played
    work = {key: _work(experiment, point) for key, point in points.items()}
    unit = sum(known.values()) / sum(work[key] for key in known)
    return {key: known.get(key, unit * work[key]) for key in points}


def _work(experiment: Experiment, point: Point) -> float:
    """Playouts of a move of both players; of one without, about whom nothing is known, as many."""
    playouts = [
        budget.ledger(experiment.game_of(point), config).playouts
        for config, budget in (config_of(data) for data in _trees(point))
    ]
    return sum(playouts) * 2 / len(playouts) if playouts else 1


def _trees(point):
    return [point.match[seat] for seat in SEATS if has_tree(point.match[seat])]


def totals(rows: list[Status]) -> dict[str, Any]:
    hours = [row.hours for row in rows]
    return dict(
        games=sum(row.games for row in rows),
        missing=sum(row.missing for row in rows),
        hours=None if None in hours else round(sum(hours), 2),  # type: ignore[arg-type]
        undecided=sum(row.decided is False for row in rows),
    )


HEAD = ("point", "games", "missing", "won %", "by pairs", "decided", "games to decide",
        "s per game", "hours")  # fmt: skip


def as_text(rows: list[Status], found: list[Claim]) -> str:
    lines = [list(HEAD), *map(_cells, rows)]
    total = totals(rows)
    end = "%d games, %d missing" % (total["games"], total["missing"])
    if total["hours"] is not None:
        end += ": %.1f hours on one core" % total["hours"]
    if any(row.decided is not None for row in rows):
        end += "; %d of %d points may lie on either side of %.1f %%, equal from there on" % (
            total["undecided"], len(rows), 100 * EQUAL_FROM,
        )  # fmt: skip
    parts = [in_columns(lines), end]
    if found:
        head = ["claim", "verdict", "games", "games per point to decide"]
        parts.append(in_columns([head, *map(_claim_cells, found)]))
    return "\n\n".join(parts)


def _claim_cells(claim):
    needed = "" if claim.needed is None else number(claim.needed)
    return [claim.claim, claim.verdict, str(claim.games), needed]


def _cells(row):
    interval = "" if row.low is None else "%.1f to %.1f" % (row.low, row.high)
    words = {True: "yes", False: "no", None: ""}
    values = (row.to_decide, row.seconds, row.hours)
    return [
        row.point,
        str(row.games),
        str(row.missing),
        "" if row.rate is None else "%.1f" % row.rate,
        interval,
        words[row.decided],
        *("" if value is None else number(value) for value in values),
    ]
