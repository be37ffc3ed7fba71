"""lab.sqlite alone holds every game: copied at any moment, killed at any moment, damaged."""

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from picograve import BadInput
from picograve.errors import RunFailed
from picograve_host import cli
from picograve_host.lab.play.records import checked
from picograve_host.lab.play.rescue import rescued
from picograve_host.lab.play.store import FILE, Store
from picograve_host.outside import Wrong

KEYS = ["%016x" % n for n in range(3)]
KILLS = int(os.environ.get("PICOGRAVE_KILLS", 40))

# Adds games and says which are recorded, until it is killed.
WRITER = """
import sys
from picograve_host.lab.play.store import Store
sys.path.insert(0, sys.argv[2])
from test_one_file import game_of, KEYS
import os
def write(folder, first):
    with Store(folder, write=True) as store:
        for number in range(first, 10**6, 3):
            for key in KEYS:
                store.add(key, {"of": key}, [game_of(number + n) for n in range(3)])
                say(key, number)
def say(*words):  # in one piece: two processes write here, and print may be unbuffered
    os.write(1, b"%s\\n" % " ".join(map(str, words)).encode())
say("ready")
for line in sys.stdin:  # a folder and the first number: a process each
    folder, first = line.split()
    child = os.fork()
    if child == 0:
        write(folder, int(first))
    say("child", child)
    os.waitpid(child, 0)
    say("ended")
"""


def game_of(number):
    """A record, now and then one that is longer than a page."""
    length = 3000 if number % 7 == 0 else 60
    return dict(number=number, half_points=number % 3, moves="E5 " * length, seconds=0.5)


def games_in(folder):
    """{(key, number)} of the file in a folder; rescued, if it must be."""
    try:
        with Store(folder) as store:
            return set(store.database.execute("SELECT key, number FROM games")), False
    except RunFailed as error:
        assert "lab rescue" in str(error)
    _, games = rescued(folder / FILE)
    return {(key, record["number"]) for key, records in games.items() for record in records}, True


def copied(folder, to):
    """The file alone, elsewhere."""
    to.mkdir()
    shutil.copyfile(folder / FILE, to / FILE)
    return to


def test_a_copy_of_the_file_alone_has_every_game_after_each_addition(tmp_path):
    with Store(tmp_path / "run", write=True) as store:
        for number in range(30):
            store.add(KEYS[0], {}, [game_of(number)])
            there, damaged = games_in(copied(tmp_path / "run", tmp_path / str(number)))
            assert (len(there), damaged) == (number + 1, False)


class Writer:
    """The process that adds games, its children killed one after the other."""

    def __init__(self):
        arguments = [sys.executable, "-c", WRITER, "-", str(Path(__file__).parent)]
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, PICOGRAVE_RUNTIME="cpython"),
        )  # fmt: skip
        self.read_until("ready")

    def read_until(self, word):
        """{(key, number)} that were told to be recorded up to this word; the line with it."""
        told = set()
        for line in self.process.stdout:
            words = line.split()
            if words[0] == word:
                return told, words
            told |= {(words[0], int(words[1]) + n) for n in range(3)}
        raise AssertionError("the writer has ended")

    def run(self, folder, first, during):
        """Let a child write; during() ends with its death. What it told before it died."""
        print(folder, first, file=self.process.stdin, flush=True)
        before, words = self.read_until("child")
        try:
            first = self.process.stdout.readline().split()  # it has recorded something
            during()
        finally:
            os.kill(int(words[1]), signal.SIGKILL)
        told, _ = self.read_until("ended")
        return before | told | {(first[0], int(first[1]))}


@pytest.fixture
def writer():
    writer = Writer()
    yield writer
    writer.process.kill()
    writer.process.communicate()


def test_after_kills_at_random_moments_a_copy_of_the_file_alone_has_every_game(writer, tmp_path):
    dice = random.Random(1)
    folder = tmp_path / "run"
    recorded = set()
    for kill in range(KILLS):
        recorded |= writer.run(folder, 3000 * kill, lambda: time.sleep(dice.uniform(0, 0.05)))
        there, _ = games_in(copied(folder, tmp_path / str(kill)))
        assert recorded <= there
        shutil.rmtree(tmp_path / str(kill))
    assert len(recorded) >= KILLS
    with Store(folder, write=True) as store:  # SQLite itself mends what was under way
        assert recorded <= set(store.database.execute("SELECT key, number FROM games"))


def test_copies_made_while_it_is_written_have_every_game_recorded_before(writer, tmp_path):
    folder, copies = tmp_path / "run", tmp_path / "copies"
    copies.mkdir()

    def copy():
        time.sleep(0.1)
        for number in range(60):
            copied(folder, copies / str(number))

    before = writer.run(folder, 0, lambda: time.sleep(0.2))
    later = writer.run(folder, 3000, copy)
    assert before and later
    for number in range(60):
        there, _ = games_in(copies / str(number))
        assert before <= there


