"""Chess, as FIDE has it; in a search without its draws by rule, unless asked for.

Rules of this file. A move is one player's. All moves of chess: castling, en passant, the four
promotions. Who is mated has lost, stalemate is a draw. A game that is not over after _CAP moves
is a draw, too, and so are two bare kings. A hundred moves without a capture or a pawn's, too
little material to mate, and a position that comes for the third time end real games (`verdict`);
a search and its playouts look at the first two of these where the option `draws` says so, never
at repetitions. A playout ends after `cut` moves, a draw. So have it Guba and Gemrot, "Comparison
of Monte Carlo Tree Search Variants" (CEUR 4092): cut = 100, no draws by rule in a search, 1000
moves in a game, and the worth of pieces that `evaluate` counts. Two things that their program does
are options: `stalemates` makes a search believe that who stalemates wins (theirs does with FAP, RB,
QB and RQB), `blind` has `evaluate` see no mate that a playout has led to (theirs does not with WP).

A square is 16 * rank + file, a1 = 0, h8 = 119: what leaves the board has one of the bits _OFF
set, on either side, so that no walk looks at coordinates. A move is 512 * from + 8 * to +
promotion with squares counted 8 * rank + file, and castling is the king's move: e1g1.

What makes it fast. The state lists each side's pieces, and a square says which place in the list
its piece has. It keeps who gives check, which a move finds by looking from the king along the two
lines it has changed. Without a check, a move is legal unless it opens the line from a slider to
its king, which is one walk at most. So one move is tried without a look at the others: pawns and
knights have 8 slots, a queen 32, the others and a pawn before the last rank 16, each of which
stands for one move at most (`move_in`); a playout draws slots until one holds a legal move. Every
legal move has one slot, so each has the same chance. In check, and after _TRIES draws in vain, the
legal moves are counted and one of them is drawn.

A code of AMAF and MAST is the kind of piece and its target square, 6 * 64 of them: the two knights
share theirs, and so do the promotions of a pawn. A heuristic is one of
    MVV  what a move takes, most valuable first, by the least valuable; what a pawn becomes
    PST  material and where the pieces stand, own minus the other's, after the move

What replies and priors know is how an exchange begins, not how it ends: a capture pays if it takes
as much as it risks, or if nobody can take back. A piece hangs if a lesser one attacks it, or any
does and nobody guards it. Knights and bishops are as good as each other there.
"""

from picograve import games
from picograve.errors import BadInput
from picograve.kernel import (
    RUNTIME,
    allocate,
    const,
    constant,
    int,
    micropython,
    ptr8,
    ptr16,
    ptr32,
)
from picograve.rng import draw

# The state, bytes.
_TURN = const(0)  # player to move: 0 white, 1 black
_COUNT = const(1)  # pieces of a colour, at _COUNT + colour
_HEAVY = const(3)  # ... those of them that are neither pawns nor knights; they come first
_QUEENS = const(5)  # ... the queens
_READY = const(7)  # ... the pawns that are one step from the last rank
_CASTLING = const(9)  # rights, a sum of the bits below
_PASSANT = const(10)  # the square where a pawn can be taken en passant, if that is legal
_CHECKER = const(11)  # the square that gives check, _NOWHERE if none, _DOUBLE if two do
_CLOCK = const(12)  # moves of either side since the last capture or pawn's move; stays at 255
_LEFT = const(13)  # moves until the game is cut: 256 * s[_LEFT + 1] + s[_LEFT]
_CUT = const(15)  # moves that a playout may have, in the same way
_OPTIONS = const(17)  # a sum of the bits below
_SQUARES = const(18)  # 1 if `evaluate` looks at where pieces stand
_LIST = const(19)  # squares of white's pieces, the king's first; black's 16 further on
_CELL = const(51)  # what is on a square; 120 of them, of which 64 are on the board
_STATE = const(171)

# What is on a square: kind + 8 * colour + 16 * place in the list, or 0.
_PAWN = const(1)
_KNIGHT = const(2)
_BISHOP = const(3)
_ROOK = const(4)
_QUEEN = const(5)
_KING = const(6)

_DRAWS = const(1)  # the draws by rule count
_STALEMATES = const(2)  # who stalemates has won
_BLIND = const(4)  # a mate counts in `evaluate` only where no playout has led to it
_INSIDE = const(8)  # ... which one has, to what comes after here
_OFF = const(136)  # bits of what is no square
_NOWHERE = const(136)
_DOUBLE = const(137)
_SHORT = const(1)  # castling rights of white; black's are 4 times these
_LONG = const(2)
_KING_HOME = const(4)  # files
_ROOK_HOME = const(7)  # ... of short castling; the other's is 0

# Steps, 6 bits each: along ranks, files, and the two diagonals; the knight's. And the same back.
_LINES = const(1 + (16 << 6) + (15 << 12) + (17 << 18))
_JUMPS = const(14 + (18 << 6) + (31 << 12) + (33 << 18))

_CAP = const(1000)
_CODES = const(384)  # length of a player's order in a playout
_MOST = const(218)  # moves in a position: those of N. Petrovic's of 1964; none has more
_FIFTY = const(100)  # of each side fifty
_TRIES = const(64)  # about one move in a thousand needs more
_MVV = const(0)  # place in Game.heuristics
_OFFSET = const(16384)  # leaves no value below 0
_KING_WORTH = const(1200)
_MOST_LEAD = const(9999)
_ALL = const(65535)  # what `scan` is asked for, if not for one move
_NO_LIST = const(65534)
_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_NONE = const(65535)  # = picograve.mcts.tree._NONE

_MATES = const(1)  # places in Game.replies, as bits
_RETAKES = const(2)
_CAPTURES = const(4)
_PROMOTIONS = const(8)

# Priors: 256 * visits + points.
_PREY = const(1032)  # 4 won, and for the prey
_RANK = const(516)  # ... 2 more a rank, from a pawn's 1 to a queen's 5
_LOSES = const(2560)  # 10 lost, for a capture that does not pay
_PROMOTES = const(3096)  # 12 won, to a queen
_DEMOTES = const(2560)  # 10 lost, to less
_CHECKS = const(1032)  # 4 won, for a check that does not hang
_GIVES = const(2560)  # 10 lost, for a piece that hangs where it goes
_SAVES = const(1548)  # 6 won, for one that hangs where it is
_FOR_CAPTURES = const(1)  # places in Game.priors, as bits
_FOR_PROMOTIONS = const(2)
_FOR_CHECKS = const(4)
_FOR_GIFTS = const(8)
_FOR_ESCAPES = const(16)


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_STATE):
        to[i] = s[i]


@micropython.viper
def looks_at(s: ptr8, king: int, via: int, gone: int, filled: int, foe: int) -> int:
    # The square of foe's rook, bishop or queen that attacks `king` on the line through `via`,
    # were the square `gone` empty and `filled` not; else _NOWHERE.
    across = (via & 7) - (king & 7)
    up = (via >> 4) - (king >> 4)
    slider = int(_ROOK)
    step = 0
    if across != 0:
        step = 1 if across > 0 else -1
    if up != 0:
        step += 16 if up > 0 else -16
        if across != 0:
            if across != up and across != 0 - up:
                return _NOWHERE
            slider = int(_BISHOP)
    slider += 8 * foe
    queen = _QUEEN + 8 * foe
    q = king + step
    while q & _OFF == 0 and q != filled:
        c = s[_CELL + q] & 15
        if c != 0 and q != gone:
            if c == slider or c == queen:
                return q
            return _NOWHERE
        q += step
    return _NOWHERE


