"""A referee for two programs that speak GTP: it starts them, passes the moves on, and trusts
neither. Its board is sgfmill's; occupied points, suicide and the retaking of a ko are refused,
positional superko is left to the programs. Neither may resign.

    with Program(["gnugo", "--mode", "gtp"]) as black, Program([...]) as white:
        record = play_game(black, white, size=9, komi=7.5)
"""

import subprocess
from collections import namedtuple
from itertools import takewhile

from sgfmill.boards import Board
from sgfmill.common import move_from_vertex

MOST_MOVES = 400

Record = namedtuple(
    "Record",
    (
        "moves",  # texts, black's first
        "result",  # by area as the stones stand: B+3.5, W+12.5 or 0
        "final_scores",  # what the two programs say, black's first
    ),
)


class Refusal(Exception):
    """A program answered with ?, or not at all, or played what the rules forbid."""


class Program:
    """A program that speaks GTP on its stdin and stdout."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate("quit\n")

    def ask(self, command):
        """The text that answers a command."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = list(takewhile("\n".__ne__, self.process.stdout))
        if not lines or not lines[0].startswith("="):
            raise Refusal("%s: %s" % (command, "".join(lines)))
        return "".join(lines)[1:].strip()


def play_game(black, white, size=9, komi=7.5):
    """A whole game between two programs: a Record."""
    for program in (black, white):
        for command in ("boardsize %d" % size, "clear_board", "komi %g" % komi):
            program.ask(command)
    board = Board(size)
    moves = []
    ko = None
    while moves[-2:] != ["PASS", "PASS"]:
        if len(moves) == MOST_MOVES:
            raise Refusal("no end after %d moves" % MOST_MOVES)
        colour = "bw"[len(moves) % 2]
        mover, other = (black, white) if colour == "b" else (white, black)
        move = mover.ask("genmove " + colour).upper()
        ko = _play(board, colour, move, ko)
        other.ask("play %s %s" % (colour, move))
        moves.append(move)
    return Record(
        moves, _result(board, komi), [program.ask("final_score") for program in (black, white)]
    )


def _play(board, colour, move, ko):
    """Play a move on the board, if it is legal; the point that a ko forbids next."""
    point = move_from_vertex(move, board.side)
    if point is None:
        return None
    if board.get(*point) is not None or point == ko:
        raise Refusal("%s %s is occupied or a ko" % (colour, move))
    ko = board.play(*point, colour)
    if board.get(*point) is None:
        raise Refusal("%s %s is suicide" % (colour, move))
    return ko


def _result(board, komi):
    lead = board.area_score() - komi
    if lead == 0:
        return "0"
    return "%s+%g" % ("B" if lead > 0 else "W", abs(lead))
