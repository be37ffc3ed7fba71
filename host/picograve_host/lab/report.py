"""`picograve lab report`: the page of an experiment, the paper's figures beside ours.

`gather` reads all that the page needs from the store, once; `page_of` says it as blocks
(page.py, results.py). What differs from machine to machine stands in the last block.
"""

import json
import shlex
import sys
from collections import namedtuple
from pathlib import Path

from picograve import BadInput
from picograve.errors import RunFailed

from picograve_host import bench
from picograve_host.lab import choices, plots, results, table, tournament
from picograve_host.lab.page import Code, Heading, Items, Plot, Text, as_html, as_markdown
from picograve_host.lab.resolve import config_of, has_tree
from picograve_host.lab.run import experiment_of, games_of, sprt_of
from picograve_host.lab.store import Store
from picograve_host.statistics import win_rate

ALL_GAMES = sys.maxsize
ERRORS = 3  # shown of a point

Findings = namedtuple(
    "Findings",
    (
        "experiment",
        "rows",  # of table.rows_of, or of tournament.rows_of for a round robin
        "seconds",  # of the same file's timing
        "errors",  # [[(number, text)]], a point each
        "of_itself",  # Rate of the opponent against itself, or None
        "itself_games",
        "choices",  # of choices.shares_of, for a round robin
        "versions",
        "command",  # plays it again
        "machine",
    ),
)


def main(options):
    experiment = experiment_of(options)
    games = ALL_GAMES if options.games is None else games_of(options, experiment)
    sprt = sprt_of(options, experiment)
    with Store(options.out) as store:
        store.database.execute("BEGIN")  # a run may be writing: all we read is of one moment
        findings = gather(experiment, store, games, sprt, options)
    if not any(row["games"] + row["failed"] for row in findings.rows):
        raise BadInput(
            "no games of %s in %s yet: picograve lab run %s"
            % (experiment.name, options.out, options.experiment)
        )
    folder = Path(options.out) / folder_name(experiment)
    try:
        paths = write(findings, folder)
    except OSError as error:
        raise RunFailed(
            "the report cannot be written to %s: %s" % (folder, error.strerror)
        ) from None
    if options.json:
        print(json.dumps(as_data(findings)))
    else:
        print(*paths, "", _shown(experiment).as_text(experiment, findings.rows), sep="\n")
    return 0


def _shown(experiment):
    return tournament if experiment.round_robin else table


def gather(experiment, store, games, sprt, options):
    rows = _shown(experiment).rows_of(experiment, store, games, sprt)
    itself = table.results_of_itself(experiment, store)
    if experiment.round_robin:
        most = max(len(store.results(point.key, games)) for point in experiment.points)
    else:
        most = max(row["games"] + row["failed"] for row in rows)
    return Findings(
        experiment,
        rows,
        _shown(experiment).timing(experiment, store, games),
        [store.errors(point.key, games) for point in experiment.points],
        win_rate(itself),
        len(itself),
        choices.shares_of(experiment, store, games) if experiment.round_robin else {},
        sorted(set().union(*(store.versions(point.key) for point in experiment.points))),
        command(options, most),
        bench.machine(),
    )


def command(options, games):
    words = ["picograve", "lab", "run", options.experiment, "--games", str(games)]
    for name in ("preset", "seed", "sprt"):
        value = getattr(options, name)
        words += [] if value is None else ["--%s=%s" % (name, value)]
    words += [] if options.scale == 1 else ["--scale=%g" % options.scale]
    return shlex.join(words)


def folder_name(experiment):
    """The experiment's, with what is not as in its file."""
    written = experiment.source_file.entries
    name = experiment.name
    name += "" if experiment.preset == written.get("preset", "paper") else "-" + experiment.preset
    name += "" if experiment.scale == 1 else "-x%g" % experiment.scale
    return name + ("" if experiment.seed == written.get("seed", 1) else "-seed%d" % experiment.seed)


