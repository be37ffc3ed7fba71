"""Go on 5x5 to 13x13: area scoring, suicide illegal, simple ko, a cap on moves.

Rules of this file. A chain without liberties is captured; a move that leaves its own chain
without liberties is illegal; the point of a ko may not be retaken at once. Two passes or
`cap` moves (3 times the points) end the game; area counts (Tromp-Taylor), komi goes to
white. Positional superko needs the game's history, which a state does not hold: `key`
and `repetitions` give the search's owner what it needs to rule such moves out at the root.

Search and playouts do not fill their own one-point eyes, which would only lose; `legal`
knows the full rules. A playout passes when nothing else is left, the search whenever
it likes.

A move is a point of a padded board, 14 * row + column, rows and columns from 1; 0 passes.
The row of 14 fits 13x13 (the left border of a row ends the row above) and is the same for
every size, so that all offsets below are constants. A chip that plays one size only has the
row of that size: the build computes the constants that say `one size:` again.
"""

from picograve import games
from picograve.errors import BadInput
from picograve.kernel import RUNTIME, const, int, micropython, ptr8, ptr16, ptr32
from picograve.knowledge.go import KNOWN
from picograve.rng import draw

_SMALLEST = const(5)  # one size: size
_LARGEST = const(13)  # one size: size
SIZES = range(_SMALLEST, _LARGEST + 1)
_ROW = const(14)  # one size: size + 1
_WIDEST = const(14)  # the row as written, in whose numbers hashes know moves and points
_PITCH = const(212)  # one size: (_ROW * (size + 2) + 4) // 4 * 4; the points, in whole words

# The state, bytes. A header of 8, then 7 fields of _PITCH bytes, one byte per point.
_TURN = const(0)  # player to move: 0 black, 1 white
_KO = const(1)  # point forbidden by ko, 0 if none
_EMPTIES = const(2)  # number of empty points
_PASSES = const(3)  # passes in a row; 2 end the game
_LEFT_LOW = const(4)  # moves left until the cap, low and high byte
_LEFT_HIGH = const(5)
_SIZE = const(6)  # points a side
_KOMI = const(7)  # komi in half points
_CELL = const(8)  # _EMPTY, 1 black, 2 white, _BORDER
_LIBS = const(220)  # one size: _CELL + _PITCH; head: pseudo-liberties; empty point: empty sides
_HEAD = const(432)  # one size: _LIBS + _PITCH; the chain's head; itself for empty and border points
_NEXT = const(644)  # one size: _HEAD + _PITCH; circular list of the chain's stones
_STONES = const(856)  # one size: _NEXT + _PITCH; head: its stones; empty point: scratch of area()
_LIST = const(1068)  # one size: _STONES + _PITCH; the empty points, unordered
_PLACE = const(1280)  # one size: _LIST + _PITCH; where an empty point stands in that list
_STATE = const(1492)  # one size: _PLACE + _PITCH

# One step along each side of the eight points around one, from the upper on: bytes, 16 more each.
_ALONG = const(34545169)  # one size: 17 + 256 * (16 + _ROW) + 65536 * 15 + 16777216 * (16 - _ROW)

_EMPTY = const(0)
_BORDER = const(3)
_PASS = const(0)
_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_WIN = const(2)  # = picograve.value.WIN
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_BOTH = const(3)  # bits of the colours that an empty region touches, in area(),
_SEEN = const(4)  # ... and the mark of one that is being walked through

# What a playout and a prior know. The figures are taken over from a spike in C and were not tuned
# here; what each part is worth alone, and all together, is measured in host/results.
_TACTICAL = const(230)  # of 256 replies look for captures and escapes beside the last move
_SHAPELY = const(240)  # ... and of the others so many for a known 3x3 shape there
_TACTICS = const(1)  # places in Game.replies, as bits
_SHAPES = const(2)
_INNER = const(81)  # = picograve.knowledge.go.INNER
_HOPELESS = const(255)  # = picograve.knowledge.go.HOPELESS
_CORNERS = const(256)  # = picograve.knowledge.go.CORNERS
_BITS = const(512)  # = picograve.knowledge.go.BITS
# Priors: 256 * visits + points, as won or as lost games.
_CAPTURES = const(2580)  # 10 won, for one stone; twice that for more
_SAVES = const(2580)  # 10 won
_KNOWN_SHAPE = const(1548)  # 6 won
_BESIDE = const(2064)  # 8 won, next to the last move
_DIAGONAL = const(1548)  # 6 won
_TWO_AWAY = const(516)  # 2 won
_THREATENS = const(1548)  # 6 won, for giving atari
_SELF_ATARI = const(2560)  # 10 lost
_EARLY_PASS = const(2560)  # 10 lost, unless the other has passed
_FOR_CAPTURES = const(1)  # places in Game.priors, as bits
_FOR_ESCAPES = const(2)
_FOR_SHAPES = const(4)
_FOR_NEAR = const(8)
_FOR_ATARI = const(16)
_FOR_THREATS = const(32)


