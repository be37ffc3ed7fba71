"""Uniform playouts: every playable move is as likely as any other."""

from picograve.kernel import const, int, micropython, ptr32

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_ORDER = const(13)  # = picograve.mcts.search._ORDER
_PLY = const(22)  # = picograve.mcts.search.PLY
_PLAYOUT = const(3)  # = picograve.games._PLAYOUT
_NEVER_GREEDY = const(65536)


@micropython.viper
def play(buffers, rules, argument: int) -> int:
    playout = rules[_PLAYOUT]
    ply = int(ptr32(buffers[_CONTROL])[_PLY])
    return int(
        playout(buffers[_WORK], buffers[_RNG], buffers[_TRACE], ply, buffers[_ORDER], _NEVER_GREEDY)
    )


def argument(game, name, config):
    return 0
