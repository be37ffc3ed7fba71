"""GTP as a Go program meets it: every command, odd input, analysis, time, whole games.

Oracles: GNU Go, the protocol's reference implementation (Debian's package gnugo; what needs
it is skipped where it is missing), and sgfmill's board.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picograve import BadInput, Budget, Config, load
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.protocols import gtp
from referee import Program, Refusal, play_game
from sgfmill.boards import Board
from sgfmill.common import format_vertex, move_from_vertex

pytestmark = pytest.mark.usefixtures("commands_in_c")
GNUGO = shutil.which("gnugo", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
GNUGO_OPTIONS = (
    "--mode gtp --chinese-rules --level 1 --positional-superko --forbid-suicide "
    "--capture-all-dead --never-resign --seed 1"
).split()
needs_gnugo = pytest.mark.skipif(not GNUGO, reason="GNU Go is missing: Debian's package gnugo")

# As `picograve gtp` will be called: with the options of `think`.
OURS = [sys.executable, "-m", "picograve_host.cli", "gtp"]

ANSWER = re.compile(r"[=?]\d*( [^\n]*)?(\n[^\n]+)*")
INFO = r"info move \S+ visits \d+ winrate \d+ prior 0 order \d+ pv( (?!info)\S+)+"
REPORT = re.compile("%s( %s)*" % (INFO, INFO))


class Player(DesktopPlayer):
    """A quick player that notes how long it may think, and can be made to fail."""

    failure = None

    def __init__(self, name="go9", playouts=30, budget=None, **options):
        self.seconds = []
        super().__init__(
            load(name, **options), Config("grave", playouts=playouts), budget or Budget()
        )

    def search(self, seconds=None, watch=None):
        if self.failure:
            raise self.failure
        self.seconds.append(seconds)
        return super().search(None, watch)


def engine_of(*arguments, **options):
    return gtp.Engine(Player(*arguments, **options), "1.2.3")


def talk(lines, engine=None):
    """Everything that the engine answers to these lines, an answer an item."""
    written = []
    gtp.serve(engine or engine_of(), gtp.Lines(iter(lines)), written.append)
    *answers, rest = "".join(written).split("\n\n")
    assert rest == ""
    return answers


def ask(engine, line):
    (answer,) = talk([line], engine)
    return answer


def board_of(engine):
    """The rows that showboard draws, the highest first."""
    return [line.split()[1:] for line in ask(engine, "showboard").splitlines()[2:-2]]


@pytest.mark.parametrize(
    "line,answer",
    [
        ("protocol_version", "= 2"),
        ("name", "= picograve"),
        ("version", "= 1.2.3"),
        ("known_command genmove", "= true"),
        ("known_command lz-analyze", "= true"),
        ("known_command lz_analyze", "= false"),
        ("known_command", "? syntax error"),
        ("12 name", "=12 picograve"),
        ("12 dance", "?12 unknown command"),
        ("dance", "? unknown command"),
        ("Name", "? unknown command"),
        ("\t name  # what are you?\n", "= picograve"),
        ("na\x07me\r\n", "= picograve"),
        ("boardsize 13", "= "),
        ("boardsize 4", "? unacceptable size"),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize nine", "? syntax error"),
        ("boardsize -9", "? syntax error"),
        ("boardsize " + "9" * 5000, "? syntax error"),
        ("boardsize", "? syntax error"),
        ("clear_board with words to spare", "= "),
        ("komi 0", "= "),
        ("komi 127.5", "= "),
        ("komi -0.5", "? komi must be a multiple of 0.5 from 0 to 127.5, not -0.5"),
        ("komi 5.3", "? komi must be a multiple of 0.5 from 0 to 127.5, not 5.3"),
        ("komi nan", "? komi must be a multiple of 0.5 from 0 to 127.5, not nan"),
        ("komi much", "? syntax error"),
        ("play b D4", "= "),
        ("play WHITE d4", "= "),
        ("play w Pass", "= "),
        ("play b", "? syntax error"),
        ("play red D4", "? syntax error"),
        ("play b I5", "? syntax error"),
        ("play b D", "? syntax error"),
        ("play b D0", "? syntax error"),
        ("play b T19", "? illegal move"),
        ("genmove", "? syntax error"),
        ("genmove x", "? syntax error"),
        ("reg_genmove x", "? syntax error"),
        ("undo", "? cannot undo"),
        ("time_settings 60 10 5", "= "),
        ("time_settings 60 10", "? syntax error"),
        ("time_settings a b c", "? syntax error"),
        ("time_left b 60 0", "= "),
        ("time_left 60 0", "? syntax error"),
        ("final_score", "= W+7.5"),
        ("final_status_list dead", "= "),
        ("final_status_list tired", "? syntax error"),
        ("analyze purple", "? syntax error"),
        ("analyze b often", "? syntax error"),
        ("analyze b 10 avoid w D4 1", "? syntax error"),
        ("genmove_analyze white 10 minmoves", "? syntax error"),
        ("gomill-explain_last_move", "= "),
        ("quit", "= "),
    ],
)
def test_a_new_engine_answers(line, answer):
    assert talk([line]) == [answer]


@pytest.mark.parametrize(
    "line", ["", "\n", "  \t \n", "# name", " #", "\x01\x02\n", "12", "12 # name"]
)
def test_a_line_without_a_command_is_passed_over(line):
    assert talk([line, "7 name"]) == ["=7 picograve"]


@needs_gnugo
def test_odd_lines_are_taken_as_the_reference_implementation_takes_them():
    lines = [
        "12", "7 name", "  8   name", "\tname", "na\x07me\r", "name # x", "# c", "  ", "3 foo",
        "foo", "NAME", "play", "play b", "5 play x d4", "play b i5", "play BLACK d4",
        "play b d4", "play W d4", "play black PASS", "play b c3", "boardsize 50", "boardsize",
        "komi x", "komi", "6 komi 5.5", "known_command name", "known_command foo", "undo",
        "time_settings 1 2", "time_settings a b c", "time_left b 1", "final_status_list foo",
        "9 clear_board extra words", "undo", "genmove", "genmove x", "protocol_version", "quit",
    ]  # fmt: skip
    text = "\n".join(lines) + "\n"
    command = [GNUGO, "--boardsize", "9", *GNUGO_OPTIONS]
    theirs = subprocess.run(command, input=text, capture_output=True, text=True).stdout

    def status(answer):  # with the texts that the specification gives
        standard = "unknown command|illegal move|unacceptable size|cannot undo|true|false|2"
        sign, number, text = re.fullmatch(r"([=?])(\d*) ?(.*)", answer).groups()
        return sign, number, text if re.fullmatch(standard, text) else None

    ours = talk(lines)
    assert len(ours) == len(lines) - 3
    assert [status(answer) for answer in ours] == [
        status(answer) for answer in theirs.split("\n\n")[:-1]
    ]


def test_every_listed_command_is_known_and_answers():
    engine = engine_of()
    names = ask(engine, "list_commands")[2:].splitlines()
    assert {"genmove", "undo", "showboard", "final_score", "lz-analyze"} <= set(names)
    for name in names:
        assert ask(engine, "known_command " + name) == "= true"
        assert "unknown" not in ask(engine, name)


def test_nothing_is_answered_after_quit():
    assert talk(["1 quit", "2 name"]) == ["=1 "]


def test_the_board_is_shown_with_turn_and_komi():
    engine = engine_of("go5")
    talk(["play b c3", "komi 0.5", "play w d3"], engine)
    assert ask(engine, "showboard") == (
        "= \n   A B C D E\n 5 . . . . .\n 4 . . . . .\n 3 . . X O .\n 2 . . . . .\n 1 . . . . .\n"
        "   A B C D E\nblack to move, komi 0.5"
    )
    assert talk(["list_stones b", "list_stones white"], engine) == ["= C3", "= D3"]


def test_genmove_plays_the_move_that_it_answers():
    engine = engine_of("go5")
    move = ask(engine, "genmove b")[2:]
    assert engine.moves == (move,)
    assert ask(engine, "play w " + move) == "? illegal move"


def test_reg_genmove_plays_nothing_and_is_repeatable():
    engine = engine_of("go5")
    first, second, showboard = talk(["reg_genmove w", "reg_genmove w", "showboard"], engine)
    assert first == second
    assert "X" not in showboard and "O" not in showboard
    assert engine.moves == ()


def test_a_colour_may_move_twice_and_undo_takes_back_one_move():
    engine = engine_of("go5")
    talk(["play b a1", "play b b1", "genmove b"], engine)
    stones = sum(row.count("X") for row in board_of(engine))
    assert stones + (engine.moves[-1] == "pass") == 3
    assert talk(["undo", "undo", "undo", "undo"], engine) == ["= ", "= ", "= ", "? cannot undo"]


def test_the_engine_passes_after_two_passes_and_play_may_go_on():
    engine = engine_of("go5")
    talk(["play b c3", "play w pass", "play b pass"], engine)
    assert ask(engine, "play w c3") == "? illegal move"
    assert talk(["genmove w", "genmove b", "genmove b"], engine) == ["= pass"] * 3
    assert talk(["play w d3", "play b b2"], engine) == ["= ", "= "]
    assert engine.moves == ("C3", "D3", "B2")


def test_superko_holds_in_the_game_and_after_two_passes():
    moves = "E4 D3 C5 C4 A2 B1 B2 C2 C3 D1 B3 A1 C1".split()  # white's B1 would repeat
    engine = engine_of("go5")
    for number, move in enumerate(moves):
        assert ask(engine, "play %s %s" % ("bw"[number % 2], move)) == "= "
    assert ask(engine, "play w B1") == "? illegal move"
    assert talk(["play w pass", "play b pass", "play w B1"], engine) == [
        "= ",
        "= ",
        "? illegal move",
    ]
    assert talk(["undo", "undo", "undo"], engine)[-1] == "= "
    assert engine.moves == tuple(moves[:-1])


def test_at_the_cap_of_moves_only_passes_are_left():
    points = [format_vertex((row, column)) for row in range(5) for column in range(5)]
    engine = engine_of("go5")
    talk(["play b " + point for point in points[1:]], engine)  # with a pass after each
    ask(engine, "play w A1")  # captures them all
    talk(["play b " + point for point in points[-14:]], engine)
    assert len(engine.moves) == engine.game.move_cap
    answers = talk(["play b B1", "play w B1", "genmove w", "play b pass", "final_score"], engine)
    assert answers == ["? illegal move", "? illegal move", "= pass", "= ", "= B+17.5"]


def test_komi_keeps_the_position_and_counts_at_once():
    engine = engine_of("go5")
    talk(["play b c3", "play w pass"], engine)
    before = board_of(engine)
    assert talk(["komi 3", "final_score", "komi 25", "final_score"], engine) == [
        "= ", "= B+22", "= ", "= 0",
    ]  # fmt: skip
    assert board_of(engine) == before
    assert ask(engine, "genmove b")[0] == "="
    assert engine.player.game.komi == 25


def test_a_new_size_clears_the_board_and_keeps_komi():
    engine = engine_of("go5")
    talk(["komi 3.5", "play b c3", "boardsize 7"], engine)
    assert board_of(engine) == [["."] * 7] * 7
    assert talk(["undo", "final_score"], engine) == ["? cannot undo", "= W+3.5"]
    assert ask(engine, "genmove b")[0] == "="


def test_a_size_that_the_budget_cannot_hold_is_refused_and_changes_nothing():
    engine = engine_of("go5", budget=Budget(bytes=10000))
    ask(engine, "play b c3")
    assert "needs at least" in ask(engine, "boardsize 13")
    assert len(board_of(engine)) == 5
    assert ask(engine, "genmove w")[0] == "="


def test_every_game_draws_numbers_of_its_own():
    engine = engine_of("go5")
    seeds = []
    for line in (
        "clear_board",
        "play b c3",
        "clear_board",
        "boardsize 7",
        "play b c3",
        "boardsize 7",
    ):
        ask(engine, line)
        seeds.append(engine.player.seed)
    assert seeds == [1, 1, 2, 2, 2, 3]


def test_random_commands_leave_the_stones_that_sgfmill_has():
    seen = set()
    for seed in range(25):
        choose = random.Random(seed).choice
        engine = engine_of("go5")
        boards = [Board(5)]
        for _ in range(40):
            vertex = format_vertex((choose(range(5)), choose(range(5))))
            line = choose(["play b " + vertex, "play w " + vertex] * 3 + ["undo", "play b pass"])
            expected = follow(boards, line)
            seen.add((line.split()[0], expected))
            assert ask(engine, line) == expected, (seed, line)
        assert board_of(engine) == drawn(boards[-1])
        board = boards[-1].copy()
        for vertex in ask(engine, "final_status_list dead")[2:].split():
            board.board[int(vertex[1:]) - 1]["ABCDE".index(vertex[0])] = None
        lead = board.area_score() - 7.5
        assert ask(engine, "final_score") == "= %s+%g" % ("W" if lead < 0 else "B", abs(lead))
    assert seen == {
        ("play", "= "), ("play", "? illegal move"), ("undo", "= "), ("undo", "? cannot undo"),
    }  # fmt: skip


def follow(boards, line):
    """Do a command to a list of sgfmill's boards; the answer to expect."""
    if line == "undo":
        if len(boards) == 1:
            return "? cannot undo"
        boards.pop()
        return "= "
    _, colour, vertex = line.split()
    board = boards[-1].copy()
    point = move_from_vertex(vertex, 5)
    if point:
        if board.get(*point) is not None:
            return "? illegal move"
        board.play(*point, colour)
        if board.get(*point) is None or board.board in [earlier.board for earlier in boards]:
            return "? illegal move"
    boards.append(board)
    return "= "


