"""A searcher plays one game: it holds the position, the buffers of its ledger, the tree.

    searcher = Searcher(load("go9"), Config("graver2"), Budget(nodes=160), seed=1)
    searcher.play("E5")
    result = searcher.search()
    searcher.play(result.move)

`search` is `start`, `run` until it returns 0, `result`; call these three to cut a search
into slices, which changes nothing in its tree.
"""

from collections import namedtuple

from picograve import mast, rng, search, tree
from picograve.config import scaled
from picograve.errors import BadInput
from picograve.games import codes_of, move_of
from picograve.kernel import ITEM_BYTES, allocate, bind

SEEDS = 2**30
_SEEDS_PER_PLY = 7919  # any odd number: a search at another ply draws other numbers
_NONE = 65535

Result = namedtuple(
    "Result",
    (
        "move",  # text of the most visited root move
        "value",  # its mean result for the player to move, 0 to 1
        "visits",  # {text of a root move: visits}, most visited first
        "playouts",
        "playouts_saved",  # by stopping second-level searches early
        "nodes_used",
        "nodes_recycled",
        "bytes",
        "tree_hash",
    ),
)


class Searcher:
    def __init__(self, game, config, budget, seed=1):
        if not 0 <= seed < SEEDS:
            raise BadInput("a seed is 0 to %d, not %d" % (SEEDS - 1, seed))
        self.game = game
        self.config = config
        self.ledger = budget.ledger(game, config)
        self.seed = seed
        # The large ones first, while a chip's heap has room for them in one piece.
        rows = sorted(self.ledger.rows, key=lambda row: -row[2] * ITEM_BYTES[row[1]])
        self.buffers = {name: allocate(kind, count) for name, kind, count in rows}
        self._rules = bind(game.rules)
        self._tree = self._tuple(
            "node_visits node_points node_child node_sibling node_parent node_move "
            "node_table lru_older lru_newer amaf pools"
        )
        self._buffers = self._tuple(
            "control rng root leaf work path trace moves codes marks touched banned "
            "mast_stats mast_order"
        ) + (self._tree,)
        self._superko = self._tuple("root work history")
        codes_of(game, self.buffers["codes"])
        self._set_up()
        self.new_game()

    def _tuple(self, names):
        return tuple(self.buffers[name] for name in names.split())

    def _set_up(self):
        config, ledger = self.config, self.ledger
        control = self.buffers["control"]
        control[search.USES_GRAVE] = config.uses_grave
        bias = scaled(config.bias, 10000)
        control[search.BIAS] = (10000 + bias // 2) // bias
        control[search.REF] = config.ref
        square = scaled(config.exploration, scaled(config.exploration, 10000))  # of 10,000
        control[search.EXPLORATION] = (square * 8192 + 5000) // 10000
        control[search.EPSILON] = scaled(config.epsilon, 65536) if config.uses_mast else 65536
        control[search.SHARING] = config.sharing
        control[search.P_TOP] = ledger.playouts_top
        control[search.P_SECOND] = ledger.playouts_second
        control[search.TABLE_AFTER] = config.table_after
        control[search.EARLY] = config.early_after
        control[search.MARGIN] = scaled(config.early_margin, 100)
        control[search.EXPLORE] = config.explore if config.uses_grave else 0
        control[search.CODE_COUNT] = self.game.code_count
        tree.set_up(
            self._tree,
            ledger.nodes_top,
            ledger.nodes_second,
            ledger.amaf_tables,
            self.game.code_count,
            int(config.recycles_top),
            int(config.recycles_second),
        )

    def new_game(self):
        """The first position; nothing remembered."""
        self.game.reset(self.buffers["root"])
        self.moves = []
        self._searched = 0  # moves played when the tree's root was the position
        self.buffers["control"][search.DONE_SECOND] = 0
        rng.start(self.buffers["rng"], self.seed)
        tree.clear(self._tree)
        if self.config.uses_mast:
            mast.clear(
                *self._tuple("mast_stats mast_order codes"),
                self.game.move_limit,
                self.game.code_count,
            )
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
        if self.is_over():
            raise BadInput("the game is over; %s cannot be played" % text)
        if not self.game.legal(self.buffers["root"], move) or self._repeats(move):
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

    def _ban_repetitions(self):
        """Rule out the root moves that superko forbids, in a kept tree, too."""
        _, moves, _, _, _ = self.game.rules
        banned = self.buffers["banned"]
        bans = self._keep_repetitions(banned, moves(self.buffers["root"], banned))
        for i in range(bans):
            tree.drop_child(self._tree, int(banned[i]))
        self.buffers["control"][search.BAN_COUNT] = bans

    def start(self):
        """Begin a search of the position."""
        if self.is_over():
            raise BadInput("the game is over: there is nothing to search")
        control = self.buffers["control"]
        if control[search.DONE_SECOND] != 0:  # an earlier search was cut off half-way
            search.finish_second(self._buffers)
        if self.config.uses_mast and self.moves:
            mast.decay(
                self.buffers["mast_stats"], self.game.code_count, scaled(self.config.decay, 100)
            )
        if not (self.config.reuse and self._keep_tree()):
            tree.clear(self._tree)
        tree.clear_counts(self.buffers["pools"])
        self._searched = len(self.moves)
        if self.game.key:
            self._ban_repetitions()
        for field in (search.DONE_TOP, search.DONE_SECOND, search.PLAYOUTS, search.SAVED):
            control[field] = 0
        control[search.TURN] = self.buffers["root"][0]
        rng.start(self.buffers["rng"], (self.seed + _SEEDS_PER_PLY * len(self.moves)) % SEEDS)

    def _keep_tree(self):
        return all(tree.descend_root(self._tree, move) for move in self.moves[self._searched :])

    def run(self, playouts):
        """Up to so many playouts more; returns how many were made, 0 when all are done."""
        left = self.ledger.playouts - int(self.buffers["control"][search.PLAYOUTS])
        if left == 0:
            return 0
        return search.run(self._buffers, self._rules, min(playouts, left))

    def finish(self):
        """The rest of the search; its result."""
        while self.run(self.ledger.playouts):
            pass
        return self.result()

    def search(self):
        """A whole search; its result."""
        self.start()
        return self.finish()

    def sample(self, playouts):
        """So many playouts without a tree; the first player's mean result."""
        points = search.sample(self._buffers, self._rules, playouts)
        return points / (2 * playouts)

    def root_moves(self):
        """(move, visits, points) of the root's children, most visited first."""
        root = int(self.buffers["pools"][tree.ROOT])
        visits, points, child, sibling, _, move, *_ = self._tree
        children = []
        node = _NONE if root == _NONE else int(child[root])
        while node != _NONE:
            children.append((int(move[node]), int(visits[node]), int(points[node])))
            node = int(sibling[node])
        # Equal visits: the better mean, then the lower move, on every runtime.
        children.sort(key=lambda child: (-child[1], -child[2], child[0]))
        return children

    def result(self, whole=True):
        """The most visited move and the search's figures, so far. All moves' visits and the
        tree's hash, which take a while, are None unless it shall be whole."""
        children = self.root_moves()
        if not children:  # fewer than two playouts: any move is as good
            count = self._list_moves()
            moves = [int(move) for move in self.buffers["moves"][:count]]
            children = [(next(m for m in moves if not self._repeats(m)), 0, 0)]
        move, visits, points = children[0]
        control = self.buffers["control"]
        return Result(
            move=self.game.text(move),
            value=points / (2 * visits) if visits else 0.5,
            visits={self.game.text(m): v for m, v, _ in children} if whole else None,
            playouts=int(control[search.PLAYOUTS]),
            playouts_saved=int(control[search.SAVED]),
            nodes_used=tree.used(self.buffers["pools"], self.buffers["node_sibling"]),
            nodes_recycled=tree.recycled(self.buffers["pools"]),
            bytes=self.ledger.total_bytes,
            tree_hash=self.tree_hash() if whole else None,
        )

    def tree_hash(self):
        """16 hexadecimal digits that depend on every statistic of the tree."""
        out = self.buffers["hash"]
        tree.hash_tree(self._tree, 0, out)
        return "%08x%08x" % (out[0], out[1])
