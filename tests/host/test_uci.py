"""The Universal Chess Interface: python-chess as the program on the other side, and a script.

What needs a real opponent (Debian's stockfish) is skipped where it is missing.
"""

import random
import shutil
import sys

import chess
import chess.engine
import pytest
import uci_fuzz
from picograve import BadInput, Budget, Config, load
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.protocols.uci import Engine

pytestmark = pytest.mark.usefixtures("commands_in_c")
OURS = [sys.executable, "-m", "picograve_host.cli", "uci", "--search", "uct"]
OURS += ["--preset", "uniform", "--nodes", "300", "--playouts", "300"]
SECONDS = 600  # for an answer: a machine may be ten times slower, and compile first
STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/bin")


def open_player(data, game, seed):
    settings = {name: data[name] for name in ("playouts", "depth", "variant") if name in data}
    config = Config(data["search"], data["preset"], **settings)
    return DesktopPlayer(game, config, Budget(nodes=data.get("nodes")), seed, hashes=False)


class Script:
    """Lines of a program that waits for the answer to every `go` but the infinite."""

    def __init__(self, lines):
        self.lines = list(lines)
        self.is_endless = False  # the last search

    def has_come(self):
        return self.is_endless and bool(self.lines)

    def take(self):
        line = self.lines.pop(0)
        if line.startswith("go"):
            self.is_endless = "infinite" in line
        return line


def talk(*lines):
    """The answers to these lines and a quit."""
    data = dict(search="uct", preset="uniform", nodes=200, playouts=200)
    written = []
    script = Script([*lines, "quit"])
    Engine(open_player, data, load("chess"), 1, "1.2.3", script, written.append).serve()
    return "".join(written).splitlines()


def bestmove(*lines):
    """What it answers to a plain `go` after these lines."""
    *_, last = talk(*lines, "go nodes 100", "isready")[:-1]
    word, move = last.split()
    assert word == "bestmove"
    return move


@pytest.fixture(scope="module")
def engine():
    with chess.engine.SimpleEngine.popen_uci(OURS, timeout=SECONDS) as engine:
        yield engine


def test_python_chess_plays_a_game_with_it(engine):
    board = chess.Board()
    rng = random.Random(3)
    while not board.is_game_over(claim_draw=True) and board.ply() < 40:
        if board.turn:
            board.push(engine.play(board, chess.engine.Limit(nodes=100)).move)
        else:
            board.push(rng.choice(list(board.legal_moves)))
    assert board.ply() > 8


def test_takes_a_mate_in_one(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)
    assert board.is_checkmate()


def test_tells_what_it_thinks(engine):
    info = engine.analyse(chess.Board(), chess.engine.Limit(nodes=300))
    assert info["nodes"] >= 300
    assert info["nps"] > 0
    assert 0 < info["hashfull"] <= 1000
    assert info["score"].relative.score() is not None
    assert chess.Board().is_legal(info["pv"][0])


def test_has_options_that_python_chess_can_set(engine):
    assert {"Search", "Preset", "Variant", "Nodes", "Bytes", "Playouts", "Seed"} <= set(
        engine.options
    )
    engine.configure({"Search": "graver", "Nodes": 100})
    assert engine.play(chess.Board(), chess.engine.Limit(nodes=50)).move
    engine.configure({"Search": "uct", "Nodes": 300})


@pytest.mark.skipif(not STOCKFISH, reason="stockfish is missing")
def test_plays_stockfish_without_an_illegal_move(engine):
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH, timeout=SECONDS) as other:
        other.configure({"Skill Level": 0})
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            who, nodes = (engine, 100) if board.turn else (other, 50)
            board.push(who.play(board, chess.engine.Limit(nodes=nodes)).move)
    assert board.ply() > 8


def test_the_same_seed_gives_the_same_move_after_ucinewgame_with_another_seed():
    first = bestmove("setoption name Seed value 7", "position startpos moves d2d4")
    again = bestmove(
        "setoption name Seed value 6", "position startpos moves e2e4", "ucinewgame",
        "position startpos moves d2d4",
    )  # fmt: skip
    assert first == again


def test_is_ready_while_it_thinks_and_ends_at_stop():
    answers = talk("position startpos", "go infinite", "isready", "stop", "isready")
    words = [line.split()[0] for line in answers]
    assert words[0] == "readyok"
    assert words[-2:] == ["bestmove", "readyok"]


def test_a_ponderhit_ends_what_pondered():
    answers = talk("position startpos", "go ponder infinite", "ponderhit")
    assert answers[-1].startswith("bestmove ")


