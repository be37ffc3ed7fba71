"""What Go programs expect besides: dead stones and ownership, handicaps, files, analysis.

Oracles: GNU Go (skipped where it is missing), sgfmill's board and its SGF files.
"""

import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picograve import Budget, Config, Position, load
from picograve_host.go import handicap
from picograve_host.go.ownership import Ownership, leaves_one_eye
from picograve_host.go.stones import chains, moves_to, points_of, stones_of
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.protocols import gtp
from scoring import JUDGE, Verdict, finished_game, gnugo, verdict_of
from sgfmill.boards import Board
from sgfmill.common import move_from_vertex
from test_gtp import ask, engine_of, needs_gnugo, talk

# The end of a game of GNU Go against itself, and what it says of it.
WITH_DEAD = """
. O . O O X . . .
O . O O X O O . .
X O O X X O O . .
X X X . . X O . .
. . . . X X O . .
. . X . X O O O O
. . O X X O X X X
. . O X . X X O X
. . . . . . . . .
"""
DEAD = "F9 C3 C2 H2"
SCORE = "B+5.5"
SCORE_AS_IT_STANDS = "W+10.5"
# Nobody can play at F2 or J1 without losing what stands beside (GNU Go against itself).
SEKI = """
. . . X O . . . .
. . . X O X . . .
X X . X O . X O .
O X . X O . . O O
O X X O O O O X O
O O O O X O X X X
. O . O X X X X X
. O . O X . O X X
O O O X X X O O .
"""
IN_SEKI = "D1 E1 F1 E2 E3 F3 G3 H3 J3 E4 G4 H4 J4 H5 H2 J2 G1 H1 G2".split()


def stones_in(diagram):
    rows = [row.split() for row in diagram.strip().splitlines()]
    size = len(rows)
    columns = "ABCDEFGHJ"
    return {
        columns[x] + str(size - y): {"X": "black", "O": "white"}[cell]
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell != "."
    }


def engine_with(diagram, turn=0, **options):
    """An engine in whose game these stones came about."""
    stones = stones_in(diagram)
    engine = engine_of("go%d" % len(diagram.strip().splitlines()), **options)
    for number, move in enumerate(moves_to(stones, turn)):
        assert ask(engine, "play %s %s" % ("bw"[number % 2], move)) == "= "
    return engine


# --- stones


@given(
    st.dictionaries(
        st.sampled_from(points_of(5)), st.sampled_from(["black", "white"]), max_size=24
    ),
    st.integers(0, 1),
)
@settings(deadline=None, max_examples=200)
def test_any_stones_that_breathe_are_reached_by_moves_that_do_not_end_the_game(stones, turn):
    board = Board(5)
    points = {c: [move_from_vertex(p, 5) for p in stones if stones[p] == c] for c in gtp.COLOURS}
    if not board.apply_setup(points["black"], points["white"], []):
        return
    position = Position(load("go5"))
    position.set_position(moves_to(stones, turn))
    assert stones_of(position) == stones
    assert position.turn == turn
    assert not position.is_over


@pytest.mark.parametrize(
    ("shape", "one_eye"),
    [
        ("A1 B1 C1", True),
        ("A1 B1 C1 D1", False),
        ("A1 B1 A2 B2", True),
        ("A1 B1 C1 B2", True),
        ("A1 A2 B2 B3", False),
        ("A1 B1 A2 B2 C2", True),
        ("B1 B2 B3 A2 C2", True),
        ("A1 B1 C1 D1 E1", False),
        ("B1 C1 A2 B2 C2 B3", True),
        ("A1 B1 C1 A2 B2 C2", False),
        ("A1 B1 C1 A2 B2 C2 A3", False),
    ],
)
def test_a_shape_of_captured_stones_leaves_one_eye_or_two(shape, one_eye):
    assert leaves_one_eye(shape.split(), 9) == one_eye


# --- dead stones


