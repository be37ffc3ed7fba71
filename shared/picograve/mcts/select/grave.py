"""GRAVE's choice of a move (PAPER in config.py). The arrays are those of tree.py, which says why
every number here fits.
"""

from picograve.config import scaled
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.tree import entries_at, is_narrow, table_of, widened

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
_AMAF = const(9)  # = picograve.mcts.tree._AMAF
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TABLE_CODES = const(23)  # = picograve.mcts.tree._CODES
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_NARROW = const(12)  # = picograve.mcts.tree._NARROW
_BIAS = const(27)  # = picograve.mcts.search.SELECT
_HOPE = const(28)  # the second parameter
_MODES = const(10)  # = picograve.mcts.search.MODES
_INFORMED = const(4)  # = picograve.mcts.search.INFORMED
_PRIOR = const(36)  # = picograve.mcts.search.PRIOR
_PRIORS = const(22)  # = picograve.mcts.search._PRIORS
_HOPE_LEAST = const(8)  # with less the fractions below would pass 2**30
_SHORT = const(16384)  # products of fractions below it fit

USES = ("bias", "ref", "explore", "hope", "sharing", "prior", "priors")


def parameters(config):
    """1 / bias, rounded; hope, or 0."""
    bias = scaled(config.bias, 10000)
    return (10000 + bias // 2) // bias, config.hope and max(_HOPE_LEAST, config.hope)


@micropython.viper
def exceeds(a: int, b: int, c: int, d: int) -> int:
    # a / b > c / d for fractions from 0 to 1, looking at 30 binary places; b, d < 2**30.
    # a * d - c * b says it nearly always: without a branch that is guessed wrong, in words of 15
    # bits, so that nothing passes 2**31. If it is so small that the places looked at may be equal,
    # long division in step does: the first place in which they differ decides.
    b_high = b >> 15
    d_high = d >> 15
    low = (a & 32767) * (d & 32767) - (c & 32767) * (b & 32767)
    middle = (a >> 15) * (d & 32767) + (a & 32767) * d_high
    middle -= (c >> 15) * (b & 32767) + (c & 32767) * b_high
    middle += low >> 15
    high = (a >> 15) * d_high - (c >> 15) * b_high + (middle >> 15)
    if high != 0:
        return int(high > 0)
    rest = ((middle & 32767) << 15) + (low & 32767)
    if rest == 0:
        return 0
    if rest > (b_high + 1) * (d_high + 1):  # more than b * d / 2**30: they differ by 2**-30 or more
        return 1
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
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    # The most promising of `count` moves at node, by GRAVE's value with the AMAF table of
    # the reference node and `bias` = 1 / bias:
    #   beta = a / (a + v + a * v / bias),  value = (1 - beta) * p / v + beta * q / a
    # (v, p: the child's visits and points; a, q: the table's), which is the fraction
    #   (p * (bias + a) + bias * q) / (bias * (a + v) + a * v).
    # A move without a node is worth its AMAF mean; one never seen is tried first. Ties go
    # to the earlier move, counted from the random `start`. The marks are all zero.
    # Where there is hope, one game in so many visits of the node is added to v and p as won: a move
    # that is given up early is looked at again as the others are visited.
    # What the game thinks of a move beforehand is added to v and p while v is below `prior`; then
    # a move without a node is worth the same fraction, taken to 13 places or more.
    m = ptr16(buffers[_MOVES])
    code_of = ptr16(buffers[_CODES])
    mark = ptr8(buffers[_MARKS])
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    amaf = ptr32(tree[_AMAF])
    narrow = ptr16(tree[_NARROW])
    c = ptr32(buffers[_CONTROL])
    priors = ptr16(buffers[_PRIORS])
    bias = int(c[_BIAS])
    hope = 0
    if c[_HOPE] != 0:
        hope = int(visits[node]) // c[_HOPE]
    prior = 0
    if c[_MODES] & _INFORMED != 0:
        prior = int(c[_PRIOR])
    table = int(table_of(tree, reference))
    slim = int(is_narrow(tree, table))
    table = int(entries_at(tree, table)) + player * ptr32(tree[_POOLS])[_TABLE_CODES]
    first = int(ptr16(tree[_CHILD])[node])

    best = int(_NONE)
    top = 0  # the best child's value is top / bottom
    bottom = 1
    k = first
    while k != _NONE:
        by = int(move[k])
        mark[by] = 1
        if slim == 0:
            entry = int(amaf[table + code_of[by]])
        else:
            entry = int(widened(int(narrow[table + code_of[by]])))
        a = entry >> 16
        v = int(visits[k])
        x = int(points[k]) + 2 * hope
        if v < prior:
            v += int(priors[by]) >> 8
            x += int(priors[by]) & 255
        v += hope
        x = x * (bias + a) + bias * (entry & 65535)
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
        by = int(m[i])
        if mark[by] != 0:
            mark[by] = 0
        else:
            if slim == 0:
                entry = int(amaf[table + code_of[by]])
            else:
                entry = int(widened(int(narrow[table + code_of[by]])))
            if entry == 0 and (prior == 0 or priors[by] == 0):
                new = by
                best = int(_NONE)
                break
            a = entry >> 16
            q = entry & 65535
            if prior != 0:
                v = int(priors[by]) >> 8
                q = (int(priors[by]) & 255) * (bias + a) + bias * q
                a = bias * (a + v) + a * v
                while a >= _SHORT:
                    a = a >> 1
                    q = q >> 1
            if new == _NONE or q * new_visits > new_points * a:
                new = by
                new_points = q
                new_visits = a
        i += 1
        if i == count:
            i = 0

    if best == _NONE:  # not all moves were met: marks may be left
        k = first
        while k != _NONE:
            mark[move[k]] = 0
            k = int(sibling[k])
        return _NEW + new
    if new == _NONE:
        return best
    if int(exceeds(new_points, 2 * new_visits, top, bottom)) != 0:
        return _NEW + new
    return best
