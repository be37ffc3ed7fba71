"""What a variant of MCTS costs: its playouts per second over those of plain uct, in one run.

All variants of the paper (COMPARISON in settings.py) as `--variant` sets them, from the first
position, in a tree that holds every playout. They take turns, round after round, in CPU time, and
the best round of each counts: a machine that slows down does so for all of them.

What may be changed: the constants below; TARGETS are those the project holds itself to.
"""

import time
from typing import TYPE_CHECKING, Any

from picograve import RUNTIME, BadInput, Budget, Config, Searcher
from picograve.settings import VARIANTS
from picograve_tools.console import progress

from picograve_host.bench.desktop import machine
from picograve_host.screen.tables import in_columns

if TYPE_CHECKING:
    from picograve.protocols import Game

BASE = "uct"
PLAYOUTS = {"numba": 10000, "c": 10000, "cpython": 100}  # of a measurement
TARGET = 0.9
TARGETS = {"wp": 0.5}  # it looks at positions on the way


def run(rounds: int, game: "Game") -> dict[str, Any]:
    """Measure every variant that the game can have; the report as --json prints it."""
    notes: list[str] = []
    searchers = dict(_searchers(game, notes))
    best = dict.fromkeys(searchers, 0.0)
    for number in range(rounds):
        for name, searcher in searchers.items():
            progress("round %d of %d: variant %s" % (number + 1, rounds, name))
            best[name] = max(best[name], _rate(searcher, seed=number + 1))
    progress("")
    return {
        "machine": machine(),
        "scale": {
            "game": game.name,
            "runtime": RUNTIME,
            "rounds": rounds,
            "playouts": PLAYOUTS[RUNTIME],
        },
        "variants": [
            {
                "variant": name,
                "per_second": round(rate),
                "over_uct": round(rate / best[BASE], 3),
                "target": TARGETS.get(name, TARGET),
            }
            for name, rate in best.items()
        ],
        "notes": notes,
    }


def _searchers(game, notes):
    """(variant, a searcher whose kernels are compiled), uct first."""
    for name in VARIANTS:
        if name == "none":
            continue
        progress("compiling variant %s" % name)
        playouts = PLAYOUTS[RUNTIME]
        config = Config("uct", variant=name, playouts=playouts)
        try:
            searcher = Searcher(game, config, Budget(nodes=playouts))
        except BadInput as error:
            notes.append("no row for %s: %s" % (name, error))
            continue
        searcher.start()
        searcher.run(1)
        yield name, searcher


def _rate(searcher, seed):
    searcher.seed = seed
    searcher.new_game()
    searcher.start()
    began = time.process_time()
    made = searcher.run(PLAYOUTS[RUNTIME])
    return made / (time.process_time() - began)


def text(report: dict[str, Any]) -> str:
    return "\n".join(_lines(report["machine"], report["scale"], report))


def _lines(names, scale, report):
    yield "%s, Python %s, Numba %s" % (names["cpu"], names["python"], names["numba"])
    yield "%(game)s from the first position on %(runtime)s: CPU time, the best of" % scale
    yield "%(rounds)d rounds of %(playouts)d playouts each" % scale
    yield ""
    table = [["variant", "playouts per second", "over uct", "target"]]
    for row in report["variants"]:
        rate, target = f"{row['per_second']:,}", row["target"] if row["variant"] != BASE else ""
        table.append([row["variant"], rate, "%.2f" % row["over_uct"], str(target)])
    yield in_columns(table)
    yield from report["notes"]
