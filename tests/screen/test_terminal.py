"""`picograve play --terminal` in a terminal of its own: games to their ends, what goes wrong, and
the terminal as it was afterwards; and other commands that draw there.

Oracle: a Searcher with the same seed.
"""

import json
import os
import re
import signal
import subprocess

import pytest
import sgfmill.sgf
from picograve import Budget, Config, Position, load, open_search
from picograve_host.play.shapes import picture_of, shape_of
from picograve_host.screen import boards, keys
from picograve_host.screen.layout import View
from picograve_host.screen.tables import in_columns
from terminal import COMMAND, Terminal

pytestmark = pytest.mark.usefixtures("commands_in_c")

SMALL = "play --terminal --preset uniform --bytes 20000 --playouts 60".split()
UP, DOWN, RIGHT, LEFT, PAGE_UP = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~"


def answers(oracle):
    move = oracle.search().move
    oracle.play(move)
    return move


def test_tic_tac_toe_to_its_end_is_move_for_move_that_of_a_searcher(tmp_path):
    config = Config("graver", preset="uniform", playouts=60)
    oracle = open_search(load("ttt3"), config, Budget(bytes=20000), 1)
    with Terminal(*SMALL, "--game", "ttt3", "--out", str(tmp_path), "--json") as terminal:
        terminal.until("Your move, X")
        while not oracle.is_over:
            move = oracle.legal_moves()[0]
            oracle.play(move)
            terminal.send(move.lower() + "\r")
            reply = "" if oracle.is_over else answers(oracle)
            if not oracle.is_over:
                terminal.until("O played " + reply)
        terminal.until("The game is over: " + oracle.score())
        terminal.send("save\r")
        terminal.until("saved ")
        terminal.send("quit\r")
        terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)
    report = json.loads(re.search(r'\{"game".*\}', terminal.rest())[0])
    assert (report["moves"], report["result"]) == (oracle.moves, oracle.score())
    assert (tmp_path / "ttt3.txt").read_text().split() == oracle.moves
    assert len((tmp_path / "ttt3.jsonl").read_text().splitlines()) == len(oracle.moves)


def test_arrows_choose_a_place_and_a_wrong_move_is_told():
    with Terminal(*SMALL, "--game", "ttt3") as terminal:
        terminal.until("Your move, X")
        terminal.send(RIGHT + DOWN + "\r")
        terminal.until("O played")
        terminal.send("c1\r")
        terminal.until("c1 is not legal for X")
        terminal.send("Z9\x7f9\r")
        terminal.until("Z9 is no move in ttt3")
        terminal.send("undo\r")
        terminal.until("Your move, X")
        terminal.send("hint\r")
        terminal.until("A search would play")
        terminal.send("sw\r")
        terminal.until("Your move, O")
        terminal.send(PAGE_UP)
        terminal.until("move 0 of 1")
        terminal.send("q\r")
        assert "left after move 1" in terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)


def test_go_is_passed_and_resigned_and_saved_as_sgf(tmp_path):
    with Terminal(*SMALL, "--game", "go5", "--komi", "3.5", "--out", str(tmp_path)) as terminal:
        terminal.until("Your move, black")
        terminal.send("pass\r")
        terminal.until("white played")
        terminal.send("resign\r")
        terminal.until("The game is over: black resigns")
        terminal.send("save\rsave\rquit\r")
        assert "go5-2.sgf" in terminal.rest()
    record = sgfmill.sgf.Sgf_game.from_bytes((tmp_path / "go5.sgf").read_bytes())
    assert (record.get_winner(), record.get_komi()) == ("w", 3.5)


def test_a_resize_draws_it_anew_and_a_small_terminal_says_so():
    with Terminal(*SMALL, "--game", "go5", "--side", "second") as terminal:
        terminal.until("Your move, white")
        terminal.resize(30, 10)
        terminal.until("make the terminal larger")
        terminal.resize(60, 30)
        terminal.until("Your move, white")
        terminal.send("quit\r")
        terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 1), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_the_terminal_is_restored_when_a_search_is_interrupted(number, code):
    long = "play --terminal --game go9 --preset uniform --playouts 10000000 --side second".split()
    with Terminal(*long) as terminal:
        terminal.until("a second")
        if number == signal.SIGINT:
            terminal.send("\x03")
        else:
            os.kill(terminal.pid, number)
        text = terminal.rest()
        assert (terminal.code, terminal.is_restored) == (code, True)
        assert "Traceback" not in text


def test_stop_plays_the_move_of_a_search_under_way():
    long = "play --terminal --game go9 --preset uniform --playouts 10000000 --side second".split()
    with Terminal(*long) as terminal:
        terminal.until("black is thinking")
        terminal.until("a second")
        terminal.send("stop\r")
        terminal.until("Your move, white")
        terminal.send("quit\r")
        terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)


