"""HP: how much of what can be had is won. Each node of the path divides the last position's
evaluation by the bound of its own position for who is ahead, so that the same lead counts more
where less is left (COMPARISON in settings.py). More than the bound counts as the bound.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.reward.totals import second_moved, tally, to_points

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_WORK = const(4)  # = picograve.mcts.search._WORK
_PATH = const(5)  # = picograve.mcts.search._PATH
_TREE = const(17)  # = picograve.mcts.search._TREE
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_NODES = const(21)  # = picograve.mcts.search.NODES
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_BOUND = const(14)  # = picograve.games._BOUND
_WIDE = const(32768)  # = picograve.value.WIDE
_EVEN = const(16384)  # = picograve.mcts.select.ucb._EVEN
_BOUNDS = const(1)  # of the path's nodes, the first player's and the second's of each
_MOST = const(10000)  # no evaluation is as much

NEEDS = ("evaluate", "bound")


def start(config, game):
    return ()


def noted(nodes):
    return 2 * nodes


@micropython.viper
def note(buffers, rules, place: int):
    kept = ptr32(buffers[_REWARD])
    bound = rules[_BOUND]
    kept[_BOUNDS + 2 * place] = int(bound(buffers[_WORK], 0))
    kept[_BOUNDS + 2 * place + 1] = int(bound(buffers[_WORK], 1))


@micropython.viper
def value(buffers, rules, length: int) -> int:
    # The evaluation itself, 0 to 2 * _MOST; `count` makes values of it.
    evaluate = rules[_EVALUATE]
    return _MOST + int(evaluate(buffers[_WORK]))


@micropython.viper
def by_bound(lead: int, bound: int) -> int:
    # lead / bound as a value; no division of a negative number, which would round the other way.
    size = lead
    if lead < 0:
        size = 0 - lead
    if size > bound:
        size = bound
    size = size * _EVEN // bound
    if lead < 0:
        size = 0 - size
    return _EVEN + size


@micropython.viper
def count(buffers, value: int) -> int:
    # AMAF tables get the value at the root; where there is no tree, who is ahead has won.
    kept = ptr32(buffers[_REWARD])
    path = ptr16(buffers[_PATH])
    lead = value - _MOST
    ahead = int(lead <= 0)
    nodes = int(ptr32(buffers[_CONTROL])[_NODES])
    for i in range(nodes):
        share = int(by_bound(lead, int(kept[_BOUNDS + 2 * i + ahead])))
        if int(second_moved(buffers, i)) != 0:
            share = _WIDE - share
        tally(buffers[_TREE], int(path[i]), share)
    bound = 1
    if nodes != 0:
        bound = int(kept[_BOUNDS + ahead])
    return int(to_points(buffers, int(by_bound(lead, bound))))
