"""Hex on 3x3 to 13x13: black, who begins, connects top and bottom, white left and right.

Coordinates are those of HTP and HexGui: a letter for the column and a number for the row
from the top; A1 is the top left, an acute corner, and every row stands half a cell further
right than the one above. A full board has one winner, so there are no draws.

With the option `swap` white may answer the first stone by `swap` and take it over: it is
mirrored at the long diagonal (A1 to K11), which turns black's edges into white's, becomes
white's, and black is to move. Whoever swaps keeps the colour.

**Who has won** is asked by a walk (`connects`), not by a search of the board. Follow the
line that parts a player's stones and first edge from all the rest, starting in the corner
A1. It can only end at the player's other edge, who then has connected the two, or at the
opponent's, who then still can. On 11x11 that takes 22 steps on the empty board and 67, on
average, on a full one. A playout does not even walk after every stone: it fills the board,
walks once to learn the winner, and then narrows down which stone won. Later stones are taken
off again, so that its moves are a real game. Measured on 11x11 with Numba, this makes 1.5
times the playouts per second of joining chains (union-find) at every stone, the same games.

A move is a point of a padded board, 15 * row + column, rows and columns from 1; 0 swaps.
The padding holds the edges as stones, so that nothing asks where the board ends. The row of
15 fits 13x13 and is the same for every size, so that all offsets below are constants. A chip
that plays one size only has the row of that size: the build computes the constants that say
`one size:` again.

**Distance** is the paper's evaluation (Dijkstra's shortest path): the fewest stones that a
player must still add to connect. Its scratch is in the state, behind what `copy` copies.
"""

from picograve import games
from picograve.errors import BadInput
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.rng import draw

_SMALLEST = const(3)  # one size: size
_LARGEST = const(13)  # one size: size
SIZES = range(_SMALLEST, _LARGEST + 1)
_ROW = const(15)  # one size: size + 2
_WIDEST = const(15)  # the row as written, in whose numbers hashes know moves and points
_PITCH = const(228)  # one size: (_ROW * _ROW + 3) // 4 * 4; the points, in whole words

# The state, bytes. A header of 8, the board, then scratch.
_TURN = const(0)  # player to move: 0 black, 1 white
_SIZE = const(1)  # cells a side
_EMPTIES = const(2)  # number of empty cells
_WINNER = const(3)  # 0 none, else player + 1
_SWAP = const(4)  # moves until the right to swap is gone; with 1 it may be used
_CODES = const(5)  # number of move codes: length of a player's order
_CELL = const(8)  # _EMPTY, 1 black, 2 white, or one of the edges below
_PLACE = const(236)  # one size: _CELL + _PITCH; where an empty cell stands in the list of them
_LIST = const(448)  # one size: _PLACE + (_ROW * size + size + 4) // 4 * 4; the empty cells
_COPIED = const(620)  # one size: _LIST + (size * size + 3) // 4 * 4
_OWN = const(620)  # one size: _COPIED; scratch: lines of bits, see `distance`; black's stones,
_LINED = const(620)  # one size: _OWN; line 0 is none: 1 while the lines are those of the board
_FREE = const(650)  # one size: _OWN + 2 * _ROW; empty cells; then both of white's lines
_BLOCK = const(60)  # one size: 4 * _ROW; a player's lines
_REACHED = const(740)  # one size: _OWN + 2 * _BLOCK
_QUEUE = const(848)  # one size: _COPIED + _PITCH; scratch: cells to look at, a ring of 256
_STATE = const(1104)  # one size: _QUEUE + 256

_EMPTY = const(0)
_OUTSIDE = const(3)
_GOAL = const(4)  # bottom is black's goal, 5, and right white's, 6; top is 1 and left 2
_SWAPPING = const(0)  # the move
_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_FEW = const(8)  # stones: to take so many out of the lines costs less than to make them anew
_UNREACHABLE = const(200)  # distance of who can no longer connect

_EVALUATION = const(0)  # heuristics, by their place in Game.heuristics
_MOBILITY = const(1)
_NONE = const(65535)  # = picograve.mcts.tree._NONE

