"""Playouts guided by what a game knows: at every step the move that its heuristic values most
for the mover, ties at random. The buffers are those of search.py. A chip loads this file only
where there is a heuristic (searcher.py).
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.rng import draw

_CONTROL = const(0)  # buffers, see search.py
_RNG = const(1)
_WORK = const(4)
_TRACE = const(6)
_MOVES = const(7)
_TRIAL = const(14)
_VALUES = const(15)
_PLY = const(24)  # a field of control

_LIST_MOVES = const(1)  # rules
_PLAY = const(2)
_APPRAISE = const(5)


@micropython.viper
def pick_best(moves: ptr16, values: ptr32, count: int, rng) -> int:
    # One of the moves with the largest value, ties at random.
    top = 0
    ties = 0
    for i in range(count):
        value = int(values[i])
        if value > top or ties == 0:
            top = value
            ties = 0
        if value == top:
            moves[ties] = moves[i]
            ties += 1
    return int(moves[int(draw(rng, ties))])


@micropython.viper
def play_guided(buffers, rules, heuristic: int) -> int:
    # A playout in which every move is the best of its player by a heuristic of the game.
    c = ptr32(buffers[_CONTROL])
    work = buffers[_WORK]
    trace = ptr16(buffers[_TRACE])
    moves = buffers[_MOVES]
    values = buffers[_VALUES]
    list_moves = rules[_LIST_MOVES]
    play = rules[_PLAY]
    appraise = rules[_APPRAISE]
    ply = int(c[_PLY])
    count = int(list_moves(work, moves))
    while count != 0:
        appraise(work, buffers[_TRIAL], heuristic, moves, count, values)
        move = int(pick_best(moves, values, count, buffers[_RNG]))
        play(work, move)
        trace[ply] = move
        ply += 1
        count = int(list_moves(work, moves))
    return ply
