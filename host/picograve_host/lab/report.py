"""`picograve lab report`: the page of an experiment, the paper's figures beside ours.

`gather` reads all that the page needs from the store, once; `page_of` says it as blocks
(page.py). What differs from machine to machine stands in the last block.
"""

import json
import shlex
import sys
from collections import namedtuple
from pathlib import Path

from picograve import BadInput
from picograve.errors import RunFailed

from picograve_host import bench
from picograve_host.lab import plots, table
from picograve_host.lab.page import Code, Heading, Items, Plot, Table, Text, as_html, as_markdown
from picograve_host.lab.resolve import config_of
from picograve_host.lab.run import experiment_of, games_of, sprt_of
from picograve_host.lab.store import Store
from picograve_host.statistics import EQUAL, PERHAPS_STRONGER, STRONGER, win_rate

ALL_GAMES = sys.maxsize
ERRORS = 3  # shown of a point
NOT_WORSE = (EQUAL, PERHAPS_STRONGER, STRONGER)
BY_SPRT = "decided by SPRT, not a measurement"

Findings = namedtuple(
    "Findings",
    (
        "experiment",
        "rows",  # of table.rows_of
        "seconds",  # of table.timing
        "errors",  # [[(number, text)]], a point each
        "of_itself",  # Rate of the opponent against itself, or None
        "itself_games",
        "versions",
        "command",  # plays it again
        "machine",
    ),
)


def main(options):
    experiment = experiment_of(options)
    games = ALL_GAMES if options.games is None else games_of(options, experiment)
    with Store(options.out) as store:
        store.database.execute("BEGIN")  # a run may be writing: all we read is of one moment
        findings = gather(experiment, store, games, sprt_of(options), options)
    if not any(row["games"] + row["failed"] for row in findings.rows):
        raise BadInput(
            "no games of %s in %s yet: picograve lab run %s"
            % (experiment.name, options.out, options.experiment)
        )
    folder = Path(options.out) / folder_name(experiment, options)
    try:
        paths = write(findings, folder)
    except OSError as error:
        raise RunFailed(
            "the report cannot be written to %s: %s" % (folder, error.strerror)
        ) from None
    if options.json:
        print(json.dumps(as_data(findings)))
    else:
        print(*paths, "", table.as_text(experiment, findings.rows), sep="\n")
    return 0


def gather(experiment, store, games, sprt, options):
    rows = table.rows_of(experiment, store, games, sprt)
    itself = store.results(experiment.self_point.key, games)
    itself = [half_points for half_points in itself if half_points is not None]
    return Findings(
        experiment,
        rows,
        table.timing(experiment, store, games),
        [store.errors(point.key, games) for point in experiment.points],
        win_rate(itself),
        len(itself),
        store.versions(),
        command(options, max(row["games"] + row["failed"] for row in rows)),
        bench.machine(),
    )


def command(options, games):
    words = ["picograve", "lab", "run", options.experiment, "--games", str(games)]
    for name in ("preset", "seed", "sprt"):
        value = getattr(options, name)
        words += [] if value is None else ["--%s=%s" % (name, value)]
    words += [] if options.scale == 1 else ["--scale=%g" % options.scale]
    return shlex.join(words)


def folder_name(experiment, options):
    files_own = experiment.source_file.entries.get("preset", "paper")
    name = experiment.name
    name += "" if experiment.preset == files_own else "-" + experiment.preset
    return name + ("" if options.scale == 1 else "-x%g" % options.scale)


