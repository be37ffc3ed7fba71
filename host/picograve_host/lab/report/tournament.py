"""Round robins: one row per player over all its games, and how every two of them fared.

A point is a pair, its `label` in the seat of the player and its `against` in the opponent's.
As in table.py, rows depend on the results of the games alone; seconds are in `timing`.
"""

from collections.abc import Iterator
from typing import Any

from picograve.value import WIN

from picograve_host.lab.plan.experiment import Experiment, Point
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import reported, table
from picograve_host.rating import Sprt, win_rate
from picograve_host.screen.tables import in_columns

HEADINGS = ("player", "games", "won %", "95 %", "drawn %", "lost %")
RANKED = ("depth",)  # figures with a column of their own; reported.py has all of them
IN_PAPER = ("paper won %", "drawn %", "lost %")


def rows_of(
    experiment: Experiment, store: Store, games: int, sprt: Sprt | None = None
) -> list[dict[str, Any]]:
    """One dict per player, the one with most wins first. `against` has a dict for each other
    player, `by_game` for each swept game; where no game was played, per cent are None."""
    rows = [_row(experiment, label, store, games) for label in experiment.players]
    return sorted(rows, key=lambda row: -1 if row["won"] is None else row["won"], reverse=True)


def seats_of(experiment: Experiment, label: str) -> Iterator[tuple[Point, str, str]]:
    """(point, seat, name of the other) of each of a player's pairs."""
    for point in experiment.points:
        if point.label == label:
            yield point, "player", point.against
        elif point.against == label:
            yield point, "opponent", point.label


def _row(experiment, label, store, games):
    against: dict[str, list[int]] = {}
    by_game: dict[str, list[int]] = {}
    failed = 0
    for point, seat, other in seats_of(experiment, label):
        results = store.results(point.key, games)
        played = [points for points in results if points is not None]
        failed += len(results) - len(played)
        own = played if seat == "player" else [WIN - points for points in played]
        against.setdefault(other, []).extend(own)
        for game in point.at.values():
            by_game.setdefault(game, []).extend(own)
    played = [points for results in against.values() for points in results]
    paper, paper_draw = experiment.paper[label]
    figures = _figures(experiment, label, store, games)
    return dict(
        player=label,
        **_counts(played),
        failed=failed,
        **_shares(played),
        **{name: figures.get(name) for name in RANKED},
        paper=paper,
        paper_draw=paper_draw,
        against={
            other: dict(**_counts(results), points=_per_cent(sum(results) / 2, results))
            for other, results in against.items()
        },
        by_game={game: {**_counts(own), **_shares(own)} for game, own in by_game.items()},
    )


def _counts(played):
    return dict(
        games=len(played), wins=played.count(2), draws=played.count(1), losses=played.count(0)
    )


def _shares(played):
    """Per cent of wins with their 95 % interval, of draws and of losses."""
    wins = win_rate([WIN * (points == WIN) for points in played])
    return dict(
        won=_per_cent(played.count(2), played),
        low=wins and round(100 * wins.low, 1),
        high=wins and round(100 * wins.high, 1),
        drawn=_per_cent(played.count(1), played),
        lost=_per_cent(played.count(0), played),
    )


def _per_cent(count, played):
    return round(100 * count / len(played), 1) if played else None


def timing(experiment: Experiment, store: Store, games: int) -> list[tuple[float | None, ...]]:
    """(seconds per move, seconds per game) that each row's player thought; None without games."""
    rows = rows_of(experiment, store, games)
    return [_seconds(experiment, row["player"], store, games) for row in rows]


def _seconds(experiment, label, store, games):
    seconds = moves = played = 0
    for point, seat, _ in seats_of(experiment, label):
        figures = store.figures(point.key, games)
        seconds += figures[seat + "_seconds"]
        moves += figures[seat + "_moves"]
        played += figures["games"]
    return (round(seconds / moves, 4), round(seconds / played, 3)) if moves else (None, None)


def figures(experiment: Experiment, store: Store, games: int) -> list[dict[str, float]]:
    """What the searches of each row's player have reported."""
    rows = rows_of(experiment, store, games)
    return [_figures(experiment, row["player"], store, games) for row in rows]


def _figures(experiment, label, store, games):
    seats = [(point.key, seat) for point, seat, _ in seats_of(experiment, label)]
    return reported.figures_of(store, seats, games)


# For people.


def ranking(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Headings and lines; columns that nobody fills are left out."""
    head, lines = list(HEADINGS), [_cells(row) for row in rows]
    for name in RANKED:
        if any(row[name] is not None for row in rows):
            head.append(name)
            lines = [[*line, _one(row[name])] for line, row in zip(lines, rows, strict=True)]
    if any(row["paper"] is not None for row in rows):
        head += IN_PAPER
        lines = [[*line, *_in_paper(row)] for line, row in zip(lines, rows, strict=True)]
    return head, lines


def _cells(row):
    failed = " (%d failed)" % row["failed"] if row["failed"] else ""
    interval = "" if row["won"] is None else "%.1f to %.1f" % (row["low"], row["high"])
    return [
        row["player"],
        "%d%s" % (row["games"], failed),
        _one(row["won"]),
        interval,
        _one(row["drawn"]),
        _one(row["lost"]),
    ]


def _in_paper(row):
    if row["paper"] is None:
        return [""] * len(IN_PAPER)
    drawn = row["paper_draw"] or 0
    return ["%.1f" % share for share in (row["paper"], drawn, 100 - row["paper"] - drawn)]


def _one(value):
    return "" if value is None else "%.1f" % value


def cross_table(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Headings and lines: points in per cent of the row's player against the column's, whose
    name is its place in the ranking."""
    names = [row["player"] for row in rows]
    head = ["points % against", *map(str, range(1, len(rows) + 1))]
    lines = [
        ["%d %s" % (place, row["player"])]
        + ["" if name == row["player"] else _one(row["against"][name]["points"]) for name in names]
        for place, row in enumerate(rows, 1)
    ]
    return head, lines


def game_table(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Headings and lines: per cent of wins in each game that was swept; none if none was."""
    games = list(rows[0]["by_game"])
    head = ["won %", *games]
    return head, [[row["player"], *(_won(row["by_game"][game]) for game in games)] for row in rows]


def _won(shares):
    if shares["won"] is None:
        return ""
    return "%.1f (%.1f to %.1f)" % (shares["won"], shares["low"], shares["high"])


def growing(experiment: Experiment, rows: list[dict[str, Any]]) -> str:
    """The ranking alone, while games are played: a terminal has room for that."""
    head, lines = ranking(rows)
    return in_columns([head, *lines])


def as_text(experiment: Experiment, rows: list[dict[str, Any]]) -> str:
    """The ranking and below it who won against whom."""
    head, lines = cross_table(rows)
    return "%s\n\n%s" % (growing(experiment, rows), in_columns([head, *lines]))


def as_csv(rows: list[dict[str, Any]]) -> str:
    """The ranking, with the points against each other player in columns of their names."""
    names = [row["player"] for row in rows]
    return table.as_csv(
        [
            {
                **{key: value for key, value in row.items() if key not in ("against", "by_game")},
                **{"won in " + game: shares["won"] for game, shares in row["by_game"].items()},
                **{"against " + name: row["against"].get(name, {}).get("points") for name in names},
            }
            for row in rows
        ]
    )
