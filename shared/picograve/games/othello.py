"""Othello on 8x8: who has more discs when nobody can place one wins.

Rules of this file. A disc must flank at least one of the other's, in any of the eight
directions, and turns over all that it flanks. Who cannot place one must pass, which is a
move; when neither can, the game is over. Black begins. No position comes twice, so there
is no `key`.

A move is a square of a padded board, 9 * row + column, rows from the top and columns from
1, as Othello counts them (a1 is the top left corner); 0 passes. The left border of a row
ends the row above. A walk over the other's discs ends at the border as at any empty
square, so no walk looks at coordinates.

What makes it fast. A disc can only go to an empty square that has a disc beside it: the
state lists these squares, which no move takes away but the one that fills it. A playout
draws from that list and tries the square by turning over what a disc there flanks; where
that is nothing, it draws again from the rest. So every legal move has the same chance
and no playout ever lists its moves. Measured against it with Numba: to list the legal moves
before each draw makes 0.2 times the playouts per second; to look first and turn over then, 0.9;
a list of all empty squares as many, but 0.93 of UCT's and half the mobilities.

What is known about the game, for those who ask (heuristics):
    E    discs, own minus the other's; also what `evaluate` counts
    Mp   mobility: squares where the player could place a disc, were it his turn
    Md   mobility, own minus the other's
    WPC  weighted piece counter: the weight of every square with an own disc minus that of
         those with the other's. The weights are the standard heuristic ones that
         S. M. Lucas and T. P. Runarsson, "Temporal Difference Learning Versus Co-Evolution
         for Acquiring Othello Position Evaluation" (2006), measure theirs against, and
         M. Szubert, W. Jaśkowski and K. Krawiec (2011) after them; times 100, the same in
         all four corners:
             100  -25   10    5
             -25  -25    1    1
              10    1    5    2
               5    1    2    1
"""

from picograve import games
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.rng import draw

SIZES = range(8, 9)

# The state, bytes.
_TURN = const(0)  # player to move: 0 black, 1 white
_NEARS = const(1)  # number of empty squares with a disc beside them
_DISCS = const(1)  # discs of a colour, at _DISCS + colour
_CELL = const(4)  # what is on a square, see below; 91 squares with the border
_LIST = const(96)  # the _NEAR squares, unordered
_STATE = const(156)

# What is on a square; 1 black, 2 white.
_FAR = const(0)  # empty, no disc beside it
_NEAR = const(3)  # empty, a disc beside it
_BORDER = const(4)

_ROW = const(9)
_SQUARES = const(91)
_CODES = const(65)  # squares and pass: length of a player's order in a playout
_PASS = const(0)
_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND

_NONE = const(65535)  # = picograve.mcts.tree._NONE

# Priors: 256 * visits + points.
_CORNER = const(2580)  # 10 won
_EDGE = const(516)  # 2 won
_BESIDE_CORNER = const(1280)  # 5 lost, on the edge beside an empty corner
_BEFORE_CORNER = const(2560)  # 10 lost, diagonally
_CORNERS = const(1)  # places in Game.priors, as bits
_GIFTS = const(2)
_EDGES = const(4)

_E = const(0)  # places in Game.heuristics
_MP = const(1)
_MD = const(2)
_OFFSET = const(64)  # of E and Md; offsets leave no value below 0
_WPC_OFFSET = const(876)  # the sum of all weights without their signs

# The weights of a quarter of the board, row by row, 7 bits each, larger by 25, which
# leaves none below 0.
_LIFT = const(25)
_WEIGHTS_1 = const((125 << 0) + (0 << 7) + (35 << 14) + (30 << 21))
_WEIGHTS_2 = const((0 << 0) + (0 << 7) + (26 << 14) + (26 << 21))
_WEIGHTS_3 = const((35 << 0) + (26 << 7) + (30 << 14) + (27 << 21))
_WEIGHTS_4 = const((30 << 0) + (26 << 7) + (27 << 14) + (26 << 21))


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_STATE):
        to[i] = s[i]


@micropython.viper
def flanks(s: ptr8, p: int, colour: int) -> int:
    # 1 if a disc of colour on the empty square p would turn over any.
    other = 3 - colour
    step = 1
    for k in range(4):  # four lines through p, both ways on each
        q = _CELL + p + step
        if s[q] == other:
            while s[q] == other:
                q += step
            if s[q] == colour:
                return 1
        q = _CELL + p - step
        if s[q] == other:
            while s[q] == other:
                q -= step
            if s[q] == colour:
                return 1
        step += 7 if k == 0 else 1  # 1, 8, 9, 10
    return 0


