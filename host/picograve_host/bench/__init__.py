"""What things cost.

desktop.py  playouts per second on this machine, beside C and OpenSpiel
chess.py    ... of chess, beside python-chess and Stockfish
variants.py what a variant of MCTS costs over plain uct
boards.py   ... on boards
builds.py   one playout in several builds of the core, from bytecode to C written by hand
watching.py what it costs that somebody watches
harness.py  what the lab itself costs
"""
