"""A searcher plays one game: it holds the position, the buffers of its ledger, the tree.

    searcher = Searcher(load("go9"), Config("graver2"), Budget(nodes=160), seed=1)
    searcher.play("E5")
    result = searcher.search()
    searcher.play(result.move)

`search` is `start`, `run` until it returns 0, `result`; call these three to cut a search
into slices, which changes nothing in its tree.
"""

from picograve import rng
from picograve.config import scaled
from picograve.figures import report
from picograve.games import PLACES, PLAIN, TABLE, chosen_of, codes_of, kind_of, rules_of
from picograve.kernel import RUNTIME, bind, constant, group
from picograve.mcts import search, tree
from picograve.mcts.parts import module
from picograve.mcts.playout import MOST_POLICIES, SWITCHING
from picograve.mcts.select import ROOTS
from picograve.position import Thinker
from picograve.value import WIDE, WIN, share

if RUNTIME != "micropython":
    from typing import TYPE_CHECKING

    from picograve.errors import BadInput

    if TYPE_CHECKING:
        from picograve.budget import Budget
        from picograve.config import Config
        from picograve.figures import Result
        from picograve.protocols import Game

_NONE = 65535  # = picograve.mcts.tree._NONE
_CHOSEN = 3  # = picograve.mcts.playout.switching._CHOSEN


