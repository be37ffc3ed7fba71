"""Numbers as people write them, and texts that fit a terminal."""

import textwrap
from typing import Any


def number(value: Any) -> str:
    """With commas from 10,000 on; texts stay as they are."""
    if isinstance(value, float):
        return "%g" % value
    return f"{value:,}" if isinstance(value, int) and value >= 10000 else str(value)


def in_cell(value: Any) -> Any:
    """As a cell of a CSV file: a text that a spreadsheet would take for a formula and reckon with
    gets a quote in front."""
    is_formula = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return "'" + value if is_formula else value


def in_lines(text: str, indent: int = 0) -> str:
    """In lines of less than 80 characters; those after the first are indented."""
    return textwrap.fill(text, 79, subsequent_indent=indent * " ", break_on_hyphens=False)
