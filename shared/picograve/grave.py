"""GRAVE's choice of a move. A chip loads this file where a search wants it (searcher.py). The
arrays are those of tree.py, which tells why every number here fits.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

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


@micropython.viper
def exceeds(a: int, b: int, c: int, d: int) -> int:
    # a / b > c / d for fractions from 0 to 1, by long division in step: the first of 30
    # binary places in which they differ decides. Nothing passes 2**31 for b, d < 2**30.
    if a == b:
        return int(c < d)
    if c == d:
        return 0
    for place in range(30):
        a += a
        c += c
        if a >= b:
            if c < d:
                return 1
            a -= b
            c -= d
        elif c >= d:
            return 0
    return 0


@micropython.viper
def select_grave(
    tree,
    node: int,
    reference: int,
    player: int,
    bias: int,
    moves,
    count: int,
    start: int,
    codes,
    marks,
) -> int:
    # The most promising of `count` moves at node, by GRAVE's value with the AMAF table of
    # the reference node and bias = 1 / `bias`:
    #   beta = a / (a + v + a * v / bias),  value = (1 - beta) * p / v + beta * q / a
    # (v, p: the child's visits and points; a, q: the table's), which is the fraction
    #   (p * (bias + a) + bias * q) / (bias * (a + v) + a * v).
    # A move without a node is worth its AMAF mean; one never seen is tried first. Ties go
    # to the earlier move, counted from the random `start`. marks: B[codes], all zero.
    m = ptr16(moves)
    code_of = ptr16(codes)
    mark = ptr8(marks)
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    amaf = ptr32(tree[_AMAF])
    table = (2 * ptr16(tree[_TABLE])[reference] + player) * ptr32(tree[_POOLS])[_CODES]
    first = int(ptr16(tree[_CHILD])[node])

    best = int(_NONE)
    top = 0  # the best child's value is top / bottom
    bottom = 1
    k = first
    while k != _NONE:
        code = int(code_of[move[k]])
        mark[code] = 1
        entry = int(amaf[table + code])
        a = entry >> 16
        v = int(visits[k])
        x = points[k] * (bias + a) + bias * (entry & 65535)
        y = 2 * (bias * (a + v) + a * v)
        if best == _NONE or int(exceeds(x, y, top, bottom)) != 0:
            best = k
            top = x
            bottom = y
        k = int(sibling[k])

    new = int(_NONE)
    new_points = 0
    new_visits = 1
    i = start
    for n in range(count):
        code = int(code_of[m[i]])
        if mark[code] != 0:
            mark[code] = 0
        else:
            entry = int(amaf[table + code])
            if entry == 0:
                new = int(m[i])
                best = int(_NONE)
                break
            a = entry >> 16
            q = entry & 65535
            if new == _NONE or q * new_visits > new_points * a:
                new = int(m[i])
                new_points = q
                new_visits = a
        i += 1
        if i == count:
            i = 0

    if best == _NONE:  # not all moves were met: marks may be left
        k = first
        while k != _NONE:
            mark[code_of[move[k]]] = 0
            k = int(sibling[k])
        return _NEW + new
    if new == _NONE:
        return best
    if int(exceeds(new_points, 2 * new_visits, top, bottom)) != 0:
        return _NEW + new
    return best
