"""What only Go has, for GTP.

stones.py     which belong together, and moves that put them on the board
ownership.py  who owns each point, by playouts; which stones are dead
handicap.py   where handicap stones stand
sgf.py        a file's stones and moves
"""