@micropython.viper
def capture(s: ptr8, p: int, colour: int) -> int:
    # Turns over what a disc of colour on the empty square p flanks; how many those are.
    other = 3 - colour
    captured = 0
    step = 1
    for k in range(4):  # four lines through p, both ways on each
        q = _CELL + p + step
        if s[q] == other:
            while s[q] == other:
                q += step
            if s[q] == colour:
                q -= step
                while s[q] == other:  # back to p, which is empty
                    s[q] = colour
                    captured += 1
                    q -= step
        q = _CELL + p - step
        if s[q] == other:
            while s[q] == other:
                q -= step
            if s[q] == colour:
                q += step
                while s[q] == other:
                    s[q] = colour
                    captured += 1
                    q += step
        step += 7 if k == 0 else 1  # 1, 8, 9, 10
    return captured


@micropython.viper
def settle(s: ptr8, i: int, colour: int, captured: int):
    # The disc itself, on the square at place i of the list: what is near and who has what.
    p = int(s[_LIST + i])
    n = s[_NEARS] - 1
    s[_LIST + i] = s[_LIST + n]
    s[_CELL + p] = colour
    step = 1
    for k in range(4):
        if s[_CELL + p + step] == _FAR:
            s[_CELL + p + step] = _NEAR
            s[_LIST + n] = p + step
            n += 1
        if s[_CELL + p - step] == _FAR:
            s[_CELL + p - step] = _NEAR
            s[_LIST + n] = p - step
            n += 1
        step += 7 if k == 0 else 1
    s[_NEARS] = n
    s[_DISCS + colour] += captured + 1
    s[_DISCS + 3 - colour] -= captured


@micropython.viper
def place_of(s: ptr8, p: int) -> int:
    # Where the near square p stands in the list.
    i = 0
    while s[_LIST + i] != p:
        i += 1
    return i


@micropython.viper
def reset(state):
    # Black on d5 and e4, white on d4 and e5, as if they had been placed one by one.
    s = ptr8(state)
    for i in range(_STATE):
        s[i] = 0
    for p in range(_SQUARES):
        if p < _ROW or p > 9 * _ROW or p % _ROW == 0:
            s[_CELL + p] = _BORDER
    s[_LIST] = 4 * _ROW + 4
    s[_NEARS] = 1
    settle(state, 0, 2, 0)
    settle(state, int(place_of(state, 4 * _ROW + 5)), 1, 0)
    settle(state, int(place_of(state, 5 * _ROW + 4)), 1, 0)
    settle(state, int(place_of(state, 5 * _ROW + 5)), 2, 0)


@micropython.viper
def mobility(state, colour: int) -> int:
    # How many squares take a disc of colour.
    s = ptr8(state)
    count = 0
    for i in range(int(s[_NEARS])):
        if int(flanks(state, int(s[_LIST + i]), colour)) != 0:
            count += 1
    return count


@micropython.viper
def stuck(state, colour: int) -> int:
    # 1 if no square takes a disc of colour.
    s = ptr8(state)
    for i in range(int(s[_NEARS])):
        if int(flanks(state, int(s[_LIST + i]), colour)) != 0:
            return 0
    return 1


@micropython.viper
def legal(state, move: int) -> int:
    s = ptr8(state)
    colour = s[_TURN] + 1
    if move == _PASS:
        if int(stuck(state, colour)) == 0:
            return 0
        return 1 - int(stuck(state, 3 - colour))
    if s[_CELL + move] != _NEAR:
        return 0
    return int(flanks(state, move, colour))


@micropython.viper
def moves(state, out) -> int:
    # All legal ones; none when the game is over.
    s = ptr8(state)
    o = ptr16(out)
    colour = s[_TURN] + 1
    n = 0
    for i in range(int(s[_NEARS])):
        p = int(s[_LIST + i])
        if int(flanks(state, p, colour)) != 0:
            o[n] = p
            n += 1
    if n == 0 and int(stuck(state, 3 - colour)) == 0:
        o[0] = _PASS
        n = 1
    return n


