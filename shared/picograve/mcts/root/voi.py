"""VOI at the root: the child whose next playout is worth most, by a bound of the value of the
information that it may give.
"""

from picograve.kernel import const, int, micropython, ptr16
from picograve.mcts.means import best_mean, mean_of
from picograve.mcts.select.least import new_move
from picograve.mcts.select.ucb import log

_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_ONE = const(8192)  # with 13 binary places
_PLACES = const(8191)
_NEVER = const(1000000000)
_NEAR = const(8)  # 13 places: more than two logarithms are wrong by
_TOO_SURE = const(98304)  # 12: more than any logarithm of visits

WITHIN = True  # its values must lie between a loss and a win


def parameters(config):
    return ()


@micropython.viper
def lost(share: int) -> int:
    # -ln(share) with 13 binary places, as share has.
    if share <= 0:
        return _NEVER
    return int(log(_ONE)) - int(log(share))


@micropython.viper
def sureness(gap: int, visits: int) -> int:
    # 2 * gap * gap * visits with 13 binary places, as gap has.
    square = gap * gap
    high = (square >> _MEAN_SHIFT) * visits
    return 2 * (high + (((square & _PLACES) * visits) >> _MEAN_SHIFT))


@micropython.viper
def choose(buffers, node: int, count: int, start: int, grows: int) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with the largest
    #   best one:   x2 / (v1 + 1) * exp(-2 * (x1 - x2)**2 * v1)
    #   any other:  (1 - x1) / (v + 1) * exp(-2 * (x1 - x)**2 * v)
    # (x1, x2: the best and the second best mean, x: the child's own, v: its visits), by negative
    # logarithms, which compare alike and do not vanish. They are taken only where they may decide:
    # ln(a / b) is at most a / b - 1.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    first = int(ptr16(tree[_CHILD])[node])
    if grows != 0 or first == _NONE:
        choice = int(new_move(buffers, node, count, start))
        if choice != _NONE:
            return choice
    best = int(best_mean(tree, node))
    top = int(mean_of(tree, best, 0))
    base = int(lost(_ONE - top))
    second = 0
    chosen = int(_NONE)
    lowest = 0  # the chosen one's negative logarithm, and what it is made of
    least_sure = 0
    fewest = 0
    k = first
    while k != _NONE:
        if k != best:
            mean = int(mean_of(tree, k, 0))
            if mean > second:
                second = mean
            v = int(visits[k])
            sure = int(sureness(top - mean, v))
            more = sure - least_sure - _NEAR
            closer = int(chosen == _NONE or more < 0 - _TOO_SURE)
            if closer == 0 and more < _TOO_SURE:
                closer = int(more * (v + 1) < (fewest - v) * _ONE)
            if closer != 0:
                cost = base + sure + int(log(v + 1))
                if chosen == _NONE or cost < lowest:
                    chosen = k
                    lowest = cost
                    least_sure = sure
                    fewest = v
        k = int(sibling[k])
    v = int(visits[best])
    cost = int(lost(second)) + int(sureness(top - second, v)) + int(log(v + 1))
    if chosen == _NONE or cost < lowest:
        return best
    return chosen
