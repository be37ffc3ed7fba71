"""The page in a real browser: it loads, plays, steps back, and asks no other host for anything."""

import contextlib
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browser import SHOWN, looks, opened, served, show
from picograve_host.examples import nim
from PIL import ImageStat

pytestmark = [
    pytest.mark.xdist_group("play"),
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")),
        reason="chromium and chromium-driver are missing: make packages",
    ),
]


@pytest.fixture(scope="module")
def page(commands_in_c):
    with served("--game", "ttt3") as url, opened(url) as page:
        page.wait_for("Your move")
        yield page


@contextlib.contextmanager
def visited(page, *arguments, by="play"):
    """The page at another server for a while."""
    there = page.run("return location.href")
    with served(*arguments, by=by) as url:
        try:
            page.driver.get(url)
            yield
        finally:
            page.driver.get(there)
    page.wait("return document.getElementById('board').dataset.game")


THINK = """
import sys
from picograve_host.cli import main
for line in sys.stdin:
    main(["think", "--json", *line.rstrip("\\n").split("\\t")])
"""


def thoughts_of(lines):
    """What `picograve think --json` prints with each of these options, all in one process."""
    said = "\n".join(map("\t".join, lines))
    command = [sys.executable, "-c", THINK]
    answer = subprocess.run(command, input=said, text=True, capture_output=True)
    assert answer.returncode == 0, answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def assert_as_think(moves, mine, **settings):
    """All moves but the person's are those of `picograve think` in the same positions."""
    options = [word for name, value in settings.items() for word in ("--" + name, value)]
    plies = [ply for ply in range(len(moves)) if ply not in mine]
    thoughts = thoughts_of([*options, "--moves", " ".join(moves[:ply])] for ply in plies)
    assert [thought["move"] for thought in thoughts] == [moves[ply] for ply in plies]


def play_to_the_end(page, title, person, opponent="desktop", **settings):
    """A game by clicks against a search; person(number of the turn, what can be played) clicks."""
    game = settings["game"]  # first: others follow from it
    page.begin(title, **{"game": game, "opponent": opponent, **settings})
    mine: list[int] = []
    while (can := page.turn(mine[-1] + 1 if mine else 0)) is not None:
        mine.append(len(page.moves()))
        person(page, len(mine) - 1, can)
    assert mine
    assert_as_think(page.moves(), mine, **settings)


def any_place(page, turn, can):
    page.click(random.Random(turn).choice(sorted(can)))


def any_word(page, turn, can):
    page.press(random.Random(turn).choice(sorted(can)))


def some_stones_then_pass(page, turn, can):
    if turn < 3:
        any_place(page, turn, can)
    else:
        page.press("Pass")


def into_a_mate(page, turn, can):
    move = "e2e3 b2b3 d1h5 b1c3 c1a3 h5h6 g2g4 a3c5".split()[turn]
    page.click(move[:2])
    page.click(move[2:])


SMALL = dict(search="graver", preset="uniform", bytes="20000", playouts="60", seed="5")
WHOLE_GAMES = [
    ("Tic-tac-toe", any_place, dict(SMALL, game="ttt3")),
    ("Go", some_stones_then_pass, dict(SMALL, game="go5", bytes="60000")),
    ("Hex", any_place, dict(SMALL, game="hex4")),
    ("Othello", any_place, dict(SMALL, game="othello", search="uctr")),
    ("Chess", into_a_mate, dict(game="chess", search="alphabeta", preset="uniform", seed="5")),
    ("Children of the Galaxy", any_word, dict(SMALL, game="cotg4", search="uct")),
    ("Skirmish", any_word, dict(SMALL, game="urts4", search="uct", playouts="5")),
]


@pytest.mark.parametrize(
    "opponent", ["desktop", "sim", pytest.param("pico-emulated", marks=pytest.mark.pico)]
)
@pytest.mark.parametrize(("title", "person", "settings"), WHOLE_GAMES, ids=lambda row: str(row)[:9])
def test_a_game_to_its_end_is_that_of_the_command_line(title, person, settings, opponent, page):
    play_to_the_end(page, title, person, opponent, **settings)
    page.run("document.querySelector('[aria-label=\"To the start\"]').click()")
    page.wait_for("Move 0 of")


def test_a_game_of_ones_own_is_played_with_no_code_for_the_page(page):
    own = str(Path(nim.__file__))
    with visited(page, "--game", own):
        page.wait_for("Your move")
        play_to_the_end(page, "Nim", any_word, **dict(SMALL, game=own, search="uct"))


MARKED = {
    'title = "Nim"': 'title = "<img src=x onerror=alert(1)>"',
    '("first", "second")': '("<b>first</b>", "<i>second</i>")',
    "return chr(10).join": "return '<script>alert(1)</script>' + chr(10).join",
}


