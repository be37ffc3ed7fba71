"""The plot of an experiment: win rates with their intervals, the paper's beside ours.

With [plot] in the file: lines along its x, in panels, or bars (outcomes.py); a player without
that setting is a level, a line across. Without, and for a round robin: one row per player. Ours
is solid, the paper's dashed in the same colour; the dotted lines are the interval of the opponent
against itself, between which a player counts as its equal. A point that the SPRT decided is a
cross without an interval, because its rate is no measurement.

Equal data gives equal bytes: no date, no random names in the SVG.
"""

import contextlib
import textwrap
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from picograve_tools.cache import package

from picograve_host.lab.plan.experiment import Experiment, Point
from picograve_host.lab.report import outcomes
from picograve_host.players.kinds import name_of
from picograve_host.rating import Rate
from picograve_host.words import number

COLOURS = (
    "#1b6ca8", "#c8553d", "#588157", "#7b5ea7", "#d69a2d", "#3a9d9d", "#a8577e", "#6b5b4b",
    "#333333", "#8fb339",
)  # fmt: skip
MARKERS = "os^Dv<>PX"  # one less than colours, so that no two lines look the same
GREY = "#666666"
STYLE = {
    "svg.fonttype": "none",  # letters as letters: half the bytes
    "svg.hashsalt": "picograve",
    "text.parse_math": False,  # names are the user's, and may have dollars
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid.axis": "y",
    "axes.grid": True,
    "grid.color": "#eeeeee",
    "axes.axisbelow": True,
}
SYMBOLS = {
    "nodes": "N",
    "playouts": "P",
    "lambda": "λ",
    "ratio_top": "P_top / N_top",
    "ratio_second": "P_sec / N_sec",
}
MEANINGS = {
    "nodes": "N, nodes",
    "playouts": "P, playouts",
    "lambda": "λ, the second level's share of the nodes",
    "ratio_top": "P_top / N_top, playouts per node of the top level",
    "ratio_second": "P_sec / N_sec, playouts per node of the second level",
}
WON = "games won, %"
CROWDED = 6  # with more lines their intervals are faint
DODGE = 3  # points between lines at the same x, so that their intervals can be told apart

Panel = namedtuple("Panel", ("x", "title", "lines"))
Line = namedtuple(
    "Line",
    (
        "label",  # the player's name in the file
        "rest",  # its settings that vary besides x, in words; may be empty
        "dots",  # [(x, row of table.rows_of)], ascending
    ),
)


def draw(
    experiment: Experiment, rows: list[dict[str, Any]], of_itself: Rate | None, folder: Path
) -> tuple[Path, Path]:
    """Write plot.svg and plot.png; their paths. `of_itself`: Rate of the opponent, or None."""
    with new_figure(experiment.title) as figure:
        if experiment.round_robin:
            rows = [dict(row, rate=row["won"]) for row in rows]
            _draw_rows(figure, experiment, rows, None, [row["player"] for row in rows])
        elif experiment.plot.get("outcomes"):
            outcomes.draw(figure, experiment, rows)
        elif panels := list(panels_of(experiment, rows)):
            _draw_lines(figure, experiment, panels, rows, of_itself)
        else:
            names = list(map(name_of_point, experiment.points))
            _draw_rows(figure, experiment, rows, of_itself, names)
        return save(figure, folder, "plot")


@contextlib.contextmanager
def new_figure(title: str) -> Iterator[Any]:
    """An empty figure, to be drawn and saved in a `with`."""
    matplotlib = package("matplotlib", "lab")
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(layout="constrained")
        figure.suptitle(textwrap.fill(title, 90), fontsize=11)
        yield figure


