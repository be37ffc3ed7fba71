"""Chess beside others, for desktop.py: what a game with openings, checks and mates asks for.

Whole games   OpenSpiel's MCTSBot plays its playouts to the end and cannot cut them. So they are
              compared with ours without a cut, where the draws by rule end them as they do
              OpenSpiel's: WHOLE. A note says how long both come out.
Plies         of random playouts with our usual cut: one legal move chosen and made. python-chess
              lists the legal moves, takes one and makes it.
Positions     Stockfish (Debian's package), the fastest generator that a package brings, has no
              random playouts. Its `go perft N` makes a move, lists all legal moves and takes the
              move back, for each of the positions up to N - 1 plies ahead, and counts the last ply
              without making it: such positions per second are the plies that a random player could
              make with it. They are counted from positions of random games. Others there are:
              OpenSpiel's C++, with some 130,000 plies a second, and bulletchess, whose C core is
              called move by move from Python 3.13 or newer.
"""

import random
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve import Position, load

if TYPE_CHECKING:
    from picograve.protocols import Game

WHOLE = {"cut": 1000, "draws": True}  # options of our game
PYTHON_CHESS = "plies, python-chess"
STOCKFISH = "positions, Stockfish"
GAMES = 20  # of python-chess, in a measurement
LENGTHS = 40  # games of OpenSpiel whose mean length a note says
PERFT = 5  # plies: about a second in all
GRAIN = 0.01  # seconds, of a process's CPU time: no measurement is shorter
SAMPLE = (0, 10, 20, 40, 60, 80)  # plies after which a random playout's position is asked for

Timed = tuple[int, float]  # how many, in how many seconds of CPU time


def python_chess(game: "Game", notes: list[str]) -> Callable[[int], Timed] | None:
    """A function that measures random playouts by python-chess, or None and a note."""
    try:
        import chess
    except ImportError:
        notes.append("no row for python-chess: pip install chess")
        return None
    cut = game.playout_cap or game.move_cap

    def measure(seed):
        rng = random.Random(seed)
        plies = 0
        began = time.process_time()
        for _ in range(GAMES):
            board = chess.Board()
            for _ in range(cut):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(rng.choice(moves))
            plies += board.ply()
        return plies, time.process_time() - began

    return measure


def stockfish(notes: list[str]) -> Callable[[int], Timed] | None:
    """A function that measures Stockfish's perft, or None and a note."""
    program = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if not program:
        notes.append("no row for Stockfish: Debian: apt install stockfish")
        return None
    idle = _ask(program, [])[1]  # what it takes to start

    def measure(seed):
        fens = _positions(seed)
        positions = sum(_ask(program, _perft(fens, plies))[0] for plies in range(1, PERFT))
        spent = _ask(program, _perft(fens, PERFT))[1] - idle
        return positions, max(spent, GRAIN)

    return measure


def _positions(seed):
    """Of one random game, as FEN."""
    rng = random.Random(seed)
    game: Any = load("chess")
    position = Position(game)
    fens = []
    for ply in range(max(SAMPLE) + 1):
        if ply in SAMPLE and not position.is_over:
            fens.append(game.fen_of(position.buffers["root"]))
        if not position.is_over:
            position.play(rng.choice(position.legal_moves()))
    return fens


def _perft(fens, plies):
    return [line for fen in fens for line in ("position fen " + fen, "go perft %d" % plies)]


def _ask(program, lines):
    """(nodes, seconds): the sum of what these lines count, and the CPU time of it all."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = "\n".join([*lines, "quit", ""])
    answer = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = [line.split()[-1] for line in answer.stdout.splitlines() if "Nodes searched" in line]
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sum(map(int, counts)), spent


def length_of_theirs() -> float | None:
    """The mean length of OpenSpiel's random games; None where it is missing."""
    try:
        import pyspiel
    except ImportError:
        return None
    rng = random.Random(1)
    plies = 0
    for _ in range(LENGTHS):
        state = pyspiel.load_game("chess").new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies / LENGTHS
