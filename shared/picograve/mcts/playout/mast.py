"""MAST: the mean result of every move, wherever it was played, ranks the playout's moves.

A playout plays a random move with probability epsilon and otherwise the first playable
one of the player's order. The order is put right once before a playout and then only
walked: it changes little from one playout to the next, so an insertion sort is a scan.

Arrays, with C = number of move codes:
    stats    H[2 * C * 2]  visits and points, at 2 * (player * C + code)
    order    H[2 * C]      notes, best mean first, at player * C
    code_of  H[..]         code of a note, _NO_CODE for what is none

A move never seen counts as one win in two: between those that won and those that lost.
All moves of a simulated game count, in the tree and in the playout.
"""

from picograve.config import scaled
from picograve.kernel import const, int, micropython, ptr16, ptr32

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_WORK = const(4)  # = picograve.mcts.search._WORK
_TRACE = const(6)  # = picograve.mcts.search._TRACE
_STATS = const(12)  # = picograve.mcts.search._STATS
_ORDER = const(13)  # = picograve.mcts.search._ORDER
_CODE_OF = const(19)  # = picograve.mcts.search._CODE_OF
_CODE_COUNT = const(8)  # = picograve.mcts.search.CODE_COUNT
_PLY = const(22)  # = picograve.mcts.search.PLY
_SECOND = const(32768)  # = picograve.mcts.search._SECOND
_PLAYOUT = const(3)  # = picograve.games._PLAYOUT
_NO_CODE = const(65535)  # = picograve.games.NO_CODE
_WIN = const(2)  # = picograve.value.WIN
_PRIOR_VISITS = const(2)
_PRIOR_POINTS = const(2)  # one win
_LIMIT = const(16000)  # visits before an entry is halved; products stay below 2**30

USES = ("epsilon", "decay")


@micropython.viper
def clear(stats: ptr16, order: ptr16, code_of: ptr16, notes: int, count: int):
    n = 0
    for note in range(notes):
        if code_of[note] != _NO_CODE:
            order[n] = note
            order[count + n] = note
            n += 1
    for i in range(2 * count):
        stats[2 * i] = _PRIOR_VISITS
        stats[2 * i + 1] = _PRIOR_POINTS


@micropython.viper
def decay(stats: ptr16, count: int, percent: int):
    # Between the turns of a game: what was learned keeps `percent` of its weight.
    for i in range(2 * count):
        visits = int(stats[2 * i] - _PRIOR_VISITS)
        points = int(stats[2 * i + 1] - _PRIOR_POINTS)
        if points < 0:  # an entry halved at the limit has lost part of its prior
            points = 0
        stats[2 * i] = _PRIOR_VISITS + visits * percent // 100
        stats[2 * i + 1] = _PRIOR_POINTS + points * percent // 100


@micropython.viper
def learn(buffers, length: int, points: int):
    # One game, worth so many points to the first player.
    stats = ptr16(buffers[_STATS])
    code_of = ptr16(buffers[_CODE_OF])
    trace = ptr16(buffers[_TRACE])
    count = int(ptr32(buffers[_CONTROL])[_CODE_COUNT])
    for i in range(length):
        note = int(trace[i])
        if note < _SECOND:
            j = 2 * code_of[note]
            total = points
        else:
            j = 2 * (count + code_of[note - _SECOND])
            total = _WIN - points
        visits = stats[j] + 1
        total += stats[j + 1]
        if visits > _LIMIT:
            visits = visits >> 1
            total = total >> 1
        stats[j] = visits
        stats[j + 1] = total


@micropython.viper
def rank(stats: ptr16, order: ptr16, codes: ptr16, count: int):
    # An insertion sort. Most moves stay where they are: each is compared with the last of those
    # in order, whose figures are at hand; a move that goes up leaves that one the last.
    for player in range(2):
        first = player * count
        j = 2 * (first + codes[order[first]])
        last_visits = int(stats[j])
        last_points = int(stats[j + 1])
        for i in range(first + 1, first + count):
            move = int(order[i])
            j = 2 * (first + codes[move])
            visits = int(stats[j])
            points = int(stats[j + 1])
            if points * last_visits <= last_points * visits:
                last_visits = visits
                last_points = points
            else:
                i_free = i - 1
                order[i] = order[i_free]
                while i_free > first:
                    before = int(order[i_free - 1])
                    j = 2 * (first + codes[before])
                    if points * stats[j] <= stats[j + 1] * visits:
                        break
                    order[i_free] = before
                    i_free -= 1
                order[i_free] = move


@micropython.viper
def play(buffers, rules, epsilon: int) -> int:
    # epsilon: the share of random moves, of 65536.
    c = ptr32(buffers[_CONTROL])
    rank(buffers[_STATS], buffers[_ORDER], buffers[_CODE_OF], c[_CODE_COUNT])
    playout = rules[_PLAYOUT]
    return int(
        playout(buffers[_WORK], buffers[_RNG], buffers[_TRACE], c[_PLY], buffers[_ORDER], epsilon)
    )


def argument(game, name, config):
    return scaled(config.epsilon, 65536)


def rows(game):
    return {"mast_stats": 4 * game.code_count, "mast_order": 2 * game.code_count}


def new_game(searcher):
    stats, order, code_of = searcher.arrays("mast_stats mast_order " + searcher.code_of)
    clear(stats, order, code_of, len(code_of), searcher.game.code_count)


def next_move(searcher):
    stats = searcher.buffers["mast_stats"]
    decay(stats, searcher.game.code_count, scaled(searcher.config.decay, 100))