def test_markup_in_what_a_game_says_is_only_text(page, tmp_path):
    source = Path(nim.__file__).read_text().replace('"\\n"', "chr(10)")
    for plain, marked in MARKED.items():
        assert plain in source
        source = source.replace(plain, marked)
    own = tmp_path / "marked.py"
    own.write_text(source)
    with visited(page, "--game", str(own), "--playouts", "60"):
        page.wait_for("Your move, <b>first</b>")
        any_word(page, 0, page.turn(0))
        page.turn(2)
        assert page.text("who").startswith("<img src=x")
        assert "<script>" in page.text("board")
        assert not page.run("return document.body.querySelector('b, i, img, script')")
        assert page.complaints() == []


def test_a_match_shows_each_players_memory_as_its_own(page):
    heaps = {}
    with visited(page, *"--watch --game go9 --board sim".split(), by="match"):
        page.press("Pause")
        for _ in range(4):  # each has thought before it is looked at for good
            page.wait_for("Paused")
            said = page.text("bytes")
            heaps[said.partition(":")[0]] = "of the heap free" in said
            moves = len(page.moves())
            page.press("Step")
            page.wait("return document.querySelectorAll('#moves li').length > arguments[0]", moves)
    assert heaps == {"of black": True, "of white": False}


@pytest.mark.parametrize("name", SHOWN)
def test_each_game_takes_clicks_and_fits_desktop_and_phone_light_and_dark(name, page):
    show(page, name, seconds="0.1", opponent="desktop")
    assert page.moves()[0] == "".join(SHOWN[name].clicks)
    assert len(page.moves()) >= 2
    brightness = {}
    for (width, height), theme in looks(page):
        assert page.run("return document.documentElement.scrollWidth") <= width
        picture = page.picture().convert("L")
        assert picture.size == (width, height) and len(picture.getcolors()) > 20
        (brightness[width, theme],) = ImageStat.Stat(picture).mean
    for width, theme in brightness:
        assert theme == "light" or brightness[width, "dark"] < brightness[width, "light"]
    assert page.complaints() == []


def test_keys_and_typed_moves_play(page):
    from selenium.webdriver.common.keys import Keys

    page.begin("Tic-tac-toe", game="ttt3", seconds="0.1")
    page.wait("return document.querySelectorAll('.can').length === 9")
    place = page.driver.find_element("css selector", '.place[tabindex="0"]')
    place.send_keys(Keys.ENTER)
    page.wait("return document.querySelectorAll('#moves li').length === 2")
    page.press("Undo")
    page.wait("return document.querySelectorAll('.can').length === 9")
    page.driver.find_element("id", "typed-move").send_keys("b2", Keys.ENTER)
    page.wait("return document.querySelectorAll('#moves li').length === 2")
    assert page.moves()[0] == "B2"


def test_the_second_player_of_hex_may_swap(page):
    page.begin("Hex", game="hex4", side="second", swap="true", playouts="60")
    page.turn(1)
    page.press("Swap")
    page.turn(3)
    assert page.moves()[1] == "swap"


def test_a_game_is_saved_as_files(page, tmp_path):
    page.begin("Tic-tac-toe", game="ttt3", playouts="60")
    page.click("B2")
    page.turn(2)
    where = dict(behavior="allow", downloadPath=str(tmp_path))
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    for words, name in (("Save moves", "ttt3.txt"), ("Save memory log", "ttt3.jsonl")):
        page.press(words)
        page.until((tmp_path / name).exists)
    assert (tmp_path / "ttt3.txt").read_text().split() == page.moves()
    log = [json.loads(line) for line in (tmp_path / "ttt3.jsonl").read_text().splitlines()]
    assert [row["thought"] and row["thought"]["bytes"] > 0 for row in log] == [None, True]


def test_a_game_that_cannot_begin_says_why_and_leaves_nothing_to_click(page):
    page.press("New game")
    fields = dict(game="go9", opponent="sim", search="graver2", preset="uniform", bytes="138000")
    page.fill(fields)
    page.press("Start")
    page.wait_for("There is no game")
    assert "do not fit" in page.text("error")
    assert not page.run("return document.querySelector('.can')")
    page.begin("Tic-tac-toe", game="ttt3", opponent="desktop")
    page.click("B2")
    page.turn(2)


def test_it_loads_nothing_from_elsewhere(page):
    loaded = page.run(
        "return performance.getEntriesByType('resource').map(e => new URL(e.name).host)"
    )
    assert set(loaded) == {page.run("return location.host")}
    assert page.complaints() == []