# Priors: 256 * visits + points.
_BRIDGE = const(2580)  # 10 won: saves a bridge
_LINK = const(1032)  # 4 won: makes a bridge
_NEAR = const(1032)  # 4 won: beside the last move
_SAVES = const(1)  # places in Game.priors, as bits
_LINKS = const(2)
_NEARS = const(4)


@micropython.viper
def clear(s: ptr8):
    # The empty board of s[_SIZE].
    size = int(s[_SIZE])
    for p in range(_PITCH):
        s[_CELL + p] = _OUTSIDE
    bottom = _ROW * size + _ROW
    for x in range(size + 2):
        s[_CELL + x] = 1
        s[_CELL + bottom + x] = _GOAL + 1
    n = 0
    for y in range(1, size + 1):
        p = _ROW * y
        s[_CELL + p] = 2
        s[_CELL + 1 + size + p] = _GOAL + 2
        for x in range(size):
            p += 1
            s[_CELL + p] = _EMPTY
            s[_LIST + n] = p
            s[_PLACE + p] = n
            n += 1
    s[_EMPTIES] = n


@micropython.viper
def reset(state, size: int, swap: int):
    s = ptr8(state)
    for i in range(_STATE):
        s[i] = 0
    s[_SIZE] = size
    s[_SWAP] = 2 * swap
    s[_CODES] = size * size + swap
    clear(state)


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_COPIED):
        to[i] = s[i]
    to[_LINED] = 0


@micropython.viper
def legal(s: ptr8, move: int) -> int:
    if s[_WINNER] != 0:
        return 0
    if move == _SWAPPING:
        return int(s[_SWAP] == 1)
    return int(s[_CELL + move] == _EMPTY)


@micropython.viper
def moves(s: ptr8, out: ptr16) -> int:
    # All empty cells, and the swap where it is allowed; none when the game is over.
    if s[_WINNER] != 0:
        return 0
    n = int(s[_EMPTIES])
    for i in range(n):
        out[i] = s[_LIST + i]
    if s[_SWAP] == 1:
        out[n] = _SWAPPING
        n += 1
    return n


@micropython.viper
def connects(s: ptr8, colour: int) -> int:
    # 1 if colour's stones connect its edges; see the top of this file. The line runs between
    # `own` and own + other, neighbours. The cell ahead, own + ahead, touches both and falls to
    # one side. Of three neighbouring directions, the third is the second minus the first.
    own = 1
    other = _ROW - 1
    ahead = _ROW
    if colour == 2:
        own = _ROW
        other = 1 - _ROW
        ahead = 1
    cell = int(s[_CELL + own + ahead])
    while cell < _GOAL:
        turned = ahead - other
        if cell == colour:
            own += ahead
            ahead = other
            other = 0 - turned
        else:
            other = ahead
            ahead = turned
        cell = int(s[_CELL + own + ahead])
    return int(cell == _GOAL + colour)


@micropython.viper
def place(s: ptr8, p: int, colour: int):
    # A stone on the empty cell p, which leaves the list of these.
    s[_LINED] = 0
    s[_CELL + p] = colour
    n = s[_EMPTIES] - 1
    i = int(s[_PLACE + p])
    last = int(s[_LIST + n])
    s[_LIST + i] = last
    s[_PLACE + last] = i
    s[_EMPTIES] = n


@micropython.viper
def take_over(state):
    # The swap: the only stone, mirrored, is white's.
    s = ptr8(state)
    p = _ROW + 1
    while s[_CELL + p] != 1:
        p += 1
    clear(state)
    y = p // _ROW
    place(state, _ROW * (p - _ROW * y) + y, 2)


@micropython.viper
def play(state, move: int):
    s = ptr8(state)
    colour = s[_TURN] + 1
    s[_TURN] = 2 - colour
    if s[_SWAP] != 0:
        s[_SWAP] -= 1
    if move == _SWAPPING:
        take_over(state)
    else:
        place(state, move, colour)
        if int(connects(state, colour)) != 0:
            s[_WINNER] = colour


