"""A game under way: the position, the moves that led there, what may be played.

    position = Position(load("go9"))
    while not position.is_over:
        position.play(random.choice(position.legal_moves()))
    print(position, position.winner, position.score())

What a chip never asks for stands in blocks `if RUNTIME != "micropython":`, which the build
leaves out there (picograve_tools.kernels): its RAM is for the search.

`Thinker` is what every player of ours is. Searcher (searcher.py) is the one with a tree;
`picograve.open_search` finds the one that a configuration names.
"""

from picograve.errors import BadInput
from picograve.games import move_of
from picograve.kernel import ITEM_BYTES, RUNTIME, allocate
from picograve.value import WIN

SEEDS = 2**30
_SEEDS_PER_PLY = 7919  # any odd number: a search at another ply draws other numbers

if RUNTIME != "micropython":
    from typing import TYPE_CHECKING, Any, NamedTuple

    from picograve.value import DRAW, share

    if TYPE_CHECKING:
        from collections.abc import Sequence

        from picograve.budget import Ledger
        from picograve.config import Config
        from picograve.figures import Result
        from picograve.protocols import Game

    class RootMove(NamedTuple):
        move: str
        visits: int  # or another weight
        value: float  # its mean result for the player to move, 0 to 1


def position_rows(game: "Game") -> list[tuple[str, str, int]]:
    """The buffers of a position, as rows of a ledger."""
    if RUNTIME != "micropython":
        if game.key and not game.lists:
            raise BadInput("%s forbids repetitions, so it must list its moves" % game.name)
    return [
        ("root", "B", game.state_bytes),
        ("work", "B", game.state_bytes),
        ("moves", "H", game.most_moves),
        ("history", "i", game.move_cap + 1 if game.key else 0),
    ]


class Position:
    """A position of a game, from its start; moves are texts such as E5 or pass."""

    if RUNTIME != "micropython":

        def __init__(self, game: "Game") -> None:
            self._hold(game, position_rows(game))
            self.new_game()

        def __str__(self) -> str:
            return self.game.show(self.buffers["root"])

        def __repr__(self) -> str:
            return "<Position of %s>" % self._story()

        def _story(self):
            """The game so far in a few words."""
            what_now = self.score() or self.to_move + " to move"
            return "%s, moves played: %d, %s" % (self.game.name, len(self.history), what_now)

        @property
        def moves(self) -> list[str]:
            """The moves played."""
            return [self.game.text(move) for move in self.history]

        def legal_moves(self) -> list[str]:
            """All legal moves."""
            if self._verdict:
                return []
            moves = self._listed()
            if hasattr(self.game, "left_out"):
                moves += self.game.left_out(self.buffers["root"], moves)
            return [self.game.text(move) for move in moves if not self._repeats(move)]

        def undo(self) -> None:
            """Take the last move back. A searcher forgets what it has thought about the game."""
            if not self.history:
                raise BadInput("there is no move to take back")
            self.set_position(self.moves[:-1])

        @property
        def turn(self) -> int:
            """Whose turn it is: 0 for the first player, 1 for the second."""
            return int(self.buffers["root"][0])

        @property
        def winner(self) -> str | None:
            """Name of the player who has won; None for a draw and while the game goes on."""
            points = self.points
            return None if points in (None, DRAW) else self.game.players[points != WIN]

        @property
        def is_draw(self) -> bool:
            """Whether the game is over and nobody has won."""
            return self.points == DRAW

        @property
        def points(self) -> int | None:
            """What the first player has won: 2, 1 for a draw, 0; None while the game goes on."""
            if self._verdict:
                return DRAW
            _, _, _, _, outcome = self.game.rules
            return outcome(self.buffers["root"]) if self.is_over else None

        def score(self) -> str | None:
            """The result in the words of the game; None while it goes on."""
            if self._verdict:
                return self._verdict
            return self.game.score(self.buffers["root"]) if self.is_over else None

    def _hold(self, game, rows):
        self.game = game
        # The large ones first, while a chip's heap has room for them in one piece.
        rows = sorted(rows, key=lambda row: -row[2] * ITEM_BYTES[row[1]])
        self.buffers = {name: allocate(kind, count) for name, kind, count in rows}
        self._superko = self.arrays("root work history")

    def arrays(self, names: str) -> "tuple[Any, ...]":
        """The buffers of these names, in a string."""
        return tuple(self.buffers[name] for name in names.split())

    def new_game(self) -> None:
        """The first position; nothing remembered."""
        self.game.reset(self.buffers["root"])
        self.history: list[int] = []  # the moves played, as numbers
        if RUNTIME != "micropython":
            self._past: list[bytes] = []  # the states so far, if the game asks for them
        self._remember()

    def _remember(self):
        if self.game.key:
            self.buffers["history"][len(self.history)] = self.game.key(self.buffers["root"])
        if RUNTIME != "micropython":
            self._verdict = None  # the draw that ends the game here, in words
            if self.game.verdict:
                self._past.append(bytes(self.buffers["root"]))
                self._verdict = self.game.verdict(self.buffers["root"], self._past)

    @property
    def to_move(self) -> str:
        """Name of the player to move."""
        return self.game.players[self.buffers["root"][0]]

    @property
    def is_over(self) -> bool:
        if RUNTIME != "micropython":
            if self._verdict:
                return True
        return self._list_moves() == 0

    def _list_moves(self):
        _, moves, _, _, _ = self.game.rules
        return moves(self.buffers["root"], self.buffers["moves"])

    def _listed(self):
        """The moves worth a search."""
        count = self._list_moves()
        if not self.game.lists:
            return range(count)
        return [int(move) for move in self.buffers["moves"][:count]]

    def play(self, text: str) -> None:
        """Play a move; upper and lower case are the same."""
        move = move_of(self.game, text, self._listed)
        if move is None:
            raise BadInput("%s is no move in %s" % (text, self.game.name))
        playable = self.game.legal(self.buffers["root"], move) and not self._repeats(move)
        if RUNTIME != "micropython":
            playable = playable and not self._verdict
        if not playable:
            if self.is_over:
                raise BadInput("the game is over; %s cannot be played" % text)
            raise BadInput(
                "%s is not legal for %s as move %d" % (text, self.to_move, len(self.history) + 1)
            )
        self._make(move)

    def _make(self, move):
        _, _, play, _, _ = self.game.rules
        play(self.buffers["root"], move)
        self.history.append(move)
        self._remember()

    def set_position(self, moves: "Sequence[str]") -> None:
        """The position after these moves from the start."""
        self.new_game()
        for text in moves:
            self.play(text)

    def _repeats(self, move):
        """Whether a move brings back an earlier position of the game (superko)."""
        if not self.game.key:
            return False
        self.buffers["moves"][0] = move
        return self._keep_repetitions(self.buffers["moves"], 1) == 1

    def _keep_repetitions(self, moves, count):
        return self.game.repetitions(*self._superko, len(self.history), moves, count)

    def _list_playable(self):
        """The moves worth a search that superko allows."""
        return [move for move in self._listed() if not self._repeats(move)]


