"""A uniform playout in several builds of the core, timed on the machine of a board that runs here.

    bytecode            what MicroPython runs without native code
    viper, as written   viper's native code of the sources as they are
    viper, made fast    ... of sources that picograve_tools.kernels has made fast
    C                   kernels translated to C (picograve_tools.native): what is installed
    C, by hand          Go 9x9 only: tools/go_playout.c, the same algorithm written in C

All play the same games from the same seed, which is checked. C needs a compiler for the board's
architecture; without one its rows are left out.

What may be changed: the constants below.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picograve import Budget, Config, Searcher
from picograve.errors import RunFailed
from picograve_tools import micropython, mpy
from picograve_tools.console import progress
from picograve_tools.native import module, yardstick

from picograve_host.bench import desktop as bench
from picograve_host.boards import program
from picograve_host.players.factory import say_on_stderr

if TYPE_CHECKING:
    from picograve.protocols import Game

SEED = 1
BYTECODE, WRITTEN, FAST = "bytecode", "viper, as written", "viper, made fast"
C, BY_HAND = "C", "C, by hand"
# Playouts of a slow and of a fast build: an emulated chip needs half a second of ours for one in
# bytecode, and the call from Python should not count.
PLAYOUTS = {"rp2040": (2, 100), "unix": (200, 1000), "unix64": (200, 1000)}
# (build, what it is compared with, the ratio it should reach on an RP2040)
RATIOS = (
    (WRITTEN, BYTECODE, None),
    (FAST, BYTECODE, 15),
    (C, FAST, None),
    (C, BY_HAND, 0.95),
)

# Run on the board; each prints microseconds and points.
OF_THE_CORE = """\
import gc, time
from picograve import Budget, Config, Searcher, load, rng
searcher = Searcher(load(%(game)r), Config("uct"), Budget(nodes=2))
rng.start(searcher.buffers["rng"], %(seed)d)
gc.collect()
began = time.ticks_us()
mean = searcher.sample(%(playouts)d)
print(time.ticks_diff(time.ticks_us(), began), round(2 * %(playouts)d * mean))
"""
OF_THE_YARDSTICK = """\
import time, yardstick
began = time.ticks_us()
points = yardstick.play(%(playouts)d, %(seed)d)
print(time.ticks_diff(time.ticks_us(), began), points)
"""


def measure(opened: Any, game: "Game") -> dict[str, float]:
    """{build: milliseconds per playout}; empty for a board that is not ours to load code into."""
    if opened.board.get("runs") not in PLAYOUTS:
        return {}
    opened.link.close()
    searcher = Searcher(game, Config("uct"), Budget(nodes=2))
    times = {}
    for name in _possible(opened.board, game):
        progress("%s: %s" % (opened.board["name"], name))
        playouts = PLAYOUTS[opened.board["runs"]][name in (C, BY_HAND)]
        with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
            BUILDS[name](opened.board, Path(folder), game)
            script = OF_THE_YARDSTICK if name == BY_HAND else OF_THE_CORE
            text = script % dict(game=game.name, seed=SEED, playouts=playouts)
            microseconds, points = _run(opened, text, Path(folder))
        if points != bench.measure_sample(searcher, playouts, SEED).half_points:
            raise RunFailed(
                "%s, %s: other results than on the desktop" % (opened.board["name"], name)
            )
        times[name] = microseconds / playouts / 1000
    return times


def _possible(board, game):
    has_c = not module.missing_for(board["arch"])
    return [
        name
        for name in BUILDS
        if (name != C or has_c) and (name != BY_HAND or (has_c and game.name == yardstick.GAME))
    ]


def ratios(board: dict[str, Any], times: dict[str, float]) -> list[dict[str, Any]]:
    return [
        {
            "name": "%s / %s" % (name, base),
            "value": round(times[base] / times[name], 3),
            "target": target if board["runs"] == "rp2040" else None,
        }
        for name, base, target in RATIOS
        if name in times and base in times
    ]


def _run(opened, text, folder):
    """Run a script on the board's machine with the files in `folder`: the numbers it prints."""
    script = folder / "script.py"
    script.write_text(text)
    if opened.board["runs"] == "rp2040":
        # A mounted folder is looked into before the flash, which stays as it is.
        command = [sys.executable, "-m", "mpremote", "connect", opened.port]
        command += ["mount", folder, "run", script]
    else:
        command = [_unix_port(opened.board), script]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        words = (answer.stderr or answer.stdout).strip().splitlines() or ["it says nothing"]
        raise RunFailed("%s cannot run a playout: %s" % (opened.board["name"], words[-1]))
    return [int(number) for number in answer.stdout.split()[-2:]]


def _unix_port(board):
    if board["runs"] == "unix64":
        return micropython.unix(64, say_on_stderr)
    return micropython.find_unix(say_on_stderr)[0]


# The builds: (board, folder, game) -> files in the folder.


def _bytecode(board, folder, game):
    for path, name in [*mpy.core(), *program.files_of(game)]:
        file = folder / Path(name).with_suffix(".mpy")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(mpy.compiled(_without_viper(path), name, board["arch"]))


def _without_viper(path):
    """A source for plain bytecode, which has no pointers: ptr8(x) and its like are x itself.

    kernel.py keeps its one kernel, which clears a new buffer byte by byte through a pointer.
    """
    text = path.read_text()
    if path.name == "kernel.py":
        return text.replace("ptr32 = int\n", "ptr32 = lambda buffer: buffer\n")
    return text.replace("@micropython.viper\n", "")


def _native(by):
    def build(board, folder, game):
        sizes = program.sizes_of(board.get("only"))
        mpy.build(board["arch"], folder, program.files_of(game), by, sizes=sizes)

    return build


def _by_hand(board, folder, game):
    (folder / "yardstick.mpy").write_bytes(yardstick.compiled(board["arch"]))


BUILDS = {
    BYTECODE: _bytecode,
    WRITTEN: _native(mpy.PLAIN),
    FAST: _native(mpy.VIPER),
    C: _native(mpy.C),
    BY_HAND: _by_hand,
}