def write(findings, folder):
    """Write all files of the report; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    experiment = findings.experiment
    drawn = plots.draw(experiment, findings.rows, findings.of_itself, folder)
    if findings.choices:
        drawn += choices.draw(findings.choices, experiment.title, folder)
    pictures = {path.stem: path.read_text("utf-8") for path in drawn if path.suffix == ".svg"}
    page = list(page_of(findings))
    texts = {
        "report.html": as_html(experiment.title, page, pictures),
        "report.md": as_markdown(page),
        "results.csv": _shown(experiment).as_csv(findings.rows),
        "results.json": json.dumps(as_data(findings), indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        # newline="": a CSV brings its own.
        (folder / name).write_text(text, "utf-8", newline="")
    return [*(folder / name for name in texts), *drawn]


def as_data(findings):
    experiment = findings.experiment
    if experiment.round_robin:
        about = dict(players=experiment.players, choices=choices.summary(findings.choices))
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
        rows=findings.rows,
        timing=[dict(zip(seconds, pair, strict=True)) for pair in findings.seconds],
        command=findings.command,
        versions=findings.versions,
        machine=findings.machine,
    )


# The page.


def page_of(findings):
    experiment = findings.experiment
    yield Heading(experiment.title, 1)
    if experiment.source:
        series = experiment.series and " (%s)" % experiment.series
        yield Text("Source: %s%s." % (experiment.source, series))
    if experiment.claims:
        yield Heading("What the paper says", 2)
        yield Items(experiment.claims)
    yield Heading("What was played", 2)
    yield Items(list(_conditions(findings)))
    yield Heading("Results", 2)
    yield Plot("plot")
    if experiment.round_robin:
        yield from results.ranking(findings)
    else:
        yield from results.by_points(findings)
    yield from _failures(findings)
    yield Heading("To play it again", 2)
    yield Code(findings.command)
    yield Heading("Machine and versions", 2)
    yield Items(list(_machine(findings)))


def _conditions(findings):
    experiment = findings.experiment
    yield "On %s, %s." % (_game(experiment), _opposition(experiment))
    yield _scale_of(findings)
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
    if experiment.self_point:
        yield _band(findings)


def _scale_of(findings):
    if not findings.experiment.round_robin:
        return "%s games a point." % _range([row["games"] for row in findings.rows])
    pairs = [pair["games"] for row in findings.rows for pair in row["against"].values()]
    return "%s games a pair." % _range(pairs)


def _range(counts):
    ends = dict.fromkeys((min(counts), max(counts)))
    return " to ".join(map(plots.number, ends))


def _policies(experiment):
    """Of all searches that play; other programs have none."""
    trees = filter(has_tree, _sides(experiment))
    return sorted({side.get("playout_policy", "mast") for side in trees})


def _sides(experiment):
    return [point.match[seat] for point in experiment.points for seat in ("player", "opponent")]


def _band(findings):
    name = plots.name_of(findings.experiment.opponent)
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
    player = experiment.opponent
    name = plots.name_of(player)
    if player.get("search") == "alphabeta":
        return "%s, %s" % (name, results.depth_of(player))
    if "gtp" in player:
        return "%s, started as: %s" % (name, player["gtp"])
    if "openspiel" in player:
        return "%s with %s simulations a move" % (name, plots.number(player["openspiel"]))
    if not has_tree(player) or not experiment.self_point:  # without, a game has each its own
        return name
    config, budget = config_of(player)
    ledger = budget.ledger(experiment.game, config)
    sizes = (ledger.nodes, ledger.playouts, ledger.total_bytes)
    return "%s with %s nodes, %s playouts a move and %s bytes" % (
        name, *map(plots.number, sizes),
    )  # fmt: skip


def _failures(findings):
    texts = [
        "%s, game %d: %s" % (plots.name_of_point(point), number, error)
        for point, errors in zip(findings.experiment.points, findings.errors, strict=True)
        for number, error in errors[:ERRORS]
    ]
    if texts:
        yield Heading("Games that failed: %d" % sum(map(len, findings.errors)), 2)
        yield Items(texts)


def _machine(findings):
    machine = findings.machine
    yield "Games played by picograve %s." % ", ".join(findings.versions)
    yield "Report written on: %s, Python %s, Numba %s." % (
        machine["cpu"], machine["python"], machine["numba"],
    )  # fmt: skip
