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

from picograve.budget import Budget, Ledger
from picograve.config import PRESETS, SEARCHES, Config
from picograve.errors import BadInput
from picograve.games import load
from picograve.kernel import RUNTIME
from picograve.searcher import Result, Searcher

__version__ = "0.2.0"

__all__ = (
    "PRESETS",
    "RUNTIME",
    "SEARCHES",
    "BadInput",
    "Budget",
    "Config",
    "Ledger",
    "Result",
    "Searcher",
    "load",
)
