"""FAP: a playout counts the more the later it comes in the search, because the tree that leads to
it knows more (F. Xie, Z. Liu, "Backpropagation Modification in Monte-Carlo Game Tree Search";
COMPARISON in settings.py).

A search is cut into segments, s = 1, 2 ...; a playout of segment s counts f = s times
(`fap_factors` linear) or 2**(s - 1) times, in visits and in points, and UCB1 takes these counts as
they are. So it explores less than UCT does with the same constant: like C / 8 where f is about 100.
Playout t of B is in segment

    linear       (t - 1) // (B // S) + 1
    exponential  1 + how many i of 1 to S have B * 2**i / (2**S - 1) <= t; S + 1 for the last ones

Weighted counts have 32 bits, apart from the plain visits and points, by which recycling, ageing and
reports go on. Linear factors are exact. Of factors 2**(s - 1) beyond 2**14 the excess is taken off
all nodes: they are halved as often as need be, and UCB1 makes up for it. Means stay, as does every
ratio of weights that 14 binary places can hold.
"""

from picograve.errors import BadInput
from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.means import weighted_mean
from picograve.mcts.reward.totals import second_moved
from picograve.mcts.select.least import least
from picograve.mcts.select.ucb import log, spread_of, square_root

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_PATH = const(5)  # = picograve.mcts.search._PATH
_TREE = const(17)  # = picograve.mcts.search._TREE
_REWARD = const(20)  # = picograve.mcts.search._REWARD
_PLAYOUTS = const(20)  # = picograve.mcts.search.PLAYOUTS
_NODES = const(21)  # = picograve.mcts.search.NODES
_EXPLORATION = const(27)  # = picograve.mcts.search.SELECT
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_TOTALS = const(11)  # = picograve.mcts.tree._TOTALS
_EXTRA = const(14)  # = picograve.mcts.tree._EXTRA
_LEVEL = const(10)  # = picograve.mcts.tree._LEVEL
_END = const(1)  # = picograve.mcts.tree._END
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_WIN = const(2)  # = picograve.value.WIN

# reward: nothing of a playout, then
_SEGMENT = const(1)  # s
_NEXT = const(2)  # the playout that begins the next one
_STEP = const(3)  # linear: so many playouts each; 0: exponential
_DOUBLES = const(4)  # 1 if factors do
_HALVINGS = const(5)  # of all weights so far
_BEGINNINGS = const(6)  # exponential: those of segments still to come
_MOST_BEGINNINGS = 32  # they double, and a search has fewer than 2**30 playouts

_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_LARGEST = const(14)  # a factor is 2**14 at most: 20,000 of them fit, as points
_LOG_2 = const(5678)  # ln 2 with 13 binary places
_SHORT = const(15)  # bits that `log` takes
_HIGH = const(131072)  # a logarithm of 16: beyond, C * C * ln does not fit
_FARTHEST = const(1073741823)  # a square, with 26 places: the root then is 4
_FITTING = const(19)  # bits of a weight that a value with 8 binary places can be multiplied by
_MOST_LACK = const(46340)  # whose square has 31 bits
_NEVER = const(1073741823)  # no playout is as late

USES = ("exploration", "backup", "variant", "fap_segments", "fap_lengths", "fap_factors")


def playouts_of(config):
    """B, which must be known beforehand."""
    top = config.playouts_top
    if config.two_levels:
        top = top and config.playouts_second and top * config.playouts_second
    if not (config.playouts or top):
        raise BadInput("backup fap must know the number of playouts: give playouts")
    return config.playouts or top


