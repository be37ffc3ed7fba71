"""The pool of nodes as pages get it: three bytes for each node.

Its kind (FREE, TOP, SECOND, and NEW more if it has become another node since the last look), its
age in the LRU list (0: just used, 255: the next to go, or 0 where there is no list), and the
logarithm of its visits, 16 more for twice as many.
"""

import base64
from typing import TYPE_CHECKING, Any

from picograve.mcts import pool

if TYPE_CHECKING:
    from picograve_host.players.pool import Pool

FREE, TOP, SECOND, NEW = 0, 1, 2, 4


def _table(value):
    """From every cell of picograve.mcts.pool to a byte for the page."""
    return bytes(value(cell, cell % pool.NEW) for cell in range(256))


AGE = _table(lambda _, cell: max(cell // pool.STEP - 1, 0) * 255 // pool.OLDEST)
VISITS = _table(lambda _, cell: cell % pool.STEP * 16)
KINDS = [
    _table(lambda cell, known, kind=kind: (kind if known else FREE) + NEW * (cell >= pool.NEW))
    for kind in (TOP, SECOND)
]


def picture(seen: "Pool") -> dict[str, Any]:
    """All nodes as the page gets them."""
    cells = base64.b64encode(cells_of(seen)).decode()
    return dict(nodes=seen.nodes, shown=len(seen.cells), cells=cells)


def cells_of(seen: "Pool") -> bytes:
    """Kind, age and visits of each node."""
    given, top = bytes(seen.cells), seen.nodes_top
    cells = bytearray(3 * len(given))
    cells[0::3] = given[:top].translate(KINDS[0]) + given[top:].translate(KINDS[1])
    cells[1::3] = given.translate(AGE)
    cells[2::3] = given.translate(VISITS)
    return bytes(cells)
