"""Boards, real and simulated.

descriptions.py     what we know of each (boards/*.toml), and its RAM, emulated
registry.py         what is plugged in, a line to a board
link.py             the serial line: frames, repeats, the board's hello
answers.py          what a board may answer: the schema
program.py          what a board runs: sources, stamp, how it is compiled
prebuilt.py         programs that C has compiled before, in the wheel
install.py          a board's program with what to set up, and how it gets there
one_size.py         a game as it is on a board that has one size of it
simulated.py        boards that run on this machine
ram.py              MicroPython's heap, emulated
cpython_service.py  the board's program on CPython, in such a heap
"""
