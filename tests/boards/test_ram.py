"""A board's RAM, emulated: MicroPython's heap, what does not fit, and who reports it."""

import contextlib
import csv
import json
import os
import re
import subprocess
import sys

import pytest
import ram_comparison
from conftest import built
from picograve import BadInput, Budget, Config, load
from picograve_host import cli
from picograve_host.boards import simulated
from picograve_host.boards.descriptions import describe, names, ram_like, ram_of
from picograve_host.boards.link import BoardRefuses, Link, LinkError
from picograve_host.boards.ram import Heap, Ram
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.games import play_games
from picograve_host.testing import allocations

REFUSAL = r"^\d+ bytes do not fit: the heap has \d+ free, \d+ in one piece$"


def open_graver2(ram, **budget):
    return ram.open_search(load("ttt3"), Config("graver2"), Budget(**budget))


class TestAHeap:
    def test_gives_whole_blocks_the_lowest_that_are_free(self):
        heap = Heap(total=1600, free=800, pieces=[160, 640], block=16)
        places, again = [], []
        for size in (1, 17, 100, 161):
            heap.take(size, places)
        assert [place.stop - place.start for place in places] == [1, 2, 7, 11]
        assert places == sorted(places, key=lambda place: place.start)
        heap.give_back(places[1:2])
        heap.take(32, again)
        assert again == places[1:2]

    def test_takes_what_need_not_lie_together_in_pieces(self):
        heap = Heap(total=1600, free=800, pieces=[160, 640], block=16)
        heap.take(700, [], piece=32)
        with pytest.raises(MemoryError):
            heap.take(150, [], piece=32)

    def test_has_no_room_for_what_is_larger_than_its_largest_piece(self):
        heap = Heap(total=1600, free=832, pieces=[160, 640], block=16)
        assert heap.figures() == (768, 832, 640)
        with pytest.raises(MemoryError):
            heap.take(641, [])
        heap.take(640, [])
        assert heap.figures() == (1408, 192, 160)


class TestTheRamOfABoard:
    @pytest.mark.parametrize("name", names())
    def test_holds_what_the_board_sets_up_when_it_boots(self, name, ram):
        board = ram(name)
        searcher = board.open_search(
            load("go9"), Config("graver2"), Budget(**describe(name)["budget"])
        )
        used, free, largest = board.figures()
        assert used > searcher.ledger.total_bytes
        assert 0 < largest <= free

    def test_refuses_what_does_not_fit_in_the_words_of_the_board(self, ram):
        with pytest.raises(BadInput, match=REFUSAL):
            open_graver2(ram("pico"), bytes=200_000)

    def test_is_as_it_was_when_a_search_was_refused(self, ram):
        pico = ram("pico")
        for _ in range(2):
            with pytest.raises(BadInput) as refusal:
                open_graver2(pico, bytes=200_000)
        with pytest.raises(BadInput) as another:
            open_graver2(pico, bytes=200_000)
        assert str(another.value) == str(refusal.value)

    def test_gets_the_buffers_back_when_a_search_is_dropped_but_not_its_code(self, ram):
        pico = ram("pico")
        booted = pico.figures()
        searcher = open_graver2(pico, nodes=50)
        size = searcher.ledger.total_bytes
        first = pico.figures()
        del searcher
        after = pico.figures()
        assert booted[1] > after[1] > first[1] + size
        _searcher = open_graver2(pico, nodes=50)
        assert pico.figures() == first

    def test_can_be_given_in_bytes_of_heap(self, ram):
        used, free, _ = ram(150_000).figures()
        assert 149_000 < used + free <= 150_000
        with pytest.raises(BadInput, match=r"a board boots with \d+ bytes of heap or more"):
            ram(20_000)

    def test_counts_a_game_of_ones_own_as_the_largest_of_ours(self, ram):
        pico, game = ram("pico"), load("ttt3")
        free = pico.figures()[1]
        own = type("Own", (type(game),), {"__module__": "own"})(3)
        own.name = "own"
        searcher = pico.open_search(own, Config("grave"), Budget(nodes=20))
        code = free - pico.figures()[1] - searcher.ledger.total_bytes
        assert code > max(module["bytes"] for module in describe("pico")["ram"]["code"].values())

    def test_puts_the_machine_code_of_a_module_into_one_piece(self):
        table = describe("pico")["ram"]
        machine = table["code"]["picograve.games.othello"]["largest"]
        *holes, largest = table["pieces"]
        assert max(holes) < machine < largest
        pico = Ram(table)
        pico.open_search(load("othello"), Config("graver2"), Budget(nodes=3))
        assert 0 <= largest - machine - pico.figures()[2] < 256

    def test_loads_what_a_module_imports_on_the_board_and_nothing_else(self):
        def code(table):
            ram = Ram(table)
            free = ram.figures()[1]
            ram.open_search(load("go9"), Config("uct"), Budget(nodes=3))
            return free - ram.figures()[1]

        table = describe("pico")["ram"]
        uct, ucb = (table["code"]["picograve.mcts.select." + name] for name in ("uct", "ucb"))
        assert uct["imports"] == ["picograve.mcts.select.ucb"]  # of `least` it imports a kernel
        assert code(table) == uct["bytes"] + ucb["bytes"]
        uct["imports"] = []
        assert code(table) == uct["bytes"]

    def test_lets_buffers_fill_its_largest_piece(self):
        pico, game, config = ram_of("pico"), load("ttt3"), Config("uctr")
        pico.open_search(game, config, Budget(nodes=3))  # loads the code
        arrays = 9  # as long as there are nodes, of two bytes for each
        nodes = pico.figures()[2] // 16 // arrays * 8
        ledger = pico.open_search(game, config, Budget(nodes=nodes)).ledger
        assert [count for _, _, count in ledger.rows].count(nodes) == arrays
        with pytest.raises(BadInput, match=REFUSAL):
            pico.open_search(game, config, Budget(nodes=nodes + 16))