def test_a_game_without_a_board_is_played_from_its_list_of_moves(tmp_path):
    words = "play --terminal --game cotg4 --playouts 20 --bytes 100000 --out".split()
    with Terminal(*words, str(tmp_path)) as terminal:
        terminal.until("Your move, first")
        terminal.send(DOWN + "\r")
        terminal.until("second played")
        terminal.send("save\rquit\r")
        terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)
    assert (tmp_path / "cotg4.txt").read_text().split()[0] == "NNNK"


def test_without_a_terminal_it_is_refused_in_one_line():
    command = [*COMMAND, *SMALL, "--game", "ttt3"]
    finished = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1
    assert "needs a terminal" in finished.stderr


def test_a_terminal_that_is_too_small_is_refused_in_one_line():
    with Terminal(*SMALL, "--game", "ttt3", columns=30, lines=10) as terminal:
        assert "30 x 10" in terminal.rest()
        assert (terminal.code, terminal.is_restored) == (2, True)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("--opponent no-such-board", "no such opponent"), ("--bytes 100", "bytes"),
     ("--seconds 0", "seconds must be")],
)  # fmt: skip
def test_a_wrong_wish_is_refused_in_one_line(wrong, said):
    with Terminal("play", "--terminal", "--game", "ttt3", *wrong.split()) as terminal:
        text = terminal.rest()
        assert terminal.code == 2
        assert said in text.splitlines()[-1]
        assert "Traceback" not in text
        assert terminal.is_restored


EXPERIMENT = """
game = "ttt3"
games = 2
preset = "paper"
[opponent]
search = "uct"
playouts = 20
[players.UCT]
search = "uct"
playouts = 30
"""


def test_a_run_of_the_lab_is_a_bar_and_a_table_that_are_taken_away_at_the_end(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    with Terminal("lab", "run", str(file), "--workers", "1", "--out", str(tmp_path)) as terminal:
        text = terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)
    assert re.search("small *━+ *2 of 2 games", text)
    assert re.search(r"player +nodes .*\n", text)


def view_of(name, moves=""):
    position = Position(load(name))
    position.set_position(moves.split())
    state = dict(
        picture=picture_of(position, shape_of(position.game)),
        legal=position.legal_moves(),
        turn=position.turn,
        seats=[0, 1],
        result=None,
        moves=[],
        thinking=False,
    )
    view = View()
    view.hear("state", state)
    return view


def test_a_piece_moves_from_place_to_place():
    view = view_of("chess")
    view.at = [4, 6]  # e2
    moves = view.moves_here()
    assert sorted(moves) == ["e2e3", "e2e4"]
    assert not any(map(view.ends_here, moves))
    view.chosen = "e2"
    view.step(0, -1)
    assert list(filter(view.ends_here, view.moves_here())) == ["e2e3"]


@pytest.mark.parametrize("name", "go9 hex5 othello ttt3 chess".split())
def test_a_board_shows_every_mark_where_the_game_has_it(name):
    game = load(name)
    position = Position(game)
    for _ in range(5):
        position.play(position.legal_moves()[0])
    shape = shape_of(game)
    picture = picture_of(position, shape)
    plain = boards.draw(picture, shape, game.players, boards.Notable(), plain=True).plain
    for row, cells in zip(picture["rows"], picture["cells"], strict=True):
        (line,) = [line for line in plain.splitlines() if line.split()[0] == str(row)]
        assert line.split()[1:] == list(cells)
    in_colours = boards.draw(picture, shape, game.players, boards.Notable())
    assert len(in_colours.plain) == len(plain)
    for letter, other in zip(plain, in_colours.plain, strict=True):
        assert letter == other or (letter, other) in [(".", "·"), ("X", "●"), ("O", "●")]


def test_keys_are_told_apart():
    reading, writing = os.pipe()
    os.write(writing, b"\x1b[A\x1bOBx\x7f\r\x1b\x01\x1b[5~")
    found = keys.read(reading)
    assert found == [keys.UP, keys.DOWN, "x", keys.BACKSPACE, keys.ENTER, keys.ESCAPE, keys.EARLIER]
    os.close(writing)
    with pytest.raises(EOFError):
        keys.read(reading)
    os.close(reading)


def test_a_table_is_plain_text_as_wide_as_it_is():
    lines = [["name", "bytes"], ["a [bold]name", "1" * 200]]
    assert in_columns(lines).splitlines() == [
        "name" + " " * 205 + "bytes",
        "a [bold]name  " + "1" * 200,
    ]
