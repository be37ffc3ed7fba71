"""The report of `lab tune`: all that was tried, the winner, and what the confirmation says of it.

As in table.py, rows depend on the results of the games alone.
"""

import json
import shlex
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from picograve_host.bench.desktop import machine
from picograve_host.games import NAMED
from picograve_host.lab.plan.experiment import Point
from picograve_host.lab.plan.tuning import Tuning
from picograve_host.lab.play.rounds import Round, ranked, rounds
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import plots, report, table
from picograve_host.lab.report.page import (
    Block,
    Code,
    Heading,
    Items,
    Table,
    Text,
    as_html,
    as_markdown,
)
from picograve_host.rating import Rate, difference
from picograve_host.screen.tables import in_columns
from picograve_host.settings import SETTINGS, SIZES
from picograve_host.words import in_lines, number

SPOKEN = {row.name: row.spoken.replace("_", "-") for row in (*SIZES, *SETTINGS)}
COUNTS = ("games", "failed", "wins", "draws", "losses", "rate", "low", "high")
BETTER, WORSE, UNCLEAR = "better", "worse", "no difference shown"


class Tuned(NamedTuple):
    tuning: Tuning
    rounds: list[Round]
    rows: list[dict[str, Any]]  # of all configurations, the winner first
    winner: Point
    confirmation: list[dict[str, Any]]  # rows of the winner and, if it is another, of the start
    gain: Rate | None  # of the winner over the start, in the confirmation
    versions: list[str]
    command: str  # plays it again
    machine: dict[str, Any]


def gather(tuning: Tuning, store: Store, options: Namespace) -> Tuned:
    """All that the report needs, when everything is played."""
    played = list(rounds(tuning, store))
    order = list(tuning.field)
    by_key: dict[str, list[dict[str, Any]]] = {point.key: [] for point in order}
    for one in played:
        order[: len(one.field)] = ranked(tuning, store, one.field, one.games)
        for point, row in zip(one.field, rows_of(tuning, store, one), strict=True):
            by_key[point.key].append(row)
    final = confirmation(tuning, order[0])
    results = [
        [points for points in store.results(point.key, final.games) if points is not None]
        for point in final.field
    ]
    return Tuned(
        tuning,
        played,
        [_row(tuning, point, *by_key[point.key]) for point in order],
        order[0],
        [
            _measured(tuning, point, row)
            for point, row in zip(final.field, rows_of(tuning, store, final), strict=True)
        ],
        difference(*results) if len(results) == 2 else None,
        sorted(set().union(*(store.versions(point.key) for point in order + final.field))),
        _command(options),
        machine(),
    )


def confirmation(tuning: Tuning, winner: Point) -> Round:
    """The last games: the winner's beside those of the start, on fresh seeds."""
    sides = {point.key: point for point in (winner, tuning.start)}
    return Round(0, [tuning.fresh(point) for point in sides.values()], tuning.confirm)


def rows_of(tuning: Tuning, store: Store, one: Round) -> list[dict[str, Any]]:
    """The rows of table.py for a round."""
    return table.rows_of(tuning.experiment.part("", one.field), store, one.games)


def _row(tuning, point, *by_round):
    """A configuration after its last round, and after each."""
    return dict(
        **_measured(tuning, point, by_round[-1]),
        rounds=len(by_round),
        by_round=[{name: row[name] for name in COUNTS} for row in by_round],
    )


def _measured(tuning, point, row):
    players = [tried.match["player"] for tried in tuning.field]
    return dict(
        configuration=players.index(point.match["player"]),  # 0 is the start
        settings=point.at,
        nodes=row["nodes_total"],
        bytes=row["bytes_total"],
        **{name: row[name] for name in COUNTS},
    )


def verdict(gain: Rate) -> str:
    return BETTER if gain.low > 0 else WORSE if gain.high < 0 else UNCLEAR


