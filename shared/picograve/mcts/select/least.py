"""A move without a node, if there is one, else the child with the fewest visits: how UCT grows a
node, and how GRAVE explores where it is told to (`explore`). The arrays are those of tree.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_MOVES = const(7)  # = picograve.mcts.search._MOVES
_MARKS = const(9)  # = picograve.mcts.search._MARKS
_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_KIND = const(9)  # = picograve.mcts.search.KIND
_UNLISTED = const(3)  # = picograve.mcts.search._UNLISTED
_NESTED = const(4)  # = picograve.games.NESTED


@micropython.viper
def untried(tree, node: int, count: int, start: int, nested: int) -> int:
    # Of the moves 0 to count - 1 the first from `start` on that has no node, or _NONE: looked up
    # among the children each time, because there is no room to mark so many. Nested, the first is
    # the oldest child's move, and the n-th differs from it by the bits of n: with K children, all
    # below K have been tried, unless some were recycled.
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    first = int(ptr16(tree[_CHILD])[node])
    number = start
    tried = 0
    if nested != 0:
        k = first
        while k != _NONE:
            start = int(move[k])
            tried += 1
            k = int(sibling[k])
    for n in range(count):
        if nested != 0:
            number = start ^ ((tried + n) & (count - 1))
        k = first
        while k != _NONE and move[k] != number:
            k = int(sibling[k])
        if k == _NONE:
            return _NEW + number
        number += 1
        if number == count:
            number = 0
    return _NONE


@micropython.viper
def least(buffers, node: int, count: int, start: int) -> int:
    tree = buffers[_TREE]
    m = ptr16(buffers[_MOVES])
    mark = ptr8(buffers[_MARKS])
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    first = int(ptr16(tree[_CHILD])[node])
    kind = int(ptr32(buffers[_CONTROL])[_KIND])
    listed = int(kind < _UNLISTED)
    choice = first
    k = first
    while k != _NONE:
        if listed != 0:
            mark[move[k]] = 1
        if visits[k] < visits[choice]:
            choice = k
        k = int(sibling[k])
    if listed == 0:
        number = int(untried(tree, node, count, start, int(kind == _NESTED)))
        if number != _NONE:
            choice = number
        return choice
    i = start
    for n in range(count):
        if mark[m[i]] == 0:
            choice = _NEW + m[i]
            break
        i += 1
        if i == count:
            i = 0
    k = first
    while k != _NONE:
        mark[move[k]] = 0
        k = int(sibling[k])
    return choice


@micropython.viper
def new_move(buffers, node: int, count: int, start: int) -> int:
    # A move without a node, or _NONE. A descent mostly comes by nodes that have all of theirs: a
    # walk along the children tells. Those with few visits cannot have.
    tree = buffers[_TREE]
    sibling = ptr16(tree[_SIBLING])
    if ptr16(tree[_VISITS])[node] > count:
        missing = count
        k = int(ptr16(tree[_CHILD])[node])
        while k != _NONE:
            missing -= 1
            k = int(sibling[k])
        if missing <= 0:
            return _NONE
    choice = int(least(buffers, node, count, start))
    if choice < _NEW:
        return _NONE
    return choice
