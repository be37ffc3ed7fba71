"""MAST: the mean result of every move, wherever it was played, ranks the playout's moves.

A playout plays a random move with probability epsilon and otherwise the first playable
one of the player's order. The order is put right once before a playout and then only
walked: it changes little from one playout to the next, so an insertion sort is a scan.

Arrays, with C = number of move codes:
    stats  H[2 * C * 2]  visits and half points, at 2 * (player * C + code)
    order  H[2 * C]      moves, best mean first, at player * C
    codes  H[moves]      code of a move, _NO_CODE for what is no move

A move never seen counts as one win in two: between those that won and those that lost.
All moves of a simulated game count, in the tree and in the playout.
"""

from picograve.kernel import const, int, micropython, ptr16

_NO_CODE = const(65535)
_PRIOR_VISITS = const(2)
_PRIOR_POINTS = const(2)  # half points: one win
_LIMIT = const(16000)  # visits before an entry is halved; products stay below 2**30


@micropython.viper
def clear(stats: ptr16, order: ptr16, codes: ptr16, moves: int, count: int):
    n = 0
    for move in range(moves):
        if codes[move] != _NO_CODE:
            order[n] = move
            order[count + n] = move
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
def learn(
    stats: ptr16, codes: ptr16, count: int, trace: ptr16, length: int, player: int, points: int
):
    # One game: player made the first move of the trace; points are the first player's.
    if player != 0:
        points = 2 - points
    for i in range(length):
        j = 2 * (player * count + codes[trace[i]])
        visits = stats[j] + 1
        total = stats[j + 1] + points
        if visits > _LIMIT:
            visits = visits >> 1
            total = total >> 1
        stats[j] = visits
        stats[j + 1] = total
        player = 1 - player
        points = 2 - points


@micropython.viper
def rank(stats: ptr16, order: ptr16, codes: ptr16, count: int):
    for player in range(2):
        first = player * count
        for i in range(first + 1, first + count):
            move = int(order[i])
            j = 2 * (first + codes[move])
            visits = int(stats[j])
            points = int(stats[j + 1])
            i_free = i
            while i_free > first:
                before = int(order[i_free - 1])
                j = 2 * (first + codes[before])
                if points * stats[j] <= stats[j + 1] * visits:
                    break
                order[i_free] = before
                i_free -= 1
            order[i_free] = move
