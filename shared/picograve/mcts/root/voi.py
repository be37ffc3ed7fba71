"""VOI at the root: the child whose next playout is worth most, by a bound of the value of the
information that it may give.
"""

from picograve.kernel import const, int, micropython, ptr16
from picograve.mcts.means import best_mean, mean_of
from picograve.mcts.select.least import least
from picograve.mcts.select.ucb import log

_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_ONE = const(8192)  # with 13 binary places
_PLACES = const(8191)
_NEVER = const(1000000000)
_LOG_2 = const(5678)  # ln 2
_LOG_ONE = const(73814)  # log(_ONE), 13 * ln 2
_BEND = const(2283)  # 0.2787: how far log2 bends upwards between powers of 2, at the least
_ROUNDED = const(8)  # more than `log` is too small

WITHIN = True  # its values must lie between a loss and a win


def parameters(config):
    return ()


@micropython.viper
def lost(share: int) -> int:
    # -ln(share) with 13 binary places, as share has.
    if share <= 0:
        return _NEVER
    return _LOG_ONE - int(log(share))


@micropython.viper
def sureness(gap: int, visits: int) -> int:
    # 2 * gap * gap * visits with 13 binary places, as gap has.
    square = gap * gap
    high = (square >> _MEAN_SHIFT) * visits
    return 2 * (high + (((square & _PLACES) * visits) >> _MEAN_SHIFT))


@micropython.viper
def at_least(n: int, whole: int) -> int:
    # No more than log(n), and less by 0.02 at most, where 2**whole is the power of 2 not above n:
    # between two such powers log2 lies above the straight line, and above this parabola.
    rest = ((n << _MEAN_SHIFT) >> whole) - _ONE
    bent = (rest * (((_ONE - rest) * _BEND) >> _MEAN_SHIFT)) >> _MEAN_SHIFT
    return (((whole * _ONE + rest + bent) * _LOG_2) >> _MEAN_SHIFT) - _ROUNDED


@micropython.viper
def choose(buffers, node: int, count: int, start: int, grows: int) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with the largest
    #   best one:   x2 / (v1 + 1) * exp(-2 * (x1 - x2)**2 * v1)
    #   any other:  (1 - x1) / (v + 1) * exp(-2 * (x1 - x)**2 * v)
    # (x1, x2: the best and the second best mean, x: the child's own, v: its visits), by negative
    # logarithms, which compare alike and do not vanish. Logarithms of visits are taken only where
    # a bound of them does not tell: with VOI all children come to nearly the same.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    first = int(ptr16(tree[_CHILD])[node])
    missing = 0
    if grows != 0 or first == _NONE:
        missing = count
        if visits[node] <= count or first == _NONE:
            choice = int(least(buffers, node, count, start))
            if choice >= _NEW:
                return choice
    best = int(best_mean(tree, node))
    top = int(mean_of(tree, best, 0))
    base = int(lost(_ONE - top))
    second = 0
    chosen = int(_NONE)
    lowest = 0  # the chosen one's negative logarithm
    whole = 0
    k = first
    while k != _NONE:
        missing -= 1
        if k != best:
            mean = int(mean_of(tree, k, 0))
            if mean > second:
                second = mean
            v = int(visits[k])
            cost = base + int(sureness(top - mean, v))
            while (v + 1) >> whole > 1:
                whole += 1
            while (v + 1) >> whole == 0:
                whole -= 1
            if chosen == _NONE or cost + int(at_least(v + 1, whole)) < lowest:
                cost += int(log(v + 1))
                if chosen == _NONE or cost < lowest:
                    chosen = k
                    lowest = cost
        k = int(sibling[k])
    if missing > 0:
        choice = int(least(buffers, node, count, start))
        if choice >= _NEW:
            return choice
    v = int(visits[best])
    cost = int(lost(second)) + int(sureness(top - second, v)) + int(log(v + 1))
    if chosen == _NONE or cost < lowest:
        return best
    return chosen
