"""What is drawn on a terminal, all of it by rich.

boards.py  a position in its shape, in colours, with what stands out on it
panels.py  tables and bars: candidates, chances, memory
tables.py  texts in columns, also where there is no terminal
match.py   a match as it goes: the board redrawn in place
keys.py    the keys of a terminal, one by one
game.py    the game of `picograve play --terminal`: keys and a picture around a room
layout.py  that picture

Pictures that come and go are drawn on stderr (picograve_tools.console), answers printed on stdout.
"""
