"""UCB1-Tuned: UCB1 whose exploration follows from the spread of a child's values, so it has no
constant (P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time Analysis of the Multiarmed Bandit
Problem"). The arrays are those of tree.py; mcts/reward/totals.py sums the squares.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.select.least import least
from picograve.mcts.select.ucb import log, square_root

_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_EXTRA = const(14)  # = picograve.mcts.tree._EXTRA
_WIDE = const(9)  # = picograve.mcts.tree._WIDE
_BY_DEGREES = const(1)  # = picograve.mcts.tree.TOTALS
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_POINT_SHIFT = const(14)  # = picograve.mcts.tree._POINT_SHIFT
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_WIDE_SHIFT = const(2)  # = picograve.mcts.select.ucb._WIDE_SHIFT
_PLACES = const(8191)  # the places of a mean
_MOST = const(2048)  # 1/4: a variance of values from 0 to 1 is no larger

USES = ("variant",)
SQUARES = True  # it wants the sum of squares in each node


def parameters(config):
    return ()


@micropython.viper
def width(mean: int, mean_square: int, ratio: int) -> int:
    # l * min(1/4, S / v - x * x + sqrt(2 * l)) of `select`, with 26 binary places as l has.
    variance = (mean_square >> _WIDE_SHIFT) - ((mean * mean) >> _MEAN_SHIFT)
    if variance < 0:  # rounded
        variance = 0
    missing = _MOST - variance
    if missing <= 0 or missing * missing <= 2 * ratio:
        variance = _MOST
    else:
        variance += int(square_root(2 * ratio))
    square = (ratio >> _MEAN_SHIFT) * variance
    return square + (((ratio & _PLACES) * variance) >> _MEAN_SHIFT)


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with the largest
    #   x + sqrt(l * min(1/4, S / v - x * x + sqrt(2 * l))),  l = ln(visits) / v
    # (x: its mean, v: its visits, S: its sum of squares). Squares have 26 binary places, all else
    # 13. Roots are taken where nothing cheaper decides: most children can be left out, because 1/4
    # would not make them lead, and most others do reach 1/4. A tangent tells of many, as in uct.py.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    totals = ptr32(tree[_TOTALS])
    squares = ptr32(tree[_EXTRA])
    sibling = ptr16(tree[_SIBLING])
    by_degrees = ptr32(tree[_POOLS])[_WIDE] & _BY_DEGREES
    first = int(ptr16(tree[_CHILD])[node])
    missing = 0
    if grows != 0 or first == _NONE:
        missing = count
        if visits[node] <= count:
            choice = int(least(buffers, node, count, start))
            if choice >= _NEW:
                return choice
    spread = int(log(int(visits[node]))) << _MEAN_SHIFT  # 26 places
    best = first
    value = 0
    slope = 0
    offset = 0
    k = first
    while k != _NONE:
        missing -= 1
        v = int(visits[k])
        if by_degrees == 0:
            total = int(points[k]) << _POINT_SHIFT
        else:
            total = int(totals[k])
        if slope * v <= total + offset:
            mean = (total // v) >> _WIDE_SHIFT
            ratio = spread // v
            lack = value - mean
            if lack < 0 or (lack + 1) * (lack + 1) <= ratio >> 2:
                square = int(width(mean, int(squares[k]) // v, ratio))
                if lack < 0 or (lack + 1) * (lack + 1) <= square:
                    best = k
                    root = int(square_root(square))
                    value = mean + root
                    if square != ratio >> 2:
                        root = int(square_root(ratio >> 2))
                    root += 1  # no less than it is
                    slope = 4 * value + 4 - 2 * root
                    offset = 2 * root * v
        k = int(sibling[k])
    if missing > 0:
        choice = int(least(buffers, node, count, start))
        if choice >= _NEW:
            return choice
    return best
