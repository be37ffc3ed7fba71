"""A new kind of player is one file and one line in players/kinds.py: match and lab know it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import picograve_host
import pytest

TOY = Path(__file__).parents[1] / "support" / "toys" / "nth_move.py"
LINE = '    "nth": Kind("picograve_host.players.nth_move", "PLACE", 1, (0, 99)),\n'
MATCH = "match --game ttt3 --json --board desktop --board-playouts 20 --opponent".split()
EXPERIMENT = """
game = "ttt3"
games = 2
opponent.nth = 0
[players.UCT]
search = "uct"
playouts = 20
[players.Second]
sweep.nth = [1, 2]
"""


@pytest.fixture
def with_new_kind(tmp_path):
    """A function that runs a command of a picograve that has one kind more."""
    host = tmp_path / "source" / "picograve_host"
    shutil.copytree(
        Path(picograve_host.__file__).parent, host, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(TOY, host / "players")
    table = host / "players" / "kinds.py"
    place = "KINDS = {\n"
    assert table.read_text().count(place) == 1
    table.write_text(table.read_text().replace(place, place + LINE))
    environment = dict(os.environ, PYTHONPATH=str(host.parent), PICOGRAVE_RUNTIME="cpython")

    def run(*arguments):
        command = [sys.executable, "-m", "picograve_host.cli", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=tmp_path
        )

    return run


def test_a_new_kind_plays_a_match(with_new_kind):
    finished = with_new_kind(*MATCH, "nth:0")
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout)["players"]["opponent"]["where"] == "the tests"


@pytest.mark.parametrize(
    ("opponent", "hint"),
    [
        (["nth:last"], "nth takes PLACE: nth:1, not nth:last"),
        (["nth:100"], "nth takes PLACE: nth:1, not nth:100"),
        (["nth:1", "--opponent-nodes", "9"], "nth does not use --opponent-nodes"),
    ],
)
def test_what_a_new_kind_does_not_take_is_refused(opponent, hint, with_new_kind):
    finished = with_new_kind(*MATCH, *opponent)
    assert (finished.returncode, finished.stderr.count("\n")) == (2, 1)
    assert hint in finished.stderr


def test_help_names_a_new_kind(with_new_kind):
    assert "nth:PLACE" in "".join(with_new_kind("match", "--help").stdout.split())


def test_the_lab_plays_a_new_kind_and_reports_it(with_new_kind, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(EXPERIMENT)
    finished = with_new_kind("lab", "run", file, "--workers", 1)
    assert finished.returncode == 0, finished.stderr
    finished = with_new_kind("lab", "report", file)
    assert finished.returncode == 0, finished.stderr
    page = (tmp_path / "out" / "lab" / "mine" / "report.md").read_text()
    assert "On ttt3, against move 0 of those that are legal." in page
    assert "| Second | 2 |" in page


def test_an_experiment_is_told_which_kinds_there_are(with_new_kind, tmp_path):
    file = tmp_path / "mine.toml"
    for text, hint in {
        EXPERIMENT.replace("= 0", '= "zero"'): "line 4: nth is a whole number, not zero",
        EXPERIMENT.replace("= 0", "= -1"): "line 4: nth is 0 to 99, not -1",
        EXPERIMENT.replace('search = "uct"', ""): "has one of nth, search, gtp, uci, openspiel",
    }.items():
        file.write_text(text)
        finished = with_new_kind("lab", "run", file)
        assert finished.returncode == 2
        assert hint in finished.stderr
