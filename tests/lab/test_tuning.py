"""`lab tune`: what is tried, who stays, and that the confirmation has games of its own."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from picograve import BadInput
from picograve_host import cli
from picograve_host.cli.options import game_of, player_of
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.resolve import resolve_search
from picograve_host.lab.plan.source import shipped
from picograve_host.lab.plan.tuning import Tuning
from picograve_host.lab.play.games import SEATS, play_games, seed_of
from picograve_host.lab.play.rounds import ranked, rounds, winner_of
from picograve_host.lab.play.store import Store
from picograve_host.lab.report import tuned

pytestmark = pytest.mark.usefixtures("commands_in_c")

FILE = """\
game = "ttt3"
seed = 7
preset = "uniform"

[opponent]
search = "uct"
playouts = 50

[players.A]
search = "graver"
playouts = 5
bytes = 3000

[tune]
"""
TWO = "playouts = [1, 200]\ngames = 8\nconfirm = 40\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes a file with this [tune] and tells its name."""
    monkeypatch.chdir(tmp_path)

    def write(tune, **changes):
        text = FILE + tune
        for before, after in changes.items():
            text = text.replace(before, after)
        Path("mine.toml").write_text(text, "utf-8")
        return "mine.toml"

    return write


def tuning_of(name, **given):
    return Tuning(Experiment(name), **given)


def record(store, point, results):
    records = [dict(number=number, half_points=half) for number, half in enumerate(results)]
    store.add(point.key, point.match, records)


def played_here(tuning, store):
    """All rounds and the confirmation, without workers: their games' (match, number)."""
    played = []

    def play(field, games):
        for point in field:
            missing = sorted(set(range(games)) - store.numbers(point.key))
            store.add(point.key, point.match, play_games(point.match, missing))
            played.extend((point.match, number) for number in missing)

    for one in rounds(tuning, store):
        play(one.field, one.games)
    chosen = len(played)
    last = tuned.confirmation(tuning, winner_of(tuning, store))
    play(last.field, last.games)
    return played[:chosen], played[chosen:]


# --- what is tried


def test_every_combination_is_tried_beside_the_starting_point(write):
    tuning = tuning_of(write("bias = [0.02, 0.1]\nref = [0, 9, 25]\n"))
    assert tuning.start.key == tuning.experiment.points[0].key
    assert tuning.start.at == dict(bias=0.01, ref=25)
    assert [point.at for point in tuning.tries] == [
        dict(bias=bias, ref=ref) for bias in (0.02, 0.1) for ref in (0, 9, 25)
    ]
    for point in tuning.tries:
        assert point.match["player"]["bias"] == point.at["bias"]


def test_the_starting_point_is_not_tried_twice(write):
    tuning = tuning_of(write("bias = [0.01, 0.1]\n"))
    assert [point.at for point in tuning.field] == [dict(bias=0.01), dict(bias=0.1)]


def test_the_seed_draws_as_many_combinations_as_are_asked_for(write):
    name = write("bias = [0.02, 0.03, 0.04, 0.05]\nref = [1, 2, 3, 4]\n")
    few, more = tuning_of(name, tries=5), tuning_of(name, tries=9)
    by_seed = Tuning(Experiment(name, seed=8), tries=5)
    assert (len(few.tries), len(more.tries), few.combinations) == (5, 9, 16)
    keys = [point.key for point in more.tries]
    assert [point.key for point in few.tries if point.key not in keys] == []
    assert [point.at for point in by_seed.tries] != [point.at for point in few.tries]
    assert [point.key for point in tuning_of(name, tries=5).tries] == [p.key for p in few.tries]


def test_bytes_nodes_and_tables_are_tuned_as_settings_are(write):
    by_bytes = tuning_of(write("bytes = [2000, 4000]\ntables = [3, 5]\n"))
    assert len(by_bytes.tries) == 4
    for point in by_bytes.tries:
        assert point.at["bytes"] - 200 < by_bytes.bytes_of(point) <= point.at["bytes"]
        assert point.match["player"]["tables"] == point.at["tables"]
    by_nodes = tuning_of(write("nodes = [9, 19]\n", **{"bytes = 3000\n": ""}))
    assert [point.match["player"]["nodes"] for point in by_nodes.tries] == [9, 19]


