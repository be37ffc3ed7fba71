"""Nim, a game of one's own in one file: take any number from one heap; who takes last wins.

    picograve think --game nim.py          in this folder, with heaps of 1, 3, 5 and 7
    picograve think --game nim.py:3        with 1, 3 and 5
    picograve match --game nim.py          on a board as well
    picograve check-game nim.py            does it keep to the contract? (picograve.games)

Heap h holds 2 h + 1 things at the start. A move is h * h + things taken - 1: as the first h odd
numbers add up to h * h, that counts all moves of all heaps without a gap.
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

# The state, bytes.
_TURN = const(0)  # player to move: 0 or 1
_HEAPS = const(1)  # how many heaps there are
_LEFT = const(2)  # things left in all heaps
_HEAP = const(3)  # things in each
_STATE = const(12)

_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY: epsilon
_SECOND = const(32768)  # = picograve.mcts.search._SECOND: the second player made it


@micropython.viper
def reset(s: ptr8, heaps: int):
    for i in range(_STATE):
        s[i] = 0
    for heap in range(heaps):
        s[_HEAP + heap] = 2 * heap + 1
    s[_LEFT] = heaps * heaps
    s[_HEAPS] = heaps


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_STATE):
        to[i] = s[i]


@micropython.viper
def heap_of(move: int) -> int:
    heap = 0
    while (heap + 1) * (heap + 1) <= move:
        heap += 1
    return heap


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    heap = int(heap_of(move))
    return int(move - heap * heap < s[_HEAP + heap])


@micropython.viper
def moves(s: ptr8, out: ptr16) -> int:
    n = 0
    for heap in range(int(s[_HEAPS])):
        for taken in range(int(s[_HEAP + heap])):
            out[n] = heap * heap + taken
            n += 1
    return n


@micropython.viper
def play(s: ptr8, move: int):
    heap = int(heap_of(move))
    taken = move - heap * heap + 1
    s[_HEAP + heap] -= taken
    s[_LEFT] -= taken
    s[_TURN] = 1 - s[_TURN]


@micropython.viper
def nth(s: ptr8, n: int) -> int:
    # The n-th legal move: there are as many as things left.
    heap = 0
    while n >= s[_HEAP + heap]:
        n -= s[_HEAP + heap]
        heap += 1
    return heap * heap + n


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game; notes go to trace[length:], the new length comes back.
    # With epsilon / 65536 a random move, else the first legal one of the player's order.
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    while s[_LEFT] != 0:
        random = 1
        if epsilon != _NEVER_GREEDY:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            random = int(((z & 65535) + w) & 65535 < epsilon)
        if random != 0:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            move = int(nth(state, ((((z & 65535) + w) & 65535) * s[_LEFT]) >> 16))
        else:
            i = int(s[_TURN]) * int(s[_HEAPS]) * int(s[_HEAPS])
            while int(legal(state, o[i])) == 0:
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
    # 2 if the first player took last: then it is the second's turn.
    return 2 * s[_TURN]


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    a = 1 + s[_TURN]
    b = 3 + s[_TURN]
    for heap in range(int(s[_HEAPS])):
        a = 18000 * (a & 65535) + (a >> 16) + s[_HEAP + heap]
        b = 30903 * (b & 65535) + (b >> 16) + s[_HEAP + heap]
    out[0] = a
    out[1] = b


class Game(games.Game):
    """Nim with `size` heaps; protocols.pyi says what the attributes mean."""

    title = "Nim"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    players = ("first", "second")
    fingerprint = staticmethod(fingerprint)
    default_size = 4
    sizes = range(2, 9)
    state_bytes = _STATE

    def __init__(self, size):
        self.size = size
        self.code_count = self.move_limit = self.move_cap = size * size

    def code(self, move):
        return move

    def reset(self, state):
        reset(state, self.size)

    def text(self, move):
        """A letter for the heap and how many are taken: C2."""
        heap = heap_of(move)
        return "ABCDEFGH"[heap] + str(move - heap * heap + 1)

    def show(self, state):
        """The heaps, a line for each."""
        heaps = range(self.size)
        return "\n".join("ABCDEFGH"[heap] + " " + "|" * state[_HEAP + heap] for heap in heaps)

    def score(self, state):
        """The result in words."""
        return "%s wins" % self.players[1 - state[_TURN]]
