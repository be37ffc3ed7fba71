"""A game under way: the position, the moves that led there, what may be played.

`Thinker` is what every player of ours is: a position, the buffers of a ledger, and

    start()           begin to think about the position
    run(steps)        go on for so many steps (playouts, positions); how many were made
    result(whole)     a Result, so far
    root_moves()      (move, weight, points) of the moves considered, best first; a move's
                      value is points / (2 * weight)

A search cut into slices of `run` is the same as one at a stroke. Searcher (searcher.py) is
the one with a tree; `picograve.open_search` finds the one that a configuration names.
"""

from collections import namedtuple

from picograve.errors import BadInput
from picograve.games import move_of
from picograve.kernel import ITEM_BYTES, allocate

SEEDS = 2**30
_SEEDS_PER_PLY = 7919  # any odd number: a search at another ply draws other numbers

Result = namedtuple(
    "Result",
    (
        "move",  # text of the best move
        "value",  # its mean result for the player to move, 0 to 1
        "visits",  # {text of a root move: its weight}, best first
        "playouts",  # or positions looked at
        "playouts_saved",  # by stopping second-level searches early
        "nodes_used",
        "nodes_recycled",
        "bytes",
        "tree_hash",  # of a table, where there is no tree
        "choices",  # {playout policy: playouts}, where there are several, else None
        "depth",  # plies looked ahead, by alpha-beta, else None
    ),
)


def position_rows(game):
    """The buffers of a position, as rows of a ledger."""
    return [
        ("root", "B", game.state_bytes),
        ("work", "B", game.state_bytes),
        ("moves", "H", game.code_count),
        ("history", "i", game.move_cap + 1 if game.key else 0),
    ]


class Position:
    def __init__(self, game, rows):
        self.game = game
        # The large ones first, while a chip's heap has room for them in one piece.
        rows = sorted(rows, key=lambda row: -row[2] * ITEM_BYTES[row[1]])
        self.buffers = {name: allocate(kind, count) for name, kind, count in rows}
        self._superko = self._tuple("root work history")

    def _tuple(self, names):
        return tuple(self.buffers[name] for name in names.split())

    def new_game(self):
        """The first position; nothing remembered."""
        self.game.reset(self.buffers["root"])
        self.moves = []
        self._remember()

    def _remember(self):
        if self.game.key:
            self.buffers["history"][len(self.moves)] = self.game.key(self.buffers["root"])

    @property
    def to_move(self):
        """Name of the player to move."""
        return self.game.players[self.buffers["root"][0]]

    def is_over(self):
        return self._list_moves() == 0

    def _list_moves(self):
        _, moves, _, _, _ = self.game.rules
        return moves(self.buffers["root"], self.buffers["moves"])

    def play(self, text):
        """Play a move given as text, such as E5 or pass."""
        move = move_of(self.game, text)
        if move is None:
            raise BadInput("%s is no move in %s" % (text, self.game.name))
        if not self.game.legal(self.buffers["root"], move) or self._repeats(move):
            if self.is_over():
                raise BadInput("the game is over; %s cannot be played" % text)
            raise BadInput(
                "%s is not legal for %s as move %d" % (text, self.to_move, len(self.moves) + 1)
            )
        _, _, play, _, _ = self.game.rules
        play(self.buffers["root"], move)
        self.moves.append(move)
        self._remember()

    def set_position(self, moves):
        """The position after these moves from the start, given as texts."""
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
        return self.game.repetitions(*self._superko, len(self.moves), moves, count)

    def _list_playable(self):
        """The moves worth a search that superko allows."""
        count = self._list_moves()
        moves = [int(move) for move in self.buffers["moves"][:count]]
        return [move for move in moves if not self._repeats(move)]


class Thinker(Position):
    """A position and whoever thinks about it; `ledger` lists the buffers."""

    def __init__(self, game, config, ledger, seed):
        if not 0 <= seed < SEEDS:
            raise BadInput("a seed is 0 to %d, not %d" % (SEEDS - 1, seed))
        self.config = config
        self.ledger = ledger
        self.seed = seed
        Position.__init__(self, game, ledger.rows)

    def _seed_here(self):
        """The seed of a search of this position."""
        return (self.seed + _SEEDS_PER_PLY * len(self.moves)) % SEEDS

    def _refuse_if_over(self):
        if self.is_over():
            raise BadInput("the game is over: there is nothing to search")

    def finish(self):
        """The rest of the search; its result."""
        while self.run(self.ledger.playouts):
            pass
        return self.result()

    def search(self):
        """A whole search; its result."""
        self.start()
        return self.finish()
