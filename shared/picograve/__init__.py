"""picograve: memory-bounded Monte-Carlo Tree Search that fits a microcontroller.

    import picograve
    game = picograve.load("go9")
    config = picograve.Config("graver2")
    searcher = picograve.Searcher(game, config, picograve.Budget(bytes=120_000), seed=1)
    searcher.play("E5")
    print(searcher.search())

This package runs unchanged on MicroPython, CPython and Numba; kernel.py tells how, search.py
is where to start reading.
"""

from picograve.budget import Budget, Ledger, module_of
from picograve.config import PRESETS, SEARCHES, TREE_SEARCHES, Config
from picograve.errors import BadInput
from picograve.games import load
from picograve.kernel import RUNTIME
from picograve.position import Position, Result, position_rows
from picograve.searcher import Searcher

__version__ = "0.3.0"


def open_search(game, config, budget, seed=1):
    """Whoever thinks as `config` says."""
    kind = Searcher if config.has_tree else module_of(config).Searcher
    return kind(game, config, budget, seed)


__all__ = (
    "PRESETS",
    "RUNTIME",
    "SEARCHES",
    "TREE_SEARCHES",
    "BadInput",
    "Budget",
    "Config",
    "Ledger",
    "Position",
    "Result",
    "Searcher",
    "load",
    "open_search",
    "position_rows",
)