def drawn(board):
    return [[{None: ".", "b": "X", "w": "O"}[cell] for cell in row] for row in board.board[::-1]]


def test_an_analysis_reports_until_the_next_line():
    reported = threading.Event()
    written = []

    def lines():
        yield "5 analyze b 1 maxmoves 3"
        assert reported.wait(60)
        yield "6 name"

    def write(text):
        written.append(text)
        if text.count("info move") == 3:
            reported.set()

    # Ten seconds of thinking and more, if nobody stopped it.
    engine = engine_of(playouts=2**20, budget=Budget(nodes=1000))
    gtp.serve(engine, gtp.Lines(lines()), write)
    analysis, name = "".join(written).split("\n\n")[:-1]
    opening, *reports = analysis.split("\n")
    assert opening == "=5"
    assert reports
    assert all(REPORT.fullmatch(report) for report in reports)
    assert engine.thought.playouts < 2**20
    assert name == "=6 picograve"


def test_an_analysis_goes_on_beyond_the_budget_of_a_move_in_the_same_tree():
    written = []
    visits = []
    enough = threading.Event()

    def lines():
        yield "lz-analyze 1"
        assert enough.wait(60)
        yield ""

    def write(text):
        written.append(text)
        if text.startswith("info"):
            visits.append(sum(int(count) for count in re.findall(r"visits (\d+)", text)))
            if visits[-1] > 2000:
                enough.set()

    engine = engine_of("go5", playouts=100, budget=Budget(nodes=1000))
    gtp.serve(engine, gtp.Lines(lines()), write)
    assert written[0] == "=\n" and written[-1] == "\n"
    assert all(REPORT.fullmatch(line.strip()) for line in written[1:-1])
    assert visits[0] < 100 < 2000 < max(visits)
    assert engine.thought.playouts == 100


