"""Games of several machines and sessions in one store, and as text beside a report."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from picograve import BadInput
from picograve.errors import RunFailed
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.lab.record import merge, text
from test_cli import answer
from test_lab_runs import InstantPool

pytestmark = pytest.mark.usefixtures("commands_in_c")

EXPERIMENT = """
game = "ttt3"
games = 8
[opponent]
search = "uct"
playouts = 20
[players.A]
search = "uct"
playouts = 30
[players.B]
search = "graver"
playouts = 60
nodes = 20
"""
PRESENT = "present!"

# Adds game 0, then is killed in the middle of adding game 1.
KILLED = """
import os, signal, sys
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
with Store(sys.argv[1], write=True) as store:
    store.add("key", {}, [dict(number=0, half_points=2, digest=7, fingerprint="present!")])
    store.database.execute("INSERT INTO games (key, number) VALUES ('key', 1)")
    os.kill(os.getpid(), signal.SIGKILL)
"""

FINGERPRINTS = """
import json, sys
from picograve_host.lab.record.fingerprint import fingerprint_of
print(*map(fingerprint_of, json.load(sys.stdin)))
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(EXPERIMENT)


def game(number, **more):
    return {"number": number, "half_points": 2, "digest": 7, "fingerprint": PRESENT, **more}


def store_with(folder, *games):
    with Store(folder, write=True) as store:
        store.add("key", {}, list(games))


def merged(*paths):
    found = [source for path in paths for source in merge.sources(Path(path))]
    with Store("all", write=True) as store:
        return merge.merge(store, found, lambda key, match: PRESENT)


def numbers(folder, key="key"):
    """{where the games of a match are kept: their numbers}"""
    with Store(folder) as store:
        return {place: [g["number"] for g in games] for place, games in store.records(key).items()}


def run(*options):
    return main(["lab", "run", "small.toml", "--workers", "1", "--json", *options])


def test_three_stores_one_killed_and_one_of_other_code_lose_nothing_and_double_nothing():
    killed = subprocess.run([sys.executable, "-c", KILLED, "killed"], check=False)
    assert killed.returncode == -signal.SIGKILL
    store_with("a", game(0, machine="one"), game(1), game(2, half_points=0))
    store_with("b", game(0, fingerprint="earlier!", version="0.4.0"), game(3))
    for _ in range(2):  # the second time changes nothing
        found = merged("a", "b", "killed")
        assert numbers("all") == {"key": [0, 1, 2, 3], "key@earlier!": [0]}
    assert found == merge.Merged(games=5, new=0, apart=1, unknown=0)
    with Store("all") as store:
        assert store.results("key", 10) == [2, 2, 0, 2]
        records = store.records("key")
    assert records["key@earlier!"][0]["version"] == "0.4.0"
    assert records["key"][0]["machine"] == "one"


@pytest.mark.parametrize("other", [dict(half_points=0), dict(digest=8)])
def test_a_game_that_was_played_in_two_ways_is_named_and_nothing_is_merged(other):
    store_with("a", game(0), game(1))
    store_with("b", game(1, **other), game(2))
    with pytest.raises(BadInput, match=r"1 games .* key game 1: a/lab.sqlite has 2 .* b/lab"):
        merged("a", "b")
    assert numbers("all") == {}


def test_a_game_that_failed_elsewhere_counts_as_it_was_played():
    store_with("a", dict(number=0, error="OSError"), dict(number=1, error="OSError"))
    store_with("b", game(0))
    merged("a", "b")
    with Store("all") as store:
        assert store.results("key", 2) == [2, None]


def test_games_that_do_not_say_their_code_stand_with_the_others_and_are_counted():
    store_with("a", {k: v for k, v in game(0).items() if k != "fingerprint"})
    store_with("b", game(1))
    assert merged("a", "b") == merge.Merged(games=2, new=2, apart=0, unknown=1)
    assert numbers("all") == {"key": [0, 1]}


def test_games_that_do_not_say_their_code_and_contradict_the_others_are_kept_apart():
    old = [game(number, half_points=0, version="0.4.0") for number in (0, 1)]
    store_with("a", *({k: v for k, v in one.items() if k != "fingerprint"} for one in old))
    store_with("b", game(1), game(2))
    for _ in range(2):
        merged("a", "b")
        assert numbers("all") == {"key": [1, 2], "key@0.4.0": [0, 1]}


