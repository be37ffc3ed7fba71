"""RB: win, draw or loss with a bonus for a game that is shorter than those before (bonus.py). A
game's length counts from the root on.
"""

from picograve.kernel import int, micropython
from picograve.mcts.reward.bonus import farthest, header, rewarded

USES = ("steepness", "bonus_by")


def start(config, game):
    return header(config, 1)


def reach(config):
    return farthest(config)


@micropython.viper
def value(buffers, rules, length: int) -> int:
    return int(rewarded(buffers, rules, length, 1, 0))
