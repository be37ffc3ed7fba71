"""Examples to copy from, each a file that runs as it is.

self_play.py   a search plays itself
byte_sweep.py  win rate by bytes, with a plot
nim.py         a game of one's own: picograve think --game nim.py
"""
