"""The parts of a search: its files, found by the tables of select/, playout/, reward/, root/ and
backup/.

A chip loads only what the search wants, so nothing is imported before it is asked for here.
"""

from picograve.errors import BadInput
from picograve.kernel import RUNTIME
from picograve.mcts.backup import BACKUP
from picograve.mcts.playout import module_name, policies_of
from picograve.mcts.reward import REWARD
from picograve.mcts.root import ROOT
from picograve.mcts.select import MANY, SELECT
from picograve.mcts.tree import SQUARES, TOTALS, WEIGHTS

if RUNTIME != "micropython":
    from picograve.mcts.playout import KEPT, SCRATCH


def module(name):
    """The module of a dotted name."""
    found = __import__(name)
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


class Parts:
    """The modules of a search of a game, and what follows from them."""

    least = switching = totals = lean = sweep = root = means = count = None
    kept = 0  # what nodes keep besides visits and points, as tree.py knows it
    reach = 0  # how far rewards go beyond a loss and a win: 2**reach times

    def __init__(self, game, config):
        self.policies = policies_of(game, config.playout_policy)
        name, self.uses_tables, _ = SELECT[config.policy]
        if self.uses_tables and not game.code_count:
            raise BadInput("%s needs moves with codes: %s has none" % (config.search, game.name))
        self.select = module(name)
        explores = config.explore
        if RUNTIME != "micropython":  # a chip is told only what its search uses
            explores = explores and config.uses("explore")
        if explores:
            self.least = module("picograve.mcts.select.least")
        if config.reward not in REWARD:
            raise BadInput("no reward called %s; there are %s" % (config.reward, ", ".join(REWARD)))
        name, self.by_degrees = REWARD[config.reward]
        self.reward = module(name)
        self.reward_start: tuple[int, ...] = ()
        self._find_counts(game, config)
        if config.root_policy != "tree" or config.final == "mean":
            self.means = module("picograve.mcts.means")
        if config.root_policy != "tree":
            self._find_root(config)
        self.playouts = [module(module_name(game, name)) for name in self.policies]
        if hasattr(self.reward, "play"):
            if RUNTIME != "micropython":
                if self.policies != ("uniform",):
                    raise BadInput(
                        "reward %s makes playouts of its own: give playout_policy uniform"
                        % config.reward
                    )
            self.playouts = [self.reward]
        if len(self.policies) > 1:
            self.switching = module("picograve.mcts.playout.switching")
        if config.lean and self.uses_tables == MANY:
            self.lean = module("picograve.mcts.lean")
        if config.recycle_by == "sweep" and (config.recycles_top or config.recycles_second):
            self.sweep = module("picograve.mcts.sweep")
        self.needs = ["codes"]  # kernels of a game besides the five that all have
        self.informed = bool(config.prior and game.prior and "prior" in self.select.USES)
        if self.informed:
            self.needs.append("prior")
        for part in self.playouts + [self.reward]:
            for need in getattr(part, "NEEDS", ()):
                if getattr(game, need) is None:
                    raise BadInput(
                        "reward %s needs a game that can %s, which %s cannot"
                        % (config.reward, need, game.name)
                    )
                self.needs.append(need)
            self.needs.extend(getattr(part, "MAY_USE", ()))
        # Whether moves, and so their answers and priors, depend on the move before.
        self.follows = self.informed or "reply" in self.needs
        self.extended = bool(
            self.follows
            or self.lean
            or config.expand_after
            or (self.uses_tables and config.amaf_span != 1)
        )
        self.parameters = tuple(self.select.parameters(config))
        if self.reach:
            self.parameters += (self.reach,)

    def _find_counts(self, game, config):
        """What nodes count besides visits and points, and who does."""
        if self.by_degrees:
            self.reward_start = (0,) + tuple(self.reward.start(config, game))
            self.kept = TOTALS
            if hasattr(self.reward, "reach"):
                self.reach = self.reward.reach(config)
        if hasattr(self.select, "SQUARES"):
            self.kept += SQUARES
        if self.kept:
            self.totals = module("picograve.mcts.reward.totals")
            self.count = getattr(self.reward, "count", self.totals.count)
        if config.backup != "plain":
            if RUNTIME != "micropython":
                _refuse_backup(self, config)
            self.select = module(BACKUP[config.backup])
            self.count = self.select.count
            self.kept = WEIGHTS
            self.reward_start = (0,) + tuple(self.select.start(config, game))
        if RUNTIME != "micropython":
            if self.reach and not hasattr(self.select, "REACHES"):
                raise BadInput(
                    "reward %s goes beyond a loss and a win: use it with uct, not %s"
                    % (config.reward, config.policy)
                )

    def _find_root(self, config):
        self.root = module(ROOT[config.root_policy])
        if RUNTIME != "micropython":
            if self.reach and hasattr(self.root, "WITHIN"):
                raise BadInput(
                    "reward %s goes beyond a loss and a win: root_policy %s cannot use it"
                    % (config.reward, config.root_policy)
                )

    def noted(self, nodes):
        """How many numbers a reward notes of a path of so many nodes."""
        return self.reward.noted(nodes) if hasattr(self.reward, "noted") else 0

    def having(self, name):
        """Modules of playout policies that define a name."""
        return [part for part in self.playouts if hasattr(part, name)]

    def buffers(self, game):
        """{name: count} of the playout policies' buffers."""
        counts: dict[str, int] = {}
        for part in self.having("rows"):
            if RUNTIME != "micropython":
                _refuse_buffers(part.rows(game), counts)
            for name, count in part.rows(game).items():
                counts[name] = max(count, counts.get(name, 0))
        return counts


if RUNTIME != "micropython":

    def _refuse_backup(parts, config):
        if config.policy != "uct":
            raise BadInput(
                "backup %s is for uct, uct2, uctr and uctr2, not %s"
                % (config.backup, config.search)
            )
        if parts.by_degrees:
            raise BadInput(
                "backup %s counts wins, draws and losses: leave out reward %s"
                % (config.backup, config.reward)
            )

    def _refuse_buffers(wanted, taken):
        for name in wanted:
            if name not in SCRATCH + KEPT:
                choices = ", ".join(SCRATCH + KEPT)
                raise BadInput(
                    "no buffer called %s for a playout policy; there are %s" % (name, choices)
                )
            if name in KEPT and name in taken:
                raise BadInput("two playout policies keep %s: leave one of them out" % name)