def test_a_player_that_cannot_go_on_keeps_the_answer_open():
    reported = threading.Event()
    written = []

    def lines():
        yield "lz-analyze 10000"
        assert reported.wait(60)
        written.append("<next line>")
        yield ""

    def write(text):
        written.append(text)
        if text.startswith("info"):
            reported.set()

    engine = engine_of("go5", playouts=100)
    engine.player.go_on = lambda watch: None  # as a board
    gtp.serve(engine, gtp.Lines(lines()), write)
    assert "".join(written[:1] + written[2:]) == "=\n<next line>\n"
    assert REPORT.fullmatch(written[1].strip())


def test_an_analysis_changes_neither_the_position_nor_the_next_move():
    moves = [
        talk(["play b c3", line, "genmove w"], engine_of("go5"))[-1]
        for line in ("", "analyze b 10", "analyze w 10", "analyze interval 10")
    ]
    assert len(set(moves)) == 1


def test_the_moves_of_an_analysis_come_best_first_with_their_winrates():
    engine = engine_of("go5", playouts=2000)
    ask(engine, "play b c3")
    (report,) = [line for line in ask(engine, "analyze w 100").splitlines() if "info" in line]
    found = re.findall(r"move (\S+) visits (\d+) winrate (\d+) prior 0 order (\d+)", report)
    assert found == [
        (move, str(visits), str(round(10000 * value)), str(order))
        for order, (move, visits, value) in enumerate(engine.player.root_moves())
    ]
    assert max(int(visits) for _, visits, _, _ in found) == int(found[0][1])


