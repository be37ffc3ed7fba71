"""RAVE: UCB1 with a child's mean mixed with its AMAF mean (METAHEURISTICS in config.py, equation
4; Gelly and Silver). The arrays are those of tree.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.select.ucb import log, spread_of, square_root
from picograve.mcts.tree import entries_at, entry_of, is_narrow, table_of

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_MOVES = const(7)  # = picograve.mcts.search._MOVES
_CODES = const(8)  # = picograve.mcts.search._CODES
_MARKS = const(9)  # = picograve.mcts.search._MARKS
_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TABLE_CODES = const(23)  # = picograve.mcts.tree._CODES
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_EXPLORATION = const(27)  # = picograve.mcts.search.SELECT
_WEIGHT = const(28)
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT

USES = ("exploration", "rave_k")


def parameters(config):
    """C * C with 13 binary places, k."""
    return spread_of(config.exploration), config.rave_k


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    # The child with the largest UCB1 value, its mean mixed with its AMAF mean in the node's own
    # table:
    #   beta = sqrt(k / (3 v + k)),  value = (1 - beta) * mean + beta * AMAF mean + UCB's term.
    # A move without a node has beta = 1 and, if there is exploration at all, comes before all
    # children, the best AMAF mean first. A node without a table chooses as UCT does.
    m = ptr16(buffers[_MOVES])
    code_of = ptr16(buffers[_CODES])
    mark = ptr8(buffers[_MARKS])
    tree = buffers[_TREE]
    c = ptr32(buffers[_CONTROL])
    exploration = int(c[_EXPLORATION])
    weight = int(c[_WEIGHT])
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    table = int(table_of(tree, node))
    has_table = int(table != _NONE)
    slim = int(is_narrow(tree, table))
    table = int(entries_at(tree, table)) + player * ptr32(tree[_POOLS])[_TABLE_CODES]
    spread = exploration * int(log(int(visits[node])))  # 26 places
    best = int(_NONE)
    top = 0
    k = int(ptr16(tree[_CHILD])[node])
    while k != _NONE:
        by = int(move[k])
        mark[by] = 1
        v = int(visits[k])
        value = (int(points[k]) << (_MEAN_SHIFT - 1)) // v
        if has_table != 0:
            entry = int(entry_of(tree, slim, table + code_of[by]))
            a = entry >> 16
            if a != 0:
                beta = int(
                    square_root(((weight << _MEAN_SHIFT) // (3 * v + weight)) << _MEAN_SHIFT)
                )
                mean = ((entry & 65535) << (_MEAN_SHIFT - 1)) // a
                value += (beta * (mean - value)) >> _MEAN_SHIFT
        value += int(square_root(spread // v))
        if best == _NONE or value > top:
            best = k
            top = value
        k = int(sibling[k])
    new = int(_NONE)
    new_top = 0
    i = start
    for n in range(count):
        by = int(m[i])
        if mark[by] != 0:
            mark[by] = 0
        else:
            value = 1 << _MEAN_SHIFT  # never seen
            if has_table != 0:
                entry = int(entry_of(tree, slim, table + code_of[by]))
                if entry != 0:
                    value = ((entry & 65535) << (_MEAN_SHIFT - 1)) // (entry >> 16)
            if new == _NONE or value > new_top:
                new = by
                new_top = value
        i += 1
        if i == count:
            i = 0
    if best == _NONE:
        return _NEW + new
    if new != _NONE and grows != 0 and (exploration != 0 or new_top > top):
        return _NEW + new
    return best