def test_dead_stones_are_listed_and_do_not_count():
    engine = engine_with(WITH_DEAD)
    assert ask(engine, "final_status_list dead") == "= " + DEAD
    alive = ask(engine, "final_status_list alive")[2:].split()
    assert set(alive) == stones_in(WITH_DEAD).keys() - set(DEAD.split())
    assert ask(engine, "final_status_list seki") == "= "
    assert ask(engine, "final_score") == "= " + SCORE
    assert engine.game.score(engine.referee.buffers["root"]) == SCORE_AS_IT_STANDS


def test_stones_of_one_chain_share_their_fate():
    stones = stones_in(WITH_DEAD)
    dead = set(Ownership(load("go9")).dead(stones))
    assert all(dead.issuperset(chain) or dead.isdisjoint(chain) for chain in chains(stones, 9))


def test_a_seki_is_seen():
    engine = engine_with(SEKI)
    assert sorted(ask(engine, "final_status_list seki")[2:].split()) == sorted(IN_SEKI)
    assert ask(engine, "final_status_list dead") == "= F8 G7"
    assert ask(engine, "final_score") == "= W+20.5"  # as GNU Go says


def test_the_count_is_the_same_after_passes_and_at_the_cap_of_moves():
    engine = engine_with(WITH_DEAD)
    before = talk(["final_score", "final_status_list dead"], engine)
    talk(["play b pass", "play w pass"], engine)
    assert talk(["final_score", "final_status_list dead"], engine) == before


@needs_gnugo
def test_finished_games_are_counted_as_gnu_go_does():
    with gnugo(*JUDGE) as reference:
        dead = 0
        for number in (0, 3, 23, 74):  # of scoring.py: all have dead stones
            moves = finished_game(number, [reference])
            engine = engine_of("go9")
            talk(["play %s %s" % ("bw"[n % 2], move) for n, move in enumerate(moves)], engine)
            score, stones = talk(["final_score", "final_status_list dead"], engine)
            expected = verdict_of(reference)
            assert Verdict(score[2:], sorted(stones[2:].split())) == expected, number
            dead += len(expected.dead)
    assert dead


# --- the end of a game


class Passing(DesktopPlayer):
    """It wants to pass, whatever comes of it."""

    def search(self, seconds=None, watch=None):
        return super().search(seconds, watch)._replace(move="pass", value=0.02)


def passing_engine(name="go5", resign=0, **options):
    player = Passing(load(name, **options), Config("grave", playouts=30), Budget())
    return gtp.Engine(player, "1.2.3", resign)


def after_the_game(komi=7.5):
    engine = passing_engine("go9", komi=komi)
    engine._begin(moves_to(stones_in(WITH_DEAD), turn=1))
    return engine


def test_a_pass_that_gives_a_won_game_away_captures_instead():
    engine = after_the_game()
    ask(engine, "play w pass")
    move = ask(engine, "genmove b")[2:]
    assert move in "B3 B2 C1 D3 H1 C4 A2".split()  # a liberty of dead stones
    assert stones_of(engine.referee)[move] == "black"


def test_who_has_won_as_it_stands_or_lost_either_way_may_pass():
    assert ask(after_the_game(), "genmove w") == "= pass"
    engine = after_the_game(komi=30)
    ask(engine, "play w pass")
    assert ask(engine, "genmove b") == "= pass"


def test_cleaning_up_captures_all_dead_stones_and_then_passes():
    engine = engine_with(WITH_DEAD)
    talk(["play b pass", "play w pass"], engine)
    answers = []
    while answers[-1:] != ["= pass"] and len(answers) < 20:
        answers.append(ask(engine, "kgs-genmove_cleanup b"))
        ask(engine, "play w pass")
    left = stones_of(engine.referee)
    assert answers[-1] == "= pass"
    assert not [point for point in ("C3", "C2", "H2") if left.get(point) == "white"]
    assert ask(engine, "final_status_list dead") == "= F9"  # black's own
    assert ask(engine, "kgs-genmove_cleanup w") != "= pass"


