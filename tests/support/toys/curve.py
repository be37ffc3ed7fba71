"""A reward by degrees: 1 / (1 + exp(-d / 4)) of the last position's evaluation d, from a table that
is made in whole numbers, so that it is the same on every runtime.
"""

from picograve.kernel import const, int, micropython, ptr32

_WORK = const(4)  # = picograve.mcts.search._WORK
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_WIDE = const(32768)  # = picograve.value.WIDE
_CUT = const(32)  # evaluations beyond are as good
_QUARTER = 25520  # exp(-1 / 4) with 15 binary places

NEEDS = ("evaluate",)


def start(config, game):
    table, power = [], _WIDE
    for _ in range(_CUT + 1):
        table.append(_WIDE * _WIDE // (_WIDE + power))
        power = power * _QUARTER // _WIDE
    return table


@micropython.viper
def value(buffers, rules, length: int) -> int:
    table = ptr32(buffers[_REWARD])
    evaluate = rules[_EVALUATE]
    lead = int(evaluate(buffers[_WORK]))
    size = lead
    if lead < 0:
        size = 0 - lead
    if size > _CUT:
        size = _CUT
    result = int(table[1 + size])
    if lead < 0:
        result = _WIDE - result
    return result