@micropython.viper
def play(state, move: int):
    s = ptr8(state)
    colour = s[_TURN] + 1
    s[_TURN] = 2 - colour
    if move != _PASS:
        captured = int(capture(state, move, colour))
        settle(state, int(place_of(state, move)), colour, captured)


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game; notes go to trace[length:], the new length comes back.
    # With epsilon / 65536 a random move, else the first legal one of the player's order.
    # The generator (rng.py) is written out, because a call costs more than its work on a chip.
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    colour = s[_TURN] + 1
    skip = 0  # so many of the player's order are known to be filled,
    other_skip = 0  # and of the other's
    passed = 0  # 1 if the other could not place a disc; not yet in the trace
    while True:
        random = 1
        if epsilon != _NEVER_GREEDY:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            random = int(((z & 65535) + w) & 65535 < epsilon)
        captured = 0
        if random == 0:
            i = (colour - 1) * _CODES + skip
            end = colour * _CODES
            while i < end and s[_CELL + o[i]] != _NEAR and s[_CELL + o[i]] != _FAR:
                i += 1
            skip = i - (colour - 1) * _CODES
            while i < end:
                p = int(o[i])
                if s[_CELL + p] == _NEAR:
                    captured = int(capture(state, p, colour))
                    if captured != 0:
                        i = int(place_of(state, p))
                        break
                i += 1
        else:
            n = int(s[_NEARS])
            while n > 0:
                z = 18000 * (z & 65535) + (z >> 16)
                w = 30903 * (w & 65535) + (w >> 16)
                i = ((((z & 65535) + w) & 65535) * n) >> 16
                p = int(s[_LIST + i])
                captured = int(capture(state, p, colour))
                if captured != 0:
                    break
                n -= 1  # not legal: to the end of the list, and draw again
                s[_LIST + i] = s[_LIST + n]
                s[_LIST + n] = p
        if captured != 0:
            if passed != 0:
                t[length] = _PASS + (2 - colour) * _SECOND
                length += 1
                passed = 0
            t[length] = s[_LIST + i] + (colour - 1) * _SECOND
            length += 1
            settle(state, i, colour, captured)
        elif passed != 0:
            break
        else:
            passed = 1
        colour = 3 - colour
        i = skip
        skip = other_skip
        other_skip = i
    r[0] = z
    r[1] = w
    s[_TURN] = 2 - colour  # the pass before this one was none
    return length


@micropython.viper
def reply(state, rng, which: int, last: int, known) -> int:
    # A corner, if one can be taken; any of them. Else _NONE.
    s = ptr8(state)
    colour = s[_TURN] + 1
    found = int(_NONE)
    count = 0
    if which == 0:
        return found
    for k in range(4):
        p = _ROW + 1 + 7 * (k & 1) + 7 * _ROW * (k >> 1)
        if s[_CELL + p] == _NEAR:
            if int(flanks(state, p, colour)) != 0:
                count += 1
                if count == 1 or int(draw(rng, count)) == 0:
                    found = p
    return found


@micropython.viper
def pick(state, rng, which: int) -> int:
    # Any legal move; _NONE if the game is over.
    s = ptr8(state)
    colour = s[_TURN] + 1
    n = int(s[_NEARS])
    while n > 0:
        i = int(draw(rng, n))
        p = int(s[_LIST + i])
        if int(flanks(state, p, colour)) != 0:
            return p
        n -= 1  # not legal: to the end of the list, and draw again
        s[_LIST + i] = s[_LIST + n]
        s[_LIST + n] = p
    if int(stuck(state, 3 - colour)) != 0:
        return _NONE
    return _PASS


@micropython.viper
def prior(
    state, which: int, last: int, moves: ptr16, numbers: ptr16, count: int, known, out: ptr16
):
    # Corners are good, squares that give them away bad. Moves and numbers are the same here.
    s = ptr8(state)
    for i in range(count):
        p = int(moves[i])
        y = p // _ROW
        x = p - _ROW * y
        corner = _ROW + 1  # of its quarter
        if y > 4:
            y = 9 - y
            corner += 7 * _ROW
        if x > 4:
            x = 9 - x
            corner += 7
        worth = 0
        if p == _PASS:
            worth = 0
        elif x + y == 2:
            if which & _CORNERS != 0:
                worth = int(_CORNER)
        elif x < 3 and y < 3:
            empty = int(s[_CELL + corner] == _FAR or s[_CELL + corner] == _NEAR)
            if which & _GIFTS != 0 and empty != 0:
                worth = int(_BEFORE_CORNER) if x + y == 4 else int(_BESIDE_CORNER)
        elif which & _EDGES != 0 and (x == 1 or y == 1):
            worth = int(_EDGE)
        out[p] = worth


@micropython.viper
def evaluate(s: ptr8) -> int:
    # Black's discs minus white's.
    return int(s[_DISCS + 1]) - int(s[_DISCS + 2])


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # All discs.
    return 64


