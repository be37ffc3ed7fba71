"""The page in a real browser, Debian's chromium without a window, for tests and pictures.

python tests/play/browser.py host/pictures   takes the pictures that host/README.md shows
python tests/play/browser.py                 measures how long `make play` takes to the first click
"""

import contextlib
import io
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from PIL import Image  # comes with matplotlib

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 600  # seconds: kernels may have to be compiled first, on a machine that is busy
WIDE, NARROW = (1440, 900), (360, 740)
COLOURS = 256  # of a picture, which makes it small


@contextlib.contextmanager
def served_process(*arguments, by="play"):
    """A server that a command starts: its address and its process."""
    command = [sys.executable, "-m", "picograve_host.cli", by, "--no-browser", "--json"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline())["url"], process
        finally:
            process.terminate()


@contextlib.contextmanager
def served(*arguments, by="play"):
    """The address of a server."""
    with served_process(*arguments, by=by) as (url, _):
        yield url


@contextlib.contextmanager
def opened(url):
    """A page at this address."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory() as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in [*FLAGS, "--user-data-dir=" + folder]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
        try:
            driver.get(url)
            yield Page(driver)
        finally:
            driver.quit()


class Page:
    def __init__(self, driver):
        self.driver = driver

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def until(self, find):
        """What a function finds, as soon as that is true."""
        end = time.monotonic() + PATIENCE
        while not (value := find()):
            assert time.monotonic() < end, self.run("return document.body.innerText")
            time.sleep(0.05)
        return value

    def wait(self, script, *arguments):
        """What a script returns, as soon as that is true."""
        return self.until(lambda: self.run(script, *arguments))

    def wait_for(self, words, name="status"):
        self.wait(
            "return document.getElementById(arguments[0]).textContent.includes(arguments[1])",
            name,
            words,
        )

    def click(self, place):
        """A place of the board, when it can be played."""
        self.wait("return document.querySelector(arguments[0])", '.can[data-place="%s"]' % place)
        self.driver.find_element("css selector", '[data-place="%s"]' % place).click()

    def leave(self):
        """The mouse goes where nothing lights up under it."""
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", dict(type="mouseMoved", x=0, y=0))

    def press(self, text):
        """A button by its words."""
        script = "return [...document.querySelectorAll('button')].find(b => !b.disabled && "
        self.wait(script + "b.textContent === arguments[0])", text).click()

    def begin(self, title, **fields):
        """A new game by the form; `title` is how the page calls it."""
        self.press("New game")
        usual = dict(opponent="desktop", preset="strong", bytes="64000", playouts="", seconds="")
        self.fill(dict(usual, side="first", swap="false"))
        self.fill(fields)
        game = self.run("return document.getElementById('board').dataset.game")
        self.press("Start")
        self.wait("return document.getElementById('board').dataset.game !== arguments[0]", game)
        self.wait_for(title + " against", "who")

    def fill(self, fields):
        """Fields of the form, in this order: one may set others anew."""
        for name, value in fields.items():
            self.run(
                "const field = document.getElementById('f-' + arguments[0]);"
                "field.value = arguments[1]; field.checked = arguments[1] === 'true';"
                "field.dispatchEvent(new Event('change'))",
                name,
                value,
            )

    def turn(self, played):
        """Wait until so many moves are made and it is the person's turn; the places and words that
        can be played, or None if the game is over."""
        return self.wait(
            "const status = document.getElementById('status').textContent;"
            "const played = document.querySelectorAll('#moves li').length >= arguments[0];"
            "const can = [...document.querySelectorAll('.can')].map(e => e.dataset.place).concat("
            "[...document.querySelectorAll('#words button')].map(e => e.textContent));"
            "return status.includes('game is over') ? {can: null} :"
            "played && status.includes('Your move') && can.length && {can: can}",
            played,
        )["can"]

    def moves(self):
        items = self.run("return [...document.querySelectorAll('#moves li')].map(i => i.innerText)")
        return [item.split()[1] for item in items]

    def resize(self, size, theme):
        metrics = dict(width=size[0], height=size[1], deviceScaleFactor=1, mobile=size == NARROW)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.run("document.documentElement.dataset.theme = arguments[0]", theme)

    def picture(self):
        return Image.open(io.BytesIO(self.driver.get_screenshot_as_png()))

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


class Shown(NamedTuple):
    """A game as it is shown: how the page calls it, fields of the form, first clicks."""

    title: str
    fields: dict[str, str]
    clicks: list[str]


SHOWN = {
    "go": Shown("Go", dict(game="go9", opponent="sim"), ["E5"]),
    "hex": Shown("Hex", dict(game="hex7"), ["D4"]),
    "othello": Shown("Othello", dict(game="othello"), ["D3"]),
    "chess": Shown("Chess", dict(game="chess"), ["e2", "e4"]),
    "ttt": Shown("Tic-tac-toe", dict(game="ttt3"), ["B2"]),
    "cotg": Shown("Children of the Galaxy", dict(game="cotg4"), ["NNKK"]),
    "urts": Shown("Skirmish", dict(game="urts4", bytes="500000"), ["KKKK"]),
}
GAP = 20  # pixels between the four
FLASHING = """
const pool = document.getElementById('pool');
const dots = pool.getContext('2d').getImageData(0, 0, pool.width, pool.height).data;
let flashing = 0;
for (let at = 0; at < dots.length; at += 4) flashing += dots[at] > 200 && dots[at + 2] < 50;
return flashing > 5000;
"""


def show(page, name, **fields):
    """A game after its first clicks and their answers, with the mouse beside the board."""
    title, usual, clicks = SHOWN[name]
    page.begin(title, **{**usual, **fields})
    for click in clicks:
        page.click(click) if re.fullmatch("[A-Za-z][0-9]", click) else page.press(click)
    page.turn(2)
    page.leave()


def looks(page):
    """(size, theme) of the four ways to see a page, while it is seen so."""
    for look in itertools.product((WIDE, NARROW), ("light", "dark")):
        page.resize(*look)
        yield look
    page.resize(WIDE, "light")


def take_pictures(folder):
    """One of a search at work; of each game one, with all four ways to see it."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as url, opened(url) as page:
        page.wait_for("Your move")
        page.resize(WIDE, "light")
        page.begin("Go", game="go9", side="second", playouts="5000000")
        time.sleep(2)  # until many nodes are recycled between two looks
        page.wait(FLASHING)
        page.picture().quantize(COLOURS).save(folder / "thinking.png", optimize=True)
        page.press("Stop")
        for name in SHOWN:
            show(page, name, seconds="1")
            picture = Image.new("RGB", (WIDE[0] + GAP + NARROW[0], 2 * WIDE[1] + GAP), "white")
            for size, theme in looks(page):
                time.sleep(0.6)  # until nothing flashes any more
                corner = (WIDE[0] + GAP) * (size == NARROW), (WIDE[1] + GAP) * (theme == "dark")
                picture.paste(page.picture(), corner)
            picture.quantize(COLOURS).save(folder / ("%s.png" % name), optimize=True)


@contextlib.contextmanager
def made():
    """The address that `make play` prints; it finds a browser that does nothing."""
    command = ["make", "--silent", "-C", Path(__file__).parents[2], "play"]
    environment = dict(os.environ, BROWSER="true")
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield re.search("http:[^ ]*", process.stdout.readline())[0]
        finally:
            os.killpg(process.pid, signal.SIGINT)


def time_starts(count=5):
    """From `make play` to the first click possible, in a browser that is there already."""
    with opened("about:blank") as page:
        for _ in range(count):
            began = time.perf_counter()
            with made() as url:
                printed = time.perf_counter() - began
                page.driver.get(url)
                page.wait("return document.querySelector('.can')")
                ready = time.perf_counter() - began
                page.driver.get("about:blank")
            print("address after %.2f s, first click after %.2f s" % (printed, ready), flush=True)


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1])) if len(sys.argv) > 1 else time_starts()
