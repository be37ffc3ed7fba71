"""WP: a weighted mean of the evaluations along a playout, divided by the larger bound of the root
(COMPARISON in settings.py, where it is the best of eleven variants in chess). Its playouts are
uniform and its own. Where the trace has moves as the game numbers them, it is the game's playout.
Then the positions that weigh something are looked at, a few of many with the usual bases: from the
last to the first, if the game can take back moves, else the playout is repeated from its start. In
other games it goes move by move and looks at each, by the game's own `pick` where it has one.

A playout records every second position, after its moves 1, 3, 5 ...: L evaluations h. The i-th,
from 0 on, weighs

    min(near**-i, 10000) + min(far**(i - L), 10000)

so that, with bases above 1, the first and the last positions count, the first more. With `wp_index`
1 it is near**-(i + 1) and far**(i + 1 - L): then the last one counts more. A leaf at which the game
is over is recorded itself. Values are those of two wins at most; beyond, they are cut off.
"""

from picograve.config import scaled
from picograve.games import kind_of
from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.search import draw_any

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_ROOT = const(2)  # = picograve.mcts.search._ROOT
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_ORDER = const(13)  # = picograve.mcts.search._ORDER
_TRIAL = const(14)  # = picograve.mcts.search._TRIAL
_CODES = const(8)  # = picograve.mcts.search._CODES
_LIST = const(18)  # = picograve.mcts.search._LIST
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_KIND = const(9)  # = picograve.mcts.search.KIND
_PLY = const(22)  # = picograve.mcts.search.PLY
_TABLE = const(0)  # = picograve.games.TABLE
_PLACES = const(1)  # = picograve.games.PLACES
_UNLISTED = const(3)  # = picograve.games.UNLISTED
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_NOTE = const(32767)  # a note without it
_COPY = const(0)  # = picograve.games._COPY
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_PLAYOUT = const(3)  # = picograve.games._PLAYOUT
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_PICK = const(11)  # = picograve.games._PICK
_BEGIN = const(13)  # = picograve.games._BEGIN
_BOUND = const(14)  # = picograve.games._BOUND
_TAKE_BACK = const(16)  # = picograve.games._TAKE_BACK
_NEVER_GREEDY = const(65536)  # = picograve.mcts.playout.uniform._NEVER_GREEDY
_WIDE = const(32768)  # = picograve.value.WIDE
_EVEN = const(16384)  # = picograve.mcts.select.ucb._EVEN
_MOST = const(10000)  # no evaluation is as much

# reward: the last playout's value, then
_LARGEST = const(1)  # the root's larger bound; 0: not asked yet
_RELATIVE = const(2)  # 1 if what the playout starts from is taken off
_START = const(3)  # ... which is this, and _MOST
_LENGTH = const(4)  # L
_NEAR = const(5)  # weights of the first term, so many; the last one stands for all after it
_FAR = const(6)  # ... and of the second, by the distance to the last position
_TABLES = const(7)  # these weights, with 16 binary places, then the evaluations, and _MOST each

_FINE = const(12)  # places by which weights are shortened for a sum that tells how many to keep
_SUM = const(65536)  # of the weights at most: times an evaluation it fits
_PLACES_OF_MEAN = const(13)
_CUT = 10000  # no weight is more
_LONGEST = 64  # entries of a table of weights

_BEGINS = const(65536)  # in the argument: the game has `begin`; below it, moves of a playout
_PICKS = const(131072)  # ... it has `pick`
_TAKES_BACK = const(262144)  # ... it has `take_back`
_NONE = const(65535)  # = picograve.mcts.tree._NONE

NEEDS = ("evaluate", "bound")
MAY_USE = ("begin", "pick", "take_back")
USES = ("wp_near", "wp_far", "wp_index", "wp_relative", "wp_scaled", "playout_limit")