def test_a_setting_that_a_combination_does_not_use_is_no_part_of_it(write):
    tune = (
        'playout_policy = ["uniform", "mast"]\nepsilon = [0.1, 0.4]\nsearch = ["graver", "uctr"]\n'
    )
    tuning = tuning_of(write(tune))
    assert [point.at for point in tuning.field] == [
        dict(search="graver", playout_policy="uniform"),
        dict(search="uctr", playout_policy="uniform"),
        *(
            dict(playout_policy="mast", epsilon=epsilon, search=search)
            for epsilon in (0.1, 0.4)
            for search in ("graver", "uctr")
        ),
    ]


def test_a_budget_that_holds_no_search_is_left_out(write):
    tuning = tuning_of(write("bytes = [100, 2000]\n"))
    assert [point.at for point in tuning.tries] == [dict(bytes=2000)]
    ((at, reason),) = tuning.skipped
    assert at == dict(bytes=100)
    assert "needs at least" in reason


@pytest.mark.parametrize("name", [name for name in shipped() if Experiment(name).tune])
def test_what_ships_fits_its_bytes(name):
    tuning = tuning_of(name)
    assert not tuning.skipped
    for point in tuning.field:
        assert tuning.bytes_of(point) <= tuning.entry["bytes"]


# --- who stays


def test_the_better_half_goes_on_and_plays_twice_as_many_games(write):
    tuning = tuning_of(write("ref = [1, 2, 3, 4]\ngames = 2\n"))
    with Store("lab", write=True) as store:
        for point, wins in zip(tuning.field, (0, 4, 3, 8, 2), strict=True):
            record(store, point, [2] * wins + [0] * (8 - wins))
        seen = [
            ([point.at["ref"] for point in one.field], one.games) for one in rounds(tuning, store)
        ]
        # After 2 games all but the start have won all; then 4 games tell, then 8.
        assert seen == [([25, 1, 2, 3, 4], 2), ([1, 2, 3], 4), ([1, 3], 8)]
        assert winner_of(tuning, store).at == dict(ref=3)


def test_a_field_may_be_narrowed_faster(write):
    tuning = tuning_of(write("ref = [1, 2, 3, 4, 5, 6, 7, 8]\ngames = 2\nnarrow = 4\n"))
    with Store("lab", write=True) as store:
        sizes = [(len(one.field), one.games) for one in rounds(tuning, store)]
    assert sizes == [(9, 2), (3, 8)]


def test_of_equals_the_one_with_fewer_bytes_is_ahead_then_the_first(write):
    tuning = tuning_of(write("bytes = [4000, 2000]\nref = [1, 2]\n"))
    with Store("lab", write=True) as store:
        for point in tuning.tries:
            record(store, point, [2, 0])
        best = ranked(tuning, store, tuning.field, 2)
    assert [tuple(point.at.values()) for point in best] == [
        (2000, 1), (2000, 2), (4000, 1), (4000, 2), (3000, 25),
    ]  # fmt: skip  # the start has no games


def test_the_plainly_better_of_two_is_found_and_confirmed(write):
    tuning = tuning_of(write(TWO))
    options = cli.make_parser().parse_args(["lab", "tune", "mine.toml"])
    with Store("lab", write=True) as store:
        played_here(tuning, store)
        found = tuned.gather(tuning, store, options)
    assert found.winner.at == dict(playouts=200)
    winner, start = found.confirmation
    assert winner["rate"] > start["rate"]
    assert (winner["games"], start["games"]) == (40, 40)
    assert found.gain.rate == pytest.approx((winner["rate"] - start["rate"]) / 100, abs=0.001)
    assert tuned.verdict(found.gain) == tuned.BETTER


def test_the_confirmation_has_seeds_that_no_round_used(write):
    tuning = tuning_of(write(TWO))
    with Store("lab", write=True) as store:
        in_rounds, fresh = played_here(tuning, store)
    seeds = [
        {seed_of(*game, seat) for game in games for seat in SEATS} for games in (in_rounds, fresh)
    ]
    assert len(seeds[1]) == 2 * 2 * 20  # two players a match, two matches, 20 pairs of games
    assert seeds[0] & seeds[1] == set()


