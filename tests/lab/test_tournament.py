"""Round robins and players that play themselves: small real games, and games made up here."""

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.games import play_games
from picograve_host.lab.play.store import FIELDS, Store
from picograve_host.lab.report import choices, claims, table, tournament
from test_cli import answer

ROUND_ROBIN = """\
title = "Three of tic-tac-toe"
source = "made up"
game = "ttt3"
games = 8
preset = "uniform"
round_robin = true

[players.strong]
search = "uct"
playouts = 200
paper = 70
paper_draw = 12.5

[players.weak]
search = "uct"
playouts = 2

[players.other]
search = "grave"
playouts = 30
"""

ITSELF = """\
title = "Tic-tac-toe against itself"
game = "ttt3"
opponent = "itself"
preset = "uniform"

[players.UCT]
search = "uct"
playouts = 20

[sweep]
game = ["ttt3", "ttt4"]

[plot]
outcomes = true
"""

OLDER = FIELDS[: FIELDS.index("version") + 1]  # the columns of picograve 0.2


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with both experiments; games go to its folder `lab`."""
    (tmp_path / "robin.toml").write_text(ROUND_ROBIN, "utf-8")
    (tmp_path / "itself.toml").write_text(ITSELF, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(experiment, numbers):
    """Play these games of every point and record them."""
    with Store("lab", write=True) as store:
        for point in experiment.points:
            store.add(point.key, point.match, play_games(point.match, numbers))


def rows_of(experiment, count):
    shown = tournament if experiment.round_robin else table
    with Store("lab") as store:
        return shown.rows_of(experiment, store, count)


def add(points, **figures):
    """Record made-up games: `points` has the half points of each pair's player."""
    experiment = Experiment("robin.toml")
    with Store("lab", write=True) as store:
        for point, results in zip(experiment.points, points, strict=True):
            records = [
                dict(number=number, half_points=half_points, **figures)
                for number, half_points in enumerate(results)
            ]
            store.add(point.key, point.match, records)
    return experiment


# --- the table


def test_a_round_robin_ranks_its_players_by_their_wins_over_all_pairs(here):
    experiment = Experiment("robin.toml")
    play(experiment, range(8))
    rows = rows_of(experiment, 8)
    assert {row["player"] for row in rows} == {"strong", "weak", "other"}
    assert rows[0]["player"] == "strong"
    assert [row["won"] for row in rows] == sorted((row["won"] for row in rows), reverse=True)
    for row in rows:
        assert row["games"] == 16 == row["wins"] + row["draws"] + row["losses"]
        assert row["low"] <= row["won"] <= row["high"]
        assert row["won"] == round(100 * row["wins"] / 16, 1)
        assert sum(pair["wins"] for pair in row["against"].values()) == row["wins"]


def test_what_one_wins_the_other_loses(here):
    experiment = Experiment("robin.toml")
    play(experiment, range(8))
    rows = {row["player"]: row for row in rows_of(experiment, 8)}
    for name, row in rows.items():
        for other, mine in row["against"].items():
            theirs = rows[other]["against"][name]
            assert (mine["wins"], mine["draws"], mine["losses"]) == (
                theirs["losses"],
                theirs["draws"],
                theirs["wins"],
            )
            assert mine["points"] + theirs["points"] == pytest.approx(100, abs=0.11)


CHECKS = """
[checks]
"strong is first" = "strong ahead of *"
"all beat weak" = "* beat weak"
"weak beats strong" = "weak beats strong"
"other is level with nobody" = "other beats strong, weak"
"all are level" = "* level with *"
"strong beats weak more than other" = "strong beats weak more than other"
"other beats weak more than strong" = "other beats weak more than strong"
"""


