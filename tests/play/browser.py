"""The page in a real browser, Debian's chromium without a window, for tests and pictures.

    python tests/play/browser.py host/pictures

makes the pictures that host/README.md shows.
"""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 60  # seconds: kernels may have to be compiled first
WIDE, NARROW = (1280, 800), (360, 740)
COLOURS = 64  # of a picture, which makes it small


@contextlib.contextmanager
def served(*arguments):
    """The address of a server of its own process."""
    command = [sys.executable, "-m", "picograve_host.cli", "play", "--no-browser", "--json"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()


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
        usual = dict(preset="strong", bytes="64000", playouts="", seconds="")
        for name, value in {**usual, **fields}.items():
            self.run(
                "const field = document.getElementById('f-' + arguments[0]);"
                "field.value = arguments[1]; field.dispatchEvent(new Event('change'))",
                name,
                value,
            )
        self.press("Start")
        self.wait_for(title + " against", "who")

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


def take_pictures(folder):
    from PIL import Image  # comes with matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    looks = {"Go": (WIDE, "light"), "Hex": (WIDE, "dark"), "Othello": (NARROW, "light")}
    with served() as url, opened(url) as page:
        page.wait_for("Your move")
        for title, (fields, places) in GAMES.items():
            page.begin(title, **fields)
            for place in places:
                page.click(place)
            page.wait("return document.querySelectorAll('#moves li').length === 2")
            page.resize(*looks.get(title, (NARROW, "dark")))
            path = folder / ("%s.png" % title.lower())
            page.driver.save_screenshot(str(path))
            Image.open(path).quantize(COLOURS).save(path, optimize=True)
            page.resize(WIDE, "light")


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]))