def test_a_starting_point_that_stays_ahead_is_confirmed_alone(write):
    tuning = tuning_of(write("ref = [1, 2]\ngames = 2\nconfirm = 4\n"))
    options = cli.make_parser().parse_args(["lab", "tune", "mine.toml"])
    with Store("lab", write=True) as store:
        record(store, tuning.start, [2] * 4)
        for point in tuning.tries:
            record(store, point, [0] * 4)
        record(store, tuning.fresh(tuning.start), [2, 0, 2, 0])
        found = tuned.gather(tuning, store, options)
    assert found.gain is None
    assert [row["rate"] for row in found.confirmation] == [50]
    assert "keep it" in tuned.conclusion(found)


def test_a_winner_that_the_confirmation_does_not_bear_out_is_called_so(write):
    tuning = tuning_of(write("ref = [1]\ngames = 2\nconfirm = 40\n"))
    options = cli.make_parser().parse_args(["lab", "tune", "mine.toml"])
    (better,) = tuning.tries
    for wins, said in ((20, "shows no difference"), (2, "it is worse")):
        with Store("lab-%d" % wins, write=True) as store:
            record(store, tuning.start, [0, 0])
            record(store, better, [2, 2])
            record(store, tuning.fresh(tuning.start), [2, 0] * 20)
            record(store, tuning.fresh(better), [2] * wins + [0] * (40 - wins))
            found = tuned.gather(tuning, store, options)
        assert found.winner.at == dict(ref=1)
        assert said in tuned.conclusion(found)


# --- the command


def test_a_run_that_goes_on_ends_with_the_same_table(write, capsys):
    name = write(TWO)
    command = ["lab", "tune", name, "--workers", "1", "--json"]
    assert cli.main([*command, "--out", "whole"]) == 0
    whole = capsys.readouterr().out
    tuning = tuning_of(name)
    with Store("whole") as store, Store("broken", write=True) as other:
        for number, point in enumerate(tuning.field):  # as if killed in the first round
            games = range(3 * number)
            other.add(point.key, point.match, play_games(point.match, games))
        before = store.database.execute("SELECT COUNT(*) FROM games").fetchone()
    assert cli.main([*command, "--out", "broken"]) == 0
    assert capsys.readouterr().out == whole
    assert cli.main([*command, "--out", "whole"]) == 0  # nothing is missing
    assert capsys.readouterr().out == whole
    with Store("broken") as store:
        assert store.database.execute("SELECT COUNT(*) FROM games").fetchone() == before
    data = json.loads(whole)
    assert data["winner"]["settings"] == dict(playouts=200)
    assert [row["configuration"] for row in data["rows"]] == [2, 0, 1]
    assert [one["games"] for one in data["rounds"]] == [8, 16]
    assert data["confirmation"]["verdict"] == "better"

    page = Path("whole/mine/report.md").read_text("utf-8")
    assert "| 2 | 200 | 21 | 2944 | 2 | 16 |" in page
    assert "picograve lab tune mine.toml" in page
    assert json.loads(Path("whole/mine/results.json").read_text("utf-8")) == data
    assert Path("whole/mine/report.html").is_file()
    assert Path("whole/mine/results.csv").read_text("utf-8").count("\n") == 4


def test_the_command_of_the_report_lets_the_winner_think(write):
    tune = "ref = [9]\nlambda = [0.25]\nsharing = [false]\ntables = [4]\ngames = 2\nconfirm = 2\n"
    changes = {"ttt3": "go5", "graver": "graver2", "seed": "komi = 6.5\nseed", "3000": "9000"}
    tuning = tuning_of(write(tune, **changes))
    options = cli.make_parser().parse_args(["lab", "tune", "mine.toml"])
    with Store("lab", write=True) as store:
        record(store, tuning.start, [0, 0])
        record(store, tuning.tries[0], [2, 2])
        found = tuned.gather(tuning, store, options)
    words = shlex.split(tuned.as_data(found)["use"])
    assert words[:2] == ["picograve", "think"]
    given = cli.make_parser().parse_args(words[1:])
    game = game_of(given)
    assert game.komi == 6.5
    entry = player_of(given, game)
    entry["lambda"] = entry.pop("share")
    assert resolve_search(game, entry) == found.winner.match["player"]


