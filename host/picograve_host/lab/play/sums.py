"""What the searches of one player in a game amount to: a column of the store for each figure.

The figures are those of picograve.figures. A number's mean is kept unless another way is named
here; of figures that are dictionaries, such as the playouts by policy, the sums as JSON.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from picograve_host.players.thought import Thought

OF_ONE_SEARCH = (
    "value", "move", "points", "weight", "scale", "bytes", "tree_hash", "microseconds",
)  # fmt: skip
WAYS: dict[str, Callable] = dict(
    playouts=sum, playouts_saved=sum, seconds=sum, nodes_used=max, nodes_recycled=sum,
    heap_used=max, heap_free=min, heap_largest=min,
)  # fmt: skip
FIGURES = ("moves", *(name for name in Thought._fields if name not in OF_ONE_SEARCH))


def summed(thoughts: Sequence[Thought]) -> dict[str, Any]:
    """{figure: what is kept of it}; None where no search had it."""
    sums = {name: _sum(name, [getattr(t, name) for t in thoughts]) for name in FIGURES[1:]}
    return dict(sums, moves=len(thoughts))


def _sum(name, values):
    values = [value for value in values if value is not None]
    if not values:
        return None
    if isinstance(values[0], dict):
        total: Counter[str] = Counter()
        for value in values:
            total.update(value)
        return json.dumps(total, sort_keys=True)
    return round(WAYS[name](values) if name in WAYS else sum(values) / len(values), 4)
