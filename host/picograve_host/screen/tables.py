"""Tables as plain text in columns, which is the same on a terminal and in a file."""

import io
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDE = 10000  # columns: a table is as wide as it is, and a terminal may scroll or wrap


def in_columns(lines: Sequence[Sequence[str]], left: int = 1) -> str:
    """Lines of texts as one text; the first `left` columns to the left, the others to the right."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for place in range(len(lines[0])):
        table.add_column(justify="left" if place < left else "right", no_wrap=True)
    for line in lines:
        table.add_row(*map(Text, line))
    text = io.StringIO()
    Console(file=text, width=WIDE, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())
