"""RQB: win, draw or loss with the bonus of RB, for a shorter game, and on top of it that of QB, for
a better end (bonus.py).
"""

from picograve.kernel import int, micropython
from picograve.mcts.reward.bonus import farthest, header, rewarded

NEEDS = ("evaluate", "bound")
USES = ("steepness", "bonus_by", "bonus_view")


def start(config, game):
    return header(config, 2)


def reach(config):
    return farthest(config)


@micropython.viper
def value(buffers, rules, length: int) -> int:
    return int(rewarded(buffers, rules, length, 1, 1))