@micropython.viper
def opening_move(state, rng, order, epsilon: int) -> int:
    # A playout's move while swapping is or will be a choice.
    s = ptr8(state)
    o = ptr16(order)
    if epsilon == _NEVER_GREEDY or int(draw(rng, 32768)) < epsilon >> 1:
        n = int(s[_EMPTIES])
        i = int(draw(rng, n + int(s[_SWAP] == 1)))
        if i == n:
            return _SWAPPING
        return int(s[_LIST + i])
    i = int(s[_TURN]) * int(s[_CODES])
    while int(legal(state, o[i])) == 0:
        i += 1
    return int(o[i])


@micropython.viper
def fill(state, rng, trace, length: int, order, epsilon: int) -> int:
    # The rest of the board, the players in turn; moves go to trace[length:]. A cell that is
    # filled changes places with the last empty one in the list, so that the list is right
    # again as soon as _EMPTIES is, however many of the last stones are taken off.
    # The generator (rng.py) is written out because a call costs more than its work on a chip.
    s = ptr8(state)
    r = ptr32(rng)
    t = ptr16(trace)
    o = ptr16(order)
    z = r[0]
    w = r[1]
    s[_LINED] = 0
    n = int(s[_EMPTIES])
    colour = s[_TURN] + 1
    best = int(s[_TURN]) * int(s[_CODES])  # in the player's order: all before it are occupied,
    other_best = int(s[_CODES]) - best  # and in the other's
    while n > 0:
        random = 1
        if epsilon != _NEVER_GREEDY:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            random = int(((z & 65535) + w) & 65535 < epsilon)
        if random != 0:
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            i = ((((z & 65535) + w) & 65535) * n) >> 16
            p = int(s[_LIST + i])
        else:
            while s[_CELL + o[best]] != _EMPTY:
                best += 1
            p = int(o[best])
            i = int(s[_PLACE + p])
        n -= 1
        last = int(s[_LIST + n])
        s[_LIST + i] = last
        s[_PLACE + last] = i
        s[_LIST + n] = p
        s[_PLACE + p] = n
        s[_CELL + p] = colour
        t[length] = p + (colour - 1) * _SECOND
        length += 1
        colour = 3 - colour
        i = best
        best = other_best
        other_best = i
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def show_until(s: ptr8, t: ptr16, shown: int, wanted: int):
    # Of the trace's moves, the first `shown` are on the board: take off or put back stones
    # until it is the first `wanted`.
    while shown > wanted:
        shown -= 1
        s[_CELL + (t[shown] & (_SECOND - 1))] = _EMPTY
    while shown < wanted:
        s[_CELL + (t[shown] & (_SECOND - 1))] = 1 + (int(t[shown]) >> 15)
        shown += 1


@micropython.viper
def line(s: ptr8, at: int) -> int:
    return int(s[at]) + (int(s[at + 1]) << 8)


@micropython.viper
def put_line(s: ptr8, at: int, bits: int):
    s[at] = bits & 255
    s[at + 1] = bits >> 8


@micropython.viper
def empty_in_lines(state, p: int, colour: int):
    # The stone on p has left the board.
    y = p // _ROW
    x = p - _ROW * y
    at = _OWN + 2 * y
    bit = 1 << x
    if colour == 2:
        at = _OWN + _BLOCK + 2 * x
        bit = 1 << y
    put_line(state, at, int(line(state, at)) - bit)
    at = _FREE + 2 * y
    put_line(state, at, int(line(state, at)) + (1 << x))
    at = _FREE + _BLOCK + 2 * x
    put_line(state, at, int(line(state, at)) + (1 << y))


