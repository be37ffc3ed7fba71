"""Wins, draws and losses apart: columns of the table and stacked bars, for [plot] outcomes.

Where a player plays itself, table.py counts the wins of who moves first.
"""

from typing import Any

from picograve_host.lab.plan.experiment import Experiment

COLOURS = ("#588157", "#cccccc", "#c8553d")


def names(experiment: Experiment) -> tuple[str, str, str]:
    if experiment.plays_itself:
        return "first won %", "drawn %", "second won %"
    return "won %", "drawn %", "lost %"


def shares(row: dict[str, Any]) -> list[float]:
    """Per cent of a row of table.rows_of that has games, in the order of `names`."""
    return [round(100 * row[name] / row["games"], 1) for name in ("wins", "draws", "losses")]


def draw(figure: Any, experiment: Experiment, rows: list[dict[str, Any]]) -> None:
    """One bar per point, one panel per player."""
    from matplotlib.patches import Patch

    labels = list(dict.fromkeys(point.label for point in experiment.points))
    figure.set_size_inches(8, 1 + 3 * len(labels))
    figure.subplots(len(labels), 1, squeeze=False)
    for axes, label in zip(figure.axes, labels, strict=True):
        bars = [
            (", ".join(map(str, point.at.values())), shares(row))
            for point, row in zip(experiment.points, rows, strict=True)
            if point.label == label and row["games"]
        ]
        _draw_bars(axes, bars)
        axes.set_title(label, fontsize=10)
        axes.set_ylabel("games, %")
        axes.set_ylim(0, 100)
    handles = [
        Patch(color=colour, label=name.removesuffix(" %"))
        for name, colour in zip(names(experiment), COLOURS, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8, frameon=False)


def _draw_bars(axes, bars):
    places = range(len(bars))
    below = [0] * len(bars)
    for part, colour in enumerate(COLOURS):
        heights = [shares[part] for _, shares in bars]
        axes.bar(places, heights, 0.8, below, color=colour)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set_xticks(places, [name for name, _ in bars], fontsize=8)