@micropython.viper
def attacked(s: ptr8, p: int, foe: int) -> int:
    # 1 if a piece of foe attacks the square p.
    side = 8 * foe
    for k in range(4):
        line = (_LINES >> (6 * k)) & 63
        jump = (_JUMPS >> (6 * k)) & 63
        slider = side + _ROOK if k < 2 else side + _BISHOP
        for back in range(2):
            q = p + jump
            if q & _OFF == 0:
                if s[_CELL + q] & 15 == side + _KNIGHT:
                    return 1
            q = p + line
            if q & _OFF == 0:
                c = s[_CELL + q] & 15
                if c == side + _KING:
                    return 1
                if c == side + _PAWN and k > 1 and back != foe:  # white's stand below
                    return 1
                while c == 0:
                    q += line
                    if q & _OFF != 0:
                        break
                    c = s[_CELL + q] & 15
                if c == slider or c == side + _QUEEN:
                    return 1
            line = 0 - line
            jump = 0 - jump
    return 0


@micropython.viper
def between(king: int, checker: int, p: int) -> int:
    # 1 if p lies between the king and who gives check on a line.
    across = (checker & 7) - (king & 7)
    up = (checker >> 4) - (king >> 4)
    if across != 0 and up != 0 and across != up and across != 0 - up:
        return 0  # a knight
    step = 0
    if across != 0:
        step = 1 if across > 0 else -1
    if up != 0:
        step += 16 if up > 0 else -16
    q = king + step
    while q != checker:
        if q == p:
            return 1
        q += step
    return 0


@micropython.viper
def safe(state, f: int, t: int) -> int:
    # 1 if a move of a piece other than the king, and not en passant, leaves no check.
    s = ptr8(state)
    colour = int(s[_TURN])
    king = int(s[_LIST + 16 * colour])
    checker = int(s[_CHECKER])
    if checker != _NOWHERE and t != checker:
        if checker == _DOUBLE:
            return 0
        if int(between(king, checker, t)) == 0:
            return 0
    return int(int(looks_at(state, king, f, f, t, 1 - colour)) == _NOWHERE)


@micropython.viper
def safe_passant(state, f: int, t: int) -> int:
    # 1 if taking en passant leaves no check: two pawns leave the rank at once.
    s = ptr8(state)
    colour = int(s[_TURN])
    taken = _CELL + t - 16 + 32 * colour
    pawn = int(s[_CELL + f])
    other = int(s[taken])
    s[_CELL + f] = 0
    s[taken] = 0
    s[_CELL + t] = pawn
    check = int(attacked(state, int(s[_LIST + 16 * colour]), 1 - colour))
    s[_CELL + f] = pawn
    s[taken] = other
    s[_CELL + t] = 0
    return 1 - check


@micropython.viper
def unattacked(state, f: int, t: int) -> int:
    # 1 if nothing of the other's attacks t once the player's piece on f, which may hide it, is off.
    s = ptr8(state)
    piece = int(s[_CELL + f])
    s[_CELL + f] = 0
    threat = int(attacked(state, t, 1 - s[_TURN]))
    s[_CELL + f] = piece
    return 1 - threat


@micropython.viper
def can_castle(state, f: int, toward: int) -> int:
    # 1 if the king on f may castle; toward: 1 the short way, -1 the long.
    s = ptr8(state)
    foe = 1 - s[_TURN]
    right = _SHORT if toward > 0 else _LONG
    if s[_CASTLING] & (right << (2 - 2 * foe)) == 0:
        return 0
    if s[_CHECKER] != _NOWHERE:
        return 0
    if s[_CELL + f + toward] != 0 or s[_CELL + f + 2 * toward] != 0:
        return 0
    if toward < 0 and s[_CELL + f - 3] != 0:
        return 0
    for k in range(2):  # one call in a loop: Numba writes every call of a kernel out
        f += toward
        if int(attacked(state, f, foe)) != 0:
            return 0
    return 1


@micropython.viper
def move_in(state, i: int, slot: int) -> int:
    # The legal move in a slot of the player's i-th piece, or _NONE.
    #     pawn     one ahead, two ahead, takes to the left, to the right; + 4 * (promotion - 2)
    #     knight   _JUMPS, and the same back
    #     king     _LINES, and the same back; short and long castling
    #     rook     the squares of its rank, then of its file
    #     bishop   a rising line by files, then a falling one
    #     queen    as the rook, then as the bishop
    s = ptr8(state)
    colour = int(s[_TURN])
    f = int(s[_LIST + 16 * colour + i])
    kind = s[_CELL + f] & 7
    t = int(_NOWHERE)
    promotion = 0
    if kind == _PAWN:
        if slot > 3 and f >> 4 != 6 - 5 * colour:
            return _NONE
        ahead = 16 - 32 * colour
        way = slot & 3
        t = f + ahead
        if way < 2:
            if s[_CELL + t] != 0:
                return _NONE
            if way == 1:
                if f >> 4 != 1 + 5 * colour or s[_CELL + t + ahead] != 0:
                    return _NONE
                t += ahead
        else:
            t += 2 * way - 5
            if t & _OFF != 0:
                return _NONE
            if t == s[_PASSANT]:
                if slot > 3 or int(safe_passant(state, f, t)) == 0:
                    return _NONE
                return ((f + (f & 7)) << 8) + ((t + (t & 7)) << 2)
            c = int(s[_CELL + t])
            if c == 0 or (c >> 3) & 1 == colour:
                return _NONE
        if t >> 4 == 7 - 7 * colour:
            promotion = 2 + (slot >> 2)
    elif kind == _KNIGHT or kind == _KING:
        if slot > 7:
            if kind == _KNIGHT or slot > 9:
                return _NONE
            toward = 17 - 2 * slot
            if int(can_castle(state, f, toward)) == 0:
                return _NONE
            t = f + 2 * toward
        else:
            steps = _JUMPS if kind == _KNIGHT else _LINES
            step = (steps >> (6 * (slot & 3))) & 63
            t = f - step if slot > 3 else f + step
            if t & _OFF != 0:
                return _NONE
            c = int(s[_CELL + t])
            if c != 0 and (c >> 3) & 1 == colour:
                return _NONE
    else:
        line = slot >> 3
        if kind == _BISHOP:
            line += 2
        far = (slot & 7) - (f & 7)
        step = 1
        if line == 1:
            far = (slot & 7) - (f >> 4)
            step = 16
        elif line == 2:
            step = 17
        elif line == 3:
            step = -15
        t = f + far * step
        if far == 0 or t & _OFF != 0:
            return _NONE
        c = int(s[_CELL + t])
        if c != 0 and (c >> 3) & 1 == colour:
            return _NONE
        if far < 0:
            step = 0 - step
        q = f + step
        while q != t:
            if s[_CELL + q] != 0:
                return _NONE
            q += step
    if kind == _KING:
        if slot < 8 and int(unattacked(state, f, t)) == 0:
            return _NONE
    elif int(safe(state, f, t)) == 0:
        return _NONE
    return ((f + (f & 7)) << 8) + ((t + (t & 7)) << 2) + promotion


@micropython.viper
def slots_of(s: ptr8, f: int) -> int:
    # How many slots of the piece on f can hold a move.
    kind = s[_CELL + f] & 7
    if kind == _PAWN:
        return 16 if f >> 4 == 6 - 5 * s[_TURN] else 4
    if kind == _KNIGHT:
        return 8
    if kind == _KING:
        return 10
    return 32 if kind == _QUEEN else 16


