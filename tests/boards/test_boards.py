"""Boards: their descriptions, and the same tree on every runtime there is."""

import json
import re
from pathlib import Path

import picograve_board
import pytest
import searches_of
from conftest import built
from picograve import TREE_SEARCHES, BadInput, Budget, Config, load
from picograve.settings import VARIANTS
from picograve_host.boards import install, program
from picograve_host.boards import registry as boards
from picograve_host.players.board import BoardPlayer
from picograve_tools import mpy

FIRMWARE = Path(picograve_board.__file__).parents[1]
SPARE = 42000  # bytes that GRAVER² with 160 nodes is to leave on a Pico that has booted strong


class TestADescription:
    @pytest.mark.parametrize("name", boards.names())
    def test_has_all_that_is_asked_of_it(self, name):
        board = boards.describe(name)
        assert {"title", "chip", "serial", "budget", "ram"} <= set(board)
        assert {"baud", "reply", "boot"} <= set(board["serial"])
        assert board.get("arch", "x86") in mpy.ARCHITECTURES
        assert board.get("usable", 0) <= board.get("heap", 0)
        assert ("runs" in board) != ("usb" in board)
        assert all(re.fullmatch("[0-9a-f]{4}:[0-9a-f]{4}", usb) for usb in board.get("usb", ()))

    @pytest.mark.parametrize("name", boards.names())
    def test_names_a_budget_that_fits(self, name):
        board = boards.describe(name)
        install.check_fit(board, install.default_ledger(board))

    @pytest.mark.parametrize("name", ["esp32", "esp32-s3"])
    def test_does_not_let_an_esp32_be_reset_by_its_port(self, name):
        assert boards.describe(name)["serial"]["hang_up"] is False

    def test_gives_an_esp32_a_sensible_search_in_64_kb(self):
        board = boards.describe("esp32")
        assert board["budget"]["bytes"] == 64000
        ledger = install.default_ledger(board)
        assert ledger.total_bytes <= 64000
        assert ledger.nodes >= 80  # half of what the paper needs for GRAVE's strength
        assert ledger.playouts >= 2000

    def test_of_an_unknown_board_is_refused_by_name(self):
        with pytest.raises(BadInput, match="no board called toaster; there are esp32"):
            boards.describe("toaster")


class Port:
    """What pyserial tells of a port."""

    def __init__(self, device, vid, pid, number):
        self.device, self.vid, self.pid, self.serial_number = device, vid, pid, number
        self.product = "Board in FS mode"


class TestPlugged:
    @pytest.fixture
    def ports(self, monkeypatch):
        ports = [Port("/dev/ttyS0", None, None, None), Port("/dev/ttyACM0", 0x2E8A, 5, "e66")]
        monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
        return ports

    def test_a_board_is_found_by_its_usb_identity(self, ports):
        port, board = boards.find("pico")
        assert (port, board["name"]) == ("/dev/ttyACM0", "pico")
        port, board = boards.find("/dev/ttyACM0")
        assert board["name"] == "pico"
        with pytest.raises(BadInput, match="no esp32 is plugged in"):
            boards.find("esp32")

    def test_two_of_a_kind_must_be_told_apart(self, ports):
        ports.append(Port("/dev/ttyACM1", 0x2E8A, 5, "e67"))
        with pytest.raises(BadInput, match="name the port, one of /dev/ttyACM0, /dev/ttyACM1"):
            boards.find("pico")

    def test_a_board_is_found_again_by_its_serial_number(self, ports):
        assert boards._by("e66") == "/dev/ttyACM0"
        ports[1].device = "/dev/ttyACM7"
        assert boards._by("e66") == "/dev/ttyACM7"
        ports.pop()
        assert boards._by("e66") is None


