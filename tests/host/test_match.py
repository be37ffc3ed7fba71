"""Matches: a board against the desktop, and what they leave behind."""

import csv
import io
import json
import os
import re
import resource
import subprocess
import sys
import time

import pytest
from patience import LONG
from picograve import Budget, Config, load
from picograve_host.cli import main, make_parser
from picograve_host.cli.options import player_of
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.report.table import as_csv
from picograve_host.match import demo
from picograve_host.match.records import Records
from picograve_host.players.data import config_of, settings_of
from picograve_host.players.desktop import DesktopPlayer
from sgfmill import sgf
from terminal import Terminal
from test_cli import answer, picograve

pytestmark = pytest.mark.usefixtures("commands_in_c")

SMALL = "--board-nodes 30 --board-playouts 60 --opponent-playouts 60".split()


DESKTOP = "match --board desktop --board-search uct --opponent uct".split() + SMALL


def sgf_of(folder, number=0):
    """The nodes of a game's SGF."""
    file = folder / ("game%03d.sgf" % (number + 1))
    return sgf.Sgf_game.from_bytes(file.read_bytes()).get_main_sequence()


def records_of(folder):
    records = [json.loads(line) for line in (folder / "match.jsonl").read_text().splitlines()]
    return [r for r in records if "ply" in r], [r for r in records if "ply" not in r]


def test_players_alternate_colours_and_every_move_is_logged(tmp_path):
    report = answer(
        *"match --game ttt3 --board desktop --games 4 --board-playouts 300 --opponent uct".split(),
        *"--opponent-playouts 300 --out".split(),
        str(tmp_path),
    )
    assert [game["first"] for game in report["games"]] == ["board", "opponent"] * 2
    low, high = report["interval_95"]
    assert low <= report["win_rate"] <= high
    moves, games = records_of(tmp_path)
    assert len(games) == 4
    assert len(moves) == sum(game["moves"] for game in report["games"])
    assert all(record["bytes"] > 0 for record in moves)
    assert not list(tmp_path.glob("*.sgf"))  # SGF knows no tic-tac-toe


def test_a_desktop_player_may_leave_the_hash_out_and_thinks_the_same():
    setting = load("ttt3"), Config("grave", playouts=200), Budget(nodes=200)
    with_hash = DesktopPlayer(*setting).search()
    without = DesktopPlayer(*setting, hashes=False).search()
    assert with_hash.tree_hash and without.tree_hash is None
    for thought in (with_hash, without):
        assert thought.seconds == thought.microseconds / 1e6
    same = {name: getattr(with_hash, name) for name in ("tree_hash", "seconds", "microseconds")}
    assert without._replace(**same) == with_hash


def test_without_a_terminal_a_move_is_a_line_and_the_last_position_is_drawn():
    finished = picograve(*"match --game ttt3 --board desktop".split(), *SMALL)
    assert finished.returncode == 0
    assert finished.stdout.count("   A B C\n") == 2
    assert "\x1b" not in finished.stdout + finished.stderr
    assert len(re.findall(r"^ *\d+\. (?:board|opponent) ", finished.stdout, re.M)) >= 5
    assert "board" in finished.stdout.splitlines()[-4]


def test_on_a_terminal_the_board_is_redrawn_in_place():
    with Terminal("match", "--game", "ttt3", "--board", "desktop", *SMALL) as terminal:
        text = terminal.rest()
        assert (terminal.code, terminal.is_restored) == (0, True)
    assert "its chances" in text and "of 1 games" in text
    assert "1. board" not in text  # no line for each move
    assert b"\x1b[1A" in terminal.raw  # up, to draw over what was drawn


def test_an_interrupted_match_leaves_the_terminal_as_it_was():
    long = "match --game go9 --board desktop --board-playouts 10000000".split()
    with Terminal(*long) as terminal:
        terminal.until("its chances")
        terminal.send("\x03")
        assert "picograve: stopped" in terminal.rest()
        assert (terminal.code, terminal.is_restored) == (1, True)


def test_the_demonstration_is_the_pairing_that_was_measured_and_names_what_is_next():
    options = make_parser().parse_args(["match", "--demo"])
    point = Experiment("lean-go").points[0]
    for prefix, seat in (("board_", "player"), ("opponent_", "opponent")):
        config, budget = config_of(player_of(options, load("go9"), prefix))
        measured, of_measured = config_of(point.match[seat])
        assert settings_of(config) == settings_of(measured)
        ledgers = budget.ledger(load("go9"), config), of_measured.ledger(load("go9"), measured)
        assert ledgers[0].rows == ledgers[1].rows
        assert ledgers[0].playouts == ledgers[1].playouts
    seats = dict(board=dict(bytes=100, playouts_per_move=10), opponent=dict(bytes=20000))
    text = demo.summary(dict(games=[{}], board_points=0, players=seats))
    assert "200 times as many" in text and "the board lost" in text
    for command, _ in demo.NEXT:
        make_parser().parse_args(command.split()[1:])
    assert not demo.is_shown(
        make_parser().parse_args(["match", "--demo", "--board-bytes", "30000"])
    )


