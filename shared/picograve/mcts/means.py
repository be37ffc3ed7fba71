"""Children by their means: the best one, for root policies and for a final move by mean. The arrays
are those of tree.py. A chip loads this file only for a search that asks.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.select.ucb import stretched

_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_EXTRA = const(14)  # = picograve.mcts.tree._EXTRA
_KEPT = const(9)  # = picograve.mcts.tree._WIDE
_BY_DEGREES = const(1)  # = picograve.mcts.tree.TOTALS
_WEIGHTS = const(4)  # = picograve.mcts.tree.WEIGHTS
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_POINT_SHIFT = const(14)  # = picograve.mcts.tree._POINT_SHIFT
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT


@micropython.viper
def weighted_mean(total: int, weight: int) -> int:
    # Of weighted points, with 13 binary places.
    while total >= 262144:  # 18 bits, and 12 more fit
        total = total >> 1
        weight = weight >> 1
    return (total << (_MEAN_SHIFT - 1)) // weight


@micropython.viper
def mean_of(tree, node: int, reach: int) -> int:
    # With 13 binary places; `reach` as in select/ucb.py. With weights: of the weighted points.
    kept = int(ptr32(tree[_POOLS])[_KEPT])
    total = int(ptr16(tree[_POINTS])[node])
    v = int(ptr16(tree[_VISITS])[node])
    if kept & _BY_DEGREES != 0:
        return int(stretched(int(ptr32(tree[_TOTALS])[node]), v, reach))
    if kept & _WEIGHTS != 0:
        return int(weighted_mean(int(ptr32(tree[_TOTALS])[node]), int(ptr32(tree[_EXTRA])[node])))
    return (total << (_MEAN_SHIFT - 1)) // v


@micropython.viper
def lead(tree, a: int, b: int) -> int:
    # More than 0 if node a has the better mean, less if b has. Exact for points and by degrees.
    visits = ptr16(tree[_VISITS])
    totals = ptr32(tree[_TOTALS])
    kept = int(ptr32(tree[_POOLS])[_KEPT])
    v = int(visits[a])
    w = int(visits[b])
    if kept & _WEIGHTS != 0:
        return int(mean_of(tree, a, 0)) - int(mean_of(tree, b, 0))
    if kept & _BY_DEGREES == 0:
        points = ptr16(tree[_POINTS])
        return int(points[a]) * w - int(points[b]) * v
    mean = totals[a] // v
    other = totals[b] // w
    if mean != other:
        return mean - other
    return (totals[a] - mean * v) * w - (totals[b] - other * w) * v


@micropython.viper
def best_mean(tree, node: int) -> int:
    # The child with the best mean; equal ones: more visits, then the lower move, on every runtime.
    # _NONE if there is none. Most are told to be worse by the best one's mean, rounded down.
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    totals = ptr32(tree[_TOTALS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    kept = int(ptr32(tree[_POOLS])[_KEPT])
    if node == _NONE:
        return _NONE
    best = int(ptr16(tree[_CHILD])[node])
    mean = 0
    k = best
    while k != _NONE:
        v = int(visits[k])
        if kept & _BY_DEGREES == 0:
            total = int(points[k]) << _POINT_SHIFT
        else:
            total = int(totals[k])
        if mean * v <= total:
            ahead = int(lead(tree, k, best))
            if ahead == 0:
                ahead = v - int(visits[best])
            if ahead == 0:
                ahead = int(move[best]) - int(move[k])
            if ahead > 0:
                best = k
                if kept & _WEIGHTS == 0:
                    mean = total // v
        k = int(sibling[k])
    return best