# Those who use it.


def test_the_board_on_cpython_has_the_ram_of_a_pico_and_says_so():
    setting = dict(session="0000", game="ttt3", search="graver2")
    with ram_comparison.emulated(describe("sim-cpython")["ram"]) as link:
        total = sum(ram_of("pico").figures()[:2])
        assert link.hello["boot_used"] + link.hello["boot_free"] == total
        heap = link.request("setup", budget=dict(nodes=160), **setting)
        assert heap["heap_used"] + heap["heap_free"] == total
        link.request("search", of="0000", playouts=10)
        while link.request("status", of="0000")["thinking"]:
            pass
        assert link.request("result", of="0000")["heap_free"] == heap["heap_free"]
        with pytest.raises(BoardRefuses, match=r"200\d\d\d bytes do not fit: the heap has"):
            link.request("setup", budget=dict(bytes=201_000), **setting)


def test_think_reports_the_heap_of_the_board_that_it_emulates(capsys):
    arguments = "think --game ttt3 --nodes 20 --playouts 20 --json --ram"
    assert cli.main([*arguments.split(), "pico"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["heap_used"] + report["heap_free"] == sum(ram_of("pico").figures()[:2])
    assert cli.main("think --game ttt3 --bytes 200000 --ram pico".split()) == 2
    assert "bytes do not fit: the heap has" in capsys.readouterr().err


def test_budget_says_what_a_search_leaves_free(capsys):
    assert cli.main("budget --game go9 --search graver2 --nodes 40 --ram esp32".split()) == 0
    assert "\nheap: " in capsys.readouterr().out
    plain = "budget --game go9 --search graver2 --preset paper --nodes 400 --ram esp32"
    assert cli.main(plain.split()) == 2
    assert "bytes do not fit" in capsys.readouterr().err


@pytest.mark.parametrize("heap", ["100000001", "9" * 30, "9" * 5000])
def test_a_heap_that_no_chip_has_is_refused(heap, capsys):
    assert cli.main(["budget", "--game", "ttt3", "--nodes", "20", "--ram", heap]) == 2
    assert "no chip has more than 100000000 bytes of heap" in capsys.readouterr().err


def test_a_match_logs_the_heap_of_its_first_player(tmp_path):
    arguments = "match --game ttt3 --ram pico --board-nodes 20 --opponent-nodes 20 --out"
    assert cli.main([*arguments.split(), str(tmp_path)]) == 0
    with (tmp_path / "match.csv").open() as file:
        moves = list(csv.DictReader(file))
    assert all(bool(move["heap_free"]) == (move["seat"] == "board") for move in moves)


@pytest.mark.parametrize(
    "command",
    [
        "think --runtime sim",
        "match --board sim",
        "match --board openspiel:20",
        "gtp --board sim",
    ],
)
def test_a_board_that_is_one_takes_no_emulated_ram(command, capsys):
    assert cli.main([*command.split(), "--ram", "pico"]) == 2
    assert "--ram emulates a board's RAM on this machine" in capsys.readouterr().err


def test_gtp_thinks_in_the_ram_of_a_board(capsys):
    command = [sys.executable, "-m", "picograve_host.cli", *"gtp --game ttt3 --ram pico".split()]
    words = "genmove black\nquit\n"
    finished = subprocess.run(
        [*command, "--nodes", "20"], input=words, capture_output=True, text=True
    )
    assert re.search(r"^= [A-C][1-3]$", finished.stdout, re.M), finished.stderr
    assert cli.main("gtp --game ttt3 --ram pico --bytes 200000".split()) == 2
    assert "bytes do not fit: the heap has" in capsys.readouterr().err


EXPERIMENT = """
game = "ttt3"
opponent.search = "uct"
opponent.playouts = 20
[players.UCT]
search = "uct"
playouts = 20
"""


@pytest.fixture
def experiment(tmp_path):
    """A function that reads an experiment whose player has some lines more."""

    def read(lines=""):
        file = tmp_path / "mine.toml"
        file.write_text(EXPERIMENT + lines)
        return Experiment(str(file))

    return read


def test_the_lab_plays_in_the_ram_of_a_board_and_records_its_heap(experiment):
    plain, named, counted = (
        experiment('sweep.board = ["desktop"]\n').points
        + experiment('sweep.ram = ["pico", 150000]\n').points
    )
    assert named.match["player"] == dict(plain.match["player"], ram="pico")
    assert len({plain.key, named.key, counted.key}) == 3
    (record,) = play_games(counted.match, [0])
    assert "error" not in record
    assert record["player_heap_used"] > 60_000
    assert record["opponent_heap_used"] is None


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        ('ram = "toaster"', "line 8: ram toaster: no board called toaster"),
        ("ram = 1.5", "line 8: ram is the name of a board or a whole number of bytes, not 1.5"),
        ('ram = "pico"\nboard = "sim"', "line 8: ram is emulated on this machine"),
        ('ram = "pico"\nnodes = 60000', r"line 8: ram pico: \d+ bytes do not fit: the heap has"),
    ],
)
def test_an_experiment_whose_player_does_not_fit_is_refused(experiment, lines, hint):
    with pytest.raises(BadInput, match=hint):
        experiment(lines)