def save(figure: Any, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a figure as SVG and as PNG; their paths."""
    svg, png = (Path(folder) / (name + kind) for kind in (".svg", ".png"))
    figure.savefig(svg, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    figure.savefig(png, dpi=150)
    return svg, png


def setting(axis: str, value: Any) -> str:
    """A swept value in words: λ = 0.5."""
    return "%s = %s" % (SYMBOLS.get(axis, axis), number(value))


def name_of_point(point: Point) -> str:
    name = " against ".join(filter(None, (point.label, point.against)))
    return ", ".join([name, *(setting(axis, value) for axis, value in point.at.items())])


# What goes where.


def panels_of(experiment: Experiment, rows: list[dict[str, Any]]) -> Iterator[Panel]:
    pairs = list(zip(experiment.points, rows, strict=True))
    for x in keys(experiment):
        here = [pair for pair in pairs if x in pair[0].at]
        apart = experiment.plot.get("panels")
        for value in dict.fromkeys(point.at.get(apart) for point, _ in here):
            lines = lines_of([pair for pair in here if pair[0].at.get(apart) == value], x)
            labels = {line.label for line in lines}
            titles = [*labels] if len(labels) == 1 else []
            titles += [] if value is None else [setting(apart, value)]
            yield Panel(x, ", ".join(titles), lines)


def keys(experiment: Experiment) -> list[str]:
    """The keys of [plot] x: a list, empty without."""
    x = experiment.plot.get("x", [])
    return x if isinstance(x, list) else [x]


def lines_of(pairs: list[tuple[Point, dict[str, Any]]], x: str) -> list[Line]:
    """Lines along x through these points and their rows: one for each player and combination
    of what varies besides."""
    lines: dict[tuple[str, str], list] = {}
    for point, row in pairs:
        like = [other for other, _ in pairs if other.label == point.label]
        rest = ", ".join(
            setting(axis, value)
            for axis, value in point.at.items()
            if axis != x and len({other.at.get(axis) for other in like}) > 1
        )
        lines.setdefault((point.label, rest), []).append((point.at[x], row))
    return [Line(*key, sorted(dots, key=_place)) for key, dots in lines.items()]


def _place(dot):
    """Where a dot comes along x: by its number; words stay as the file has them."""
    return 0 if isinstance(dot[0], str) else dot[0]


# Lines in panels.

PANELS_A_ROW = 3


def _draw_lines(figure, experiment, panels, rows, of_itself):
    across = min(len(panels), PANELS_A_ROW)
    down = -(-len(panels) // across)
    figure.set_size_inches(8 if across == 1 else 4.4 * across, 1 + 4 * down)
    figure.subplots(down, across, sharey=True)
    names = dict.fromkeys(_name(panel, line) for panel in panels for line in panel.lines)
    looks = {
        name: dict(color=COLOURS[place % len(COLOURS)], marker=MARKERS[place % len(MARKERS)])
        for place, name in enumerate(names)
    }
    for axes, panel in zip(figure.axes, panels, strict=False):
        _draw_panel(axes, experiment, panel, looks)
        _draw_levels(axes, experiment, rows)
        _draw_band(axes.axhline, of_itself)
    for axes in figure.axes[len(panels) :]:
        axes.set_axis_off()
    figure.axes[0].set_ylabel(WON)
    _keep_within(figure.axes[0].get_ylim, figure.axes[0].set_ylim)
    _legend(figure, experiment, rows, of_itself, _samples(looks))


def _draw_panel(axes, experiment, panel, looks):
    for place, line in enumerate(panel.lines):
        artists = _draw_line(axes, line.dots, looks[_name(panel, line)])
        if len(panel.lines) > CROWDED:
            for interval in artists[1:]:
                interval.set_alpha(0.35)
        _shift(axes, artists, place - (len(panel.lines) - 1) / 2)
    colours = {line.label: looks[_name(panel, line)]["color"] for line in panel.lines[::-1]}
    for label, threshold in thresholds_of(experiment, panel.x).items():
        if label in colours:
            axes.axvline(threshold, color=colours[label], ls=(0, (6, 3)), lw=0.8, alpha=0.7)
    if experiment.plot.get("log"):
        axes.set_xscale("log")
    _set_ticks(axes, sorted({x for line in panel.lines for x, _ in line.dots}))
    axes.set_xlabel(MEANINGS.get(panel.x, panel.x))
    axes.set_title(panel.title, fontsize=10)


def _draw_levels(axes, experiment, rows):
    """Players that have no place along x, such as another program: their names on their lines."""
    for point, row in zip(experiment.points, rows, strict=True):
        if row["rate"] is not None and not set(keys(experiment)) & set(point.at):
            axes.axhline(row["rate"], color=GREY, ls="-.", lw=1)
            axes.text(
                0.01, row["rate"], point.label, transform=axes.get_yaxis_transform(),
                color=GREY, fontsize=7, va="bottom",
            )  # fmt: skip


def _draw_line(axes, dots, look):
    """The paper's values and ours; what was drawn."""
    artists = []
    paper = [(x, row["paper"]) for x, row in dots if row["paper"] is not None]
    if paper:
        artists += axes.plot(*zip(*paper, strict=True), "--", mfc="white", ms=4, lw=1, **look)
    measured = [(x, row) for x, row in dots if row["rate"] is not None and not row.get("sprt")]
    if measured:
        places = [x for x, _ in measured]
        rates, errors = _rates_and_errors([row for _, row in measured])
        bars = axes.errorbar(
            places, rates, errors, ms=5, lw=1.6, elinewidth=0.8, capsize=2.5, **look
        )
        artists += bars.get_children()
    decided = [(x, row["rate"]) for x, row in dots if row.get("sprt")]
    if decided:
        artists += axes.plot(*zip(*decided, strict=True), "x", color=look["color"])
    return artists


def _shift(axes, artists, steps):
    """Move along x by so many steps of DODGE."""
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(steps * DODGE / 72, 0, axes.figure.dpi_scale_trans)
    for artist in artists:
        artist.set_transform(axes.transData + shift)


def _rates_and_errors(rows):
    """What errorbar takes. A rate of 100 % lies above the middle of its interval."""
    rates = [row["rate"] for row in rows]
    below = [max(0, row["rate"] - row["low"]) for row in rows]
    above = [max(0, row["high"] - row["rate"]) for row in rows]
    return rates, [below, above]


def thresholds_of(experiment: Experiment, x: str) -> dict[str, float]:
    """{label: where the paper's threshold lies along x, at the experiment's scale}."""
    players = {point.label: point.match["player"] for point in experiment.points if x in point.at}
    return {
        label: experiment.scaled(x, value, players[label])
        for label, value in experiment.thresholds.items()
        if label in players
    }


def _set_ticks(axes, places):
    if not places or isinstance(places[0], str):
        return
    crowded = len(places) * axes.get_gridspec().ncols > 10
    axes.set_xticks(places, map(number, places), fontsize=8, rotation=45 if crowded else 0)
    axes.minorticks_off()


def _name(panel, line):
    """A line's name in the legend; a panel of one player has that in its title."""
    parts = [line.label] if len({other.label for other in panel.lines}) > 1 else []
    return ", ".join([*parts, line.rest] if line.rest else parts) or line.label


# One row per player.


def _draw_rows(figure, experiment, rows, of_itself, names):
    figure.set_size_inches(8, 1.6 + 0.4 * len(rows))
    axes = figure.subplots()
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x")
    ours, paper = dict(color=COLOURS[0], marker="o"), dict(color=COLOURS[1], marker="D")
    for place, row in enumerate(rows):
        if row.get("sprt"):
            axes.plot(row["rate"], place, "x", color=ours["color"])
        elif row["rate"] is not None:
            rates, errors = _rates_and_errors([row])
            axes.errorbar(rates, [place], xerr=errors, ms=6, lw=1.6, capsize=3, **ours)
        if row["paper"] is not None:
            axes.plot(row["paper"], place, mfc="none", ms=7, ls="", **paper)
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(WON)
    _draw_band(axes.axvline, of_itself)
    _keep_within(axes.get_xlim, axes.set_xlim)
    _legend(figure, experiment, rows, of_itself, [("here, with 95 %", dict(ours, ls="-"))], paper)


# Both.


def _draw_band(line, of_itself):
    line(50, color=GREY, lw=0.6)
    if of_itself:
        for edge in (of_itself.low, of_itself.high):
            line(round(100 * edge, 1), color=GREY, ls=":", lw=1.2)


def _keep_within(get, put):
    """Per cent end at 0 and 100, with room for a marker there; 40 to 60 is always in view."""
    low, high = get()
    put(min(40, max(low, -2)), max(60, min(high, 102)))


def _samples(looks):
    return [(name, dict(look, ls="-")) for name, look in looks.items()]


def _legend(figure, experiment, rows, of_itself, samples, paper=None):
    """`samples`: [(name, look)] of our lines. `paper`: look of the paper's values."""
    from matplotlib.lines import Line2D

    if any(row["paper"] is not None for row in rows):
        look = paper or dict(color=GREY, marker="o", ls="--")
        at_full_size = "" if experiment.scale == 1 else ", at full size"
        samples.append(("the paper" + at_full_size, dict(look, mfc="white")))
    if any(thresholds_of(experiment, x) for x in keys(experiment)):
        samples.append(("equal in the paper from here on", dict(color=GREY, ls=(0, (6, 3)))))
    if any(row.get("sprt") for row in rows):
        samples.append(("decided by SPRT, not a measurement", dict(color=GREY, marker="x", ls="")))
    if of_itself:
        itself = "%s against itself, 95 %%" % name_of(experiment.opponent)
        samples.append((itself, dict(color=GREY, ls=":")))
    handles = [
        Line2D([], [], label=name, **{"lw": 1.2, "ls": "", "ms": 5, **look})
        for name, look in samples
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8, frameon=False)