def test_what_the_terminal_shows_names_the_winner_and_what_was_left_out(write, capsys):
    name = write(TWO + "bytes = [100, 3000]\n")
    assert cli.main(["lab", "tune", name, "--games", "2", "--confirm", "2", "--workers", "1"]) == 0
    said = capsys.readouterr()
    assert said.err.count("left out: P = 1, bytes = 100: graver on ttt3 needs at least") == 1
    assert "0, start" in said.out
    assert "picograve think --game ttt3" in said.out
    assert "2 games each with seed 1007" in said.out
    page = Path("out/lab/mine/report.md").read_text("utf-8")
    assert "## Left out" in page
    assert "picograve lab tune mine.toml --games=2 --confirm=2" in page


@pytest.mark.parametrize(
    "tune,said",
    [
        ("", "there is no table [tune]"),
        ("games = 5\n", "line 14: tune names no setting"),
        ("brias = [1]\n", "line 15: unknown key brias; there are games, tries"),
        ("bias = []\n", "line 15: tune bias takes a list of values"),
        ("bias = 0.1\n", "line 15: tune bias takes a list of values"),
        ("bias = ['low']\n", "line 15: bias is a number, not low"),
        ("ref = [1]\nbias = [0.1, 7]\n", "line 16: bias must be 0.001 to 1, not 7"),
        ("playout_policy = ['best']\n", "line 15: playout_policy on ttt3 is one of uniform"),
        ("exploration = [0.1]\n", "line 15: no try uses exploration, which is for UCT and RAVE"),
        ("playouts_top = [9]\n", "line 15: give playouts, or playouts_top"),
        ("bytes = [10, 20]\n", "line 14: no combination can be played: graver on ttt3 needs"),
        ("bias = [0.01]\n", "line 14: every combination is the starting point"),
        ("bias = [0.1]\ntries = 0\n", "line 16: tries is 1 to 1000, not 0"),
        ("bias = [0.1]\nnarrow = 1\n", "line 16: narrow is 2 to 10, not 1"),
        ("bias = [0.1]\nconfirm = 'all'\n", "line 16: confirm is a whole number, not all"),
        ("bias = [0.1]\n[sweep]\nref = [1]\n", "line 16: a file has [tune] or a sweep, not both"),
        ("bias = [0.1]\n[players.B]\nsearch = 'uct'\n", "line 16: one player is tuned at a time"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_line(write, capsys, tune, said):
    assert cli.main(["lab", "tune", write(tune)]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    "before,after,said",
    [
        ('[opponent]\nsearch = "uct"\nplayouts = 50', 'opponent = "itself"', "not itself"),
        ('search = "graver"\nplayouts = 5\nbytes = 3000', "openspiel = 9", "only a search is"),
        ("seed = 7", "round_robin = true", "a round robin has no opponent"),
    ],
)  # fmt: skip
def test_one_search_is_tuned_against_one_opponent(write, before, after, said):
    with pytest.raises(BadInput, match=said):
        Experiment(write("bias = [0.1]\n", **{before: after}))


@pytest.mark.parametrize(
    "words,said",
    [
        ("tune mine.toml --tries 0", "--tries must be 1 to 1000, not 0"),
        ("tune mine.toml --confirm 1", "--confirm must be 2 to 1000000, not 1"),
        ("tune mine.toml --games 0", "--games must be 1 to 1000000, not 0"),
        ("tune fig3", "fig3.toml, line 1: there is no table [tune]"),
        ("run mine.toml", "mine.toml has [tune]: picograve lab tune mine.toml"),
        ("report mine.toml", "mine.toml has [tune]: picograve lab tune mine.toml"),
    ],
)
def test_a_wrong_command_is_refused_in_one_line(write, capsys, words, said):
    write(TWO)
    assert cli.main(["lab", *words.split()]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


def test_a_round_that_nobody_can_play_ends_the_run(write, capsys):
    Path("engine.py").write_text("raise SystemExit(1)\n")
    engine = 'gtp = "%s engine.py"' % sys.executable
    name = write(TWO, **{"ttt3": "go5", 'search = "uct"\nplayouts = 50': engine, "3000": "9000"})
    assert cli.main(["lab", "tune", name, "--games", "2", "--workers", "1"]) == 1
    said = capsys.readouterr()
    assert "game 0 failed" in said.out
    assert said.err.splitlines()[-1] == "picograve: no game of mine, round 1 could be played"


def test_more_values_leave_the_games_that_were_played(write):
    before = {point.key for point in tuning_of(write("ref = [1, 2]\n")).field}
    after = {point.key for point in tuning_of(write("ref = [1, 2, 3]\nbias = [0.01]\n")).field}
    assert before < after