@micropython.viper
def reset(s: ptr8, size: int, komi: int):
    # The empty board; komi in half points.
    for i in range(_STATE):
        s[i] = 0
    for p in range(_PITCH):
        s[_CELL + p] = _BORDER
        s[_HEAD + p] = p
        s[_LIBS + p] = 4  # a border never runs out of liberties
    n = 0
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            p = _ROW * y + x
            s[_CELL + p] = _EMPTY
            s[_LIST + n] = p
            s[_PLACE + p] = n
            s[_LIBS + p] = 4 - int(x == 1) - int(x == size) - int(y == 1) - int(y == size)
            n += 1
    s[_EMPTIES] = n
    s[_SIZE] = size
    s[_KOMI] = komi
    s[_LEFT_LOW] = (3 * n) & 255
    s[_LEFT_HIGH] = (3 * n) >> 8


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_STATE):
        to[i] = s[i]


@micropython.viper
def fills_eye(s: ptr8, p: int, colour: int) -> int:
    # 1 if the empty point p, no empty point beside it, is a one-point eye of colour.
    other = 3 - colour
    if s[_CELL - _ROW + p] == other or s[_CELL - 1 + p] == other:
        return 0
    if s[_CELL + 1 + p] == other or s[_CELL + _ROW + p] == other:
        return 0
    held = 0  # diagonals in the other's hands; two make the eye false, at the edge one
    edge = 0
    q = _CELL - _ROW - 1 + p
    for k in range(4):
        cell = s[q]
        if cell == other:
            held += 1
        elif cell == _BORDER:
            edge = 1
        q += 2 * _ROW - 2 if k == 1 else 2
    return int(held + edge < 2)


@micropython.viper
def breathes(s: ptr8, p: int, colour: int) -> int:
    # 1 if colour may play the empty point p, no empty point beside it: not ko, not suicide.
    # That is, if an own chain beside it keeps a liberty, or another's has none but p. A chain has
    # p as a liberty once for each side that it is on, so more than four are never all p.
    if p == s[_KO]:
        return 0
    alive = 0
    side = p - _ROW
    for k in range(4):
        if alive == 0:
            cell = s[_CELL + side]
            if cell != _BORDER:
                head = s[_HEAD + side]
                left = s[_LIBS + head]
                alive = int(cell == colour)
                if left <= 4:
                    left -= int(s[_HEAD - _ROW + p] == head) + int(s[_HEAD - 1 + p] == head)
                    left -= int(s[_HEAD + 1 + p] == head) + int(s[_HEAD + _ROW + p] == head)
                    if left == 0:
                        alive = 1 - alive
        side += 2 if k == 1 else _ROW - 1
    return alive


@micropython.viper
def over(s: ptr8) -> int:
    return int(s[_PASSES] == 2 or (s[_LEFT_LOW] == 0 and s[_LEFT_HIGH] == 0))


@micropython.viper
def legal(state, move: int) -> int:
    # By the full rules but superko.
    s = ptr8(state)
    if int(over(state)) != 0:
        return 0
    if move == _PASS:
        return 1
    if s[_CELL + move] != _EMPTY:
        return 0
    if s[_LIBS + move] != 0:
        return 1
    return int(breathes(state, move, s[_TURN] + 1))


@micropython.viper
def moves(state, out) -> int:
    # The moves worth a search: all legal ones but own eyes. None when the game is over.
    s = ptr8(state)
    o = ptr16(out)
    if int(over(state)) != 0:
        return 0
    colour = s[_TURN] + 1
    n = 0
    for i in range(int(s[_EMPTIES])):
        p = s[_LIST + i]
        good = 1
        if s[_LIBS + p] == 0:
            good = 0
            if int(fills_eye(state, p, colour)) == 0:
                good = int(breathes(state, p, colour))
        if good != 0:
            o[n] = p
            n += 1
    o[n] = _PASS
    return n + 1