def test_a_report_of_the_text_is_that_of_the_games():
    assert run("--out", "lab") == 0
    before = answer("lab", "report", "small.toml", "--out", "lab")
    assert main(["lab", "merge", "lab/small", "--out", "again"]) == 0
    assert answer("lab", "report", "small.toml", "--out", "again") == before
    assert Path("again/small/games.txt").read_text() == Path("lab/small/games.txt").read_text()


def test_a_run_goes_on_from_the_text_and_plays_no_game_twice(capsys):
    assert run("--out", "whole", "--games", "12") == 0
    expected = capsys.readouterr().out
    assert run("--out", "part") == 0
    assert main(["lab", "report", "small.toml", "--out", "part"]) == 0
    capsys.readouterr()
    assert run("--out", "next", "--games", "12", "--from", "part/small") == 0
    assert capsys.readouterr().out == expected
    key = Experiment("small.toml").points[0].key
    with Store("next") as store:
        records = store.records(key)[key]
    assert ["moves" in record for record in records] == 8 * [False] + 4 * [True]


def test_games_of_other_code_are_kept_apart_and_played_again(capsys):
    assert run("--out", "lab") == 0
    expected = capsys.readouterr().out
    with Store("lab", write=True) as store, store.database:
        store.database.execute("UPDATE games SET fingerprint = 'earlier!', half_points = 1")
    assert run("--out", "lab") == 0
    captured = capsys.readouterr()
    assert captured.out == expected
    assert "16 games of other code are kept apart" in captured.err
    key = Experiment("small.toml").points[0].key
    every = list(range(8))
    assert numbers("lab", key) == {key: every, key + "@earlier!": every}
    assert main(["lab", "report", "small.toml", "--out", "lab"]) == 0
    assert Path("lab/small/games.txt").read_text().count('"earlier!"') == 2
    assert "Not counted: 16 games of code that grew" in Path("lab/small/report.md").read_text()
    assert main(["lab", "merge", "lab/small", "--out", "next"]) == 0
    assert numbers("next", key) == numbers("lab", key)