@micropython.viper
def scan(state, out, nth: int) -> int:
    # All legal moves: into `out`, if nth is _ALL, or just counted, if it is _NO_LIST; how many
    # there are. Else the nth of them.
    s = ptr8(state)
    o = ptr16(out)
    colour = int(s[_TURN])
    count = int(s[_COUNT + colour])
    if s[_CHECKER] == _DOUBLE:
        count = 1
    king = int(s[_LIST + 16 * colour])
    n = 0
    for i in range(count):
        f = int(s[_LIST + 16 * colour + i])
        kind = s[_CELL + f] & 7
        start = (f + (f & 7)) << 8
        if kind == _PAWN or kind == _KING:
            for slot in range(int(slots_of(state, f))):
                move = int(move_in(state, i, slot))
                if move != _NONE:
                    if nth == _ALL:
                        o[n] = move
                    elif n == nth:
                        return move
                    n += 1
        else:
            steps = _JUMPS if kind == _KNIGHT else _LINES
            if kind == _BISHOP:
                steps = steps >> 12
            ways = 4 if kind == _ROOK or kind == _BISHOP else 8
            free = 0  # 1 if the piece may go anywhere
            if s[_CHECKER] == _NOWHERE:
                free = int(int(looks_at(state, king, f, f, _NOWHERE, 1 - colour)) == _NOWHERE)
            for k in range(ways):
                step = (steps >> (6 * (k >> 1))) & 63
                if k & 1 != 0:
                    step = 0 - step
                t = f + step
                while t & _OFF == 0:
                    c = int(s[_CELL + t])
                    if c != 0 and (c >> 3) & 1 == colour:
                        break
                    if free != 0 or int(safe(state, f, t)) != 0:
                        if nth == _ALL:
                            o[n] = start + ((t + (t & 7)) << 2)
                        elif n == nth:
                            return start + ((t + (t & 7)) << 2)
                        n += 1
                    if c != 0 or kind == _KNIGHT:
                        break
                    t += step
    return n


@micropython.viper
def rights_of(p: int) -> int:
    # The castling rights that end when a piece leaves or reaches the square p.
    right = 0
    if p & 7 == _KING_HOME:
        right = _SHORT + _LONG
    elif p & 7 == _ROOK_HOME:
        right = int(_SHORT)
    elif p & 7 == 0:
        right = int(_LONG)
    if p >> 4 == 0:
        return right
    if p >> 4 == 7:
        return right << 2
    return 0


@micropython.viper
def castle(s: ptr8, f: int, t: int):
    # The rook's part.
    rook = int(s[_CELL + f])
    s[_CELL + f] = 0
    s[_CELL + t] = rook
    s[_LIST + 2 * (rook & 8) + (rook >> 4)] = t


@micropython.viper
def place(s: ptr8, colour: int, i: int, to: int):
    # The i-th piece of a colour becomes the one at `to` in the list.
    p = int(s[_LIST + 16 * colour + i])
    s[_LIST + 16 * colour + to] = p
    s[_CELL + p] = (s[_CELL + p] & 15) + (to << 4)


@micropython.viper
def also(checker: int, other: int) -> int:
    # Who gives check, if `other` does, too.
    if other == _NOWHERE or other == checker:
        return checker
    if checker == _NOWHERE:
        return other
    return _DOUBLE


@micropython.viper
def make(state, f: int, t: int, promotion: int):
    # A legal move on the board.
    s = ptr8(state)
    colour = int(s[_TURN])
    foe = 1 - colour
    piece = int(s[_CELL + f])
    kind = piece & 7
    taken = t
    if s[_CLOCK] != 255:
        s[_CLOCK] += 1
    if kind == _PAWN:
        s[_CLOCK] = 0
        if t == s[_PASSANT]:
            taken = t - 16 + 32 * colour
    s[_PASSANT] = _NOWHERE
    c = int(s[_CELL + taken])
    if c != 0:
        s[_CLOCK] = 0
        if c & 7 == _QUEEN:
            s[_QUEENS + foe] -= 1
        if c & 7 == _PAWN and taken >> 4 == 6 - 5 * foe:
            s[_READY + foe] -= 1
        hole = c >> 4
        if c & 7 > _KNIGHT:
            s[_HEAVY + foe] -= 1
            place(state, foe, int(s[_HEAVY + foe]), hole)
            hole = int(s[_HEAVY + foe])
        s[_COUNT + foe] -= 1
        if s[_COUNT + foe] != hole:
            place(state, foe, int(s[_COUNT + foe]), hole)
        s[_CELL + taken] = 0
    if promotion != 0:
        s[_READY + colour] -= 1
        kind = promotion
        if promotion == _QUEEN:
            s[_QUEENS + colour] += 1
        if promotion > _KNIGHT:
            heavy = int(s[_HEAVY + colour])
            place(state, colour, heavy, piece >> 4)
            s[_HEAVY + colour] = heavy + 1
            piece = 8 * colour + 16 * heavy
        piece = (piece & 248) + promotion
    elif kind == _PAWN and t >> 4 == 6 - 5 * colour:
        s[_READY + colour] += 1
    s[_CELL + f] = 0
    s[_CELL + t] = piece
    s[_LIST + 16 * colour + (piece >> 4)] = t
    if s[_CASTLING] != 0:
        lost = int(rights_of(f)) | int(rights_of(t))
        s[_CASTLING] = s[_CASTLING] & (15 - lost)
    s[_TURN] = foe
    # Who gives check: the piece itself, or one behind it.
    king = int(s[_LIST + 16 * foe])
    across = (t & 7) - (king & 7)
    up = (t >> 4) - (king >> 4)
    checker = int(_NOWHERE)
    via = int(_NOWHERE)  # where a slider has come to
    if kind == _KNIGHT:
        if across * across + up * up == 5:
            checker = t
    elif kind == _PAWN:
        if across * across == 1 and up == 2 * colour - 1:
            checker = t
    elif kind != _KING:
        via = t
    elif t - f == 2:
        via = f + 1
        castle(state, t + 1, via)
    elif f - t == 2:
        via = f - 1
        castle(state, t - 2, via)
    for k in range(3):
        if via != _NOWHERE:
            found = int(looks_at(state, king, via, _NOWHERE, _NOWHERE, colour))
            checker = int(also(checker, found))
        via = f
        if k == 1:
            via = taken if taken != t else int(_NOWHERE)
    s[_CHECKER] = checker
    if kind == _PAWN and (t - f) & 31 == 0:  # two ahead: may a pawn beside it take it?
        pawn = _PAWN + 8 * foe
        for side in range(2):
            q = t - 1 + 2 * side
            if q & _OFF == 0:
                if s[_CELL + q] & 15 == pawn:
                    if int(safe_passant(state, q, (f + t) >> 1)) != 0:
                        s[_PASSANT] = (f + t) >> 1


@micropython.viper
def is_dead(s: ptr8) -> int:
    # 1 if no moves can mate: one knight, or bishops on squares of one colour, and kings.
    if int(s[_COUNT]) + int(s[_COUNT + 1]) == 2:
        return 1
    knights = 0
    shades = 0  # 1 dark squares, 2 light ones
    for colour in range(2):
        for i in range(1, int(s[_COUNT + colour])):
            p = int(s[_LIST + 16 * colour + i])
            kind = s[_CELL + p] & 7
            if kind == _KNIGHT:
                knights += 1
            elif kind == _BISHOP:
                shades = shades | (1 + (((p >> 4) + p) & 1))
            else:
                return 0
    if knights == 0:
        return int(shades != 3)
    return int(knights == 1 and shades == 0)


