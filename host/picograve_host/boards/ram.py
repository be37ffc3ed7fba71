"""A board's RAM, emulated on a desktop: MicroPython's heap with the sizes of a board.

    ram = descriptions.ram_of("pico")
    searcher = ram.open_search(load("go9"), Config("graver2"), Budget(nodes=160))
    ram.figures()  # bytes used, free, and the largest free block, as a board reports them

The heap is MicroPython's (gc_alloc in its py/gc.c): blocks of 16 bytes, twice that with 64 bits;
whoever asks gets the lowest run of free blocks that is long enough. A buffer takes one block for
the array and the blocks of its data. What is no longer used is given back.

The rest comes from the board's [ram] table (boards/*.toml), which picograve_tools.measure_ram
measures on a board, a real or an emulated one:

    total, free  bytes of the heap when the service has booted and holds no search
    pieces       the free pieces in the order of their addresses; what is small is left out
    block        bytes
    code         of each module that a chip loads when a search first wants it, and which stays:
                 its bytes, those of its largest piece, its names (qstrs), what it imports
    names        how many more names the table of all names has room for, and the bytes by which it
                 grows when there are more
    objects      bytes of the small objects of a search, by the module of its Searcher

Where kernels are C, a module's machine code is one piece. On a chip it is in the heap: Othello's
5 kB fit into no hole that the boot leaves, so they lie in the largest free piece, which stays that
much smaller. Such kernels bring along those of other modules that they call, so besides them only
what Python imports is loaded.

A chip's heap is wilder: small objects and the rest of the code have all sizes and lie wherever
there was a hole; here they are pieces of one size. Compared by tests/support/ram_comparison.py,
fifty random searches one after the other with each of four seeds: beside a simulated board and
beside an emulated Pico each fits here if it fits there, and free heap differs by up to 500 bytes.
The largest block differs by up to 1.5 kB without a search; with one it is up to 4 kB smaller on the
Pico, 11 kB on the simulated board, because what setting up leaves behind lies between the buffers
and the objects that stay. A search that leaves just what it must leave (picograve_board.heap) may
fit by chance. Modules share names, so their table may grow a search too early or too late.

A game that is not in the table counts as the largest one that is.
"""

import contextlib
import gc
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import picograve
from picograve import BadInput, Budget, Config, Ledger, kernel, module_of
from picograve.position import Thinker
from picograve_board import heap

if TYPE_CHECKING:
    from picograve.protocols import Game

# What a chip loads when a search first wants it (mcts/parts.py, games/__init__.py).
PARTS = (
    "picograve.knowledge.",
    "picograve.games.",
    "picograve.mcts.lean",
    "picograve.mcts.sweep",
    "picograve.mcts.select.",
    "picograve.mcts.playout.",
    "picograve.mcts.reward.",
    "picograve.baselines.",
)
GAMES = "picograve.games."
CODE_PIECE = 512  # bytes: other code; requests fill the smallest holes while it is loaded
OBJECT_BLOCKS = 2  # of a small object, and of a small hole
# Blocks of small objects that are there only while a search is set up. On simulated boards a search
# with a tree made 6 kB of them before its buffers, of which 2 stayed.
SETTING_UP = 250