def as_data(tuned: Tuned) -> dict[str, Any]:
    tuning, experiment = tuned.tuning, tuned.tuning.experiment
    return dict(
        experiment=experiment.name,
        title=experiment.title,
        source=experiment.source,
        preset=experiment.preset,
        scale=experiment.scale,
        resign=experiment.resign,
        seed=experiment.seed,
        opponent=experiment.opponent,
        values=tuning.values,
        combinations=tuning.combinations,
        skipped=[one._asdict() for one in tuning.skipped],
        rounds=[dict(configurations=len(one.field), games=one.games) for one in tuned.rounds],
        rows=tuned.rows,
        winner=dict(
            configuration=tuned.rows[0]["configuration"],
            settings=tuned.winner.at,
            player=tuned.winner.match["player"],
        ),
        confirmation=dict(
            seed=tuning.fresh_seed,
            rows=tuned.confirmation,
            gain=tuned.gain and {k: round(100 * v, 1) for k, v in tuned.gain._asdict().items()},
            verdict=tuned.gain and verdict(tuned.gain),
        ),
        use=_use(tuned),
        command=tuned.command,
        versions=tuned.versions,
        machine=tuned.machine,
    )


def _command(options):
    words = ["picograve", "lab", "tune", options.experiment]
    for name in ("games", "tries", "confirm", "preset", "seed"):
        value = getattr(options, name)
        words += [] if value is None else ["--%s=%s" % (name, value)]
    words += [] if options.scale == 1 else ["--scale=%g" % options.scale]
    return shlex.join(words)


def _use(tuned):
    """The command that lets the winner think."""
    match = tuned.winner.match
    words = ["picograve", "think", "--game", tuned.tuning.experiment.game_given]
    for name, value in match["game"].items():
        if name in NAMED:
            words += ["--" + name] if value is True else ["--" + name, str(value)]
        elif name not in ("name", "source"):
            words += ["--option", "%s=%s" % (name, value)]
    player = {"preset": "paper", **match["player"]}
    for name, value in player.items():
        flag = {"board": "runtime"}.get(name, SPOKEN.get(name, name))
        if isinstance(value, bool):
            words.append("--%s%s" % ("" if value else "no-", flag))
        else:
            words += ["--" + flag, str(value)]
    return shlex.join(words)


# For people.


def write(tuned: Tuned, folder: Path) -> list[Path]:
    """Write all files of the report; their paths."""
    title, page = tuned.tuning.experiment.title, list(page_of(tuned))
    flat = [
        {**{k: v for k, v in row.items() if k not in ("settings", "by_round")}, **row["settings"]}
        for row in tuned.rows
    ]
    texts = {
        "report.html": as_html(title, page, {}),
        "report.md": as_markdown(page),
        "results.csv": table.as_csv(flat),
        "results.json": json.dumps(as_data(tuned), indent=1, ensure_ascii=False) + "\n",
    }
    return report.write_texts(texts, folder)


def as_text(tuned: Tuned) -> str:
    """What a terminal shows."""
    return "\n\n".join(
        [
            in_columns([_head(tuned), *(_cells(tuned, row) for row in tuned.rows)]),
            "Confirmation: " + _fresh(tuned),
            in_columns(_confirmed(tuned)),
            in_lines(conclusion(tuned)),
            _use(tuned),
        ]
    )