def test_an_engine_resigns_after_two_hopeless_searches_and_may_be_asked_again():
    engine = passing_engine(resign=0.05)
    lines = ["genmove b", "play w c3", "genmove b", "undo", "genmove b"]
    assert talk(lines, engine)[::2] == ["= pass", "= resign", "= pass"]
    talk(["clear_board", "genmove b", "play w c3"], engine)
    assert ask(engine, "lz-genmove_analyze b").splitlines()[-1] == "play resign"
    assert engine.moves == ("pass", "C3")


def test_without_the_option_nobody_resigns():
    engine = passing_engine()
    lines = ["genmove b", "play w c3", "genmove b", "play w c2", "genmove b"]
    assert talk(lines, engine)[::2] == ["= pass"] * 3


# --- handicaps


def test_a_size_that_is_refused_comes_with_advice(capsys):
    engine = engine_of("go9")
    assert ask(engine, "boardsize 19") == "? unacceptable size"
    assert capsys.readouterr().err == (
        "picograve: Go has sizes 5 to 13 here: start a new game of size 9 first\n"
    )


@needs_gnugo
@pytest.mark.parametrize("size", [7, 8, 9, 11, 12, 13])
def test_a_fixed_handicap_has_the_stones_that_gnu_go_places(size):
    with gnugo() as reference:
        for count in range(2, handicap.most_fixed(size) + 1):
            reference.ask("boardsize %d" % size)
            reference.ask("clear_board")
            expected = reference.ask("fixed_handicap %d" % count).split()
            engine = engine_of("go%d" % size)
            answer = ask(engine, "fixed_handicap %d" % count)
            assert sorted(answer[2:].split()) == sorted(expected)
            assert sorted(ask(engine, "list_stones b")[2:].split()) == sorted(expected)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fixed_handicap 1", "? invalid number of stones"),
        ("fixed_handicap 10", "? invalid number of stones"),
        ("fixed_handicap many", "? syntax error"),
        ("fixed_handicap", "? syntax error"),
        ("fixed_handicap 2", "= C3 G7"),
        ("place_free_handicap 1", "? invalid number of stones"),
        ("place_free_handicap 81", "? invalid number of stones"),
        ("place_free_handicap 2", "= C3 G7"),
        ("set_free_handicap c3 D4", "= "),
        ("set_free_handicap", "? bad vertex list: it takes 2 or more"),
        ("set_free_handicap c3", "? bad vertex list: it takes 2 or more"),
        ("set_free_handicap c3 c3", "? bad vertex list: each a point of the board, and none twice"),
        (
            "set_free_handicap c3 pass",
            "? bad vertex list: each a point of the board, and none twice",
        ),
        ("set_free_handicap c3 k3", "? bad vertex list: each a point of the board, and none twice"),
        ("list_stones", "? syntax error"),
        ("list_stones red", "? syntax error"),
        ("list_stones b", "= "),
        ("loadsgf", "? syntax error"),
        ("loadsgf no/such/file.sgf", "? cannot load file: No such file or directory"),
        ("loadsgf . x", "? syntax error"),
        ("kata-analyze b ownership maybe", "? syntax error"),
        ("lz-analyze b ownership true", "? syntax error"),
        ("kgs-genmove_cleanup", "? syntax error"),
        ("kgs-genmove_cleanup b", "= pass"),
    ],
)
def test_a_new_engine_answers(line, answer):
    assert talk([line], engine_of("go9")) == [answer]


def test_a_handicap_needs_an_empty_board_and_gives_white_the_move():
    engine = engine_of("go9")
    assert ask(engine, "fixed_handicap 4") == "= C3 G7 C7 G3"
    assert "white to move" in ask(engine, "showboard")
    assert talk(["undo", "fixed_handicap 2", "set_free_handicap c3 d4"], engine) == [
        "? cannot undo",
        "? board not empty",
        "? board not empty",
    ]
    assert talk(["play w e5", "undo", "genmove w"], engine)[:2] == ["= ", "= "]
    assert ask(engine, "list_stones b") == "= C7 G7 C3 G3"
    assert talk(["komi 0.5", "list_stones b"], engine) == ["= ", "= C7 G7 C3 G3"]
    assert talk(["clear_board", "list_stones b"], engine) == ["= ", "= "]


