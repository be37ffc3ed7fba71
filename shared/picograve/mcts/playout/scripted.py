"""Playouts by a script of a game without a list (`scripts`, protocols.pyi): both players do the
same at all times, so that one playout from a position is like any other. The buffers are those of
search.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_LIST = const(18)  # = picograve.mcts.search._LIST
_PLY = const(22)  # = picograve.mcts.search.PLY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_BEGIN = const(13)  # = picograve.games._BEGIN

_BEGINS = const(65536)  # in the argument: the game has `begin`; below it, the script

MAY_USE = ("begin",)


@micropython.viper
def play(buffers, rules, argument: int) -> int:
    work = buffers[_WORK]
    trace = ptr16(buffers[_TRACE])
    list_moves = rules[_LIST_MOVES]
    play_move = rules[_PLAY]
    ply = int(ptr32(buffers[_CONTROL])[_PLY])
    if argument & _BEGINS != 0:
        begin = rules[_BEGIN]
        begin(work)
    count = int(list_moves(work, buffers[_LIST]))
    while count != 0:
        trace[ply] = ptr8(work)[0] * _SECOND
        play_move(work, argument & (count - 1))
        ply += 1
        count = int(list_moves(work, buffers[_LIST]))
    return ply


def argument(game, name, config):
    """The script, and whether the game has `begin`."""
    return dict(game.scripts)[name] + _BEGINS * bool(game.begin)
