"""Which playout policies a player that switches between some has chosen: box plots.

A box is of games: in each, the share of a policy in all playouts that the player made.
"""

import json
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from picograve.errors import RunFailed

from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import plots, tournament
from picograve_host.outside import Named, Whole, clean

BOXES_A_ROW = 3
COUNTS = Named(50, Whole(0, 2**50))  # playouts of a game by policy
Shares = dict[str, dict[str, list[float]]]  # player: policy: its share of each game's playouts


def shares_of(experiment: Experiment, store: Store, games: int) -> Shares:
    """{player: {policy: [its share of a game's playouts, 0 to 1]}} of those who switch."""
    shares = {label: _shares(experiment, label, store, games) for label in experiment.players}
    return {label: policies for label, policies in shares.items() if policies}


def _shares(experiment, label, store, games):
    policies: dict = {}
    for point, seat, _ in tournament.seats_of(experiment, label):
        for text in store.column(point.key, games, seat + "_choices"):
            for policy, share in _shares_in(text).items():
                policies.setdefault(policy, []).append(share)
    return policies


def _shares_in(text):
    """{policy: its share of a game's playouts} of what is recorded."""
    try:
        counts = COUNTS.check(json.loads(text))
    except (TypeError, ValueError, RecursionError):
        raise RunFailed(
            "a game is recorded whose choices cannot be: %s" % clean(text, 60)
        ) from None
    total = max(1, sum(counts.values()))
    return {policy: count / total for policy, count in counts.items()}


def summary(shares: Shares) -> list[dict[str, Any]]:
    """What the boxes show, in per cent: one dict per player and policy."""
    return [
        dict(
            player=label,
            policy=policy,
            games=len(values),
            **{name: round(100 * mark, 1) for name, mark in marks_of(values).items()},
        )
        for label, policies in shares.items()
        for policy, values in policies.items()
    ]


def marks_of(values: list[float]) -> dict[str, float]:
    quarters = quantiles(values, method="inclusive") if len(values) > 1 else values * 3
    lower, median, upper = quarters
    return {
        "least": min(values),
        "1/4": lower,
        "median": median,
        "3/4": upper,
        "most": max(values),
        "mean": mean(values),
    }


def draw(shares: Shares, title: str, folder: Path) -> tuple[Path, Path]:
    """Write choices.svg and choices.png, one panel per player; their paths."""
    with plots.new_figure(title) as figure:
        across = min(len(shares), BOXES_A_ROW)
        down = -(-len(shares) // across)
        figure.set_size_inches(max(5, 4 * across), 1 + 3.2 * down)
        figure.subplots(down, across, squeeze=False)
        for axes, (label, policies) in zip(figure.axes, shares.items(), strict=False):
            _draw_boxes(axes, policies)
            axes.set_title(label, fontsize=10)
        for axes in figure.axes[len(shares) :]:
            axes.set_axis_off()
        figure.axes[0].set_ylabel("share of a game's playouts, %")
        return plots.save(figure, folder, "choices")


def _draw_boxes(axes, policies):
    """Boxes from quarter to quarter, whiskers to the ends, a diamond at the mean."""
    names = ("whislo", "q1", "med", "q3", "whishi", "mean")  # matplotlib's
    marks = [[100 * mark for mark in marks_of(values).values()] for values in policies.values()]
    axes.bxp(
        [dict(zip(names, box, strict=True)) for box in marks],
        showfliers=False,
        showmeans=True,
        medianprops=dict(color=plots.COLOURS[1]),
        meanprops=dict(marker="D", ms=5, mfc=plots.COLOURS[0], mec=plots.COLOURS[0]),
    )
    axes.set_xticks(range(1, len(policies) + 1), policies, fontsize=8)
