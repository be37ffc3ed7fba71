"""What a search reports: its figures by name, listed once.

The result of a search, a board's answer to `result`, what a player on the host reports, the
records of a match and the columns of the lab's store follow from here. To add a figure, add its
name here and compute it in a thinker's result(); from other thinkers it is None.

Numbers are whole ones, because a chip's floats are short: a move's value is its points, divided
by weight * scale.
"""

from collections import namedtuple

from picograve.value import share

FIGURES = (
    "move",  # text of the best move
    "points",  # what it is worth to the player to move, summed over
    "weight",  # so many visits,
    "scale",  # for a win so many each (picograve.value)
    "playouts",  # or positions looked at, or episodes
    "playouts_saved",  # by stopping second-level searches early
    "nodes_used",
    "nodes_recycled",
    "bytes",  # of the ledger
    "tree_hash",  # of a table, where there is no tree; takes a while
    "choices",  # {playout policy: playouts}, where there are several
    "depth",  # plies looked ahead, by alpha-beta
)
# Of a search under way, measured by whoever runs it; the heap's by boards only, in bytes.
MEASURED = ("microseconds", "heap_used", "heap_free", "heap_largest")

# value: the move's mean, 0 to 1; visits: {text of a root move: its weight}, best first, or None
Result = namedtuple("Result", ("value", "visits") + FIGURES)


def report(visits, **figures):
    """A Result; a figure that is not given is None."""
    value = share(figures["points"], figures["weight"], figures["scale"])
    return Result(value, visits, *[figures.get(name) for name in FIGURES])
