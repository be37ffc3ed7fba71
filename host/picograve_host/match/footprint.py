"""The picture of a match: the board's memory move by move, beside its nodes.

The lines are what the board measured itself (picograve_board.heap); on a desktop, which
reports no heap, only the ledger is drawn.
"""

from pathlib import Path
from typing import Any

from picograve_tools.cache import package

COLOURS = dict(
    ledger="#1b6ca8", used="#c8553d", total="#444444", largest="#588157", nodes="#7b5ea7"
)


def draw(moves: list[dict[str, Any]], title: str, folder: str | Path) -> list[Path]:
    """Write footprint.png and footprint.svg of the board's moves; their paths."""
    matplotlib = package("matplotlib", "lab")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters as letters: half the bytes
    from matplotlib import pyplot

    figure, (memory, nodes) = pyplot.subplots(
        2, 1, sharex=True, figsize=(8, 6), height_ratios=(3, 1), layout="constrained"
    )
    plies = range(1, len(moves) + 1)
    _line(memory, plies, moves, "bytes", "ledger: the search", COLOURS["ledger"])
    if moves[0]["heap_used"] is not None:
        _line(memory, plies, moves, "heap_used", "heap used: search, code, rest", COLOURS["used"])
        _line(memory, plies, moves, "heap_largest", "largest free block", COLOURS["largest"])
        total = [(move["heap_used"] + move["heap_free"]) / 1000 for move in moves]
        memory.plot(plies, total, "--", color=COLOURS["total"], label="the whole heap")
    memory.set_ylim(bottom=0)
    memory.set_ylabel("kB")
    memory.set_title(title, fontsize=8)
    used, recycled = ([move[k] for move in moves] for k in ("nodes_used", "nodes_recycled"))
    nodes.plot(plies, used, color=COLOURS["nodes"], label="nodes used in the search")
    nodes.plot(plies, recycled, ":", color=COLOURS["nodes"], label="nodes recycled in it")
    nodes.set_ylim(bottom=0)
    nodes.set_ylabel("nodes")
    nodes.set_xlabel("the board's moves")
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    paths = [Path(folder) / ("footprint." + kind) for kind in ("png", "svg")]
    for path in paths:
        figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return paths


def _line(axes, plies, moves, field, label, colour):
    axes.plot(plies, [move[field] / 1000 for move in moves], label=label, color=colour)
