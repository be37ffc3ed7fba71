"""A search on this machine as a player, and what all players need: a referee, whose turn it is."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from picograve import RUNTIME, TREE_SEARCHES, Budget, Config, Searcher, open_search
from picograve.config import LEARNERS
from picograve.games import PLACES, PLAIN
from picograve.mcts.pool import Looker
from picograve.mcts.search import DONE_TOP, PLAYOUTS
from picograve.mcts.tree import ROOT
from picograve.position import RootMove, Thinker

from picograve_host.players.pool import Pool
from picograve_host.players.thought import Thought, microseconds, thought_of

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.boards.ram import Ram
    from picograve_host.players.protocol import SearchPlayer, Watch

# What a search counts as its playouts.
STEPS = {"alphabeta": "positions", "policy": "moves", **dict.fromkeys(LEARNERS, "episodes")}
STEPS |= dict.fromkeys(TREE_SEARCHES, "playouts")
MOST_SHOWN = 16384  # nodes of a pool that can be watched
SLICE = 256  # playouts between two looks at the clock: a few milliseconds


class DesktopPlayer:
    where = RUNTIME
    mhz = None

    searcher: Thinker

    def __init__(
        self,
        game: "Game",
        config: Config,
        budget: Budget,
        seed: int = 1,
        hashes: bool = True,
        ram: "Ram | None" = None,
    ) -> None:
        self.hashes = hashes  # whether a Thought holds the tree's hash, 3 % of the time
        self.ram = ram  # a board's, emulated (boards.ram), or None: as much as there is
        self.config = config
        self.budget = budget
        self.seed = seed
        self.set_game(game)

    def set_game(self, game: "Game") -> None:
        self.budget.ledger(game, self.config)  # refuses what cannot be, with nothing lost
        # Gives its bytes back before others are taken.
        self.searcher = None  # type: ignore[assignment]
        self._looker: Looker | None = None
        opener = self.ram.open_search if self.ram else open_search
        self.searcher = opener(game, self.config, self.budget, self.seed)
        self.game = game
        self.ledger = self.searcher.ledger
        self.searcher.start()
        self.searcher.run(0)  # compiles, or loads what was compiled, before any clock runs

    @property
    def moves(self) -> list[str]:
        return self.searcher.moves

    def new_game(self, seed: int) -> None:
        self.seed = self.searcher.seed = seed
        self.searcher.new_game()

    def play(self, move: str) -> None:
        self.searcher.play(move)

    def set_position(self, moves: Sequence[str]) -> None:
        catch_up(self, moves)

    def search(self, seconds: float | None = None, watch: "Watch | None" = None) -> Thought:
        searcher = self.searcher
        slice_ = SLICE if seconds or watch else self.ledger.playouts
        began = time.perf_counter()
        playouts = 0
        searcher.start()
        while made := searcher.run(slice_):
            playouts += made
            if seconds and time.perf_counter() - began >= seconds:
                break
            if watch and watch(self, playouts):
                break
        spent = time.perf_counter() - began
        figures = searcher.result(self.hashes)._asdict()
        if self.ram:
            heap = ("heap_used", "heap_free", "heap_largest")
            figures.update(zip(heap, self.ram.figures(), strict=True))
        return thought_of(microseconds=microseconds(spent), **figures)

    def go_on(self, watch: "Watch") -> None:
        searcher = self.searcher
        if not isinstance(searcher, Searcher):
            return
        control = searcher.buffers["control"]
        playouts = 0
        made = 1
        while made:
            for field in (DONE_TOP, PLAYOUTS):  # the tree stays; only its budget begins again
                control[field] = 0
            made = 0
            while more := searcher.run(SLICE):
                made += more
                if watch(self, playouts + made):
                    return
            playouts += made

    def root_moves(self, most: int | None = None) -> list[RootMove]:
        return self.searcher.root_moves()[:most]

    def variations(self, most: int | None = None) -> dict[str, list[str]]:
        searcher = self.searcher
        return variations_of(searcher, most) if isinstance(searcher, Searcher) else {}

    def open_pool(self) -> bool:
        if isinstance(self.searcher, Searcher):
            self._looker = Looker(self.searcher, MOST_SHOWN)
            self._pool = Pool(self.ledger, MOST_SHOWN)
        return self._looker is not None

    def pool(self) -> Pool | None:
        if self._looker:
            changes = bytes(self._looker.changes(self._pool.look))
            self._pool.take(self._looker.count, changes)
        return self._pool if self._looker else None

    def close(self) -> None:
        pass


def variations_of(searcher: Searcher, most: int | None = None) -> dict[str, list[str]]:
    """As Searcher.principal_variation, of each move at the root, or of so many."""
    copy, moves, play, _, _ = searcher.game.rules
    work, listed, pools = searcher.arrays("work moves pools")
    found = {}
    for first in searcher._children(int(pools[ROOT]))[:most]:
        copy(work, searcher.buffers["root"])
        texts = []
        children = [first]
        while children:
            number, _, _, node = children[0]
            moves(work, listed)
            by_place = searcher._kind in (PLACES, PLAIN)
            move = int(listed[number]) if by_place else number
            texts.append(searcher.game.text(move))
            play(work, move)
            children = searcher._children(node)
        found[texts[0]] = texts
    return found


def catch_up(player: "SearchPlayer", moves: Sequence[str]) -> None:
    """Bring a player to the position after `moves`: go on from where it is if that leads there."""
    moves = [move.upper() for move in moves]
    done = [move.upper() for move in player.moves]
    if done != moves[: len(done)]:
        player.new_game(player.seed)
        done = []
    for move in moves[len(done) :]:
        player.play(move)
