"""Players without a tree of ours, on the same rules, ledgers and runtimes.

policy.py                 plays the move that its playout policy would
alphabeta.py, lookahead.py   alpha-beta: the player, and its kernels
learning.py, episodes.py     SARSA and Q-learning: the players, and their kernels
"""