@micropython.viper
def take_back(state, t: ptr16, shown: int, wanted: int):
    # The stones after the first `wanted` moves of a trace, all that `evaluate` looks at, from those
    # after `shown`. A swap leaves white's stone alone on the board.
    s = ptr8(state)
    if wanted < shown:
        s[_WINNER] = 0
    if shown - wanted > _FEW:
        s[_LINED] = 0
    while shown > wanted:
        shown -= 1
        p = int(t[shown]) & (_SECOND - 1)
        mirrored = 0
        if p == _SWAPPING:
            s[_LINED] = 0
            p = _ROW + 1
            x = 1
            while x == 0 or s[_CELL + p] != 2:  # the left edge is no stone
                p += 1
                x = p % _ROW
            mirrored = _ROW * x + p // _ROW
        if s[_LINED] != 0:
            empty_in_lines(state, p, int(s[_CELL + p]))
        s[_CELL + p] = _EMPTY
        if mirrored != 0:
            s[_CELL + mirrored] = 1


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game; moves go to trace[length:], the new length comes back.
    # With epsilon / 65536 a random move, else the first playable of the player's order.
    s = ptr8(state)
    t = ptr16(trace)
    while s[_SWAP] != 0:
        p = int(opening_move(state, rng, order, epsilon))
        t[length] = p + s[_TURN] * _SECOND
        play(state, p)
        length += 1
    if s[_WINNER] != 0:
        return length
    low = length  # after so many moves nobody has won,
    high = int(fill(state, rng, trace, length, order, epsilon))  # and now somebody has
    end = high
    winner = 2 - int(connects(state, 1))
    shown = high
    while high - low > 1:
        wanted = high - ((high - low + 2) >> 2)  # nearer to the end, where most games are won
        show_until(state, trace, shown, wanted)
        shown = wanted
        if int(connects(state, winner)) != 0:
            high = wanted
        else:
            low = wanted
    show_until(state, trace, shown, high)
    s[_EMPTIES] = end - high
    s[_WINNER] = winner
    s[_TURN] = 2 - winner  # the loser's
    return high


@micropython.viper
def reply(state, rng, which: int, last: int, known) -> int:
    # Save a bridge: two own stones or edges with two common empty cells, of which the last move
    # took one. Around that move, the other is between the two. _NONE if there is none.
    s = ptr8(state)
    if which == 0 or s[_WINNER] != 0 or last == _SWAPPING:
        return _NONE
    if last == _NONE:
        return _NONE
    own = s[_TURN] + 1
    found = int(_NONE)
    count = 0
    a = 0 - _ROW
    b = 1 - _ROW
    for k in range(6):
        if s[_CELL + last + b] == _EMPTY:
            if s[_CELL + last + a] & 3 == own and s[_CELL + last + b - a] & 3 == own:
                count += 1
                if count == 1 or int(draw(rng, count)) == 0:
                    found = last + b
        turned = b - a
        a = b
        b = turned
    return found


@micropython.viper
def pick(s: ptr8, rng, which: int) -> int:
    # Any move; _NONE if the game is over.
    if s[_WINNER] != 0:
        return _NONE
    n = int(s[_EMPTIES])
    i = int(draw(rng, n + int(s[_SWAP] == 1)))
    if i == n:
        return _SWAPPING
    return int(s[_LIST + i])


@micropython.viper
def prior(
    state, which: int, last: int, moves: ptr16, numbers: ptr16, count: int, known, out: ptr16
):
    # Moves and numbers are the same here.
    s = ptr8(state)
    own = s[_TURN] + 1
    for i in range(count):
        p = int(moves[i])
        worth = 0
        if p != _SWAPPING and which & _LINKS != 0:
            a = 0 - _ROW
            b = 1 - _ROW
            for k in range(6):  # an own stone beyond two empty cells
                c = b - a
                if s[_CELL + p + a] == _EMPTY and s[_CELL + p + b] == _EMPTY:
                    if s[_CELL + p + a + b] == own:
                        worth = int(_LINK)
                a = b
                b = c
        out[p] = worth
    if last == _NONE:
        return
    if last == _SWAPPING:
        return
    a = 0 - _ROW
    b = 1 - _ROW
    for k in range(6):
        if s[_CELL + last + b] == _EMPTY:
            if which & _NEARS != 0:
                out[last + b] += _NEAR
            if s[_CELL + last + a] & 3 == own and s[_CELL + last + b - a] & 3 == own:
                if which & _SAVES != 0:
                    out[last + b] += _BRIDGE
        c = b - a
        a = b
        b = c


