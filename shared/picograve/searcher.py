"""A searcher plays one game: it holds the position, the buffers of its ledger, the tree.

    searcher = Searcher(load("go9"), Config("graver2"), Budget(nodes=160), seed=1)
    searcher.play("E5")
    result = searcher.search()
    searcher.play(result.move)

`search` is `start`, `run` until it returns 0, `result`; call these three to cut a search
into slices, which changes nothing in its tree.
"""

from picograve import rng, search, tree
from picograve.config import scaled
from picograve.games import codes_of
from picograve.kernel import RUNTIME, bind
from picograve.policies import SWITCHING, code_of
from picograve.position import Result, Thinker

_NONE = 65535
_VISITS, _POINTS, _MOVE = 0, 1, 5  # fields of the tree, see tree.py
_CHOSEN = 3  # a field of a policy, see switching.py


class Searcher(Thinker):
    def __init__(self, game, config, budget, seed=1):
        ledger = budget.ledger(game, config)
        self.policies = ledger.policies
        self._uses_mast = "mast" in self.policies
        if RUNTIME == "micropython":  # before the buffers, so that code lies low in the heap
            self._load_parts(game, config)
        Thinker.__init__(self, game, config, ledger, seed)
        self._rules = bind(
            "copy moves play playout outcome appraise", game.rules + (game.appraise,)
        )
        self._tree = self._tuple(
            "node_visits node_points node_child node_sibling node_parent node_move "
            "node_table lru_older lru_newer amaf pools"
        )
        self._buffers = self._tuple(
            "control rng root leaf work path trace moves codes marks touched banned "
            "mast_stats mast_order trial values switching"
        ) + (self._tree,)
        self._ranking = self._tuple(
            "pools node_visits node_points node_child node_sibling node_move"
        )
        codes_of(game, self.buffers["codes"])
        self._set_up()
        self.new_game()

    def _set_up(self):
        config, ledger = self.config, self.ledger
        control = self.buffers["control"]
        control[search.TREE_POLICY] = (
            search.GRAVE if config.uses_grave else search.RAVE if config.uses_rave else search.UCT
        )
        bias = scaled(config.bias, 10000)
        control[search.BIAS] = (10000 + bias // 2) // bias
        control[search.REF] = config.ref
        square = scaled(config.exploration, scaled(config.exploration, 10000))  # of 10,000
        control[search.EXPLORATION] = (square * 8192 + 5000) // 10000
        control[search.RAVE_K] = config.rave_k
        control[search.EPSILON] = scaled(config.epsilon, 65536)
        control[search.USES_MAST] = self._uses_mast
        control[search.SWITCH] = scaled(config.switch, 256)
        codes = [code_of(self.game, name) for name in self.policies]
        control[search.POLICY] = codes[0]
        if len(codes) > 1:
            control[search.POLICIES] = len(codes)
            for place, code in enumerate(codes):
                self.buffers["switching"][place * SWITCHING] = code
        control[search.SHARING] = config.sharing
        control[search.P_TOP] = ledger.playouts_top
        control[search.P_SECOND] = ledger.playouts_second
        control[search.TABLE_AFTER] = config.table_after
        control[search.EARLY] = config.early_after
        control[search.MARGIN] = scaled(config.early_margin, 10000)
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

    def _load_parts(self, game, config):
        """What search.py leaves out on a chip until a search wants it."""
        names = self.policies
        wanted = (
            ("grave", "select_grave", config.uses_grave),
            ("rave", "select_rave", config.uses_rave),
            ("uct", "select_uct", config.search.startswith("uct")),
            ("mast", "learn rank", self._uses_mast),
            ("guided", "play_guided", any(name in game.heuristics for name in names)),
            ("switching", "reward switch", len(names) > 1),
        )
        for module, kernels, is_wanted in wanted:
            if is_wanted:
                part = getattr(__import__("picograve." + module), module)
                for kernel in kernels.split():
                    setattr(search, kernel, getattr(part, kernel))

    def new_game(self):
        Thinker.new_game(self)
        self._searched = 0  # moves played when the tree's root was the position
        self.buffers["control"][search.DONE_SECOND] = 0
        rng.start(self.buffers["rng"], self.seed)
        tree.clear(self._tree)
        if self._uses_mast:
            from picograve import mast

            mast.clear(
                *self._tuple("mast_stats mast_order codes"),
                self.game.move_limit,
                self.game.code_count,
            )

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
        self._refuse_if_over()
        control = self.buffers["control"]
        if control[search.DONE_SECOND] != 0:  # an earlier search was cut off half-way
            search.finish_second(self._buffers)
        if self._uses_mast and self.moves:
            from picograve import mast

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
        self._clear_switching()
        rng.start(self.buffers["rng"], self._seed_here())

    def _clear_switching(self):
        switching = self.buffers["switching"]
        for place in range(len(switching)):
            if place % SWITCHING:  # all but the codes
                switching[place] = 0

    def _keep_tree(self):
        return all(tree.descend_root(self._tree, move) for move in self.moves[self._searched :])

    def run(self, playouts):
        """Up to so many playouts more; returns how many were made, 0 when all are done."""
        left = self.ledger.playouts - int(self.buffers["control"][search.PLAYOUTS])
        if left == 0:
            return 0
        return search.run(self._buffers, self._rules, min(playouts, left))

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
        move, visits, points = self._best()
        all_visits = None
        if whole:
            all_visits = {self.game.text(m): v for m, v, _ in self.root_moves()}
            all_visits = all_visits or {self.game.text(move): 0}
        control = self.buffers["control"]
        return Result(
            move=self.game.text(move),
            value=points / (2 * visits) if visits else 0.5,
            visits=all_visits,
            playouts=int(control[search.PLAYOUTS]),
            playouts_saved=int(control[search.SAVED]),
            nodes_used=tree.used(self.buffers["pools"], self.buffers["node_sibling"]),
            nodes_recycled=tree.recycled(self.buffers["pools"]),
            bytes=self.ledger.total_bytes,
            tree_hash=self.tree_hash() if whole else None,
            choices=self._choices() if len(self.policies) > 1 else None,
            depth=None,
        )

    def _best(self):
        """(move, visits, points) of the most visited move."""
        node = tree.most_visited(*self._ranking)
        if node == _NONE:  # fewer than two playouts: any move is as good
            return self._list_playable()[0], 0, 0
        return tuple(int(self._tree[field][node]) for field in (_MOVE, _VISITS, _POINTS))

    def _choices(self):
        """How many playouts each policy has made."""
        switching = self.buffers["switching"]
        return {
            name: int(switching[place * SWITCHING + _CHOSEN])
            for place, name in enumerate(self.policies)
        }

    def tree_hash(self):
        """16 hexadecimal digits that depend on every statistic of the tree."""
        out = self.buffers["hash"]
        tree.hash_tree(self._tree, 0, out)
        return "%08x%08x" % (out[0], out[1])