def trees_on(name, jobs):
    """What the board makes of the jobs; each [game, search, nodes, moves, seed, settings]."""
    with built(boards.OpenBoard, name, print) as opened:
        results = []
        for name_of_game, search, nodes, moves, seed, settings in jobs:
            settings = dict(settings)
            game = load(name_of_game, **settings.pop("options", {}))
            config = Config(search, **settings)
            player = BoardPlayer(opened.link, game, config, Budget(nodes=nodes), seed)
            player.set_position(moves.split())
            thought = player.search()
            results.append((thought.move, thought.playouts, thought.tree_hash))
        return results


POSITIONS = (("go9", "E5 C3"), ("ttt3", "B2"))


def jobs_for(playouts, preset, nodes=40):
    return [
        [game, search, nodes, moves, 7, dict(preset=preset, playouts=playouts)]
        for game, moves in POSITIONS
        for search in TREE_SEARCHES
        # A chip is slow: one of these stands for the others.
        if search in ("tuned", "hraver2") or not search.startswith(("tuned", "hrave"))
    ] + [
        [game, search, nodes, moves, 7, dict(preset=preset, playouts=playouts)]
        for game, moves in (("hex11", "F6"), ("othello", "D3"))
        for search in ("graver2", "rave")
    ]


OTHERS = [
    ["othello", "alphabeta", 500, "D3", 7, dict(depth=3)],
    ["hex5", "alphabeta", 100, "C3", 7, dict(depth=3, positions=200)],
    ["othello", "policy", None, "D3", 7, dict(playout_policy="WPC")],
    ["othello", "uct", 20, "D3", 7, dict(playouts=6, playout_policy="top3")],
    ["hex5", "grave", 20, "", 7, dict(playouts=6, playout_policy="E")],
    ["ttt3", "qlearning", 200, "", 7, dict(episodes=20)],
    ["chess", "graver2", 20, "e2e4", 7, dict(playouts=20, options=dict(cut=30))],
    ["chess", "uct", 20, "e2e4", 7, dict(reward="wp", final="mean", playouts=20)],
    ["cotg4", "uct", 20, "NNNN", 7, dict(playouts=10, root_policy="epsilon")],
    ["cotg4", "policy", None, "", 7, dict(playout_policy="Kiter")],
    ["ttt3", "uct", 20, "B2", 7, dict(backup="fap", root_policy="voi", playouts=60)],
    ["othello", "uctr", 20, "D3", 7, dict(reward="rqb", root_policy="epsilon", playouts=12)],
    ["hex5", "uct2", 20, "", 7, dict(reward="hp", root_policy="ucb-sqrt", playouts=12)],
    ["ttt3", "sarsa", 200, "", 7, dict(episodes=20)],
]


OF_VARIANTS = [
    searches_of.variant_job(game, search, "", name, nodes=20, playouts=25, options=options)
    for game, search, options in (("chess", "uct", searches_of.ENDGAME), ("ttt3", "uctr2", {}))
    for name in VARIANTS
    if name != "none"
]


@pytest.mark.parametrize(
    ("name", "playouts", "preset"),
    [
        ("sim", 300, "paper"),
        ("sim", 300, "strong"),
        ("sim64", 300, "paper"),
        ("sim64", 300, "strong"),
        pytest.param("pico-emulated", 30, "paper", marks=pytest.mark.pico),
        pytest.param("pico-emulated", 30, "strong", marks=pytest.mark.pico),
        # The same code, but in flash: four minutes for one preset are enough.
        pytest.param("pico-frozen", 20, "strong", marks=pytest.mark.pico),
    ],
)
def test_all_searches_grow_the_same_tree_as_on_the_desktop(name, playouts, preset):
    """With the heap locked: the service runs every slice under heap_lock."""
    jobs = jobs_for(playouts, preset)
    desktop = searches_of.run(jobs, searches_of.QUICKEST)
    expected = [(job["move"], job["playouts"], job["tree_hash"]) for job in desktop]
    assert trees_on(name, jobs) == expected


