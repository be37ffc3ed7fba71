"""Do we count a finished game as GNU Go does? Games with dead stones on the board, ours beside its.

    python tests/support/scoring.py --games 100
    python tests/support/scoring.py --games 100 --ours "--search grave --playouts 2000"

A game is GNU Go against itself, at levels 1 to 5, after up to three stones in the middle of the
board, which its number decides; with --ours, `picograve gtp` has a colour. It ends with two
passes. Then GNU Go at level 10 and `picograve gtp`, which both saw every move, are asked for
`final_score` and `final_status_list dead`; a game agrees if both answers are the same. Prints each
game that does not, and how many do. Chinese rules, komi 7.5.
"""

import argparse
import random
import shlex
import sys
from collections import namedtuple

from picograve_host.players.engine import program_of
from referee import MOST_MOVES, Program

GNUGO = (
    "gnugo --mode gtp --chinese-rules --positional-superko --forbid-suicide --never-resign".split()
)
JUDGE = "--level 10 --seed 1".split()
OURS = [sys.executable, "-m", "picograve_host.cli", "gtp", "--game"]
MIDDLE = [column + row for column in "CDEFG" for row in "34567"]

Verdict = namedtuple("Verdict", ("score", "dead"))  # B+3.5, a sorted list of stones


def gnugo(*options):
    return Program([program_of(GNUGO[0]), *GNUGO[1:], *options])


def finished_game(number, judges, ours="", size=9):
    """The moves of a game up to its two passes, which the judges saw as well."""
    choose = random.Random(number)
    levels = [str(choose.randint(1, 5)) for _ in range(2)]
    opening = choose.sample(MIDDLE, number % 4)
    players = [
        gnugo("--level", level, "--seed", str(2 * number + turn))
        for turn, level in enumerate(levels)
    ]
    if ours:
        players[number % 2].__exit__()
        command = [*OURS, "go%d" % size, "--seed", str(number), *shlex.split(ours)]
        players[number % 2] = Program(command)
    with players[0], players[1]:
        for program in (*players, *judges):
            for command in ("boardsize %d" % size, "clear_board", "komi 7.5"):
                program.ask(command)
        moves = []
        while moves[-2:] != ["PASS", "PASS"] and len(moves) < MOST_MOVES:
            turn = len(moves) % 2
            if opening:
                move = opening.pop()
                players[turn].ask("play %s %s" % ("bw"[turn], move))
            else:
                move = players[turn].ask("genmove " + "bw"[turn]).upper()
            for program in (players[1 - turn], *judges):
                program.ask("play %s %s" % ("bw"[turn], move))
            moves.append(move)
    return moves


def verdict_of(judge):
    return Verdict(judge.ask("final_score"), sorted(judge.ask("final_status_list dead").split()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--ours", default="", metavar="OPTIONS", help="picograve plays, with these")
    options = parser.parse_args()
    agree = with_dead = 0
    with gnugo(*JUDGE) as reference, Program([*OURS, "go9"]) as ours:
        for number in range(options.first, options.first + options.games):
            finished_game(number, (reference, ours), options.ours)
            expected, found = verdict_of(reference), verdict_of(ours)
            with_dead += bool(expected.dead)
            agree += expected == found
            if expected != found:
                print("game %d: GNU Go %s, dead %s" % (number, expected.score, expected.dead))
                print("  picograve %s, dead %s" % (found.score, found.dead), flush=True)
                print("  %s" % reference.ask("showboard").replace("\n", "\n  "), flush=True)
    print(
        "%d of %d agree; in %d GNU Go finds dead stones" % (agree, options.games, with_dead),
        flush=True,
    )


if __name__ == "__main__":
    main()