@micropython.viper
def join(s: ptr8, a: int, b: int) -> int:
    # Make one chain of two, known by their heads; the shorter one is relabelled. Its head.
    head = a
    h = b
    if s[_STONES + b] > s[_STONES + a]:
        head = b
        h = a
    s[_STONES + head] += int(s[_STONES + h])
    s[_LIBS + head] += int(s[_LIBS + h])
    q = h
    while True:
        s[_HEAD + q] = head
        q = s[_NEXT + q]
        if q == h:
            break
    q = s[_NEXT + head]
    s[_NEXT + head] = s[_NEXT + h]
    s[_NEXT + h] = q
    return head


@micropython.viper
def capture(s: ptr8, h: int):
    # Take the chain of this head off the board; its points go to the end of the list.
    m = int(s[_EMPTIES])
    q = h
    while True:
        s[_CELL + q] = _EMPTY
        s[_HEAD + q] = q
        s[_LIBS + q] = 0
        s[_LIST + m] = q
        s[_PLACE + q] = m
        m += 1
        q = s[_NEXT + q]
        if q == h:
            break
    s[_EMPTIES] = m
    while True:
        s[_LIBS + s[_HEAD - _ROW + q]] += 1
        s[_LIBS + s[_HEAD - 1 + q]] += 1
        s[_LIBS + s[_HEAD + 1 + q]] += 1
        s[_LIBS + s[_HEAD + _ROW + q]] += 1
        q = s[_NEXT + q]
        if q == h:
            break


@micropython.viper
def place(state, p: int, colour: int):
    # A stone of colour on the empty point p, which is legal: captures, merges, sets the ko.
    s = ptr8(state)
    s[_KO] = 0
    m = s[_EMPTIES] - 1
    s[_EMPTIES] = m
    i = s[_PLACE + p]
    q = s[_LIST + m]
    s[_LIST + i] = q
    s[_PLACE + q] = i
    s[_CELL + p] = colour
    s[_NEXT + p] = p
    s[_STONES + p] = 1
    open_sides = s[_LIBS + p]
    s[_LIBS + s[_HEAD - _ROW + p]] -= 1
    s[_LIBS + s[_HEAD - 1 + p]] -= 1
    s[_LIBS + s[_HEAD + 1 + p]] -= 1
    s[_LIBS + s[_HEAD + _ROW + p]] -= 1
    if open_sides != 4:
        head = p
        joined = 0
        side = p - _ROW
        for k in range(4):
            cell = s[_CELL + side]
            if cell == colour:
                joined = 1
                if s[_HEAD + side] != head:
                    head = int(join(state, head, s[_HEAD + side]))
            elif cell == 3 - colour:
                if s[_LIBS + s[_HEAD + side]] == 0:
                    capture(state, s[_HEAD + side])
            side += 2 if k == 1 else _ROW - 1
        if s[_EMPTIES] == m + 1 and open_sides == 0 and joined == 0:
            s[_KO] = s[_LIST + m]


