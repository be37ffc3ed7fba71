"""The pool of a search's nodes as whoever watches has seen it, on this desktop or on a board.

What a cell is, and how changes of cells are written: picograve.mcts.pool.
"""

from typing import TYPE_CHECKING

from picograve.mcts.pool import NEW, STEP

if TYPE_CHECKING:
    from picograve import Ledger

KNOWN = bytes(cell % NEW for cell in range(256))  # of a cell that is no longer new


class Pool:
    """A picture that looks keep up to date."""

    def __init__(self, ledger: "Ledger", most: int) -> None:
        self.nodes = ledger.nodes
        self.nodes_top = ledger.nodes_top  # the first of them; the others are the second level's
        self.cells = bytearray(min(self.nodes, most))
        self.look = 0  # number of the last one
        self.playouts = self.microseconds = self.aside = 0  # a board's, at that look

    def take(self, look: int, changes: bytes) -> None:
        """Look number `look` has seen these changes since the one before; number 1 has seen all."""
        if look == 1:
            self.cells = bytearray(len(self.cells))
        self.look = look
        self.cells = self.cells.translate(KNOWN)
        node = 0
        for byte in changes:
            if 0 < byte < STEP:
                node += byte
            else:
                self.cells[node] = byte if look > 1 else byte & ~NEW
                node += 1
