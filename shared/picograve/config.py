"""Which search, with which settings: names composed from a few parts.

Names of tree searches are a tree policy (grave, rave or uct), with `r` where the least
recently used node is recycled when a pool is full, and `2` for a search in two levels. The
others have no such tree: `policy` plays the move that its playout policy would, `alphabeta`
looks ahead, `sarsa` and `qlearning` have learned. PAPER names the source: A. Rautureau,
T. Cazenave, E. Piette, "Generalized Rapid Action Value Estimation in Memory-Constrained
Environments"; METAHEURISTICS is J. Mańdziuk, P. Walczak, "Monte Carlo Tree Search with
Metaheuristics"; TICTACTOE is A. B. Ali, "NxN Tic-Tac-Toe with Monte Carlo Tree Search".
"""

from picograve.errors import BadInput

TREE_SEARCHES = (
    "grave", "grave2", "graver", "graver2",
    "rave", "rave2", "raver", "raver2",
    "uct", "uct2", "uctr", "uctr2",
)  # fmt: skip
LEARNERS = ("sarsa", "qlearning")
SEARCHES = TREE_SEARCHES + ("policy", "alphabeta") + LEARNERS
RECYCLING = ("top", "second", "both")
TIES = ("random", "first")

# The size at which each search holds its own against GRAVE with 10,000 playouts in PAPER
# (sections 4.1 to 4.3), for those who name none: nodes; recycling searches of one level
# make ONE_LEVEL_PLAYOUTS. UCTR2 is not in PAPER and gets what UCT2 needs, RAVE what GRAVE does.
DEFAULT_NODES = {
    "grave": 10000,
    "grave2": 200,
    "graver": 1536,
    "graver2": 160,
    "rave": 10000,
    "rave2": 200,
    "raver": 1536,
    "raver2": 160,
    "uct": 10000,
    "uct2": 440,
    "uctr": 1536,
    "uctr2": 440,
}
ONE_LEVEL_PLAYOUTS = 10000
DEEPEST = 32  # plies of alpha-beta: a position each is kept
TOP_RATIO = 2  # P_top / N_top of a recycling top level: N = 160, P_top = 160 in PAPER 4.3

# PAPER section 4: bias 10**-2, reference threshold 25, C = sqrt(2)/2, lambda 1/2; playouts
# guided by MAST, a random move with probability 0.4, statistics times 0.2 between turns.
# METAHEURISTICS section 3.3: k = 1000 in RAVE, b = 4 in switching, depth 10 of alpha-beta; the
# limit of positions is ours. TICTACTOE: alpha 0.5, gamma 0.9, epsilon 0.1, 1,000 episodes.
PAPER = {
    "bias": 0.01,
    "ref": 25,
    "exploration": 0.5**0.5,
    "explore": 0,
    "share": 0.5,
    "sharing": True,
    "recycling": "both",
    "playout_policy": "mast",
    "epsilon": 0.4,
    "decay": 0.2,
    "table_after": 0,
    "early_after": 0,
    "early_margin": 0.05,
    "reuse": False,
    "rave_k": 1000,
    "switch": 4.0,
    "depth": 10,
    "positions": 100000,
    "episodes": 1000,
    "alpha": 0.5,
    "gamma": 0.9,
    "wander": 0.1,
    "ties": "random",
}
# What measured best here (README, "Strength"): uniform playouts.
STRONG = dict(PAPER, playout_policy="uniform")
PRESETS = {"paper": PAPER, "strong": STRONG}


