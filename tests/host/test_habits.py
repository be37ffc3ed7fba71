"""Games other than Go behind GTP: Hex as HexGui speaks it, Othello as Quarry does.

Oracle: gtp-rhino (Debian's package grhino; what needs it is skipped where it is missing).
"""

import re
import subprocess

import pytest
from picograve import Position, load
from picograve_host.players.engine import program_of
from picograve_host.protocols.habits import COLOURS, must_pass
from referee import Program
from test_gtp import OURS, ask, engine_of, talk
from test_players import RHINO_COMMAND, needs_rhino, score_of_rhino

# The shortest way to a pass: here black cannot place a disc, and white can at E3 and F6.
TO_A_PASS = "D3 C3 B3 B2 F5 A3 A1 C1".split()
TO_THE_END = "E6 F4 E3 F6 G5 D6 E7 F5 C5".split()  # the shortest game: white has no disc left


def after(name, moves, **options):
    """An engine that has been told these moves."""
    engine = engine_of(name, **options)
    for number, move in enumerate(moves):
        assert ask(engine, "play %s %s" % ("bw"[number % 2], move)) == "= "
    return engine


# --- any game


@pytest.mark.parametrize("name", ["ttt3", "hex4", "othello"])
def test_a_whole_game_is_played_and_scored(name):
    engine = engine_of(name, playouts=10)
    over = False
    while not over:
        assert ask(engine, "final_score") == "? cannot score"
        assert ask(engine, "genmove " + engine._turn())[0] == "="
        over = engine._is_over()
    referee = Position(load(name))
    referee.set_position(engine.moves)
    assert referee.is_over
    _, _, _, _, outcome = referee.game.rules
    assert ask(engine, "final_score")[2] == "W0B"[outcome(referee.buffers["root"])]
    while engine.moves:
        assert ask(engine, "undo") == "= "
    assert ask(engine, "undo") == "? cannot undo"


@pytest.mark.parametrize("name", ["ttt3", "hex4", "othello"])
def test_a_move_out_of_turn_is_refused_and_changes_nothing(name):
    engine = engine_of(name)
    for line in ("play w D3", "genmove w", "reg_genmove w", "analyze w 10"):
        assert ask(engine, line) == "? illegal move: it is not white's turn"
    assert ask(engine, "genmove b")[0] == "="
    assert len(engine.moves) == 1


@pytest.mark.parametrize("name", ["ttt3", "hex4", "othello"])
def test_komi_is_taken_and_has_no_effect(name):
    engine = engine_of(name)
    move = ask(engine, "reg_genmove b")
    assert talk(["komi 7.5", "komi much"], engine) == ["= ", "? syntax error"]
    assert ask(engine, "reg_genmove b") == move
    assert "komi" not in ask(engine, "showboard")


@pytest.mark.parametrize("name", ["ttt3", "hex4", "othello"])
def test_dead_stones_are_asked_for_in_go_alone(name):
    engine = engine_of(name)
    assert ask(engine, "known_command final_status_list") == "= false"
    assert "final_status_list" not in ask(engine, "list_commands")
    assert ask(engine, "final_status_list alive") == "? unknown command"


@pytest.mark.parametrize(
    "name,title,other",
    [("go5", "Go", "Othello"), ("othello", "Othello", "Go"), ("hex4", "Hex", "Y")],
)
def test_a_controller_learns_which_game_is_played(name, title, other):
    engine = engine_of(name)
    assert ask(engine, "list_games") == "= " + title
    assert ask(engine, "set_game " + title) == "= "
    assert ask(engine, "set_game " + other) == "? unsupported game"


def test_tic_tac_toe_is_black_and_white():
    engine = engine_of("ttt3")
    answers = talk("play b b2,play w b2,play w pass,play w a1,showboard".split(","), engine)
    assert answers[:4] == ["= ", "? illegal move", "? syntax error", "= "]
    assert answers[4].splitlines()[-3:] == [" 1 O . .", "   A B C", "black to move"]
    talk("play b b3,play w a2,play b b1".split(","), engine)
    assert talk(["final_score", "genmove w"], engine) == ["= B+", "? the game is over"]


# --- Hex


def test_a_session_as_hexgui_has_it():
    command = [*OURS, "--game", "hex11", "--swap", "--search", "uct", "--playouts", "20"]
    lines = (
        "name\nversion\nboardsize 4 4\nplay black c1\nplay white swap-pieces\nshowboard\n"
        "play black b1\nplay white c3\nplay black b2\nplay white d2\nplay black b3\n"
        "play white d1\nfinal_score\nplay black b4\nfinal_score\ngenmove white\nundo\n"
        "play black b4\nquit\n"
    )
    talked = subprocess.run(command, input=lines, capture_output=True, text=True)
    answers = talked.stdout.split("\n\n")[:-1]
    assert answers[0] == "= picograve"
    assert answers[2:5] == ["= ", "= ", "= "]
    assert answers[5].splitlines()[4].split() == ["3", "O", ".", ".", ".", "3"]  # c1 mirrored
    assert answers[5].endswith("\nblack to move")
    assert answers[6:12] == ["= "] * 6
    assert answers[12:] == [
        "? cannot score", "= ", "= B+", "? the game is over", "= ", "= ", "= ",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line,answer",
    [
        ("boardsize 5", "= "),
        ("boardsize 5 5", "= "),
        ("boardsize 5 6", "? unacceptable size"),
        ("boardsize 14", "? unacceptable size"),
        ("boardsize 5 x", "? syntax error"),
        ("boardsize", "? syntax error"),
        ("play b i9", "= "),
        ("play b K11", "= "),
        ("play b L11", "? illegal move"),
        ("play b swap", "? illegal move"),
        ("play b swap-sides", "? syntax error"),
        ("play b pass", "? syntax error"),
    ],
)
def test_a_new_hex_engine_answers(line, answer):
    assert ask(engine_of("hex11"), line) == answer