@micropython.viper
def outcome(s: ptr8) -> int:
    # 2 if black has won, 0 if white has.
    return 4 - 2 * s[_WINNER]


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    # The right to swap needs no mark: one black stone has it, if the game does.
    # As on a board of _WIDEST, whatever the row.
    size = int(s[_SIZE])
    a = 1 + s[_TURN]
    b = 2 + s[_TURN]
    for y in range(1, size + 1):
        for x in range(1, _WIDEST + int(y < size)):
            cell = int(_OUTSIDE)
            if x <= size + 1:
                cell = int(s[_CELL + _ROW * y + x])
            elif x == _WIDEST:
                cell = 2  # the left edge, in the row below
            a = 18000 * (a & 65535) + (a >> 16) + cell
            b = 30903 * (b & 65535) + (b >> 16) + cell
    out[0] = a
    out[1] = b


@micropython.viper
def spread(state, to, field: int, colour: int, back: int):
    # Distances of colour from its first edge, or with `back` from the other, into to[field:]:
    # 1 + the empty cells on the best way to a cell, its own included; 0 where there is none.
    # A breadth-first search in which own stones cost nothing and go to the queue's front.
    # To enter a cell costs the same from everywhere, so the first way to it is the best.
    s = ptr8(state)
    d = ptr8(to)
    size = int(s[_SIZE])
    for p in range(field, field + _PITCH):
        d[p] = 0
    step = 1 if colour == 1 else _ROW  # along an edge
    for i in range(size + 2):
        d[field + step * i] = 1  # known: nobody looks beyond the edge
    p = _ROW + 1
    if back != 0:
        p += (size - 1) * (_ROW + 1 - step)
    head = 0
    tail = 0
    for i in range(size):
        cell = int(s[_CELL + p])
        if cell == colour:
            d[field + p] = 1
            head = (head - 1) & 255
            s[_QUEUE + head] = p
        elif cell == _EMPTY:
            d[field + p] = 2
            s[_QUEUE + tail] = p
            tail += 1
        p += step
    while head != tail:
        p = int(s[_QUEUE + head])
        head = (head + 1) & 255
        near = int(d[field + p])
        a = 0 - _ROW
        b = 1 - _ROW
        for k in range(6):
            side = p + a
            cell = int(s[_CELL + side])
            if d[field + side] == 0:
                if cell == _EMPTY:
                    d[field + side] = near + 1
                    s[_QUEUE + tail] = side
                    tail = (tail + 1) & 255
                elif cell == colour:
                    d[field + side] = near
                    head = (head - 1) & 255
                    s[_QUEUE + head] = side
            turned = b - a
            a = b
            b = turned


@micropython.viper
def across(s: ptr8, d: ptr8, field: int, colour: int) -> int:
    # The distance between colour's edges, from a field of distances from the first.
    size = int(s[_SIZE])
    step = 1 if colour == 1 else _ROW
    p = field + _ROW + 1 + (size - 1) * (_ROW + 1 - step)
    least = _UNREACHABLE + 1
    for i in range(size):
        if d[p] != 0 and d[p] < least:
            least = int(d[p])
        p += step
    return least - 1


@micropython.viper
def set_lines(state):
    # The board as lines of bits along a player's edges, from the first to the other, black's and
    # then white's: its stones, and the empty cells. Both colours of a line are collected at once,
    # white 16 bits above black.
    s = ptr8(state)
    size = int(s[_SIZE])
    full = (2 << size) - 2
    at = int(_OWN)
    for colour in range(2):
        step = 1 if colour == 0 else _ROW  # along an edge
        end = _CELL + _ROW + 1 + (size - 1) * step
        for y in range(size):
            p = end
            both = 0
            for x in range(size):
                cell = int(s[p])
                both += both + (cell & 1) + ((cell >> 1) << 16)
                p -= step
            black = (both & 65535) << 1
            white = (both >> 16) << 1
            at += 2
            put_line(state, at, white if colour == 1 else black)
            put_line(state, at + 2 * _ROW, full - black - white)
            end += _ROW + 1 - step
        at = _OWN + _BLOCK


