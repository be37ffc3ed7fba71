"""UCT's choice of a move. The arrays are those of tree.py."""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.select.least import least
from picograve.mcts.select.ucb import log, spread_of, square_root, stretched

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_WIDE = const(9)  # = picograve.mcts.tree._WIDE
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_EXPLORATION = const(27)  # = picograve.mcts.search.SELECT
_REACH = const(28)
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_POINT_SHIFT = const(14)  # = picograve.mcts.tree._POINT_SHIFT
_EVEN = const(16384)  # = picograve.mcts.select.ucb._EVEN
_HIGHEST = const(100000)  # times the most visits it has 31 bits
_LACK_SHIFT = const(10)  # from totals of 15 binary places to 5
_FARTHEST = const(46340)  # whose square has 31 bits; no root comes near

USES = ("exploration", "backup", "variant")
REACHES = True  # a rule's values may go beyond a loss and a win (mcts/reward)


def parameters(config):
    """C * C with 13 binary places."""
    return (spread_of(config.exploration),)


@micropython.viper
def overtakes(lack: int, square: int) -> int:
    # 1 if a root is larger than what a mean lacks, both with 13 binary places.
    return int(lack < 0 or (lack < _FARTHEST and (lack + 1) * (lack + 1) <= square))


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with the largest
    # UCB1 value, mean + C * sqrt(ln(visits) / child's visits). The square root is taken for a new
    # leader only: another child beats it when its own root is larger than what it lacks in mean. A
    # mean by degrees is stretched about 1/2 by the rule's reach.
    # Nearly all others need no division: a child of v visits can lead only if its total lacks no
    # more than sqrt(s * v) to v times the leader's value (`bar`), where s is C * C * ln(visits).
    # The square of what it lacks, with 5 binary places, rounded down, is compared with s * v.
    # A node that has many visits mostly has all its children: they are counted on the way.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    totals = ptr32(tree[_TOTALS])
    sibling = ptr16(tree[_SIBLING])
    wide = int(ptr32(tree[_POOLS])[_WIDE])
    reach = int(ptr32(buffers[_CONTROL])[_REACH])
    first = int(ptr16(tree[_CHILD])[node])
    missing = 0
    if grows != 0 or first == _NONE:
        missing = count
        if visits[node] <= count:
            choice = int(least(buffers, node, count, start))
            if choice >= _NEW:
                return choice
    spread = ptr32(buffers[_CONTROL])[_EXPLORATION] * int(log(int(visits[node])))  # 26 places
    room = (spread >> 16) + 1  # 10 places, no less
    best = first
    value = 0
    bar = 0
    k = first
    while k != _NONE:
        missing -= 1
        v = int(visits[k])
        if wide == 0:
            total = int(points[k]) << _POINT_SHIFT
        else:
            total = int(totals[k])
        lack = (bar * v - total) >> (_LACK_SHIFT - reach)
        if lack <= 0 or (lack < _FARTHEST and lack * lack <= room * v):
            square = spread // v
            mean = int(stretched(total, v, reach))
            if k == first or int(overtakes(value - mean, square)) != 0:
                best = k
                value = mean + int(square_root(square))
                bar = ((4 * value - _EVEN) >> reach) + _EVEN
                if bar > _HIGHEST:
                    bar = int(_HIGHEST)
        k = int(sibling[k])
    if missing > 0:
        choice = int(least(buffers, node, count, start))
        if choice >= _NEW:
            return choice
    return best