@pytest.fixture(scope="module")
def game_on_sim(tmp_path_factory, unix_port):
    """The report and the folder of a game of Go on the simulated board."""
    folder = tmp_path_factory.mktemp("match")
    return answer("match", "--game", "go5", *SMALL, "--out", str(folder)), folder


def test_a_simulated_board_plays_a_game_and_logs_its_memory(game_on_sim):
    report, folder = game_on_sim
    board = report["players"]["board"]
    assert "micropython" in board["where"]
    assert board["heap_used"] > board["bytes"]
    assert 0 < board["heap_largest"] <= board["heap_free"]
    moves, _ = records_of(folder)
    for move in moves:
        assert (move["heap_used"] is not None) == (move["seat"] == "board")
    rows = list(csv.DictReader((folder / "match.csv").open()))
    assert [row["tree_hash"] for row in rows] == [move["tree_hash"] for move in moves]


def test_its_game_is_the_desktops_game(game_on_sim, tmp_path):
    _, folder = game_on_sim
    answer("match", "--game", "go5", *SMALL, "--board", "desktop", "--out", str(tmp_path))
    ours, theirs = records_of(folder)[0], records_of(tmp_path)[0]
    assert [move["tree_hash"] for move in ours] == [move["tree_hash"] for move in theirs]


def test_the_sgf_is_the_game(game_on_sim):
    report, folder = game_on_sim
    record = sgf.Sgf_game.from_bytes((folder / "game001.sgf").read_bytes())
    played = [node.get_move() for node in record.get_main_sequence()[1:]]
    moves, _ = records_of(folder)
    assert len(played) == report["games"][0]["moves"]
    for (colour, point), move in zip(played, moves, strict=True):
        assert colour == "bw"[(move["ply"] - 1) % 2]
        expected = "pass" if point is None else "ABCDE"[point[1]] + str(point[0] + 1)
        assert move["move"] == expected
    root = record.get_root()
    assert (root.get("RE"), root.get("KM")) == (report["games"][0]["result"], 7.5)
    assert root.get("PB").startswith("board: graver")


def test_players_give_up_hopeless_games_when_asked(tmp_path):
    weak = "--game go5 --opponent-playouts 20 --resign 0.3".split()
    weak += "--board-preset uniform --opponent-preset uniform".split()
    report = answer(*DESKTOP, *weak, "--board-playouts", "400", "--out", str(tmp_path))
    assert [game["result"] for game in report["games"]] == ["resigned"]
    assert sgf_of(tmp_path)[0].get("RE") == "B+R"
    finished = picograve(*DESKTOP, "--resign", "0.5")
    assert finished.returncode == 2
    assert finished.stderr == ("picograve: --resign must be 0 or more and less than 0.5, not 0.5\n")


def test_the_sgf_of_hex_is_as_hexgui_writes_it(tmp_path):
    report = answer(*DESKTOP, "--game", "hex4", "--swap", "--out", str(tmp_path))
    root, *nodes = sgf_of(tmp_path)
    moves, _ = records_of(tmp_path)
    assert (root.get("GM"), root.get_raw("SZ")) == (11, b"4")
    assert root.get("RE") == dict(black="B+", white="W+")[report["games"][0]["result"].split()[0]]
    assert not (root.has_property("KM") or root.has_property("RU"))
    for node, move in zip(nodes, moves, strict=True):
        text = dict(swap="swap-pieces").get(move["move"], move["move"].lower())
        assert node.get_raw("BW"[(move["ply"] - 1) % 2]) == text.encode()


def test_the_sgf_of_othello_has_its_passes(tmp_path):
    report = answer(*DESKTOP, "--game", "othello", "--games", "6", "--out", str(tmp_path))
    moves, _ = records_of(tmp_path)
    assert "pass" in [move["move"] for move in moves]
    for number, game in enumerate(report["games"]):
        root, *nodes = sgf_of(tmp_path, number)
        assert (root.get("GM"), root.get_raw("SZ")) == (2, b"8")
        assert root.get("RE") == ("0" if game["result"] == "draw" else game["result"])
        played = [move for move in moves if move["game"] == number]
        for node, move in zip(nodes, played, strict=True):
            column, row = node.get_raw("BW"[(move["ply"] - 1) % 2]).decode() or ("pass", None)
            assert move["move"] == (
                column.upper() + str("abcdefgh".index(row) + 1) if row else "pass"
            )