def test_swapping_is_an_answer_to_the_first_stone_alone_and_can_be_undone():
    engine = after("hex5", ["c3"], swap=True)
    assert ask(engine, "play w swap") == "= "
    assert ask(engine, "play b swap-pieces") == "? illegal move"
    talk(["undo", "play w b2"], engine)
    assert engine.moves == ("C3", "B2")
    assert ask(after("hex5", ["c3"]), "play w swap") == "? illegal move"  # the option is off


def test_a_swap_is_called_by_its_full_name():
    engine = after("hex3", ["b2"], swap=True)
    answer = ask(engine, "analyze w 100")
    assert " move swap-pieces " in answer
    engine.player.search = lambda *_: engine.thought._replace(move="swap")
    assert ask(engine, "genmove w") == "= swap-pieces"
    assert engine.moves == ("B2", "swap")


def test_a_new_size_keeps_the_swap():
    engine = after("hex5", ["c3"], swap=True)
    assert talk(["boardsize 4 4", "play b a1", "play w swap"], engine) == ["= "] * 3


# --- Othello


@pytest.mark.parametrize(
    "lines,answers,moves",
    [
        (["play b pass", "play w e3"], ["= ", "= "], ["pass", "E3"]),
        (["play w e3"], ["= "], ["pass", "E3"]),  # left out
        (["genmove b", "play w f6"], ["= pass", "= "], ["pass", "F6"]),
        (
            ["genmove b", "play b pass"],
            ["= pass", "? illegal move: it is not black's turn"],
            ["pass"],
        ),
        (["play b e3"], ["? illegal move"], []),
        (["play w a8"], ["? illegal move"], []),  # it has others
        (["play w pass"], ["? illegal move"], []),
        (["play w e3", "undo"], ["= ", "= "], []),  # the pass goes with it
    ],
)
def test_a_forced_pass_may_be_played_asked_for_or_left_out(lines, answers, moves):
    engine = after("othello", TO_A_PASS)
    assert talk(lines, engine) == answers
    assert list(engine.moves) == TO_A_PASS + moves


def test_the_colour_that_can_move_may_be_asked_at_once():
    engine = after("othello", TO_A_PASS)
    assert ask(engine, "reg_genmove w")[2:] in ("E3", "F6")
    assert re.search(r"\ninfo move (E3|F6) ", ask(engine, "analyze w 100"))
    assert ask(engine, "genmove w")[2:] in ("E3", "F6")
    assert engine.moves[8] == "pass" and len(engine.moves) == 10


def test_a_pass_that_is_not_forced_is_illegal():
    engine = engine_of("othello")
    assert talk(["play b pass", "play w pass"], engine) == [
        "? illegal move",
        "? illegal move: it is not white's turn",
    ]


def test_after_the_end_of_othello_everybody_passes():
    engine = after("othello", TO_THE_END)
    lines = ["genmove w", "genmove b", "play w PASS", "play w a1", "undo", "genmove black"]
    answers = talk(lines, engine)
    assert answers[:3] == ["= pass", "= pass", "= "]
    assert answers[3].startswith("? illegal move")
    assert answers[4:] == ["= ", "= pass"]
    assert list(engine.moves) == TO_THE_END
    assert ask(engine, "final_score").startswith("= B+")


def test_othello_has_one_size():
    engine = engine_of("othello")
    assert talk(["boardsize 8", "boardsize 6", "boardsize 10"], engine) == [
        "= ",
        "? unacceptable size",
        "? unacceptable size",
    ]


def test_only_a_forced_pass_is_one_that_must_be():
    othello = Position(load("othello"))
    assert not must_pass(othello)
    othello.set_position(TO_A_PASS)
    assert must_pass(othello)
    othello.set_position(TO_THE_END)
    assert not must_pass(othello)
    for name in ("go5", "hex4", "ttt3"):
        assert not must_pass(Position(load(name)))


@needs_rhino
@pytest.mark.parametrize("colour", ["black", "white"])
def test_our_engine_and_gtp_rhino_play_othello_through_gtp(colour):
    ours = [*OURS, "--game", "othello", "--search", "uct", "--playouts", "30"]
    name, *settings = RHINO_COMMAND.split()
    with Program(ours) as picograve, Program([program_of(name), *settings]) as rhino:
        players = [picograve, rhino] if colour == "black" else [rhino, picograve]
        answers = []
        while answers[-2:] != ["pass", "pass"]:
            turn = len(answers) % 2
            move = players[turn].ask("genmove " + COLOURS[turn])
            answers.append(move)
            if move != "pass":  # which rhino refuses, and we do not need to hear
                players[1 - turn].ask("play %s %s" % (COLOURS[turn], move))
        referee = Position(load("othello"))
        for move in answers:
            if move != "pass" or must_pass(referee):
                referee.play(move)
        assert referee.is_over
        assert rhino.ask("final_score") == score_of_rhino(referee)
        assert picograve.ask("final_score")[0] == rhino.ask("final_score")[0]
