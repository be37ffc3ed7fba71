"""The pool of nodes as a picture, read straight from a searcher's buffers.

Three bytes for each node: its kind (FREE, TOP, SECOND, and NEW more if it has become another node
since the last look), its age in the LRU list (0: just used, 255: the next to go, or 0 where there
is no list), and the logarithm of its visits. Only between two slices of a search: see watching.py.
"""

import base64
from typing import TYPE_CHECKING, Any

import numpy
from picograve.mcts import tree

if TYPE_CHECKING:
    from picograve import Searcher

FREE, TOP, SECOND, NEW = 0, 1, 2, 4
MOST_NODES = 16384  # that are shown, the first ones
OLDEST = 255
VISITS_STEP = 16  # in the picture, for twice the visits


class Pool:
    """Looks at the pool of one searcher again and again."""

    def __init__(self, searcher: "Searcher") -> None:
        self._searcher = searcher
        self._before: Any = None  # which node was where at the last look

    def picture(self) -> dict[str, Any]:
        """All nodes as the page gets them."""
        cells = self.cells()
        text = base64.b64encode(cells.tobytes()).decode()
        return dict(nodes=self._searcher.ledger.nodes, shown=len(cells), cells=text)

    def cells(self) -> Any:
        """An array of (kind, age, visits) for each node."""
        shown = min(self._searcher.ledger.nodes, MOST_NODES)
        cells = numpy.zeros((shown, 3), numpy.uint8)
        for level, kind in enumerate((TOP, SECOND)):
            nodes = self._used(level)
            nodes = nodes[nodes < shown]
            cells[nodes, 0] = kind
            cells[:, 1] |= self._ages(level, shown)
        visits = self._array("node_visits")[:shown]
        cells[:, 2] = VISITS_STEP * numpy.log2(1.0 + visits) * (cells[:, 0] != FREE)
        identity = self._array("node_parent")[:shown] * 65536 + self._array("node_move")[:shown]
        identity[cells[:, 0] == FREE] = -1
        if self._before is not None:
            cells[(identity != self._before) & (identity != -1), 0] |= NEW
        self._before = identity
        return cells

    def _array(self, name):
        return numpy.array(self._searcher.buffers[name], numpy.int64)

    def _field(self, level, field):
        return int(self._searcher.buffers["pools"][level * tree._LEVEL + field])

    def _used(self, level):
        """The nodes of a level's pool that are in the tree: neither fresh nor given back."""
        first, fresh = self._field(level, tree._FIRST), self._field(level, tree._FRESH)
        used = numpy.ones(max(fresh - first, 0), bool)
        sibling = self._searcher.buffers["node_sibling"]
        node = self._field(level, tree._FREE)
        while node != tree._NONE:
            used[node - first] = False
            node = int(sibling[node])
        return first + numpy.flatnonzero(used)

    def _ages(self, level, shown):
        ages = numpy.zeros(shown, numpy.uint8)
        if self._field(level, tree._RECYCLES) != tree.LRU:
            return ages
        older = self._searcher.buffers["lru_older"]
        order = []
        node = self._field(level, tree._NEWEST)
        while node != tree._NONE:
            order.append(node)
            node = int(older[node])
        nodes = numpy.array(order, numpy.int64)
        scale = numpy.linspace(0, OLDEST, len(order)).astype(numpy.uint8)
        ages[nodes[nodes < shown]] = scale[nodes < shown]
        return ages
