"""`picograve bench`: C and boards play the same games, the report has what it promises."""

import json
import shutil
import sys

import pytest
from conftest import built
from picograve import Budget, Config, Searcher, load
from picograve.settings import VARIANTS
from picograve_host import cli
from picograve_host.bench import boards as bench_boards
from picograve_host.bench import builds, variants
from picograve_host.bench import chess as bench_chess
from picograve_host.bench import desktop as bench
from picograve_host.players.desktop import DesktopPlayer
from picograve_tools import emulator, micropython

FEW_TASKS = [("sample", "uniform"), ("grave", "mast"), ("graver2", "mast")]


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """Nothing is left in the user's cache. Not for boards: theirs takes minutes to fill."""
    monkeypatch.setenv("PICOGRAVE_CACHE", str(tmp_path))


@pytest.fixture
def program(cache):
    notes = []
    path = bench.c_program(notes)
    if not path:
        pytest.skip(notes[0])
    return path


@pytest.fixture
def small(monkeypatch, cache):
    """A benchmark that proves nothing, quickly."""
    monkeypatch.setattr(bench, "PLAYOUTS", {"numba": 200, bench.IN_C: 200, "cpython": 2})
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
    for search, policy in bench.tasks(load("go9")):
        for runtime in (
            ("numba", bench.IN_C, "cpython") if shutil.which("gcc") else ("numba", "cpython")
        ):
            assert ("%s, %s" % (search, policy), runtime) in rows
    for ratio in report["ratios"]:
        assert ratio["target"] == bench.TARGETS["go9"][ratio["name"]][-1]
    assert report["same_as_c"] is not False


def test_games_without_codes_have_rows_for_the_searches_that_need_none():
    rows = list(bench.tasks(load("cotg4")))
    assert {policy for _, policy in rows} == {"uniform"}
    assert {"uct", "uctr2", "tuned"} <= {search for search, _ in rows}
    assert not any("rave" in search for search, _ in rows)


