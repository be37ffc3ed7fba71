"""Players from plain data: the same for match, think, GTP and the lab."""

import contextlib
import json
import os
import shlex
import subprocess
import sys

import pytest
from picograve import BadInput, load
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.games import _player, play_games
from picograve_host.players.data import config_of
from picograve_host.players.factory import open_player

CLI = [sys.executable, "-m", "picograve_host.cli"]
OURS = "gtp:%s gtp --game ttt3 --search uct --playouts 20 --seed {seed}" % shlex.join(CLI)
SEARCH = dict(search="grave", nodes=30, playouts=30, ref=5)

EXPERIMENT = """
game = "ttt3"
games = 2
[opponent]
search = "uct"
playouts = 20
[players.A]
search = "grave"
playouts = 30
"""


def picograve(*arguments, **options):
    return subprocess.run([*CLI, *arguments], capture_output=True, text=True, **options)


def test_a_search_is_the_same_on_the_desktop_and_on_a_board():
    thoughts = []
    for data in (SEARCH, dict(SEARCH, board="desktop"), dict(SEARCH, board="sim-cpython")):
        with contextlib.closing(open_player(data, load("ttt3"), seed=3)) as player:
            assert repr(player.config) == repr(config_of(data)[0])
            thoughts.append(player.search())
    assert thoughts[0].move == thoughts[1].move == thoughts[2].move
    assert thoughts[0].tree_hash == thoughts[1].tree_hash == thoughts[2].tree_hash


@pytest.mark.parametrize("data", [dict(gtp=OURS[4:]), dict(openspiel=20)])
def test_another_program_plays_from_its_data(data):
    if "openspiel" in data:
        pytest.importorskip("pyspiel")
    with contextlib.closing(open_player(data, load("ttt3"))) as player:
        player.new_game(1)
        player.play("B2")
        assert player.search().move in "A1 A2 A3 B1 B3 C1 C2 C3".split()
        assert player.config is player.ledger is None


@pytest.mark.parametrize(
    "seats",
    [
        ["--board", "desktop", "--board-playouts", "20", "--opponent", OURS],
        ["--board", OURS, "--opponent", "uct", "--opponent-playouts", "20"],
    ],
)
def test_a_match_against_an_engine(seats, tmp_path):
    finished = picograve(
        "match", "--game", "ttt3", "--games", "2", "--json", "--out", str(tmp_path), *seats
    )
    assert finished.returncode == 0, finished.stderr
    report = json.loads(finished.stdout)
    assert len(report["games"]) == 2
    searches = [player["search"] for player in report["players"].values()]
    assert sorted(search is None for search in searches) == [False, True]


def test_a_match_against_openspiel_is_described():
    pytest.importorskip("pyspiel")
    finished = picograve(
        *"match --game ttt3 --board desktop --board-playouts 20 --opponent openspiel:20".split()
    )
    assert finished.returncode == 0, finished.stderr
    assert "opponent OpenSpiel\n" in finished.stdout


@pytest.mark.parametrize(
    "arguments,hint",
    [
        ("--opponent gtp:no-such-engine", "no program no-such-engine"),
        ("--board openspiel:many", "openspiel:1000, not openspiel:many"),
        ("--board openspiel:20 --board-bias 0.1", "openspiel does not use --board-bias"),
        ("--opponent openspiel:20 --opponent-board sim", "openspiel runs on no board"),
    ],
)
def test_what_another_program_cannot_be_is_refused_in_one_line(arguments, hint):
    finished = picograve("match", "--game", "ttt3", "--board", "desktop", *arguments.split())
    assert finished.returncode == 2
    assert hint in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_the_lab_plays_a_search_on_a_board_as_on_the_desktop(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(EXPERIMENT + 'sweep.board = ["desktop", "sim-cpython"]\n')
    desktop, board = Experiment(str(path)).points
    assert "board" not in desktop.match["player"]
    assert board.match["player"] == dict(desktop.match["player"], board="sim-cpython")
    records = play_games(dict(desktop.match, player=board.match["player"]), [0, 1])
    assert all("error" not in record for record in records)
    assert all(record["player_playouts"] > 0 for record in records)
    _player.cache_clear()  # closes the board


@pytest.mark.parametrize(
    "line,hint",
    [('board = "toaster"', "line 10: no board or port called toaster"),
     ('board = "pico"\nnodes = 9000', "line 11: grave on ttt3 takes")],
)  # fmt: skip
def test_an_experiment_with_a_board_that_cannot_be_is_refused(tmp_path, line, hint):
    path = tmp_path / "mine.toml"
    path.write_text(EXPERIMENT + line)
    with pytest.raises(BadInput, match=hint):
        Experiment(str(path))


def test_workers_load_only_what_they_need():
    code = (
        "import sys, picograve_host.lab.play.games\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = set(finished.stdout.split())
    assert "picograve_host" in loaded
    assert not loaded & {"serial", "sgfmill", "matplotlib", "picograve_tools", "pyspiel"}


@pytest.mark.parametrize(
    "command",
    [
        [*CLI, *"think --game ttt3 --playouts 20 --nodes 20 --runtime sim".split()],
        [*CLI, *"gtp --game ttt3 --playouts 20 --nodes 20 --board sim".split()],
        [*CLI, *"bench --game ttt3 --only-boards --boards sim".split()],
        [
            sys.executable, "-c",
            "from picograve_host.players.factory import open_player; from picograve import load;"
            "open_player(dict(search='uct', nodes=20, board='sim'), load('ttt3')).close()",
        ],
    ],
    ids=["think", "gtp", "bench", "lab"],
)  # fmt: skip
def test_without_micropython_a_stand_in_plays_everywhere_and_says_so(command, tmp_path):
    nothing = dict(os.environ, PATH=str(tmp_path), PICOGRAVE_CACHE=str(tmp_path / "cache"))
    finished = subprocess.run(command, env=nothing, capture_output=True, text=True, input="quit\n")
    assert finished.returncode == 0, finished.stderr
    assert "sim-cpython stands in for the board" in finished.stderr
