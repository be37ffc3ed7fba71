"""`picograve lab report`: the page of an experiment, the paper's figures beside ours.

`gather` reads all that the page needs from the store, once; `page_of` says it as blocks
(page.py, results.py). What differs from machine to machine stands in the last block.
"""

import json
import shlex
import sys
from argparse import Namespace
from collections import namedtuple
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from picograve_tools.cache import ToolMissing, say_on_stderr

from picograve_host.bench import desktop as bench
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import choices, claims, heatmap, plots, results, table, tournament
from picograve_host.lab.report.page import (
    Block,
    Code,
    Heading,
    Items,
    Plot,
    Text,
    as_html,
    as_markdown,
)
from picograve_host.players.data import has_tree
from picograve_host.players.kinds import module_of, name_of
from picograve_host.rating import Sprt, win_rate
from picograve_host.words import number

ALL_GAMES = sys.maxsize
ERRORS = 3  # shown of a point

Findings = namedtuple(
    "Findings",
    (
        "experiment",
        "rows",  # of table.rows_of, or of tournament.rows_of for a round robin
        "seconds",  # of the same file's timing
        "figures",  # of the same file's figures
        "errors",  # [[(number, text)]], a point each
        "of_itself",  # Rate of the opponent against itself, or None
        "itself_games",
        "choices",  # of choices.shares_of, for a round robin
        "claims",  # of claims.find and find_points
        "versions",
        "machines",  # that played the games, by their processors, where it is known
        "apart",  # games of other code, which count nowhere
        "command",  # plays it again
        "machine",
    ),
)


def shown(experiment: Experiment) -> ModuleType:
    return tournament if experiment.round_robin else table


def gather(
    experiment: Experiment, store: Store, games: int, sprt: Sprt | None, options: Namespace
) -> Findings:
    rows = shown(experiment).rows_of(experiment, store, games, sprt)
    itself = table.results_of_itself(experiment, store)
    if experiment.round_robin:
        most = max(len(store.results(point.key, games)) for point in experiment.points)
    else:
        most = max(row["games"] + row["failed"] for row in rows)
    return Findings(
        experiment,
        rows,
        shown(experiment).timing(experiment, store, games),
        shown(experiment).figures(experiment, store, games),
        [store.errors(point.key, games) for point in experiment.points],
        win_rate(itself),
        len(itself),
        choices.shares_of(experiment, store, games) if experiment.round_robin else {},
        [
            *(claims.find(claim, check, rows) for claim, check in experiment.checks.items()),
            *(claims.find_points(*check, rows) for check in experiment.point_checks.items()),
        ],
        sorted(set().union(*(store.versions(point.key) for point in experiment.points))),
        sorted(
            {
                machine
                for point in experiment.points
                for machine in store.column(point.key, games, "machine")
            }
        ),
        sum(store.apart(key) for key in {point.key for point in experiment.points}),
        command(options, most),
        bench.machine(),
    )


def command(options: Namespace, games: int) -> str:
    words = ["picograve", "lab", "run", options.experiment, "--games", str(games)]
    for name in ("preset", "seed", "sprt"):
        value = getattr(options, name)
        words += [] if value is None else ["--%s=%s" % (name, value)]
    words += [] if options.scale == 1 else ["--scale=%g" % options.scale]
    return shlex.join(words)


def folder_name(experiment: Experiment) -> str:
    """The experiment's, with what is not as in its file."""
    written = experiment.source_file.entries
    name = experiment.name
    name += "" if experiment.preset == written.get("preset", "paper") else "-" + experiment.preset
    name += "" if experiment.scale == 1 else "-x%g" % experiment.scale
    return name + ("" if experiment.seed == written.get("seed", 1) else "-seed%d" % experiment.seed)


def write(findings: Findings, folder: Path) -> list[Path]:
    """Write all files of the report; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    experiment = findings.experiment
    drawn = draw(findings, folder)
    pictures = {path.stem: path.read_text("utf-8") for path in drawn if path.suffix == ".svg"}
    page = page_with(findings, pictures)
    texts = {
        "report.html": as_html(experiment.title, page, pictures),
        "report.md": as_markdown(page),
        "results.csv": shown(experiment).as_csv(findings.rows),
        "results.json": json.dumps(as_data(findings), indent=1, ensure_ascii=False) + "\n",
    }
    return [*write_texts(texts, folder), *drawn]


def write_texts(texts: dict[str, str], folder: Path) -> list[Path]:
    """Write {name of a file: its text}; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        # newline="": a CSV brings its own.
        (folder / name).write_text(text, "utf-8", newline="")
    return [folder / name for name in texts]


def draw(findings: Findings, folder: Path) -> list[Path]:
    """Write the plots; their paths, none without matplotlib."""
    experiment = findings.experiment
    try:
        drawn = [*plots.draw(experiment, findings.rows, findings.of_itself, folder)]
        if experiment.round_robin:
            drawn += heatmap.draw(findings.rows, experiment.title, folder)
        if findings.choices:
            drawn += choices.draw(findings.choices, experiment.title, folder)
    except ToolMissing as missing:
        say_on_stderr("picograve: a report without plots, because %s" % missing)
        return []
    return drawn


