"""picograve: memory-bounded Monte-Carlo Tree Search that fits a microcontroller.

    import picograve
    game = picograve.load("go9")
    config = picograve.Config("graver2")
    searcher = picograve.Searcher(game, config, picograve.Budget(bytes=120_000), seed=1)
    while not searcher.is_over:
        searcher.play(searcher.search().move)
    print(searcher, searcher.winner, searcher.score())

This package runs unchanged on MicroPython, CPython, Numba and as C. mcts/search.py is where to
start reading.

games/       one file for each game
mcts/        Monte-Carlo Tree Search in fixed memory
knowledge/   what games know by heart
baselines/   alpha-beta, learners, playout policies as players
position.py  a game under way
config.py    which search, with which settings
settings.py  ... all of them in one table
budget.py    what that takes in bytes
figures.py   what a search reports
value.py     what a playout is worth
rng.py       random numbers, the same everywhere
kernel.py    how one source runs on every runtime
frames.py    how a host and a board talk
errors.py    what goes wrong
"""

from picograve.budget import Budget, module_of
from picograve.config import Config
from picograve.errors import BadInput
from picograve.games import load
from picograve.kernel import RUNTIME
from picograve.mcts.searcher import Searcher

if RUNTIME != "micropython":
    from typing import TYPE_CHECKING

    from picograve.budget import Ledger
    from picograve.config import PRESETS, SEARCHES, TREE_SEARCHES
    from picograve.figures import Result
    from picograve.position import Position, position_rows

    if TYPE_CHECKING:
        from picograve.position import Thinker
        from picograve.protocols import Game

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

__version__ = "0.5.0"


def open_search(game: "Game", config: Config, budget: Budget, seed: int = 1) -> "Thinker":
    """Whoever thinks as `config` says."""
    kind = Searcher if config.has_tree else module_of(config).Searcher
    return kind(game, config, budget, seed)