def test_genmove_analyze_reports_and_plays_whatever_comes_meanwhile():
    engine = engine_of("go5", playouts=2000)
    answer, name = talk(["3 genmove_analyze b 1", "name"], engine)
    opening, *reports, last = answer.split("\n")
    assert opening == "=3"
    assert all(REPORT.fullmatch(report) for report in reports)
    assert last == "play " + engine.moves[-1]
    assert engine.thought.playouts == 2000
    assert name == "= picograve"
    talk(["play w pass", "play b pass"], engine)
    assert ask(engine, "lz-genmove_analyze w 1") == "=\nplay pass"


def test_the_last_search_can_be_explained():
    engine = engine_of("go5")
    ask(engine, "genmove b")
    assert ", 30 nodes used" in ask(engine, "gomill-explain_last_move")
    assert "gomill-explain_last_move" in ask(engine, "gogui-analyze_commands")


def test_a_player_that_fails_is_an_answer_and_not_the_end():
    engine = engine_of("go5")
    engine.player.failure = RuntimeError("the board\nis gone")
    assert talk(["7 genmove b", "analyze b 10", "undo"], engine) == [
        "?7 RuntimeError: the board is gone",
        "? RuntimeError: the board is gone",
        "? cannot undo",
    ]
    engine.player.failure = BadInput("no board found: plug one in")
    assert ask(engine, "genmove b") == "? no board found: plug one in"
    engine.player.failure = None
    assert ask(engine, "genmove b")[0] == "="