def as_data(findings: Findings) -> dict[str, Any]:
    experiment = findings.experiment
    if experiment.round_robin:
        about = dict(
            players=experiment.players,
            choices=choices.summary(findings.choices),
        )
        seconds = ("a_move", "a_game")
    else:
        about = dict(
            opponent=experiment.opponent,
            opponent_against_itself=findings.of_itself
            and dict(games=findings.itself_games, **findings.of_itself._asdict()),
        )
        seconds = ("player", "opponent")
    return dict(
        experiment=experiment.name,
        title=experiment.title,
        source=experiment.source,
        preset=experiment.preset,
        scale=experiment.scale,
        resign=experiment.resign,
        seed=experiment.seed,
        **about,
        **(dict(claims=[found._asdict() for found in findings.claims]) if findings.claims else {}),
        rows=findings.rows,
        timing=[dict(zip(seconds, pair, strict=True)) for pair in findings.seconds],
        figures=findings.figures,
        command=findings.command,
        versions=findings.versions,
        machines=findings.machines,
        apart=findings.apart,
        machine=findings.machine,
    )


# The page.


def page_with(findings: Findings, pictures: Container[str]) -> list[Block]:
    """The page with those of its plots that there are, by their names."""
    return [
        block
        for block in page_of(findings)
        if not isinstance(block, Plot) or block.name in pictures
    ]


def page_of(findings: Findings) -> Iterator[Block]:
    experiment = findings.experiment
    yield from headline(experiment)
    if experiment.claims:
        yield Heading("What the paper says", 2)
        yield Items(experiment.claims)
    yield Heading("What was played", 2)
    band = [_band(findings)] if experiment.self_point else []
    apart = ["Not counted: %d games of code that grew other trees." % findings.apart]
    apart = apart if findings.apart else []
    yield Items([*conditions(experiment, _scale_of(findings)), *band, *apart])
    yield Heading("Results", 2)
    yield Plot("plot")
    if experiment.round_robin:
        yield from results.ranking(findings)
    else:
        yield from results.by_points(findings)
    yield from _failures(findings)
    yield from origin(findings.command, findings.versions, findings.machine, findings.machines)


def headline(experiment: Experiment) -> Iterator[Block]:
    """How a page begins."""
    yield Heading(experiment.title, 1)
    if experiment.source:
        series = experiment.series and " (%s)" % experiment.series
        yield Text("Source: %s%s." % (experiment.source, series))


def conditions(experiment: Experiment, amount: str) -> Iterator[str]:
    """What was played, in sentences; `amount` says how much."""
    yield "On %s, %s." % (_game(experiment), _opposition(experiment))
    yield amount
    policies = _policies(experiment)
    if policies and not experiment.round_robin:
        yield "Preset %s, playout policy %s." % (experiment.preset, " and ".join(policies))
    if experiment.scale != 1:
        yield (
            "Scale %g: playouts times %g; nodes of two-level searches times its square root."
            % (experiment.scale, experiment.scale)
        )
        if not all(map(has_tree, _sides(experiment))):
            yield "Players without a tree, and other programs, are at full size."
    if experiment.resign:
        yield (
            "A player gives up when two searches of each side agree that it wins with a"
            " probability of %g or less." % experiment.resign
        )


def _scale_of(findings):
    if not findings.experiment.round_robin:
        return "%s games per point." % _range([row["games"] for row in findings.rows])
    pairs = [pair["games"] for row in findings.rows for pair in row["against"].values()]
    return "%s games per pair." % _range(pairs)


def _range(counts):
    ends = dict.fromkeys((min(counts), max(counts)))
    return " to ".join(map(number, ends))


def _policies(experiment):
    """Of all searches that play; other programs have none."""
    trees = filter(has_tree, _sides(experiment))
    return sorted({side.get("playout_policy", "mast") for side in trees})


def _sides(experiment):
    return [point.match[seat] for point in experiment.points for seat in ("player", "opponent")]


def _band(findings):
    name = name_of(findings.experiment.opponent)
    if not findings.of_itself:
        return "No games of %s against itself yet, so nothing is called equal to it." % name
    return "Equal is what lies in the 95 %% interval of %s against itself: %s (%d games)." % (
        name,
        "%.1f to %.1f %%" % (100 * findings.of_itself.low, 100 * findings.of_itself.high),
        findings.itself_games,
    )


def _game(experiment):
    games = [dict(point.match["game"]) for point in experiment.points]
    names = ", ".join(dict.fromkeys(game.pop("name") for game in games))
    return " with ".join([names, *("%s %s" % pair for pair in games[0].items())])


def _opposition(experiment):
    if experiment.round_robin:
        return "everybody against everybody"
    return "against " + ("itself" if experiment.plays_itself else _opponent(experiment))


def _opponent(experiment):
    """The opponent in words, with its size."""
    game = experiment.game if experiment.self_point else None  # without, a game has each its own
    return module_of(experiment.opponent).describe(experiment.opponent, game)


def _failures(findings):
    texts = [
        "%s, game %d: %s" % (plots.name_of_point(point), number, error)
        for point, errors in zip(findings.experiment.points, findings.errors, strict=True)
        for number, error in errors[:ERRORS]
    ]
    if texts:
        yield Heading("Games that failed: %d" % sum(map(len, findings.errors)), 2)
        yield Items(texts)


def origin(
    command: str,
    versions: Iterable[str],
    machine: dict[str, Any],
    machines: Iterable[str] = (),
) -> Iterator[Block]:
    """How a page ends. `machine` writes it, `machines` have played."""
    yield Heading("To play it again", 2)
    yield Code(command)
    yield Heading("Machine and versions", 2)
    about = (machine["cpu"], machine["python"], machine["numba"])
    yield Items(
        [
            "Games played by picograve %s%s." % (", ".join(versions), _on(machines)),
            "Report written on: %s, Python %s, Numba %s." % about,
        ]
    )


def _on(machines):
    return " on " + ", ".join(machines) if machines else ""
