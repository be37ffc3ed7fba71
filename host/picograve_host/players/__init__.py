"""Whoever can be asked for a move.

protocol.py   what all of them can do
data.py       a player as plain data
kinds.py      the kinds there are, and what each must know
factory.py    opens any of them
pool.py       their pool of nodes, for who watches
thought.py    what they report of a move
search.py     the kind that is ours: a search, wherever it runs
desktop.py    ... on this machine
board.py      ... on a board, behind a serial line
engine.py     another program that speaks GTP
uci.py        another chess program, which speaks UCI
openspiel.py  OpenSpiel's MCTSBot
"""
