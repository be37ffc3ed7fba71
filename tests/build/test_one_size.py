"""A game built for one of its sizes: the same trees in smaller states, and no other size."""

import json
import re
import shutil
import subprocess
import sys

import pytest
import searches_of
from conftest import built
from picograve import TREE_SEARCHES, BadInput, Budget, Config, load
from picograve_host.boards import install, program
from picograve_host.boards import registry as boards
from picograve_host.boards.link import BoardRefuses
from picograve_host.boards.one_size import as_built
from picograve_host.commands import flash
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_tools import kernels, mpy
from test_runtimes import ON_MICROPYTHON

GAMES = mpy.CORE / "games"
# A ko that is fought over, for superko and for the ko in a fingerprint.
KO = "D5 E5 E6 F6 E4 F4 D1 G5 F5 A1 A2 B1 E5"
SWAP = dict(options=dict(swap=True))


def jobs_of(game):
    """All searches of a game."""
    moves = {"go9": "E5 C3", "go5": "C3", "hex11": "F6"}.get(game, "")
    trees = [
        [game, search, 40, moves, 7, dict(preset=preset, playouts=50)]
        for search in TREE_SEARCHES
        for preset in ("paper", "strong")
    ]
    return [
        *trees,
        [game, "grave", 60, moves, 7, dict(playouts=60, explore=5)],
        [game, "policy", None, moves, 7, dict(playout_policy="uniform")],
        [game, "alphabeta", 50, moves, 7, dict(depth=3, positions=200)],
        [game, "sarsa", 300, "", 7, dict(episodes=3)],
        [game, "qlearning", 300, "", 7, dict(episodes=3)],
    ]


JOBS = {
    "go9": [
        *jobs_of("go9"),
        ["go9", "graver2", 40, KO, 7, dict(playouts=100)],
        ["go9", "alphabeta", 50, KO, 7, dict(depth=2, positions=200)],
    ],
    "go5": jobs_of("go5"),
    "hex11": [
        *jobs_of("hex11"),
        ["hex11", "graver2", 40, "C2", 7, dict(playouts=100, **SWAP)],
        ["hex11", "uct", 20, "F6", 7, dict(playouts=3, playout_policy="all")],
    ],
    "hex3": [["hex3", "alphabeta", 50, "B2", 7, dict(depth=4, **SWAP)], *jobs_of("hex3")],
}


@pytest.fixture
def core_for(tmp_path):
    """core_for(game): a folder with the core, in which that game has the one size."""

    def make(game):
        shutil.copytree(mpy.CORE, tmp_path / "picograve", ignore=shutil.ignore_patterns("__pyc*"))
        for name, size in program.sizes_of(game):
            (tmp_path / name).write_text(kernels.sized((tmp_path / name).read_text(), size))
        return tmp_path

    return make


@pytest.mark.parametrize("name", ["go", "hex"])
def test_constants_as_written_are_those_of_the_largest_size(name):
    text = (GAMES / (name + ".py")).read_text()
    largest = kernels.sized(text, 13)
    assert largest == re.sub("_SMALLEST = const.[0-9]+", "_SMALLEST = const(13", text)
    assert largest != text


def test_constants_follow_from_the_size_and_from_those_above():
    text = (
        "_ROW = const(9)  # one size: size + 1\n"
        "_CELL = const(8)  # the board\n"
        "_STATE = const(90)  # one size: _CELL + _ROW * size; bytes\n"
        "print(_ROW)\n"
    )
    assert kernels.sized(text, 4) == (
        "_ROW = const(5)  # one size: size + 1\n"
        "_CELL = const(8)  # the board\n"
        "_STATE = const(28)  # one size: _CELL + _ROW * size; bytes\n"
        "print(_ROW)\n"
    )


@pytest.mark.parametrize("name", ["othello", "ttt"])
def test_a_game_that_says_nothing_of_sizes_stays_as_it_is(name):
    text = (GAMES / (name + ".py")).read_text()
    assert kernels.sized(text, 3) == text


@pytest.mark.parametrize("game", JOBS)
def test_every_search_grows_the_same_tree(game, core_for):
    in_all_sizes = searches_of.run(JOBS[game], "cpython")
    alone = searches_of.run(JOBS[game], "cpython", PYTHONPATH=str(core_for(game)))
    for job, ours, theirs in zip(JOBS[game], alone, in_all_sizes, strict=True):
        assert ours.pop("bytes") < theirs.pop("bytes"), job
        assert ours == theirs, job


