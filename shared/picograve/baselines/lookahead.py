"""Alpha-beta: look ahead ply by ply, deeper each time, until a limit of positions.

The search walks with a stack of its own, so that it can stop after any number of positions
and go on exactly there. One iteration looks `depth` plies ahead, the next one ply more, to
config.depth or until config.positions have been seen; the move is the best of the deepest
iteration that has looked at a whole move, which is at least the best of the one before,
because that is looked at first. Fail-soft; a leaf is worth what the game's `evaluate` says.

A score is 1 to 65535 for the player to move, EVEN in the middle, 65536 - score for the
other: no negative number goes into a buffer. A finished game is worth _WON, EVEN or _LOST.

Order of moves: the table's, then those that have cut most, by depth * depth (history
heuristic). The root's moves begin in a random order, so that equal players do not repeat one
game. The table of positions has fixed bytes: each position has one place, the latest is
kept, and only a score of just the depth asked for counts, so that the value is plain minimax's.

Beyond the full depth, for config.quiet plies at most, a player may stop at what `evaluate` says or
play one of the game's loud moves, so that nothing is judged in the middle of an exchange
(quiescence). These plies do without the table.

`buffers` is a tuple, with D = config.depth + config.quiet, C = move codes, M = C, or the most moves
in a position where a game makes codes for each list of moves:

    control   i[..]        settings and counters, named below
    frames    i[9 * (D+1)] of each ply: fields named below
    lists     H[M * (D+1)] moves of each ply, best hopes first
    moves     H[M]         scratch
    codes     H[moves]     code of a move; or H[2 * M], scratch: codes of `moves`, and of the list
    history   i[2 * C]     how much a move has cut, at player * C + code
    prints    i[2]         fingerprint, scratch
    check     i[E]         table: second hash of the position, 0 none
    entry     i[E]         ... 65536 * (4 * depth + kind of bound) + score
    best      H[E]         ... its best move
    states    tuple        of D+1 states B[state], the position at each ply
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_CONTROL = const(0)
_FRAMES = const(1)
_LISTS = const(2)
_MOVES = const(3)
_CODES = const(4)
_HISTORY = const(5)
_PRINTS = const(6)
_CHECK = const(7)
_ENTRY = const(8)
_BEST = const(9)
_STATES = const(10)

# rules
_COPY = const(0)  # = picograve.games._COPY
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_OUTCOME = const(4)  # = picograve.games._OUTCOME
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_FINGERPRINT = const(8)  # = picograve.games._FINGERPRINT
_LOUD = const(15)  # = picograve.games._LOUD

# control
DEPTH = const(0)  # the deepest iteration
POSITIONS = const(1)  # limit
ENTRIES = const(2)  # of the table
CODE_COUNT = const(3)  # and 65536 * M, where codes are made for each list
NOW = const(4)  # depth of the iteration under way
SEEN = const(5)  # positions so far
PLY = const(6)
ENTERS = const(7)  # 1 if the position at PLY is new, 0 if it is come back to
GUESSED = const(8)  # leaves of this iteration that were evaluated: none, and it is the last
OVER = const(9)  # 1 when the search is complete
MOVE = const(10)  # the best so far, and its score
SCORE = const(11)
DONE = const(12)  # the deepest complete iteration
USED = const(13)  # entries of the table in use
QUIET = const(14)  # plies beyond the full depth
CONTROL = const(15)  # length of the array

# a ply's frame
COUNT = const(0)  # its moves
_NEXT = const(1)  # the next of them
ALPHA = const(2)
BETA = const(3)
_TOP = const(4)  # best score so far
_TOP_MOVE = const(5)
_FLOOR = const(6)  # alpha when the ply was entered
_PLACE = const(7)  # in the table
_PRINT = const(8)  # what to check there
FRAME = const(9)

WHOLE = const(65536)
EVEN = const(32768)
_WON = const(60000)
_LOST = const(5536)
_WIN = const(2)  # = picograve.value.WIN
_NO_MOVE = const(65535)
_NO_PLACE = const(1073741823)  # in _PLACE: the table does without this ply

_EXACT = const(0)  # kinds of a table's score
_AT_LEAST = const(1)
_AT_MOST = const(2)

_LIMIT = const(536870912)  # above all history, which is halved at half of it


@micropython.viper
def list_at(buffers, ply: int) -> int:
    # Where the ply's list begins.
    codes = int(ptr32(buffers[_CONTROL])[CODE_COUNT])
    most = codes >> 16 if codes >> 16 != 0 else codes
    return ply * most


@micropython.viper
def sort_moves(buffers, ply: int, count: int, player: int, first: int):
    # Into the ply's list: the move `first`, if it is there, then by history; stable.
    m = ptr16(buffers[_MOVES])
    code_of = ptr16(buffers[_CODES])
    history = ptr32(buffers[_HISTORY])
    codes = int(ptr32(buffers[_CONTROL])[CODE_COUNT])
    most = codes >> 16
    codes = codes & 65535
    at = ply * (most if most != 0 else codes)
    lists = ptr16(buffers[_LISTS])
    for i in range(count):
        move = int(m[i])
        code = int(code_of[move if most == 0 else i])
        worth = _LIMIT
        if move != first:
            worth = int(history[player * codes + code])
        j = i
        while j > 0:
            before = int(lists[at + j - 1])
            code_before = int(code_of[before if most == 0 else most + j - 1])
            if before == first or history[player * codes + code_before] >= worth:
                break
            lists[at + j] = before
            if most != 0:
                code_of[most + j] = code_before
            j -= 1
        lists[at + j] = move
        if most != 0:
            code_of[most + j] = code


@micropython.viper
def leaf_score(buffers, rules, ply: int, count: int) -> int:
    # The score of a finished game (count is 0), or of a position at the full depth.
    state = buffers[_STATES][ply]
    if count == 0:
        outcome = rules[_OUTCOME]
        points = int(outcome(state))
        score = int(EVEN)
        if points == _WIN:
            score = int(_WON)
        elif points == 0:
            score = int(_LOST)
    else:
        evaluate = rules[_EVALUATE]
        score = EVEN + int(evaluate(state))
        ptr32(buffers[_CONTROL])[GUESSED] += 1
    if ptr8(state)[0] != 0:
        score = WHOLE - score
    return score


@micropython.viper
def stand_or_fight(buffers, rules, ply: int, count: int) -> int:
    # Beyond the full depth: the score, if the position is quiet or good enough as it is, or 0, its
    # loud moves in a frame.
    frames = ptr32(buffers[_FRAMES])
    loud = rules[_LOUD]
    state = buffers[_STATES][ply]
    f = ply * FRAME
    score = int(leaf_score(buffers, rules, ply, count))
    if score >= frames[f + BETA]:
        return score
    count = int(loud(state, buffers[_MOVES], count))
    if count == 0:
        return score
    m = ptr16(buffers[_MOVES])
    lists = ptr16(buffers[_LISTS])
    at = int(list_at(buffers, ply))
    for i in range(count):
        lists[at + i] = m[i]
    frames[f + COUNT] = count
    frames[f + _NEXT] = 0
    frames[f + _TOP] = score
    frames[f + _TOP_MOVE] = _NO_MOVE
    frames[f + _PLACE] = _NO_PLACE
    if score > frames[f + ALPHA]:
        frames[f + ALPHA] = score
    return 0


@micropython.viper
def enter(buffers, rules, ply: int) -> int:
    # Look at a new position: its score, if it needs no moves, or 0, its moves in a frame.
    c = ptr32(buffers[_CONTROL])
    frames = ptr32(buffers[_FRAMES])
    list_moves = rules[_LIST_MOVES]
    state = buffers[_STATES][ply]
    f = ply * FRAME
    left = c[NOW] - ply
    c[SEEN] += 1
    count = int(frames[f + COUNT])
    if ply != 0:
        count = int(list_moves(state, buffers[_MOVES]))
        if count == 0 or left == 0 - c[QUIET]:
            return int(leaf_score(buffers, rules, ply, count))
    if left <= 0:
        return int(stand_or_fight(buffers, rules, ply, count))
    fingerprint = rules[_FINGERPRINT]
    fingerprint(state, buffers[_PRINTS])
    prints = ptr32(buffers[_PRINTS])
    place = int(prints[0]) % c[ENTRIES]
    check = int(prints[1]) | 1  # never 0
    alpha = int(frames[f + ALPHA])
    beta = int(frames[f + BETA])
    first = int(_NO_MOVE)
    if ptr32(buffers[_CHECK])[place] == check:
        first = int(ptr16(buffers[_BEST])[place])
        entry = int(ptr32(buffers[_ENTRY])[place])
        if entry >> 18 == left and ply != 0:
            score = entry & 65535
            kind = (entry >> 16) & 3
            if (
                kind == _EXACT
                or (kind == _AT_LEAST and score >= beta)
                or (kind == _AT_MOST and score <= alpha)
            ):
                c[GUESSED] += 1  # it may hang on a guess
                return score
    if ply == 0:
        first = int(c[MOVE])
        root_moves = ptr16(buffers[_LISTS])
        m = ptr16(buffers[_MOVES])
        for i in range(count):
            m[i] = root_moves[i]
    if c[CODE_COUNT] >> 16 != 0:
        code_moves = rules[_CODE_MOVES]
        code_moves(state, buffers[_MOVES], count, buffers[_CODES])
    sort_moves(buffers, ply, count, int(ptr8(state)[0]), first)
    frames[f + COUNT] = count
    frames[f + _NEXT] = 0
    frames[f + _TOP] = 0
    frames[f + _TOP_MOVE] = _NO_MOVE
    frames[f + _FLOOR] = alpha
    frames[f + _PLACE] = place
    frames[f + _PRINT] = check
    return 0


@micropython.viper
def remember(buffers, ply: int):
    # The ply is done: its score into the table.
    c = ptr32(buffers[_CONTROL])
    frames = ptr32(buffers[_FRAMES])
    f = ply * FRAME
    place = int(frames[f + _PLACE])
    if place == _NO_PLACE:
        return
    top = int(frames[f + _TOP])
    kind = int(_EXACT)
    if top >= frames[f + BETA]:
        kind = int(_AT_LEAST)
    elif top <= frames[f + _FLOOR]:
        kind = int(_AT_MOST)
    if ptr32(buffers[_CHECK])[place] == 0:
        c[USED] += 1
    ptr32(buffers[_CHECK])[place] = frames[f + _PRINT]
    ptr32(buffers[_ENTRY])[place] = ((4 * (c[NOW] - ply) + kind) << 16) + top
    ptr16(buffers[_BEST])[place] = frames[f + _TOP_MOVE]


@micropython.viper
def credit(buffers, rules, ply: int, move: int):
    # A move of the ply has cut.
    c = ptr32(buffers[_CONTROL])
    history = ptr32(buffers[_HISTORY])
    state = buffers[_STATES][ply]
    codes = c[CODE_COUNT] & 65535
    left = c[NOW] - ply
    if c[CODE_COUNT] >> 16 != 0:
        ptr16(buffers[_MOVES])[0] = move
        code_moves = rules[_CODE_MOVES]
        code_moves(state, buffers[_MOVES], 1, buffers[_CODES])
        move = 0
    i = ptr8(state)[0] * codes + ptr16(buffers[_CODES])[move]
    history[i] += left * left
    if history[i] >= _LIMIT // 2:
        for j in range(2 * codes):
            history[j] >>= 1


@micropython.viper
def listed(buffers, ply: int, place: int) -> int:
    # The move in that place of the ply's list.
    return int(ptr16(buffers[_LISTS])[int(list_at(buffers, ply)) + place])


@micropython.viper
def take(buffers, rules, ply: int, score: int):
    # A move of the ply has this score.
    c = ptr32(buffers[_CONTROL])
    frames = ptr32(buffers[_FRAMES])
    f = ply * FRAME
    move = int(listed(buffers, ply, frames[f + _NEXT] - 1))
    if score > frames[f + _TOP]:
        frames[f + _TOP] = score
        frames[f + _TOP_MOVE] = move
        if ply == 0:
            c[MOVE] = move
            c[SCORE] = score
    if score > frames[f + ALPHA]:
        frames[f + ALPHA] = score
    if score >= frames[f + BETA]:
        if c[NOW] > ply:
            credit(buffers, rules, ply, move)
        frames[f + _NEXT] = frames[f + COUNT]


@micropython.viper
def deepen(buffers):
    # An iteration is complete: the next one, if it can find more.
    c = ptr32(buffers[_CONTROL])
    frames = ptr32(buffers[_FRAMES])
    c[DONE] = c[NOW]
    c[NOW] += 1
    decided = int(c[SCORE] == _WON or c[SCORE] == _LOST)
    if c[NOW] > c[DEPTH] or c[GUESSED] == 0 or decided != 0:
        c[OVER] = 1
    c[GUESSED] = 0
    c[ENTERS] = 1
    frames[ALPHA] = 0
    frames[BETA] = WHOLE


@micropython.viper
def run(buffers, rules, count: int) -> int:
    # Up to `count` positions more; fewer when the search is complete. How many it looked at.
    c = ptr32(buffers[_CONTROL])
    frames = ptr32(buffers[_FRAMES])
    copy = rules[_COPY]
    play = rules[_PLAY]
    began = int(c[SEEN])
    while c[SEEN] - began < count and c[OVER] == 0:
        ply = int(c[PLY])
        f = ply * FRAME
        score = 0
        if c[ENTERS] != 0:
            c[ENTERS] = 0
            score = int(enter(buffers, rules, ply))
        elif frames[f + _NEXT] == frames[f + COUNT]:
            remember(buffers, ply)
            score = int(frames[f + _TOP])
        else:
            state = buffers[_STATES][ply]
            below = buffers[_STATES][ply + 1]
            copy(below, state)
            play(below, int(listed(buffers, ply, frames[f + _NEXT])))
            frames[f + _NEXT] += 1
            if ptr8(state)[0] == ptr8(below)[0]:  # the same player again
                frames[f + FRAME + ALPHA] = frames[f + ALPHA]
                frames[f + FRAME + BETA] = frames[f + BETA]
            else:
                frames[f + FRAME + ALPHA] = WHOLE - frames[f + BETA]
                frames[f + FRAME + BETA] = WHOLE - frames[f + ALPHA]
            c[PLY] = ply + 1
            c[ENTERS] = 1
        if score != 0:
            if ply == 0:
                deepen(buffers)
            else:
                c[PLY] = ply - 1
                if ptr8(buffers[_STATES][ply])[0] != ptr8(buffers[_STATES][ply - 1])[0]:
                    score = WHOLE - score
                take(buffers, rules, ply - 1, score)
        if c[SEEN] >= c[POSITIONS]:
            c[OVER] = 1
    return c[SEEN] - began


@micropython.viper
def clear(buffer: ptr32, count: int):
    for i in range(count):
        buffer[i] = 0


@micropython.viper
def hash_table(check: ptr32, entry: ptr32, count: int, out: ptr32):
    a = 1
    b = 2
    for i in range(count):
        if check[i] != 0:
            a = 18000 * (a & 65535) + (a >> 16) + (check[i] & 65535)
            b = 30903 * (b & 65535) + (b >> 16) + (entry[i] & 65535)
            a = 18000 * (a & 65535) + (a >> 16) + (check[i] >> 16)
            b = 30903 * (b & 65535) + (b >> 16) + (entry[i] >> 16)
    out[0] = a
    out[1] = b