@micropython.viper
def play(state, move: int):
    s = ptr8(state)
    colour = s[_TURN] + 1
    s[_TURN] = 2 - colour
    left = s[_LEFT_LOW] + 256 * s[_LEFT_HIGH] - 1
    s[_LEFT_LOW] = left & 255
    s[_LEFT_HIGH] = left >> 8
    if move == _PASS:
        s[_KO] = 0
        s[_PASSES] += 1
    else:
        s[_PASSES] = 0
        place(state, move, colour)


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game; notes go to trace[length:], the new length comes back.
    # With epsilon / 65536 a random move, else the first playable of the player's order.
    # Long because a call costs more than its work on a chip; the generator (rng.py) is
    # written out for the same reason.
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    colour = s[_TURN] + 1
    passes = s[_PASSES]
    left = s[_LEFT_LOW] + 256 * s[_LEFT_HIGH]
    size = int(s[_SIZE])
    codes = size * size + 1  # length of a player's order
    skip = 0  # so many of the player's order are known to be occupied,
    other_skip = 0  # and of the other's
    while passes < 2 and left > 0:
        m = s[_EMPTIES]
        p = _PASS
        random = 1
        if epsilon != _NEVER_GREEDY:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            random = int(((z & 65535) + w) & 65535 < epsilon)
        if random == 0:
            i = (colour - 1) * codes + skip
            end = colour * codes
            while i < end and s[_CELL + o[i]] != _EMPTY:
                i += 1
            skip = i - (colour - 1) * codes
            while i < end:
                q = int(o[i])
                i += 1
                if s[_CELL + q] == _EMPTY:
                    good = 1
                    if s[_LIBS + q] == 0:
                        good = 0
                        if int(fills_eye(state, q, colour)) == 0:
                            good = int(breathes(state, q, colour))
                    if good != 0:
                        p = q
                        break
        else:
            while m > 0:
                z = 18000 * (z & 65535) + (z >> 16)
                w = 30903 * (w & 65535) + (w >> 16)
                i = ((((z & 65535) + w) & 65535) * m) >> 16
                q = int(s[_LIST + i])
                if s[_LIBS + q] != 0:
                    p = q
                    break
                if int(fills_eye(state, q, colour)) == 0:
                    if int(breathes(state, q, colour)) != 0:
                        p = q
                        break
                m -= 1  # not playable: to the end of the list, and draw again
                e = s[_LIST + m]
                s[_LIST + i] = e
                s[_PLACE + e] = i
                s[_LIST + m] = q
                s[_PLACE + q] = m
        if p == _PASS:
            s[_KO] = 0
            passes += 1
        else:
            passes = 0
            m = s[_EMPTIES]
            place(state, p, colour)
        if epsilon != _NEVER_GREEDY:
            if s[_EMPTIES] >= m:  # a capture freed points, or a pass: both orders start again
                skip = 0
                other_skip = 0
            i = skip
            skip = other_skip
            other_skip = i
        t[length] = p + (colour - 1) * _SECOND
        length += 1
        left -= 1
        colour = 3 - colour
    r[0] = z
    r[1] = w
    s[_TURN] = colour - 1
    s[_PASSES] = passes
    s[_LEFT_LOW] = left & 255
    s[_LEFT_HIGH] = left >> 8
    return length


@micropython.viper
def only_liberty(s: ptr8, head: int) -> int:
    # Where the chain of this head can be captured at once; 0 if it has two liberties or more.
    # A point counts once for each side that the chain is on, and stones on n sides of it are of
    # one chain only with others between them: 2 * n - 1 at least.
    left = int(s[_LIBS + head])
    if left > 4 or s[_STONES + head] < 2 * left - 1:
        return 0
    q = head
    p = 0
    while p == 0:
        if s[_CELL - _ROW + q] == _EMPTY:
            p = q - _ROW
        elif s[_CELL - 1 + q] == _EMPTY:
            p = q - 1
        elif s[_CELL + 1 + q] == _EMPTY:
            p = q + 1
        elif s[_CELL + _ROW + q] == _EMPTY:
            p = q + _ROW
        q = int(s[_NEXT + q])
    left -= int(s[_HEAD - _ROW + p] == head) + int(s[_HEAD - 1 + p] == head)
    left -= int(s[_HEAD + 1 + p] == head) + int(s[_HEAD + _ROW + p] == head)
    if left != 0:
        return 0
    return p


@micropython.viper
def has_two(s: ptr8, head: int) -> int:
    # 1 if the chain of this head, which has two liberties or more, has just two.
    left = int(s[_LIBS + head])
    if left > 8:  # a point counts four times at most
        return 0
    if s[_STONES + head] == 1:
        return int(left == 2)
    a = 0  # the liberties that were met
    b = 0
    q = head
    while left != 0:
        side = q - _ROW
        for k in range(4):
            if s[_CELL + side] == _EMPTY:
                left -= 1
                if side != a and side != b:
                    if b != 0:
                        return 0
                    b = a
                    a = side
            side += 2 if k == 1 else _ROW - 1
        q = int(s[_NEXT + q])
    return 1


