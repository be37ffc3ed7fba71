"""What the GRAVE paper claims, beside the games: verdicts of points, and the page of all."""

import json
import shutil
from pathlib import Path

import pytest
from picograve import BadInput
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import claims, evidence
from picograve_host.lab.report.table import rows_of
from test_cli import answer

RESULTS = Path(__file__).parents[2] / "host/results"
EXPERIMENT = """
game = "ttt3"
[opponent]
search = "uct"
playouts = 100
[players."A, first"]
search = "uct2"
[players.B]
search = "graver2"
[sweep]
nodes = [40, 80, 160]
[checks]
claim = "%s"
"""
STRONG, WEAK, EVEN = ["22"] * 9 + ["20"], ["00"] * 9 + ["20"], ["20"] * 10


def verdict_of(check, *pairs):
    """What a check finds if the first of the six points have these pairs, each ten times."""
    Path("mine.toml").write_text(EXPERIMENT % check)
    experiment = Experiment("mine.toml", scale=0.25)  # nodes are half as many there
    shutil.rmtree("lab", ignore_errors=True)
    with Store("lab", write=True) as store:
        for point, played in zip(experiment.points, pairs, strict=False):
            records = [
                dict(number=number, half_points=int(half_points))
                for number, half_points in enumerate("".join(played) * 10)
            ]
            store.add(point.key, point.match, records)
        rows = rows_of(experiment, store, 1000)
    (found,) = (claims.find_points(*item, rows) for item in experiment.point_checks.items())
    return found.verdict, found.games


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "check,verdict,games",
    [
        ("A, first at nodes 40 is equal", claims.CONFIRMED, 200),
        ("A, first at nodes 80 is equal", claims.REFUTED, 200),
        ("A, first at nodes 80 is weaker", claims.CONFIRMED, 200),
        ("A, first at nodes 160 is equal", claims.CONFIRMED, 200),
        ("B at nodes 80 is equal", claims.UNDECIDED, 0),
        ("A, first at nodes 40 beats A, first at nodes 80", claims.CONFIRMED, 400),
        ("A, first at nodes 80 beats A, first at nodes 40", claims.REFUTED, 400),
        ("A, first at nodes 160 beats B at nodes 40", claims.UNDECIDED, 400),
        ("A, first at nodes 160 is as good as B at nodes 40", claims.CONFIRMED, 400),
        ("A, first at nodes 40 is as good as B at nodes 40", claims.REFUTED, 400),
        ("A, first at nodes 80 is no better than B at nodes 40", claims.CONFIRMED, 400),
        ("A, first at nodes 40 is no better than B at nodes 40", claims.REFUTED, 400),
        ("A, first at nodes 40 to 80 is as good as B at nodes 40", claims.UNDECIDED, 600),
        ("A, first at nodes 40 is equal; A, first at nodes 80 is weaker", claims.CONFIRMED, 400),
        ("A, first at nodes 40 is equal; A, first at nodes 40 is weaker", claims.REFUTED, 200),
        ("A, first at nodes 40 is equal; B at nodes 80 is equal", claims.UNDECIDED, 200),
    ],
)
def test_a_claim_of_points_is_confirmed_refuted_or_undecided(here, check, verdict, games):
    assert verdict_of(check, STRONG, WEAK, EVEN, EVEN) == (verdict, games)


@pytest.mark.parametrize(
    "check,fault",
    [
        ("A is equal", "no point is A"),
        ("B at nodes 41 is equal", "no point is B at nodes 41"),
        ("B at many nodes is equal", "is not as nodes 200"),
        ("B wins", "is not as A at nodes 200 is equal"),
        ("B beats", "is not as A at nodes 200 is equal"),
        ("B is equal B", "is not as A at nodes 200 is equal"),
    ],
)
def test_a_check_that_cannot_be_is_refused_with_its_line(here, check, fault):
    with pytest.raises(BadInput, match=r"mine.toml, line 13: .*" + fault):
        verdict_of(check)


def test_the_page_of_claims_is_what_the_recorded_data_give():
    page = evidence.page(evidence.recorded(RESULTS))
    told = "run: picograve lab claims host/results"
    assert page == (RESULTS / evidence.FILE).read_text("utf-8"), told


def test_every_claim_has_a_verdict_and_the_games_behind_it():
    found = answer("lab", "claims", str(RESULTS))
    assert {one["verdict"] for one in found} <= {
        claims.CONFIRMED, claims.REFUTED, claims.UNDECIDED,
    }  # fmt: skip
    experiments = ("headline", "fig3", "fig4", "table1", "fig5", "fig6")
    told = {claim for name in experiments for claim in Experiment(name).point_checks}
    assert told == {one["claim"] for one in found}
    assert all(one["games"] for one in found)


def test_the_page_follows_its_data(tmp_path):
    shutil.copytree(RESULTS / "headline", tmp_path / "headline")
    shutil.copytree(RESULTS / "self", tmp_path / "self")
    assert main(["lab", "claims", str(tmp_path)]) == 0
    before = (tmp_path / evidence.FILE).read_text("utf-8")
    file = tmp_path / "headline/results.json"
    data = json.loads(file.read_text("utf-8"))
    data["rows"][0].update(wins=500, draws=0, losses=0, games=500)
    file.write_text(json.dumps(data), "utf-8")
    assert main(["lab", "claims", str(tmp_path)]) == 0
    now = (tmp_path / evidence.FILE).read_text("utf-8")
    assert now.count("**confirmed**, [500 games]") == before.count("[500 games]") + 1


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: 7, lambda data: [], lambda data: {}, lambda data: {**data, "rows": 7},
        lambda data: {**data, "rows": [7] * len(data["rows"])}, lambda data: {**data, "seed": "1"},
        lambda data: {**data, "rows": [{**row, "rate": "x"} for row in data["rows"]]},
        lambda data: {**data, "rows": [{**row, "pairs": [1]} for row in data["rows"]]},
    ],
)  # fmt: skip
def test_a_report_that_cannot_be_is_one_line(tmp_path, capsys, harm):
    (tmp_path / "headline").mkdir()
    data = json.loads((RESULTS / "headline/results.json").read_text("utf-8"))
    (tmp_path / "headline/results.json").write_text(json.dumps(harm(data)), "utf-8")
    assert main(["lab", "claims", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "is not as a report has it" in told and told.count("\n") == 1


def test_a_folder_without_reports_is_one_line(tmp_path, capsys):
    assert main(["lab", "claims", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