def page_of(tuned: Tuned) -> Iterator[Block]:
    tuning, experiment = tuned.tuning, tuned.tuning.experiment
    yield from report.headline(experiment)
    yield Heading("What was played", 2)
    yield Items([*report.conditions(experiment, _amount(tuned)), *_ways(tuned)])
    if tuning.skipped:
        yield Heading("Left out", 2)
        yield Items(["%s: %s" % (in_words(at), reason) for at, reason in tuning.skipped])
    yield Heading("The winner", 2)
    yield Text(conclusion(tuned))
    yield Code(_use(tuned))
    yield Heading("Confirmation", 2)
    yield Text(_fresh(tuned))
    head, *lines = _confirmed(tuned)
    yield Table(head, lines)
    yield Heading("All that was tried", 2)
    yield Text(
        "The rounds chose by these rates, so those of the first are flattered; the"
        " confirmation measures."
    )
    yield Table(_head(tuned), [_cells(tuned, row) for row in tuned.rows])
    yield Heading("Won %, round by round", 3)
    yield Table(
        ["try", *("after %s games" % number(one.games) for one in tuned.rounds)],
        [
            [_name(row), *(_rate(after) for after in row["by_round"])]
            + [""] * (len(tuned.rounds) - row["rounds"])
            for row in tuned.rows
        ],
    )
    yield from report.origin(tuned.command, tuned.versions, tuned.machine)


def in_words(at: dict[str, Any]) -> str:
    return ", ".join(plots.setting(key, value) for key, value in at.items())


def conclusion(tuned: Tuned) -> str:
    """What the confirmation says, in a sentence."""
    if tuned.gain is None:
        if len(tuned.confirmation) == 1:
            return "The starting point is the best of what was tried: keep it."
        return "No game of the confirmation could be played."
    best = "%d (%s)" % (tuned.rows[0]["configuration"], in_words(tuned.winner.at))
    rate, low, high = (100 * value for value in tuned.gain)
    said = {
        BETTER: "so it is better",
        WORSE: "so it is worse: keep the starting point",
        UNCLEAR: "which shows no difference; more games (--confirm) may",
    }[verdict(tuned.gain)]
    gain = "%+.1f percentage points (95 %%: %+.1f to %+.1f), %s" % (rate, low, high, said)
    won = "Try %s won the rounds." % best
    return "%s Its gain over the starting point in the confirmation: %s." % (won, gain)


def _amount(tuned):
    tuning = tuned.tuning
    given = "The starting point and %d of %s combinations of %s."
    tried = len(tuning.tries), number(tuning.combinations), ", ".join(tuning.values)
    return given % tried


def _ways(tuned):
    for one in tuned.rounds:
        yield "Round %d: %d configurations with %s games each." % (
            one.number, len(one.field), number(one.games),
        )  # fmt: skip
    seeds = (tuned.tuning.experiment.seed, tuned.tuning.fresh_seed)
    yield "The rounds have seed %d, the confirmation has %d." % seeds


def _fresh(tuned):
    tuning = tuned.tuning
    return "%s games each with seed %d, which no round used." % (
        number(tuning.confirm),
        tuning.fresh_seed,
    )


def _head(tuned):
    settings = [key for key in tuned.tuning.values if key not in ("nodes", "bytes")]
    return ["try", *settings, "nodes", "bytes", "rounds", "games", "won %", "95 %"]


def _cells(tuned, row):
    settings = [key for key in tuned.tuning.values if key not in ("nodes", "bytes")]
    return [
        _name(row),
        *(number(row["settings"][key]) if key in row["settings"] else "" for key in settings),
        "" if row["nodes"] is None else number(row["nodes"]),
        number(row["bytes"]),
        str(row["rounds"]),
        "%d%s" % (row["games"], " (%d failed)" % row["failed"] if row["failed"] else ""),
        _rate(row),
        _interval(row),
    ]


def _confirmed(tuned):
    """The confirmation as lines of a table, with its headings."""
    head = ["try", "games", "won %", "95 %"]
    return [
        head,
        *(
            [_name(row), str(row["games"]), _rate(row), _interval(row)]
            for row in tuned.confirmation
        ),
    ]


def _name(row):
    return "%d%s" % (row["configuration"], "" if row["configuration"] else ", start")


def _rate(row):
    return "" if row["rate"] is None else "%.1f" % row["rate"]


def _interval(row):
    return "" if row["rate"] is None else "%.1f to %.1f" % (row["low"], row["high"])