@pytest.mark.pico
def test_viper_grows_the_same_trees_on_a_pico(monkeypatch):
    monkeypatch.setenv(install.COMPILER, "viper")
    jobs = jobs_for(30, "paper", nodes=30)[::7] + OTHERS[:2]  # its code leaves 47 kB in a piece
    desktop = searches_of.run(jobs, searches_of.QUICKEST)
    expected = [(job["move"], job["playouts"], job["tree_hash"]) for job in desktop]
    assert trees_on("pico-emulated", jobs) == expected


@pytest.mark.parametrize("name", ["sim", pytest.param("pico-emulated", marks=pytest.mark.pico)])
def test_what_is_no_tree_search_and_guided_playouts_are_the_same_on_boards(name):
    desktop = searches_of.run(OTHERS, searches_of.QUICKEST)
    expected = [(job["move"], job["playouts"], job["tree_hash"]) for job in desktop]
    assert trees_on(name, OTHERS) == expected


@pytest.mark.parametrize(
    "name", ["sim", "sim64", pytest.param("pico-emulated", marks=pytest.mark.pico)]
)
def test_every_variant_grows_the_same_tree_as_on_the_desktop(name):
    desktop = searches_of.run(OF_VARIANTS, searches_of.QUICKEST)
    expected = [(job["move"], job["playouts"], job["tree_hash"]) for job in desktop]
    assert trees_on(name, OF_VARIANTS) == expected


@pytest.mark.parametrize(("game", "nodes"), [("hex11", 127), ("othello", 160)])
def test_the_new_games_fit_a_pico_with_graver2(game, nodes):
    usable = boards.describe("pico")["usable"]
    ledger = Budget(bytes=usable).ledger(load(game), Config("graver2"))
    assert ledger.nodes >= nodes


def test_an_allocation_while_thinking_would_be_noticed(unix_port, tmp_path):
    """heap_lock as the service uses it, around a search that allocates."""
    import subprocess

    script = tmp_path / "locked.py"
    script.write_text(
        "from picograve_board.service import run_locked\n"
        "class Wasteful:\n"
        "    def run(self, playouts):\n"
        "        return [playouts]\n"
        "try:\n"
        "    run_locked(Wasteful(), 1)\n"
        "except MemoryError:\n"
        "    print('noticed', len([1, 2]))\n"
    )
    install.build(boards.describe("sim64" if "64" in unix_port else "sim"), tmp_path)
    answer = subprocess.run([unix_port, str(script)], capture_output=True, text=True, cwd=tmp_path)
    assert answer.stdout == "noticed 2\n", answer.stderr


@pytest.mark.pico
@pytest.mark.parametrize(("name", "spare"), [("pico-frozen", SPARE), ("pico-emulated", SPARE)])
def test_the_papers_search_fits_a_pico_with_room_to_spare(name, spare):
    with built(boards.OpenBoard, name, print) as opened:
        player = BoardPlayer(opened.link, load("go9"), Config("graver2"), Budget(nodes=160))
        assert player.heap["heap_free"] >= spare
        assert player.ledger.amaf_tables == 160


@pytest.mark.pico
def test_the_largest_search_that_a_pico_is_said_to_hold_can_be_had():
    usable = boards.describe("pico")["usable"]
    with built(boards.OpenBoard, "pico-emulated", print) as opened:
        config = Config("graver2", playouts=20)
        player = BoardPlayer(opened.link, load("go9"), config, Budget(bytes=usable))
        assert player.search().playouts == 20


def test_the_mip_package_lists_every_source_of_the_board():
    package = json.loads((FIRMWARE / "package.json").read_text())
    listed = {name: FIRMWARE / path for name, path in package["urls"]}
    assert all(path.is_file() for path in listed.values())
    sources = {path.relative_to(mpy.CORE.parent).as_posix() for path in mpy.CORE.rglob("*.py")}
    service = {"picograve_board/" + path.name for path in program.SERVICE.glob("*.py")}
    assert set(listed) == sources | service - {"picograve_board/main.py"}