@micropython.viper
def has_room(s: ptr8, p: int, colour: int) -> int:
    # 1 if a stone of colour on the empty point p captures, or its chain then has two liberties.
    if s[_LIBS + p] > 1:
        return 1
    free = 0  # a liberty that it has
    few = 0  # an own chain beside it may have one more at most
    side = p - _ROW
    for k in range(4):
        cell = s[_CELL + side]
        if cell == _EMPTY:
            free = side
        elif cell != _BORDER:
            head = int(s[_HEAD + side])
            left = int(s[_LIBS + head])
            if left > 8 and cell == colour:
                return 1
            left -= int(s[_HEAD - _ROW + p] == head) + int(s[_HEAD - 1 + p] == head)
            left -= int(s[_HEAD + 1 + p] == head) + int(s[_HEAD + _ROW + p] == head)
            if cell != colour:
                if left == 0:
                    return 1
            elif left > 4 or s[_STONES + head] < 2 * left - 1:  # as in only_liberty
                return 1
            elif left != 0:
                few = 1
        side += 2 if k == 1 else _ROW - 1
    if few == 0:
        return 0
    side = p - _ROW
    for k in range(4):
        if s[_CELL + side] == colour:
            head = int(s[_HEAD + side])
            left = int(s[_LIBS + head])
            q = head
            while left != 0:
                beside = q - _ROW
                for j in range(4):
                    if s[_CELL + beside] == _EMPTY:
                        left -= 1
                        if beside != p:
                            if free == 0:
                                free = beside
                            elif free != beside:
                                return 1
                    beside += 2 if j == 1 else _ROW - 1
                q = int(s[_NEXT + q])
        side += 2 if k == 1 else _ROW - 1
    return 0


@micropython.viper
def is_shape(s: ptr8, p: int, known: ptr8) -> int:
    # 1 if a stone on p, of either colour, makes a shape that is good as a rule (knowledge/go.py).
    # Two bits a point: 0 empty, 1 black, 2 white, 3 outside.
    sides = s[_CELL - _ROW + p] + 4 * s[_CELL - 1 + p] + 16 * s[_CELL + 1 + p]
    by_sides = int(known[sides + 64 * s[_CELL + _ROW + p]])
    if by_sides == _HOPELESS:
        return 0
    corners = s[_CELL - _ROW - 1 + p] + 4 * s[_CELL - _ROW + 1 + p] + 16 * s[_CELL + _ROW - 1 + p]
    shape = int(known[_CORNERS + corners + 64 * s[_CELL + _ROW + 1 + p]])
    if by_sides < _INNER:
        shape += _INNER * by_sides
    else:
        shape += _INNER * _INNER + 9 * (by_sides - _INNER)
    return (int(known[_BITS + (shape >> 3)]) >> (shape & 7)) & 1


@micropython.viper
def tactical_reply(state, rng, last: int, colour: int) -> int:
    # Any of the moves that capture what has just moved, or rescue what it has put into atari: by
    # capturing what stands beside it, or by extending. _NONE if there is none.
    s = ptr8(state)
    found = int(only_liberty(state, int(s[_HEAD + last])))
    count = 1
    if found == 0 or found == s[_KO]:
        found = int(_NONE)
        count = 0
    side = last - _ROW
    for k in range(4):
        if s[_CELL + side] == colour and s[_LIBS + s[_HEAD + side]] <= 4:
            head = int(s[_HEAD + side])
            p = int(only_liberty(state, head))
            if p != 0:
                q = head
                while True:
                    beside = q - _ROW
                    for j in range(4):
                        if s[_CELL + beside] == 3 - colour:
                            taken = int(only_liberty(state, int(s[_HEAD + beside])))
                            if taken != 0 and taken != s[_KO] and taken != found:
                                count += 1
                                if count == 1 or int(draw(rng, count)) == 0:
                                    found = taken
                        beside += 2 if j == 1 else _ROW - 1
                    q = int(s[_NEXT + q])
                    if q == head:
                        break
                if p != s[_KO] and p != found and int(has_room(state, p, colour)) != 0:
                    count += 1
                    if count == 1 or int(draw(rng, count)) == 0:
                        found = p
        side += 2 if k == 1 else _ROW - 1
    return found


@micropython.viper
def shapely_reply(state, start: int, last: int, colour: int, known) -> int:
    # The first point around the last move, from place `start` of 8 on, that makes a known shape;
    # _NONE if there is none. Once around, from the upper left: two places a side.
    # Steps are looked up, because a branch on chance is guessed wrong half of the time.
    s = ptr8(state)
    p = (
        last - _ROW - 1 + (start >> 2) * 2 * _ROW + (((start + 2) & 4) >> 1)
    )  # where its side begins
    p += (start & 1) * (((_ALONG >> ((start & 6) << 2)) & 255) - 16)
    for k in range(start, start + 8):
        if s[_CELL + p] == _EMPTY:
            if int(is_shape(state, p, known)) != 0:
                if s[_LIBS + p] != 0 or int(breathes(state, p, colour)) != 0:
                    return p
        p += ((_ALONG >> ((k & 6) << 2)) & 255) - 16
    return _NONE


