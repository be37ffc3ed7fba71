"""UCT's choice of a move. The arrays are those of tree.py."""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.select.least import new_move
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
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_FARTHEST = const(46340)  # whose square has 31 bits; no root comes near
_NEVER = const(65535)  # no node has as many visits

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
    # mean by degrees is stretched about 1/2 by the rule's reach; a rough one, no less, will do for
    # most children. Who has no fewer visits and no more points than one that did not lead need not
    # be looked at: leaders only get better.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    totals = ptr32(tree[_TOTALS])
    sibling = ptr16(tree[_SIBLING])
    wide = int(ptr32(tree[_POOLS])[_WIDE])
    reach = int(ptr32(buffers[_CONTROL])[_REACH])
    first = int(ptr16(tree[_CHILD])[node])
    if grows != 0 or first == _NONE:
        choice = int(new_move(buffers, node, count, start))
        if choice != _NONE:
            return choice
    spread = ptr32(buffers[_CONTROL])[_EXPLORATION] * int(log(int(visits[node])))  # 26 places
    best = first
    value = 0
    passed_over = int(_NEVER)  # visits and points of the last one that did not lead
    passed_total = 0
    k = first
    while k != _NONE:
        v = int(visits[k])
        total = int(points[k])
        if wide != 0:
            total = int(totals[k])
        if v < passed_over or total > passed_total:
            square = spread // v
            if wide == 0:
                mean = (total << (_MEAN_SHIFT - 1)) // v
            else:
                mean = int(stretched(total // v + int(reach != 0), 1, reach))  # no less
            leads = int(k == first or int(overtakes(value - mean, square)) != 0)
            if leads != 0 and reach != 0:
                mean = int(stretched(total, v, reach))
                leads = int(k == first or int(overtakes(value - mean, square)) != 0)
            if leads != 0:
                best = k
                value = mean + int(square_root(square))
            else:
                passed_over = v
                passed_total = total
        k = int(sibling[k])
    return best