@pytest.mark.parametrize("size", [5, 6, 8, 9, 13])
def test_a_free_handicap_has_as_many_stones_as_asked_for(size):
    for count in (2, 3, 9, 20):
        engine = engine_of("go%d" % size)
        points = ask(engine, "place_free_handicap %d" % count)[2:].split()
        assert len(set(points)) == count
        assert sorted(ask(engine, "list_stones b")[2:].split()) == sorted(points)
        assert ask(engine, "genmove w")[0] == "="


def test_handicaps_are_asked_for_in_go_alone():
    engine = engine_of("hex4")
    names = ask(engine, "list_commands")
    for name in ("fixed_handicap", "loadsgf", "list_stones", "kata-analyze"):
        assert name not in names
        assert ask(engine, name + " 2") == "? unknown command"


# --- files


def saved(folder, text):
    path = folder / "game.sgf"
    path.write_text(text)
    return "loadsgf %s" % path


def test_a_file_is_loaded_up_to_a_move(tmp_path):
    line = saved(tmp_path, "(;SZ[7]KM[5.5];B[cc];W[ee];B[];W[dd](;B[cd])(;B[aa]))")
    engine = engine_of("go9")
    assert ask(engine, line) == "= "
    assert engine.moves == ("C5", "E3", "pass", "D4", "C4")
    assert engine.game.komi == 5.5
    assert talk([line + " 1", "list_stones b"], engine) == ["= ", "= "]
    assert talk([line + " 3", "list_stones b", "list_stones w"], engine) == ["= ", "= C5", "= E3"]
    assert ask(engine, line + " 99") == "= "
    assert talk(["undo", "undo", "list_stones w"], engine) == ["= ", "= ", "= E3"]
    assert ask(engine, "genmove w")[0] == "="


def test_a_file_may_set_stones_up(tmp_path):
    line = saved(tmp_path, "(;SZ[9]AB[cc][gg][cg]AW[ee]PL[W];W[ff];B[dd])")
    engine = engine_of("go9")
    assert talk([line, "list_stones b", "list_stones w"], engine) == [
        "= ", "= C7 D6 C3 G3", "= E5 F4",
    ]  # fmt: skip
    assert talk(["undo", "undo", "undo"], engine) == ["= ", "= ", "? cannot undo"]
    assert "white to move" in ask(engine, "showboard")
    assert talk([line + " 1", "list_stones w"], engine) == ["= ", "= E5"]


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("(;SZ[9]AB[cc][gg])", "white"),  # a handicap
        ("(;SZ[9]AB[cc][gg]AW[ee])", "black"),
        ("(;SZ[9]AB[cc][gg]AW[ee]PL[W])", "white"),
        ("(;SZ[9]AB[cc][gg];B[ee])", "black"),
        ("(;SZ[9])", "black"),
    ],
)
def test_a_file_says_whose_turn_it_is_or_its_stones_do(tmp_path, text, colour):
    engine = engine_of("go9")
    assert ask(engine, saved(tmp_path, text) + " 1") == "= "
    assert colour + " to move" in ask(engine, "showboard")


def test_a_colour_may_move_twice_in_a_file(tmp_path):
    engine = engine_of("go9")
    assert ask(engine, saved(tmp_path, "(;SZ[9];B[cc];B[dd];B[ee])")) == "= "
    assert ask(engine, "list_stones b") == "= C7 D6 E5"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("(;SZ[19];B[cc])", "? cannot load file: unacceptable size 19"),
        ("(;SZ[9];B[cc];W[cc])", "? cannot load file: move 2: illegal move"),
        ("(;SZ[9]KM[6.3];B[cc])", "? komi must be a multiple of 0.5 from 0 to 127.5, not 6.3"),
        ("(;SZ[9];B[cc];AB[dd])", "? cannot load file: setup properties after the root node"),
        ("no game at all", "? cannot load file: no SGF data found"),
        ("(;SZ[9];B[zz])", "? cannot load file: a point is not on the board"),
        ("", "? cannot load file: no SGF data found"),
    ],
)
def test_a_file_that_cannot_be_loaded_changes_nothing(tmp_path, text, answer):
    engine = engine_of("go7")
    talk(["komi 3.5", "play b c3", "play w d4"], engine)
    found = ask(engine, saved(tmp_path, text))
    assert found.startswith(answer) and "\n" not in found and "Error" not in found
    assert talk(["list_stones b", "list_stones w"], engine) == ["= C3", "= D4"]
    assert (engine.game.komi, engine.game.size) == (3.5, 7)
    assert talk(["undo", "undo", "undo"], engine) == ["= ", "= ", "? cannot undo"]


