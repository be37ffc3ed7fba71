"""Options of a game come from its class: any game's can be given, and are refused by name."""

import json
import subprocess
import sys
from pathlib import Path

import picograve_host.examples
import pytest
from conftest import built
from picograve import BadInput
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_tools import micropython

NIM = Path(picograve_host.examples.__file__).parent / "nim.py"
LAST = (  # Nim with the option `last`: 1 if who takes last loses
    ("return 2 * s[_TURN]", "return 2 * (s[_TURN] ^ s[11])"),
    ("    def __init__(self, size):\n", '    options = ("last",)\n\n'
     "    def __init__(self, size, last=0):\n        self.last = last\n"),
    ("        reset(state, self.size)\n",
     "        reset(state, self.size)\n        state[11] = self.last\n"),
)  # fmt: skip
THINK = "think --search uct --playouts 2000 --nodes 2000 --json".split()
EXPERIMENT = """
game = "nim.py:2"
opponent.search = "uct"
opponent.playouts = 200
[players.UCT]
search = "uct"
playouts = 100
"""


@pytest.fixture
def nim(tmp_path):
    file = tmp_path / "nim.py"
    text = NIM.read_text()
    for place, instead in LAST:
        assert text.count(place) == 1
        text = text.replace(place, instead)
    file.write_text(text)
    return file


@pytest.fixture
def experiment(nim):
    """A function that reads an experiment with some lines in front."""

    def read(lines=""):
        file = nim.parent / "own.toml"
        file.write_text(lines + EXPERIMENT)
        return Experiment(str(file))

    return read


def best(nim, capsys, *options):
    assert main([*THINK, "--game", "%s:2" % nim, *options]) == 0
    return json.loads(capsys.readouterr().out)["move"]


@pytest.mark.parametrize("runtime", ["numba", "sim", "sim-cpython"])
def test_an_option_of_ones_own_game_counts_on_every_runtime(nim, runtime, capsys):
    built(micropython.find_unix)
    where = ("--runtime", runtime, "--nodes", "200", "--playouts", "300")
    assert best(nim, capsys, *where) == "B2"
    assert best(nim, capsys, *where, "--option", "last=1") == "B3"


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("--option first=1", "Nim has no option first; it has last"),
        ("--komi 6.5", "Nim has no option komi; it has last"),
        ("--option last", "--option takes NAME=VALUE: --option last=1, not last"),
    ],
)
def test_an_option_that_a_game_does_not_have_is_refused_with_those_it_has(
    nim, command, hint, capsys
):
    assert main([*THINK, "--game", str(nim), *command.split()]) == 2
    assert capsys.readouterr().err == "picograve: %s\n" % hint


@pytest.mark.parametrize(
    ("position", "flag", "option"),
    [("go5", "--komi=30", "komi=30"), ("hex5 --moves A1", "--swap", "swap=true")],
)
def test_flags_are_short_for_options(position, flag, option, capsys):
    def tree(*options):
        words = "think --playouts 100 --json --game %s" % position
        assert main([*words.split(), *options]) == 0
        return json.loads(capsys.readouterr().out)["tree_hash"]

    assert tree(flag) == tree("--option", option) != tree()


def test_the_lab_plays_with_an_option_of_ones_own_game(experiment, tmp_path, capsys):
    experiment("options.last = 1\n")
    file, out = str(tmp_path / "own.toml"), str(tmp_path / "lab")
    command = ["lab", "run", file, "--out", out, "--games", "2", "--workers", "1", "--json"]
    assert main(command) == 0
    (point,) = json.loads(capsys.readouterr().out)
    assert (point["games"], point["failed"]) == (2, 0)


def test_an_option_makes_another_match_unless_it_is_the_usual(experiment):
    (plain,) = experiment().points
    (usual,) = experiment("options.last = 0\n").points
    (other,) = experiment("options.last = 1\n").points
    assert plain.key == usual.key != other.key
    assert other.match["game"] == dict(plain.match["game"], last=1)


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        ("options.first = 1\n", "own.toml, line 1: Nim has no option first; it has last"),
        ("options.last = [1]\n", "own.toml, line 1: last is a number, a text, true or false"),
        ("options = 1\n", r"own.toml, line 1: options is a table: \[options\]"),
        ("komi = 1\n", "own.toml, line 1: Nim has no option komi; it has last"),
    ],
)
def test_an_experiment_with_an_option_that_cannot_be_is_refused(experiment, lines, hint):
    with pytest.raises(BadInput, match=hint):
        experiment(lines)


def test_a_game_keeps_its_option_when_gtp_changes_its_size(nim):
    command = [sys.executable, "-m", "picograve_host.cli", "gtp", "--option", "last=1"]
    command += ["--game", "%s:3" % nim, *"--search uct --playouts 500 --nodes 500".split()]
    words = "boardsize 2\ngenmove black\nquit\n"
    answer = subprocess.run(command, input=words, capture_output=True, text=True)
    assert "= B3" in answer.stdout
