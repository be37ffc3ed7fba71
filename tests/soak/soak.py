"""Plays for an hour while everything goes wrong that may: what `make soak` runs.

    PYTHONPATH=tests/support python tests/soak/soak.py [--minutes M] [--board sim | pico-emulated]

One host plays game after game on a board whose line damages bytes and which is killed now and then.
Beside it a lab run is killed at random moments and started again. Afterwards

    every move       is the one that the same search makes on the desktop
    memory           of the host (in RAM) and of the board (heap used at the start of a game) is
                     flat, as tests/support/memory.py says it
    the lab's file,  copied alone after each kill, has every game that it had before
"""

import argparse
import multiprocessing
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from line.noisy import NoisyLine
from memory import is_flat, kilobytes
from picograve import Budget, Config, load
from picograve.errors import RunFailed
from picograve_host.boards import registry, simulated
from picograve_host.boards.link import Link
from picograve_host.lab.play.rescue import rescued
from picograve_host.lab.play.store import FILE, Store
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer

DAMAGE = 0.002  # share of bytes that meet with an accident
KILLS = 0.02  # chance that a board is killed before a move
REPLY = 0.2  # seconds until a line is said again
PLIES = 12  # of a game: short ones, so that there are many
LAB_LIVES = (3.0, 12.0)  # seconds until a lab run is killed
EXPERIMENT = """
game = "ttt3"
games = 1000000
preset = "paper"
[opponent]
search = "uct"
playouts = 50
[players.UCT]
search = "uct"
playouts = 50
"""


class Games:
    """Games of a board against itself in the desktop's shape, move by move the same."""

    def __init__(self, name, dice):
        self.dice = dice
        self.board = registry.describe(name)
        self.machine = simulated.start(self.board, print)
        self.line = NoisyLine(self.machine.port, dice.randrange(2**30), DAMAGE)
        setting = load("go5"), Config("graver2", playouts=60), Budget(nodes=20)
        # Impatient: what is lost is asked for again the sooner, and a minute has more games.
        self.link = Link(self.line.port, dict(self.board["serial"], reply=REPLY))
        self.player = BoardPlayer(self.link, *setting)
        self.desktop = DesktopPlayer(*setting)
        self.games = self.moves = self.kills = self.differences = 0
        self.host, self.heap = [], []

    def play(self, until):
        while time.monotonic() < until:
            self.games += 1
            for player in (self.player, self.desktop):
                player.new_game(self.games)
            for ply in range(PLIES):
                if self.desktop.searcher.is_over:
                    break
                if self.dice.random() < KILLS:
                    self.kills += 1
                    self.machine.reset()
                thought, expected = self.player.search(), self.desktop.search()
                self.differences += thought.tree_hash != expected.tree_hash
                if ply == 1:
                    self.heap.append(thought.heap_used)
                for player in (self.player, self.desktop):
                    player.play(expected.move)
                self.moves += 1
            self.host.append(kilobytes())

    def close(self):
        self.link.close()
        self.line.__exit__()
        self.machine.close()


def run_the_lab(folder, seed, until, told):
    """In a process of its own, because it remembers all games: what came of it goes to `told`."""
    lab = LabRuns(folder, random.Random(seed), until)
    lab.run()
    told.put((lab.kills, len(lab.there), lab.rescues, lab.lost))


class LabRuns:
    """A lab run that is killed and started again; its file is copied alone and looked at."""

    def __init__(self, folder, dice, until):
        self.folder, self.dice, self.until = folder, dice, until
        self.kills = self.rescues = self.lost = 0
        self.there: set = set()

    def run(self):
        file = self.folder / "soak.toml"
        file.write_text(EXPERIMENT)
        out, copy = self.folder / "out", self.folder / "copy"
        command = [sys.executable, "-m", "picograve_host.cli", "lab", "run", str(file)]
        while time.monotonic() < self.until:
            process = subprocess.Popen(
                [*command, "--out", str(out), "--workers", "1"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            time.sleep(self.dice.uniform(*LAB_LIVES))
            process.kill()
            process.wait()
            self.kills += 1
            if (out / FILE).exists():
                shutil.rmtree(copy, ignore_errors=True)
                copy.mkdir()
                shutil.copyfile(out / FILE, copy / FILE)
                now = self._games_in(copy)
                self.lost += len(self.there - now)
                self.there = now

    def _games_in(self, folder):
        try:
            with Store(folder) as store:
                return set(store.database.execute("SELECT key, number FROM games"))
        except RunFailed:
            self.rescues += 1
            _, games = rescued(folder / FILE)
            return {(key, one["number"]) for key, records in games.items() for one in records}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60, help="default 60")
    parser.add_argument("--board", default="sim", help="sim or pico-emulated; default sim")
    parser.add_argument("--seed", type=int, default=1, help="of all accidents; default 1")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        told = multiprocessing.SimpleQueue()
        lab = (Path(folder), options.seed, until, told)
        process = multiprocessing.Process(target=run_the_lab, args=lab)
        process.start()
        games = Games(options.board, random.Random(options.seed + 1))
        games.play(until)
        games.close()
        lab = told.get()
        process.join()
    what = (games.games, games.moves, games.line.accidents, games.kills, games.differences)
    print(
        "games        %d, %d moves, %d bytes damaged, %d kills of the board: %d moves differ" % what
    )
    print("lab          %d kills, %d games in its file, rescued %d times: %d games lost" % lab)
    flat = [is_flat("host", games.host, "kB"), is_flat("board", games.heap, "bytes")]
    return 0 if all(flat) and not games.differences and not lab[-1] else 1


if __name__ == "__main__":
    sys.exit(main())