class Config:
    """A search and its settings. Settings not given come from the preset.

    playouts         all playouts of a search; or, with two levels,
    playouts_top     iterations of the top level and
    playouts_second  playouts of each second-level search
    share            lambda: the second level's share of the nodes
    sharing          forward sharing: the second level may use the top path's AMAF tables
    recycling        where a recycling search of two levels recycles: top, second or both
    bias, ref        GRAVE: weight of AMAF, visits that make a reference node
    explore          GRAVE: one in so many visits takes the least visited move; 0: none, as
                     in the paper, which can overlook a move for good
    exploration      UCT and RAVE: the constant C
    rave_k           RAVE: visits at which a move's own mean and AMAF's weigh the same
    playout_policy   uniform, or mast with epsilon (share of random moves) and decay (weight
                     kept between the turns of a game), or one of the game's heuristics
                     (E, Mp ...); several joined by + are switched between, one a playout;
                     `all` and `top3` stand for sets that the game knows
    switch           the constant b of that switching
    table_after      GRAVE, RAVE: visits after which a node gets an AMAF table; 0: at once
    early_after      playouts after which a second-level search may stop early; 0: never.
    early_margin     It stops when its mean is so close to 0 (hopeless) or 1 (decided).
    reuse            keep the part of the tree below the moves played
    depth            alphabeta: plies it looks ahead, deepening one by one until it has seen
    positions        so many positions
    episodes         sarsa, qlearning: games learned from, as each player, with the rate
    alpha, gamma     alpha and the discount gamma;
    wander           share of random moves, epsilon in TICTACTOE
    ties             which of the moves of equal value they take: random, or the first
    """

    def __init__(self, search="graver2", preset="strong", playouts=None, playouts_top=None,
                 playouts_second=None, **settings):  # fmt: skip
        if search not in SEARCHES:
            raise BadInput("no search called %s; there are %s" % (search, ", ".join(SEARCHES)))
        if preset not in PRESETS:
            raise BadInput("no preset called %s; there are %s" % (preset, ", ".join(PRESETS)))
        for name in settings:
            if name not in PAPER:
                raise BadInput("no setting called %s; there are %s" % (name, ", ".join(PAPER)))
        self.search = search
        self.preset = preset
        self.playouts = playouts
        self.playouts_top = playouts_top
        self.playouts_second = playouts_second
        for name, value in PRESETS[preset].items():
            setattr(self, name, settings.get(name, value))
        self.has_tree = search in TREE_SEARCHES
        self.uses_grave = search.startswith("grave")
        self.uses_rave = search.startswith("rave")
        self.two_levels = search.endswith("2")
        recycles = self.has_tree and search.rstrip("2").endswith("r")
        self.recycles_top = recycles and (not self.two_levels or self.recycling != "second")
        self.recycles_second = recycles and self.two_levels and self.recycling != "top"
        self._check()

    def _check(self):
        for name in ("playouts", "playouts_top", "playouts_second"):
            value = getattr(self, name)
            _need(value is None or 1 <= value < 2**30, name, value, "1 or more")
        if self.playouts is not None and (self.playouts_top or self.playouts_second):
            raise BadInput("give playouts, or playouts_top and playouts_second, not both")
        if not self.two_levels and self.playouts_second is not None:
            raise BadInput("%s has one level: give playouts" % self.search)
        if not self.has_tree and (self.playouts or self.playouts_top):
            raise BadInput("%s makes no playouts: leave playouts out" % self.search)
        _need(0 < self.share < 1, "lambda", self.share, "between 0 and 1, both excluded")
        _need(0.001 <= self.bias <= 1, "bias", self.bias, "0.001 to 1")
        _need(0 <= self.ref < 20000, "ref", self.ref, "0 to 19999")
        _need(
            self.explore == 0 or 2 <= self.explore < 20000,
            "explore",
            self.explore,
            "0 or 2 to 19999",
        )
        _need(0 <= self.exploration <= 2**0.5, "exploration", self.exploration, "0 to 1.414")
        _need(0 <= self.epsilon <= 1, "epsilon", self.epsilon, "0 to 1")
        _need(0 <= self.decay <= 1, "decay", self.decay, "0 to 1")
        _need(0 <= self.table_after < 20000, "table_after", self.table_after, "0 to 19999")
        _need(0 <= self.early_after < 2**30, "early_after", self.early_after, "0 or more")
        _need(0 <= self.early_margin < 0.5, "early_margin", self.early_margin, "0 to 0.49")
        _need(1 <= self.rave_k <= 100000, "rave_k", self.rave_k, "1 to 100000")
        _need(0 <= self.switch <= 100, "switch", self.switch, "0 to 100")
        _need(1 <= self.depth <= DEEPEST, "depth", self.depth, "1 to %d" % DEEPEST)
        _need(1 <= self.positions < 2**30, "positions", self.positions, "1 or more")
        _need(0 <= self.episodes < 2**30, "episodes", self.episodes, "0 or more")
        for name in ("alpha", "gamma", "wander"):
            value = getattr(self, name)
            _need(0 <= value <= 1, name, value, "0 to 1")
        _need(self.ties in TIES, "ties", self.ties, " or ".join(TIES))
        _need(self.recycling in RECYCLING, "recycling", self.recycling, " or ".join(RECYCLING))


def scaled(value, by):
    """value * by, rounded; four decimals of value count. In whole numbers, because a chip's
    short floats would round some products to another side than a desktop's."""
    return (round(value * 10000) * by + 5000) // 10000


def _need(holds, name, value, wanted):
    if not holds:
        raise BadInput("%s must be %s, not %s" % (name, wanted, value))
