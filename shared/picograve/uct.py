"""UCT's choice of a move, and the logarithm and square root that UCB1 takes, in integers. A
chip loads this file where a search wants it (searcher.py). The arrays are those of tree.py.
"""

from picograve.kernel import const, int, micropython, ptr16
from picograve.tree import select_least

_VISITS = const(0)  # fields of the tree, see tree.py
_POINTS = const(1)
_CHILD = const(2)
_SIBLING = const(3)
_NONE = const(65535)
_NEW = const(65536)
_MEAN_SHIFT = const(13)  # means have 13 binary places, squares 26


@micropython.viper
def log(n: int) -> int:
    # ln(n) with 13 binary places, 1 <= n < 2**15: the places of log2 come from repeated
    # squaring of n scaled to [1, 2) with 14 places.
    whole = 0
    while (n >> whole) > 1:
        whole += 1
    x = n << (14 - whole)
    result = whole
    for i in range(_MEAN_SHIFT):
        x = (x * x) >> 14
        result += result
        if x >= 32768:
            x = x >> 1
            result += 1
    return (result * 5678) >> _MEAN_SHIFT  # ln 2 = 5678 / 8192


@micropython.viper
def square_root(n: int) -> int:
    # Rounded down, n < 2**31.
    root = 0
    bit = 32768
    while bit != 0:
        guess = root + bit
        if guess <= 46340 and guess * guess <= n:  # 46340: the largest with a 31-bit square
            root = guess
        bit = bit >> 1
    return root


@micropython.viper
def select_uct(
    tree, node: int, exploration: int, moves, count: int, start: int, grows: int, codes, marks
) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with
    # the largest UCB1 value, mean + sqrt(exploration * ln(visits) / child's visits), where
    # exploration = C * C with 13 places. The root is taken for a new leader only: another
    # child beats it when its own root is larger than what it lacks in mean.
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    sibling = ptr16(tree[_SIBLING])
    first = int(ptr16(tree[_CHILD])[node])
    if grows != 0 or first == _NONE:
        choice = int(select_least(tree, node, moves, count, start, codes, marks))
        if choice >= _NEW:
            return choice
    spread = exploration * int(log(int(visits[node])))  # 26 places
    best = first
    value = 0
    k = first
    while k != _NONE:
        v = int(visits[k])
        mean = (int(points[k]) << (_MEAN_SHIFT - 1)) // v
        square = spread // v
        lack = value - mean
        if lack < 0 or (lack + 1) * (lack + 1) <= square:
            best = k
            value = mean + int(square_root(square))
        k = int(sibling[k])
    return best