def weights(base, power):
    """base ** -power, base ** -(power + 1) ... with 16 binary places, until they change no more."""
    base = scaled(base, 10000)
    table = []
    while len(table) < _LONGEST:
        weight = min((1 << 16) * 10000**power // base**power, _CUT << 16)
        if table and weight == table[-1]:
            break
        table.append(weight)
        power += 1
    return table


def start(config, game):
    near = weights(config.wp_near, config.wp_index)
    far = weights(config.wp_far, 1 - config.wp_index)
    recorded = (longest(game, config) + 1) // 2
    head = (0, int(config.wp_relative), 0, 0, len(near), len(far))
    return head + tuple(near) + tuple(far) + (0,) * recorded


def reach(config):
    return 1 if config.wp_scaled else 2


def longest(game, config):
    """Moves of a playout at most."""
    return min(config.playout_limit or game.move_cap, game.playout_cap or game.move_cap)


def argument(game, name, config):
    has = _BEGINS * bool(game.begin) + _PICKS * bool(game.pick)
    return longest(game, config) + has + _TAKES_BACK * bool(game.take_back)


def rows(game):
    repeats = kind_of(game) == _TABLE and not game.take_back
    return {"trial": game.state_bytes if repeats else 0}


@micropython.viper
def record(buffers, rules, state, i: int):
    # The evaluation of a position is the i-th.
    kept = ptr32(buffers[_REWARD])
    evaluate = rules[_EVALUATE]
    kept[_TABLES + kept[_NEAR] + kept[_FAR] + i] = _MOST + int(evaluate(state))


@micropython.viper
def set_out(buffers, rules):
    # A playout begins.
    kept = ptr32(buffers[_REWARD])
    if kept[_LARGEST] == 0:
        bound = rules[_BOUND]
        kept[_LARGEST] = int(bound(buffers[_ROOT], 0))
        other = int(bound(buffers[_ROOT], 1))
        if other > kept[_LARGEST]:
            kept[_LARGEST] = other
    if kept[_RELATIVE] != 0:
        evaluate = rules[_EVALUATE]
        kept[_START] = _MOST + int(evaluate(buffers[_WORK]))


@micropython.viper
def weight_of(kept: ptr32, i: int) -> int:
    # Of the i-th evaluation, with 16 binary places.
    near = i
    if near >= kept[_NEAR]:
        near = kept[_NEAR] - 1
    far = kept[_LENGTH] - 1 - i
    if far >= kept[_FAR]:
        far = kept[_FAR] - 1
    return (kept[_TABLES + near] >> 1) + (kept[_TABLES + kept[_NEAR] + far] >> 1)


@micropython.viper
def shift_of(kept) -> int:
    # By how many places weights are shortened, so that all of them times an evaluation fit. Those
    # that neither table tells apart, between the first and the last ones, are added at a stroke.
    length = int(ptr32(kept)[_LENGTH])
    near = int(ptr32(kept)[_NEAR])
    rest = length - near - int(ptr32(kept)[_FAR])
    total = 0
    i = 0
    while i < length:
        times = 1
        if i == near and rest > 1:
            times = rest
        total += times * ((int(weight_of(kept, i)) >> _FINE) + 1)
        i += times
    shift = 0
    while total >= _SUM >> _FINE:
        total = total >> 1
        shift += 1
    return shift


@micropython.viper
def gap_of(kept, shift: int) -> int:
    # How many evaluations weigh nothing, from number _NEAR on.
    near = int(ptr32(kept)[_NEAR])
    gap = int(ptr32(kept)[_LENGTH]) - near - int(ptr32(kept)[_FAR])
    if gap <= 0 or int(weight_of(kept, near)) >> shift != 0:
        return 0
    return gap


@micropython.viper
def look_back(buffers, rules, start: int, length: int):
    # From the end of the playout, of which so many moves are looked at, to its first move.
    kept = ptr32(buffers[_REWARD])
    take_back = rules[_TAKE_BACK]
    shift = int(shift_of(buffers[_REWARD]))
    gap = int(gap_of(buffers[_REWARD], shift))
    shown = length
    i = int(kept[_LENGTH])
    while i > 0:
        if i == kept[_NEAR] + gap:
            i -= gap
        i -= 1
        if int(weight_of(buffers[_REWARD], i)) >> shift != 0:
            wanted = start + 2 * i + 1
            take_back(buffers[_WORK], buffers[_TRACE], shown, wanted)
            shown = wanted
            record(buffers, rules, buffers[_WORK], i)


@micropython.viper
def look_again(buffers, rules, start: int):
    # From the start of the playout, in `trial`, to its last position that counts.
    kept = ptr32(buffers[_REWARD])
    trace = ptr16(buffers[_TRACE])
    trial = buffers[_TRIAL]
    play_move = rules[_PLAY]
    shift = int(shift_of(buffers[_REWARD]))
    gap = int(gap_of(buffers[_REWARD], shift))
    ply = start
    i = 0
    while i < kept[_LENGTH]:
        if i == kept[_NEAR]:
            i += gap
        if int(weight_of(buffers[_REWARD], i)) >> shift != 0:
            while ply < start + 2 * i + 1:
                play_move(trial, trace[ply] & _NOTE)
                ply += 1
            record(buffers, rules, trial, i)
        i += 1


@micropython.viper
def look(buffers, rules, limit: int, takes_back: int) -> int:
    # The game's own playout, of which at most `limit` moves are looked at.
    kept = ptr32(buffers[_REWARD])
    copy = rules[_COPY]
    playout = rules[_PLAYOUT]
    ply = int(ptr32(buffers[_CONTROL])[_PLY])
    if takes_back == 0:
        copy(buffers[_TRIAL], buffers[_WORK])
    length = int(
        playout(buffers[_WORK], buffers[_RNG], buffers[_TRACE], ply, buffers[_ORDER], _NEVER_GREEDY)
    )
    moves = length - ply
    if moves > limit:
        moves = limit
    kept[_LENGTH] = (moves + 1) >> 1
    if moves == 0:
        kept[_LENGTH] = 1
        record(buffers, rules, buffers[_WORK], 0)
    elif takes_back != 0:
        look_back(buffers, rules, ply, length)
    else:
        look_again(buffers, rules, ply)
    return length


@micropython.viper
def any_move(buffers, rules, picks: int) -> int:
    # Each as likely; -1 if the game is over. Without a list, 65535 may be a move.
    if picks != 0:
        pick = rules[_PICK]
        move = int(pick(buffers[_WORK], buffers[_RNG], 0))
        return -1 if move == _NONE else move
    list_moves = rules[_LIST_MOVES]
    count = int(list_moves(buffers[_WORK], buffers[_LIST]))
    if count == 0:
        return -1
    move = int(draw_any(buffers[_RNG], count))
    if ptr32(buffers[_CONTROL])[_KIND] < _UNLISTED:
        move = int(ptr16(buffers[_LIST])[move])
    return move


@micropython.viper
def walk(buffers, rules, limit: int, picks: int) -> int:
    # A playout of at most `limit` moves.
    c = ptr32(buffers[_CONTROL])
    kind = int(c[_KIND])
    work = buffers[_WORK]
    moves = buffers[_LIST]
    trace = ptr16(buffers[_TRACE])
    play_move = rules[_PLAY]
    code_moves = rules[_CODE_MOVES]
    ply = int(c[_PLY])
    end = ply + limit
    recorded = 0
    records = 1
    while ply < end:
        move = int(any_move(buffers, rules, picks))
        if move < 0:
            break
        note = 0
        if kind == _PLACES:
            ptr16(moves)[0] = move
            code_moves(work, moves, 1, buffers[_CODES])
            note = int(ptr16(buffers[_CODES])[0])
        trace[ply] = note + ptr8(work)[0] * _SECOND
        play_move(work, move)
        ply += 1
        if records != 0:
            record(buffers, rules, work, recorded)
            recorded += 1
        records = 1 - records
    if recorded == 0:
        record(buffers, rules, work, 0)
        recorded = 1
    ptr32(buffers[_REWARD])[_LENGTH] = recorded
    return ply


@micropython.viper
def play(buffers, rules, argument: int) -> int:
    limit = argument & (_BEGINS - 1)
    set_out(buffers, rules)
    if ptr32(buffers[_CONTROL])[_KIND] == _TABLE:
        return int(look(buffers, rules, limit, argument & _TAKES_BACK))
    if argument & _BEGINS != 0:
        begin = rules[_BEGIN]
        begin(buffers[_WORK])
    return int(walk(buffers, rules, limit, argument & _PICKS))


@micropython.viper
def value(buffers, rules, length: int) -> int:
    # The mean with 13 binary places, of evaluations and _MOST, so that nothing is negative.
    kept = ptr32(buffers[_REWARD])
    values = _TABLES + kept[_NEAR] + kept[_FAR]
    shift = int(shift_of(buffers[_REWARD]))
    weights = 0
    total = 0
    gap = int(gap_of(buffers[_REWARD], shift))
    i = 0
    while i < kept[_LENGTH]:
        if i == kept[_NEAR]:
            i += gap
        weight = int(weight_of(buffers[_REWARD], i)) >> shift
        weights += weight
        total += weight * kept[values + i]
        i += 1
    mean = total // weights
    mean = (mean << _PLACES_OF_MEAN) + ((total - mean * weights) << _PLACES_OF_MEAN) // weights
    zero = _MOST
    if kept[_RELATIVE] != 0:
        zero = int(kept[_START])
    # By the bound, a win being a quarter of WIDE.
    result = _EVEN + (mean - (zero << _PLACES_OF_MEAN)) // int(kept[_LARGEST])
    if result < 0:
        result = 0
    if result > _WIDE:
        result = _WIDE
    return result
