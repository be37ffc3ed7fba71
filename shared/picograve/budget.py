"""Budgets: how many bytes a search takes, how many nodes a number of bytes gives.

`Budget(bytes=B)` or `Budget(nodes=N)` becomes, for a game and a configuration, a Ledger:
every buffer with its element type and count, the sum, and the sizes that follow from
them. The searcher allocates what the ledger lists and nothing else.
"""

from picograve.config import LEARNERS, ONE_LEVEL_PLAYOUTS, TOP_RATIO, scaled
from picograve.errors import BadInput
from picograve.games import PLACES, PLAIN, TABLE, kind_of
from picograve.kernel import ITEM_BYTES, ITEM_NAMES, RUNTIME
from picograve.mcts.parts import Parts
from picograve.mcts.playout import SWITCHING
from picograve.mcts.search import CONTROL, EXPAND_AFTER, MOST_PARAMETERS, SELECT
from picograve.mcts.select import ROOTS
from picograve.mcts.tree import POOLS, SQUARES, TOTALS, WEIGHTS
from picograve.position import position_rows

if RUNTIME != "micropython":
    import textwrap
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from types import ModuleType

        from picograve.config import Config
        from picograve.protocols import Game

MOST_PLAYOUTS = 2**30 - 1  # what a chip counts without a heap
MOST_NODES = 65534  # 16-bit indices, one value kept for "none"
MOST_LEAN_NODES = 32766  # ... of 15 bits


class Budget:
    """Bytes or nodes; with neither, the paper's number of nodes for the search.

    tables: AMAF tables, where they are to be fewer than the nodes.
    """

    def __init__(
        self, bytes: int | None = None, nodes: int | None = None, tables: int | None = None
    ) -> None:
        if bytes is not None and nodes is not None:
            raise BadInput("give a budget in bytes or in nodes, not both")
        for name, value in (("bytes", bytes), ("nodes", nodes), ("tables", tables)):
            if value is not None and value < 1:
                raise BadInput("a budget of %d %s holds nothing" % (value, name))
        self.bytes = bytes
        self.nodes = nodes
        self.tables = tables

    if RUNTIME != "micropython":

        def __repr__(self) -> str:
            given = (("bytes", self.bytes), ("nodes", self.nodes), ("tables", self.tables))
            return "Budget(%s)" % ", ".join("%s=%s" % row for row in given if row[1] is not None)

    def ledger(self, game: "Game", config: "Config") -> "Ledger":
        """What this budget buys for a search of a game."""
        if not config.has_tree:
            return module_of(config).ledger(game, config, self)
        least = 3 if config.two_levels else 2
        most = MOST_LEAN_NODES if config.lean and Parts(game, config).lean else MOST_NODES
        if self.bytes is not None:
            return self._by_bytes(game, config, least, most)
        nodes = self.nodes
        if nodes is None:
            nodes = config.default_nodes
            if config.playouts and not (config.two_levels or config.recycles_top):
                nodes = max(least, min(config.playouts, most))
        if not least <= nodes <= most:
            raise BadInput("%s takes %d to %d nodes, not %d" % (config.search, least, most, nodes))
        return TreeLedger(game, config, nodes, self.tables)

    def _by_bytes(self, game, config, least, most):
        smallest = TreeLedger(game, config, least, self.tables)
        if smallest.total_bytes > self.bytes:
            raise BadInput(
                "%s on %s needs at least %d bytes (%d nodes); %s given"
                % (config.search, game.name, smallest.total_bytes, least, self.bytes)
            )
        fits, too_many = least, most + 1
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            if TreeLedger(game, config, middle, self.tables).total_bytes <= self.bytes:
                fits = middle
            else:
                too_many = middle
        return TreeLedger(game, config, fits, self.tables)


def module_of(config: "Config") -> "ModuleType":
    """The module of a search without a tree: it has ledger(game, config, budget) and Searcher."""
    name = "learning" if config.search in LEARNERS else config.search
    return getattr(__import__("picograve.baselines." + name).baselines, name)


class Ledger:
    """Every buffer of a thinker (`rows`: name, kind, count), and what follows from it.

    print(ledger) shows it as a table.
    """

    parts: Parts  # of a search with a tree
    nodes_second = amaf_tables = playouts_second = 0
    policies: tuple[str, ...] = ()

    def __init__(
        self,
        game: "Game",
        config: "Config",
        rows: list[tuple[str, str, int]],
        nodes: int,
        playouts: int,
    ) -> None:
        self.nodes = self.nodes_top = nodes  # or entries of its table
        self.playouts = self.playouts_top = playouts  # or other steps of a search, at most
        self._list(game, config, rows)

    def _list(self, game, config, rows):
        self.game = game.name
        self.search = config.search
        self.rows = rows
        self.total_bytes = sum(count * ITEM_BYTES[kind] for _, kind, count in rows)

    if RUNTIME != "micropython":
        learns = False  # whether a search depends on those before it

        def __str__(self) -> str:
            line = "%-12s %-7s %9s %10s"
            lines = [line % ("buffer", "type", "count", "bytes")]
            for name, kind, count in self.rows:
                if count:
                    lines.append(line % (name, ITEM_NAMES[kind], count, count * ITEM_BYTES[kind]))
            lines.append(line % ("total", "", "", self.total_bytes))
            text = "%s on %s: %s" % (self.search, self.game, self._summary())
            lines.append(textwrap.fill(text, 79))
            return "\n".join(lines)

        def __repr__(self) -> str:
            return "<Ledger of %s on %s: %s>" % (self.search, self.game, self._summary())

        def _summary(self):
            return "a table of %d entries, %d steps per move at most" % (self.nodes, self.playouts)


