"""A reward by degrees: how good the last position is for the first player, by `evaluate`, cut
off at 8 either way, half of it, and half the outcome.
"""

from picograve.kernel import const, int, micropython, ptr32

_WORK = const(4)  # = picograve.mcts.search._WORK
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_OUTCOME = const(4)  # = picograve.games._OUTCOME
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_WIDE = const(32768)  # = picograve.value.WIDE

NEEDS = ("evaluate",)


def start(config, game):
    return 8, 0  # where it is cut off; playouts so far


@micropython.viper
def value(buffers, rules, length: int) -> int:
    kept = ptr32(buffers[_REWARD])
    outcome = rules[_OUTCOME]
    evaluate = rules[_EVALUATE]
    most = int(kept[1])
    kept[2] += 1
    lead = int(evaluate(buffers[_WORK]))
    if lead > most:
        lead = most
    if lead < 0 - most:
        lead = 0 - most
    return (lead + most) * _WIDE // (4 * most) + int(outcome(buffers[_WORK])) * (_WIDE // 4)