@micropython.viper
def reply(state, rng, which: int, last: int, known) -> int:
    # An answer to the last move in a playout, or _NONE.
    s = ptr8(state)
    if last == _PASS or (s[_LEFT_LOW] == 0 and s[_LEFT_HIGH] == 0):
        return _NONE
    if last == _NONE:
        return _NONE
    colour = s[_TURN] + 1
    chance = int(draw(rng, 32768))
    if which & _TACTICS != 0 and chance & 255 < _TACTICAL:
        p = int(tactical_reply(state, rng, last, colour))
        if p != _NONE:
            return p
    if which & _SHAPES != 0 and chance >> 7 < _SHAPELY:
        return int(shapely_reply(state, chance & 7, last, colour, known))
    return _NONE


@micropython.viper
def pick(state, rng, which: int) -> int:
    # Any move that is not into an own eye, a pass if there is none; _NONE if the game is over.
    s = ptr8(state)
    if int(over(state)) != 0:
        return _NONE
    colour = s[_TURN] + 1
    m = int(s[_EMPTIES])
    while m > 0:
        i = int(draw(rng, m))
        p = int(s[_LIST + i])
        good = 1
        if s[_LIBS + p] == 0:
            good = 0
            if int(fills_eye(state, p, colour)) == 0:
                good = int(breathes(state, p, colour))
        if good != 0:
            return p
        m -= 1  # not playable: to the end of the list, and draw again
        e = s[_LIST + m]
        s[_LIST + i] = e
        s[_PLACE + e] = i
        s[_LIST + m] = p
        s[_PLACE + p] = m
    return _PASS


@micropython.viper
def decided(s: ptr8) -> int:
    # 1 if one side leads by more than three eighths of the board in stones alone, komi counted.
    size = int(s[_SIZE])
    if 2 * s[_EMPTIES] > size * size:
        return 0
    black = 0
    for p in range(_ROW + 1, _ROW * size + _ROW):
        black += int(s[_CELL + p] == 1)
    lead = 4 * black - 2 * (size * size - s[_EMPTIES]) - s[_KOMI]  # all other stones are white's
    if lead < 0:
        lead = -lead
    return int(4 * lead > 3 * size * size)  # lead is in half points


@micropython.viper
def prior_of(state, which: int, p: int, colour: int, known) -> int:
    # What a stone of colour on p is worth beforehand, but for the last move.
    s = ptr8(state)
    worth = 0
    saves = 0
    threatens = 0
    open_sides = s[_LIBS + p]
    if open_sides < 4:
        side = p - _ROW
        for k in range(4):
            cell = s[_CELL + side]
            if cell != _EMPTY and cell != _BORDER:
                head = s[_HEAD + side]
                left = s[_LIBS + head]
                if left <= 4:
                    left -= int(s[_HEAD - _ROW + p] == head) + int(s[_HEAD - 1 + p] == head)
                    left -= int(s[_HEAD + 1 + p] == head) + int(s[_HEAD + _ROW + p] == head)
                if left == 0:
                    if cell == colour:
                        saves = 1
                    elif which & _FOR_CAPTURES != 0:
                        if s[_STONES + head] > 1:
                            worth = 2 * _CAPTURES
                        elif worth == 0:
                            worth = int(_CAPTURES)
                elif cell != colour and which & _FOR_THREATS != 0:
                    if int(has_two(state, int(head))) != 0:
                        threatens = 1
            side += 2 if k == 1 else _ROW - 1
    if open_sides < 2 or saves != 0:
        if int(has_room(state, p, colour)) == 0:
            threatens = 0
            if which & _FOR_ATARI != 0:
                worth += _SELF_ATARI
        elif saves != 0 and which & _FOR_ESCAPES != 0:
            worth += _SAVES
    if threatens != 0:
        worth += _THREATENS
    if which & _FOR_SHAPES != 0:
        if int(is_shape(state, p, known)) != 0:
            worth += _KNOWN_SHAPE
    return worth