# Beside real MicroPython.


def check_against(name):
    rows = built(lambda: list(ram_comparison.compare(name, 50)))
    assert len(rows) == 50
    assert {real[0] for _, real, _, _ in rows} == {True, False}
    assert [row for row in rows if not row[-1]] == []


def test_fifty_searches_fit_or_do_not_and_leave_as_much_free_as_on_micropython():
    check_against("sim")


@contextlib.contextmanager
def sim_with(heap):
    """Links to a sim with this heap and to the emulated one, and the bytes of both."""
    board = dict(describe("sim"), heap=heap)
    with contextlib.ExitStack() as stack:
        machine = stack.enter_context(contextlib.closing(built(simulated.start, board, print)))
        link = stack.enter_context(contextlib.closing(Link(machine.port, board["serial"])))
        total = link.hello["boot_used"] + link.hello["boot_free"]
        like = "sim64" if link.hello["bits"] == 64 else "sim"
        ours = stack.enter_context(ram_comparison.emulated(ram_like(like, total)))
        yield link, ours, total


def largest(link, total):
    """The bytes of the largest search that fits, within 100, and what is free beside it."""
    fits, too_many, free = 2000, total, None
    while too_many - fits > 100:
        size = (fits + too_many) // 2
        setting = dict(game="ttt3", search="graver2", config={}, budget=dict(bytes=size))
        it_fits, free_now, _ = ram_comparison.answer(link, setting)
        if it_fits:
            fits, free = size, free_now
        else:
            too_many = size
    return fits, free


@pytest.mark.parametrize("heap", [204_800, 110_000, 75_000])
def test_the_largest_search_is_as_large_as_on_a_board_of_that_heap(heap):
    with sim_with(heap) as (real, emulated, total):
        theirs, ours = largest(real, total), largest(emulated, total)
    # Measured: 100 to 700 bytes apart, by how requests arrived; what is left free follows from it.
    assert ours[0] == pytest.approx(theirs[0], abs=1500)
    assert ours[1] == pytest.approx(theirs[1], abs=1500)