class Heap:
    """Blocks, and the lowest free ones for whoever asks."""

    def __init__(self, total: int, free: int, pieces: list[int], block: int) -> None:
        self.block = block
        holes = (free - sum(pieces)) // (block * OBJECT_BLOCKS)
        code = (total - free) // block
        blocks = bytearray(b"\0" * OBJECT_BLOCKS + b"\1") * holes
        blocks += b"\1" * (code - holes - len(pieces))
        for piece in pieces:
            blocks += b"\1" + bytes(piece // block)
        self._blocks = blocks  # 1: used

    def take(self, size: int, places: list[slice], piece: int | None = None) -> None:
        """Take `size` bytes, in pieces if they need not lie together; add where to `places`."""
        for start in range(0, size, piece or size or 1):
            # One by one: what is taken until the heap is full shall be known.
            places.append(self._take(min(size - start, piece or size)))  # noqa: PERF401

    def _take(self, size):
        count = -(-size // self.block)
        start = self._blocks.find(bytes(count))
        if start < 0:
            raise MemoryError
        place = slice(start, start + count)
        self._blocks[place] = b"\1" * count
        return place

    def give_back(self, places: Iterable[slice]) -> None:
        for place in places:
            self._blocks[place] = bytes(place.stop - place.start)

    def figures(self) -> tuple[int, int, int]:
        """(used, free, largest free block) in bytes."""
        free = self._blocks.count(0)
        largest = max(map(len, self._blocks.split(b"\1")))
        used = len(self._blocks) - free
        return self.block * used, self.block * free, self.block * largest


class Ram:
    """The heap of a board with this [ram] table."""

    def __init__(self, table: dict[str, Any]) -> None:
        self._heap = Heap(table["total"], table["free"], table["pieces"], table["block"])
        self._code = table["code"]
        self._spare_names, self._growth = table["names"]["spare"], table["names"]["growth"]
        self._objects = table["objects"]
        self._loaded: set[str] = set()  # modules

    def figures(self) -> tuple[int, int, int]:
        """(used, free, largest free block) in bytes, garbage collected."""
        gc.collect()
        return self._heap.figures()

    def open_search(self, game: "Game", config: Config, budget: Budget, seed: int = 1) -> Thinker:
        """As picograve.open_search, in this heap; what does not fit is refused as a board does."""
        ledger = budget.ledger(game, config)
        objects = self._objects[searcher_of(config).__module__]
        piece = OBJECT_BLOCKS * self._heap.block
        kept: list[slice] = []  # places in the heap
        temporary: list[slice] = []
        try:
            for module in modules_of(game, config, ledger):
                self._load(module)
            self._heap.take(SETTING_UP * self._heap.block, temporary, piece)
            self._heap.take(objects, kept, piece)
            with self._lending(kept):
                searcher = picograve.open_search(game, config, budget, seed)
            self._heap.give_back(temporary)
            temporary = []
            if self._heap.figures()[1] < heap.RESERVE:
                raise MemoryError
        except MemoryError:
            self._heap.give_back(kept + temporary)
            _, free, largest = self.figures()
            raise BadInput(
                "%d bytes do not fit: the heap has %d free, %d in one piece"
                % (ledger.total_bytes, free, largest)
            ) from None
        weakref.finalize(searcher, self._heap.give_back, kept)
        return searcher

    @contextlib.contextmanager
    def _lending(self, places):
        """Every buffer that is made now comes from this heap."""

        def claim(size):
            self._heap.take(self._heap.block, places)  # the array; then its data
            self._heap.take(size, places)

        before, kernel.claim = kernel.claim, claim
        try:
            yield
        finally:
            kernel.claim = before

    def _load(self, module):
        """The code of a module and of those that it imports, which stays in the heap."""
        if module in self._loaded:
            return
        self._loaded.add(module)
        code = self._code_of(module)
        if not code:
            return  # the service loads it when it boots
        self._heap.take(code["largest"], [])
        self._heap.take(code["bytes"] - code["largest"], [], CODE_PIECE)
        if 0 <= self._spare_names < code["names"]:
            self._heap.take(self._growth, [])
        self._spare_names -= code["names"]
        for other in code["imports"]:
            self._load(other)

    def _code_of(self, module):
        if module.startswith(PARTS):
            return self._code.get(module)
        games = [code for name, code in self._code.items() if name.startswith(GAMES)]
        return max(games, key=lambda code: code["bytes"])


def searcher_of(config: Config) -> type[Thinker]:
    """The class that thinks as `config` says."""
    return picograve.Searcher if config.has_tree else module_of(config).Searcher


def modules_of(game: "Game", config: Config, ledger: Ledger) -> list[str]:
    """The modules that a search wants, in the order in which a chip loads them."""
    if config.has_tree:
        parts = ledger.parts
        found = [parts.select, parts.least, parts.reward, parts.totals, parts.means, parts.root]
        found += [*parts.playouts, parts.switching]
        names = [part.__name__ for part in found if part]
    else:
        names = [module_of(config).__name__]
    return [type(game).__module__, *names]