@pytest.mark.parametrize("game", ["go9", "hex3"])
def test_micropython_grows_the_same_tree_and_allocates_nothing(game, tmp_path, unix_port):
    mpy.build("x64" if "64" in unix_port else "x86", tmp_path, sizes=program.sizes_of(game))
    script = tmp_path / "on_micropython.py"
    script.write_text(ON_MICROPYTHON)
    answer = subprocess.run(
        [unix_port, "-X", "heapsize=4m", script, tmp_path],
        input=json.dumps(JOBS[game]),
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout.split() == [r["tree_hash"] for r in searches_of.run(JOBS[game], "numba")]


def test_another_size_is_refused(core_for):
    core = core_for("go9")
    answer = subprocess.run(
        [sys.executable, "-c", "from picograve import load; load('hex7'); load('go13')"],
        env=dict(PYTHONPATH=str(core), PICOGRAVE_RUNTIME="cpython"),
        capture_output=True,
        text=True,
    )
    assert answer.stderr.splitlines()[-1] == (
        "picograve.errors.BadInput: Go comes in sizes 9 to 9: go, not go13"
    )


ALLOCATED = """
from picograve import Budget, Config, load, open_search
from picograve.kernel import ITEM_BYTES
searcher = open_search(load("%s"), Config("%s"), Budget(nodes=50))
print(sum(len(b) * ITEM_BYTES[b.typecode] for b in searcher.buffers.values()))
"""


@pytest.mark.parametrize("search", ["graver2", "uct", "alphabeta", "sarsa"])
@pytest.mark.parametrize("game", JOBS)
def test_the_host_counts_what_is_allocated(game, search, core_for):
    answer = subprocess.run(
        [sys.executable, "-c", ALLOCATED % (game, search)],
        env=dict(PYTHONPATH=str(core_for(game)), PICOGRAVE_RUNTIME="cpython"),
        capture_output=True,
        text=True,
    )
    ledger = Budget(nodes=50).ledger(as_built(load(game), game), Config(search))
    assert answer.stdout.split() == [str(ledger.total_bytes)], answer.stderr


def test_only_the_game_that_is_named_is_counted_so():
    go = load("go9", komi=5)
    assert as_built(go, None) is go
    assert as_built(go, "go13") is go
    assert as_built(go, "hex9") is go
    alone = as_built(go, "go9")
    assert (alone.name, alone.komi, alone.size) == ("go9", 5, 9)
    assert alone.state_bytes < go.state_bytes


class TestABoardBuiltForOneSize:
    @pytest.fixture(scope="class")
    def board(self):
        """A simulated board that has Go on 9x9 only."""
        described = dict(boards.describe("sim"), only="go9")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(boards, "describe", lambda name: dict(described))
            opened = built(boards.OpenBoard, "sim", print)
        with opened:
            yield opened

    def test_thinks_as_the_desktop_does_and_plays_other_games_in_all_sizes(self, board):
        assert board.board["only"] == "go9"
        assert board.link.hello["refusal"] is None
        for game, nodes in (("go9", 40), ("hex7", 30), ("ttt3", 20)):
            setting = (
                load(game),
                Config("graver2", preset="paper", playouts=120),
                Budget(nodes=nodes),
            )
            ours, theirs = BoardPlayer(board.link, *setting), DesktopPlayer(*setting)
            for _ in range(2):
                thought = ours.search()
                assert thought.tree_hash == theirs.search().tree_hash
                ours.play(thought.move)
                theirs.play(thought.move)

    def test_gets_more_nodes_for_the_same_bytes_and_the_host_knows(self, board):
        player = BoardPlayer(board.link, load("go9"), Config("graver2"), Budget(bytes=60000))
        in_all_sizes = Budget(bytes=60000).ledger(load("go9"), Config("graver2"))
        assert player.heap["bytes"] == player.ledger.total_bytes <= 60000
        assert player.ledger.nodes > in_all_sizes.nodes

    def test_refuses_another_size_in_a_line_that_says_what_to_do(self, board):
        refusal = "the board at %s has go9 only: picograve flash --port %s --game go13, or all" % (
            board.port,
            board.port,
        )
        with pytest.raises(BadInput, match=re.escape(refusal)):
            BoardPlayer(board.link, load("go13"), Config("graver2"), Budget(nodes=20))
        with pytest.raises(BoardRefuses, match="Go comes in sizes 9 to 9"):
            board.link.request("setup", session="1", game="go13", search="graver2")


@pytest.mark.pico
def test_an_emulated_pico_built_for_one_size_grows_the_same_tree_in_less_memory():
    free = {}
    for name in ("pico-go9", "pico-emulated"):
        with built(boards.OpenBoard, name, print) as opened:
            setting = load("go9"), Config("graver2", playouts=60), Budget(nodes=160)
            player = BoardPlayer(opened.link, *setting)
            free[name] = player.heap["heap_free"]
            assert player.search().tree_hash == DesktopPlayer(*setting).search().tree_hash
    assert free["pico-go9"] > free["pico-emulated"] + 2000


class TestFlash:
    class Options:
        board, port, nodes, bytes, uf2, json = "pico", None, None, None, None, True

    def described(self, game):
        chosen = self.Options()
        chosen.game = game
        board = boards.describe("pico")
        flash._set_game(board, chosen)
        return board

    def test_builds_for_the_size_that_is_named(self, tmp_path):
        board = self.described("go9")
        assert board["only"] == "go9"
        install.build(board, tmp_path / "alone")
        install.build(boards.describe("pico"), tmp_path / "all")
        for name in ("picograve/games/go.mpy", "picograve_board/built.mpy"):
            ours, theirs = (tmp_path / folder / name for folder in ("alone", "all"))
            assert ours.read_bytes() != theirs.read_bytes()
        hexes = (tmp_path / folder / "picograve/games/hex.mpy" for folder in ("alone", "all"))
        assert len({path.read_bytes() for path in hexes}) == 1

    def test_sets_up_that_game_when_the_board_boots(self):
        board = dict(self.described("hex5"), budget=dict(nodes=20))
        assert install.default_ledger(board).game == "hex5"

    @pytest.mark.parametrize("game", ["othello", "ttt3"])
    def test_refuses_a_game_without_a_build_for_one_size(self, game):
        with pytest.raises(BadInput, match="%s comes in all its sizes on every board" % game):
            self.described(game)
