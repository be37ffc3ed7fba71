"""A player without a tree: it plays the move that its playout policy would.

R, E and WPC of METAHEURISTICS (config.py) are `policy` with the playout policies uniform, E
and WPC. MAST has nothing to learn from here, and there is nothing to switch by. Where moves have
no list, it plays any, or by one of the game's scripts.
"""

from picograve import rng
from picograve.budget import Ledger
from picograve.errors import BadInput
from picograve.figures import report
from picograve.mcts.playout import guided, policies_of
from picograve.position import Thinker, position_rows

UNIFORM = "uniform"


def ledger(game, config, budget):
    names = policies_of(game, config.playout_policy)
    if len(names) > 1 or names[0] in ("mast", "reply"):
        raise BadInput(
            "policy takes one playout_policy that needs no search, not %s" % config.playout_policy
        )
    if budget.nodes or budget.tables:
        raise BadInput("policy has no tree: give it no nodes and no tables")
    values = 0 if names[0] == UNIFORM else game.most_moves
    rows = position_rows(game) + [("rng", "i", 2), ("values", "i", values)]
    needed = Ledger(game, config, rows, 0, 1)
    if budget.bytes is not None and budget.bytes < needed.total_bytes:
        raise BadInput(
            "policy on %s needs at least %d bytes; %d given"
            % (game.name, needed.total_bytes, budget.bytes)
        )
    return needed


class Searcher(Thinker):
    def __init__(self, game, config, budget, seed=1):
        Thinker.__init__(self, game, config, ledger(game, config, budget), seed)
        name = policies_of(game, config.playout_policy)[0]
        self._script = dict(game.scripts).get(name)
        self._draw = rng.draw
        if not game.lists:
            from picograve.mcts.search import draw_any  # other games need no tree here

            self._draw = draw_any
        self._heuristic = game.heuristics.index(name) if name in game.heuristics else None
        self._done = 0
        self._move = 0
        self.new_game()

    def start(self):
        self._refuse_if_over()
        rng.start(self.buffers["rng"], self._seed_here())
        if self.game.lists:
            playable = self._list_playable()
            for place, move in enumerate(playable):
                self.buffers["moves"][place] = move
            self._count = len(playable)
        else:
            self._count = self._list_moves()
        self._done = 0

    def run(self, steps):
        if self._done or not steps:
            return 0
        # Line by line: a tuple that the build has put in brackets would take heap on a chip.
        root = self.buffers["root"]
        work = self.buffers["work"]
        moves = self.buffers["moves"]
        numbers = self.buffers["rng"]
        if self._script is not None:
            self._move = self._script & (self._count - 1)
        elif self._heuristic is None:
            place = self._draw(numbers, self._count)
            self._move = int(moves[place]) if self.game.lists else place
        else:
            values = self.buffers["values"]
            self.game.appraise(root, work, self._heuristic, moves, self._count, values)
            self._move = guided.pick_best(moves, values, self._count, numbers)
        self._done = 1
        return 1

    def _root_moves(self):
        """The move, with nothing known of its worth."""
        return [(self._move, 1, 1)] if self._done else []

    def result(self, whole=True):
        if not self._done:
            self.run(1)
        text = self.game.text(self._move)
        row, spare = self.game.numbering
        return report(
            {text: 1},
            move=text,
            points=1,
            weight=1,
            scale=self.scale,
            playouts=1,
            playouts_saved=0,
            nodes_used=0,
            nodes_recycled=0,
            bytes=self.ledger.total_bytes,
            tree_hash="%016x" % (self._move + self._move // row * spare) if whole else None,
        )