def test_a_player_that_fails_in_an_analysis_ends_its_answer(capsys):
    engine = engine_of("go5", playouts=100)
    engine.player.root_moves = lambda: engine.player.moves[0]
    assert talk(["analyze b", "name"], engine) == [
        "? IndexError: list index out of range",
        "= picograve",
    ]

    def search(seconds, watch):
        engine.answer.line("info move C3 visits 1 winrate 5000 prior 0 order 0 pv C3")
        raise OSError("the board is gone")

    engine.player.search = search
    begun, name = talk(["analyze b", "name"], engine)
    assert begun.startswith("=\ninfo move C3")
    assert name == "= picograve"
    assert capsys.readouterr().err == "picograve: OSError: the board is gone\n"


def test_without_time_settings_only_playouts_end_a_search():
    engine = engine_of("go5")
    for line in (
        "genmove b",
        "time_settings 0 10 0",
        "genmove w",
        "time_settings 0 0 0",
        "genmove b",
    ):
        ask(engine, line)
    assert engine.player.seconds == [None, None, None]


def test_main_time_is_shared_by_a_third_of_the_points():
    engine = engine_of("go9")
    talk(["time_settings 270 0 0", "time_left b 135 0", "genmove b", "genmove w"], engine)
    assert engine.player.seconds == [5 - gtp.Clock.MARGIN, 10 - gtp.Clock.MARGIN]


def test_a_period_is_shared_by_its_stones():
    engine = engine_of("go5")
    talk(["time_settings 0 50 10", "genmove b", "time_left w 20 4", "genmove w"], engine)
    assert engine.player.seconds == [5 - gtp.Clock.MARGIN, 5 - gtp.Clock.MARGIN]


def test_a_period_begins_again_after_its_stones():
    clock = gtp.Clock(main=0, period=10, stones=2)
    shares = []
    for seconds in (1, 9, 4):
        shares.append(clock.seconds(81) + gtp.Clock.MARGIN)
        clock.spend(seconds)
    assert shares == [5, 9, 5]


