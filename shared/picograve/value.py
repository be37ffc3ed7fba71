"""What a playout is worth: the scales of a value, each from a loss of the first player to a win.

Win, draw and loss are whole numbers from LOSS to WIN, points: what a game's `outcome` gives and
what nodes and AMAF tables count by, in 16 bits. A rule that rewards by degrees (mcts/reward) gives
0 to WIDE. Then

- nodes have their sums in 32 bits, too: the mean of a node is exactly that of its playouts, and
  each ageing (mcts/tree.py) moves it by less than 1 / WIDE;
- UCT chooses by these means, cut to 13 binary places; of a rule whose values go beyond a loss and a
  win (`reach` in mcts/reward), WIDE is so many wins, and UCT stretches the means;
- GRAVE and RAVE take the sum of a node's v playouts to the nearest point: 1 / (4 v) of a mean;
- AMAF tables and MAST have no room for more than points. There a value is rounded up or down by
  chance, so that every mean is right in the long run; that of n values errs by 1 / (4 sqrt(n))
  at most (standard deviation).

Files with kernels repeat these numbers, because viper folds a constant only where it is defined;
`# = picograve.value.WIN` says so, and a test holds them equal.
"""

LOSS = 0
DRAW = 1
WIN = 2
WIDE = 32768  # 20,000 visits of it fit 30 bits; UCB's means have 13 binary places


def share(total: int, visits: int, scale: int = WIN) -> float:
    """A mean as a number from 0 to 1, on a scale of WIN or WIDE."""
    return total / (scale * visits) if visits else 0.5