@micropython.viper
def is_cut(state) -> int:
    # 1 if the game is over though there may be moves.
    s = ptr8(state)
    if int(s[_LEFT]) + int(s[_LEFT + 1]) == 0 or int(s[_COUNT]) + int(s[_COUNT + 1]) == 2:
        return 1
    if s[_OPTIONS] & _DRAWS == 0:
        return 0
    if s[_CLOCK] >= _FIFTY:
        return 1
    return int(is_dead(state))


@micropython.viper
def moves(state, out) -> int:
    # All legal ones; none when the game is over.
    if int(is_cut(state)) != 0:
        return 0
    return int(scan(state, out, _ALL))


@micropython.viper
def slot_to(s: ptr8, f: int, t: int) -> int:
    # The slot that would hold a move of the piece on f to t; _NONE if it never goes there.
    kind = s[_CELL + f] & 7
    across = (t & 7) - (f & 7)
    up = (t >> 4) - (f >> 4)
    if kind == _PAWN:
        if s[_TURN] != 0:
            up = 0 - up
        if up == 2 and across == 0:
            return 1
        if up != 1 or across * across > 1:
            return _NONE
        if across == 0:
            return 0
        return 2 if across < 0 else 3
    if kind == _KNIGHT or kind == _KING:
        steps = _JUMPS if kind == _KNIGHT else _LINES
        for k in range(4):
            step = (steps >> (6 * k)) & 63
            if t - f == step:
                return k
            if f - t == step:
                return k + 4
        if kind == _KNIGHT or up != 0 or across * across != 4:
            return _NONE
        return 8 if across > 0 else 9
    if across != 0 and up != 0:
        if kind == _ROOK or (across != up and across != 0 - up):
            return _NONE
        line = 0 if across == up else 8
        if kind == _QUEEN:
            line += 16
        return line + (t & 7)
    if kind == _BISHOP:
        return _NONE
    if up == 0:
        return t & 7
    return 8 + (t >> 4)


@micropython.viper
def legal(state, move: int) -> int:
    s = ptr8(state)
    f = move >> 9
    f += f & 56
    t = (move >> 3) & 63
    t += t & 56
    c = int(s[_CELL + f])
    if c == 0 or (c >> 3) & 1 != s[_TURN] or f == t or int(is_cut(state)) != 0:
        return 0
    slot = int(slot_to(state, f, t))
    if slot == _NONE:
        return 0
    if c & 7 == _PAWN and move & 7 > 2:
        slot += 4 * ((move & 7) - 2)
    return int(int(move_in(state, c >> 4, slot)) == move)


@micropython.viper
def play(state, move: int):
    s = ptr8(state)
    f = move >> 9
    t = (move >> 3) & 63
    make(state, f + (f & 56), t + (t & 56), move & 7)
    if s[_LEFT] == 0:
        s[_LEFT + 1] -= 1
        s[_LEFT] = 255
    else:
        s[_LEFT] -= 1


@micropython.viper
def begin(state):
    # A playout starts here: it has no more than its share of moves. If it starts from a mate, that
    # is one of the tree's.
    s = ptr8(state)
    if s[_OPTIONS] & _BLIND != 0:
        if s[_CHECKER] == _NOWHERE or int(scan(state, state, 0)) != 0:
            s[_OPTIONS] = s[_OPTIONS] | _INSIDE
    if 256 * s[_LEFT + 1] + s[_LEFT] > 256 * s[_CUT + 1] + s[_CUT]:
        s[_LEFT] = s[_CUT]
        s[_LEFT + 1] = s[_CUT + 1]


@micropython.viper
def nth_of(s: ptr8, kind: int, n: int) -> int:
    # The place in the list of the player's n-th queen, or pawn before the last rank.
    colour = int(s[_TURN])
    i = 0
    while True:
        i += 1
        p = int(s[_LIST + 16 * colour + i])
        if s[_CELL + p] & 7 == kind:
            if kind == _QUEEN or p >> 4 == 6 - 5 * colour:
                if n == 0:
                    return i
                n -= 1


@micropython.viper
def pick(state, rng, which: int) -> int:
    # Any legal move; _NONE if the game is over.
    # The generator (rng.py) is written out, because a call costs more than its work on a chip.
    s = ptr8(state)
    r = ptr32(rng)
    if int(is_cut(state)) != 0:
        return _NONE
    z = r[0]
    w = r[1]
    move = int(_NONE)
    if s[_CHECKER] == _NOWHERE:
        colour = int(s[_TURN])
        count = int(s[_COUNT + colour])
        heavy = int(s[_HEAVY + colour])
        queens = int(s[_QUEENS + colour])
        eights = count + heavy + 2 * queens + s[_READY + colour]
        tries = 0
        while tries < _TRIES:
            tries += 1
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            slot = ((((z & 65535) + w) & 65535) * eights) >> 13
            i = slot >> 3
            slot = slot & 7
            if i < 2 * heavy:
                slot += 8 * (i & 1)
                i = i >> 1
            elif i < count + heavy:
                i -= heavy
            else:  # the rest of a queen's slots, or of a pawn's
                i -= count + heavy
                if i < 2 * queens:
                    slot += 16 + 8 * (i & 1)
                    i = int(nth_of(state, _QUEEN, i >> 1))
                else:
                    slot += 8
                    i = int(nth_of(state, _PAWN, i - 2 * queens))
            move = int(move_in(state, i, slot))
            if move != _NONE:
                break
    if move == _NONE:
        nth = int(_NO_LIST)
        while True:
            found = int(scan(state, rng, nth))
            if nth != _NO_LIST:
                move = found
            if nth != _NO_LIST or found == 0:
                break
            z = 18000 * (z & 65535) + (z >> 16)
            w = 30903 * (w & 65535) + (w >> 16)
            nth = ((((z & 65535) + w) & 65535) * found) >> 16
    r[0] = z
    r[1] = w
    return move


@micropython.viper
def first_of(state, order, at: int) -> int:
    # The move of the first code from order[at] on that a piece can play; _NONE if none can.
    # Of several such moves the one of the piece that is listed first, and to a queen.
    s = ptr8(state)
    o = ptr16(order)
    colour = int(s[_TURN])
    count = int(s[_COUNT + colour])
    for place in range(at, at + _CODES):
        code = int(o[place])
        kind = 1 + (code >> 6)
        t = code & 63
        t += t & 56
        c = int(s[_CELL + t])
        if c == 0 or (c >> 3) & 1 != colour:
            for i in range(count):
                f = int(s[_LIST + 16 * colour + i])
                if s[_CELL + f] & 7 == kind:
                    slot = int(slot_to(state, f, t))
                    if slot != _NONE:
                        if kind == _PAWN and f >> 4 == 6 - 5 * colour:
                            slot += 12
                        move = int(move_in(state, i, slot))
                        if move != _NONE:
                            return move
    return _NONE


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game or of its share of moves; notes go to trace[length:], the new length
    # comes back. With epsilon / 65536 a random move, else the first legal one of the player's
    # order.
    s = ptr8(state)
    t = ptr16(trace)
    begin(state)
    while True:
        random = 1
        if epsilon != _NEVER_GREEDY:
            random = int(int(draw(rng, 32768)) < epsilon >> 1)
        if random != 0:
            move = int(pick(state, rng, 0))
        elif int(is_cut(state)) != 0:
            move = int(_NONE)
        else:
            move = int(first_of(state, order, _CODES * s[_TURN]))
        if move == _NONE:
            break
        f = move >> 9
        kind = s[_CELL + f + (f & 56)] & 7
        t[length] = 64 * (kind - 1) + ((move >> 3) & 63) + s[_TURN] * _SECOND
        length += 1
        play(state, move)
    return length


