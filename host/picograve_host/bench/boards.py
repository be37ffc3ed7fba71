"""The boards' part of `picograve bench`: the same rows, by each board's own clock.

On an emulated chip that clock counts the chip's cycles (not the misses of its flash cache): the
figures do not depend on this machine and come out the same again within 0.1 %, so one round is
enough. A playout takes the same cycles at every clock there (within 0.4 %), so what is measured at
one is told for the others, too; a real chip may wait longer for its flash at a higher clock.
On a simulated board and in QEMU, which counts no cycles, time is this machine's wall clock, with
its noise.

Every tree is compared with the desktop's for the same settings: a board that grows another one
is wrong, and its speed means nothing, so the run fails.

Where the board runs here, a playout is also timed in three builds of the core: as bytecode,
with viper's native code of the sources as they are written, and with that of the sources as
they are installed (picograve_tools.kernels makes them fast first).

What may be changed: the constants below.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picograve import RUNTIME, TREE_SEARCHES, Budget, Config, Searcher
from picograve.errors import RunFailed
from picograve_tools import micropython, mpy
from picograve_tools.cache import progress

from picograve_host.bench import desktop as bench
from picograve_host.boards import install
from picograve_host.boards import registry as boards
from picograve_host.boards.link import clock_text
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.factory import say_on_stderr

if TYPE_CHECKING:
    from picograve.protocols import Game


SEED = 1
# (nodes, playouts) of a search. graver2 has the paper's nodes, or what fits of them; the others
# have fewer nodes than playouts, so that the recycling ones of one level recycle.
SIZES = dict.fromkeys(TREE_SEARCHES, (40, 100)) | {"graver2": (160, 600)}
SAMPLE_PLAYOUTS = 100  # or one by a heuristic, which looks at every move of every position
PARTS = 20000  # bytes of a chip's heap that the parts of searches measured before may hold
PORTION = 20  # playouts of one request: its answer must come in time
# Of each build: an emulated chip needs half a second of ours for one in bytecode.
BUILD_PLAYOUTS = {"rp2040": 2, "unix": 200, "unix64": 200}
BYTECODE, WRITTEN, INSTALLED = "bytecode", "viper, as written", "viper, as installed"
TARGET = 15  # of the ratio viper, as installed / bytecode, on an RP2040

# Run on the board: microseconds and half points of playouts without a tree.
SCRIPT = """\
import gc, time
from picograve import Budget, Config, Searcher, load, rng
searcher = Searcher(load(%(game)r), Config("uct"), Budget(nodes=2))
rng.start(searcher.buffers["rng"], %(seed)d)
gc.collect()
began = time.ticks_us()
mean = searcher.sample(%(playouts)d)
print(time.ticks_diff(time.ticks_us(), began), round(2 * %(playouts)d * mean))
"""


def run(names: list[str], game: "Game", mhz: int | None = None) -> list[dict[str, Any]]:
    """Measure the boards; a list of reports as --json prints them."""
    for name in names:
        boards.describe_any(name)  # refuses what does not exist before any work
    reports = [_measure(name, game, mhz) for name in names]
    progress("")
    return reports


def _measure(name, game, mhz):
    with boards.open_board(name, say_on_stderr, game, mhz) as opened:
        hello = opened.link.hello
        rates = [_rate(opened, game, *task) for task in bench.tasks(game)]
        builds = _builds(opened, game)  # last: it takes the line away from the service
    return {
        "board": opened.board["name"],
        "machine": "%s, %s%s" % (hello["machine"], hello["system"], clock_text(hello)),
        "mhz": hello["mhz"],
        "clocks": _clocks(opened.board, hello["mhz"]),
        "rates": rates,
        "builds": builds,
        "ratios": _ratios(opened.board, builds),
    }


def _rate(opened, game, search, policy):
    what = "%s, %s" % (search, policy)
    progress("%s: %s" % (opened.board["name"], what))
    measure = _sample if search == bench.SAMPLE else _search
    playouts, seconds, tree_hash = measure(opened, game, search, policy)
    mhz = opened.link.hello["mhz"]
    return {
        "what": what,
        "playouts": playouts,
        "seconds": seconds,
        "per_second": round(playouts / seconds, 1),
        "cycles": mhz and round(mhz * 1e6 * seconds / playouts),  # of a playout
        "tree_hash": tree_hash,
    }


def _clocks(board, mhz):
    """The clocks to tell figures for: the one it ran at, and those of its description."""
    clock = board.get("clock", {})
    return sorted({mhz, clock["boot"], clock["certified"]}) if mhz and clock else []


def _sample(opened, game, _, policy):
    config = Config("uct", "paper", playout_policy=policy, playouts=1)
    player = BoardPlayer(opened.link, game, config, Budget(nodes=2), SEED)
    if policy in game.heuristics:
        return 1, player.sample(1), None
    portions = SAMPLE_PLAYOUTS // PORTION
    return portions * PORTION, sum(player.sample(PORTION) for _ in range(portions)), None


def _search(opened, game, search, policy):
    nodes, playouts = SIZES[search]
    config = Config(search, "paper", playout_policy=policy, playouts=playouts)
    budget = _fitting(opened.board, game, config, nodes)
    thought = BoardPlayer(opened.link, game, config, budget, SEED).search()
    desktop = DesktopPlayer(game, config, budget, SEED).search()
    if thought.tree_hash != desktop.tree_hash:
        raise RunFailed(
            "%s grows another tree than %s for %s, %s (%s, not %s): one of them is wrong"
            % (opened.board["name"], RUNTIME, search, policy, thought.tree_hash, desktop.tree_hash)
        )
    return thought.playouts, thought.seconds, thought.tree_hash


def _fitting(board, game, config, nodes):
    budget = Budget(nodes=nodes)
    if "usable" in board and budget.ledger(game, config).total_bytes > board["usable"] - PARTS:
        return Budget(bytes=board["usable"] - PARTS)
    return budget


# Native code and bytecode.


def _builds(opened, game):
    """{build: milliseconds a playout}; empty for a board that is not ours to load code into."""
    board = opened.board
    playouts = BUILD_PLAYOUTS.get(board.get("runs"))
    if not playouts:
        return {}
    opened.link.close()
    searcher = Searcher(game, Config("uct"), Budget(nodes=2))
    desktop = bench.measure_sample(searcher, playouts, SEED)
    times = {}
    for name, build in BUILDS.items():
        progress("%s: %s" % (board["name"], name))
        with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
            build(board["arch"], Path(folder), install.files_of(game))
            microseconds, half_points = _run_script(opened, game, playouts, Path(folder))
        if half_points != desktop.half_points:
            raise RunFailed("%s, %s: other results than on the desktop" % (board["name"], name))
        times[name] = microseconds / playouts / 1000
    return times


def _ratios(board, builds):
    if not builds:
        return []
    targets = {WRITTEN: None, INSTALLED: TARGET if board["runs"] == "rp2040" else None}
    return [
        {
            "name": "%s / %s" % (name, BYTECODE),
            "value": round(builds[BYTECODE] / builds[name], 1),
            "target": target,
        }
        for name, target in targets.items()
    ]


def _run_script(opened, game, playouts, folder):
    """Run the script on the board's machine with the core in `folder`: what it prints."""
    script = folder / "script.py"
    script.write_text(SCRIPT % dict(game=game.name, seed=SEED, playouts=playouts))
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


