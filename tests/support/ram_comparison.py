"""A board's heap beside the emulated one: random searches, and what each says of them.

    python tests/support/ram_comparison.py BOARD [COUNT [SEED]]

Both run the board's service and get the same requests: real MicroPython on one side, CPython with
the board's emulated RAM (picograve_host.boards.ram) on the other.
"""

import contextlib
import random
import re
import sys

from picograve import SEARCHES, BadInput, Budget, Config, load
from picograve_board import heap
from picograve_host.boards import descriptions, registry, simulated
from picograve_host.boards.link import BoardRefuses, Link

GAMES = ("go5", "go7", "go9", "go13", "hex5", "hex9", "hex11", "othello", "ttt3", "ttt5", "ttt10")
MOST_BYTES = 220_000  # so that about a third does not fit
REFUSAL = r"^the board says: \d+ bytes do not fit: the heap has (\d+) free, (\d+) in one piece$"
CLOSE = 0.05  # relative difference of free heap
# Bytes: a search that would leave less fits or does not by chance. Free heap differs by some 500
# bytes, here and between two runs of the same board: by the pieces in which requests arrive.
BY_CHANCE = heap.RESERVE + 1000
# Times that both start anew after a difference. MicroPython's collector takes any word on its stack
# for a pointer: a buffer may seem to be in use for good. Seen once: 10 kB less from then on.
MOST_RESETS = 2


def random_settings(count, seed):
    """So many requests for a search, each in bytes or in nodes."""
    dice = random.Random(seed)
    settings = []
    while len(settings) < count:
        with contextlib.suppress(BadInput):  # too few bytes, or no such search of this game
            settings.append(_random_setting(dice))
    return settings


def _random_setting(dice):
    game, search = load(dice.choice(GAMES)), dice.choice(SEARCHES)
    policies = ["uniform", "mast", *game.heuristics, *(name for name, _ in game.strategies)]
    policy = "uniform" if search == "policy" else dice.choice(policies)
    config = Config.tolerant(search, playout_policy=policy)
    budget = {}
    if search != "policy":
        budget = dict(bytes=dice.randrange(2000, MOST_BYTES))
    ledger = Budget(**budget).ledger(game, config)
    if budget and dice.random() < 0.5:
        budget = dict(nodes=ledger.nodes)
    return dict(game=game.name, search=search, config=config.given, budget=budget)


@contextlib.contextmanager
def emulated(table):
    """A link to the board's service on CPython, in the emulated RAM of this [ram] table."""
    board = dict(descriptions.describe("sim-cpython"), ram=table)
    machine = simulated.start(board, print)
    link = None
    try:
        link = Link(machine.port, board["serial"])
        yield link
    finally:
        if link:
            link.close()
        machine.close()


def answer(link, setting):
    """(whether it fits, bytes free then, the largest free block), by whoever is at the link."""
    link.request("clear")
    try:
        found = link.request("setup", session="0000", **setting)
        return True, found["heap_free"], found["heap_largest"]
    except BoardRefuses as refusal:
        words = re.search(REFUSAL, str(refusal))
        return False, int(words.group(1)), int(words.group(2))


def compare(name, count, seed=1):
    """Rows (setting, what the board says, what the emulated one says, whether they agree)."""
    settings = random_settings(count, seed)
    with registry.OpenBoard(name, print) as opened:
        if opened.link.hello["bits"] == 64:
            name = "sim64"  # also where `sim` has no 32 bits
        table = descriptions.describe(name)["ram"]
        for resets_left in range(MOST_RESETS, -1, -1):
            with emulated(table) as link:
                while settings:
                    answers = answer(opened.link, settings[0]), answer(link, settings[0])
                    close = is_close(*answers, table["names"]["growth"])
                    if resets_left and not close:
                        break
                    yield settings[0], *answers, close
                    settings.pop(0)
            if not settings:
                return
            opened.machine.reset()
            opened.link.reconnect()


def is_close(real, ours, growth):
    """Whether two answers agree: the same verdict, and as much free heap; or it fits by chance.

    Modules share names, and after a reset searches come in another order: the table of names may
    have grown on one side only, by `growth` bytes (picograve_host.boards.ram).
    """
    if real[0] != ours[0]:
        return min(real[1], ours[1]) < BY_CHANCE
    difference = abs(real[1] - ours[1])
    return min(difference, abs(difference - growth)) <= CLOSE * real[1]


def main(name, count=50, seed=1):
    row = "%-46s %-8s %7s %7s %7s %7s %s"
    print(row % (name, "fits", "free", "ours", "largest", "ours", ""))
    rows = list(compare(name, int(count), int(seed)))
    for setting, real, ours, _ in rows:
        text = "%s %s %s %s" % (
            setting["game"], setting["search"], setting["config"].get("playout_policy"),
            " ".join("%s=%d" % pair for pair in setting["budget"].items()),
        )  # fmt: skip
        verdict = "%d %d" % (real[0], ours[0])
        difference = "%+.1f %%" % (100 * (ours[1] - real[1]) / real[1])
        print(row % (text, verdict, real[1], ours[1], real[2], ours[2], difference))
    same = [(real, ours) for _, real, ours, _ in rows if real[0] == ours[0]]
    close = sum(abs(real[1] - ours[1]) <= CLOSE * real[1] for real, ours in same)
    print("of %d: %d the same verdict, %d free heap within 5 %%" % (len(rows), len(same), close))


if __name__ == "__main__":
    main(*sys.argv[1:])
