"""A reward by degrees: the mean of the evaluations after each move of the playout, each weighing
half as much as the one before, down to 1 / 1024. So its playouts are its own, move by move.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.search import draw_any

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_CODES = const(8)  # = picograve.mcts.search._CODES
_LIST = const(18)  # = picograve.mcts.search._LIST
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_KIND = const(9)  # = picograve.mcts.search.KIND
_PLY = const(22)  # = picograve.mcts.search.PLY
_TABLE = const(0)  # = picograve.games.TABLE
_PLACES = const(1)  # = picograve.games.PLACES
_UNLISTED = const(3)  # = picograve.games.UNLISTED
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_WIDE = const(32768)  # = picograve.value.WIDE
_SUM = const(1)
_WEIGHTS = const(2)
_CUT = const(32)  # evaluations beyond are as good
_FIRST = const(1024)  # weight

NEEDS = ("evaluate",)


def start(config, game):
    return 0, 0


@micropython.viper
def watch(buffers, rules, weight: int):
    # The evaluation of `work` into the mean; sums are of 0 to 2 * _CUT.
    kept = ptr32(buffers[_REWARD])
    evaluate = rules[_EVALUATE]
    lead = int(evaluate(buffers[_WORK]))
    if lead > _CUT:
        lead = _CUT
    if lead < 0 - _CUT:
        lead = 0 - _CUT
    kept[_SUM] += weight * (lead + _CUT)
    kept[_WEIGHTS] += weight


@micropython.viper
def play(buffers, rules, argument: int) -> int:
    c = ptr32(buffers[_CONTROL])
    kept = ptr32(buffers[_REWARD])
    kind = int(c[_KIND])
    work = buffers[_WORK]
    moves = buffers[_LIST]
    trace = ptr16(buffers[_TRACE])
    list_moves = rules[_LIST_MOVES]
    play_move = rules[_PLAY]
    code_moves = rules[_CODE_MOVES]
    ply = int(c[_PLY])
    weight = _FIRST
    kept[_SUM] = 0
    kept[_WEIGHTS] = 0
    count = int(list_moves(work, moves))
    if count == 0:  # a leaf at which the game is over
        watch(buffers, rules, weight)
    while count != 0:
        move = int(draw_any(buffers[_RNG], count))
        if kind < _UNLISTED:
            move = int(ptr16(moves)[move])
        note = 0
        if kind == _TABLE:
            note = move
        elif kind == _PLACES:
            ptr16(moves)[0] = move
            code_moves(work, moves, 1, buffers[_CODES])
            note = int(ptr16(buffers[_CODES])[0])
        trace[ply] = note + ptr8(work)[0] * _SECOND
        play_move(work, move)
        watch(buffers, rules, weight)
        if weight > 1:
            weight = weight >> 1
        ply += 1
        count = int(list_moves(work, moves))
    return ply


def argument(game, name, config):
    return 0


@micropython.viper
def value(buffers, rules, length: int) -> int:
    kept = ptr32(buffers[_REWARD])
    return kept[_SUM] * (_WIDE // (2 * _CUT)) // kept[_WEIGHTS]
