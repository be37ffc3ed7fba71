"""What a search shows while it thinks, at a bounded cost.

A look takes a while: on a desktop to read the tree, on a board to ask over the line. So after each
the search is left alone SHARE times as long, and at least PAUSE; watching costs 1 part in SHARE. A
board that shows its pool sees to that itself, by its own clock (firmware/PROTOCOL.md), which may be
once in seconds; how many playouts it has made it says anyway. A search that nobody watches is not
looked at.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve_host.play.pool import picture

if TYPE_CHECKING:
    from picograve_host.players.protocol import SearchPlayer
    from picograve_host.players.thought import Thought

PAUSE = 0.1  # seconds between two looks, at least
SHARE = 50
MOST_CANDIDATES = 8
FIGURES = (
    "move value playouts seconds nodes_used nodes_recycled bytes tree_hash depth heap_used "
    "heap_free heap_largest"
).split()


class Watcher:
    """Watches the searches of one player; a fresh one for each player. With `pool`, it shows the
    pool as well, for which a board sets up anew."""

    def __init__(
        self,
        player: "SearchPlayer",
        show: Callable[[dict[str, Any]], object],
        pool: bool = True,
    ) -> None:
        self._player = player
        self._show = show
        self._sees_pool = pool and player.open_pool()
        self._is_here = hasattr(player, "searcher")  # its clock is ours
        self.start()

    def start(self) -> None:
        """A search begins."""
        self._first: tuple[float, int] | None = None  # when the first slice was done, its playouts
        self._next = time.perf_counter() + PAUSE

    def look(self, playouts: int) -> None:
        """Called between slices: shows how it stands, if it is time to."""
        now = time.perf_counter()
        self._first = self._first or (now, playouts)  # what was loaded before does not count
        if now < self._next:
            return
        pool = self._player.pool() if self._sees_pool else None
        made = dict(playouts=playouts, of=self._player.ledger.playouts)
        if self._sees_pool and pool is None:  # the board will say when; until then it only counts
            self._show(made)
            self._next = now + PAUSE
            return
        live = dict(made, **mind_of(self._player))
        began, before = self._first
        if self._is_here and playouts > before:
            live["rate"] = round((playouts - before) / (now - began))
        elif pool and pool.microseconds:
            live["rate"] = round(1e6 * pool.playouts / pool.microseconds)
        if pool:
            live["pool"] = picture(pool)
        self._show(live)
        after = time.perf_counter()
        paced_by_board = pool and not self._is_here
        self._next = after + (PAUSE if paced_by_board else max(PAUSE, SHARE * (after - now)))

    def last_look(self) -> dict[str, Any] | None:
        """The pool as a search has left it."""
        pool = self._player.pool() if self._sees_pool else None
        return picture(pool) if pool else None


def mind_of(player: "SearchPlayer") -> dict[str, Any]:
    """The moves it considers, and what it expects to follow."""
    candidates = player.root_moves(MOST_CANDIDATES)
    variations = player.variations(1)
    line = variations.get(candidates[0].move, []) if candidates else []
    return dict(
        candidates=[(move, visits, round(value, 4)) for move, visits, value in candidates],
        variation=line[:16],
    )


def thought_as_data(thought: "Thought", player: "SearchPlayer") -> dict[str, Any]:
    """What is kept of a move's thought."""
    figures = {name: getattr(thought, name) for name in FIGURES}
    return dict(figures, **mind_of(player))
