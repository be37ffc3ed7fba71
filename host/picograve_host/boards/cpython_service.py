"""The board's program on CPython, in the emulated RAM of a board: what `sim-cpython` runs.

python -m picograve_host.boards.cpython_service RAM [GAME]

RAM is a [ram] table (ram.py) as JSON, GAME the file of a game of one's own.
"""

import contextlib
import json
import sys
from typing import Any

from picograve import Budget, load
from picograve_board import heap, service
from picograve_board.console import Console

from picograve_host.boards.ram import Ram


class Service(service.Service):
    """The board's, with searches in the emulated heap."""

    def _allocate(self, setting):
        self.searcher = self.session = None
        budget = Budget(**setting.get("budget", {}))
        ram: Any = heap.emulated
        self.searcher = ram.open_search(*self._game_and_config(setting), budget)


if __name__ == "__main__":
    for game in sys.argv[2:]:
        load(game)
    heap.emulated = Ram(json.loads(sys.argv[1]))  # type: ignore[assignment]
    with contextlib.suppress(EOFError):  # the line is closed
        service.serve(Console(), Service())
