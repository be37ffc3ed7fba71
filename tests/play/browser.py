"""The page in a real browser, Debian's chromium without a window, for tests and pictures.

python tests/play/browser.py host/pictures   makes the pictures that host/README.md shows
python tests/play/browser.py                 measures how long a start takes
"""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from patience import LONG

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = LONG  # kernels may have to be compiled first
WIDE, NARROW = (1280, 800), (360, 740)
COLOURS = 256  # of a picture, which makes it small


@contextlib.contextmanager
def served_process(*arguments):
    """A server: its address and its process."""
    command = [sys.executable, "-m", "picograve_host.cli", "play", "--no-browser", "--json"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline())["url"], process
        finally:
            process.terminate()


@contextlib.contextmanager
def served(*arguments):
    """The address of a server."""
    with served_process(*arguments) as (url, _):
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

    def wait(self, script, *arguments):
        """Until a script returns something true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script, *arguments)):
            assert time.monotonic() < end, self.run("return document.body.innerText")
            time.sleep(0.05)
        return value

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

    def press(self, text):
        """A button by its words."""
        script = "return [...document.querySelectorAll('button')].find(b => !b.disabled && "
        self.wait(script + "b.textContent === arguments[0])", text).click()

    def begin(self, title, **fields):
        """A new game by the form; `title` is how the page calls it."""
        self.press("New game")
        usual = dict(opponent="desktop", preset="strong", bytes="64000", playouts="", seconds="")
        self.fill(usual)
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
                "field.value = arguments[1]; field.dispatchEvent(new Event('change'))",
                name,
                value,
            )

    def turn(self, played):
        """Wait until so many moves are made and it is the person's turn; the places and words that
        can be played, or None if the game is over."""
        self.wait(
            "const status = document.getElementById('status').textContent;"
            "const played = document.querySelectorAll('#moves li').length >= arguments[0];"
            "return status.includes('game is over') || (played && status.includes('Your move'))",
            played,
        )
        return self.run(
            "return document.getElementById('status').textContent.includes('over') ? null : "
            "[...document.querySelectorAll('.can')].map(e => e.dataset.place).concat("
            "[...document.querySelectorAll('#words button')].map(e => e.textContent))"
        )

    def moves(self):
        items = self.run("return [...document.querySelectorAll('#moves li')].map(i => i.innerText)")
        return [item.split()[1] for item in items]

    def resize(self, size, theme):
        metrics = dict(width=size[0], height=size[1], deviceScaleFactor=1, mobile=size == NARROW)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.run("document.documentElement.dataset.theme = arguments[0]", theme)
        time.sleep(0.6)  # until nothing flashes any more

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


GAMES = {  # title: fields of the form, a first move
    "Go": (dict(game="go9", seconds="1"), ["E5"]),
    "Hex": (dict(game="hex7", seconds="1"), ["D4"]),
    "Othello": (dict(game="othello", seconds="1"), ["D3"]),
    "Chess": (dict(game="chess", seconds="1"), ["e2", "e4"]),
}


FLEET = dict(game="cotg4", seconds="1")
PICTURES = {  # name: title and fields of the game, its first clicks, size, theme
    "go": ("Go", *GAMES["Go"], WIDE, "light"),
    "hex": ("Hex", *GAMES["Hex"], WIDE, "dark"),
    "board": ("Go", dict(game="go9", opponent="sim", bytes="64000"), ["E5"], WIDE, "dark"),
    "othello": ("Othello", *GAMES["Othello"], NARROW, "light"),
    "chess": ("Chess", *GAMES["Chess"], NARROW, "dark"),
    "ttt": ("Tic-tac-toe", dict(game="ttt3", seconds="1"), ["B2"], NARROW, "dark"),
    "combat": (
        "Children of the Galaxy",
        dict(game="cotg4", seconds="1"),
        ["NNKK"],
        NARROW,
        "light",
    ),
}


def take_pictures(folder):
    from PIL import Image  # comes with matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    with served() as url, opened(url) as page:
        page.wait_for("Your move")
        for name, (title, fields, clicks, size, theme) in PICTURES.items():
            page.begin(title, **fields)
            for click in clicks:
                page.press(click) if title.startswith("Children") else page.click(click)
            page.turn(2)
            page.resize(size, theme)
            path = folder / ("%s.png" % name)
            page.driver.save_screenshot(str(path))
            Image.open(path).quantize(COLOURS).save(path, optimize=True)
            page.resize(WIDE, "light")


def time_starts(count=5):
    """From the command to the first click possible, in a browser that is there already."""
    with opened("about:blank") as page:
        for _ in range(count):
            began = time.perf_counter()
            with served() as url:
                printed = time.perf_counter() - began
                page.driver.get(url)
                page.wait("return document.querySelector('.can')")
                ready = time.perf_counter() - began
                page.driver.get("about:blank")
            print("address after %.2f s, first click after %.2f s" % (printed, ready), flush=True)


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1])) if len(sys.argv) > 1 else time_starts()
