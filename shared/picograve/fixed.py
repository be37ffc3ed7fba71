"""Exponential and logistic function in integers, for rewards by degrees (mcts/reward). The
logarithm and the square root of UCB1 are in mcts/select/ucb.py.

Arguments have 13 binary places, results 15. Errors, in units of the last place of a result, over
all arguments: `exp_minus` 1.1, `logistic` 2.
"""

from picograve.kernel import const, int, micropython

_ONE = const(32768)  # with 15 binary places; = 1.0 of a result
_LN2 = const(22713)  # ln 2 = 0.693147, with 15 places
_FAR = const(98304)  # 12, with 13 places: beyond, exp(-x) is less than a fifth of the last place


@micropython.viper
def exp_minus(x: int) -> int:
    # exp(-x), x >= 0: halved as often as ln 2 goes into x, and for the rest r < ln 2 its series
    # 1 - r * (1 - r / 2 * (1 - r / 3 * ...)) to the seventh power.
    if x >= _FAR:
        return 0
    x = x << 2
    halvings = x // _LN2
    r = x - halvings * _LN2
    y = _ONE
    for i in range(7):
        y = _ONE - ((r * y) >> 15) // (7 - i)
    return y >> halvings


@micropython.viper
def logistic(x: int) -> int:
    # 1 / (1 + exp(-x)), x of either sign: y / (1 + y) for y = exp(-|x|), or what that lacks of 1.
    size = x
    if x < 0:
        size = 0 - x
    y = int(exp_minus(size))
    y = y * _ONE // (_ONE + y)
    if x < 0:
        return y
    return _ONE - y
