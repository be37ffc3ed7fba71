"""The table of an experiment: one row per point, from the games in the store.

A row depends on the results of its games alone, so that a run that was killed and resumed
ends with the same bytes as one that was not. Seconds, which do not, are in `timing`.
"""

import csv
import io
from math import isinf
from typing import Any

from picograve.value import WIN

from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import outcomes, reported
from picograve_host.players.data import config_of
from picograve_host.rating import Sprt, elo, paired_rate, pairs_of, verdict, win_rate
from picograve_host.screen.tables import in_columns
from picograve_host.words import in_cell

OPTIONAL = (
    "by pairs",
    "verdict",
    "paper %",
)  # columns that are shown only if a row has something there


def rows_of(
    experiment: Experiment, store: Store, games: int, sprt: Sprt | None = None
) -> list[dict[str, Any]]:
    """One dict per point. `games`: count only games 0 to games - 1. With `sprt`, a point that it
    decided counts the games up to there."""
    of_itself = win_rate(results_of_itself(experiment, store))
    return [_row(experiment, point, store, games, of_itself, sprt) for point in experiment.points]


def results_of_itself(experiment: Experiment, store: Store) -> list[int]:
    """Half points of the opponent against itself, in all the games that there are: the more, the
    narrower is what counts as equal."""
    point = experiment.self_point
    return _played(store.first_results(point.key)) if point else []


def _row(experiment, point, store, games, of_itself, sprt):
    decision = sprt and sprt.decided_after(store.first_results(point.key)[:games])
    if decision:
        games = decision[0]
    results = _results(experiment, point, store, games)
    played = _played(results)
    row = dict(
        player=point.label,
        **point.at,
        games=len(played),
        failed=len(results) - len(played),
        wins=played.count(2),
        draws=played.count(1),
        losses=played.count(0),
        **_rates(win_rate(played), of_itself),
        **_paired(experiment, point, store, games),
        paper=point.paper,
        **_footprint(experiment, point, store, games),
    )
    if sprt:
        row["sprt"] = "" if decision is None else "%+g Elo" % decision[1]
    return row


def _results(experiment, point, store, games):
    """Half points of the player; of who moves first, in even games the player, if both are one."""
    if not experiment.plays_itself:
        return store.results(point.key, games)
    return [
        half_points if half_points is None or number % 2 == 0 else WIN - half_points
        for number, half_points in store.numbered_results(point.key, games)
    ]


def _played(results):
    return [half_points for half_points in results if half_points is not None]


def _rates(rate, of_itself):
    """Per cent and Elo with their intervals; Elo beyond all bounds is left out."""
    names = ("rate", "low", "high")
    if rate is None:
        return dict.fromkeys([*names, "elo", "elo_low", "elo_high", "verdict"])
    elos = [elo(value) for value in rate]
    return {
        **{name: round(100 * value, 1) for name, value in zip(names, rate, strict=True)},
        **{
            name: None if isinf(value) else round(value)
            for name, value in zip(("elo", "elo_low", "elo_high"), elos, strict=True)
        },
        "verdict": verdict(rate, of_itself) if of_itself else None,
    }


def _paired(experiment, point, store, games):
    """Pairs by their half points, and the interval that follows from them, in per cent. Who plays
    itself has no pairs: both of its games would be one."""
    if experiment.plays_itself:
        return {}
    pairs = pairs_of(store.numbered_results(point.key, games))
    rate = paired_rate(pairs)
    low, high = (round(100 * end, 1) for end in rate[1:]) if rate else (None, None)
    return dict(pairs=pairs, pairs_low=low, pairs_high=high)


def _footprint(experiment, point, store, games):
    figures = store.figures(point.key, games)
    moves = figures["player_moves"]
    playouts = round(figures["player_playouts"] / moves) if moves else None
    data = point.match["player"]
    if "search" not in data:
        return dict(nodes_total=None, bytes_total=None, playouts_a_move=playouts)
    config, budget = config_of(data)
    ledger = budget.ledger(experiment.game_of(point), config)
    return dict(
        nodes_total=data.get("nodes"), bytes_total=ledger.total_bytes, playouts_a_move=playouts
    )


def timing(experiment: Experiment, store: Store, games: int) -> list[tuple[float | None, ...]]:
    """Seconds a move of each point: [(player's, opponent's)], None without games."""
    seconds = []
    for point in experiment.points:
        figures = store.figures(point.key, games)
        seconds.append(
            tuple(
                round(figures[seat + "_seconds"] / figures[seat + "_moves"], 4)
                if figures[seat + "_moves"]
                else None
                for seat in ("player", "opponent")
            )
        )
    return seconds


def figures(experiment: Experiment, store: Store, games: int) -> list[dict[str, dict[str, float]]]:
    """What the searches of each point have reported, in both seats."""
    return [
        {
            seat: reported.figures_of(store, [(point.key, seat)], games)
            for seat in ("player", "opponent")
        }
        for point in experiment.points
    ]


def as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows({key: in_cell(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def headings(experiment: Experiment) -> list[str]:
    """The columns that people read."""
    nodes = [] if "nodes" in experiment.axes else ["nodes"]
    playouts = "playouts per move" if "playouts" in experiment.axes else "playouts"
    head = ["player", *experiment.axes, *nodes, playouts, "games"]
    if experiment.plot.get("outcomes"):
        return [*head, *outcomes.names(experiment), "points %", "95 %", "paper %"]
    return [*head, "won %", "95 %", "by pairs", "Elo", "verdict", "paper %"]


def cells(experiment: Experiment, row: dict[str, Any]) -> list[str]:
    """A row for people, as texts in the order of `headings`."""
    texts = [row["player"], *(_short(row.get(axis)) for axis in experiment.axes)]
    if "nodes" not in experiment.axes:
        texts.append(_short(row["nodes_total"]))
    texts.append(_short(row["playouts_a_move"]))
    texts.append("%d%s" % (row["games"], " (%d failed)" % row["failed"] if row["failed"] else ""))
    if row["rate"] is None:
        texts += [""] * (len(headings(experiment)) - len(texts) - 1)
        return [*texts, _short(row["paper"])]
    rate = ["%.1f" % row["rate"], "%.1f to %.1f" % (row["low"], row["high"])]
    if experiment.plot.get("outcomes"):
        shares = ["%.1f" % share for share in outcomes.shares(row)]
        return [*texts, *shares, *rate, _short(row["paper"])]
    by_pairs = row.get("pairs_low") is not None
    return [
        *texts,
        *rate,
        "%.1f to %.1f" % (row["pairs_low"], row["pairs_high"]) if by_pairs else "",
        "" if row["elo"] is None else "%+d" % row["elo"],
        row.get("sprt") or row["verdict"] or "",
        _short(row["paper"]),
    ]


def _short(value):
    return "" if value is None else "%g" % value if isinstance(value, float) else str(value)


def as_text(experiment: Experiment, rows: list[dict[str, Any]]) -> str:
    """The table in columns."""
    lines = [cells(experiment, row) for row in rows]
    head, lines = filled(headings(experiment), lines)
    return in_columns([head, *lines])


def filled(head: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The table without verdicts and the paper's figures where there are none."""
    kept = [
        place
        for place, name in enumerate(head)
        if name not in OPTIONAL or any(line[place] for line in lines)
    ]
    return [head[place] for place in kept], [[line[place] for place in kept] for line in lines]


growing = as_text  # while games are played
