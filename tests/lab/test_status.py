"""What an experiment lacks, which point comes next, and when a run ends."""

import time
from argparse import Namespace
from datetime import datetime
from pathlib import Path

import pytest
from picograve import BadInput
from picograve_host.cli import main
from picograve_host.commands.lab.run import _ends
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.order import ByPrecision, InTurn
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.rating import EQUAL_FROM
from test_cli import answer
from test_lab_runs import InstantPool

EXPERIMENT = """
game = "ttt3"
games = 100
[opponent]
search = "uct"
playouts = 100
[players.A]
search = "uct"
paper = 46.6
[players.B]
search = "graver"
[sweep]
playouts = [100, 300]
"""


@pytest.fixture(autouse=True)
def experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = EXPERIMENT.replace("paper = 46.6", "paper = [46.6, 60]")
    Path("small.toml").write_text(text)
    return Experiment("small.toml")


def add(point, pairs, seconds=2.0):
    """Pairs: the half points of both games, such as "20" for a win and a loss."""
    records = [
        dict(number=number, half_points=int(points), seconds=seconds)
        for number, points in enumerate("".join(pairs))
    ]
    with Store("lab", write=True) as store:
        store.add(point.key, point.match, records)


def status(*options):
    return answer("lab", "status", "small.toml", "--out", "lab", *options)


def test_before_the_first_game_the_papers_rates_say_how_many_decide():
    found = status()
    assert (found["games"], found["missing"], found["hours"]) == (0, 400, None)
    near, far, *others = [point["to_decide"] for point in found["points"]]
    assert far < 50 < 5000 < near
    assert others == [None, None]


def test_what_is_missing_takes_as_long_as_what_was_played(experiment):
    slow, fast = experiment.points[1], experiment.points[0]
    add(fast, ["22", "00"] * 15, seconds=2)
    add(slow, ["22"] * 20, seconds=4)
    fast, slow, fast_too, slow_too = status()["points"]
    assert (fast["games"], fast["missing"], fast["seconds"]) == (60, 40, 2)
    assert fast["hours"] == round(40 * 2 / 3600, 2)
    # 100 and 100, 300 and 100 playouts a move: 600 in 6 seconds
    assert (fast_too["seconds"], slow_too["seconds"]) == (2, 4)
    assert (fast["decided"], slow["decided"], slow_too["decided"]) == (False, True, False)


def test_a_claim_says_how_many_games_decide_it_before_and_while_it_is_played(experiment):
    checks = (
        '[checks]\nnear = "A at playouts 100 is equal"\n'
        'far = "A at playouts 300 beats A at playouts 100"\nunknown = "B is equal"\n'
    )
    Path("small.toml").write_text(Path("small.toml").read_text() + checks)
    near, far, unknown = status()["claims"]
    # 46.6 % in the paper, 1.0 above where equal begins: 1.96^2 * 0.25 / 0.0097^2
    assert near == dict(claim="near", verdict="undecided", games=0, needed=10296)
    assert far["needed"] == 108  # 13.4 points apart: 1.96^2 * (0.25 + 0.25) / 0.134^2
    assert unknown["needed"] is None
    slow, fast = experiment.points[1], experiment.points[0]
    add(fast, ["00", "20"] * 25)
    add(slow, ["22", "20"] * 25)
    near, far, unknown = status()["claims"]
    assert (near["verdict"], far["verdict"], unknown["verdict"]) == (
        "refuted", "confirmed", "undecided",
    )  # fmt: skip
    assert far["games"] == 200 and far["needed"] < 100


def test_games_elsewhere_count_without_being_taken_over(experiment):
    add(experiment.points[0], ["20"] * 5)
    Path("lab").rename("elsewhere")
    assert status("--from", "elsewhere")["games"] == 10
    assert not Path("lab").exists()
    assert main(["lab", "status", "small.toml", "--out", "lab", "--from", "elsewhere"]) == 0


def chosen(experiment, count):
    """Labels and values of the points that come next, one game each."""
    points = {point.key: point for point in experiment.points}
    names = []
    with Store("lab") as store:
        lacking = {key: list(range(100 - len(store.numbers(key)))) for key in points}
        order = ByPrecision(store, 100, EQUAL_FROM)
        for _ in range(count):
            key = order.choose(lacking)
            lacking[key].pop()
            names.append("%s %s" % (points[key].label, points[key].at["playouts"]))
    return names


def test_the_widest_interval_of_the_undecided_comes_next(experiment):
    narrow, wide, decided, _ = experiment.points
    add(narrow, ["20"] * 23 + ["22", "00"])
    add(wide, ["22", "00"] * 12 + ["20"])
    add(decided, ["22"] * 25)
    assert chosen(experiment, 1) == ["B 300"]  # nothing recorded of it
    add(experiment.points[3], ["22"] * 25)
    assert chosen(experiment, 5) == ["A 300"] * 5
    assert chosen(experiment, 60) == ["A 300"] * 50 + ["A 100"] * 10  # there are no more


def test_points_of_which_nothing_is_known_come_in_turn(experiment):
    with Store("lab", write=True):
        pass
    assert sorted(chosen(experiment, 8)) == sorted(2 * ["A 100", "A 300", "B 100", "B 300"])
    assert InTurn("ab").choose({"a": [], "b": []}) is None


def test_no_game_begins_when_the_time_is_up(experiment):
    with Store("lab", write=True) as store:
        late = Runner(
            experiment, store, InstantPool(), 100, lambda runner: None, ends=time.time() - 1
        )
        late.run()
        assert (late.played, late.is_late) == (0, True)
        in_time = Runner(
            experiment, store, InstantPool(), 100, lambda runner: None, ends=time.time() + 3600
        )
        in_time.run()
        assert (in_time.played, in_time.is_late) == (400, False)


def test_a_time_of_day_is_the_next_one():
    now = datetime.now()
    for minutes in (-1, 1):
        then = datetime.fromtimestamp(now.timestamp() + 60 * minutes)
        ends = _ends(Namespace(hours=None, until=then.strftime("%H:%M")))
        assert 0 < ends - now.timestamp() <= 86400
        assert datetime.fromtimestamp(ends).strftime("%H:%M") == then.strftime("%H:%M")
    assert _ends(Namespace(hours=None, until=None)) is None
    for wrong in (Namespace(hours=0, until=None), Namespace(hours=None, until="2 am")):
        with pytest.raises(BadInput, match=r"--hours must|--until takes"):
            _ends(wrong)
