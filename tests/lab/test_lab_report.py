"""The report of an experiment, from games made up here; the pages are in lab_report/."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from test_cli import answer

STORED = Path(__file__).parent / "lab_report"
FILES = {
    "report.html", "report.md", "results.csv", "results.json", "plot.svg", "plot.png", "games.txt",
}  # fmt: skip
LAST = "## Machine and versions"  # from here on a page is of its machine

# Wins, draws, losses of the points in the file's order; None: no games yet.
RESULTS = [
    (12, 0, 28), (14, 2, 24),  # GRAVE², N = 10, λ = 0.4 and 0.5
    (16, 0, 24), (19, 2, 19),
    (40, 0, 0), None,
    (2, 0, 38), (9, 0, 31), (13, 0, 27),  # GRAVER
]  # fmt: skip
OF_ITSELF = (48, 4, 48)


def records(wins, draws, losses):
    for number, half_points in enumerate([2] * wins + [1] * draws + [0] * losses):
        yield dict(
            number=number,
            half_points=half_points,
            seconds=1.0,
            player_moves=4,
            player_playouts=400,
            player_seconds=0.05,
            opponent_moves=4,
            opponent_playouts=400,
            opponent_seconds=0.1,
        )


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the experiment; what is written goes to its folder `lab`."""
    shutil.copy(STORED / "small.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small(here):
    experiment = Experiment("small.toml")
    play(experiment, RESULTS)
    with Store("lab", write=True) as store:
        key, match = experiment.self_point.key, experiment.self_point.match
        store.add(key, match, records(*OF_ITSELF))
        point = experiment.points[-1]
        store.add(point.key, point.match, [dict(number=40, error="OSError: <i>\ngone")])
    return here


def play(experiment, results):
    with Store("lab", write=True) as store:
        for point, result in zip(experiment.points, results, strict=True):
            if result:
                store.add(point.key, point.match, records(*result))


def report(*options):
    assert main(["lab", "report", "small.toml", "--out", "lab", *options]) == 0


def text_of(name, folder="small"):
    return (Path("lab") / folder / name).read_bytes().decode()


def test_the_page_and_the_table_are_the_stored_ones(small):
    report()
    page, last, rest = text_of("report.md").partition(LAST)
    assert page + last + "\n" == (STORED / "report.md").read_text("utf-8")
    assert "picograve" in rest
    assert text_of("results.csv").encode() == (STORED / "results.csv").read_bytes()


def test_the_command_names_its_files_and_shows_the_table(small, capsys):
    report()
    lines = capsys.readouterr().out.splitlines()
    assert {Path(line).name for line in lines[: len(FILES)]} == FILES
    assert all(Path(line).is_file() for line in lines[: len(FILES)])
    assert lines[-1].startswith("GRAVER") and "40 (1 failed)" in lines[-1]


def test_json_is_what_the_file_has(small):
    data = answer("lab", "report", "small.toml", "--out", "lab")
    assert data == json.loads(text_of("results.json"))
    assert len(data["rows"]) == len(data["timing"]) == len(RESULTS)
    assert data["opponent"] == dict(
        search="grave", nodes=100, playouts=100, playout_policy="uniform"
    )
    assert data["opponent_against_itself"]["games"] == 100
    assert data["timing"][0]["opponent"] == 0.025


def test_json_has_numbers_that_every_program_reads(small):
    """Finding 17: of a point without games, and of one that was always won."""

    def refuse(constant):
        raise AssertionError(constant)  # NaN, Infinity

    report()
    rows = json.loads(text_of("results.json"), parse_constant=refuse)["rows"]
    assert {row["rate"] for row in rows} >= {None, 100.0}


def test_what_counts_as_equal_comes_from_all_games_of_the_opponent_against_itself(small):
    report("--games", "10")
    data = json.loads(Path("lab/small/results.json").read_text())
    assert data["opponent_against_itself"]["games"] == 100


def test_html_has_every_row_and_takes_names_as_text(small):
    report()
    page = text_of("report.html")
    assert "<b>" not in page and "<i>" not in page
    assert page.count("<td>GRAVE² &lt;b&gt;</td>") == 6 + 6  # points, and points taken together
    assert page.count("<td>GRAVER</td>") == 3 + 1
    assert page.count("<svg") == page.count("</svg>") == 1
    for address in ("src=", 'href="http', "@import", "url(http"):
        assert address not in page


def test_the_same_games_give_the_same_bytes(small):
    report()
    before = {name: (Path("lab/small") / name).read_bytes() for name in FILES}
    report()
    assert before == {name: (Path("lab/small") / name).read_bytes() for name in FILES}


def test_an_experiment_without_the_papers_figures_has_no_column_for_them(small):
    text = Path("small.toml").read_text("utf-8")
    Path("small.toml").write_text(text.replace("paper = [[", "# paper = [["), "utf-8")
    report()
    assert "paper %" in (STORED / "report.md").read_text("utf-8")
    assert "paper %" not in text_of("report.md")


def test_without_games_of_the_opponent_against_itself_there_is_no_column_of_verdicts(here, capsys):
    play(Experiment("small.toml"), RESULTS)
    report()
    assert "verdict" in (STORED / "report.md").read_text("utf-8")
    assert "verdict" not in text_of("report.md")
    assert "verdict" not in capsys.readouterr().out


def test_a_report_without_matplotlib_has_its_tables(small, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if not installed
    report()
    assert "pip install 'picograve[lab]'" in capsys.readouterr().err
    assert "| GRAVER |" in text_of("report.md")
    assert "plot.svg" not in text_of("report.md")


def test_points_without_games_are_blank(here):
    play(Experiment("small.toml"), [None] * 8 + [(1, 0, 1)])
    report()
    page = text_of("report.md")
    assert "| GRAVE² &lt;b> | 10 | 0.4 |  | 0 |  |  |  |  | 31.7 |" in page
    assert "No games of GRAVE against itself" in page
    assert page.count("here none measured") == 3
    assert "| 10 | (31.7) | (33.0) |" in page


def test_a_figure_a_move_is_left_out_where_nobody_told_the_moves(here):
    point = Experiment("small.toml").points[0]
    with Store("lab", write=True) as store:
        store.add(point.key, point.match, [dict(number=0, half_points=2, player_nodes_recycled=5)])
    report()


def test_games_can_be_counted_up_to_a_number(small):
    report("--games", "10")
    rows = json.loads(text_of("results.json"))["rows"]
    assert [row["games"] for row in rows] == [10] * 5 + [0] + [10] * 3


def test_a_row_that_the_sprt_decided_is_no_measurement(small):
    report("--sprt=-100,100")
    line = next(line for line in text_of("report.md").splitlines() if "| 40 | 0.4 |" in line)
    assert "| +100 Elo, decided by SPRT, not a measurement |" in line
    assert "decided by SPRT" in text_of("plot.svg")
    assert "picograve lab run small.toml --games 28 --sprt=-100,100" in text_of("report.md")


def test_scale_and_preset_have_a_folder_of_their_own(here):
    experiment = Experiment("small.toml", "paper", 0.25)
    play(experiment, RESULTS)
    report("--scale", "0.25", "--preset", "paper")
    page = text_of("report.md", "small-paper-x0.25")
    assert "playouts times 0.25; nodes of two-level searches times its square root" in page
    assert "in the paper (N = 10 at this scale)" in page  # GRAVE²: two levels
    assert "in the paper (N = 5 at this scale)" in page  # GRAVER: one
    assert "playout policy mast" in page


def test_another_seed_has_a_folder_of_its_own(here):
    play(Experiment("small.toml", seed=5), RESULTS)
    report("--seed", "5")
    assert "--seed=5" in text_of("report.md", "small-seed5")


def test_equal_from_somewhere_on_means_never_worse_again(small):
    # GRAVER, N = 10 to 40: worse, equal, worse; then also equal at 40.
    weaker, equal, extra = (2, 0, 38), (20, 0, 20), (21, 0, 19)
    for last, found in ((weaker, "here none measured"), (extra, "here from N = 20 on")):
        shutil.rmtree("lab")
        experiment = Experiment("small.toml")
        play(experiment, [None] * 6 + [weaker, equal, last])
        with Store("lab", write=True) as store:
            store.add(experiment.self_point.key, experiment.self_point.match, records(*OF_ITSELF))
        report()
        line = next(line for line in text_of("report.md").splitlines() if "GRAVER: equal" in line)
        assert found in line


def test_a_page_names_the_versions_that_played_its_own_games(small):
    with Store("lab", write=True) as store:
        store.database.execute("UPDATE games SET version = '0.0.9'")
        store.add("another", {}, records(1, 0, 0))
        store.database.commit()
    report()
    assert json.loads(text_of("results.json"))["versions"] == ["0.0.9"]


def test_a_page_tells_how_far_alpha_beta_looks(here):
    text = Path("small.toml").read_text("utf-8").partition("[opponent]")[0]
    text += '[opponent]\nsearch = "alphabeta"\npositions = 40000\n[players.A]\nsearch = "uct"\n'
    Path("small.toml").write_text(text, "utf-8")
    play(Experiment("small.toml"), [(1, 0, 1)])
    report()
    assert "against alpha-beta, depth 10, 40,000 positions at most." in text_of("report.md")


def test_each_key_of_the_plot_has_a_panel(here):
    text = Path("small.toml").read_text("utf-8")
    Path("small.toml").write_text(text.replace('x = "nodes"', 'x = ["nodes", "lambda"]'), "utf-8")
    play(Experiment("small.toml"), RESULTS)
    report()
    plot = text_of("plot.svg")
    for words in (">N, nodes<", ">λ, the second", ">GRAVE² &lt;b&gt;<", ">N = 40<"):
        assert words in plot


def test_a_plot_can_run_along_words(here):
    text = Path("small.toml").read_text("utf-8").partition("[players")[0]
    text += '[players.A]\nsearch = "graver2"\nnodes = 20\n'
    text += '[sweep]\nrecycling = ["top", "both"]\n[plot]\nx = "recycling"\n'
    Path("small.toml").write_text(text, "utf-8")
    play(Experiment("small.toml"), [(1, 0, 1), (2, 0, 0)])
    report()
    assert ">top<" in text_of("plot.svg")


def test_a_player_that_has_no_place_along_the_plot_is_a_level_with_its_name(here):
    text = Path("small.toml").read_text("utf-8").partition("[players")[0]
    text += '[players.A]\nsearch = "graver2"\n'
    text += '[players."a program"]\ngtp = "cat"\n'
    text += '[sweep]\nnodes = [20, 40]\n[plot]\nx = "nodes"\n'
    Path("small.toml").write_text(text, "utf-8")
    play(Experiment("small.toml"), [(1, 0, 1), (2, 0, 0), (1, 0, 3)])
    report()
    assert ">a program<" in text_of("plot.svg")


def test_without_a_plot_in_the_file_each_player_has_a_row(here):
    text = Path("small.toml").read_text("utf-8").partition("[plot]")[0]
    Path("small.toml").write_text(text, "utf-8")
    play(Experiment("small.toml"), RESULTS)
    report()
    assert ">GRAVER, N = 40<" in text_of("plot.svg")


def test_a_report_leaves_a_folder_that_cannot_be_written_as_it_is(small):
    Path("lab/small").mkdir()
    database = Path("lab/lab.sqlite")
    before = database.read_bytes()
    database.chmod(0o444)
    Path("lab").chmod(0o555)
    try:
        report()
    finally:
        Path("lab").chmod(0o755)
    assert database.read_bytes() == before
    assert {path.name for path in Path("lab/small").iterdir()} == FILES


def test_a_report_can_be_had_while_games_are_played(small):
    with Store("lab", write=True):
        report()


def test_a_report_that_cannot_be_written_is_a_line(small, capsys):
    Path("lab/small").write_text("in the way")
    assert main(["lab", "report", "small.toml", "--out", "lab"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("played", [False, True])
def test_no_games_at_all_is_bad_input(here, capsys, played):
    if played:  # but of another experiment
        point = Experiment("self", scale=0.01).points[0]
        with Store("lab", write=True) as store:
            store.add(point.key, point.match, records(1, 0, 0))
    assert main(["lab", "report", "small.toml", "--out", "lab"]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "lab yet: " in message