class Thinker(Position):
    """A position and whoever thinks about it; `ledger` lists the buffers.

    A search cut into slices of `run` is the same as one at a stroke.
    """

    scale = WIN  # what a win adds to a move's points (picograve.value)

    if RUNTIME != "micropython":
        if TYPE_CHECKING:  # what each thinker does in its own way

            def start(self) -> None:
                """Begin to think about the position."""

            def run(self, steps: int) -> int:
                """Go on for so many steps (playouts, positions); how many were made."""

            def result(self, whole: bool = True) -> Result:
                """What it reports so far; what takes a while is None unless it shall be whole."""

            def _root_moves(self) -> list[tuple[int, int, int]]:
                """(move, weight, sum of values) of the moves considered, best first."""

    def __init__(self, game: "Game", config: "Config", ledger: "Ledger", seed: int) -> None:
        if not 0 <= seed < SEEDS:
            raise BadInput("a seed is 0 to %d, not %d" % (SEEDS - 1, seed))
        self.config = config
        self.ledger = ledger
        self.seed = seed
        self._hold(game, ledger.rows)
        if RUNTIME == "micropython":
            ledger.rows = ()  # 1.3 kB that nobody reads again

    def _seed_here(self):
        """The seed of a search of this position."""
        return (self.seed + _SEEDS_PER_PLY * len(self.history)) % SEEDS

    def _refuse_if_over(self):
        if self.is_over:
            raise BadInput("the game is over: there is nothing to search")

    if RUNTIME != "micropython":

        def __repr__(self) -> str:
            return "<%s with %d nodes in %d bytes at %s>" % (
                self.config.search, self.ledger.nodes, self.ledger.total_bytes, self._story(),
            )  # fmt: skip

        def root_moves(self) -> list[RootMove]:
            """The moves considered so far, best first."""
            return [
                RootMove(self.game.text(move), visits, share(points, visits, self.scale))
                for move, visits, points in self._root_moves()
            ]

        def principal_variation(self) -> list[str]:
            """The moves that it expects from here on; just one where there is no tree."""
            return [child.move for child in self.root_moves()[:1]]

    def finish(self) -> "Result":
        """The rest of the search; its result."""
        while self.run(self.ledger.playouts):
            pass
        return self.result()

    def search(self) -> "Result":
        """A whole search; its result."""
        self.start()
        return self.finish()
