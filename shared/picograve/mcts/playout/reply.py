"""Playouts that answer: where the game has a reply to the last move it is played, else any move.

What a good reply is the game knows (`reply`, protocols.pyi). A game without one has uniform
playouts. `pick` saves listing all moves for a random one; `decided` ends a playout whose winner is
plain, asked after every sixteenth move.
"""

from picograve.games import chosen_of
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.rng import draw

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_CODES = const(8)  # = picograve.mcts.search._CODES
_LIST = const(18)  # = picograve.mcts.search._LIST
_KNOWN = const(23)  # = picograve.mcts.search._KNOWN
_KIND = const(9)  # = picograve.mcts.search.KIND
_PLY = const(22)  # = picograve.mcts.search.PLY
_LAST = const(40)  # = picograve.mcts.search.LAST
_TABLE = const(0)  # = picograve.mcts.search._TABLE
_PLACES = const(1)  # = picograve.mcts.search._PLACES
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_NONE = const(65535)  # = picograve.mcts.tree._NONE

_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_REPLY = const(10)  # = picograve.games._REPLY
_PICK = const(11)  # = picograve.games._PICK
_DECIDED = const(12)  # = picograve.games._DECIDED
_BEGIN = const(13)  # = picograve.games._BEGIN

_PICKS = const(1)  # in the argument: the game has `pick`
_DECIDES = const(2)  # ... and `decided`, which shall be asked
_BEGINS = const(4)  # ... and `begin`
_FLAGS = const(3)  # bits for these; above them, which replies are played

NEEDS = ("reply",)
MAY_USE = ("pick", "decided", "begin")
USES = ("replies", "mercy")


@micropython.viper
def play(buffers, rules, argument: int) -> int:
    c = ptr32(buffers[_CONTROL])
    kind = int(c[_KIND])
    work = buffers[_WORK]
    trace = ptr16(buffers[_TRACE])
    moves = buffers[_LIST]
    rng = buffers[_RNG]
    known = buffers[_KNOWN]
    list_moves = rules[_LIST_MOVES]
    play_move = rules[_PLAY]
    code_moves = rules[_CODE_MOVES]
    reply = rules[_REPLY]
    pick = rules[_PICK]
    decided = rules[_DECIDED]
    last = int(c[_LAST])
    ply = int(c[_PLY])
    if argument & _BEGINS != 0:
        begin = rules[_BEGIN]
        begin(work)
    while True:
        move = int(reply(work, rng, argument >> _FLAGS, last, known))
        if move == _NONE:
            if argument & _PICKS != 0:
                move = int(pick(work, rng, argument >> _FLAGS))
            else:
                count = int(list_moves(work, moves))
                if count != 0:
                    move = int(ptr16(moves)[int(draw(rng, count))])
            if move == _NONE:
                break
        note = 0
        if kind == _TABLE:
            note = move
        elif kind == _PLACES:
            ptr16(moves)[0] = move
            code_moves(work, moves, 1, buffers[_CODES])
            note = int(ptr16(buffers[_CODES])[0])
        trace[ply] = note + ptr8(work)[0] * _SECOND
        play_move(work, move)
        last = move
        ply += 1
        if argument & _DECIDES != 0 and ply & 15 == 0:
            if int(decided(work)) != 0:
                break
    return ply


def argument(game, name, config):
    """Which replies it plays, and which of the kernels that help it the game has."""
    flags = _PICKS * bool(game.pick) + _DECIDES * bool(game.decided and config.mercy)
    flags += _BEGINS * bool(game.begin)
    return flags + (chosen_of(game, "replies", config.replies) << _FLAGS)
