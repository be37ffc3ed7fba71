"""Orders: each player gives 16 units one of two orders at once, 65,536 moves, twice; a unit with
the order that its place in _WANTED says scores. Who scores more wins.
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr32

_TURN = const(0)
_LEFT = const(1)  # orders still to be given
_SCORE = const(2)  # of each player
_WANTED = const(45296)  # 0b1011000011110000
_ORDERS = const(65536)


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(4):
        to[i] = s[i]


@micropython.viper
def moves(s: ptr8, out) -> int:
    if s[_LEFT] == 0:
        return 0
    return _ORDERS


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    return int(s[_LEFT] != 0)


@micropython.viper
def play(s: ptr8, move: int):
    same = move ^ _WANTED
    for i in range(16):
        if (same >> i) & 1 == 0:
            s[_SCORE + s[_TURN]] += 1
    s[_TURN] = 1 - s[_TURN]
    s[_LEFT] -= 1


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    s = ptr8(state)
    r = ptr32(rng)
    z = r[0]
    w = r[1]
    while s[_LEFT] != 0:
        z = 18000 * (z & 65535) + (z >> 16)
        w = 30903 * (w & 65535) + (w >> 16)
        play(state, ((z & 65535) + w) & 65535)
        length += 1
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def outcome(s: ptr8) -> int:
    if s[_SCORE] == s[_SCORE + 1]:
        return 1
    return 2 * int(s[_SCORE] > s[_SCORE + 1])


@micropython.viper
def evaluate(s: ptr8) -> int:
    return s[_SCORE] - s[_SCORE + 1]


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    return 40


class Game(games.Game):
    title = "Orders"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    players = ("red", "blue")
    lists = False
    state_bytes = 4
    move_limit = _ORDERS
    code_count = most_moves = 0
    move_cap = 4

    def __init__(self, size):
        self.size = size

    def reset(self, state):
        for i, value in enumerate((0, 4, 0, 0)):
            state[i] = value

    def find(self, text):
        for move in range(_ORDERS):
            if str(move) == text:
                return move
        return None

    def text(self, move):
        return str(move)

    def show(self, state):
        return "%d to %d" % (state[_SCORE], state[_SCORE + 1])

    def score(self, state):
        return self.show(state)