def test_a_file_of_old_and_new_pages_is_found_out_and_rescued(tmp_path):
    """What a copy may get while the file is written, at its worst: each page of one moment."""
    dice = random.Random(2)
    folder = tmp_path / "run"
    with Store(folder, write=True) as store:
        store.add(KEYS[0], {"of": 0}, [game_of(number) for number in range(100)])
        for trial in range(15):
            old = (folder / FILE).read_bytes()
            first = 100 + 40 * trial
            store.add(KEYS[0], {"of": 0}, [game_of(n) for n in range(first, first + 40)])
            new = (folder / FILE).read_bytes()
            torn = b"".join(
                (old if dice.random() < 0.5 and place < len(old) else new)[place : place + 4096]
                for place in range(0, len(new), 4096)
            )
            mixed = tmp_path / str(trial)
            mixed.mkdir()
            (mixed / FILE).write_bytes(torn)
            there, _ = games_in(mixed)
            assert {(KEYS[0], number) for number in range(first)} <= there


def test_a_damaged_file_is_named_and_what_can_be_saved_is_saved(tmp_path, capsys):
    """Finding 13."""
    dice = random.Random(3)
    folder, new = tmp_path / "run", tmp_path / "new"
    with Store(folder, write=True) as store:
        store.add(KEYS[0], {"game": "x"}, [game_of(number) for number in range(500)])
        moves = dict(store.database.execute("SELECT number, moves FROM games"))
    data = bytearray((folder / FILE).read_bytes())
    for page in dice.sample(range(len(data) // 4096), 9):
        data[4096 * page : 4096 * (page + 1)] = dice.randbytes(4096)
    (folder / FILE).write_bytes(data)
    for write in (False, True):
        with pytest.raises(RunFailed, match=r"damaged: .* picograve lab rescue") as refused:
            Store(folder, write=write)
        assert str(refused.value).isprintable() and "is safe" not in str(refused.value)
    assert cli.main(["lab", "rescue", str(folder), "--out", str(new), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert 400 < report["games"] < 500
    with Store(new) as store:
        saved = dict(store.database.execute("SELECT number, moves FROM games"))
    assert saved.items() <= moves.items()
    assert cli.main(["lab", "rescue", str(folder), "--out", str(new)]) == 2  # it is there


def test_a_run_that_has_just_begun_has_no_games_yet(tmp_path):
    (tmp_path / FILE).touch()
    with pytest.raises(BadInput, match="run the experiment first"):
        Store(tmp_path)


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + bytes(5000)])
def test_a_file_with_nothing_in_it_is_one_line(tmp_path, capsys, data):
    (tmp_path / FILE).write_bytes(data)
    assert cli.main(["lab", "rescue", str(tmp_path / FILE), "--out", str(tmp_path / "new")]) == 1
    assert "there is no game in" in capsys.readouterr().err


def test_any_bytes_are_taken_calmly_by_a_rescue(tmp_path):
    with Store(tmp_path, write=True) as store:
        store.add(KEYS[0], {}, [game_of(number) for number in range(50)])
    good = (tmp_path / FILE).read_bytes()
    dice = random.Random(4)
    for _ in range(60):
        data = bytearray(good)
        for _ in range(dice.randrange(1, 300)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        (tmp_path / "bad").write_bytes(data)
        rescued(tmp_path / "bad")


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE games SET half_points = 'x'", "UPDATE games SET half_points = 7",
        "UPDATE games SET number = 'x' WHERE number = 1", "UPDATE games SET seconds = 'x'",
        "UPDATE games SET version = x'1b5b324a'", "UPDATE games SET key = char(27) || '[2J'",
        "UPDATE games SET number = NULL", "UPDATE games SET half_points = NULL",
        "UPDATE matches SET definition = '[1'", "UPDATE matches SET definition = 7",
        "DROP TABLE matches",
        "ALTER TABLE games DROP COLUMN half_points", "DROP TABLE games; CREATE VIEW games AS "
        "WITH RECURSIVE n(number) AS (SELECT 0 UNION ALL SELECT number FROM n) SELECT * FROM n",
    ],
)  # fmt: skip
def test_a_file_that_no_lab_has_written_is_refused_in_one_line(tmp_path, capsys, harm):
    with Store(tmp_path, write=True) as store:
        store.add(KEYS[0], {"game": "x"}, [game_of(number) for number in range(3)])
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.executescript(harm)
    for command in ("report self --out %s", "merge %s --out all"):
        assert cli.main(["lab", *(command % tmp_path).split()]) == 1
        told = capsys.readouterr().err
        assert "lab rescue" in told and told.count("\n") == 1 and told.strip().isprintable()
    if "TABLE" not in harm:
        rescued(tmp_path / FILE)


def test_a_text_that_is_no_utf_8_is_read(tmp_path):
    with Store(tmp_path, write=True) as store:
        store.add(KEYS[0], {}, [game_of(0)])
        with store.database:
            store.database.execute("UPDATE games SET moves = CAST(x'ff' AS TEXT)")
        assert store.records(KEYS[0])[KEYS[0]][0]["moves"] == "\ufffd"


@pytest.mark.parametrize(
    "odd",
    [
        dict(number=-1), dict(number="1"), dict(half_points=7), dict(seconds=float("nan")),
        dict(moves=["E5"]), dict(error=7), dict(player_playouts=[1]), dict(player_depth=1e30),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_is_refused(odd):
    with pytest.raises(Wrong):
        checked({"number": 1, **odd})


def test_what_a_worker_says_cannot_steer_a_terminal():
    assert checked(dict(number=1, error="\x1b[2J"))["error"] == "?[2J"
