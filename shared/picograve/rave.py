"""RAVE: UCB1 with a child's mean mixed with its AMAF mean; a file of its own, because a chip
loads it only where it is wanted (searcher.py). The arrays are those of tree.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.uct import log, square_root

_VISITS = const(0)  # fields of the tree, see tree.py
_POINTS = const(1)
_CHILD = const(2)
_SIBLING = const(3)
_MOVE = const(5)
_TABLE = const(6)
_AMAF = const(9)
_POOLS = const(10)
_CODES = const(23)
_NONE = const(65535)
_NEW = const(65536)
_MEAN_SHIFT = const(13)


@micropython.viper
def select_rave(
    tree,
    node: int,
    player: int,
    weight: int,
    exploration: int,
    moves,
    count: int,
    start: int,
    grows: int,
    codes,
    marks,
) -> int:
    # The child with the largest UCB1 value, its mean mixed with its AMAF mean in the node's own
    # table (Gelly and Silver; METAHEURISTICS in config.py, equation 4, k = `weight`):
    #   beta = sqrt(k / (3 v + k)),  value = (1 - beta) * mean + beta * AMAF mean + UCB's term.
    # A move without a node has beta = 1 and, if there is exploration at all, comes before all
    # children, the best AMAF mean first. A node without a table chooses as UCT does.
    m = ptr16(moves)
    code_of = ptr16(codes)
    mark = ptr8(marks)
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    amaf = ptr32(tree[_AMAF])
    table = int(ptr16(tree[_TABLE])[node])
    has_table = int(table != _NONE)
    table = (2 * table + player) * ptr32(tree[_POOLS])[_CODES]
    spread = exploration * int(log(int(visits[node])))  # 26 places
    best = int(_NONE)
    top = 0
    k = int(ptr16(tree[_CHILD])[node])
    while k != _NONE:
        code = int(code_of[move[k]])
        mark[code] = 1
        v = int(visits[k])
        value = (int(points[k]) << (_MEAN_SHIFT - 1)) // v
        if has_table != 0:
            entry = int(amaf[table + code])
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
        code = int(code_of[m[i]])
        if mark[code] != 0:
            mark[code] = 0
        else:
            value = 1 << _MEAN_SHIFT  # never seen
            if has_table != 0:
                entry = int(amaf[table + code])
                if entry != 0:
                    value = ((entry & 65535) << (_MEAN_SHIFT - 1)) // (entry >> 16)
            if new == _NONE or value > new_top:
                new = int(m[i])
                new_top = value
        i += 1
        if i == count:
            i = 0
    if best == _NONE:
        return _NEW + new
    if new != _NONE and grows != 0 and (exploration != 0 or new_top > top):
        return _NEW + new
    return best