@micropython.viper
def codes(s: ptr8, moves: ptr16, count: int, out: ptr16):
    # 64 * (kind of piece - 1) + the square it goes to, 8 * rank + file.
    for i in range(count):
        move = int(moves[i])
        f = move >> 9
        kind = s[_CELL + f + (f & 56)] & 7
        out[i] = 64 * (kind - 1) + ((move >> 3) & 63)


@micropython.viper
def outcome(state) -> int:
    # 2 if white has mated, 0 if black has, else 1; a stalemate is a mate where the option says so.
    s = ptr8(state)
    if s[_CHECKER] == _NOWHERE and s[_OPTIONS] & _STALEMATES == 0:
        return 1
    if int(scan(state, state, _NO_LIST)) != 0:
        return 1
    return 2 * s[_TURN]


@micropython.viper
def worth_of(kind: int) -> int:
    # The paper's values; kings are worth theirs only to who is mated.
    if kind == _PAWN:
        return 100
    if kind == _KNIGHT:
        return 300
    if kind == _BISHOP:
        return 320
    if kind == _ROOK:
        return 500
    return 900 if kind == _QUEEN else 0


@micropython.viper
def place_worth(s: ptr8, p: int) -> int:
    # What the place of a piece adds to its worth: knights, bishops and queens like the middle of
    # the board, the king the corners while there are queens, pawns to go on. Rough figures of
    # ours, in the proportions of the usual tables.
    kind = s[_CELL + p] & 7
    across = 2 * (p & 7) - 7
    up = 2 * (p >> 4) - 7
    middle = 14 - (across if across > 0 else 0 - across) - (up if up > 0 else 0 - up)  # 0 to 12
    if kind == _PAWN:
        ahead = 7 - (p >> 4) if s[_CELL + p] & 8 != 0 else p >> 4
        return ahead * ahead + middle
    if kind == _KNIGHT:
        return 4 * middle - 24
    if kind == _BISHOP:
        return 2 * middle - 12
    if kind == _ROOK:
        return 0
    if kind == _QUEEN:
        return middle - 6
    if int(s[_QUEENS]) + int(s[_QUEENS + 1]) == 0:
        return 3 * middle
    return 36 - 3 * middle


@micropython.viper
def balance(state, colour: int, places: int) -> int:
    # The worth of a colour's pieces, and of where they stand, if places is 1, minus the other's.
    s = ptr8(state)
    total = 0
    for i in range(int(s[_COUNT + colour])):
        p = int(s[_LIST + 16 * colour + i])
        total += int(worth_of(s[_CELL + p] & 7))
        if places != 0:
            total += int(place_worth(state, p))
    for i in range(int(s[_COUNT + 1 - colour])):
        p = int(s[_LIST + 16 - 16 * colour + i])
        total -= int(worth_of(s[_CELL + p] & 7))
        if places != 0:
            total -= int(place_worth(state, p))
    return total


@micropython.viper
def evaluate(state) -> int:
    # White's material minus black's, with the places of pieces where the option says so; a king
    # counts if it is mated.
    s = ptr8(state)
    lead = int(balance(state, 0, int(s[_SQUARES])))
    if s[_CHECKER] != _NOWHERE and s[_OPTIONS] & _INSIDE == 0:
        if int(scan(state, state, _NO_LIST)) == 0:
            lead += _KING_WORTH if s[_TURN] != 0 else 0 - _KING_WORTH
    if lead > _MOST_LEAD:
        return _MOST_LEAD
    return lead if lead > 0 - _MOST_LEAD else 0 - _MOST_LEAD


@micropython.viper
def bound(s: ptr8, player: int) -> int:
    # All that the player has, and the other's king.
    total = int(_KING_WORTH)
    for i in range(int(s[_COUNT + player])):
        p = int(s[_LIST + 16 * player + i])
        total += int(worth_of(s[_CELL + p] & 7))
    if total > _MOST_LEAD:
        return _MOST_LEAD
    return total


@micropython.viper
def gain_of(s: ptr8, move: int) -> int:
    # What a move takes, most valuable first, by the least valuable; and what a pawn becomes.
    f = move >> 9
    t = (move >> 3) & 63
    kind = s[_CELL + f + (f & 56)] & 7
    taken = s[_CELL + t + (t & 56)] & 7
    if taken == 0 and kind == _PAWN and (f - t) & 7 != 0:
        taken = int(_PAWN)  # en passant
    gain = 0
    if taken != 0:
        gain = int(worth_of(taken)) + 8 - kind
    if move & 7 != 0:
        gain += int(worth_of(move & 7))
    return gain


@micropython.viper
def loud(state, moves: ptr16, count: int) -> int:
    # Captures and promotions to the front, those that gain most first; how many there are.
    n = 0
    for i in range(count):
        move = int(moves[i])
        gain = int(gain_of(state, move))
        if gain != 0:
            j = n
            while j > 0:
                if int(gain_of(state, int(moves[j - 1]))) >= gain:
                    break
                moves[j] = moves[j - 1]
                j -= 1
            moves[j] = move
            n += 1
    return n


@micropython.viper
def appraise(state, work, heuristic: int, moves: ptr16, count: int, values: ptr32):
    # The worth of the moves for who makes them.
    colour = int(ptr8(state)[_TURN])
    for i in range(count):
        move = int(moves[i])
        if heuristic == _MVV:
            values[i] = int(gain_of(state, move))
        else:
            copy(work, state)
            play(work, move)
            values[i] = _OFFSET + int(balance(work, colour, 1))


@micropython.viper
def least_at(state, p: int, colour: int, may: int) -> int:
    # The square of the least piece of a colour that attacks p; if `may` is 1, of those that may
    # legally take there, and the colour's turn it is. _NOWHERE if there is none.
    s = ptr8(state)
    found = int(_NOWHERE)
    least = _KING + 1
    for k in range(16):
        jumps = k & 2
        steps = _JUMPS if jumps != 0 else _LINES
        step = (steps >> (6 * (k >> 2))) & 63
        if k & 1 != 0:
            step = 0 - step
        q = p + step
        c = 0
        while q & _OFF == 0:
            c = int(s[_CELL + q]) & 15
            if c != 0 or jumps != 0:
                break
            q += step
        kind = c & 7
        if kind != 0 and c >> 3 == colour and kind < least:
            fits = int(kind == _QUEEN)
            if jumps != 0:
                fits = int(kind == _KNIGHT)
            elif kind == _ROOK:
                fits = int(k < 8)
            elif kind == _BISHOP:
                fits = int(k > 7)
            elif kind == _KING:
                fits = int(q == p + step)
            elif kind == _PAWN:
                fits = int(q == p + step and k > 7 and k & 1 != colour)  # white's stand below
            if fits != 0 and may != 0:
                if kind == _KING:
                    fits = int(unattacked(state, q, p))
                else:
                    fits = int(safe(state, q, p))
            if fits != 0:
                least = kind
                found = q
    return found


@micropython.viper
def pays(state, f: int, t: int, taken: int) -> int:
    # 1 if the player's piece on f takes one of the kind `taken` on t for as much, or for nothing.
    s = ptr8(state)
    kind = s[_CELL + f] & 7
    if taken + int(kind == _BISHOP) >= kind:
        return 1
    return int(unattacked(state, f, t))