def test_what_is_missing_is_named_and_left_out(small, monkeypatch, capsys):
    monkeypatch.setattr(bench.shutil, "which", lambda program: None)
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if not installed
    monkeypatch.setattr(bench, "tasks", lambda game: FEW_TASKS)
    assert cli.main(["bench", "--rounds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("no row for ") for line in lines) == 2
    assert sum(line.startswith("no column for kernels/c: ") for line in lines) == 1
    assert "pip install 'picograve[bench]'" in lines[-1]
    assert not any(line.startswith(("OpenSpiel", "uniform_over_c")) for line in lines)


def test_a_broken_compiler_is_one_line(monkeypatch, cache, tmp_path):
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
    monkeypatch.setattr(bench, "tasks", lambda game: FEW_TASKS)
    assert cli.main(["bench", "--rounds", "1"]) == 1
    assert "a bug" in capsys.readouterr().out


def test_another_game_has_its_heuristics_and_its_own_target(small, monkeypatch, capsys):
    monkeypatch.setattr(bench, "GUIDED", 100)
    monkeypatch.setitem(bench.PLAYOUTS, "cpython", 100)
    tasks = [("sample", "uniform"), ("sample", "WPC"), ("uct", "uniform")]
    monkeypatch.setattr(bench, "tasks", lambda game: tasks)
    assert cli.main(["bench", "--json", "--rounds", "1", "--game", "othello"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["scale"]["game"] == "othello"
    assert report["same_as_c"] is None
    assert [ratio["name"] for ratio in report["ratios"]] == ["uct_over_openspiel"]
    rows = {(rate["what"], rate["runtime"]): rate["playouts"] for rate in report["rates"]}
    assert rows["sample, WPC", "numba"] == 2
    assert rows["uct, uniform", "numba"] == 200


def test_chess_is_measured_beside_what_others_wrote(small, monkeypatch, capsys):
    monkeypatch.setattr(bench, "tasks", lambda game: [("sample", "uniform")])
    monkeypatch.setattr(bench_chess, "GAMES", 1)
    monkeypatch.setattr(bench_chess, "LENGTHS", 1)
    monkeypatch.setattr(bench_chess, "PERFT", 3)
    monkeypatch.setattr(bench_chess, "SAMPLE", (0, 10))
    assert cli.main(["bench", "--json", "--rounds", "1", "--game", "chess"]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = {(rate["what"], rate["runtime"]): rate["playouts"] for rate in report["rates"]}
    assert rows["plies, uniform", "numba"] > 20 * 50  # of 20 playouts
    assert 5 < rows["plies, python-chess", "cpython"] <= 100
    assert rows["uct, whole games", "numba"] == 20
    missing = {note.split()[3].rstrip(":") for note in report["notes"] if "no row" in note}
    expected = {
        "uct_over_openspiel": "OpenSpiel",
        "over_python_chess": "python-chess",
        "over_stockfish": "Stockfish",
    }
    measured = {name for name, other in expected.items() if other not in missing}
    assert {ratio["name"] for ratio in report["ratios"]} == measured


def test_stockfish_is_counted_by_the_positions_that_it_lists_moves_in():
    measure = bench_chess.stockfish([])
    if not measure:
        pytest.skip("stockfish is missing")
    program = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert bench_chess._ask(program, bench_chess._perft([start], 3))[0] == 8902


def test_variants_are_compared_with_plain_uct(monkeypatch, capsys):
    monkeypatch.setattr(variants, "PLAYOUTS", dict.fromkeys(variants.PLAYOUTS, 50))
    assert cli.main(["bench", "--variants", "--json", "--rounds", "1", "--game", "ttt3"]) == 0
    report = json.loads(capsys.readouterr().out)
    names = [row["variant"] for row in report["variants"]]
    assert names == [name for name in VARIANTS if name != "none"]
    assert report["variants"][0]["over_uct"] == 1
    assert all(row["per_second"] > 0 for row in report["variants"])
    assert cli.main(["bench", "--variants", "--rounds", "1", "--game", "ttt3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-len(names) :]] == names


def test_no_rounds_is_an_error(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["bench", "--rounds", "0"])
    assert capsys.readouterr().err.count("\n") == 1


# Boards.


@pytest.fixture
def small_boards(monkeypatch):
    monkeypatch.setattr(bench, "tasks", lambda game: FEW_TASKS)
    monkeypatch.setattr(bench_boards, "SIZES", {"grave": (10, 12), "graver2": (10, 30)})
    monkeypatch.setattr(bench_boards, "SAMPLE_PLAYOUTS", 4)
    monkeypatch.setattr(bench_boards, "PORTION", 2)
    monkeypatch.setattr(builds, "PLAYOUTS", {"unix": (3, 5), "rp2040": (1, 20)})


def report_of(board, capsys, *options):
    assert cli.main(["bench", "--only-boards", "--boards", board, "--json", *options]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report) == {"boards"}
    (of_board,) = report["boards"]
    return of_board


def check_rates(rates):
    assert [rate["what"] for rate in rates] == ["%s, %s" % task for task in FEW_TASKS]
    assert [rate["playouts"] for rate in rates] == [4, 12, 30]
    assert all(rate["per_second"] > 0 for rate in rates)
    hashes = [
        Searcher(load("go9"), Config(search, "paper", playouts=playouts), Budget(nodes=10))
        .search()
        .tree_hash
        for search, playouts in (("grave", 12), ("graver2", 30))
    ]
    assert [rate["tree_hash"] for rate in rates] == [None, *hashes]


def test_a_board_grows_the_trees_of_the_desktop(small_boards, unix_port, capsys):
    report = report_of("sim", capsys)
    check_rates(report["rates"])
    assert list(report["builds"]) == list(builds.BUILDS)
    assert len(report["ratios"]) == len(builds.RATIOS)
    for ratio in report["ratios"]:
        name, base = ratio["name"].split(" / ")
        expected = report["builds"][base] / report["builds"][name]
        assert ratio["value"] == pytest.approx(expected, abs=0.001)


def test_boards_are_the_columns_of_a_table(small_boards, unix_port, capsys):
    assert cli.main(["bench", "--only-boards", "--boards", "sim,sim-cpython"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = (line for line in lines if line.startswith("playouts per second"))
    assert head.split()[-2:] == ["sim", "sim-cpython"]
    assert any(line.startswith("graver2, mast, 30 playouts") for line in lines)
    (bytecode,) = (line for line in lines if line.startswith("bytecode"))
    assert len(bytecode.split()) == 2  # CPython has none


def test_a_board_is_measured_with_any_game(small_boards, unix_port, monkeypatch, capsys):
    tasks = [("sample", "uniform"), ("sample", "E"), ("graver2", "uniform")]
    monkeypatch.setattr(bench, "tasks", lambda game: tasks)
    report = report_of("sim", capsys, "--game", "hex5")
    assert [rate["playouts"] for rate in report["rates"]] == [4, 1, 30]
    config = Config("graver2", "paper", playouts=30, playout_policy="uniform")
    result = Searcher(load("hex5"), config, Budget(nodes=10)).search()
    assert report["rates"][-1]["tree_hash"] == result.tree_hash
    assert list(report["builds"]) == [name for name in builds.BUILDS if name != builds.BY_HAND]


def test_another_tree_than_the_desktops_fails_the_run(small_boards, monkeypatch, capsys):
    def other_seed(game, config, budget, seed):
        return DesktopPlayer(game, config, budget, seed + 1)

    monkeypatch.setattr(bench_boards, "DesktopPlayer", other_seed)
    assert cli.main(["bench", "--only-boards", "--boards", "sim-cpython"]) == 1
    errors = capsys.readouterr().err.splitlines()
    (line,) = (text for text in errors if text.startswith("picograve: "))
    assert "sim-cpython grows another tree" in line


def test_bytecode_is_free_of_native_code(tmp_path):
    builds.BUILDS[builds.BYTECODE](dict(arch="armv6m"), tmp_path, load("go9"))
    # The third byte of a .mpy file: above its two lowest bits, the architecture of native code.
    native = {path.name for path in tmp_path.rglob("*.mpy") if path.read_bytes()[2] >> 2}
    assert native == {"kernel.mpy"}  # which clears buffers, before any playout


def test_other_results_of_a_build_fail_the_run(small_boards, unix_port, monkeypatch, capsys):
    wrong = bench.Measure(3, 1.0, half_points=-1)
    monkeypatch.setattr(bench, "measure_sample", lambda searcher, playouts, seed: wrong)
    assert cli.main(["bench", "--only-boards", "--boards", "sim"]) == 1
    assert "bytecode: other results" in capsys.readouterr().err


@pytest.mark.parametrize("names", ["nothing", "sim,nothing", "sim,"])
def test_a_board_that_does_not_exist_is_refused_at_once(names, capsys):
    assert cli.main(["bench", "--boards", names]) == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1
    assert "no board or port called" in output.err
    assert not output.out


def test_only_boards_without_boards_is_an_error(capsys):
    assert cli.main(["bench", "--only-boards"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.pico
def test_native_code_on_the_chip_is_as_fast_as_promised(small_boards, capsys):
    for make in (micropython.rp2040_image, emulator.library, emulator.bootrom):
        built(make)
    report = report_of("pico-emulated", capsys)
    check_rates(report["rates"])
    targeted = [ratio for ratio in report["ratios"] if ratio["target"]]
    assert len(targeted) == 2
    for ratio in targeted:
        assert ratio["value"] >= ratio["target"], ratio["name"]  # in the chip's own cycles
