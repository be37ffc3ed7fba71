"""Who won against whom in a round robin, as a picture: a row's wins against a column's player."""

from pathlib import Path
from typing import Any

from picograve_host.lab.report import plots

COLOURS = "RdBu"  # red: lost more; blue: won more; a scale that the colour-blind can read
DARK = 25  # per cent from the middle: a cell so dark has white figures


def draw(rows: list[dict[str, Any]], title: str, folder: Path) -> tuple[Path, Path]:
    """Write heatmap.svg and heatmap.png of the rows of tournament.rows_of; their paths."""
    names = [row["player"] for row in rows]
    with plots.new_figure(title) as figure:
        side = 2 + 0.55 * len(names)
        figure.set_size_inches(side + 1, side)
        axes = figure.subplots()
        axes.grid(visible=False)
        shares = [[_share(row, name) for name in names] for row in rows]
        seen = [[50 if share is None else share for share in line] for line in shares]
        picture = axes.imshow(seen, cmap=COLOURS, vmin=0, vmax=100)
        for y, line in enumerate(shares):
            for x, share in enumerate(line):
                if share is not None:
                    colour = "white" if abs(share - 50) > DARK else "black"
                    look = dict(ha="center", va="center", fontsize=8, color=colour)
                    axes.text(x, y, "%.0f" % share, **look)
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
        axes.set_yticks(range(len(names)), names)
        figure.colorbar(picture, label="points of the row against the column, %")
        return plots.save(figure, folder, "heatmap")


def _share(row, name):
    """Points in per cent against another player; None against itself and before any game."""
    return None if name == row["player"] else row["against"][name]["points"]