# --- analysis

KATA = re.compile(
    r"(info move \S+ visits \d+ winrate [01]\.\d{4} scoreMean -?\d+\.\d\d scoreLead -?\d+\.\d\d "
    r"prior 0 order \d+ pv( (?!info|ownership)\S+)+ ?)+(ownership( -?[01]\.\d{3})+)?"
)


def analysed(engine, line, reports=3):
    """The lines of an analysis that is stopped after so many."""
    enough = threading.Event()
    written = []

    def lines():
        yield line
        assert enough.wait(60)
        yield "name"

    def write(text):
        written.append(text)
        if sum(text.startswith("info") for text in written) >= reports:
            enough.set()

    gtp.serve(engine, gtp.Lines(lines()), write)
    return [text.strip() for text in written if text.startswith("info")]


def test_kata_analyze_tells_owners_and_the_score_for_the_player_to_move():
    engine = engine_with(WITH_DEAD, playouts=100)
    ask(engine, "komi 40")
    shares = Ownership(engine.game).shares(stones_in(WITH_DEAD))
    leads = []
    for colour, sign in (("b", 1), ("w", -1)):
        reports = analysed(engine, "kata-analyze %s 1 ownership true" % colour)
        assert all(KATA.fullmatch(report) for report in reports)
        owners = [float(word) for word in reports[-1].split("ownership ")[1].split()]
        rows = [[c + str(row) for c in "ABCDEFGHJ"] for row in range(9, 0, -1)]
        points = [point for row in rows for point in row]
        for point, owner in zip(points, owners, strict=True):
            assert abs(sign * owner - (2 * shares[point] - 1)) < 0.5, point
        leads.append(float(re.search(r"scoreLead (\S+)", reports[-1])[1]))
    assert leads[0] < -10 and leads[1] > 10
    assert "ownership" not in analysed(engine, "kata-analyze interval 1 rootInfo true")[0]


def test_every_move_of_an_analysis_has_a_variation_that_can_be_played():
    engine = engine_of("go5", playouts=3000)
    talk(["play b c3", "play w b2"], engine)
    (report, *_) = analysed(engine, "lz-analyze b 1 maxmoves 10", 1)
    variations = re.findall(r"info move (\S+) .*? pv ((?:(?!info)\S+ ?)+)", report)
    assert len(variations) == 10
    for move, variation in variations:
        moves = variation.split()
        assert moves[0] == move
        referee = Position(load("go5"))
        referee.set_position([*engine.moves, *moves])
    assert max(len(variation.split()) for _, variation in variations) > 2
    best = engine.player.searcher.principal_variation()
    assert engine.player.variations()[best[0]] == best


@pytest.mark.parametrize(
    ("name", "search"), [("hex4", "graver2"), ("othello", "uct"), ("ttt3", "alphabeta")]
)
def test_other_games_and_searches_have_variations_or_none(name, search):
    player = DesktopPlayer(load(name), Config(search), Budget())
    player.search()
    for first, variation in player.variations().items():
        assert variation[0] == first
        referee = Position(player.game)
        referee.set_position(variation)
    if search == "alphabeta":
        assert player.variations() == {}
        player.go_on(lambda player, playouts: pytest.fail("it cannot"))


def test_kata_genmove_analyze_plays():
    engine = engine_of("go5", playouts=100)
    answer = ask(engine, "kata-genmove_analyze b 100 ownership true")
    *reports, last = answer.splitlines()[1:]
    assert reports and all(KATA.fullmatch(report) for report in reports)
    assert last == "play " + engine.moves[-1]