def test_a_heap_in_which_no_board_boots_is_refused():
    """Though the code itself would fit."""
    table, heap = describe("sim")["ram"], 56_000
    assert table["total"] - table["free"] < heap
    with pytest.raises(BadInput, match="a board boots with"):
        ram_like("sim", heap)
    with pytest.raises(LinkError, match="no picograve answers"), sim_with(heap):
        pass


@pytest.mark.pico
def test_fifty_searches_fit_or_do_not_and_leave_as_much_free_as_on_an_emulated_pico():
    check_against("pico-emulated")


# A user's tests.

CONFTEST = 'pytest_plugins = ["picograve_host.testing"]'
A_USERS_TEST = """
import array

import pytest
from picograve import BadInput, Budget, Config
from picograve.games import ttt
from picograve_host.testing import allocations

MANY = range(3)


def a_list(): return [MANY, 1]
def a_list_of(): return [i for i in MANY]
def an_append(): kept.append(1)
def a_dict(): return {1: MANY}
def a_set(): return {MANY}
def some_bytes(): return bytes(9)
def a_tuple(): return tuple(i for i in MANY)
def a_pair(): return MANY, 1
def a_slice(): return MANY[1:2]
def an_array(): return array.array("B", MANY)
def a_text(): return "%d" % len(MANY) + f"{MANY}"
def a_sorted_list(): return sorted(MANY)

kept = []
BAD = (a_list, a_list_of, an_append, a_dict, a_set, some_bytes, a_tuple, a_pair, a_slice, an_array,
       a_text, a_sorted_list)


def my_game(bad=None):
    game = ttt.Game(3)
    game.name = "mine"
    play = game.rules[2]

    def bad_play(state, move):
        bad()
        play(state, move)

    if bad:
        game.rules = (*game.rules[:2], bad_play, *game.rules[3:])
    return game


def searcher_of(ram, game):
    return ram("pico").open_search(game, Config("graver2"), Budget(nodes=20))


def test_it_does_not_fit(ram):
    with pytest.raises(BadInput, match="do not fit"):
        ram("pico").open_search(my_game(), Config("graver2"), Budget(bytes=200_000))


def test_a_good_kernel(ram):
    assert allocations(searcher_of(ram, my_game())) == []


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_kernel(ram, bad):
    (*_, line) = allocations(searcher_of(ram, my_game(bad)))
    assert " %s: " % bad.__name__ in line
"""


def test_a_user_finds_kernels_that_allocate_with_the_fixture(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_mine.py").write_text(A_USERS_TEST)
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--rootdir", tmp_path, tmp_path],
        env=dict(os.environ, PICOGRAVE_RUNTIME="cpython"),
        capture_output=True,
        text=True,
    )
    assert "14 passed" in finished.stdout, finished.stdout


ALL_OF_OURS = """
from picograve import SEARCHES, BadInput, Budget, Config, load, open_search
from picograve_host.testing import allocations

count = 0
for game in map(load, ("go5", "hex5", "othello", "ttt3")):
    for search in SEARCHES if game.name == "ttt3" else ("graver2", "alphabeta", "policy"):
        for policy in ("uniform", "mast", *(name for name, _ in game.strategies)):
            try:
                budget = Budget(nodes=None if search == "policy" else 200)
                searcher = open_search(game, Config.tolerant(search, playout_policy=policy), budget)
            except BadInput:  # no such search of this game
                continue
            count += 1
            for line in allocations(searcher, playouts=3):
                print(line)
print(count, "searches")
"""


def test_no_search_of_ours_allocates():
    finished = subprocess.run(
        [sys.executable, "-c", ALL_OF_OURS],
        env=dict(os.environ, PICOGRAVE_RUNTIME="cpython"),
        capture_output=True,
        text=True,
    )
    (line,) = finished.stdout.splitlines()
    assert int(line.split()[0]) > 60


def test_compiled_kernels_cannot_be_looked_at_for_allocations(ram):
    with pytest.raises(BadInput, match="PICOGRAVE_RUNTIME=cpython"):
        allocations(open_graver2(ram("pico"), nodes=20))
