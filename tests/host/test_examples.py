"""The scripts of picograve_host/examples run, and are as short as they look."""

import os
import subprocess
import sys
from pathlib import Path

import picograve_host.examples
import pytest

EXAMPLES = Path(picograve_host.examples.__file__).parent
OPENSPIEL = """
import numpy, pyspiel
from open_spiel.python.algorithms import mcts

game = pyspiel.load_game("tic_tac_toe")
dice = numpy.random.RandomState(1)
judge = mcts.RandomRolloutEvaluator(1, dice)
bot = mcts.MCTSBot(game, 1.4, 500, judge, random_state=dice)
state = game.new_initial_state()
while not state.is_terminal():
    state.apply_action(bot.step(state))
    print(state)
print(state.returns())
"""


def run(folder, *command):
    answer = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=dict(os.environ, MPLCONFIGDIR=str(folder)),
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def lines_of(program):
    return [line for line in program.splitlines() if line.strip()]


def test_a_self_played_game_of_tic_tac_toe_is_a_draw(tmp_path):
    assert run(tmp_path, EXAMPLES / "self_play.py").splitlines()[-1] == "None draw"


def test_self_play_takes_no_more_lines_than_with_openspiel(tmp_path):
    pytest.importorskip("pyspiel")
    assert run(tmp_path, "-c", OPENSPIEL).splitlines()[-1] == "[0.0, 0.0]"
    own = (EXAMPLES / "self_play.py").read_text()
    assert len(lines_of(own)) <= min(10, len(lines_of(OPENSPIEL)))


def test_the_byte_sweep_prints_a_line_for_each_size_and_draws_them(tmp_path):
    lines = run(tmp_path, EXAMPLES / "byte_sweep.py", 2).splitlines()
    assert [line.split()[0] for line in lines] == ["5000", "8000", "16000", "32000"]
    assert (tmp_path / "byte_sweep.png").read_bytes().startswith(b"\x89PNG")
