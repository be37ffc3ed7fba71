"""A search's figures have one list: a new one is a line there and the line that computes it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import picograve
import pytest
from picograve import Budget, Config, load, open_search
from picograve.figures import FIGURES, MEASURED
from picograve_host.lab.play.store import FIELDS, Store
from picograve_host.lab.play.sums import summed
from picograve_host.lab.report.reported import figures_of
from picograve_host.match.records import COLUMNS
from picograve_host.players.thought import Thought, thought_of

THINK = "think --game ttt3 --search uct --nodes 40 --playouts 30 --json --runtime"
NEW = {  # what somebody would write who adds the figure `sevenfold`
    "figures.py": ("FIGURES = (\n", '    "sevenfold",\n'),
    "mcts/searcher.py": (
        "        return report(\n            all_visits,\n",
        "            sevenfold=7 * int(control[search.PLAYOUTS]),\n",
    ),
}


@pytest.fixture
def with_new_figure(tmp_path):
    """A function that runs Python with a core that has one figure more."""
    core = tmp_path / "picograve"
    shutil.copytree(
        Path(picograve.__file__).parent, core, ignore=shutil.ignore_patterns("__pycache__")
    )
    for name, (place, line) in NEW.items():
        text = (core / name).read_text()
        assert text.count(place) == 1
        (core / name).write_text(text.replace(place, place + line))

    def run(code):
        environment = dict(os.environ, PYTHONPATH=str(tmp_path), PICOGRAVE_RUNTIME="cpython")
        command = [sys.executable, "-c", code]
        finished = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    return run


@pytest.mark.parametrize("runtime", ["cpython", "sim-cpython"])
def test_a_new_figure_comes_out_of_think_and_over_the_wire(with_new_figure, runtime):
    words = [*THINK.split(), runtime]
    report = json.loads(with_new_figure("import picograve_host.cli as c; c.main(%r)" % words))
    assert report["playouts"] == 30
    assert report["sevenfold"] == 210


def test_a_new_figure_has_columns_in_match_records_and_in_the_store(with_new_figure):
    printed = with_new_figure(
        "from picograve_host.lab.play.store import FIELDS\n"
        "from picograve_host.match.records import COLUMNS\n"
        "print(*FIELDS, *COLUMNS)"
    )
    assert {"player_sevenfold", "opponent_sevenfold", "sevenfold"} <= set(printed.split())


SETS = """
game = "ttt3"
games = 2
%s
[players.UCT]
search = "uct"
playouts = 30
[players.GRAVE]
search = "grave"
playouts = 20
"""
SETUPS = {
    "points": "opponent.search = 'uct'\nopponent.playouts = 10",
    "round robin": "round_robin = true",
}


@pytest.mark.parametrize("setup", SETUPS)
def test_a_new_figure_is_on_the_page_of_an_experiment(with_new_figure, setup, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(SETS % SETUPS[setup])
    for action in (["run", "--workers", "1"], ["report"]):
        words = ["lab", *action, str(file), "--out", str(tmp_path / "lab")]
        with_new_figure(
            "import picograve_host.cli as c\nif __name__ == '__main__': c.main(%r)" % words
        )
    page = (tmp_path / "lab" / "mine" / "report.md").read_text()
    table = page.partition("### What the searches report\n\n")[2].splitlines()
    names = [name.strip() for name in table[0].split("|")]
    sevenfold = {
        cells[1].strip(): cells[names.index("sevenfold, mean")].strip()
        for cells in (line.split("|") for line in table[2:4])
    }
    assert sevenfold == dict(UCT="210", GRAVE="140")
    figures = json.loads((tmp_path / "lab" / "mine" / "results.json").read_text())["figures"]
    assert 210 in [row.get("player", row)["sevenfold"] for row in figures]


def test_figures_over_games_are_told_as_the_store_keeps_them(tmp_path):
    with Store(tmp_path, write=True) as store:
        seat = dict(half_points=2, player_moves=4, player_playouts=100)
        figures = [
            dict(player_nodes_recycled=8, player_heap_free=700, player_depth=3),
            dict(player_nodes_recycled=2, player_heap_free=650, player_depth=4.5),
        ]
        store.add("k", {}, [dict(number=n, **seat, **row) for n, row in enumerate(figures)])
        assert figures_of(store, [("k", "player")], 2) == dict(
            nodes_recycled=1.25, heap_free=650, depth=3.75
        )


@pytest.mark.parametrize("search", ["uct", "alphabeta", "policy", "sarsa"])
def test_whole_numbers_give_the_value_that_the_result_has(search):
    searcher = open_search(load("ttt3"), Config(search), Budget())
    result = searcher.search()
    thought = thought_of(microseconds=1500, **result._asdict())
    assert thought.value == result.value
    assert thought.seconds == 0.0015
    assert all(isinstance(result._asdict()[name], int) for name in ("points", "weight", "scale"))
    assert result.visits[result.move] == result.weight


def test_records_of_a_match_hold_every_figure():
    assert set(COLUMNS) >= {"value", "seconds", *FIGURES, *MEASURED} == set(Thought._fields)


def thoughts(**figures):
    """Thoughts that have one value each of these lists."""
    rows = zip(*figures.values(), strict=True)
    return [thought_of(microseconds=500, **dict(zip(figures, row, strict=True))) for row in rows]


def test_what_a_players_searches_amount_to():
    sums = summed(
        thoughts(
            playouts=[10, 20],
            nodes_used=[9, 4],
            depth=[3, 4],
            choices=[{"E": 6, "Mp": 4}, {"E": 0, "Mp": 20}],
            heap_free=[700, 650],
        )
    )
    assert (sums["moves"], sums["playouts"], sums["seconds"]) == (2, 30, 0.001)
    assert (sums["nodes_used"], sums["heap_free"], sums["depth"]) == (9, 650, 3.5)
    assert json.loads(sums["choices"]) == {"E": 6, "Mp": 24}
    assert sums["playouts_saved"] is None


def test_the_store_keeps_the_columns_of_older_files(tmp_path):
    assert FIELDS[:20] == (
        "number", "half_points", "result", "moves", "values", "seconds",
        "player_moves", "player_playouts", "player_seconds", "player_nodes_used",
        "opponent_moves", "opponent_playouts", "opponent_seconds", "opponent_nodes_used",
        "error", "version",
        "player_choices", "player_depth", "opponent_choices", "opponent_depth",
    )  # fmt: skip
    assert len(set(FIELDS)) == len(FIELDS)
    with Store(tmp_path, write=True) as store:
        for field in FIELDS[20:]:
            store.database.execute('ALTER TABLE games DROP COLUMN "%s"' % field)
        store.database.execute("INSERT INTO games (key, number, half_points) VALUES ('k', 0, 2)")
        store.database.commit()
    with Store(tmp_path) as store:
        assert store.results("k", 1) == [2]
        assert store.column("k", 1, FIELDS[-1]) == []
    with Store(tmp_path, write=True) as store:
        store.add("k", {}, [{"number": 1, "half_points": 0, FIELDS[-1]: 5}])
        assert store.column("k", 2, FIELDS[-1]) == [5]