@micropython.viper
def hangs(state, f: int, t: int) -> int:
    # 1 if the player's piece on f would be lost on t, which may be f itself.
    s = ptr8(state)
    colour = int(s[_TURN])
    piece = int(s[_CELL + f])
    kind = piece & 7
    if kind == _KING:
        return 0
    s[_CELL + f] = 0
    lost = 0
    q = int(least_at(state, t, 1 - colour, 0))
    if q != _NOWHERE:
        lost = int((s[_CELL + q] & 7) + int(kind == _BISHOP) < kind)
        if lost == 0:
            lost = 1 - int(attacked(state, t, colour))
    s[_CELL + f] = piece
    return lost


@micropython.viper
def gives_check(state, f: int, t: int) -> int:
    # 1 if a piece that goes from f to t, or one behind it, then attacks the other's king.
    s = ptr8(state)
    colour = int(s[_TURN])
    piece = int(s[_CELL + f])
    taken = int(s[_CELL + t])
    s[_CELL + f] = 0
    s[_CELL + t] = piece
    check = int(attacked(state, int(s[_LIST + 16 - 16 * colour]), colour))
    s[_CELL + f] = piece
    s[_CELL + t] = taken
    return check


@micropython.viper
def taking(state, t: int) -> int:
    # The least piece takes the other's on t, if it may and if that pays; else _NONE.
    s = ptr8(state)
    colour = int(s[_TURN])
    f = int(least_at(state, t, colour, 1))
    if f == _NOWHERE:
        return _NONE
    if int(pays(state, f, t, s[_CELL + t] & 7)) == 0:
        return _NONE
    promotion = 0
    if s[_CELL + f] & 7 == _PAWN and t >> 4 == 7 - 7 * colour:
        promotion = int(_QUEEN)
    return ((f + (f & 7)) << 8) + ((t + (t & 7)) << 2) + promotion


@micropython.viper
def is_mate(state, f: int, t: int) -> int:
    # 1 if the player's legal move from f to t, which gives check from t, mates. The other's moves
    # are looked at on the same board: whom t had on it is out of the list for that time. What a
    # piece behind f attacks is left out, so that a double check may be missed.
    s = ptr8(state)
    foe = 1 - s[_TURN]
    piece = int(s[_CELL + f])
    taken = int(s[_CELL + t])
    passant = int(s[_PASSANT])
    count = int(s[_COUNT + foe])
    place = _LIST + 16 * foe + (taken >> 4)
    if taken != 0:
        s[_COUNT + foe] = count - 1
        s[place] = s[_LIST + 16 * foe + count - 1]
    s[_CELL + f] = 0
    s[_CELL + t] = piece
    s[_TURN] = foe
    s[_CHECKER] = t
    s[_PASSANT] = _NOWHERE
    mate = int(int(scan(state, state, 0)) == 0)
    s[_PASSANT] = passant
    s[_CHECKER] = _NOWHERE
    s[_TURN] = 1 - foe
    s[_CELL + t] = taken
    s[_CELL + f] = piece
    if taken != 0:
        s[place] = t
        s[_COUNT + foe] = count
    return mate


@micropython.viper
def aims_at(s: ptr8, king: int, kind: int, f: int, t: int) -> int:
    # 1 if a piece of that kind, not a pawn, would attack the king from t, having left f.
    across = (king & 7) - (t & 7)
    up = (king >> 4) - (t >> 4)
    if kind == _KNIGHT:
        return int(across * across + up * up == 5)
    if across != 0 and up != 0:
        if kind == _ROOK or (across != up and across != 0 - up):
            return 0
    elif kind == _BISHOP:
        return 0
    step = 0
    if across != 0:
        step = 1 if across > 0 else -1
    if up != 0:
        step += 16 if up > 0 else -16
    q = t + step
    while q != king:
        if s[_CELL + q] != 0 and q != f:
            return 0
        q += step
    return 1


@micropython.viper
def mating(state) -> int:
    # A move of a piece, not of a pawn, that mates by itself; else _NONE. Out of check only.
    s = ptr8(state)
    colour = int(s[_TURN])
    king = int(s[_LIST + 16 - 16 * colour])
    for i in range(1, int(s[_COUNT + colour])):
        f = int(s[_LIST + 16 * colour + i])
        kind = s[_CELL + f] & 7
        steps = _JUMPS if kind == _KNIGHT else _LINES
        ways = 8
        if kind == _PAWN:
            ways = 0
        elif kind == _ROOK:
            ways = 4
        elif kind == _BISHOP:
            ways = 4
            steps = steps >> 12
        for k in range(ways):
            step = (steps >> (6 * (k >> 1))) & 63
            if k & 1 != 0:
                step = 0 - step
            t = f + step
            while t & _OFF == 0:
                c = int(s[_CELL + t])
                if c != 0 and (c >> 3) & 1 == colour:
                    break
                if int(aims_at(state, king, kind, f, t)) != 0:
                    if int(safe(state, f, t)) != 0:
                        if int(is_mate(state, f, t)) != 0:
                            return ((f + (f & 7)) << 8) + ((t + (t & 7)) << 2)
                if c != 0 or kind == _KNIGHT:
                    break
                t += step
    return _NONE


@micropython.viper
def reply(state, rng, which: int, last: int, known) -> int:
    # Mates, makes a queen, takes the piece that has just moved, or one of the other's, drawn by
    # chance, as looking at all of them takes long. Else _NONE.
    s = ptr8(state)
    if which == 0 or int(is_cut(state)) != 0:
        return _NONE
    colour = int(s[_TURN])
    move = int(_NONE)
    if which & _MATES != 0 and s[_CHECKER] == _NOWHERE:
        move = int(mating(state))
    if move == _NONE and which & _PROMOTIONS != 0 and s[_READY + colour] != 0:
        move = int(move_in(state, int(nth_of(state, _PAWN, 0)), 12))
    for k in range(2):  # one call in a loop: Numba writes every call of a kernel out
        t = int(_NOWHERE)
        if k == 0:
            if which & _RETAKES != 0 and last != _NONE:
                t = (last >> 3) & 63
                t += t & 56
        elif which & _CAPTURES != 0:
            others = s[_COUNT + 1 - colour] - 1
            if others > 0:
                t = int(s[_LIST + 17 - 16 * colour + int(draw(rng, others))])
        if move == _NONE and t != _NOWHERE:
            move = int(taking(state, t))
    return move


@micropython.viper
def prior(
    state, which: int, last: int, moves: ptr16, numbers: ptr16, count: int, known, out: ptr16
):
    s = ptr8(state)
    before = int(_NOWHERE)  # whose moves these are: all of a piece come one after the other
    flees = 0  # 1 if it hangs
    for i in range(count):
        move = int(moves[i])
        f = move >> 9
        f += f & 56
        t = (move >> 3) & 63
        t += t & 56
        kind = s[_CELL + f] & 7
        taken = s[_CELL + t] & 7
        if kind == _PAWN and t == s[_PASSANT]:
            taken = int(_PAWN)
        if f != before:
            before = f
            flees = 0
            if which & _FOR_ESCAPES != 0:
                flees = int(hangs(state, f, f))
        worth = 0
        lost = 0
        if taken != 0:
            lost = 1 - int(pays(state, f, t, taken))
            if which & _FOR_CAPTURES != 0:
                worth = int(_LOSES) if lost != 0 else _PREY + _RANK * taken
        elif which > _FOR_CAPTURES:
            lost = int(hangs(state, f, t))
            if which & _FOR_GIFTS != 0 and lost != 0:
                worth = int(_GIVES)
        if lost == 0:
            if flees != 0:
                worth += _SAVES
            if which & _FOR_CHECKS != 0:
                if int(gives_check(state, f, t)) != 0:
                    worth += _CHECKS
        if move & 7 != 0 and which & _FOR_PROMOTIONS != 0:
            if move & 7 != _QUEEN:
                worth += _DEMOTES
            elif lost == 0:
                worth += _PROMOTES
        out[numbers[i]] = worth