@pytest.mark.parametrize(
    "won,verdicts",
    [
        (40, ["confirmed"] * 2 + ["refuted"] * 3 + ["undecided", "confirmed"]),
        (3, ["undecided"] * 4 + ["refuted", "undecided", "confirmed"]),
    ],
)
def test_claims_are_confirmed_refuted_or_undecided_by_intervals(here, won, verdicts):
    """Strong wins them all, then other: of 40 games that is plain, of 3 it is not."""
    (here / "robin.toml").write_text(ROUND_ROBIN + CHECKS, "utf-8")
    experiment = Experiment("robin.toml")
    order = ["strong", "other", "weak"]
    add(
        [
            [2 if order.index(point.label) < order.index(point.against) else 0] * won
            for point in experiment.points
        ]
    )
    found = [
        claims.find(claim, check, rows_of(experiment, won))
        for claim, check in experiment.checks.items()
    ]
    assert [finding.verdict for finding in found] == verdicts
    compared = [finding.holds + finding.open + finding.contradicted for finding in found]
    assert compared == [2, 2, 1, 2, 3, 1, 1]
    assert [finding.games // won for finding in found] == [3, 2, 1, 2, 3, 2, 2]
    answer("lab", "report", "robin.toml", "--games", str(won), "--out", "lab")
    report = (here / "lab" / "robin" / "report.md").read_text("utf-8")
    assert "| strong is first | %s |" % verdicts[0] in report


@pytest.mark.parametrize(
    "check,fault",
    [
        ('"a" = "strong is better"', "'strong is better' is not as A, B ahead of C"),
        ('"a" = "strong beats nobody"', "no player called nobody; there are strong, weak, other"),
        ('"a" = 3', "a check is a text, not 3"),
    ],
)
def test_a_check_that_cannot_be_read_is_refused_with_its_line(here, check, fault, capsys):
    (here / "robin.toml").write_text(ROUND_ROBIN + "[checks]\n" + check + "\n", "utf-8")
    assert main(["lab", "run", "robin.toml"]) == 2
    line = ROUND_ROBIN.count("\n") + 2
    assert "robin.toml, line %d: %s" % (line, fault) in capsys.readouterr().err


TWO_GAMES = """
[sweep]
game = ["ttt3", "ttt4"]

[checks]
"strong is first" = "strong ahead of *"
"weak is first in the second" = "weak ahead of * in ttt4"
"""


def test_a_round_robin_of_several_games_counts_them_together_and_each_by_itself(here):
    """Strong wins all games of the first, weak all of the second."""
    (here / "robin.toml").write_text(ROUND_ROBIN + TWO_GAMES, "utf-8")
    experiment = Experiment("robin.toml")
    assert [point.at["game"] for point in experiment.points] == ["ttt3"] * 3 + ["ttt4"] * 3
    first = {"ttt3": "strong", "ttt4": "weak"}
    add([[1 + _sign(point, first[point.at["game"]])] * 40 for point in experiment.points])
    rows = {row["player"]: row for row in rows_of(experiment, 40)}
    assert {row["games"] for row in rows.values()} == {160}
    assert rows["strong"]["against"]["weak"]["wins"] == 40
    assert {name: row["by_game"]["ttt4"]["won"] for name, row in rows.items()} == {
        "strong": 0, "weak": 100, "other": 0,
    }  # fmt: skip
    verdicts = [
        claims.find(claim, check, list(rows.values())) for claim, check in experiment.checks.items()
    ]
    assert [found.verdict for found in verdicts] == ["undecided", "confirmed"]
    assert [found.games for found in verdicts] == [240, 120]
    answer("lab", "report", "robin.toml", "--games", "40", "--out", "lab")
    report = (here / "lab" / "robin" / "report.md").read_text("utf-8")
    assert "| weak | 0.0 (0.0 to 5.5) | 100.0 (94.5 to 100.0) |" in report


def _sign(point, winner):
    """1 if the player wins, -1 if the opponent does."""
    return (point.label == winner) - (point.against == winner)


@pytest.mark.parametrize(
    "lines,fault",
    [
        ("sweep.nodes = [3, 4]\n", "a round robin sweeps nothing but game"),
        ('[checks]\na = "strong ahead of weak in ttt4"\n', "no game called ttt4 is swept"),
        ('[checks]\na = "strong beats weak in ttt3"\n', "in one game, a player is ahead"),
    ],
)
def test_a_round_robin_sweeps_games_alone_and_checks_name_one_of_them(here, lines, fault, capsys):
    text = ROUND_ROBIN.replace("\n[players.strong]", lines + "\n[players.strong]", 1)
    if lines.startswith("["):
        text = ROUND_ROBIN + lines
    (here / "robin.toml").write_text(text, "utf-8")
    assert main(["lab", "run", "robin.toml"]) == 2
    assert fault in capsys.readouterr().err


def test_a_run_that_goes_on_ends_with_the_table_of_one_that_was_not_stopped(here):
    whole = answer("lab", "run", "robin.toml", "--out", "whole", "--workers", "1")
    part = ("lab", "run", "robin.toml", "--out", "lab", "--workers", "1")
    assert answer(*part, "--games", "3")[0]["games"] == 6
    assert answer(*part) == whole
    assert answer(*part) == whole  # and nothing is played again
    assert all(row["games"] == 16 for row in whole)


def test_the_seat_of_a_player_does_not_matter_to_its_row(here):
    experiment = add([[2, 2, 1], [2, 2, 1], [2, 2, 1]])
    rows = {row["player"]: row for row in rows_of(experiment, 3)}
    for point in experiment.points:
        assert rows[point.label]["against"][point.against] == dict(
            games=3, wins=2, draws=1, losses=0, points=83.3
        )
        assert rows[point.against]["against"][point.label] == dict(
            games=3, wins=0, draws=1, losses=2, points=16.7
        )


def test_failed_games_and_pairs_without_games_are_told(here):
    experiment = add([[2, 0], [], []])
    point = experiment.points[0]
    with Store("lab", write=True) as store:
        store.add(point.key, point.match, [dict(number=2, error="OSError: gone")])
    rows = {row["player"]: row for row in rows_of(experiment, 8)}
    (absent,) = set(rows) - {point.label, point.against}
    assert rows[absent]["games"] == 0
    assert rows[absent]["won"] is rows[absent]["low"] is None
    assert [rows[name]["failed"] for name in (point.label, point.against)] == [1, 1]
    text = tournament.as_text(experiment, rows_of(experiment, 8))
    assert "2 (1 failed)" in text
    assert main(["lab", "report", "robin.toml", "--out", "lab"]) == 0


@pytest.mark.parametrize("name", ["robin", "itself"])
def test_sprt_is_refused_where_there_is_no_opponent(here, capsys, name):
    for action in ("run", "report"):
        assert main(["lab", action, name + ".toml", "--out", "lab", "--sprt=-20,20"]) == 2
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        assert "--sprt" in message and name in message


# --- the report


def test_the_report_has_the_ranking_the_papers_figures_and_who_beat_whom(here):
    add([[2, 1, 0, 2]] * 3, player_moves=4, player_seconds=0.2, opponent_moves=4)
    assert main(["lab", "report", "robin.toml", "--out", "lab"]) == 0
    page = Path("lab/robin/report.md").read_text("utf-8")
    (strong,) = [line for line in page.splitlines() if line.startswith("| strong | 8 |")]
    assert "| 70.0 | 12.5 | 17.5 |" in strong
    assert "### Who against whom" in page
    assert "4 games per pair" in page
    assert "choices" not in page
    rows = list(csv.DictReader(io.StringIO(Path("lab/robin/results.csv").read_text("utf-8"))))
    data = json.loads(Path("lab/robin/results.json").read_text("utf-8"))
    assert [row["player"] for row in rows] == [row["player"] for row in data["rows"]]
    for row, full in zip(rows, data["rows"], strict=True):
        for other, pair in full["against"].items():
            assert float(row["against " + other]) == pair["points"]
        assert row["against " + row["player"]] == ""
    assert ">strong<" in Path("lab/robin/plot.svg").read_text("utf-8")
    assert {tuple(times) for times in data["timing"]} == {("a_move", "a_game")}


# --- what a player that switches has chosen


def test_boxes_are_of_the_shares_that_each_game_gave_to_a_policy(here):
    experiment = Experiment("robin.toml")
    counts = [dict(E=1, Mp=3), dict(E=1, Mp=1), dict(E=0, Mp=5)]
    with Store("lab", write=True) as store:
        for point in experiment.points:
            seat = {point.label: "player", point.against: "opponent"}.get("strong")
            records = [
                {"number": number, "half_points": 2, "%s_choices" % seat: json.dumps(count)}
                for number, count in enumerate(counts if seat else [])
            ]
            store.add(point.key, point.match, records)
    with Store("lab") as store:
        shares = choices.shares_of(experiment, store, 8)
    assert shares == dict(strong=dict(E=[0.25, 0.5, 0] * 2, Mp=[0.75, 0.5, 1] * 2))
    of_e, of_mp = choices.summary(shares)
    assert (of_e["policy"], of_e["games"]) == ("E", 6)
    assert [of_e[name] for name in ("least", "median", "most", "mean")] == [0, 25, 50, 25]
    assert [of_mp[name] for name in ("least", "median", "most", "mean")] == [50, 75, 100, 75]


def test_the_report_draws_the_choices(here):
    add([[2, 0]] * 3, player_choices='{"E": 3, "Mp": 1}', opponent_depth=5.5)
    before = None
    for _ in range(2):
        assert main(["lab", "report", "robin.toml", "--out", "lab"]) == 0
        drawn = Path("lab/robin/choices.svg").read_bytes()
        assert before in (None, drawn)
        before = drawn
    assert Path("lab/robin/choices.png").is_file()
    assert b">Mp<" in drawn
    page = Path("lab/robin/report.md").read_text("utf-8")
    assert "![](choices.svg)" in page
    assert page.count("| Mp | 2 | 25.0 |") + 2 * page.count("| Mp | 4 | 25.0 |") == 3  # pairs
    assert "| depth |" in page and "| 5.5 |" in page
    assert Path("lab/robin/report.html").read_text("utf-8").count("<svg") == 3


def test_the_report_has_a_heat_map_of_a_rows_points_against_a_column(here):
    add([[2, 1], [2, 2], [0, 1]])
    before = None
    for _ in range(2):
        assert main(["lab", "report", "robin.toml", "--out", "lab"]) == 0
        drawn = Path("lab/robin/heatmap.svg").read_bytes()
        assert before in (None, drawn)
        before = drawn
    for share in (b">75<", b">25<", b">100<"):
        assert share in drawn
    assert "![](heatmap.svg)" in Path("lab/robin/report.md").read_text("utf-8")


def test_a_file_of_games_from_before_there_were_choices_is_read_and_goes_on(here):
    experiment = Experiment("robin.toml")
    Path("lab").mkdir()
    old = sqlite3.connect("lab/lab.sqlite")
    columns = ", ".join('"%s"' % field for field in OLDER)
    old.execute("CREATE TABLE matches (key TEXT PRIMARY KEY, definition TEXT NOT NULL)")
    old.execute("CREATE TABLE games (key TEXT NOT NULL, %s, PRIMARY KEY (key, number))" % columns)
    for point in experiment.points:
        old.execute(
            "INSERT INTO games (key, number, half_points, version) VALUES (?, 0, 2, '0.2')",
            (point.key,),
        )
    old.commit()
    old.close()
    assert main(["lab", "report", "robin.toml", "--out", "lab"]) == 0
    assert all(row["games"] == 2 for row in rows_of(experiment, 8))
    play(experiment, [0, 1])
    assert all(row["games"] == 4 for row in rows_of(experiment, 8))
    with Store("lab") as store:
        assert store.results(experiment.points[0].key, 1) == [2]  # the old one stays


# --- against itself, on several boards


def test_a_player_that_plays_itself_has_the_wins_of_who_moves_first(here):
    experiment = Experiment("itself.toml")
    with Store("lab", write=True) as store:
        for point in experiment.points:
            records = [
                dict(number=number, half_points=half_points)
                for number, half_points in enumerate([2, 0, 2, 2, 1])
            ]
            store.add(point.key, point.match, records)
    for row in rows_of(experiment, 5):
        # The player moves first in games 0, 2 and 4; it loses game 1, which the first wins.
        assert (row["wins"], row["draws"], row["losses"]) == (3, 1, 1)
        assert row["rate"] == 70.0
        assert row["verdict"] is None


def test_games_against_itself_are_played_on_every_board_and_drawn(here, capsys):
    experiment = Experiment("itself.toml")
    play(experiment, range(4))
    rows = rows_of(experiment, 4)
    assert [(row["game"], row["games"], row["failed"]) for row in rows] == [
        ("ttt3", 4, 0),
        ("ttt4", 4, 0),
    ]
    assert rows[0]["bytes_total"] < rows[1]["bytes_total"]
    assert main(["lab", "report", "itself.toml", "--out", "lab"]) == 0
    assert "first won %" in capsys.readouterr().out
    page = Path("lab/itself/report.md").read_text("utf-8")
    assert "On ttt3, ttt4, against itself." in page
    plot = Path("lab/itself/plot.svg").read_text("utf-8")
    for words in (">ttt3<", ">ttt4<", ">first won<", ">second won<"):
        assert words in plot


def test_lines_along_games_keep_the_order_of_the_file(here):
    text = ITSELF.replace("outcomes = true", 'x = "game"').replace(
        '"ttt3", "ttt4"', '"ttt10", "ttt3"'
    )
    Path("itself.toml").write_text(text, "utf-8")
    play(Experiment("itself.toml"), range(2))
    assert main(["lab", "report", "itself.toml", "--out", "lab"]) == 0
    plot = Path("lab/itself/plot.svg").read_text("utf-8")
    assert plot.index(">ttt10<") < plot.index(">ttt3<")


def test_a_scaled_report_says_who_is_not_scaled(here):
    text = ROUND_ROBIN.replace('search = "grave"\nplayouts = 30', "openspiel = 30")
    Path("robin.toml").write_text(text, "utf-8")
    experiment = Experiment("robin.toml", scale=0.5)
    with Store("lab", write=True) as store:
        for point in experiment.points:
            store.add(point.key, point.match, [dict(number=0, half_points=2)])
    assert main(["lab", "report", "robin.toml", "--out", "lab", "--scale", "0.5"]) == 0
    page = Path("lab/robin-x0.5/report.md").read_text("utf-8")
    assert "other programs, are at full size" in page