@micropython.viper
def nearness(s: ptr8, p: int, last: int) -> int:
    # What a move at p is worth because it is near the last one.
    away = p - last
    if away < 0:
        away = last - p
    if away == 1 or away == _ROW:
        return _BESIDE
    if away == _ROW - 1 or away == _ROW + 1:
        return _DIAGONAL
    if away == 2 or away == 2 * _ROW:
        if s[_CELL + ((p + last) >> 1)] != _BORDER:  # not around a border
            return _TWO_AWAY
    return 0


@micropython.viper
def prior(
    state, which: int, last: int, moves: ptr16, numbers: ptr16, count: int, known, out: ptr16
):
    # Moves and numbers are the same here.
    s = ptr8(state)
    colour = s[_TURN] + 1
    follows = int(which & _FOR_NEAR != 0 and last != _PASS and last != _NONE)
    for i in range(count):
        p = int(moves[i])
        worth = 0
        if p != _PASS:
            worth = int(prior_of(state, which, p, colour, known))
            if follows != 0:
                worth += int(nearness(state, p, last))
        elif last != _PASS:
            worth = int(_EARLY_PASS)
        out[p] = worth


@micropython.viper
def area(s: ptr8) -> int:
    # Black's area minus white's: stones, and empty regions that touch one colour only.
    # The points of a region stand one behind the other in _NEXT, which no empty point needs; 0,
    # outside the board, ends them. A region that touches both is not walked through: what is left
    # of it is known by what it meets.
    m = int(s[_EMPTIES])
    for i in range(m):
        s[_STONES + s[_LIST + i]] = 0
    for i in range(m):
        first = int(s[_LIST + i])
        if s[_STONES + first] == 0:
            touch = int(_SEEN)  # and the colours that the region touches, as bits
            s[_STONES + first] = touch
            s[_NEXT + first] = 0
            last = first
            p = first
            while p != 0 and touch != _SEEN + _BOTH:
                side = p - _ROW
                for k in range(4):
                    cell = int(s[_CELL + side])
                    if cell == _EMPTY:
                        if s[_STONES + side] == 0:
                            s[_STONES + side] = _SEEN
                            s[_NEXT + last] = side
                            s[_NEXT + side] = 0
                            last = side
                        elif s[_STONES + side] == _BOTH:
                            touch |= _BOTH
                    elif cell != _BORDER:
                        touch |= cell
                    side += 2 if k == 1 else _ROW - 1
                p = int(s[_NEXT + p])
            p = first
            while p != 0:
                s[_STONES + p] = touch - _SEEN
                p = int(s[_NEXT + p])
            if touch == _SEEN:  # an empty board: nobody's, and not to be looked at again
                break
    total = 0
    for p in range(_ROW + 1, _ROW * s[_SIZE] + _ROW):
        owner = int(s[_CELL + p])
        if owner == _EMPTY:
            owner = int(s[_STONES + p])
        if owner == 1:
            total += 1
        elif owner == 2:
            total -= 1
    return total


@micropython.viper
def outcome(state) -> int:
    # _WIN if black has won, 1 for a draw, 0 if white has.
    s = ptr8(state)
    lead = 2 * int(area(state)) - s[_KOMI]
    if lead > 0:
        return _WIN
    return int(lead == 0)


@micropython.viper
def key(s: ptr8) -> int:
    # A 30-bit hash of the stones, for positional superko.
    a = 1
    b = 2
    for p in range(_ROW + 1, _ROW * s[_SIZE] + _ROW):
        a = 18000 * (a & 65535) + (a >> 16) + s[_CELL + p]
        b = 30903 * (b & 65535) + (b >> 16) + s[_CELL + p]
    return ((a & 32767) << 15) + (b & 32767)


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    # Of all that decides what may be played, but for the moves left until the cap.
    # As on a board of _WIDEST, whatever the row.
    size = int(s[_SIZE])
    ko = int(s[_KO])
    ko += ko // _ROW * (_WIDEST - _ROW)
    rest = s[_TURN] + 2 * s[_PASSES] + 8 * ko
    a = 1 + rest
    b = 2 + rest
    for y in range(1, size + 1):
        for x in range(1, _WIDEST + int(y < size)):
            cell = int(_BORDER)
            if x <= size:
                cell = int(s[_CELL + _ROW * y + x])
            a = 18000 * (a & 65535) + (a >> 16) + cell
            b = 30903 * (b & 65535) + (b >> 16) + cell
    out[0] = a
    out[1] = b