def test_the_footprint_is_drawn(game_on_sim):
    _, folder = game_on_sim
    assert (folder / "footprint.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "footprint.svg").read_text()


def test_without_micropython_a_stand_in_plays_and_says_so(tmp_path):
    command = [sys.executable, "-m", "picograve_host.cli", "match", "--game", "ttt3", *SMALL]
    nothing = dict(os.environ, PATH=str(tmp_path), PICOGRAVE_CACHE=str(tmp_path / "cache"))
    nothing["PICOGRAVE_RUNTIME"] = "numba"  # which needs no compiler
    finished = subprocess.run(command, env=nothing, capture_output=True, text=True)
    assert finished.returncode == 0
    assert "sim-cpython stands in for the board" in finished.stderr
    assert "apt install" in finished.stderr
    assert "on sim-cpython (cpython" in finished.stdout


def test_two_boards_can_play_each_other(unix_port):
    report = answer(
        *"match --game ttt3 --board sim --opponent-board sim-cpython".split(),
        *"--board-playouts 50 --opponent-playouts 50 --opponent-nodes 40".split(),
    )
    assert "micropython" in report["players"]["board"]["where"]
    assert "cpython" in report["players"]["opponent"]["where"]


def test_a_time_limit_ends_searches_of_both(unix_port):
    report = answer(
        *"match --game ttt3 --seconds-per-move 0.02 --board-playouts 100000000".split(),
        *"--board-nodes 40 --opponent-nodes 40 --opponent-playouts 100000000".split(),
    )
    for player in report["players"].values():
        assert 0 < player["playouts_per_move"] < 100000000


# A port may be a Pico's, which is given a minute to come back; a simulated board is quicker.
IMPATIENT = """
from picograve_host import cli
from picograve_host.boards import registry
registry.ANY_PORT = "sim"
raise SystemExit(cli.main())
"""


def test_a_board_that_vanishes_ends_the_match_in_one_line_and_loses_no_move(sim, tmp_path):
    _, machine = sim
    match = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, "match", "--board", machine.port,
         "--out", str(tmp_path), "--board-nodes", "30", "--board-playouts", "300"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    log = tmp_path / "match.jsonl"
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline and (not log.exists() or log.read_text().count("\n") < 6):
        time.sleep(0.05)
    machine.close()
    output, errors = match.communicate(timeout=LONG)
    assert match.returncode == 1
    assert errors.count("\n") == 1
    assert "has gone: plug it in again" in errors
    moves, _ = records_of(tmp_path)
    assert len(moves) >= 6
    assert output.count(". board") + output.count(". opponent") == len(moves)
    record = sgf.Sgf_game.from_bytes((tmp_path / "game001.sgf").read_bytes())
    assert len(record.get_main_sequence()) == len(moves) + 1
    assert (tmp_path / "footprint.png").exists()


def test_only_the_game_under_way_is_kept_in_memory(tmp_path, monkeypatch):
    """Finding 10: a match grew by 82 kB a game."""
    kept = []
    record = Records.move

    def move(self, **fields):
        record(self, **fields)
        kept.append(len(self.moves))

    monkeypatch.setattr(Records, "move", move)
    games = 12
    words = "match --game ttt3 --board desktop --board-search uct --opponent uct --json".split()
    sizes = "--board-playouts 9 --opponent-playouts 9 --board-nodes 9 --opponent-nodes 9".split()
    assert main([*words, *sizes, "--games", str(games), "--out", str(tmp_path)]) == 0
    assert max(kept) <= 9 < len(kept)  # as many as a game has moves
    moves, _ = records_of(tmp_path)
    assert len(moves) == len(kept)
    assert (tmp_path / "footprint.svg").exists()


def test_a_full_disk_is_one_line(tmp_path):
    """Finding 12."""

    def limit():  # no file may grow beyond this: the system refuses as a full disk does
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    command = [sys.executable, "-m", "picograve_host.cli", *DESKTOP, "--game", "ttt3"]
    finished = subprocess.run(
        [*command, "--games", "9", "--out", str(tmp_path)],
        capture_output=True, text=True, preexec_fn=limit,
    )  # fmt: skip
    assert finished.returncode == 1
    assert "cannot write to --out" in finished.stderr.splitlines()[-1]
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize("text", ["=1+1", "+A1", "-2", "@x"])
def test_a_text_in_a_csv_is_no_formula(text):
    """Finding 17."""
    (row,) = csv.DictReader(io.StringIO(as_csv([dict(player=text, won=-2.5)])))
    assert row == dict(player="'" + text, won="-2.5")


def test_ctrl_c_in_the_first_moments_is_one_line():
    """Finding 14: while the core is imported."""
    script = (
        "import sys, picograve_host.cli as cli\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'picograve.errors': raise KeyboardInterrupt\n"
        "for name in list(sys.modules):\n"
        "    if name.split('.')[0] == 'picograve': del sys.modules[name]\n"
        "sys.meta_path.insert(0, Stop())\n"
        "sys.exit(cli.main(['budget']))\n"
    )
    stopped = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (stopped.returncode, stopped.stderr) == (1, "picograve: stopped\n")