def write(findings, folder):
    """Write all files of the report; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = plots.draw(findings.experiment, findings.rows, findings.of_itself, folder)
    page = list(page_of(findings))
    texts = {
        "report.html": as_html(findings.experiment.title, page, svg.read_text("utf-8")),
        "report.md": as_markdown(page),
        "results.csv": table.as_csv(findings.rows),
        "results.json": json.dumps(as_data(findings), indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        # newline="": a CSV brings its own.
        (folder / name).write_text(text, "utf-8", newline="")
    return [*(folder / name for name in texts), svg, png]


def as_data(findings):
    experiment = findings.experiment
    return dict(
        experiment=experiment.name,
        title=experiment.title,
        source=experiment.source,
        preset=experiment.preset,
        scale=experiment.scale,
        resign=experiment.resign,
        seed=experiment.seed,
        opponent=experiment.opponent,
        opponent_against_itself=findings.of_itself
        and dict(games=findings.itself_games, **findings.of_itself._asdict()),
        rows=findings.rows,
        timing=[dict(player=ours, opponent=other) for ours, other in findings.seconds],
        command=findings.command,
        versions=findings.versions,
        machine=findings.machine,
    )


# The page.


def page_of(findings):
    experiment = findings.experiment
    yield Heading(experiment.title, 1)
    if experiment.source:
        yield Text("Source: %s." % experiment.source)
    if experiment.claims:
        yield Heading("What the paper says", 2)
        yield Items(experiment.claims)
    yield Heading("What was played", 2)
    yield Items(list(_conditions(findings)))
    yield Heading("Results", 2)
    yield Plot()
    if plots.keys(experiment):
        yield Text("Bars are 95 % intervals; lines are moved apart a little to show them.")
    yield _results(findings)
    yield from _grids(findings)
    yield from _thresholds(findings)
    yield from _failures(findings)
    yield Heading("To play it again", 2)
    yield Code(findings.command)
    yield Heading("Machine and versions", 2)
    yield Items(list(_machine(findings)))


def _conditions(findings):
    experiment = findings.experiment
    yield "On %s, against %s." % (_game(experiment), _opponent(experiment))
    yield "%s games a point." % _range([row["games"] for row in findings.rows])
    policies = _policies(experiment)
    if policies:
        yield "Preset %s, playout policy %s." % (experiment.preset, " and ".join(policies))
    if experiment.scale != 1:
        yield (
            "Scale %g: playouts times %g; nodes of two-level searches times its square root."
            % (experiment.scale, experiment.scale)
        )
    if experiment.resign:
        yield (
            "A player gives up when two searches of each side agree that it wins with a"
            " probability of %g or less." % experiment.resign
        )
    yield _band(findings)


def _range(counts):
    ends = dict.fromkeys((min(counts), max(counts)))
    return " to ".join(map(plots.number, ends))


def _policies(experiment):
    """Of all searches that play; other programs have none."""
    sides = [experiment.opponent, *(point.match["player"] for point in experiment.points)]
    return sorted({side.get("playout_policy", "mast") for side in sides if "search" in side})


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
    options = dict(experiment.self_point.match["game"])
    return " with ".join([options.pop("name"), *("%s %s" % pair for pair in options.items())])


def _opponent(experiment):
    """The opponent in words, with its size."""
    player = experiment.opponent
    name = plots.name_of(player)
    if "gtp" in player:
        return "%s, started as: %s" % (name, player["gtp"])
    if "openspiel" in player:
        return "%s with %s simulations a move" % (name, plots.number(player["openspiel"]))
    config, budget = config_of(player)
    ledger = budget.ledger(experiment.game, config)
    sizes = (ledger.nodes, ledger.playouts, ledger.total_bytes)
    return "%s with %s nodes, %s playouts a move and %s bytes" % (
        name, *map(plots.number, sizes),
    )  # fmt: skip


def _results(findings):
    experiment = findings.experiment
    head = table.headings(experiment)
    lines = []
    for row, seconds in zip(findings.rows, findings.seconds, strict=True):
        cells = table.cells(experiment, row)
        if row.get("sprt"):
            cells[head.index("verdict")] += ", " + BY_SPRT
        total = row["bytes_total"]
        cells.append("" if total is None else plots.number(total))
        lines.append(cells + ["" if value is None else "%.3g" % value for value in seconds])
    other = plots.name_of(experiment.opponent)
    return Table([*head, "bytes in all", "s a move", "s a move, %s" % other], lines)


def _grids(findings):
    """For a player with two sweeps, all of whose values are in the paper: as the paper has it."""
    experiment = findings.experiment
    for label in dict.fromkeys(point.label for point in experiment.points):
        pairs = [
            (point, row)
            for point, row in zip(experiment.points, findings.rows, strict=True)
            if point.label == label
        ]
        if all(len(point.at) == 2 and point.paper is not None for point, _ in pairs):
            yield Heading("%s: won %% here (in the paper)" % label, 3)
            yield _grid(pairs)


def _grid(pairs):
    down, across = pairs[0][0].at
    columns = list(dict.fromkeys(point.at[across] for point, _ in pairs))
    lines = {}
    for point, row in pairs:
        ours = "" if row["rate"] is None else "%.1f " % row["rate"]
        cells = lines.setdefault(point.at[down], {})
        cells[point.at[across]] = "%s(%.1f)" % (ours, point.paper)
    return Table(
        [plots.SYMBOLS.get(down, down), *(plots.setting(across, value) for value in columns)],
        [[plots.number(value), *cells.values()] for value, cells in lines.items()],
    )


def _thresholds(findings):
    texts = [
        _threshold(findings.experiment, x, line, place)
        for x in plots.keys(findings.experiment)
        for label, place in plots.thresholds_of(findings.experiment, x).items()
        for line in plots.lines_of(_pairs_along(findings, x), x)
        if line.label == label
    ]
    if texts:
        yield Heading("From where on equal", 2)
        yield Items(texts)


def _pairs_along(findings, x):
    pairs = zip(findings.experiment.points, findings.rows, strict=True)
    return [(point, row) for point, row in pairs if x in point.at]


def _threshold(experiment, x, line, place):
    """A line's threshold in the paper, and the first of its points here that is no worse."""
    in_paper = plots.setting(x, experiment.thresholds[line.label])
    scaled = "" if experiment.scale == 1 else " (%s at this scale)" % plots.setting(x, place)
    found = [
        value for value, row in line.dots if row["verdict"] in NOT_WORSE and not row.get("sprt")
    ]
    return "%s: equal to %s from %s on in the paper%s; here %s." % (
        ", ".join(filter(None, (line.label, line.rest))),
        plots.name_of(experiment.opponent),
        in_paper,
        scaled,
        "from %s on" % plots.setting(x, found[0]) if found else "none measured",
    )


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