@micropython.viper
def evaluate(state) -> int:
    # Black's lead by area in half points, as if the game ended here.
    return 2 * int(area(state)) - ptr8(state)[_KOMI]


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # The whole board, with the komi, in half points.
    board = 2 * s[_SIZE] * s[_SIZE]
    if player == 0:
        return board - s[_KOMI] if board > s[_KOMI] else 1
    return board + s[_KOMI]


@micropython.viper
def repeats(state, work, keys: ptr32, now: int, move: int) -> int:
    # Positional superko: 1 if the stones then stand as at one of keys[:now]. A pass leaves
    # them as they are, at keys[now], which is no repetition.
    copy(work, state)
    play(work, move)
    after = int(key(work))
    if after == keys[now]:
        return 0
    for i in range(now):
        if keys[i] == after:
            return 1
    return 0


@micropython.viper
def repetitions(state, work, keys, now: int, moves: ptr16, count: int) -> int:
    kept = 0
    for i in range(count):
        move = int(moves[i])
        if int(repeats(state, work, keys, now, move)) != 0:
            moves[kept] = move
            kept += 1
    return kept


_COLUMNS = "ABCDEFGHJKLMN"  # GTP leaves out I


class Game(games.Game):
    """Go of one size and komi; protocols.pyi says what the attributes mean."""

    title = "Go"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    key = staticmethod(key)
    repetitions = staticmethod(repetitions)
    players = ("black", "white")
    fingerprint = staticmethod(fingerprint)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    reply = staticmethod(reply)
    pick = staticmethod(pick)
    decided = staticmethod(decided)
    prior = staticmethod(prior)
    replies = ("tactics", "shapes")
    priors = ("captures", "escapes", "shapes", "near", "atari", "threats")
    known = KNOWN
    amaf_span = 0.6  # measured: host/results
    options = ("komi",)
    default_size = 9
    sizes = SIZES
    numbering = (_ROW, _WIDEST - _ROW)
    state_bytes = _STATE

    def __init__(self, size, komi=7.5):
        self.size = size
        if not 0 <= komi <= 127.5 or 2 * komi % 1 != 0:
            raise BadInput("komi must be a multiple of 0.5 from 0 to 127.5, not %s" % komi)
        self.komi = komi
        self.code_count = size * size + 1
        self.move_limit = _ROW * size + size + 1
        self.move_cap = 3 * size * size

    def code(self, move):
        """The AMAF code of a move, None for what is no move: rows of `size`, pass last."""
        y, x = divmod(move, _ROW)
        if move == _PASS:
            return self.size * self.size
        if 1 <= x <= self.size and 1 <= y <= self.size:
            return (y - 1) * self.size + x - 1
        return None

    if RUNTIME != "micropython":

        def left_out(self, state, listed):
            """Moves into one's own eyes."""
            return [
                move
                for move in range(self.move_limit)
                if self.code(move) is not None and move not in listed and legal(state, move)
            ]

        def owners(self, state, counts):
            """Stones are their colour's, and so is what only they touch."""
            area(state)  # leaves what colours each empty point touches in _STONES
            points = bytes(state)
            code = 0
            for y in range(1, self.size + 1):
                for p in range(_ROW * y + 1, _ROW * y + self.size + 1):
                    owner = points[_CELL + p] or points[_STONES + p]
                    if owner == 1:
                        counts[code] += _WIN
                    elif owner != 2:
                        counts[code] += 1
                    code += 1

    def reset(self, state):
        reset(state, self.size, round(2 * self.komi))

    def text(self, move):
        """A move as GTP writes it: D4, or pass."""
        if move == _PASS:
            return "pass"
        return _COLUMNS[move % _ROW - 1] + str(move // _ROW)

    def show(self, state):
        """The board as lines of text."""
        columns = "   " + " ".join(_COLUMNS[: self.size])
        lines = [columns]
        for y in range(self.size, 0, -1):
            cells = state[_CELL + _ROW * y + 1 : _CELL + _ROW * y + 1 + self.size]
            lines.append("%2d %s" % (y, " ".join(".XO"[cell] for cell in cells)))
        return "\n".join(lines + [columns])

    def score(self, state):
        """The result in words, by area and komi."""
        lead = 2 * area(state) - round(2 * self.komi)
        if lead == 0:
            return "draw"
        return "%s+%g" % ("B" if lead > 0 else "W", abs(lead) / 2)
