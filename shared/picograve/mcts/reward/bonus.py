"""What the rewards with a bonus share (rb, qb, rqb): the outcome r, -1, 0 or 1, becomes

    r + r * alpha * b(z),   b(z) = 2 / (1 + exp(-k * z)) - 1

where z says by how many standard deviations s a playout's length D or quality Q differs from the
mean of those before it in the search, for the better, and k is `steepness` (K. Pepels, M. J. W.
Tak, M. Lanctot, M. H. M. Winands, "Quality-based Rewards for Monte-Carlo Tree Search Simulations").
With W = 1 for those that the first player won, alpha is |cov(W * D, D)| / s, as COMPARISON
(settings.py) measured it, or divided by s * s, as Pepels and others have it, so that it has no
unit.

Means, deviations, alpha and r have 12 binary places. A bonus may carry r far beyond a win: with s
as the divisor up to 64 wins, with s * s up to 8, and no further. Lengths count in moves, qualities
in 240ths of the root's larger bound, which is also the unit of alpha; either up to 500 more or less
than the search's first one. After 20,000 playouts, or where squares get too large, all sums are
halved.
"""

from picograve.config import scaled
from picograve.fixed import logistic
from picograve.kernel import const, int, micropython, ptr32
from picograve.mcts.select.ucb import square_root

_ROOT = const(2)  # = picograve.mcts.search._ROOT
_WORK = const(4)  # = picograve.mcts.search._WORK
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_OUTCOME = const(4)  # = picograve.games._OUTCOME
_EVALUATE = const(7)  # = picograve.games._EVALUATE
_BOUND = const(14)  # = picograve.games._BOUND
_EVEN = const(16384)  # = picograve.mcts.select.ucb._EVEN

# reward: the last playout's value, then
_STEEPNESS = const(1)  # k with 13 binary places
_FLAT = const(2)  # z, with 13 places, beyond which b is 1 or -1
_BY_VARIANCE = const(3)  # 1 if alpha is divided by s * s
_REACH = const(4)  # values are 2**reach wins at most
_WINNERS = const(5)  # 1 if quality is seen by the winner
_LARGEST = const(6)  # the root's larger bound; 0: not asked yet
FIRST = const(7)  # a block of sums; a second one behind it

# A block. Sums are of d, the difference from the first playout's.
_COUNT = const(0)  # playouts
_WINS = const(1)  # ... of them won by the first player
_ORIGIN = const(2)  # the first one's length or quality, and _ZERO
_SUM = const(3)  # of d, and _ZERO
_SQUARES = const(4)  # of d * d
_WON_SUM = const(5)  # the same of those won
_WON_SQUARES = const(6)
BLOCK = const(7)

_ZERO = const(536870912)  # keeps sums from being negative
_MOST = const(500)  # d; its square with 12 places fits
_LIMIT = const(20000)  # = picograve.mcts.tree._LIMIT
_ONE = const(4096)  # with 12 places
_PLACES = const(4095)
_STEEPEST = const(64)  # alpha and z at most
_UNIT = const(240)  # a quality of the bound; twice that is less than _MOST


def header(config, blocks):
    steepness = scaled(config.steepness, 1 << 13)
    flat = (12 << 26) // steepness + 1
    by_variance = config.bonus_by == "variance"
    winners = config.bonus_view == "winner"
    head = (steepness, flat, int(by_variance), farthest(config), int(winners), 0)
    return head + (0,) * (blocks * BLOCK)


def farthest(config):
    return 3 if config.bonus_by == "variance" else 6


@micropython.viper
def mean(total: int, count: int) -> int:
    # With 12 places, of either sign. C shifts no negative number to the left.
    whole = total // count
    return whole * _ONE + ((total - whole * count) << 12) // count


@micropython.viper
def product(a: int, b: int) -> int:
    # Of numbers with 12 places.
    high = a >> 12
    low = a & _PLACES
    high_b = b >> 12
    low_b = b & _PLACES
    return high * high_b * _ONE + high * low_b + low * high_b + ((low * low_b) >> 12)


@micropython.viper
def ratio(a: int, b: int, most: int) -> int:
    # a / b with 13 places, a >= 0, b > 0; `most` at most.
    while b >= 131072:  # 17 bits are enough
        a = a >> 1
        b = b >> 1
    whole = a // b
    if whole >= most:
        return most << 13
    return (whole << 13) + ((a - whole * b) << 13) // b


@micropython.viper
def deviation(variance: int) -> int:
    if variance < 262144:
        return int(square_root(variance << 12))
    return int(square_root(variance)) << 6


@micropython.viper
def covariance(kept: ptr32, at: int) -> int:
    # |cov(W * D, D)|, where D is the origin and d.
    count = int(kept[at + _COUNT])
    centre = int(mean(int(kept[at + _SUM]) - _ZERO, count))
    won = int(mean(int(kept[at + _WON_SUM]) - _ZERO, count))
    drift = won - int(product(centre, int(mean(int(kept[at + _WINS]), count))))
    result = int(mean(int(kept[at + _WON_SQUARES]), count)) - int(product(centre, won))
    result += (int(kept[at + _ORIGIN]) - _ZERO) * drift
    if result < 0:
        return 0 - result
    return result


