"""`picograve bench`: the C yardstick is the same algorithm, the report has what it promises."""

import json
import shutil
import sys

import pytest
from picograve import Budget, Config, Searcher, load
from picograve_host import bench, cli

FEW_TASKS = [("sample", "uniform"), ("grave", "mast"), ("graver2", "mast")]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Nothing is left in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def program(cache):
    notes = []
    path = bench.c_program(notes)
    if not path:
        pytest.skip(notes[0])
    return path


@pytest.fixture
def small(monkeypatch):
    """A benchmark that proves nothing, quickly."""
    monkeypatch.setattr(bench, "PLAYOUTS", {"numba": 200, "cpython": 2})
    monkeypatch.setattr(bench, "SIMULATIONS", 20)


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**30 - 1])
def test_c_plays_the_same_games(program, seed):
    config = Config("grave", playout_policy="uniform")
    searcher = Searcher(load("go9"), config, Budget(nodes=2))
    ours = bench.measure_sample(searcher, 1000, seed)
    assert bench.measure_c(program, 1000, seed).half_points == ours.half_points


def test_a_report_has_the_documented_keys(small, capsys):
    assert cli.main(["bench", "--json", "--rounds", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {"machine", "rates", "ratios", "same_as_c"} <= set(report)
    assert {"cpu", "python", "numba", "compiler"} <= set(report["machine"])
    for rate in report["rates"]:
        assert set(rate) == {"what", "runtime", "per_second", "playouts"}
        assert rate["per_second"] > 0
    rows = [(rate["what"], rate["runtime"]) for rate in report["rates"]]
    assert len(set(rows)) == len(rows)
    for search, policy in bench.tasks():
        for runtime in ("numba", "cpython"):
            assert ("%s, %s" % (search, policy), runtime) in rows
    for ratio in report["ratios"]:
        assert ratio["target"] == bench.TARGETS[ratio["name"]]
    assert report["same_as_c"] is not False


def test_what_is_missing_is_named_and_left_out(small, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(bench, "C_SOURCE", tmp_path / "nothing.c")
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if not installed
    monkeypatch.setattr(bench, "tasks", lambda: FEW_TASKS)
    assert cli.main(["bench", "--rounds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("no row for ") for line in lines) == 2
    assert "pip install 'picograve[bench]'" in lines[-1]
    assert not any(line.startswith(("OpenSpiel", "uniform_over_c")) for line in lines)


def test_a_broken_compiler_is_one_line(monkeypatch, tmp_path):
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    source = tmp_path / "broken.c"
    source.write_text("this is not C\n")
    monkeypatch.setattr(bench, "C_SOURCE", source)
    notes = []
    assert bench.c_program(notes) is None
    assert len(notes) == 1
    assert "\n" not in notes[0]


def test_different_results_fail_the_run(small, monkeypatch, capsys):
    wrong = bench.Measure(200, 1.0, half_points=-1)
    monkeypatch.setattr(bench, "c_program", lambda notes: "a program")
    monkeypatch.setattr(bench, "measure_c", lambda program, playouts, seed: wrong)
    monkeypatch.setattr(bench, "tasks", lambda: FEW_TASKS)
    assert cli.main(["bench", "--rounds", "1"]) == 1
    assert "a bug" in capsys.readouterr().out


def test_no_rounds_is_an_error(capsys):
    assert cli.main(["bench", "--rounds", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
