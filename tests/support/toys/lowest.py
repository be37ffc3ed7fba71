"""Playouts in which everybody plays the lowest move, but for the first `argument` moves of the
list. It learns how many playouts it has made.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_LIST = const(18)  # = picograve.mcts.search._LIST
_LEARNED = const(21)  # = picograve.mcts.search._LEARNED
_PLY = const(22)  # = picograve.mcts.search.PLY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY


@micropython.viper
def play(buffers, rules, skipped: int) -> int:
    work = buffers[_WORK]
    moves = ptr16(buffers[_LIST])
    trace = ptr16(buffers[_TRACE])
    list_moves = rules[_LIST_MOVES]
    play_move = rules[_PLAY]
    ply = int(ptr32(buffers[_CONTROL])[_PLY])
    count = int(list_moves(work, buffers[_LIST]))
    while count != 0:
        first = 0
        if count > skipped:
            first = skipped
        move = int(moves[first])
        for i in range(first, count):
            if moves[i] < move:
                move = int(moves[i])
        trace[ply] = move + ptr8(work)[0] * _SECOND
        play_move(work, move)
        ply += 1
        count = int(list_moves(work, buffers[_LIST]))
    return ply


@micropython.viper
def learn(buffers, length: int, points: int):
    learned = ptr32(buffers[_LEARNED])
    learned[0] += 1
    learned[1] += length
    learned[2] += points


def argument(game, name, config):
    return 1


def rows(game):
    return {"learned": 3}