@micropython.viper
def fingerprint(s: ptr8, out: ptr32):
    # Two hashes of the pieces, who moves, and what castling and en passant are possible.
    rest = s[_TURN] + 2 * s[_CASTLING] + 32 * s[_PASSANT]
    a = 1 + rest
    b = 3 + rest
    for p in range(120):
        if p & _OFF == 0:
            a = 18000 * (a & 65535) + (a >> 16) + (s[_CELL + p] & 15)
            b = 30903 * (b & 65535) + (b >> 16) + (s[_CELL + p] & 15)
    out[0] = a
    out[1] = b


@micropython.viper
def settle(state, passant: int):
    # What follows from the pieces of a new position: who gives check, and whether the pawn that
    # has passed this square can be taken.
    s = ptr8(state)
    colour = int(s[_TURN])
    foe = 8 - 8 * colour
    king = int(s[_LIST + 16 * colour])
    checker = int(_NOWHERE)
    for i in range(int(s[_COUNT + 1 - colour])):
        p = int(s[_LIST + 2 * foe + i])
        across = (p & 7) - (king & 7)
        up = (p >> 4) - (king >> 4)
        kind = s[_CELL + p] & 7
        found = int(_NOWHERE)
        if kind == _KNIGHT:
            if across * across + up * up == 5:
                found = p
        elif kind == _PAWN:
            if across * across == 1 and up == 1 - 2 * colour:
                found = p
        elif kind != _KING:
            found = int(looks_at(state, king, p, _NOWHERE, _NOWHERE, 1 - colour))
        checker = int(also(checker, found))
    s[_CHECKER] = checker
    s[_PASSANT] = _NOWHERE
    if passant != _NOWHERE:
        behind = passant - 16 + 32 * colour
        for side in range(2):
            q = behind - 1 + 2 * side
            if q & _OFF == 0:
                if s[_CELL + q] & 15 == _PAWN + 8 * colour:
                    if int(safe_passant(state, q, passant)) != 0:
                        s[_PASSANT] = passant


_FILES = "abcdefgh"
_LETTERS = ".PNBRQK..pnbrqk"  # by what is on a square
_STALEMATE = "draw by stalemate"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _number(text):
    number = 0  # `int` is the kernels' here
    for digit in text:
        number = 10 * number + "0123456789".index(digit)
    return number


def _square(text):
    return 16 * (_number(text[1]) - 1) + _FILES.index(text[0])


def _name(square):
    return _FILES[square & 7] + str(1 + (square >> 4))


class Game(games.Game):
    """Chess; protocols.pyi says what the attributes mean."""

    title = "Chess"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    begin = staticmethod(begin)
    pick = staticmethod(pick)
    codes = staticmethod(codes)
    fingerprint = staticmethod(fingerprint)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    loud = staticmethod(loud)
    appraise = staticmethod(appraise)
    reply = staticmethod(reply)
    prior = staticmethod(prior)
    replies = ("mates", "retakes", "captures", "promotions")
    priors = ("captures", "promotions", "checks", "gifts", "escapes")
    heuristics = ("MVV", "PST")
    players = ("white", "black")
    options = ("fen", "cut", "draws", "squares", "stalemates", "blind")
    state_bytes = _STATE
    move_limit = 32768
    move_cap = _CAP
    code_count = _CODES
    most_moves = _MOST

    def __init__(
        self, size, fen=START, cut=100, draws=False, squares=False, stalemates=False, blind=False
    ):
        self.size = size
        self.fen = fen
        self.cut = self.playout_cap = cut
        self.draws = draws
        self.squares = squares
        self.stalemates = stalemates
        self.blind = blind
        if RUNTIME != "micropython":
            if cut not in range(1, _CAP + 1):
                raise BadInput("cut must be 1 to %d moves, not %s" % (_CAP, cut))
            self.need_switches("draws", "squares", "stalemates", "blind")
            fault = _fault(fen) or self._wrong_check()
            if fault:
                raise BadInput("no position of chess: %s" % fault)

    def reset(self, state):
        board, turn, castling, passant, clock = (self.fen.split() + ["0"])[:5]
        for i in range(_STATE):
            state[i] = 0
        for kinds in ("Kk", "QRBqrb", "PNpn"):  # in the order of the lists
            rank, file = 7, 0
            for letter in board:
                if letter == "/":
                    rank, file = rank - 1, 0
                elif letter in "12345678":
                    file += _number(letter)
                else:
                    if letter in kinds:
                        self._put(state, _LETTERS.index(letter), 16 * rank + file)
                    file += 1
        state[_TURN] = turn == "b"
        state[_CASTLING] = sum([1 << "KQkq".index(right) for right in castling if right != "-"])
        state[_CLOCK] = min(_number(clock), 255)
        state[_LEFT], state[_LEFT + 1] = _CAP & 255, _CAP >> 8
        state[_CUT], state[_CUT + 1] = self.cut & 255, self.cut >> 8
        state[_OPTIONS] = _DRAWS * bool(self.draws) + _BLIND * bool(self.blind)
        state[_OPTIONS] += _STALEMATES * bool(self.stalemates)
        state[_SQUARES] = self.squares
        settle(state, _NOWHERE if passant == "-" else _square(passant))

    def _put(self, state, cell, p):
        colour = cell >> 3
        count = state[_COUNT + colour]
        state[_LIST + 16 * colour + count] = p
        state[_CELL + p] = cell + 16 * count
        state[_COUNT + colour] += 1
        state[_HEAVY + colour] += cell & 7 > _KNIGHT
        state[_QUEENS + colour] += cell & 7 == _QUEEN
        state[_READY + colour] += cell & 7 == _PAWN and p >> 4 == 6 - 5 * colour

    def text(self, move):
        """From where to where, and what a pawn becomes, as UCI writes it: e2e4, e7e8q."""
        start, end = move >> 9, (move >> 3) & 63
        text = _name(start + (start & 56)) + _name(end + (end & 56))
        return text + _LETTERS[8 + (move & 7)] if move & 7 else text

    def find(self, text):
        """The move that text(move) calls so."""
        try:
            start, end = _square(text[:2]), _square(text[2:4])
            promotion = "  nbrq".index(text[4]) if len(text) == 5 else 0
        except (ValueError, IndexError):
            return None
        if len(text) > 5 or (start | end) & _OFF:
            return None
        return ((start + (start & 7)) << 8) + ((end + (end & 7)) << 2) + promotion

    def show(self, state):
        """The board as lines of text, white's pieces in capitals."""
        files = "  " + " ".join(_FILES)
        lines = [files]
        for rank in range(7, -1, -1):
            cells = state[_CELL + 16 * rank : _CELL + 16 * rank + 8]
            lines.append("%d %s" % (rank + 1, " ".join([_LETTERS[cell & 15] for cell in cells])))
        return "\n".join(lines + [files])

    def score(self, state):
        """The result in words."""
        if scan(state, state, _NO_LIST) == 0:
            if state[_CHECKER] == _NOWHERE:
                return _STALEMATE
            return "%s mates" % self.players[1 - state[_TURN]]
        return _draw(state) or "draw after %d moves" % _CAP

    if RUNTIME != "micropython":

        def _wrong_check(self):
            state = _scratch()
            self.reset(state)
            turn = int(state[_TURN])
            if attacked(state, state[_LIST + 16 - 16 * turn], turn):
                return "%s is to move and could take the king" % self.players[turn]
            return None

        def verdict(self, state, past):
            """The draws that end a real game whatever a search thinks, in words; else None."""
            if scan(state, state, _NO_LIST) == 0:
                return _STALEMATE if state[_CHECKER] == _NOWHERE else None
            since = 1 + bytes(state)[_CLOCK]  # no position comes again over a capture
            same = [_what_counts(earlier) for earlier in past[-since:]]
            if same.count(same[-1]) >= 3:
                return "draw by threefold repetition"
            return _draw(state)

        def fen_of(self, state):
            """A position as FEN; with en passant only where it is legal."""
            ranks = []
            for line in self.show(state).splitlines()[1:-1]:
                rank = line[2:].replace(" ", "")
                for length in range(8, 0, -1):
                    rank = rank.replace("." * length, str(length))
                ranks.append(rank)
            s = bytes(state)
            rights = "".join([right for i, right in enumerate("KQkq") if s[_CASTLING] >> i & 1])
            passant = "-" if s[_PASSANT] == _NOWHERE else _name(s[_PASSANT])
            fields = self.fen.split()
            first = max(_number(fields[5]), 1) if len(fields) == 6 else 1
            played = _CAP - 256 * s[_LEFT + 1] - s[_LEFT]
            number = first + (played + (fields[1] == "b")) // 2
            parts = "/".join(ranks), "wb"[s[_TURN]], rights or "-", passant, s[_CLOCK], number
            return "%s %s %s %s %d %d" % parts

        def san(self, state, move):
            """A legal move in algebraic notation: Nf3, exd6, O-O, e8=Q+."""
            after = _scratch()
            copy(after, state)
            play(after, move)
            check = ""
            if after[_CHECKER] != _NOWHERE:
                check = "+" if scan(after, after, _NO_LIST) else "#"
            return self._plain_san(state, move) + check

        def read(self, state, text):
            """The legal move that a text means, in algebraic notation or UCI's; None if none."""
            plain = text.rstrip("+#!?").replace("0", "O").replace("=", "")
            for move in _listed(state):
                names = self.text(move), self._plain_san(state, move).replace("=", "")
                if plain in names:
                    return move
            return None

        def _plain_san(self, state, move):
            """Without what it says of check."""
            text = self.text(move)
            start, end = text[:2], text[2:4]
            cells = bytes(state)[_CELL:]
            kind = cells[_square(start)] & 7
            if kind == _KING and start[0] == "e" and end[0] in "cg":
                return "O-O" if end[0] == "g" else "O-O-O"
            takes = "x" if cells[_square(end)] or (kind == _PAWN and start[0] != end[0]) else ""
            if kind == _PAWN:
                promotion = "=" + text[4].upper() if move & 7 else ""
                return (start[0] + takes if takes else "") + end + promotion
            others = [self.text(other)[:2] for other in _listed(state) if (other ^ move) & 511 == 0]
            rivals = [other for other in others if cells[_square(other)] & 7 == kind]
            rivals.remove(start)
            which = ""
            if rivals:
                if start[0] not in [other[0] for other in rivals]:
                    which = start[0]
                elif start[1] not in [other[1] for other in rivals]:
                    which = start[1]
                else:
                    which = start
            return _LETTERS[kind] + which + takes + end


