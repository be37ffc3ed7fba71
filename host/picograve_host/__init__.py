"""The desktop side of picograve.

cli/         the command `picograve`: what it takes; options become the core's objects
commands/    one file for each command
players/     whoever can be asked for a move: desktop, board, engine, OpenSpiel
boards/      descriptions of boards, the line to one, what is installed there, simulations
go/          what only Go has: who owns a point, dead stones, handicaps, setup stones
protocols/   GTP, and how each game is spoken there
match/       one game of two players, and what is written down
play/        a page to play on, and to watch a search, a match or a run of the lab
screen/      what is drawn on a terminal, and a game on one
lab/         experiments: plan, play, report
bench/       what things cost
contract/    does a game keep to its contract?
examples/    scripts and a game to copy from
outside.py   what comes from outside: checked and cleaned, and the limits
games.py     a game with its options
battles.py   units and their places, from a file
settings.py  the core's table of settings, with its comments
rating.py    win rates with intervals, Elo, SPRT
machine.py   what this machine is called
words.py     numbers as people write them, texts that fit a terminal
testing.py   for users' own tests: a chip's RAM under pytest
"""