class TreeLedger(Ledger):
    """Of a search with a tree of `nodes` nodes."""

    def __init__(
        self, game: "Game", config: "Config", nodes: int, tables: int | None = None
    ) -> None:
        self.parts = Parts(game, config)
        self.policies = self.parts.policies
        self.nodes = nodes
        self.nodes_second = 0
        if config.two_levels:
            # To the nearest, but at least a root below and a root and a child above.
            self.nodes_second = min(max(1, scaled(config.share, nodes)), nodes - 2)
        self.nodes_top = nodes - self.nodes_second
        self.amaf_tables = 0
        if self.parts.uses_tables:
            if tables is None:
                tables = nodes // config.lean if self.parts.lean else nodes
            self.amaf_tables = min(max(tables, 2), nodes)
            if self.parts.uses_tables == ROOTS:
                self.amaf_tables = 1 + config.two_levels
        self._set_playouts(config)
        if RUNTIME != "micropython":
            self.learns = bool(self.parts.having("learn"))
        rows = position_rows(game) + self._search_rows(game, config) + self._tree_rows(game, config)
        self._list(game, config, rows)

    def _set_playouts(self, config):
        """playouts_top iterations of playouts_second playouts, `playouts` at most in all."""
        if config.two_levels:
            second = config.playouts_second or self.nodes_second
            top = config.playouts_top
            if config.playouts:
                while second * second > config.playouts:  # few: as many for either level
                    second -= 1
                top = (config.playouts + second - 1) // second
            elif top is None:
                top = self.nodes_top * (TOP_RATIO if config.recycles_top else 1)
                top = min(top, MOST_PLAYOUTS // second)
            self.playouts_top = top
            self.playouts_second = second
            self.playouts = config.playouts or top * second
        else:
            default = ONE_LEVEL_PLAYOUTS if config.recycles_top else self.nodes
            self.playouts = config.playouts or config.playouts_top or default
            self.playouts_top = self.playouts
            self.playouts_second = 0
        if self.playouts > MOST_PLAYOUTS:
            raise BadInput("a search makes %d playouts at most" % MOST_PLAYOUTS)

    def _search_rows(self, game, config):
        codes, parts = game.code_count, self.parts
        kind = kind_of(game)
        own = parts.buffers(game)
        # A path holds no node twice, and is no longer than a game with two roots.
        path = min(self.nodes, game.move_cap + 2)
        by_place = game.most_moves if kind in (PLACES, PLAIN) else 0
        numbers = game.move_limit if kind == TABLE else by_place  # of moves in the tree
        if RUNTIME != "micropython":
            if len(parts.parameters) > MOST_PARAMETERS:
                raise BadInput("a tree policy takes %d parameters at most" % MOST_PARAMETERS)
        control = max(SELECT + 2, SELECT + len(parts.parameters))
        if parts.root:
            control = EXPAND_AFTER  # where its parameters end
        return [
            # As long as it always was, so that bytes buy the same nodes, or longer.
            ("control", "i", CONTROL if parts.extended else control),
            ("rng", "i", 2),
            ("leaf", "B", game.state_bytes if config.two_levels else 0),
            ("path", "H", path),
            ("trace", "H", game.move_cap),
            ("codes", "H", numbers),
            ("marks", "B", max(2 * codes, numbers)),
            ("touched", "H", 2 * codes if self.amaf_tables else 0),
            ("banned", "H", game.most_moves if game.key else 0),
            ("mast_stats", "H", own.get("mast_stats", 0)),
            ("mast_order", "H", own.get("mast_order", 0)),
            ("trial", "B", own.get("trial", 0)),
            ("values", "i", own.get("values", 0)),
            ("switching", "i", SWITCHING * len(self.policies) if parts.switching else 0),
            ("hash", "i", 2),
            ("places", "H", by_place),
            ("code_of", "H", codes if kind == PLACES else 0),
            ("reward", "i", len(parts.reward_start) + parts.noted(path)),
            ("learned", "i", own.get("learned", 0)),
            ("priors", "H", numbers if parts.informed else 0),
        ]

    def _tree_rows(self, game, config):
        lru = 0
        if not self.parts.sweep:
            if config.recycles_second:
                lru = self.nodes
            elif config.recycles_top:
                lru = self.nodes_top
        narrow = 0
        if self.parts.lean:
            narrow = max(self.amaf_tables - config.wide_tables, 0)
        names = ("visits", "points", "child", "sibling", "parent", "move")
        return [("node_" + name, "H", self.nodes) for name in names] + [
            ("node_table", "H", 0 if self.parts.lean else self.nodes),
            ("node_totals", "i", self.nodes if self.parts.kept & (TOTALS + WEIGHTS) else 0),
            ("node_extra", "i", self.nodes if self.parts.kept & (SQUARES + WEIGHTS) else 0),
            ("lru_older", "H", lru),
            ("lru_newer", "H", lru),
            ("amaf", "i", (self.amaf_tables - narrow) * 2 * game.code_count),
            ("amaf_narrow", "H", narrow * 2 * game.code_count),
            ("amaf_owners", "H", self.amaf_tables if self.parts.lean else 0),
            ("pools", "i", POOLS),
        ]

    if RUNTIME != "micropython":

        def _summary(self):
            return (
                "%d nodes (top %d, second %d), %d AMAF tables, %d playouts per search, "
                "%.1f bytes per node in all"
                % (
                    self.nodes,
                    self.nodes_top,
                    self.nodes_second,
                    self.amaf_tables,
                    self.playouts,
                    self.total_bytes / self.nodes,
                )
            )
