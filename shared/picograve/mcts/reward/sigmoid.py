"""Sigmoid: 1 / (1 + exp(-k * d)) of the last position's evaluation d, where k is `steepness`
(COMPARISON in settings.py).
"""

from picograve.config import scaled
from picograve.fixed import logistic
from picograve.kernel import const, int, micropython, ptr32

_WORK = const(4)  # = picograve.mcts.search._WORK
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_WIDE = const(32768)  # = picograve.value.WIDE
_STEEPNESS = const(1)  # k with 20 binary places
_FARTHEST = const(2)  # evaluations beyond are as good: the curve is flat
_SHIFT = const(7)  # from 20 places to 13
_FLAT = 12  # = k * d: the curve is within a fifth of a 32768th of 1

NEEDS = ("evaluate",)
USES = ("steepness",)


def start(config, game):
    steepness = scaled(config.steepness, 1 << 20)
    return steepness, (_FLAT << 20) // steepness + 1


@micropython.viper
def value(buffers, rules, length: int) -> int:
    kept = ptr32(buffers[_REWARD])
    evaluate = rules[_EVALUATE]
    lead = int(evaluate(buffers[_WORK]))
    if lead >= kept[_FARTHEST]:
        return _WIDE
    if lead <= 0 - kept[_FARTHEST]:
        return 0
    return int(logistic((lead * kept[_STEEPNESS]) >> _SHIFT))