@micropython.viper
def add(kept: ptr32, at: int, measure: int, won: int):
    if kept[at + _COUNT] == 0:
        kept[at + _ORIGIN] = _ZERO + measure
        kept[at + _SUM] = _ZERO
        kept[at + _WON_SUM] = _ZERO
    d = measure - (int(kept[at + _ORIGIN]) - _ZERO)
    if d > _MOST:
        d = _MOST
    if d < 0 - _MOST:
        d = 0 - _MOST
    kept[at + _COUNT] += 1
    kept[at + _SUM] += d
    kept[at + _SQUARES] += d * d
    if won != 0:
        kept[at + _WINS] += 1
        kept[at + _WON_SUM] += d
        kept[at + _WON_SQUARES] += d * d
    if kept[at + _COUNT] == _LIMIT or kept[at + _SQUARES] >= _ZERO:
        kept[at + _COUNT] = kept[at + _COUNT] >> 1
        kept[at + _WINS] = kept[at + _WINS] >> 1
        kept[at + _SUM] = _ZERO + ((int(kept[at + _SUM]) - _ZERO) >> 1)
        kept[at + _SQUARES] = kept[at + _SQUARES] >> 1
        kept[at + _WON_SUM] = _ZERO + ((int(kept[at + _WON_SUM]) - _ZERO) >> 1)
        kept[at + _WON_SQUARES] = kept[at + _WON_SQUARES] >> 1


@micropython.viper
def bonus(buffers, at: int, measure: int, unit: int, won: int) -> int:
    # alpha * b(z) of a playout, more for a larger measure, by the block's sums, to which it is
    # then added. A `unit` of the measure is 1 for alpha.
    kept = ptr32(buffers[_REWARD])
    count = int(kept[at + _COUNT])
    result = 0
    variance = 0
    if count > 1:
        centre = int(mean(int(kept[at + _SUM]) - _ZERO, count))
        variance = int(mean(int(kept[at + _SQUARES]), count)) - int(product(centre, centre))
        if variance > 0:
            variance += variance // (count - 1)  # of a sample
    if variance > 0:
        width = int(deviation(variance))
        above = (measure - int(kept[at + _ORIGIN]) + _ZERO) * _ONE - centre
        size = above
        if above < 0:
            size = 0 - above
        z = int(ratio(size, width, _STEEPEST))
        curve = _ONE  # b with 12 places
        if z < kept[_FLAT]:
            curve = (int(logistic((z * kept[_STEEPNESS]) >> 13)) - _EVEN) >> 2
        if above < 0:
            curve = 0 - curve
        if kept[_BY_VARIANCE] != 0:
            alpha = int(ratio(int(covariance(buffers[_REWARD], at)), variance, _STEEPEST)) >> 1
        else:
            alpha = int(ratio(int(covariance(buffers[_REWARD], at)), width, _STEEPEST * unit))
            alpha = alpha // (2 * unit)
        result = (alpha * curve) >> 12
    add(buffers[_REWARD], at, measure, won)
    return result


@micropython.viper
def quality(buffers, rules, points: int) -> int:
    # The last position's evaluation by the root's larger bound, which is asked once.
    kept = ptr32(buffers[_REWARD])
    evaluate = rules[_EVALUATE]
    if kept[_LARGEST] == 0:
        bound = rules[_BOUND]
        kept[_LARGEST] = int(bound(buffers[_ROOT], 0))
        other = int(bound(buffers[_ROOT], 1))
        if other > kept[_LARGEST]:
            kept[_LARGEST] = other
    lead = int(evaluate(buffers[_WORK])) * _UNIT // int(kept[_LARGEST])
    if kept[_WINNERS] != 0 and points == 0:
        lead = 0 - lead
    return lead


@micropython.viper
def rewarded(buffers, rules, length: int, by_length: int, by_quality: int) -> int:
    # What a playout is worth with one bonus, or with that of quality on top of that of length.
    kept = ptr32(buffers[_REWARD])
    outcome = rules[_OUTCOME]
    points = int(outcome(buffers[_WORK]))
    won = int(points == 2)
    reward = (points - 1) * _ONE
    at = FIRST
    if by_length != 0:
        reward += int(product(reward, int(bonus(buffers, at, 0 - length, 1, won))))
        at = FIRST + BLOCK
    if by_quality != 0:
        lead = int(quality(buffers, rules, points))
        reward += int(product(reward, int(bonus(buffers, at, lead, _UNIT, won))))
    most = _ONE << kept[_REACH]
    if reward > most:
        reward = most
    if reward < 0 - most:
        reward = 0 - most
    return _EVEN + (reward >> (kept[_REACH] - 2))
