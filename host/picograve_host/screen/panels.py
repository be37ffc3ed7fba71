"""Tables and bars beside a board: what a search considers, its chances, its memory."""

import base64
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.bar import Bar
from rich.progress_bar import ProgressBar
from rich.table import Table

from picograve_host.play.pool import FREE, NEW
from picograve_host.words import number

BAR = 20  # columns
Candidates = Iterable[tuple[str, int, float]]  # (move, visits, value), the best first


def candidates(rows: Candidates, most: int) -> Table:
    table = Table("", "move", "visits", "value", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[2:]:
        column.justify = "right"
    for rank, (move, visits, value) in enumerate(rows, 1):
        if rank <= most:
            table.add_row(str(rank), move, number(visits), percent(value))
    return table


def figures(rows: Iterable[Sequence[Any]]) -> Table:
    """Lines of a name and what belongs to it: texts or bars."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def chance(share: float) -> ProgressBar:
    return ProgressBar(total=1, completed=share, width=BAR)


def part(amount: float, whole: float) -> ProgressBar:
    """A bar that is as full as the amount's part of the whole."""
    return ProgressBar(total=max(whole, 1), completed=amount, width=BAR)


def memory(bytes_: int, most: int) -> Bar:
    """Bytes beside the most bytes that are to be seen."""
    return Bar(most, 0, bytes_, width=BAR, color="#4dabf7")


def nodes_in_use(pool: dict[str, Any]) -> int:
    """Of those nodes that a picture of the pool shows (play/pool.py)."""
    kinds = base64.b64decode(pool["cells"])[::3]
    return sum(kind & ~NEW != FREE for kind in kinds)


def percent(share: float) -> str:
    return "%.1f %%" % (100 * share)
