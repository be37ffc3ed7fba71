"""The boards' part of `picograve bench`: the same rows, by each board's own clock.

On an emulated chip that clock counts the chip's cycles (not the misses of its flash cache): the
figures do not depend on this machine and come out the same again within 0.1 %, so one round is
enough. A playout takes the same cycles at every clock there (within 0.4 %), so what is measured at
one is given for the others, too; a real chip may wait longer for its flash at a higher clock.
On a simulated board and in QEMU, which counts no cycles, time is this machine's wall clock, with
its noise.

Every tree is compared with the desktop's for the same settings: a board that grows another one
is wrong, and its speed means nothing, so the run fails.

Where the board runs here, a playout is also timed in several builds of the core (builds.py).

Games whose playouts are cut (chess, battles) have long ones, of which an emulated chip takes half a
second of ours each: they have few rows of few playouts, and one build.

What may be changed: the constants below.
"""

from typing import TYPE_CHECKING, Any

from picograve import RUNTIME, TREE_SEARCHES, Budget, Config
from picograve.errors import RunFailed
from picograve_tools.console import progress

from picograve_host.bench import builds
from picograve_host.bench import desktop as bench
from picograve_host.boards import registry as boards
from picograve_host.boards.link import clock_text
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.factory import say_on_stderr
from picograve_host.screen.tables import in_columns

if TYPE_CHECKING:
    from picograve.protocols import Game

SEED = 1
# (nodes, playouts) of a search. graver2 has the paper's nodes, or what fits of them; the others
# have fewer nodes than playouts, so that the recycling ones of one level recycle.
SIZES = dict.fromkeys(TREE_SEARCHES, (40, 100)) | {"graver2": (160, 600)}
SAMPLE_PLAYOUTS = 100  # or one by a heuristic, which looks at every move of every position
PARTS = 20000  # bytes of a chip's heap that the parts of searches measured before may hold
PORTION = 20  # playouts of one request: its answer must come in time
# Where playouts are long: of the rows with uniform playouts these searches, graver2 only if moves
# have codes; (nodes, playouts) of each, and SAMPLE_PLAYOUTS.
LONG_SEARCHES = ("uct", "graver2", "uctr2")
LONG_SIZES = (10, 20)
LONG_SAMPLE = 20


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
        rates = [_rate(opened, game, *task) for task in _tasks(game)]
        # Last: it takes the line away from the service.
        times = {} if game.playout_cap else builds.measure(opened, game)
    return {
        "board": opened.board["name"],
        "machine": "%s, %s%s" % (hello["machine"], hello["system"], clock_text(hello)),
        "mhz": hello["mhz"],
        "clocks": _clocks(opened.board, hello["mhz"]),
        "rates": rates,
        "builds": times,
        "ratios": builds.ratios(opened.board, times),
    }


def _tasks(game):
    chosen = (bench.SAMPLE, *LONG_SEARCHES)
    for search, policy in bench.tasks(game):
        if not game.playout_cap or (policy == "uniform" and search in chosen):
            yield search, policy


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
    """The clocks to give figures for: the one it ran at, and those of its description."""
    clock = board.get("clock", {})
    return sorted({mhz, clock["boot"], clock["certified"]}) if mhz and clock else []


def _sample(opened, game, _, policy):
    config = Config("uct", "paper", playout_policy=policy, playouts=1)
    player = BoardPlayer(opened.link, game, config, Budget(nodes=2), SEED)
    if policy in game.heuristics:
        return 1, player.sample(1), None
    portions = (LONG_SAMPLE if game.playout_cap else SAMPLE_PLAYOUTS) // PORTION
    return portions * PORTION, sum(player.sample(PORTION) for _ in range(portions)), None


def _search(opened, game, search, policy):
    nodes, playouts = LONG_SIZES if game.playout_cap else SIZES[search]
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
    lines = [["playouts per second", *(report["board"] for report in reports)]]
    for rates in zip(*(report["rates"] for report in reports), strict=True):
        what = "%s, %d playouts" % (rates[0]["what"], rates[0]["playouts"])
        lines.append([what, *(f"{rate['per_second']:,.0f}" for rate in rates)])
    yield in_columns(lines)
    yield "every tree is the desktop's (%s), by its hash" % RUNTIME


def _cycle_lines(report):
    """Of a board with a clock: cycles per playout, and what they come to at each clock."""
    heads = ["%d MHz" % mhz for mhz in report["clocks"]]
    lines = [["%s, a second at" % report["board"], "cycles", *heads]]
    for rate in report["rates"]:
        cycles = rate["cycles"]
        speeds = [f"{mhz * 1e6 / cycles:,.0f}" for mhz in report["clocks"]]
        lines.append([rate["what"], f"{cycles:,}", *speeds])
    yield in_columns(lines)


def _build_lines(reports):
    lines = [["ms per playout, uniform", *(report["board"] for report in reports)]]
    for name in builds.BUILDS:
        times = [report["builds"].get(name) for report in reports]
        lines.append([name, *("%.3f" % time if time else "" for time in times)])
    values = [{row["name"]: row["value"] for row in report["ratios"]} for report in reports]
    names = dict.fromkeys(name for row in values for name in row)
    lines += [[name, *(str(row.get(name, "")) for row in values)] for name in names]
    yield in_columns(lines)
    targets = {
        ratio["name"]: ratio["target"]
        for report in reports
        for ratio in report["ratios"]
        if ratio["target"]
    }
    for name, target in targets.items():
        yield "target on an RP2040: %s %s or more" % (name, target)
