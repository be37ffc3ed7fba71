"""What nodes count besides visits and points, in 32 bits: sums of values by degrees, and of squares
for UCB1-Tuned. A chip loads this file only for a search that has one of them.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.rng import draw

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_PATH = const(5)  # = picograve.mcts.search._PATH
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_TREE = const(17)  # = picograve.mcts.search._TREE
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_TURN = const(15)  # = picograve.mcts.search.TURN
_NODES = const(21)  # = picograve.mcts.search.NODES
_TOP_NODES = const(24)  # = picograve.mcts.search.TOP_NODES
_TOP_PLY = const(25)  # = picograve.mcts.search.TOP_PLY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_EXTRA = const(14)  # = picograve.mcts.tree._EXTRA
_KEPT = const(9)  # = picograve.mcts.tree._WIDE
_BY_DEGREES = const(1)  # = picograve.mcts.tree.TOTALS
_SQUARES = const(2)  # = picograve.mcts.tree.SQUARES
_HALF = const(8192)  # = picograve.mcts.tree._HALF
_POINT_SHIFT = const(14)  # = picograve.mcts.tree._POINT_SHIFT
_POINT = const(16384)  # a point
_WIDE = const(32768)  # = picograve.value.WIDE
_SQUARE_SHIFT = const(15)  # a square has 15 binary places as its value has


@micropython.viper
def tally(tree, node: int, value: int):
    # A value, 0 to WIDE, for who moved to the node, before back_up counts the visit; a node's
    # points become the nearest to its total.
    totals = ptr32(tree[_TOTALS])
    squares = ptr32(tree[_EXTRA])
    kept = int(ptr32(tree[_POOLS])[_KEPT])
    is_new = int(ptr16(tree[_VISITS])[node] == 0)
    if kept & _BY_DEGREES != 0:
        total = value
        if is_new == 0:
            total += totals[node]
        totals[node] = total
        ptr16(tree[_POINTS])[node] = (total + _HALF) >> _POINT_SHIFT
    if kept & _SQUARES != 0:
        square = (value * value) >> _SQUARE_SHIFT
        if is_new == 0:
            square += squares[node]
        squares[node] = square


@micropython.viper
def second_moved(buffers, i: int) -> int:
    # 1 if the second player moved to the path's i-th node. Nobody moved to the root: it counts for
    # the player who does not move now.
    c = ptr32(buffers[_CONTROL])
    ply = i
    if i >= c[_TOP_NODES]:
        ply = c[_TOP_PLY] + i - c[_TOP_NODES]
    if ply == 0:
        return 1 - c[_TURN]
    return int(ptr16(buffers[_TRACE])[ply - 1] >= _SECOND)


@micropython.viper
def to_points(buffers, value: int) -> int:
    # The playout's own points, rounded up or down by chance: every mean of them is right in the
    # long run, whichever playouts it is of.
    ptr32(buffers[_REWARD])[0] = value
    return (value + int(draw(buffers[_RNG], _POINT))) >> _POINT_SHIFT


@micropython.viper
def count(buffers, value: int) -> int:
    # The value of a playout into every node of the path, for who moved there. Returns its points.
    path = ptr16(buffers[_PATH])
    tree = buffers[_TREE]
    degrees = value
    by_degrees = ptr32(tree[_POOLS])[_KEPT] & _BY_DEGREES
    if by_degrees == 0:  # squares only
        degrees = value << _POINT_SHIFT
    for i in range(ptr32(buffers[_CONTROL])[_NODES]):
        if int(second_moved(buffers, i)) == 0:
            tally(tree, int(path[i]), degrees)
        else:
            tally(tree, int(path[i]), _WIDE - degrees)
    if by_degrees == 0:
        return value
    return int(to_points(buffers, value))
