"""Stones: take one, two or three; who takes the last one wins. Who leaves a multiple of four moves
again.
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_TURN = const(0)
_STONES = const(1)
_LAST = const(2)  # who took last
_SECOND = const(32768)  # = picograve.mcts.search._SECOND


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(3):
        to[i] = s[i]


@micropython.viper
def moves(s: ptr8, out: ptr16) -> int:
    count = int(s[_STONES])
    if count > 3:
        count = 3
    for i in range(count):
        out[i] = i
    return count


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    return int(move < s[_STONES])


@micropython.viper
def play(s: ptr8, move: int):
    s[_LAST] = s[_TURN]
    s[_STONES] -= move + 1
    if s[_STONES] & 3 != 0:
        s[_TURN] = 1 - s[_TURN]


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    while s[_STONES] != 0:
        z = 18000 * (z & 65535) + (z >> 16)
        w = 30903 * (w & 65535) + (w >> 16)
        bits = ((z & 65535) + w) & 65535
        most = int(s[_STONES])
        if most > 3:
            most = 3
        if bits < epsilon:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            move = ((((z & 65535) + w) & 65535) * most) >> 16
        else:
            i = 3 * s[_TURN]
            while o[i] >= most:
                i += 1
            move = int(o[i])
        t[length] = move + s[_TURN] * _SECOND
        play(state, move)
        length += 1
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def outcome(s: ptr8) -> int:
    return 2 - 2 * s[_LAST]


@micropython.viper
def evaluate(s: ptr8) -> int:
    return 0


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    out[0] = 1 + 2 * s[_STONES] + s[_TURN]
    out[1] = 100 + 2 * s[_STONES] + s[_TURN]


class Game(games.Game):
    title = "Stones"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    evaluate = staticmethod(evaluate)
    fingerprint = staticmethod(fingerprint)
    players = ("left", "right")
    sizes = range(1, 41)
    default_size = 14
    state_bytes = 4
    code_count = move_limit = 3

    def __init__(self, size):
        self.size = self.move_cap = size

    def code(self, move):
        return move

    def reset(self, state):
        state[_TURN] = state[_LAST] = 0
        state[_STONES] = self.size

    def text(self, move):
        return "take%d" % (move + 1)

    def show(self, state):
        return "%d stones" % state[_STONES]

    def score(self, state):
        return self.players[state[_LAST]] + " wins"
