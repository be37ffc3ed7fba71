"""A learner plays one game: SARSA or Q-learning, see episodes.py.

A Searcher learns when it first thinks in a game, `episodes` as each player, one a step of
`run`; in later searches of the game it knows. The two players have no position in common, so
one table serves both. It then plays as it did while it learned, a random move now and then,
because the last games of TICTACTOE are such.

On boards larger than 3x3 hardly any position comes twice in 1,000 episodes, most values are
equal, and the setting `ties` decides. TICTACTOE does not say which of equal moves it takes; only
`first` comes near the wins it reports. They are no learning: `first` fills row after row, and
wins as often where nothing was learned (the experiments ttt-fig13 and ttt-fig14).
"""

from picograve import rng
from picograve.baselines import episodes
from picograve.budget import Ledger
from picograve.config import scaled
from picograve.errors import BadInput
from picograve.figures import report
from picograve.games import rules_of
from picograve.kernel import ITEM_BYTES, group
from picograve.position import Thinker, position_rows

# 1,000 episodes as each player meet 4,000 pairs on 3x3 and up to 99,000 on 10x10. There, a table
# eight times as large won no more games.
DEFAULT_ENTRIES = 32768
MOST_ENTRIES = 2**24
_SPAN = 2 * episodes.WIN  # from a loss to a win


def ledger(game, config, budget):
    """What a budget buys: all its bytes, or its `nodes` as entries of the table."""
    if not game.fingerprint:
        raise BadInput("%s learns by fingerprints, and %s has none" % (config.search, game.name))
    if not game.lists:
        raise BadInput("%s needs a game that lists its moves, not %s" % (config.search, game.name))
    smallest = _ledger_of(game, config, episodes.WINDOW)
    entries = budget.nodes or DEFAULT_ENTRIES
    if budget.bytes is not None:
        if smallest.total_bytes > budget.bytes:
            raise BadInput(
                "%s on %s needs at least %d bytes (%d entries); %d given"
                % (config.search, game.name, smallest.total_bytes, episodes.WINDOW, budget.bytes)
            )
        more = (budget.bytes - smallest.total_bytes) // (ITEM_BYTES["i"] + ITEM_BYTES["H"])
        entries = min(episodes.WINDOW + more, MOST_ENTRIES)
    if not episodes.WINDOW <= entries <= MOST_ENTRIES:
        raise BadInput(
            "%s takes %d to %d entries, not %d"
            % (config.search, episodes.WINDOW, MOST_ENTRIES, entries)
        )
    return _ledger_of(game, config, entries)


def _ledger_of(game, config, entries):
    rows = [
        ("control", "i", episodes.CONTROL),
        ("rng", "i", 2),
        ("dice", "i", 2),
        ("opening", "B", game.state_bytes),
        ("values", "i", game.most_moves),
        ("position", "i", 2),
        ("pair_check", "i", entries),
        ("pair_value", "H", entries),
    ]
    steps = max(1, 2 * config.episodes)
    return Ledger(game, config, position_rows(game) + rows, nodes=entries, playouts=steps)


class Searcher(Thinker):
    """Learns when it first thinks in a game, and then plays as it did while learning."""

    def __init__(self, game, config, budget, seed=1):
        Thinker.__init__(self, game, config, budget.ledger(game, config), seed)
        self._rules = rules_of(game, ("fingerprint",))
        self._buffers = group(self.arrays(
            "control rng opening work moves values position pair_check pair_value"
        ))  # fmt: skip
        control = self.buffers["control"]
        control[episodes.LOOKS_FOR_BEST] = config.search == "qlearning"
        control[episodes.ALPHA] = scaled(config.alpha, 32768)
        control[episodes.GAMMA] = scaled(config.gamma, 32768)
        control[episodes.WANDER] = scaled(config.wander, 32768)
        control[episodes.TAKES_FIRST] = config.ties == "first"
        control[episodes.ROW], control[episodes.SPARE] = game.numbering
        control[episodes.HOMES] = self.ledger.nodes - episodes.WINDOW + 1
        game.reset(self.buffers["opening"])
        game.reset(self.buffers["work"])  # `copy` need not write what no move changes
        self.new_game()

    def new_game(self):
        """The first position; nothing learned."""
        Thinker.new_game(self)
        episodes.clear(self._buffers, self.ledger.nodes)
        rng.start(self.buffers["rng"], self.seed)
        self._done_before = 0

    def _done(self):
        return int(self.buffers["control"][episodes.DONE])

    def start(self):
        """Begin to think about the position; in a new game, to learn."""
        self._refuse_if_over()
        self._done_before = self._done()

    def run(self, steps):
        """Up to so many episodes more; returns how many, 0 when all have been learned from."""
        steps = min(steps, 2 * self.config.episodes - self._done())
        episodes.run(self._buffers, self._rules, steps)
        return steps

    def _face(self):
        """The playable moves; they and their values lie in the buffers."""
        playable = self._list_playable()
        for i, move in enumerate(playable):
            self.buffers["moves"][i] = move
        self.game.fingerprint(self.buffers["root"], self.buffers["position"])
        episodes.recall(self._buffers, len(playable))
        return playable

    def _root_moves(self):
        """(move, weight, points), the largest Q first: -100 is no points, 100 is all."""
        ranked = []
        for place, move in enumerate(self._face()):
            above_loss = int(self.buffers["values"][place]) - episodes.ZERO + episodes.WIN
            ranked.append((move, _SPAN, 2 * min(max(above_loss, 0), _SPAN)))
        ranked.sort(key=lambda entry: (-entry[2], entry[0]))
        return ranked

    def _choose(self):
        count = len(self._face())
        control, moves, values, dice = self.arrays("control moves values dice")
        rng.start(dice, self._seed_here())
        return episodes.choose(control, moves, values, count, dice)

    def result(self, whole=True):
        """The move that the learner would make now, wandering as it did while learning."""
        ranked = self._root_moves()
        chosen = self._choose()
        weight, points = next((w, p) for move, w, p in ranked if move == chosen)
        control = self.buffers["control"]
        return report(
            {self.game.text(move): w for move, w, _ in ranked} if whole else None,
            move=self.game.text(chosen),
            points=points,
            weight=weight,
            scale=self.scale,
            playouts=self._done() - self._done_before,
            playouts_saved=0,
            nodes_used=int(control[episodes.USED]),
            nodes_recycled=int(control[episodes.EVICTED]),
            bytes=self.ledger.total_bytes,
            tree_hash=self.tree_hash() if whole else None,
        )

    def tree_hash(self):
        """16 hexadecimal digits that depend on all that was learned."""
        check, value, out = self.arrays("pair_check pair_value position")
        episodes.hash_table(check, value, self.ledger.nodes, out)
        return "%08x%08x" % (out[0], out[1])