@micropython.viper
def follow_stones(state, own_at: int, first: int, last: int) -> int:
    # Own stones beside what is reached are reached as well, and so on, in lines `first` to `last`;
    # back by a line whenever one touches a stone there. Returns the first line that has nothing
    # reached.
    y = first
    while y <= last:
        reached = int(line(state, _REACHED + 2 * y))
        own = int(line(state, own_at + 2 * y))
        above = int(line(state, _REACHED + 2 * y - 2))
        more = 0
        if own & reached != own:
            below = int(line(state, _REACHED + 2 * y + 2))
            near = above | (above >> 1) | below | (below << 1)
            grown = reached
            more = own & (near | (grown << 1) | (grown >> 1))
            while more & grown != more:
                grown |= more
                more = own & ((grown << 1) | (grown >> 1))
            more = grown - reached
        if more != 0:
            put_line(state, _REACHED + 2 * y, reached + more)
            before = 0
            if y > first:
                before = int(line(state, own_at + 2 * y - 2)) & (more | (more << 1))
            if before & above != before:
                y -= 2
        elif reached == 0:
            return y
        y += 1
    return y


@micropython.viper
def distance(state, colour: int) -> int:
    # The fewest stones that colour must add to connect its edges, by the lines: cells are reached
    # one stone after the other, a line at a time. A cell touches those at its own place in the
    # lines before and after, and one on the right before it, one on the left after it. Empty lines,
    # up to the first stone of either colour and after the last one, take a stone each.
    size = int(ptr8(state)[_SIZE])
    full = (2 << size) - 2
    own_at = _OWN + (colour - 1) * _BLOCK
    free_at = own_at + 2 * _ROW
    first = 1  # all before is reached, or never will be
    while first <= size and int(line(state, free_at + 2 * first)) == full:
        first += 1
    stones = first - 1
    last = size
    while last >= first and int(line(state, free_at + 2 * last)) == full:
        last -= 1
    put_line(state, _REACHED + 2 * stones, 2 * full + 3)  # as the edge: beyond the line's ends, too
    for y in range(first, last + 2):
        put_line(state, _REACHED + 2 * y, 0)
    end = int(follow_stones(state, own_at, first, last))  # nothing is reached from here on
    while end <= last:
        stones += 1
        above = int(line(state, _REACHED + 2 * first - 2))
        news = 0
        done = 1
        for y in range(first, end + 1):
            reached = int(line(state, _REACHED + 2 * y))
            below = int(line(state, _REACHED + 2 * y + 2))
            empty = int(line(state, free_at + 2 * y))
            near = above | (above >> 1) | below | (below << 1) | (reached << 1) | (reached >> 1)
            more = empty & (near | reached)
            above = reached
            if more & reached != more:
                news = 1
                reached |= more
                put_line(state, _REACHED + 2 * y, reached)
            if done != 0:
                done = int(reached == empty | int(line(state, own_at + 2 * y)))
                first += done
        if news == 0:
            return _UNREACHABLE
        end = int(follow_stones(state, own_at, first, last))
    return stones + size - last


@micropython.viper
def evaluate(state) -> int:
    # How many stones more white needs than black. Who has connected needs none, and the other can
    # no longer. The lines stay right while stones are taken back.
    s = ptr8(state)
    winner = int(s[_WINNER])
    if winner != 0:
        return _UNREACHABLE if winner == 1 else 0 - _UNREACHABLE
    if s[_LINED] == 0:
        set_lines(state)
        s[_LINED] = 1
    return int(distance(state, 2)) - int(distance(state, 1))


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # The lead of who has connected, when the other no longer can.
    return _UNREACHABLE


