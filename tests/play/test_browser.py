"""The page in a real browser: it loads, plays, steps back, and asks no other host for anything."""

import shutil

import pytest
from browser import GAMES, NARROW, opened, served
from picograve import Budget, Config, Searcher, load

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


def moves_of(page):
    return [
        item.split()[1]
        for item in page.run(
            "return [...document.querySelectorAll('#moves li')].map(i => i.innerText)"
        )
    ]


def test_a_game_by_clicks_is_that_of_a_searcher_with_the_seed(page):
    page.begin("Tic-tac-toe", game="ttt3", preset="uniform", bytes="20000", playouts="60", seed="5")
    config = Config("graver", preset="uniform", playouts=60)
    oracle = Searcher(load("ttt3"), config, Budget(bytes=20000), seed=5)
    while not oracle.is_over:
        move = oracle.legal_moves()[0] if oracle.turn == 0 else oracle.search().move
        if oracle.turn == 0:
            page.click(move)
        oracle.play(move)
    page.wait_for("The game is over: " + oracle.score())
    assert moves_of(page) == oracle.moves
    page.run("document.querySelector('[aria-label=\"To the start\"]').click()")
    page.wait_for("Move 0 of")


@pytest.mark.parametrize("title", ["Hex", "Othello", "Chess"])
def test_a_board_of_each_shape_takes_clicks(title, page):
    fields, places = GAMES[title]
    page.begin(title, **dict(fields, seconds="0.1"))
    for place in places:
        page.click(place)
    page.wait("return document.querySelectorAll('#moves li').length === 2")
    assert moves_of(page)[0] == "".join(places)


def test_a_game_without_a_board_has_buttons(page):
    page.begin("Children of the Galaxy", game="cotg4", seconds="0.1")
    page.press("NNKK")
    page.wait("return document.querySelectorAll('#moves li').length === 2")
    assert moves_of(page)[0] == "NNKK"


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
    assert moves_of(page)[0] == "B2"


def test_it_fits_a_phone_and_loads_nothing_from_elsewhere(page):
    page.resize(NARROW, "dark")
    assert page.run("return document.documentElement.scrollWidth") <= NARROW[0]
    loaded = page.run(
        "return performance.getEntriesByType('resource').map(e => new URL(e.name).host)"
    )
    assert set(loaded) == {page.run("return location.host")}
    assert page.complaints() == []