@pytest.mark.parametrize("same", [True, False])
def test_one_game_played_again_vouches_for_all_that_do_not_say_their_code(same, capsys):
    assert run("--out", "lab") == 0
    with Store("lab", write=True) as store, store.database:
        store.database.execute("UPDATE games SET fingerprint = NULL, digest = NULL")
        if not same:
            store.database.execute("UPDATE games SET moves = moves || ' A1'")
    capsys.readouterr()
    assert main(["lab", "merge", "lab", "--out", "vouched", "--vouch"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("NOT as played") == (0 if same else 2)
    assert ("do not say which code" in captured.out) != same
    point = Experiment("small.toml").points[0]
    with Store("vouched") as store:
        assert (None not in store.fingerprints(point.key)) == same


def test_games_of_others_start_no_program_and_no_file_of_theirs(tmp_path, capsys, monkeypatch):
    Path("evil.py").write_text("open('was here', 'w')")
    Path("evil").write_text("#!/bin/sh\ntouch 'was here'\n")
    Path("evil").chmod(0o755)
    search = {"search": "uct", "playouts": 9, "nodes": 9}
    program = dict(game={"name": "go5"}, seed=1, player={"gtp": "./evil"}, opponent=search)
    file = dict(program, game={"name": str(tmp_path / "evil.py")}, player=search)
    old = dict(number=0, half_points=2, moves="A1", seconds=1.0)
    for match, games, words in (
        (program, [old], "games of others may not start ./evil here"),
        (file, [old], "a match has the name of a game, not"),
        (file, [game(0), game(1, fingerprint="other")], "a match has the name of a game, not"),
        ({}, [game(0), game(1, fingerprint="other")], "match key cannot be played"),
    ):
        shutil.rmtree("theirs", ignore_errors=True)
        with Store("theirs", write=True) as store:
            store.add("key", match, games)
        main(["lab", "merge", "theirs", "--out", "all", "--vouch"])
        told = capsys.readouterr().err.splitlines()[-1]
        shutil.rmtree("all")
        assert words in told or "NOT as played" in told
        assert not Path("was here").exists()


def test_a_text_that_was_cut_off_or_damaged_is_refused_by_its_line():
    path = Path("games.txt")
    games = [game(number, seconds=number, half_points=number) for number in (0, 1)]
    whole = text.as_text([text.Played("key", {"game": {"name": "ttt3"}}, games)])
    path.write_text(whole)
    assert [len(played.records) for played in text.read(path)] == [2]
    for damaged, complaint in (
        (whole.partition("end")[0], "cut off"),
        (whole[: len(whole) // 2], "damaged|cut off"),
        (whole.replace("end 2", "end 3"), "line 8 is damaged"),
        (whole.replace("\n0 ", "\n0 x "), "line 6 is damaged"),
        ("no games", "its first line"),
    ):
        path.write_text(damaged)
        with pytest.raises(BadInput, match=complaint):
            text.read(path)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('match key {"', 'match key [{"'), ("match key", "match \x1b[2J"), ("match key", "match "),
        ('"ttt3"}}', "[" * 5000), ("by {", "by [1, {"), ("same {", "same 7 {"),
        ("games number", "games nothing"), ("\n0 ", '\n"x" '), ("\n0 ", "\n-1 "),
        ("\n0 0", "\n0 7"), ("\n0 0", "\n0 -"), ("\n0 0", "\n0 NaN"),
        ("\n1 ", "\n1%s " % ("0" * 5000)),
    ],
)  # fmt: skip
def test_a_text_of_games_that_cannot_be_is_refused_in_one_line(good, bad, capsys):
    games = [game(number, seconds=number, half_points=number) for number in (0, 1)]
    whole = text.as_text([text.Played("key", {"game": {"name": "ttt3"}}, games)])
    assert good in whole
    Path("games.txt").write_text(whole.replace(good, bad))
    assert main(["lab", "merge", "games.txt", "--out", "all"]) == 2
    told = capsys.readouterr().err
    assert "is damaged" in told and told.count("\n") == 1 and told.strip().isprintable()


@pytest.mark.parametrize("command", ["merge %s --out all", "rescue %s --out all"])
def test_a_file_that_never_ends_is_not_read(command, capsys):
    assert main(["lab", *(command % "/dev/zero").split()]) == 2
    assert capsys.readouterr().err == "picograve: there is no file /dev/zero\n"


def test_a_game_of_the_papers_size_takes_less_than_sixty_bytes():
    games = [
        game(
            100 + number, half_points=number % 2, seconds=23.456, digest=100000 + number,
            player_moves=40 + number, player_playouts=4000000 + number,
            player_seconds=10.123 + number, opponent_moves=40 + number,
            opponent_playouts=4000000 + number, opponent_seconds=11.123 + number,
        )
        for number in range(10)
    ]  # fmt: skip
    lines = text.as_text([text.Played("key", {}, games)]).splitlines()
    assert max(len(line) + 1 for line in lines if line.startswith("10")) <= 60


def test_a_fingerprint_tells_settings_apart_and_is_the_same_on_another_runtime():
    matches = json.dumps([point.match for point in Experiment("small.toml").points])
    found = {}
    for runtime in ("c", "cpython"):
        asked = subprocess.run(
            [sys.executable, "-c", FINGERPRINTS], input=matches, capture_output=True, text=True,
            check=True, env={**os.environ, "PICOGRAVE_RUNTIME": runtime},
        )  # fmt: skip
        found[runtime] = asked.stdout.split()
    assert found["c"] == found["cpython"]
    assert len(set(found["c"])) == 2


def test_workers_of_different_code_are_found_out():
    class Mixed(InstantPool):
        def submit(self, function, match, numbers, file):
            future = super().submit(function, match, numbers, file)
            for record in future.result():
                record.update(machine="a PC", fingerprint="%08d" % (record["number"] > 20))
            return future

    with (
        Store("lab", write=True) as store,
        pytest.raises(RunFailed, match=r"do not have the same code: [AB] grows"),
    ):
        Runner(Experiment("small.toml"), store, Mixed(), 100, lambda runner: None).run()


def test_no_games_at_a_path_are_one_line(capsys):
    for path in ("nowhere", "."):
        assert main(["lab", "merge", path, "--out", "all"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
