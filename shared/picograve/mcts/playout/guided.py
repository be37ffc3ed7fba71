"""Playouts guided by what a game knows: at every step the move that its heuristic values most
for the mover, ties at random. The buffers are those of search.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.rng import draw

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_CODES = const(8)  # = picograve.mcts.search._CODES
_TRIAL = const(14)  # = picograve.mcts.search._TRIAL
_VALUES = const(15)  # = picograve.mcts.search._VALUES
_LIST = const(18)  # = picograve.mcts.search._LIST
_KIND = const(9)  # = picograve.mcts.search.KIND
_PLY = const(22)  # = picograve.mcts.search.PLY
_TABLE = const(0)  # = picograve.mcts.search._TABLE
_PLACES = const(1)  # = picograve.mcts.search._PLACES
_SECOND = const(32768)  # = picograve.mcts.search._SECOND

_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_APPRAISE = const(5)  # = picograve.games._APPRAISE
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_BEGIN = const(13)  # = picograve.games._BEGIN

_BEGINS = const(256)  # in the argument: the game has `begin`; below it, the heuristic

NEEDS = ("appraise",)
MAY_USE = ("begin",)


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
def play(buffers, rules, argument: int) -> int:
    # Every move is the best of its player by a heuristic of the game.
    c = ptr32(buffers[_CONTROL])
    kind = int(c[_KIND])
    work = buffers[_WORK]
    trace = ptr16(buffers[_TRACE])
    moves = buffers[_LIST]
    values = buffers[_VALUES]
    list_moves = rules[_LIST_MOVES]
    play_move = rules[_PLAY]
    appraise = rules[_APPRAISE]
    code_moves = rules[_CODE_MOVES]
    ply = int(c[_PLY])
    heuristic = argument & (_BEGINS - 1)
    if argument & _BEGINS != 0:
        begin = rules[_BEGIN]
        begin(work)
    count = int(list_moves(work, moves))
    while count != 0:
        appraise(work, buffers[_TRIAL], heuristic, moves, count, values)
        move = int(pick_best(moves, values, count, buffers[_RNG]))
        note = 0
        if kind == _TABLE:
            note = move
        elif kind == _PLACES:
            ptr16(moves)[0] = move
            code_moves(work, moves, 1, buffers[_CODES])
            note = int(ptr16(buffers[_CODES])[0])
        trace[ply] = note + ptr8(work)[0] * _SECOND
        play_move(work, move)
        ply += 1
        count = int(list_moves(work, moves))
    return ply


def argument(game, name, config):
    """The heuristic's place, and whether the game has `begin`."""
    return game.heuristics.index(name) + _BEGINS * bool(game.begin)


def rows(game):
    return {"trial": game.state_bytes, "values": game.most_moves}
