"""A reward by degrees: the outcome, and for a decided game up to a quarter more or less, as it is
shorter or longer than the playouts so far were on average.
"""

from picograve.kernel import const, int, micropython, ptr32

_WORK = const(4)  # = picograve.mcts.search._WORK
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_OUTCOME = const(4)  # = picograve.games._OUTCOME
_WIDE = const(32768)  # = picograve.value.WIDE
_DRAW = const(1)  # = picograve.value.DRAW
_PLAYOUTS = const(1)
_LENGTHS = const(2)
_LIMIT = const(20000)  # playouts before both are halved
_STEP = const(1024)  # what a move more or less is worth


def start(config, game):
    return 0, 0


@micropython.viper
def value(buffers, rules, length: int) -> int:
    kept = ptr32(buffers[_REWARD])
    outcome = rules[_OUTCOME]
    kept[_PLAYOUTS] += 1
    kept[_LENGTHS] += length
    if kept[_PLAYOUTS] == _LIMIT:
        kept[_PLAYOUTS] >>= 1
        kept[_LENGTHS] >>= 1
    bonus = (kept[_LENGTHS] // kept[_PLAYOUTS] - length) * _STEP
    if bonus > _WIDE // 8:
        bonus = _WIDE // 8
    if bonus < 0 - _WIDE // 8:
        bonus = 0 - _WIDE // 8
    points = int(outcome(buffers[_WORK]))
    if points == _DRAW:
        return _WIDE // 2
    if points > _DRAW:
        return _WIDE - _WIDE // 8 + bonus
    return _WIDE // 8 - bonus
