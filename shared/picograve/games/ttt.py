"""Tic-tac-toe on NxN, N from 3 to 10: a full row, column or diagonal of one's own wins.

The win conditions are those of A. B. Ali, "NxN Tic-Tac-Toe with Monte Carlo Tree Search"
(both diagonals count); a full board without one is a draw. A move is a square, size * row
+ column. It is also the smallest example of a game: what a file in this folder needs.
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

SIZES = range(3, 11)

# The state, bytes.
_TURN = const(0)  # player to move: 0 (X) or 1 (O)
_SIZE = const(1)
_EMPTIES = const(2)  # number of empty squares
_WINNER = const(3)  # 0 none, else player + 1
_LINES = const(4)  # marks of a player in each line, at player * 22: rows, columns, diagonals
_PER_PLAYER = const(22)
_CELL = const(48)  # 0 empty, else player + 1
_LIST = const(148)  # the empty squares, unordered
_PLACE = const(248)  # where an empty square stands in that list
_STATE = const(348)

_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_EVEN = const(10000)  # what `appraise` gives a position that is good for neither


@micropython.viper
def reset(s: ptr8, size: int):
    for i in range(_STATE):
        s[i] = 0
    for i in range(size * size):
        s[_LIST + i] = i
        s[_PLACE + i] = i
    s[_EMPTIES] = size * size
    s[_SIZE] = size


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_STATE):
        to[i] = s[i]


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    return int(s[_WINNER] == 0 and s[_CELL + move] == 0)


@micropython.viper
def moves(s: ptr8, out: ptr16) -> int:
    # All empty squares; none when the game is over.
    if s[_WINNER] != 0:
        return 0
    n = int(s[_EMPTIES])
    for i in range(n):
        out[i] = s[_LIST + i]
    return n


@micropython.viper
def play(s: ptr8, move: int):
    player = int(s[_TURN])
    size = int(s[_SIZE])
    s[_TURN] = 1 - player
    s[_CELL + move] = player + 1
    n = s[_EMPTIES] - 1
    i = int(s[_PLACE + move])
    last = int(s[_LIST + n])
    s[_LIST + i] = last
    s[_PLACE + last] = i
    s[_EMPTIES] = n
    row = move // size
    column = move - row * size
    line = _LINES + player * _PER_PLAYER
    s[line + row] += 1
    s[line + size + column] += 1
    won = int(s[line + row] == size or s[line + size + column] == size)
    if row == column:
        s[line + 2 * size] += 1
        if s[line + 2 * size] == size:
            won = 1
    if row + column == size - 1:
        s[line + 2 * size + 1] += 1
        if s[line + 2 * size + 1] == size:
            won = 1
    if won != 0:
        s[_WINNER] = player + 1


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game; notes go to trace[length:], the new length comes back.
    # With epsilon / 65536 a random move, else the first empty square of the player's order.
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    size = int(s[_SIZE])
    while s[_WINNER] == 0 and s[_EMPTIES] != 0:
        random = 1
        if epsilon != _NEVER_GREEDY:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            random = int(((z & 65535) + w) & 65535 < epsilon)
        if random != 0:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            move = int(s[_LIST + (((((z & 65535) + w) & 65535) * s[_EMPTIES]) >> 16)])
        else:
            i = s[_TURN] * size * size
            while s[_CELL + o[i]] != 0:
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
    # 2 if X has won, 1 for a draw, 0 if O has.
    if s[_WINNER] == 0:
        return 1
    return 4 - 2 * s[_WINNER]


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    a = 1 + s[_TURN]
    b = 3 + s[_TURN]
    size = int(s[_SIZE])
    for i in range(size * size):
        a = 18000 * (a & 65535) + (a >> 16) + s[_CELL + i]
        b = 30903 * (b & 65535) + (b >> 16) + s[_CELL + i]
    out[0] = a
    out[1] = b


@micropython.viper
def evaluate(s: ptr8) -> int:
    # Lines without a mark of the other, each worth the square of one more than its marks: X's
    # sum minus O's, 22 * 100 at most.
    total = 0
    for i in range(_LINES, _LINES + 2 * s[_SIZE] + 2):
        first = int(s[i])
        second = int(s[_PER_PLAYER + i])
        if second == 0:
            total += (first + 1) * (first + 1)
        if first == 0:
            total -= (second + 1) * (second + 1)
    return total


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # As if all lines were full, and the player's.
    line = s[_SIZE] + 1
    return 2 * line * line * line


@micropython.viper
def appraise(state, work, heuristic: int, moves: ptr16, count: int, values: ptr32):
    # E, the only heuristic: 10000 and the evaluation for the mover; twice that for a win.
    w = ptr8(work)
    for i in range(count):
        copy(work, state)
        player = int(w[_TURN])
        play(work, int(moves[i]))
        value = int(evaluate(work))
        if player != 0:
            value = 0 - value
        if w[_WINNER] != 0:
            value = _EVEN
        values[i] = _EVEN + value


_COLUMNS = "ABCDEFGHIJ"


class Game(games.Game):
    """Tic-tac-toe of one size; protocols.pyi says what the attributes mean."""

    title = "Tic-tac-toe"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    players = ("X", "O")
    fingerprint = staticmethod(fingerprint)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    heuristics = ("E",)
    appraise = staticmethod(appraise)
    strategies = (("all", ("uniform", "E")),)
    default_size = 3
    sizes = SIZES
    state_bytes = _STATE

    def __init__(self, size):
        self.size = size
        self.code_count = self.move_limit = self.move_cap = size * size

    def code(self, move):
        return move

    def reset(self, state):
        reset(state, self.size)

    def text(self, move):
        """A move as a letter for the column and a number for the row from below: B2."""
        return _COLUMNS[move % self.size] + str(move // self.size + 1)

    def show(self, state):
        """The board as lines of text."""
        columns = "   " + " ".join(_COLUMNS[: self.size])
        lines = [columns]
        for y in range(self.size - 1, -1, -1):
            cells = state[_CELL + self.size * y : _CELL + self.size * (y + 1)]
            lines.append("%2d %s" % (y + 1, " ".join(".XO"[cell] for cell in cells)))
        return "\n".join(lines + [columns])

    def score(self, state):
        """The result in words."""
        return ("draw", "X wins", "O wins")[state[_WINNER]]