@micropython.viper
def appraise_distances(state, work, moves: ptr16, count: int, values: ptr32):
    # The opponent's distance after each move minus the mover's, plus _UNREACHABLE; four fields
    # of distances, in `work`, serve all moves. The mover's new stone gives a way through it.
    # The opponent's loses something only if it was the one empty cell at its distance on all
    # of the opponent's shortest ways; just then the distance is found again.
    s = ptr8(state)
    d = ptr8(work)
    own = s[_TURN] + 1
    other = 3 - own
    s[_LINED] = 0
    spread(state, work, 0, own, 0)
    spread(state, work, _PITCH, own, 1)
    spread(state, work, 2 * _PITCH, other, 0)
    spread(state, work, 3 * _PITCH, other, 1)
    own_way = int(across(state, work, 0, own))
    other_way = int(across(state, work, 2 * _PITCH, other))
    only = 4 * _PITCH  # in work: for every distance, how many cells are on shortest ways
    for i in range(other_way + 2):
        d[only + i] = 0
    for i in range(int(s[_EMPTIES])):
        p = int(s[_LIST + i])
        near = int(d[2 * _PITCH + p])
        if near + d[3 * _PITCH + p] == other_way + 3:
            d[only + near] += 1
    for i in range(count):
        p = int(moves[i])
        if p == _SWAPPING:  # a mirror image, in which the two have changed sides
            values[i] = _UNREACHABLE + own_way - other_way
        else:
            mine = own_way
            near = int(d[p])
            far = int(d[_PITCH + p])
            if near != 0 and far != 0 and near + far - 4 < mine:
                mine = near + far - 4
            theirs = other_way
            near = int(d[2 * _PITCH + p])
            if near + d[3 * _PITCH + p] == other_way + 3 and d[only + near] == 1:
                s[_CELL + p] = own
                set_lines(state)
                theirs = int(distance(state, other))
                s[_CELL + p] = _EMPTY
            values[i] = _UNREACHABLE + theirs - mine


@micropython.viper
def appraise(state, work, heuristic: int, moves, count: int, values):
    if heuristic == _EVALUATION:
        appraise_distances(state, work, moves, count, values)
    else:
        # Either player may then play any empty cell, wherever the stone went: mobility is the
        # same for all moves (a swap leaves one cell more, which is no merit), its difference 0.
        v = ptr32(values)
        for i in range(count):
            v[i] = ptr8(state)[_EMPTIES] - 1 if heuristic == _MOBILITY else 0


_COLUMNS = "ABCDEFGHIJKLM"


class Game(games.Game):
    """Hex of one size; protocols.pyi says what the attributes mean."""

    title = "Hex"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    fingerprint = staticmethod(fingerprint)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    take_back = staticmethod(take_back)
    reply = staticmethod(reply)
    pick = staticmethod(pick)
    prior = staticmethod(prior)
    replies = ("bridges",)
    priors = ("bridges", "links", "near")
    heuristics = ("E", "Mp", "Md")
    appraise = staticmethod(appraise)
    strategies = (("all", ("uniform", "E", "Mp", "Md")), ("top3", ("Mp", "Md", "E")))
    players = ("black", "white")
    options = ("swap",)
    default_size = 11
    sizes = SIZES
    numbering = (_ROW, _WIDEST - _ROW)
    state_bytes = _STATE

    def __init__(self, size, swap=False):
        if swap not in (False, True):
            raise BadInput("swap must be true or false, not %s" % swap)
        self.size = size
        self.swap = int(swap)
        self.code_count = size * size + self.swap
        self.move_limit = _ROW * size + size + 1
        self.move_cap = size * size + self.swap  # a swap adds no stone

    def code(self, move):
        """The AMAF code of a move, None for what is no move: rows of `size`, the swap last."""
        y, x = divmod(move, _ROW)
        if move == _SWAPPING and self.swap:
            return self.size * self.size
        if 1 <= x <= self.size and 1 <= y <= self.size:
            return (y - 1) * self.size + x - 1
        return None

    def reset(self, state):
        reset(state, self.size, self.swap)

    def text(self, move):
        """A move as HTP has it: F6, or swap."""
        if move == _SWAPPING:
            return "swap"
        return _COLUMNS[move % _ROW - 1] + str(move // _ROW)

    def show(self, state):
        """The board as lines of text: X connects top and bottom, O left and right."""
        columns = " ".join(_COLUMNS[: self.size])
        lines = ["  " + columns]
        for y in range(1, self.size + 1):
            cells = state[_CELL + _ROW * y + 1 : _CELL + _ROW * y + 1 + self.size]
            row = " ".join(".XO"[cell] for cell in cells)
            lines.append("%s%2d %s %d" % (" " * (y - 1), y, row, y))
        return "\n".join(lines + [" " * (self.size + 3) + columns])

    def score(self, state):
        """The result in words."""
        return ("nobody has won", "black wins", "white wins")[state[_WINNER]]
