"""What UCB1 is made of, in integers: logarithm, square root, the constant C, means by degrees.

`log` is at most 0.00072 too small and never too large; `square_root` is exact, rounded down.
"""

from picograve.config import scaled
from picograve.kernel import const, int, micropython

_MEAN_SHIFT = const(13)  # means have 13 binary places, squares 26
_WIDE_SHIFT = const(2)  # from values of 0 to WIDE to 13 binary places
_EVEN = const(16384)  # half of WIDE


def spread_of(exploration):
    """C * C with 13 binary places."""
    square = scaled(exploration, scaled(exploration, 10000))  # of 10,000
    return (square * 8192 + 5000) // 10000


@micropython.viper
def log(n: int) -> int:
    # ln(n) with 13 binary places, 1 <= n < 2**15: the places of log2 come from repeated
    # squaring of n scaled to [1, 2) with 14 places.
    whole = 0
    while (n >> whole) > 1:
        whole += 1
    x = n << (14 - whole)
    result = whole
    for i in range(_MEAN_SHIFT):
        x = (x * x) >> 14
        result += result
        if x >= 32768:
            x = x >> 1
            result += 1
    return (result * 5678) >> _MEAN_SHIFT  # ln 2 = 5678 / 8192


@micropython.viper
def square_root(n: int) -> int:
    # Rounded down, n < 2**31.
    root = 0
    bit = 32768
    while bit != 0:
        guess = root + bit
        if guess <= 46340 and guess * guess <= n:  # 46340: the largest with a 31-bit square
            root = guess
        bit = bit >> 1
    return root


@micropython.viper
def stretched(total: int, v: int, reach: int) -> int:
    # The mean of v values of 0 to WIDE, with 13 binary places. Where a rule's values go 2**reach
    # times beyond a loss and a win, so does this, about 1/2: it may be negative or more than 1.
    mean = total // v
    if reach != 0:
        left = total - mean * v
        mean = (mean << reach) + (left << reach) // v - (_EVEN << reach) + _EVEN
    return mean >> _WIDE_SHIFT