def test_a_new_game_begins_at_the_start_again():
    over = "position startpos moves f2f3 e7e5 g2g4 d8h4"
    assert bestmove(over, "ucinewgame") != "(none)"


def test_plays_the_move_that_the_search_would():
    """A variant's best mean, which is not always the most visited."""
    settings = "setoption name Variant value voi", "setoption name Playouts value 300"
    different = 0
    for opening in ("e2e4", "d2d4", "c2c4", "g1f3"):
        config = Config("uct", "uniform", variant="voi", playouts=300)
        player = DesktopPlayer(load("chess"), config, Budget(nodes=200), 1)
        player.set_position([opening])
        move = player.search().move
        *_, last = talk(*settings, "position startpos moves " + opening, "go")
        assert last == "bestmove " + move
        different += move != player.root_moves()[0].move
    assert different


def test_quits_while_it_thinks():
    assert not any(line.startswith("bestmove") for line in talk("go infinite"))


def test_what_comes_while_it_thinks_is_done_afterwards():
    answers = talk(
        "position startpos", "go infinite", "position startpos moves f2f3 e7e5 g2g4 d8h4", "stop",
        "go",
    )  # fmt: skip
    moves = [line.split()[1] for line in answers if line.startswith("bestmove")]
    assert moves[0] != "(none)"
    assert moves[1] == "(none)"


def test_a_finished_game_has_no_move():
    assert bestmove("position startpos moves f2f3 e7e5 g2g4 d8h4") == "(none)"
    assert bestmove("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "(none)"


def test_goes_on_where_a_program_let_a_repetition_pass():
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 3
    assert chess.Move.from_uci(bestmove("position startpos moves " + shuffle + "e2e4"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("position", "position startpos, or position fen FEN, then moves ..."),
        ("position startpos moves e2e5", "e2e5 is not legal for white as move 1"),
        ("position startpos moves what", "what is no move in chess"),
        ("go nodes", "nodes is a whole number, 0 to 2147483647, not nothing"),
        ("go nodes many", "nodes is a whole number, 0 to 2147483647, not many"),
        ("go deeper", "go knows no deeper"),
        ("setoption", "setoption name NAME value VALUE"),
        ("setoption name Hash value 16", "no option called Hash; there are Search, Preset, "),
        ("setoption name Search value best", "no search called best; there are "),
        ("setoption name Nodes value -1", "nodes is a whole number, 0 to "),
        ("castle", "no command called castle"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_changes_nothing(line, answer):
    told, ready = talk("position startpos moves d2d4", line, "isready")
    assert told.startswith("info string " + answer)
    assert ready == "readyok"


def test_a_position_that_cannot_be_leaves_the_one_before():
    before = bestmove("position startpos moves d2d4")
    answers = talk("position startpos moves d2d4", "position startpos moves e2e5", "go nodes 100")
    assert answers[-1] == "bestmove " + before


@pytest.mark.parametrize(
    "limits",
    [
        "movetime 1", "wtime 1 btime 1", "wtime -5 btime -5", "btime 9000 wtime 9 winc 5 binc 5",
        "wtime 100 btime 100 movestogo 1", "depth 99", "searchmoves e2e4 nodes 5", "mate 2",
        "nodes 0",
    ],
)  # fmt: skip
def test_any_limit_ends_with_a_move(limits):
    answers = talk("position startpos", "go " + limits)
    assert answers[-1].startswith("bestmove ")


def test_alphabeta_looks_as_deep_as_it_is_told():
    answers = talk("setoption name Nodes value 0", "setoption name Playouts value 0",
                   "setoption name Search value alphabeta", "go depth 2", "isready",
                   "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go depth 99")  # fmt: skip
    assert [line.split()[0] for line in answers if line[0] == "b"] == ["bestmove"] * 2


def test_random_lines_are_each_answered_or_left_and_break_nothing():
    """`python tests/support/uci_fuzz.py` gives it a hundred times as many."""
    answers, lines = uci_fuzz.talk(2000, seed=1)
    assert uci_fuzz.wrong_answers(answers, lines) == []


def test_a_broken_position_is_refused_in_one_line():
    assert uci_fuzz.wrong_positions(300, seed=1) == []


def test_a_variant_of_uct_can_be_chosen():
    takes_a_queen = "position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    assert bestmove("setoption name Variant value wp", takes_a_queen) == "e4d5"


def test_an_option_that_cannot_be_leaves_the_player_as_it_was():
    with pytest.raises(BadInput):
        open_player(dict(search="best", preset="uniform"), load("chess"), 1)
    answers = talk("setoption name Search value best", "position startpos", "go nodes 20")
    assert answers[-1].startswith("bestmove ")
