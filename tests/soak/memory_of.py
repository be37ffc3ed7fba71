"""Whether memory stays flat in a long match, a long run of the lab, and a long talk in GTP.

    PYTHONPATH=tests/support python tests/soak/memory_of.py [match] [lab] [gtp]

Each is the user's own command. The host's memory is that of all its processes, in RAM, from the
first game that is recorded to the last: what it takes to start, and to draw a plot at the end, is
no part of it. A board's is the heap that it tells with each move.
"""

import contextlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memory import is_flat, kilobytes
from picograve import BadInput
from picograve.errors import RunFailed
from picograve_host.lab.play.store import Store

SAMPLES = 200  # about so many are taken, and a first one every SOONEST seconds
SOONEST = 0.2
MATCHES, LAB_GAMES, COMMANDS = 1_000, 10_000, 100_000
EXPERIMENT = """
game = "ttt3"
games = %d
preset = "paper"
[opponent]
search = "uct"
playouts = 300
[players.UCT]
search = "uct"
playouts = 300
"""
TALK = (
    "clear_board",
    "play b c3",
    "genmove w",
    "name",
    "undo",
    "nonsense",
    "final_score",
    "showboard",
)


def picograve(*words, **streams):
    return subprocess.Popen([sys.executable, "-m", "picograve_host.cli", *words], **streams)


def family(number):
    """A process and all that it has started."""
    children = Path("/proc/%d/task/%d/children" % (number, number)).read_text().split()
    return [number, *(one for child in children for one in family(int(child)))]


def sampled(process, games, most):
    """Kilobytes of a command and its processes, while it has some games, but not yet the most."""
    samples = []
    while process.poll() is None:
        with contextlib.suppress(OSError, LookupError):  # one has just ended
            if 0 < games() < most:
                samples.append(sum(map(kilobytes, family(process.pid))))
        time.sleep(SOONEST)
    assert process.returncode == 0 and samples
    return thinned(samples)


def thinned(samples):
    return samples[:: max(1, len(samples) // SAMPLES)]


def match(folder):
    size = "--board-nodes 20 --opponent-nodes 20 --board-playouts 30 --opponent-playouts 30".split()
    command = ["match", "--game", "ttt3", "--board", "sim", "--games", str(MATCHES), *size]
    process = picograve(*command, "--out", str(folder), stdout=subprocess.DEVNULL)
    log = folder / "match.jsonl"
    host = sampled(process, lambda: sum('"ply"' not in line for line in log.open()), MATCHES)
    with log.open() as lines:
        heap = [move["heap_used"] for move in map(json.loads, lines) if move.get("heap_used")]
    yield "match, host", host, "kB"
    yield "match, board", thinned(heap), "bytes"


def lab(folder):
    file = folder / "flat.toml"
    file.write_text(EXPERIMENT % LAB_GAMES)
    command = ["lab", "run", str(file), "--workers", "1", "--out", str(folder)]
    process = picograve(*command, stdout=subprocess.DEVNULL)
    yield "lab", sampled(process, lambda: games_in(folder), LAB_GAMES), "kB"


def games_in(folder):
    with contextlib.suppress(BadInput, RunFailed), Store(folder) as store:
        return store.database.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    return 0


def gtp(folder):
    pipe = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    samples = []
    with picograve("gtp", "--game", "go5", "--playouts", "10", "--nodes", "20", **pipe) as process:
        for number, command in zip(range(COMMANDS), itertools.cycle(TALK), strict=False):
            print(command, file=process.stdin, flush=True)
            while process.stdout.readline() != "\n":
                pass
            if number % (COMMANDS // SAMPLES) == 0:
                samples.append(kilobytes(process.pid))
        print("quit", file=process.stdin, flush=True)
    yield "gtp", samples, "kB"


def main():
    grows = []
    for name in sys.argv[1:] or ("match", "lab", "gtp"):
        with tempfile.TemporaryDirectory() as folder:
            series = {"match": match, "lab": lab, "gtp": gtp}[name](Path(folder))
            grows += [what for what, *samples in series if not is_flat(what, *samples)]
    return 1 if grows else 0


if __name__ == "__main__":
    sys.exit(main())
