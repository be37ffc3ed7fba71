"""Alpha-beta as a player: its ledger, and the Searcher around the kernels of lookahead.py."""

from picograve import rng
from picograve.baselines import lookahead
from picograve.budget import Ledger
from picograve.config import DEEPEST
from picograve.errors import BadInput
from picograve.figures import report
from picograve.games import PLACES, TABLE, codes_of, kind_of, rules_of
from picograve.kernel import ITEM_BYTES, group
from picograve.position import Thinker, position_rows

DEFAULT_ENTRIES = 16384
MOST_ENTRIES = 2**22


def quiet_of(game, config):
    """Plies beyond the full depth; none where the game knows no loud moves."""
    return min(config.quiet, DEEPEST - config.depth) if game.loud else 0


def _rows(game, config, entries):
    codes = game.code_count
    most = game.most_moves if kind_of(game) == PLACES else codes
    plies = config.depth + quiet_of(game, config) + 1
    return (
        position_rows(game)
        + [
            ("control", "i", lookahead.CONTROL),
            ("rng", "i", 2),
            ("frames", "i", lookahead.FRAME * plies),
            ("lists", "H", most * plies),
            ("codes", "H", 2 * most if kind_of(game) == PLACES else game.move_limit),
            ("order", "i", 2 * codes),
            ("prints", "i", 2),
            ("table_check", "i", entries),
            ("table_entry", "i", entries),
            ("table_best", "H", entries),
        ]
        + [("state_%d" % ply, "B", game.state_bytes) for ply in range(1, plies)]
    )


def ledger(game, config, budget):
    """A budget in nodes is one in entries of the table."""
    if kind_of(game) not in (TABLE, PLACES):
        raise BadInput("alphabeta needs a game whose moves have codes, not %s" % game.name)
    if game.evaluate is None or game.fingerprint is None:
        raise BadInput("alphabeta needs a game that can evaluate a position, not %s" % game.name)
    entries = budget.nodes or DEFAULT_ENTRIES
    if budget.bytes is not None:
        smallest = Ledger(game, config, _rows(game, config, 1), 1, 1).total_bytes
        entry = ITEM_BYTES["i"] + ITEM_BYTES["i"] + ITEM_BYTES["H"]
        entries = 1 + (budget.bytes - smallest) // entry
        if entries < 1:
            raise BadInput(
                "alphabeta of depth %d on %s needs at least %d bytes; %d given"
                % (config.depth, game.name, smallest, budget.bytes)
            )
        entries = min(entries, MOST_ENTRIES)
    if entries > MOST_ENTRIES:
        raise BadInput("alphabeta takes 1 to %d entries, not %d" % (MOST_ENTRIES, entries))
    return Ledger(game, config, _rows(game, config, entries), entries, config.positions)


class Searcher(Thinker):
    def __init__(self, game, config, budget, seed=1):
        Thinker.__init__(self, game, config, ledger(game, config, budget), seed)
        self._rules = rules_of(game, ("evaluate", "fingerprint", "codes", "loud"))
        # One type of tuple for every depth: Numba compiles for it once.
        own = [self.buffers.get("state_%d" % ply) for ply in range(1, DEEPEST + 1)]
        root = self.buffers["root"]
        states = tuple([root] + [root if state is None else state for state in own])
        names = "control frames lists moves codes order prints table_check table_entry table_best"
        self._buffers = group(self.arrays(names) + (group(states),))
        if kind_of(game) == TABLE:
            codes_of(game, self.buffers["codes"])
        control = self.buffers["control"]
        control[lookahead.DEPTH] = config.depth
        control[lookahead.QUIET] = quiet_of(game, config)
        control[lookahead.POSITIONS] = config.positions
        control[lookahead.ENTRIES] = self.ledger.nodes
        control[lookahead.CODE_COUNT] = game.code_count
        if kind_of(game) == PLACES:
            control[lookahead.CODE_COUNT] += 65536 * game.most_moves
        self.new_game()

    def start(self):
        """Begin a search; what is in the table and was learned of moves is forgotten."""
        self._refuse_if_over()
        for name in ("table_check", "order"):
            lookahead.clear(self.buffers[name], len(self.buffers[name]))
        control, frames = self.buffers["control"], self.buffers["frames"]
        for field in (
            lookahead.SEEN,
            lookahead.PLY,
            lookahead.GUESSED,
            lookahead.OVER,
            lookahead.DONE,
            lookahead.USED,
        ):
            control[field] = 0
        control[lookahead.NOW] = control[lookahead.ENTERS] = 1
        control[lookahead.SCORE] = lookahead.EVEN
        frames[lookahead.ALPHA] = 0
        frames[lookahead.BETA] = lookahead.WHOLE
        playable = self._list_playable()
        rng.start(self.buffers["rng"], self._seed_here())
        for place in range(len(playable) - 1, 0, -1):
            other = rng.draw(self.buffers["rng"], place + 1)
            playable[place], playable[other] = playable[other], playable[place]
        for place, move in enumerate(playable):
            self.buffers["lists"][place] = move
        frames[lookahead.COUNT] = len(playable)
        control[lookahead.MOVE] = playable[0]

    def run(self, steps):
        return lookahead.run(self._buffers, self._rules, steps)

    def _root_moves(self):
        """The best move; its weight and points are just its score."""
        control = self.buffers["control"]
        return [(int(control[lookahead.MOVE]), lookahead.EVEN, int(control[lookahead.SCORE]))]

    def result(self, whole=True):
        control = self.buffers["control"]
        move = self.game.text(int(control[lookahead.MOVE]))
        return report(
            {move: lookahead.EVEN},
            move=move,
            points=int(control[lookahead.SCORE]),
            weight=lookahead.EVEN,
            scale=self.scale,
            playouts=int(control[lookahead.SEEN]),
            playouts_saved=0,
            nodes_used=int(control[lookahead.USED]),
            nodes_recycled=0,
            bytes=self.ledger.total_bytes,
            tree_hash=self._table_hash() if whole else None,
            depth=int(control[lookahead.DONE]),
        )

    def _table_hash(self):
        """16 hexadecimal digits that depend on every entry of the table."""
        out = self.buffers["prints"]
        lookahead.hash_table(*self.arrays("table_check table_entry"), self.ledger.nodes, out)
        return "%08x%08x" % (out[0], out[1])
