"""A match.

game.py       one game of two players
lines.py      what is said of it where there is no terminal (on one: picograve_host.screen)
demo.py       the pairing of `make match`
records.py    what is written down
footprint.py  a picture of its memory
"""
