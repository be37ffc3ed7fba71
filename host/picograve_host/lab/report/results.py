"""The results of an experiment as blocks of its page (page.py): one row per point with what the
paper has beside it, or the ranking of a round robin. `findings` are report.Findings.
"""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from picograve.value import DRAW, LOSS, WIN

from picograve_host.lab.report import choices, claims, plots, reported, table, tournament
from picograve_host.lab.report.page import Block, Heading, Items, Plot, Table, Text
from picograve_host.players.kinds import name_of
from picograve_host.players.search import depth_of
from picograve_host.rating import EQUAL, PERHAPS_STRONGER, STRONGER, win_rate
from picograve_host.words import number

if TYPE_CHECKING:
    from picograve_host.lab.report.report import Findings


NOT_WORSE = (EQUAL, PERHAPS_STRONGER, STRONGER)
BY_SPRT = "decided by SPRT, not a measurement"


def by_points(findings: "Findings") -> Iterator[Block]:
    experiment = findings.experiment
    if plots.keys(experiment) and not experiment.plot.get("outcomes"):
        yield Text("Bars are 95 % intervals; lines are moved apart a little to show them.")
    if any(row.get("pairs_low") is not None for row in findings.rows):
        yield Text(
            "95 %: Agresti-Coull, as in the paper; by pairs: from pairs of games with equal seeds"
            " and the colours changed."
        )
    yield _results(findings)
    yield from _claims(findings)
    yield from _grids(findings)
    yield from _together(findings)
    yield from reported.blocks(
        [plots.name_of_point(point) for point in experiment.points],
        [seats["player"] for seats in findings.figures],
    )
    yield from _thresholds(findings)


def _results(findings):
    experiment = findings.experiment
    head = table.headings(experiment)
    lines = []
    for row, seconds in zip(findings.rows, findings.seconds, strict=True):
        cells = table.cells(experiment, row)
        if row.get("sprt"):
            cells[head.index("verdict")] += ", " + BY_SPRT
        total = row["bytes_total"]
        cells.append("" if total is None else number(total))
        lines.append(cells + _texts(seconds))
    other = name_of(experiment.opponent) if experiment.opponent else "the other"
    head = [*head, "bytes in all", "s per move", "s per move, %s" % other]
    return Table(*table.filled(head, lines))


def _texts(seconds):
    return ["" if value is None else "%.3g" % value for value in seconds]


def _grids(findings):
    """For a player with two sweeps, all of whose values are in the paper: as the paper has it."""
    for label, pairs in _by_player(findings).items():
        if all(len(point.at) == 2 and point.paper is not None for point, _ in pairs):
            yield Heading("%s: won %% here (in the paper)" % label, 3)
            yield _grid(pairs)


def _grid(pairs):
    down, across = pairs[0][0].at
    columns = list(dict.fromkeys(point.at[across] for point, _ in pairs))
    lines: dict = {}
    for point, row in pairs:
        ours = "" if row["rate"] is None else "%.1f " % row["rate"]
        cells = lines.setdefault(point.at[down], {})
        cells[point.at[across]] = "%s(%.1f)" % (ours, point.paper)
    return Table(
        [plots.SYMBOLS.get(down, down), *(plots.setting(across, value) for value in columns)],
        [[number(value), *cells.values()] for value, cells in lines.items()],
    )


def _together(findings):
    """What a setting does on the whole: the points that share it, as if they were one. A point of
    few games says little; all of them may say enough."""
    if findings.experiment.plot.get("outcomes") or any(row.get("sprt") for row in findings.rows):
        return
    lines = []
    for label, pairs in _by_player(findings).items():
        if len(pairs) > 1:
            lines.append([label, "all", *_pooled(pairs)])
        values = {key: dict.fromkeys(point.at[key] for point, _ in pairs) for key in pairs[0][0].at}
        swept = [key for key in values if len(values[key]) > 1]
        for key in swept if len(swept) > 1 else ():
            for value in values[key]:
                sharing = [pair for pair in pairs if pair[0].at[key] == value]
                lines.append([label, plots.setting(key, value), *_pooled(sharing)])
    if lines:
        yield Heading("Points taken together", 3)
        yield Table(["player", "points", "games", "won %", "95 %"], lines)


def _pooled(pairs):
    """Games, per cent won and interval of some points, as texts."""
    half_points = dict(wins=WIN, draws=DRAW, losses=LOSS)
    rate = win_rate(
        [value for name, value in half_points.items() for _, row in pairs for _ in range(row[name])]
    )
    games = str(sum(row["games"] for _, row in pairs))
    if rate is None:
        return [games, "", ""]
    won, low, high = (100 * value for value in rate)
    return [games, "%.1f" % won, "%.1f to %.1f" % (low, high)]


def _by_player(findings):
    pairs: dict = {}
    for point, row in zip(findings.experiment.points, findings.rows, strict=True):
        pairs.setdefault(point.label, []).append((point, row))
    return pairs


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
    """A line's threshold in the paper, and that here: no point from it on is worse."""
    in_paper = plots.setting(x, experiment.thresholds[line.label])
    scaled = "" if experiment.scale == 1 else " (%s at this scale)" % plots.setting(x, place)
    measured = [dot for dot in line.dots if dot[1]["verdict"] and not dot[1].get("sprt")]
    equal = itertools.takewhile(lambda dot: dot[1]["verdict"] in NOT_WORSE, reversed(measured))
    found = [value for value, _ in equal]
    return "%s: equal to %s from %s on in the paper%s; here %s." % (
        ", ".join(filter(None, (line.label, line.rest))),
        name_of(experiment.opponent),
        in_paper,
        scaled,
        "from %s on" % plots.setting(x, found[-1]) if found else "none measured",
    )


def _claims(findings):
    if findings.claims:
        yield Heading("What the paper says, and what was found", 3)
        yield Table(claims.HEADINGS, [list(map(str, found)) for found in findings.claims])
        yield Text("A comparison holds, or is contradicted, where its 95 % interval says so.")


# Round robins.


def ranking(findings: "Findings") -> Iterator[Block]:
    """The results of a round robin: the ranking, who won against whom, what was chosen."""
    head, lines = tournament.ranking(findings.rows)
    lines = [line + _texts(pair) for line, pair in zip(lines, findings.seconds, strict=True)]
    yield Table([*head, "s per move", "s per game"], lines)
    yield from _claims(findings)
    if findings.rows[0]["by_game"]:
        yield Heading("In each game", 3)
        yield Table(*tournament.game_table(findings.rows))
    yield Heading("Who against whom", 3)
    yield Plot("heatmap")
    yield Table(*tournament.cross_table(findings.rows))
    if findings.choices:
        yield Heading("Playout policies chosen, per cent of a game's playouts", 3)
        yield Plot("choices")
        yield Text("Boxes hold half of the games, whiskers all, a diamond is the mean.")
        boxes = choices.summary(findings.choices)
        yield Table(list(boxes[0]), [list(map(str, box.values())) for box in boxes])
    yield from reported.blocks([row["player"] for row in findings.rows], findings.figures)
    yield Heading("The players", 3)
    yield Items([_described(*player) for player in findings.experiment.players.items()])


def _described(label, data):
    settings = ["%s %s" % (key, number(data[key])) for key in data if key != "search"]
    if data.get("search") == "alphabeta":
        settings = [depth_of(data)]
    return "%s: %s" % (label, ", ".join([name_of(data), *settings]))
