"""The outcome of the game: win, draw or loss."""

from picograve.kernel import const, int, micropython

_WORK = const(4)  # = picograve.mcts.search._WORK
_OUTCOME = const(4)  # = picograve.games._OUTCOME


@micropython.viper
def value(buffers, rules, length: int) -> int:
    outcome = rules[_OUTCOME]
    return int(outcome(buffers[_WORK]))
