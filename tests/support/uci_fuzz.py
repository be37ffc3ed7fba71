"""Random lines for `picograve uci`, and broken positions as FEN: no crash, no hang, and one clear
answer each.

    python tests/support/uci_fuzz.py [LINES] [FENS]     100,000 and 10,000 unless told

The tests run a short part of it; the seeds are fixed, so all of it repeats.
"""

import random
import sys
import time

import chess as oracle
from picograve import BadInput, Budget, Config, Position, load
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.protocols.uci import COMMANDS, Engine

WORDS = (
    "uci isready ucinewgame position startpos fen moves go nodes 1 2 movetime depth wtime btime "
    "setoption name value Search Nodes Seed uct grave e2e4 e7e5 e9e4 -1 99999999999 stop debug on "
    "register later ponderhit searchmoves \x00 \x1b[2J é ~ 8/8/8/8/8/8/8/8 w - KQkq 0"
).split(" ")
LETTERS = "PNBRQKpnbrqk12345678/ -wbKQkqabcdefgh0123456789xé\x00"
SLOWEST = 20.0  # seconds for an answer; a search may have to be compiled


class Script:
    """Lines, one after the other; none comes while it thinks. It notes what each was answered."""

    def __init__(self, lines):
        self.lines = iter(lines)
        self.answers = []  # of each line, those written until the next was taken
        self.slowest = 0.0
        self._since = time.perf_counter()

    def has_come(self):
        return False

    def take(self):
        now = time.perf_counter()
        self.slowest = max(self.slowest, now - self._since)
        self._since = now
        self.answers.append("")
        return next(self.lines, None)

    def write(self, text):
        self.answers[-1] += text


def open_player(data, game, seed):
    settings = {name: data[name] for name in ("playouts", "depth", "variant") if name in data}
    config = Config(data["search"], data["preset"], **settings)
    return DesktopPlayer(game, config, Budget(nodes=data.get("nodes")), seed, hashes=False)


def talk(count, seed):
    """(answers, lines): what so many random lines and a last question are answered."""
    rng = random.Random(seed)
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(1, 7))) for _ in range(count)]
    lines += ["ucinewgame", "position startpos", "go nodes 1", "isready", "quit"]
    script = Script(lines)
    data = dict(search="uct", preset="uniform", nodes=20, playouts=20)
    Engine(open_player, data, load("chess"), 1, "fuzz", script, script.write).serve()
    assert script.slowest < SLOWEST, script.slowest
    return [answer.splitlines() for answer in script.answers], lines


def wrong_answers(answers, lines):
    """The lines that were not answered as they should be, and what came instead."""
    wrong = [
        (line, answer)
        for line, answer in zip(lines, answers, strict=True)
        if not (is_right(line.split(), answer) and all(text.isprintable() for text in answer))
    ]
    if answers[-2] != ["readyok"] or not answers[-3][-1].startswith("bestmove "):
        wrong.append(("the last question", answers[-3:]))
    return wrong


def is_right(words, answer):
    """Whether a line has its one answer: what its command answers with, or what is wrong with it;
    commands that answer nothing may."""
    complaints = [text for text in answer if text.startswith("info string ")]
    if complaints:
        return len(answer) == 1
    if words[:1] == ["uci"]:
        return answer[-1] == "uciok"
    if words[:1] == ["isready"]:
        return answer == ["readyok"]
    if words[:1] == ["go"]:
        return answer[-1].startswith("bestmove ") and all(
            text.startswith("info ") for text in answer[:-1]
        )
    return not answer and (not words or words[0] in COMMANDS)


def broken(rng):
    """A FEN of a random game with a few letters changed, left out, doubled or added."""
    board = oracle.Board()
    for _ in range(rng.randint(0, 40)):
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))
    letters = list(board.fen())
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(letters))
        what = rng.randrange(4)
        if what == 0:
            letters[place] = rng.choice(LETTERS)
        elif what == 1:
            del letters[place]
        elif what == 2:
            letters.insert(place, rng.choice(LETTERS))
        else:
            letters[place:place] = letters[place : place + rng.randint(1, 9)]
    return "".join(letters)


def wrong_positions(count, seed):
    """The broken FENs that were neither refused in one line nor are a position; what it is then
    must make sense to python-chess."""
    rng = random.Random(seed)
    wrong = []
    for _ in range(count):
        fen = broken(rng)
        try:
            game = load("chess", fen=fen)
        except BadInput as error:
            if "\n" in str(error) or not str(error).startswith("no position of chess: "):
                wrong.append((fen, str(error)))
            continue
        position = Position(game)
        board = oracle.Board(game.fen_of(position.buffers["root"]))
        if sorted(move.uci() for move in board.legal_moves) != sorted(position.legal_moves()):
            wrong.append((fen, "other moves than python-chess has"))
    return wrong


def main(lines=100_000, fens=10_000):
    began = time.perf_counter()
    answers, said = talk(lines, seed=1)
    wrong = wrong_answers(answers, said) + wrong_positions(fens, seed=1)
    for line, answer in wrong[:20]:
        print(repr(line), "->", answer)
    told = sum(bool(answer) for answer in answers)
    print(
        "%d lines, %d of them answered, and %d broken positions in %d s: %d wrong"
        % (lines, told, fens, time.perf_counter() - began, len(wrong))
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
