"""Strategy switching: UCB1 chooses the policy of each playout (METAHEURISTICS in config.py).

    mean(s) + b * sqrt(ln(n) / T(s))                                           (its equation 3)

with n playouts made, T(s) of them by policy s, and their mean result for the player to move
at the root, 0 to 1; each is tried once first. Counts are of one search. A chip loads this
file only where there are several policies (searcher.py).

    switching  i[4 * policies]  of each: argument, T, points, and how often it was chosen,
                                which unlike T is never halved
"""

from picograve.kernel import const, int, micropython, ptr32
from picograve.mcts.select.ucb import log, square_root

_STRIDE = const(4)  # = picograve.mcts.playout.SWITCHING
_TIMES = const(1)  # the argument is at 0
_POINTS = const(2)
_CHOSEN = const(3)

_LIMIT = const(20000)  # playouts before all counts are halved: log() takes 15 bits
_MEAN_SHIFT = const(13)  # = picograve.mcts.select.ucb._MEAN_SHIFT
_FACTOR_SHIFT = const(8)  # binary places of b


@micropython.viper
def switch(switching: ptr32, count: int, factor: int) -> int:
    # The place of the policy to follow; factor is b with 8 binary places, at most 2**15.
    n = 0
    for i in range(0, _STRIDE * count, _STRIDE):
        if switching[i + _TIMES] == 0:
            return i
        n += switching[i + _TIMES]
    ln = int(log(n)) << _MEAN_SHIFT  # below 2**30
    best = 0
    top = 0
    for i in range(0, _STRIDE * count, _STRIDE):
        times = switching[i + _TIMES]
        mean = (switching[i + _POINTS] << (_MEAN_SHIFT - 1)) // times
        value = mean + ((factor * int(square_root(ln // times))) >> _FACTOR_SHIFT)
        if i == 0 or value > top:
            best = i
            top = value
    return best


@micropython.viper
def credit(switching: ptr32, count: int, place: int, points: int):
    # The policy at that place has made a playout worth so many points to the player to move.
    switching[place + _TIMES] += 1
    switching[place + _POINTS] += points
    switching[place + _CHOSEN] += 1
    n = 0
    for i in range(0, _STRIDE * count, _STRIDE):
        n += switching[i + _TIMES]
    if n >= _LIMIT:
        for i in range(0, _STRIDE * count, _STRIDE):
            if switching[i + _TIMES] > 1:
                switching[i + _TIMES] >>= 1
                switching[i + _POINTS] >>= 1