def _build_bytecode(arch, folder, extra):
    for path, name in [*mpy.core(), *extra]:
        file = folder / Path(name).with_suffix(".mpy")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(mpy.compiled(_without_viper(path), name, arch))


def _without_viper(path):
    """A source for plain bytecode, which has no pointers: ptr8(x) and its like are x itself.

    kernel.py keeps its one kernel, which clears a new buffer byte by byte through a pointer.
    """
    text = path.read_text()
    if path.name == "kernel.py":
        return text.replace("ptr32 = int\n", "ptr32 = lambda buffer: buffer\n")
    return text.replace("@micropython.viper\n", "")


BUILDS = {
    BYTECODE: _build_bytecode,
    WRITTEN: lambda arch, folder, extra: mpy.build(arch, folder, extra, mpy.PLAIN),
    INSTALLED: mpy.build,
}


# The report.


def text(reports: list[dict[str, Any]], game: "Game") -> str:
    blocks = [_head_lines(reports, game), _rate_lines(reports)]
    blocks += [_cycle_lines(report) for report in reports if report["clocks"]]
    if any(report["builds"] for report in reports):
        blocks.append(_build_lines(reports))
    return "\n\n".join("\n".join(lines) for lines in blocks)


def _head_lines(reports, game):
    yield "%s from its start, seed %d, each board by its own clock" % (game.name, SEED)
    for report in reports:
        yield "%s: %s" % (report["board"], report["machine"])


def _rate_lines(reports):
    yield _line("playouts a second", [report["board"] for report in reports], reports)
    for rates in zip(*(report["rates"] for report in reports), strict=True):
        what = "%s, %d playouts" % (rates[0]["what"], rates[0]["playouts"])
        yield _line(what, [f"{rate['per_second']:,.0f}" for rate in rates], reports)
    yield "every tree is the desktop's (%s), by its hash" % RUNTIME


def _cycle_lines(report):
    """Of a board with a clock: cycles a playout, and what they come to at each clock."""
    row = "%-32s%12s" + "%12s" * len(report["clocks"])
    heads = ["%d MHz" % mhz for mhz in report["clocks"]]
    yield row % ("%s, a second at" % report["board"], "cycles", *heads)
    for rate in report["rates"]:
        cycles = rate["cycles"]
        speeds = [f"{mhz * 1e6 / cycles:,.0f}" for mhz in report["clocks"]]
        yield row % (rate["what"], f"{cycles:,}", *speeds)


def _build_lines(reports):
    yield _line("ms a playout, uniform", [report["board"] for report in reports], reports)
    for name in BUILDS:
        times = [report["builds"].get(name) for report in reports]
        yield _line(name, ["%.3f" % time if time else "" for time in times], reports)
    values = [{row["name"]: row["value"] for row in report["ratios"]} for report in reports]
    for name in dict.fromkeys(name for row in values for name in row):
        yield _line(name, [str(row.get(name, "")) for row in values], reports)
    if any(ratio["target"] for report in reports for ratio in report["ratios"]):
        yield "target of the last one on an RP2040: %d or more" % TARGET


def _line(what, cells, reports):
    widths = [max(12, len(report["board"]) + 2) for report in reports]
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return ("%-32s" % what + "".join(padded)).rstrip()
