"""Games and parts of searches that are not in the product: they show that its seams hold.

again.py      a game in which a player may move again
crossing.py   a game with 64,000 move numbers and codes that come from the state
joint.py      a game with 65,536 moves at once, and no list of them
returning.py  crossing with a rule of repetition
plain.py      a game that lists its moves, which have no codes
greedy.py     a choice in the tree: the best mean
lowest.py     a playout policy: always the lowest move
degrees.py    a reward by degrees: the evaluation of the last position
curve.py      ... the same through a logistic curve
bonus.py      ... win, draw or loss, and more for a game shorter than most
weighted.py   ... a weighted mean over all positions of a playout
nth_move.py   a kind of player: the n-th legal move
"""