def _draw(state):
    """The rule by which a position is a draw though there are moves, in words; else None."""
    if is_dead(state):
        return "draw by insufficient material"
    return "draw by the 50-move rule" if state[_CLOCK] >= _FIFTY else None


if RUNTIME != "micropython":
    _WITHOUT_PLACES = bytes(cell & 15 for cell in range(256))

    def _what_counts(state):
        """What makes a position of bytes the same as another: pieces, turn, possible moves."""
        cells = state[_CELL:].translate(_WITHOUT_PLACES)
        return cells, state[_TURN], state[_CASTLING], state[_PASSANT]

    def _scratch():
        """A state that is no buffer of a board: its emulated RAM does not count it."""
        return constant(bytearray(_STATE))

    def _listed(state):
        out = allocate("H", _MOST)
        return [int(move) for move in out[: scan(state, out, _ALL)]]

    def _fault(fen):
        """What is wrong with a position as FEN, in a few words; None if nothing is."""
        fields = fen.split() if isinstance(fen, str) else ()
        if len(fields) not in (4, 6):
            return "FEN has six parts: pieces, turn, castling, en passant, two counts"
        cells = ""  # from a8 on
        for rank in fields[0].split("/"):
            for letter in rank:
                if letter not in "12345678PNBRQKpnbrqk":
                    return "no piece is called %s (%s)" % (letter, rank)
                cells += "." * _number(letter) if letter in "12345678" else letter
            if not rank or len(cells) % 8 or len(cells) > 64:
                return "there must be 8 ranks of 8 squares (%s)" % (rank or "/")
        if len(cells) != 64 or fields[0].count("/") != 7:
            return "there must be 8 ranks of 8 squares, not %d squares" % len(cells)
        return _wrong_pieces(cells) or _wrong_rights(cells, *fields[1:])

    def _wrong_pieces(cells):
        for colour, name in (("PNBRQK", "white"), ("pnbrqk", "black")):
            pawn, knight, bishop, rook, queen, king = [cells.count(piece) for piece in colour]
            if king != 1:
                return "%s has %d kings" % (name, king)
            promoted = [max(n, 0) for n in (knight - 2, bishop - 2, rook - 2, queen - 1)]
            if pawn + sum(promoted) > 8:
                return "%s has more pieces than eight pawns can become" % name
        if "p" in (cells[:8] + cells[56:]).lower():
            return "a pawn stands on the first or last rank"
        return None

    def _wrong_rights(cells, turn, castling, passant, clock="0", number="1"):
        if turn not in ("w", "b"):
            return "w or b is to move, not %s" % turn
        homes = {"K": "e1Kh1R", "Q": "e1Ka1R", "k": "e8kh8r", "q": "e8ka8r"}
        for i, right in enumerate(castling if castling != "-" else ""):
            if right not in homes or right in castling[:i]:
                return "castling is some of KQkq, or -, not %s" % castling
            for home in (homes[right][:3], homes[right][3:]):
                if _cell(cells, home) != home[2]:
                    return "castling %s needs %s on %s" % (right, home[2], home[:2])
        if passant != "-":
            rank, pawn, back, ahead = ("6", "p", "7", "5") if turn == "w" else ("3", "P", "2", "4")
            if len(passant) != 2 or passant[0] not in _FILES or passant[1] != rank:
                return "en passant is a square of rank %s, or -, not %s" % (rank, passant)
            column = [_cell(cells, passant[0] + y) for y in (rank, back, ahead)]
            if column != [".", ".", pawn]:
                return "no pawn has just passed %s" % passant
        for count in (clock, number):
            if not (count.isascii() and count.isdigit()) or len(count) > 4:
                return "the last two parts are numbers up to 9999, not %s" % count
        return None

    def _cell(cells, name):
        return cells[8 * (8 - _number(name[1])) + _FILES.index(name[0])]
