"""Crossing: each player has three men on a ring of 40 squares and moves one of them 1 to 4
squares on; who has walked 24 squares in all first wins. A move is 1600 * from + to, so numbers go
up to 62,439; its code is how far it goes, and whether that ends on another man.
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_TURN = const(0)
_MEN = const(1)  # squares of the first player's three, then of the second's
_WALKED = const(7)  # of each player
_RING = const(40)
_FROM = const(1600)  # a move is so many times its first square, and its last
_GOAL = const(24)
_CODES = const(8)
_SECOND = const(32768)  # = picograve.mcts.search._SECOND


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(9):
        to[i] = s[i]


@micropython.viper
def moves(s: ptr8, out: ptr16) -> int:
    if s[_WALKED] >= _GOAL or s[_WALKED + 1] >= _GOAL:
        return 0
    n = 0
    for man in range(3):
        square = int(s[_MEN + 3 * s[_TURN] + man])
        for step in range(1, 5):
            out[n] = _FROM * square + (square + step) % _RING
            n += 1
    return n


@micropython.viper
def code(s: ptr8, move: int) -> int:
    square = move // _FROM
    to = move - _FROM * square
    step = to - square
    if step < 0:
        step += _RING
    meets = 0
    for i in range(6):
        if s[_MEN + i] == to:
            meets = 1
    return step - 1 + 4 * meets


@micropython.viper
def codes(state, moves: ptr16, count: int, out: ptr16):
    for i in range(count):
        out[i] = int(code(state, int(moves[i])))


@micropython.viper
def play(s: ptr8, move: int):
    square = move // _FROM
    to = move - _FROM * square
    step = to - square
    if step < 0:
        step += _RING
    turn = int(s[_TURN])
    man = _MEN + 3 * turn
    while s[man] != square:
        man += 1
    s[man] = to
    for i in range(6):
        if s[_MEN + i] == to and _MEN + i != man:
            step += 2  # to meet a man is worth two squares more
    s[_WALKED + turn] += step
    s[_TURN] = 1 - turn


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    if s[_WALKED] >= _GOAL or s[_WALKED + 1] >= _GOAL:
        return 0
    square = move // _FROM
    step = (move - _FROM * square + _RING - square) % _RING
    for man in range(3):
        if s[_MEN + 3 * s[_TURN] + man] == square and step >= 1 and step <= 4:
            return 1
    return 0


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    while s[_WALKED] < _GOAL and s[_WALKED + 1] < _GOAL:
        z = 18000 * (z & 65535) + (z >> 16)
        w = 30903 * (w & 65535) + (w >> 16)
        number = ((((z & 65535) + w) & 65535) * 12) >> 16
        if ((z & 65535) + w) & 65535 >= epsilon:
            number = o[_CODES * s[_TURN]] & 3  # as far as the best code goes
        square = int(s[_MEN + 3 * s[_TURN] + (number >> 2)])
        move = _FROM * square + (square + (number & 3) + 1) % _RING
        t[length] = int(code(state, move)) + s[_TURN] * _SECOND
        play(state, move)
        length += 1
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def outcome(s: ptr8) -> int:
    return 2 * int(s[_WALKED] >= _GOAL)


@micropython.viper
def evaluate(s: ptr8) -> int:
    return s[_WALKED] - s[_WALKED + 1]


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # What the player has walked and has still to go: less the further the other has come.
    return _GOAL + 3 - s[_WALKED + 1 - player]


class Game(games.Game):
    title = "Crossing"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    codes = staticmethod(codes)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    players = ("first", "second")
    state_bytes = 12
    move_limit = 64000
    code_count = _CODES
    most_moves = 12
    move_cap = 60

    def __init__(self, size):
        self.size = size

    def reset(self, state):
        for i, value in enumerate((0, 0, 10, 20, 5, 15, 25, 0, 0)):
            state[i] = value

    def text(self, move):
        return "%d-%d" % (move // _FROM, move % _FROM)

    def show(self, state):
        return " ".join(str(value) for value in state[:9])

    def score(self, state):
        return "first wins" if state[_WALKED] >= _GOAL else "second wins"