class Searcher(Thinker):
    """A search with a tree; `picograve.open_search` opens any."""

    def __init__(self, game: "Game", config: "Config", budget: "Budget", seed: int = 1) -> None:
        if RUNTIME != "micropython":
            if not config.has_tree:
                raise BadInput("%s has no tree: picograve.open_search opens it" % config.search)
        ledger = budget.ledger(game, config)  # loads the parts: code lies low in a chip's heap
        self.parts = ledger.parts
        self.policies = ledger.policies
        self.scale = WIDE if self.parts.by_degrees else WIN
        Thinker.__init__(self, game, config, ledger, seed)
        self._rules = rules_of(game, self.parts.needs)
        self._kind = kind_of(game)
        self.code_of = "codes" if self._kind == TABLE else "code_of"  # the buffer of notes' codes
        for name in ("work", "leaf", "trial"):  # `copy` need not write what no move changes
            if len(self.buffers[name]):
                game.reset(self.buffers[name])
        if self._kind == TABLE:
            codes_of(game, self.buffers["codes"])
        else:
            for name in ("places", "code_of"):
                for place in range(len(self.buffers[name])):
                    self.buffers[name][place] = place
        self._tree = group(self.arrays(
            "node_visits node_points node_child node_sibling node_parent node_move "
            "node_table lru_older lru_newer amaf pools node_totals amaf_narrow amaf_owners "
            "node_extra"
        ))  # fmt: skip
        names = (
            "control rng root leaf work path trace moves codes marks touched banned "
            "mast_stats mast_order trial values switching"
        )
        if self._kind in (PLACES, PLAIN):
            names = names.replace("moves", "places")
        self._buffers = group(
            self.arrays(names)
            + (self._tree,)
            + self.arrays("moves %s reward learned priors" % self.code_of)
            + (constant(game.known),)
        )
        self._parts = self._bind_parts()
        self._set_up()
        self.new_game()

    def _bind_parts(self):
        """The kernels of the parts, as search.py wants them."""
        parts = self.parts
        plays = tuple(part.play for part in parts.playouts)
        learns = tuple(part.learn for part in parts.having("learn"))
        choose = (
            parts.select.select,
            parts.least and parts.least.least,
            parts.reward.value,
            parts.switching and parts.switching.switch,
            parts.switching and parts.switching.credit,
            parts.count,
            parts.lean and parts.lean.give,
            parts.sweep and parts.sweep.sweep,
            parts.root and parts.root.choose,
            getattr(parts.reward, "note", None),
        )
        given = self._buffers, self._rules
        return group((
            bind("n0nnnnnn n0nnn n01n ninn -innn n0n -0 -0n n0nnnn -01n", choose, *given),
            bind("n01n " * MOST_POLICIES, plays, *given),
            bind("-0nn " * MOST_POLICIES, learns, *given),
        ))  # fmt: skip

    def _set_up(self):
        config, ledger, parts = self.config, self.ledger, self.parts
        control, switching = self.buffers["control"], self.buffers["switching"]
        for place, number in enumerate(parts.parameters):
            control[search.SELECT + place] = number
        if parts.root:
            numbers = (parts.reach,) + tuple(parts.root.parameters(config))
            for place, number in enumerate(numbers):
                control[search.ROOT_CHOICE + place] = number
        for place, number in enumerate(parts.reward_start):
            self.buffers["reward"][place] = number
        arguments = [
            part.argument(self.game, name, config)
            for part, name in zip(parts.playouts, self.policies)
        ]
        control[search.ARGUMENT] = arguments[0]
        if parts.switching:
            control[search.POLICIES] = len(arguments)
            for place, argument in enumerate(arguments):
                switching[place * SWITCHING] = argument
        control[search.LEARNERS] = len(parts.having("learn"))
        control[search.SWITCH] = scaled(config.switch, 256)
        control[search.KIND] = self._kind
        control[search.MODES] = self._modes()
        control[search.REF] = _NONE if parts.uses_tables == ROOTS else config.ref
        control[search.SHARING] = config.sharing
        control[search.P_TOP] = ledger.playouts_top
        control[search.P_SECOND] = ledger.playouts_second
        control[search.TABLE_AFTER] = _NONE if parts.uses_tables == ROOTS else config.table_after
        if parts.lean and not config.table_after:
            control[search.TABLE_AFTER] = 1
        control[search.EARLY] = config.early_after
        control[search.MARGIN] = scaled(config.early_margin, 10000)
        control[search.EXPLORE] = config.explore if parts.least else 0
        control[search.CODE_COUNT] = self.game.code_count
        recycles = tree.SWEPT if parts.sweep else tree.LRU
        tree.set_up(
            self._tree,
            ledger.nodes_top,
            ledger.nodes_second,
            ledger.amaf_tables,
            self.game.code_count,
            recycles * config.recycles_top,
            recycles * config.recycles_second,
            parts.kept,
            int(bool(parts.lean)),
            min(config.wide_tables, ledger.amaf_tables),
        )

    def _modes(self):
        """What is out of the ordinary, as search.py knows it; its settings are set."""
        config, parts, control = self.config, self.parts, self.buffers["control"]
        if parts.extended:
            control[search.EXPAND_AFTER] = config.expand_after
            control[search.SPAN] = scaled(config.amaf_span or self.game.amaf_span, search.WHOLE)
            control[search.PRIOR] = config.prior
            control[search.INHERIT] = config.inherit
            control[search.PRIORS] = chosen_of(self.game, "priors", config.priors)
        return (
            search.COUNTING * bool(parts.kept)
            + search.LEAN * bool(parts.lean)
            + search.INFORMED * parts.informed
            + search.MORE * parts.extended
            + search.ROOTED * bool(parts.root)
            + search.NOTING * hasattr(parts.reward, "note")
        )

    def new_game(self) -> None:
        Thinker.new_game(self)
        self._numbers: list[int] = []  # of the moves, as the tree numbers them
        self._searched = 0  # moves played when the tree's root was the position
        self.buffers["control"][search.DONE_SECOND] = 0
        rng.start(self.buffers["rng"], self.seed)
        tree.clear(self._tree)
        for part in self.parts.having("new_game"):
            part.new_game(self)

    def _make(self, move):
        self._numbers.append(self._number_of(move))
        Thinker._make(self, move)

    def _number_of(self, move):
        """What the tree calls a move at the root; _NONE for one that it never plays."""
        if self._kind not in (PLACES, PLAIN):
            return move
        listed = [int(m) for m in self.buffers["moves"][: self._list_moves()]]
        return listed.index(move) if move in listed else _NONE

    def _move_of(self, number):
        """The move at the root that the tree calls so."""
        if self._kind not in (PLACES, PLAIN):
            return number
        self._list_moves()
        return int(self.buffers["moves"][number])

    def _ban_repetitions(self):
        """Rule out the root moves that superko forbids, in a kept tree, too."""
        _, moves, _, _, _ = self.game.rules
        banned = self.buffers["banned"]
        bans = self._keep_repetitions(banned, moves(self.buffers["root"], banned))
        for i in range(bans):
            banned[i] = self._number_of(int(banned[i]))
            tree.drop_child(self._tree, int(banned[i]))
        self.buffers["control"][search.BAN_COUNT] = bans

    def start(self) -> None:
        """Begin a search of the position."""
        self._refuse_if_over()
        control = self.buffers["control"]
        if control[search.DONE_SECOND] != 0:  # an earlier search was cut off half-way
            search.finish_second(self._buffers)
        if self.history:
            for part in self.parts.having("next_move"):
                part.next_move(self)
        if self.game.hides or not (self.config.reuse and self._keep_tree()):
            tree.clear(self._tree)
        tree.clear_counts(self._tree)
        self._searched = len(self.history)
        if self.game.key:
            self._ban_repetitions()
        for field in (search.DONE_TOP, search.DONE_SECOND, search.PLAYOUTS, search.SAVED):
            control[field] = 0
        control[search.TURN] = self.buffers["root"][0]
        if self.parts.extended:
            control[search.ROOT_LAST] = self.history[-1] if self.history else _NONE
        for place, number in enumerate(self.parts.reward_start):
            self.buffers["reward"][place] = number
        self._clear_switching()
        rng.start(self.buffers["rng"], self._seed_here())

    def _clear_switching(self):
        switching = self.buffers["switching"]
        for place in range(len(switching)):
            if place % SWITCHING:  # all but the arguments
                switching[place] = 0

    def _keep_tree(self):
        for number in self._numbers[self._searched :]:
            if not tree.descend_root(self._tree, number):
                return False
        if self.parts.lean and int(self.buffers["pools"][tree.ROOT]) != _NONE:
            self.parts.lean.give_root(self._tree)
        return True

    def run(self, playouts: int) -> int:
        """Up to so many playouts more; returns how many were made, 0 when all are done."""
        left = self.ledger.playouts - int(self.buffers["control"][search.PLAYOUTS])
        if left == 0:
            return 0
        return search.run(self._buffers, self._rules, self._parts, min(playouts, left))

    def sample(self, playouts: int) -> float:
        """So many playouts without a tree; the first player's mean result."""
        total = search.sample(self._buffers, self._rules, self._parts, playouts)
        return share(total, playouts)

    def _root_moves(self) -> list[tuple[int, int, int]]:
        """(move, visits, points) of the root's children, most visited first."""
        root = int(self.buffers["pools"][tree.ROOT])
        return [(self._move_of(m), visits, total) for m, visits, total, _ in self._children(root)]

    def _children(self, node):
        """(number, visits, points, node) of a node's children, most visited first."""
        visits, child, sibling, move = self.arrays("node_visits node_child node_sibling node_move")
        children = []
        node = _NONE if node == _NONE else int(child[node])
        while node != _NONE:
            total = tree.value_of(self._tree, node)
            children.append((int(move[node]), int(visits[node]), total, node))
            node = int(sibling[node])
        # Equal visits: the better mean, then the lower move, on every runtime.
        children.sort(key=lambda child: (-child[1], -child[2], child[0]))
        return children

    if RUNTIME != "micropython":

        def principal_variation(self) -> list[str]:
            """The most visited moves from here on, down to a leaf of the tree."""
            copy, moves, play, _, _ = self.game.rules
            work, listed = self.arrays("work moves")
            copy(work, self.buffers["root"])
            texts = []
            children = self._children(int(self.buffers["pools"][tree.ROOT]))
            while children:
                number, _, _, node = children[0]
                moves(work, listed)
                move = int(listed[number]) if self._kind in (PLACES, PLAIN) else number
                texts.append(self.game.text(move))
                play(work, move)
                children = self._children(node)
            return texts

    def result(self, whole: bool = True) -> "Result":
        """The move to play and the search's figures, so far. All moves' visits and the
        tree's hash, which take a while, are None unless it shall be whole."""
        move, visits, points = self._best()
        all_visits = None
        if whole:
            all_visits = {self.game.text(m): v for m, v, _ in self._root_moves()}
            all_visits = all_visits or {self.game.text(move): 0}
        control = self.buffers["control"]
        return report(
            all_visits,
            move=self.game.text(move),
            points=points,
            weight=visits,
            scale=self.scale,
            playouts=int(control[search.PLAYOUTS]),
            playouts_saved=int(control[search.SAVED]),
            nodes_used=tree.used(self._tree),
            nodes_recycled=tree.recycled(self._tree),
            bytes=self.ledger.total_bytes,
            tree_hash=self.tree_hash() if whole else None,
            choices=self._choices() if len(self.policies) > 1 else None,
        )

    def _best(self):
        """(move, visits, points) of the most visited move, or of that with the best mean."""
        if self.config.final == "mean":
            root = int(self.buffers["pools"][tree.ROOT])
            node = module("picograve.mcts.means").best_mean(self._tree, root)
        else:
            node = tree.most_visited(self._tree)
        if node == _NONE:  # fewer than two playouts: any move is as good
            return self._list_playable()[0], 0, 0
        visits, move = self.arrays("node_visits node_move")
        total = tree.value_of(self._tree, node)
        return self._move_of(int(move[node])), int(visits[node]), total

    def _choices(self):
        """How many playouts each policy has made."""
        switching = self.buffers["switching"]
        return {
            name: int(switching[place * SWITCHING + _CHOSEN])
            for place, name in enumerate(self.policies)
        }

    def tree_hash(self) -> str:
        """16 hexadecimal digits that depend on every statistic of the tree."""
        out = self.buffers["hash"]
        tree.hash_tree(self._tree, 0, *self.game.numbering, out)
        return "%08x%08x" % (out[0], out[1])
