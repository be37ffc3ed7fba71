"""Budgets: how many bytes a search takes, how many nodes a number of bytes gives.

`Budget(bytes=B)` or `Budget(nodes=N)` becomes, for a game and a configuration, a Ledger:
every buffer with its element type and count, the sum, and the sizes that follow from
them. The searcher allocates what the ledger lists and nothing else.
"""

from picograve.config import DEFAULT_NODES, LEARNERS, ONE_LEVEL_PLAYOUTS, TOP_RATIO, scaled
from picograve.errors import BadInput
from picograve.kernel import ITEM_BYTES, ITEM_NAMES
from picograve.policies import SWITCHING, policies_of
from picograve.position import position_rows
from picograve.search import CONTROL
from picograve.tree import POOLS

MOST_PLAYOUTS = 2**30 - 1  # what a chip counts without a heap
MOST_NODES = 65534  # 16-bit indices, one value kept for "none"


class Budget:
    """Bytes or nodes; with neither, the paper's number of nodes for the search.

    tables: AMAF tables, where they are to be fewer than the nodes.
    """

    def __init__(self, bytes=None, nodes=None, tables=None):
        if bytes is not None and nodes is not None:
            raise BadInput("give a budget in bytes or in nodes, not both")
        for name, value in (("bytes", bytes), ("nodes", nodes), ("tables", tables)):
            if value is not None and value < 1:
                raise BadInput("a budget of %d %s holds nothing" % (value, name))
        self.bytes = bytes
        self.nodes = nodes
        self.tables = tables

    def ledger(self, game, config):
        """What this budget buys for a search of a game."""
        if not config.has_tree:
            return module_of(config).ledger(game, config, self)
        least = 3 if config.two_levels else 2
        if self.bytes is not None:
            return self._by_bytes(game, config, least)
        nodes = self.nodes
        if nodes is None:
            nodes = DEFAULT_NODES[config.search]
            if config.playouts and not (config.two_levels or config.recycles_top):
                nodes = max(least, min(config.playouts, MOST_NODES))
        if not least <= nodes <= MOST_NODES:
            raise BadInput(
                "%s takes %d to %d nodes, not %d" % (config.search, least, MOST_NODES, nodes)
            )
        return TreeLedger(game, config, nodes, self.tables)

    def _by_bytes(self, game, config, least):
        smallest = TreeLedger(game, config, least, self.tables)
        if smallest.total_bytes > self.bytes:
            raise BadInput(
                "%s on %s needs at least %d bytes (%d nodes); %d given"
                % (config.search, game.name, smallest.total_bytes, least, self.bytes)
            )
        fits, too_many = least, MOST_NODES + 1
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            if TreeLedger(game, config, middle, self.tables).total_bytes <= self.bytes:
                fits = middle
            else:
                too_many = middle
        return TreeLedger(game, config, fits, self.tables)


def module_of(config):
    """The module of a search without a tree: it has ledger(game, config, budget) and Searcher."""
    name = "learning" if config.search in LEARNERS else config.search
    return getattr(__import__("picograve." + name), name)


class Ledger:
    """Every buffer of a thinker (`rows`: name, kind, count), and what follows from it.

    print(ledger) shows it as a table.
    """

    nodes_second = amaf_tables = playouts_second = 0
    policies = ()

    def __init__(self, game, config, rows, nodes, playouts):
        self.nodes = self.nodes_top = nodes  # or entries of its table
        self.playouts = self.playouts_top = playouts  # or other steps of a search, at most
        self._list(game, config, rows)

    def _list(self, game, config, rows):
        self.game = game.name
        self.search = config.search
        self.rows = rows
        self.total_bytes = sum(count * ITEM_BYTES[kind] for _, kind, count in rows)

    def __str__(self):
        line = "%-12s %-7s %9s %10s"
        lines = [line % ("buffer", "type", "count", "bytes")]
        for name, kind, count in self.rows:
            if count:
                lines.append(line % (name, ITEM_NAMES[kind], count, count * ITEM_BYTES[kind]))
        lines.append(line % ("total", "", "", self.total_bytes))
        lines.append("%s on %s: %s" % (self.search, self.game, self._summary()))
        return "\n".join(lines)

    def _summary(self):
        return "a table of %d entries, %d steps a move at most" % (self.nodes, self.playouts)


class TreeLedger(Ledger):
    """Of a search with a tree of `nodes` nodes."""

    def __init__(self, game, config, nodes, tables=None):
        self.policies = policies_of(game, config.playout_policy)
        self.nodes = nodes
        self.nodes_second = 0
        if config.two_levels:
            # To the nearest, but at least a root below and a root and a child above.
            self.nodes_second = min(max(1, scaled(config.share, nodes)), nodes - 2)
        self.nodes_top = nodes - self.nodes_second
        self.amaf_tables = 0
        if config.uses_grave or config.uses_rave:
            self.amaf_tables = nodes if tables is None else min(max(tables, 2), nodes)
        self._set_playouts(config)
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
        codes = game.code_count
        mast_codes = codes if "mast" in self.policies else 0
        is_guided = any(name in game.heuristics for name in self.policies)
        return [
            ("control", "i", CONTROL),
            ("rng", "i", 2),
            ("leaf", "B", game.state_bytes if config.two_levels else 0),
            # A path holds no node twice, and is no longer than a game with two roots.
            ("path", "H", min(self.nodes, game.move_cap + 2)),
            ("trace", "H", game.move_cap),
            ("codes", "H", game.move_limit),
            ("marks", "B", 2 * codes),
            ("touched", "H", 2 * codes if self.amaf_tables else 0),
            ("banned", "H", codes if game.key else 0),
            ("mast_stats", "H", 4 * mast_codes),
            ("mast_order", "H", 2 * mast_codes),
            ("trial", "B", game.state_bytes if is_guided else 0),
            ("values", "i", codes if is_guided else 0),
            ("switching", "i", SWITCHING * len(self.policies) if len(self.policies) > 1 else 0),
            ("hash", "i", 2),
        ]

    def _tree_rows(self, game, config):
        lru = 0
        if config.recycles_second:
            lru = self.nodes
        elif config.recycles_top:
            lru = self.nodes_top
        names = ("visits", "points", "child", "sibling", "parent", "move", "table")
        return [("node_" + name, "H", self.nodes) for name in names] + [
            ("lru_older", "H", lru),
            ("lru_newer", "H", lru),
            ("amaf", "i", self.amaf_tables * 2 * game.code_count),
            ("pools", "i", POOLS),
        ]

    def _summary(self):
        return (
            "%d nodes (top %d, second %d), %d AMAF tables, %d playouts a search, "
            "%.1f bytes a node all in"
            % (
                self.nodes,
                self.nodes_top,
                self.nodes_second,
                self.amaf_tables,
                self.playouts,
                self.total_bytes / self.nodes,
            )
        )
