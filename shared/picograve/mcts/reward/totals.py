"""Values by degrees in the nodes: sums of 32 bits, beside the points that every node has. A chip
loads this file only for a rule that rewards by degrees.
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
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_HALF = const(8192)  # = picograve.mcts.tree._HALF
_POINT_SHIFT = const(14)  # = picograve.mcts.tree._POINT_SHIFT
_POINT = const(16384)  # a point
_WIDE = const(32768)  # = picograve.value.WIDE


@micropython.viper
def count(buffers, value: int) -> int:
    # The value of a playout into every node of the path, for who moved there, before back_up
    # counts the visit; a node's points become the nearest to its total. Returns the playout's own
    # points, rounded up or down by chance: every mean of them is right in the long run, whichever
    # playouts it is of.
    c = ptr32(buffers[_CONTROL])
    path = ptr16(buffers[_PATH])
    trace = ptr16(buffers[_TRACE])
    tree = buffers[_TREE]
    totals = ptr32(tree[_TOTALS])
    ptr32(buffers[_REWARD])[0] = value
    for i in range(c[_NODES]):
        node = int(path[i])
        ply = i
        if i >= c[_TOP_NODES]:
            ply = c[_TOP_PLY] + i - c[_TOP_NODES]
        second = 1 - c[_TURN]  # nobody moved at the root: for the player who does not move now
        if ply != 0:
            second = int(trace[ply - 1] >= _SECOND)
        total = value
        if second != 0:
            total = _WIDE - value
        if ptr16(tree[_VISITS])[node] != 0:
            total += totals[node]
        totals[node] = total
        ptr16(tree[_POINTS])[node] = (total + _HALF) >> _POINT_SHIFT
    return (value + int(draw(buffers[_RNG], _POINT))) >> _POINT_SHIFT