@micropython.viper
def outcome(state) -> int:
    # 2 if black has won, 1 for a draw, 0 if white has.
    lead = int(evaluate(state))
    if lead > 0:
        return 2
    return int(lead == 0)


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    # Two hashes of the discs and the player to move.
    a = 1 + s[_TURN]
    b = 3 + s[_TURN]
    for p in range(_ROW + 1, 9 * _ROW):
        a = 18000 * (a & 65535) + (a >> 16) + s[_CELL + p]
        b = 30903 * (b & 65535) + (b >> 16) + s[_CELL + p]
    out[0] = a
    out[1] = b


@micropython.viper
def weigh(s: ptr8, colour: int) -> int:
    # The weighted piece counter of a colour: four squares of one weight at a time.
    other = 3 - colour
    total = _LIFT * (int(s[_DISCS + other]) - int(s[_DISCS + colour]))
    weights = _WEIGHTS_1
    for y in range(1, 5):
        if y == 2:
            weights = _WEIGHTS_2
        elif y == 3:
            weights = _WEIGHTS_3
        elif y == 4:
            weights = _WEIGHTS_4
        for x in range(1, 5):
            p = _CELL + _ROW * y + x
            q = _CELL + _ROW * (9 - y) + x
            across = 9 - 2 * x
            held = int(s[p] == colour) + int(s[p + across] == colour)
            held += int(s[q] == colour) + int(s[q + across] == colour)
            held -= int(s[p] == other) + int(s[p + across] == other)
            held -= int(s[q] == other) + int(s[q + across] == other)
            total += (weights & 127) * held
            weights = weights >> 7
    return total


@micropython.viper
def appraise(state, work, heuristic: int, moves: ptr16, count: int, values: ptr32):
    # The worth of the position after each of the moves for the player who makes it.
    w = ptr8(work)
    colour = ptr8(state)[_TURN] + 1
    for i in range(count):
        copy(work, state)
        play(work, int(moves[i]))
        if heuristic == _E:
            values[i] = _OFFSET + w[_DISCS + colour] - w[_DISCS + 3 - colour]
        elif heuristic == _MP:
            values[i] = int(mobility(work, colour))
        elif heuristic == _MD:
            values[i] = _OFFSET + int(mobility(work, colour)) - int(mobility(work, 3 - colour))
        else:
            values[i] = _WPC_OFFSET + int(weigh(work, colour))


_COLUMNS = "ABCDEFGH"


class Game(games.Game):
    """Othello; protocols.pyi says what the attributes mean."""

    title = "Othello"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    players = ("black", "white")
    default_size = 8
    sizes = SIZES
    state_bytes = _STATE
    move_limit = 9 * _ROW  # pass, and up to H8
    code_count = _CODES
    # 60 discs. A pass is legal only where the other can place one, so there is at most one
    # between two discs, and none before the first.
    move_cap = 60 + 59
    fingerprint = staticmethod(fingerprint)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    reply = staticmethod(reply)
    pick = staticmethod(pick)
    prior = staticmethod(prior)
    replies = ("corners",)
    priors = ("corners", "gifts", "edges")
    heuristics = ("E", "Mp", "Md", "WPC")
    appraise = staticmethod(appraise)
    strategies = (
        ("all", ("uniform", "E", "Mp", "Md", "WPC")),
        ("top3", ("Mp", "Md", "WPC")),
    )

    def __init__(self, size):
        self.size = size

    def code(self, move):
        """The AMAF code of a move, None for what is no move: rows of 8, pass last."""
        y, x = divmod(move, _ROW)
        if move == _PASS:
            return 64
        if x == 0 or y == 0:
            return None
        return (y - 1) * 8 + x - 1

    def reset(self, state):
        reset(state)

    def text(self, move):
        """A move as a letter for the column and a number for the row from above: D3, or pass."""
        if move == _PASS:
            return "pass"
        return _COLUMNS[move % _ROW - 1] + str(move // _ROW)

    def show(self, state):
        """The board as lines of text."""
        columns = "   " + " ".join(_COLUMNS)
        lines = [columns]
        for y in range(1, 9):
            cells = state[_CELL + _ROW * y + 1 : _CELL + _ROW * y + 9]
            lines.append("%2d %s" % (y, " ".join(".XO."[cell] for cell in cells)))
        return "\n".join(lines + [columns])

    def score(self, state):
        """The result in words: by how many discs; empty squares go to the winner, as is usual."""
        lead = evaluate(state)
        if lead == 0:
            return "draw"
        empties = 64 - state[_DISCS + 1] - state[_DISCS + 2]
        return "%s+%d" % ("B" if lead > 0 else "W", abs(lead) + empties)
