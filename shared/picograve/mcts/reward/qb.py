"""QB: win, draw or loss with a bonus for a game that ends better than those before, by the game's
evaluation (bonus.py).
"""

from picograve.kernel import int, micropython
from picograve.mcts.reward.bonus import farthest, header, rewarded

NEEDS = ("evaluate", "bound")
USES = ("steepness", "bonus_by", "bonus_view")


def start(config, game):
    return header(config, 1)


def reach(config):
    return farthest(config)


@micropython.viper
def value(buffers, rules, length: int) -> int:
    return int(rewarded(buffers, rules, length, 0, 1))
