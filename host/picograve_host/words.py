"""Numbers as people write them."""

from typing import Any


def number(value: Any) -> str:
    """With commas from 10,000 on; texts stay as they are."""
    if isinstance(value, float):
        return "%g" % value
    return f"{value:,}" if isinstance(value, int) and value >= 10000 else str(value)