@given(st.just(0) | st.integers(30, 300), st.just(0) | st.integers(2, 60), st.integers(1, 25))
@settings(deadline=None)
def test_a_clock_that_nobody_corrects_is_never_overdrawn(main, period, stones):
    clock = gtp.Clock(main, period, stones)
    left, stones_left = main, 0  # the controller's count
    for _ in range(60):
        seconds = clock.seconds(81)
        if main == period == 0:
            assert seconds is None
            return
        clock.spend(seconds)
        left -= seconds
        if left < 0 and not stones_left:  # the first period begins in this move
            left, stones_left = left + period, stones
        assert left >= 0
        if stones_left == 1:
            left = period
        if stones_left:
            stones_left = stones_left - 1 or stones


WORDS = st.sampled_from(
    "b w black WHITE c3 D4 e5 pass PASS i9 z25 0 1 5 7 7.5 -3 1e9 nan 99999999999 interval "
    "maxmoves minmoves alive dead # \t \x00 \xe9 info =".split(" ")
)
NAMES = st.sampled_from([name for name in gtp.COMMANDS if name != "quit"])
COMMAND_LINES = st.builds(
    lambda number, name, words: " ".join([*number, name, *words]),
    st.lists(st.sampled_from(["1", "007", "-2", "4294967296"]), max_size=1),
    NAMES,
    st.lists(WORDS, max_size=5),
)
ANY_LINES = st.text(st.characters(max_codepoint=255, exclude_characters="\n"), max_size=40)


@given(st.lists(COMMAND_LINES | ANY_LINES, max_size=30))
@settings(deadline=None, max_examples=150)
def test_no_line_kills_the_engine_or_breaks_the_form_of_an_answer(lines):
    # Each line is followed by a numbered one, whose answer has to be the next.
    engine = engine_of("go5", playouts=5)
    for number, line in enumerate(lines, 1):
        *answers, last = talk([line, "%d name" % number], engine)
        assert last == "=%d picograve" % number
        assert len(answers) <= 1
        for answer in answers:
            assert ANSWER.fullmatch(answer)
            assert "Error" not in answer


def test_a_process_reads_any_byte_and_ends_with_quit_or_its_input():
    command = [*OURS, "--game", "go5", "--playouts", "10"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"1 name # \xff\xfe\r\n\xe9\n2 quit\r\n")
    process.stdin.flush()  # and stays open
    assert process.stdout.read() == b"=1 picograve\n\n? unknown command\n\n=2 \n\n"
    assert process.wait() == 0
    process.stdin.close()
    process.stdout.close()
    ended = subprocess.run(command, input=b"analyze b 1\n", capture_output=True)
    assert ended.returncode == 0
    assert b"Error" not in ended.stderr  # it may say that it compiles
    assert ended.stdout.startswith(b"=") and ended.stdout.endswith(b"\n\n")


class Scripted:
    """A program that plays what it is told to."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def ask(self, command):
        return self.moves.pop(0) if command.startswith("genmove") else ""


@pytest.mark.parametrize(
    "black,white",
    [
        (["A1"], ["A1"]),  # occupied
        (["A2", "B1"], ["pass", "A1"]),  # suicide
        (["B1", "A2", "C2", "B3", "B2"], ["C1", "D2", "C3", "B2", "C2"]),  # a ko retaken
    ],
)
def test_the_referee_lets_no_illegal_move_pass(black, white):
    with pytest.raises(Refusal):
        play_game(Scripted(*black), Scripted(*white))


DESKTOP = "--search grave --playouts 4000"
BOARD = "--board sim --search graver2 --nodes 60 --playouts 1200"


@needs_gnugo
@pytest.mark.parametrize(
    ("where", "colour"),
    [(DESKTOP, "black"), (DESKTOP, "white"), (BOARD, "black"), (BOARD, "white")],
)
def test_a_game_against_gnu_go_is_legal_and_all_agree_on_the_score(where, colour, unix_port):
    ours = [*OURS, *where.split(), "--seed", str(int(colour == "white"))]
    with Program(ours) as picograve, Program([GNUGO, *GNUGO_OPTIONS]) as gnugo:
        players = (picograve, gnugo) if colour == "black" else (gnugo, picograve)
        record = play_game(*players)
    assert len(record.moves) > 30
    assert record.final_scores == [record.result, record.result]
