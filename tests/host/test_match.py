"""Matches: a board against the desktop, and what they leave behind."""

import csv
import json
import os
import subprocess
import sys
import time

import pytest
from picograve import Budget, Config, load
from picograve_host.players.desktop import DesktopPlayer
from sgfmill import sgf
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


def test_one_game_is_drawn_as_it_goes():
    finished = picograve(*"match --game ttt3 --board desktop".split(), *SMALL)
    assert finished.returncode == 0
    assert finished.stdout.count("   A B C\n") >= 2 * 5
    assert "board" in finished.stdout.splitlines()[-4]


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
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not log.exists() or log.read_text().count("\n") < 6):
        time.sleep(0.05)
    machine.close()
    output, errors = match.communicate(timeout=120)
    assert match.returncode == 1
    assert errors.count("\n") == 1
    assert "has gone: plug it in again" in errors
    moves, _ = records_of(tmp_path)
    assert len(moves) >= 6
    assert output.count(". board") + output.count(". opponent") == len(moves)
    record = sgf.Sgf_game.from_bytes((tmp_path / "game001.sgf").read_bytes())
    assert len(record.get_main_sequence()) == len(moves) + 1
    assert (tmp_path / "footprint.png").exists()