def start(config, game):
    playouts, segments = playouts_of(config), config.fap_segments
    doubles = int(config.fap_factors == "exponential")
    if config.fap_lengths == "linear":
        step = max(playouts // segments, 1)
        return (1, step + 1, step, doubles, 0) + (0,) * _MOST_BEGINNINGS
    least = (1 << segments) - 1
    # The first t with B * 2**i / least <= t.
    beginnings = [(playouts * 2**i + least - 1) // least for i in range(1, segments + 1)]
    later = [t for t in beginnings if t > 1] + [_NEVER]
    later += [_NEVER] * (_MOST_BEGINNINGS + 1 - len(later))
    segment = 1 + sum(t <= 1 for t in beginnings)
    return (segment, later[0], 0, doubles, 0) + tuple(later[1:])


def parameters(config):
    """C * C with 13 binary places."""
    return (spread_of(config.exploration),)


@micropython.viper
def halve_all(tree):
    # Half of every weight, and at least 1; the same means.
    weights = ptr32(tree[_EXTRA])
    totals = ptr32(tree[_TOTALS])
    for node in range(int(ptr32(tree[_POOLS])[_LEVEL + _END])):
        weight = int(weights[node])
        if weight > 1:
            total = int(totals[node])
            if weight & 1 != 0:
                total += total // weight
            totals[node] = total >> 1
            weights[node] = (weight + 1) >> 1


@micropython.viper
def factor_of(buffers) -> int:
    # How often the playout that comes next counts.
    kept = ptr32(buffers[_REWARD])
    t = ptr32(buffers[_CONTROL])[_PLAYOUTS] + 1
    while t >= kept[_NEXT]:
        kept[_SEGMENT] += 1
        if kept[_STEP] != 0:
            kept[_NEXT] += kept[_STEP]
        else:
            kept[_NEXT] = kept[_BEGINNINGS]
            for i in range(_BEGINNINGS, _BEGINNINGS + 31):
                kept[i] = kept[i + 1]
    if kept[_DOUBLES] == 0:
        return int(kept[_SEGMENT])
    while kept[_SEGMENT] - 1 - kept[_HALVINGS] > _LARGEST:
        halve_all(buffers[_TREE])
        kept[_HALVINGS] += 1
    return 1 << (kept[_SEGMENT] - 1 - kept[_HALVINGS])


@micropython.viper
def count(buffers, points: int) -> int:
    # A playout into the weights of its path, before back_up counts it plainly.
    path = ptr16(buffers[_PATH])
    tree = buffers[_TREE]
    weights = ptr32(tree[_EXTRA])
    totals = ptr32(tree[_TOTALS])
    factor = int(factor_of(buffers))
    for i in range(ptr32(buffers[_CONTROL])[_NODES]):
        node = int(path[i])
        won = points
        if int(second_moved(buffers, i)) != 0:
            won = _WIN - points
        if ptr16(tree[_VISITS])[node] == 0:  # new: what stands there is another's
            weights[node] = factor
            totals[node] = factor * won
        else:
            weights[node] += factor
            totals[node] += factor * won
    return points


@micropython.viper
def long_log(n: int) -> int:
    # ln(n) with 13 binary places, n < 2**31.
    shift = 0
    while n >> shift >= 1 << _SHORT:
        shift += 1
    return int(log(n >> shift)) + shift * _LOG_2


@micropython.viper
def square_of(spread: int, weight: int, higher: int) -> int:
    # spread * 2**higher / weight: UCB1's term, squared.
    square = spread // weight
    while higher < 0:
        square = square >> 1
        higher += 1
    while higher > 0:
        if square > _FARTHEST >> 1:
            return _FARTHEST
        square += square
        higher -= 1
    return square


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    # As UCT's (select/uct.py), by weights, which are cut to what fits for the comparison that
    # spares divisions. A weight w stands for w * 2**halvings.
    tree = buffers[_TREE]
    c = ptr32(buffers[_CONTROL])
    weights = ptr32(tree[_EXTRA])
    totals = ptr32(tree[_TOTALS])
    sibling = ptr16(tree[_SIBLING])
    first = int(ptr16(tree[_CHILD])[node])
    missing = 0
    if grows != 0 or first == _NONE:
        missing = count
        if ptr16(tree[_VISITS])[node] <= count:
            choice = int(least(buffers, node, count, start))
            if choice >= _NEW:
                return choice
    halvings = int(ptr32(buffers[_REWARD])[_HALVINGS])
    spread = int(long_log(int(weights[node]))) + halvings * _LOG_2
    higher = 0 - halvings
    while spread >= _HIGH:
        spread = spread >> 1
        higher += 1
    spread = spread * c[_EXPLORATION]  # 26 places, and `higher` more
    cut = 0
    while weights[node] >> cut >= 1 << _FITTING:
        cut += 1
    room = (spread >> 20) + 1  # 6 places, no less
    smaller = cut - higher
    if smaller > 31:
        smaller = 31
    best = first
    value = 0
    k = first
    while k != _NONE:
        missing -= 1
        weight = int(weights[k])
        total = int(totals[k])
        short = weight >> cut
        lack = ((value >> 5) * short - (((total >> cut) + 1) << 7)) >> 5  # 3 places
        if lack <= 0 or (lack < _MOST_LACK and lack * lack <= (room * (short + 1)) >> smaller):
            mean = int(weighted_mean(total, weight))
            square = int(square_of(spread, weight, higher))
            lack = value - mean
            if lack < 0 or (lack + 1) * (lack + 1) <= square:
                best = k
                value = mean + int(square_root(square))
        k = int(sibling[k])
    if missing > 0:
        choice = int(least(buffers, node, count, start))
        if choice >= _NEW:
            return choice
    return best
