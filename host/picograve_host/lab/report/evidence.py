"""`picograve lab claims`: what a paper claims beside all that was recorded, on one page.

The page follows from the folders of recorded reports (results.json) and from the experiments'
files, and from nothing else: a test makes it again. A folder is one experiment at one size, with
one preset and one seed; each has a column.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from picograve import BadInput

from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import MOST_GAMES, Source, find, shipped
from picograve_host.lab.report import claims, plots
from picograve_host.outside import Kind, Maybe, Real, Rows, Text, Whole, fields
from picograve_host.rating import EQUAL_FROM
from picograve_host.words import number

FILE = "CLAIMS.md"
ITSELF = "self"  # the experiment whose rate says what counts as equal
COUNT = Whole(0, MOST_GAMES)
PER_CENT = Maybe(Real(0, 100))
REPORT: dict[str, Kind] = dict(
    experiment=Text(100), preset=Text(100), scale=Real(0, 1000), seed=Whole(0, 2**62)
)
ROW: dict[str, Kind] = {
    **dict.fromkeys(("games", "wins", "draws", "losses"), COUNT),
    **dict.fromkeys(("rate", "low", "high", "pairs_low", "pairs_high"), PER_CENT),
}
INTRODUCTION = """\
Made by `picograve lab claims` from the recorded games: do not edit. What is checked stands in the
tables `[checks]` of the [experiments](../picograve_host/lab/experiments), how in
[`claims.py`](../picograve_host/lab/report/claims.py).

The paper calls a player equal that wins against GRAVE as much as GRAVE does against itself: 50 %%,
give or take %(margin).1f, the 95 %% interval of 500 games. Here a claim of equality is
**confirmed** if the player's 95 %% interval lies above %(equal).1f %%, **refuted** if it lies
below, else undecided; other claims likewise, by the interval of a difference. Intervals are those
of pairs of games where pairs are recorded, else Agresti-Coull. At a tenth of the size everybody has
a tenth of the playouts: that can hint at what the paper says, no more."""


class Recorded(NamedTuple):
    """One folder."""

    name: str
    experiment: Experiment
    rows: list[dict[str, Any]]

    @property
    def column(self) -> tuple[str, float, int]:
        return self.experiment.preset, self.experiment.scale, self.experiment.seed


def recorded(folder: Path) -> list[Recorded]:
    """The folders of experiments that check claims, and of GRAVE against itself."""
    names = [n for n in shipped() if n == ITSELF or "checks" in Source(find(n)).own]
    found = []
    for file in sorted(folder.glob("*/results.json")):
        try:
            data = _report_in(file)
        except (OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            raise BadInput("%s is not as a report has it: make it again" % file) from None
        if data["experiment"] not in names:
            continue
        how = (data["preset"], data["scale"], data["seed"])
        experiment = Experiment(data["experiment"], *how)
        if experiment.round_robin:  # their reports have their claims
            continue
        if len(experiment.points) != len(data["rows"]):
            raise BadInput("%s is of other points than %s has" % (file, experiment.path.name))
        found.append(Recorded(file.parent.name, experiment, data["rows"]))
    if not found:
        raise BadInput("no report with claims in %s: give a folder such as host/results" % folder)
    return found


def _report_in(file):
    """What a report says of its points; somebody else may have written it."""
    data = json.loads(file.read_text("utf-8"))
    rows = data["rows"]
    for row in rows:
        fields(ROW, row)
        if row.get("pairs") is not None:
            Rows(1, (COUNT,) * 5).check([row["pairs"]])
    return dict(fields(REPORT, data), rows=rows)


def page(found: Iterable[Recorded]) -> str:
    found = list(found)
    columns = sorted({one.column for one in found}, key=_place)
    numbers = dict(margin=100 * claims.MARGIN, equal=100 * EQUAL_FROM)
    parts = ["# The claims of the GRAVE paper", INTRODUCTION % numbers]
    parts += ["## Verdicts", _table(*_verdicts(found, columns))]
    parts += ["## GRAVE against itself", _table(*_points(_of(found, ITSELF), columns))]
    for name in _checked(found):
        experiment = _of(found, name)[0].experiment
        source = experiment.source[:1].upper() + experiment.source[1:]
        parts += ["## %s: %s" % (source, experiment.title)]
        parts += [_table(*_points(_of(found, name), columns))]
    return "\n\n".join(parts) + "\n"


def _of(found, name):
    return [one for one in found if one.experiment.name == name]


def _checked(found):
    """Names of the experiments with claims, by where they stand in the paper."""
    sources = {
        one.experiment.name: one.experiment.source for one in found if one.experiment.point_checks
    }
    return sorted(sources, key=lambda name: sources[name])


def verdicts(found: list[Recorded]) -> Iterator[tuple[Recorded, claims.Finding]]:
    for name in _checked(found):
        for one in _of(found, name):
            for claim, check in one.experiment.point_checks.items():
                yield one, claims.find_points(claim, check, one.rows)


def _verdicts(found, columns):
    lines: dict[tuple[str, str], dict] = {}
    for one, finding in verdicts(found):
        cells = lines.setdefault((finding.claim, one.experiment.source), {})
        games = "[%s games](%s/report.md)" % (number(finding.games), one.name)
        cells[one.column] = "%s, %s" % (_verdict(finding), games)
    head = ["claim", "in the paper", *map(_named, columns)]
    return head, [
        [claim, source, *(cells.get(column, "not played") for column in columns)]
        for (claim, source), cells in lines.items()
    ]


def _verdict(finding):
    if finding.verdict != claims.UNDECIDED:
        return "**%s**" % finding.verdict
    every = finding.holds + finding.open
    return finding.verdict + (": %d of %d hold" % (finding.holds, every) if every > 1 else "")


def _points(ones, columns):
    """A line for each point: what the paper has, and what was won here."""
    points = ones[0].experiment.points
    lines = [
        [_name(point), "" if point.paper is None else "%.1f" % point.paper] for point in points
    ]
    played = [column for column in columns if any(one.column == column for one in ones)]
    for column in played:
        (one,) = (one for one in ones if one.column == column)
        for line, row in zip(lines, one.rows, strict=True):
            line.append(_rate(row))
    return ["player", "paper %", *map(_named, played)], lines


def _name(point):
    settings = [plots.setting(key, value) for key, value in point.named.items()]
    return ", ".join([point.label, *settings])


def _rate(row):
    if row["rate"] is None:
        return ""
    by_pairs = row.get("pairs_low") is not None
    low, high = (row["pairs_low"], row["pairs_high"]) if by_pairs else (row["low"], row["high"])
    return "%.1f (%.1f to %.1f), %d games" % (row["rate"], low, high, row["games"])


def _place(column):
    """The paper's own preset first, then by size."""
    preset, scale, seed = column
    return preset != "paper", preset, -scale, seed


def _named(column):
    preset, scale, seed = column
    words = [{1: "full size", 0.1: "a tenth of the size"}.get(scale, "%g of the size" % scale)]
    words += [] if preset == "paper" else ["preset %s" % preset]
    words += [] if seed == 1 else ["seed %d" % seed]
    return ", ".join(words)


def _table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| %s |" % " | ".join(cells) for cells in rows)
