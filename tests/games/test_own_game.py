"""A game of one's own, in a folder of one's own: it works wherever a game's name does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import picograve_host.examples
import pytest
import searches_of
from conftest import built, needs_gcc
from picograve import BadInput, Budget, Config, Position, Searcher, load
from picograve_host.boards import install, program
from picograve_host.boards import registry as boards
from picograve_host.boards.link import LinkError
from picograve_host.cli import main
from picograve_host.lab.plan.experiment import Experiment
from picograve_tools import micropython
from test_gtp import ask, engine_of

NIM = Path(picograve_host.examples.__file__).parent / "nim.py"
LAST_LOSES = ("return 2 * s[_TURN]", "return 2 - 2 * s[_TURN]")
EXPERIMENT = """
title = "Nim"
game = "%s"
[opponent]
search = "uct"
playouts = 20
[players.GRAVE]
search = "grave"
playouts = 20
"""


@pytest.fixture
def nim(tmp_path):
    return Path(shutil.copy(NIM, tmp_path))


def think(nim, runtime, capsys, *more):
    setting = "--playouts 200 --nodes 40 --seed 3 --json".split()
    assert main(["think", "--game", str(nim), "--runtime", runtime, *setting, *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_file_is_loaded_in_its_usual_size_or_in_another(nim):
    assert (load(str(nim)).name, load("%s:3" % nim).name) == ("nim4", "nim3")
    position = Position(load("%s:2" % nim))
    assert position.legal_moves() == ["A1", "B1", "B2", "B3"]
    for move in ("B2", "A1", "B1"):
        position.play(move)
    assert (position.winner, position.score()) == ("first", "first wins")


def test_a_game_of_ours_has_no_file(nim):
    assert load(str(nim)).file == nim
    assert (load("ttt3").file, load("ttt3").digest) == (None, None)


@pytest.mark.parametrize(
    "name, words",
    [
        ("nowhere.py", "cannot read .*nowhere.py: No such file"),
        ("connect4.py", "name the file in small letters only, as nim.py: digits are sizes"),
        ("go.py", "picograve has a game called go"),
        ("broken.py", "broken.py cannot be loaded: "),
        ("empty.py", "empty.py has no class Game"),
        ("nim.py:99", "Nim comes in sizes 2 to 8: nim4, not nim99"),
    ],
)
def test_a_file_that_is_no_game_is_refused(name, words, nim):
    for other in ("connect4", "go", "empty"):
        (nim.parent / (other + ".py")).write_text("")
    (nim.parent / "broken.py").write_text("def moves(:\n")
    with pytest.raises(BadInput, match=words):
        load(str(nim.parent / name))


def test_the_same_tree_grows_on_every_runtime(nim, capsys):
    built(micropython.find_unix)
    expected = think(nim, "numba", capsys)
    for runtime in ("sim", "sim-cpython"):
        thought = think(nim, runtime, capsys)
        assert thought["tree_hash"] == expected["tree_hash"], runtime
        assert thought["game"] == "nim4"


@needs_gcc
def test_the_same_tree_grows_in_c(nim):
    job = [str(nim), "graver2", 40, "", 3, dict(playouts=200)]
    in_c, numba = searches_of.run([job], "c"), searches_of.run([job], "numba")
    assert in_c[0]["tree_hash"] == numba[0]["tree_hash"]


@needs_gcc
@pytest.mark.parametrize(
    "wrong, said",
    [
        (
            "def copy(to: ptr8, s: int):\n    to[0] = s\n",
            "kernel copy of nim.py is called with (buffer, buffer) -> nothing "
            "but declared with (buffer, number) -> nothing",
        ),
        (
            "def copy(to: ptr8, s: ptr8):\n    a = b = 1\n",
            "nim.py:38: kernel copy: assign one thing at a time",
        ),
    ],
)
def test_what_c_cannot_make_of_a_game_is_said_in_one_line(nim, wrong, said):
    text = nim.read_text()
    body = text.index("def copy(")
    nim.write_text(text[:body] + wrong + text[text.index("\n\n", body) :])
    command = [sys.executable, "-m", "picograve_host.cli", "think", "--game", str(nim)]
    answer = subprocess.run([*command, "--runtime", "c"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr.splitlines()[-1]) == (2, "picograve: " + said)


def test_a_game_that_fails_is_named_with_its_line(nim):
    wrong = nim.read_text().replace("    while s[_LEFT] != 0:\n", "    while s[_LEFT + 99] != 0:\n")
    nim.write_text(wrong)
    line = 1 + wrong[: wrong.index("s[_LEFT + 99]")].count("\n")
    command = [sys.executable, "-m", "picograve_host.cli", "think", "--game", str(nim)]
    failed = subprocess.run([*command, "--runtime", "cpython"], capture_output=True, text=True)
    assert failed.returncode == 1
    assert failed.stderr == (
        "picograve: %s, line %d: IndexError: array index out of range; "
        "check it with picograve check-game %s\n" % (nim, line, nim)
    )


def first_move(nim, runtime="numba"):
    """In a process of its own, with what was kept of earlier ones."""
    program = (
        "from picograve import *\n"
        "searcher = Searcher(load(%r), Config('uct', playouts=2000), Budget(nodes=2000))\n"
        "print(searcher.search().move)" % (str(nim) + ":2")
    )
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PICOGRAVE_RUNTIME": runtime}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return answer.stdout.strip()


@pytest.mark.parametrize("runtime", ["numba", pytest.param("c", marks=needs_gcc)])
def test_an_edited_game_is_compiled_again(nim, runtime):
    """Also where its time is the same. Who takes last loses: B3 and not B2 wins."""
    assert first_move(nim, runtime) == "B2"
    times = nim.stat()
    nim.write_text(nim.read_text().replace(*LAST_LOSES))
    os.utime(nim, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert first_move(nim, runtime) == "B3"


def test_an_edited_game_is_loaded_again_in_the_same_process(nim):
    def best():
        game = load(str(nim) + ":2")
        return Searcher(game, Config("uct", playouts=2000), Budget(nodes=2000)).search().move

    assert best() == "B2"
    digest = load(str(nim)).digest
    nim.write_text(nim.read_text().replace(*LAST_LOSES))
    assert best() == "B3"
    assert load(str(nim)).digest != digest


def test_a_board_plays_a_match_of_it(nim, tmp_path, capsys):
    built(micropython.find_unix)
    sizes = "--board-playouts 50 --opponent-playouts 50 --board-nodes 30".split()
    assert main(["match", "--game", "%s:3" % nim, "--board", "sim", *sizes, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "nim3"
    assert report["games"][0]["result"] in ("first wins", "second wins")


def test_what_is_installed_holds_the_compiled_game_and_its_stamp(nim, tmp_path):
    game = load(str(nim))
    install.build(dict(boards.describe("pico"), game=game), tmp_path / "lib")
    assert (tmp_path / "lib/picograve/games/nim.mpy").stat().st_size > 500
    stamp = (tmp_path / "lib/picograve_board/built.mpy").read_bytes()
    assert program.stamp(game).encode() in stamp
    assert program.stamp(game) == "%s nim %s" % (program.stamp(), game.digest[:8])


class Board:
    """A line to a board with this stamp."""

    port = "/dev/board"

    def __init__(self, stamp):
        self.hello = dict(stamp=stamp, version="0")


def test_a_board_without_the_game_or_with_another_is_refused_in_one_line(nim):
    game = load(str(nim))
    boards.check_stamp(Board(program.stamp(game)), game)
    boards.check_stamp(Board(program.stamp(game)), load("go9"))
    wanted = "does not have this nim.py: picograve flash --port /dev/board --game %s" % nim
    for stamp in (program.stamp(), program.stamp() + " nim 00000000"):
        with pytest.raises(LinkError, match=wanted):
            boards.check_stamp(Board(stamp), game)
    with pytest.raises(LinkError, match="another picograve"):
        boards.check_stamp(Board("00000000 nim " + game.digest[:8]), game)


def test_flash_takes_no_game_that_every_board_has(capsys):
    assert main("flash --uf2 x.uf2 --game othello".split()) == 2
    assert "othello comes in all its sizes on every board" in capsys.readouterr().err


def experiment(nim, name="nim.py:3"):
    file = nim.parent / "own.toml"
    file.write_text(EXPERIMENT % name)
    return file


def test_the_lab_finds_the_game_beside_the_experiment_and_plays_it(nim, tmp_path, capsys):
    command = ["lab", "run", str(experiment(nim)), "--out", str(tmp_path / "lab")]
    assert main([*command, "--games", "4", "--workers", "1", "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)
    assert (point["games"], point["failed"]) == (4, 0)


def test_a_run_says_which_preset_it_takes_if_nobody_chose_one(nim, tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(EXPERIMENT % nim.name)
    run = ["lab", "run", str(tmp_path / "mine.toml"), "--games", "2", "--out", str(tmp_path)]
    assert main(run) == 0
    assert "mine.toml names no preset: searches have `paper`" in capsys.readouterr().err
    assert main([*run, "--preset", "paper"]) == 0
    assert "names no preset" not in capsys.readouterr().err


def test_games_of_an_edited_game_do_not_count_as_the_same(nim):
    def key():
        (point,) = Experiment(str(experiment(nim))).points
        return point.key

    before = key()
    assert key() == before
    nim.write_text(nim.read_text().replace(*LAST_LOSES))
    assert key() != before


def test_a_moved_folder_changes_no_key(nim, tmp_path):
    (before,) = Experiment(str(experiment(nim))).points
    other = tmp_path / "other"
    other.mkdir()
    (after,) = Experiment(str(experiment(Path(shutil.copy(nim, other))))).points
    assert after.key == before.key


def test_gtp_knows_its_sizes_and_moves(nim):
    program = "import sys; from picograve_host.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "gtp", "--game", str(nim), "--playouts", "100"]
    words = "boardsize 2\nplay black B3\ngenmove white\nquit\n"
    answer = subprocess.run(command, input=words, capture_output=True, text=True)
    assert answer.stdout.split("\n\n")[2] == "= A1"


def test_gtp_takes_the_names_that_a_game_gives_its_moves(nim):
    text = nim.read_text()
    nim.write_text(text.replace('"ABCDEFGH"[heap] + str(', '"take-%d-" % heap + str('))
    engine = engine_of("%s:2" % nim, playouts=50)
    assert ask(engine, "play black Take-1-3") == "= "
    assert ask(engine, "genmove white") == "= take-0-1"
    assert ask(engine, "play black take-5-5") == "? illegal move"


def test_a_script_may_import_the_same_file_under_its_own_name(nim):
    """What Numba kept for one name of a module would not load under another."""
    assert first_move(nim) == "B2"
    program = (
        "import nim\n"
        "from picograve import *\n"
        "game = nim.Game(2)\n"
        "game.name, game.given = 'nim2', {}\n"
        "print(Position(game).legal_moves())"
    )
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, cwd=nim.parent, capture_output=True, text=True)
    assert answer.stdout.strip() == "['A1', 'B1', 'B2', 'B3']", answer.stderr
