"""The settings of searches: one row each. Whatever knows a setting follows from here.

A row has four entries: a name, the paper's default, and the least and the most that it takes,
or, of a text, its choices in one text and None; where these are None as well, the game decides.
All rows are one flat tuple, because a tuple for each took 500 bytes more of a chip's RAM. The
comment above a row says who uses the setting, then what it does: it takes no RAM at all, and
described() reads it for refusals, --help and SETTINGS.md. The words before the colon are of
config.py's table of users, or name the parts of a search whose files have the setting in USES. To
add a setting, add a row here with its comment.

PAPER: A. Rautureau, T. Cazenave, E. Piette, "Generalized Rapid Action Value Estimation in
Memory-Constrained Environments", section 4. METAHEURISTICS: J. Mańdziuk, P. Walczak, "Monte
Carlo Tree Search with Metaheuristics", section 3.3 (rave_k, switch, depth). TICTACTOE: A. B.
Ali, "NxN Tic-Tac-Toe with Monte Carlo Tree Search" (episodes, alpha, gamma, wander). COMPARISON:
P. Guba, J. Gemrot, "Comparison of Monte Carlo Tree Search Variants" (variant, and all after it).
"""

from sys import implementation

# fmt: off
SETTINGS: tuple = (
    # trees: all playouts of a search
    "playouts", None, 1, 2**30 - 1,
    # trees: or iterations of the top level
    "playouts_top", None, 1, 2**30 - 1,
    # two levels: ... and playouts of each second-level search
    "playouts_second", None, 1, 2**30 - 1,
    # GRAVE and HRAVE: weight of AMAF
    "bias", 0.01, 0.001, 1,
    # GRAVE: visits that make a reference node
    "ref", 25, 0, 19999,
    # UCT and RAVE: the constant C of UCB1
    "exploration", 0.7071067811865476, 0, 1.4142135623730951,
    # GRAVE and HRAVE: one in so many visits takes the least visited move, which they can overlook
    # for good otherwise; 0: none
    "explore", 0, 0, 19999,
    # GRAVE and HRAVE: a move counts as if it had won one game more in so many visits of its parent,
    # at least 8, so that one given up early is looked at again; 0: as it is
    "hope", 0, 0, 19999,
    # two levels: the second level's share of the nodes
    "share", 0.5, 0.0001, 0.9999,
    # GRAVE and HRAVE with two levels: forward sharing, the second level may use the top path's AMAF
    # tables
    "sharing", True, 0, 1,
    # recycling with two levels: where nodes are recycled
    "recycling", "both", "top second both", None,
    # trees and policy: uniform, mast, one of the game's heuristics or scripts (E, NOKAV ...), a set
    # that the game knows (all, top3), or several joined by +, one of which makes each playout
    "playout_policy", "mast", None, None,
    # playout policy mast: share of random moves
    "epsilon", 0.4, 0, 1,
    # playout policy mast: weight kept between the turns of a game
    "decay", 0.2, 0, 1,
    # many AMAF tables: visits after which a node gets an AMAF table; 0: at once
    "table_after", 0, 0, 19999,
    # many AMAF tables: lean tables, one for so many nodes, which goes to those that are visited
    # most; a node then asks for one at each multiple of table_after. 0: as many as nodes
    "lean", 0, 0, 10000,
    # many AMAF tables: so many lean tables count in 16 bits, the others in 8
    "wide_tables", 0, 0, 65534,
    # many AMAF tables: weight of what a new lean table takes over from its reference
    "inherit", 16, 0, 127,
    # searches with AMAF: share of the moves of a playout, from the root on, that count in tables;
    # 0: as the game says
    "amaf_span", 1.0, 0, 1,
    # trees: visits of a node before it gets children
    "expand_after", 0, 0, 19999,
    # recycling: take the least recently used node, or sweep the least visited quarter at once
    "recycle_by", "lru", "lru sweep", None,
    # GRAVE and HRAVE: visits at which what the game thinks of a move beforehand no longer counts;
    # 0: never
    "prior", 0, 0, 19999,
    # GRAVE and HRAVE: which of the game's priors count: all, none, or some of their names joined
    # by +
    "priors", "all", None, None,
    # playout policy reply: which of the game's replies are played: all, none, or some of their
    # names joined by +
    "replies", "all", None, None,
    # playout policy reply: end a playout when the game says that it is decided
    "mercy", True, 0, 1,
    # two levels: playouts after which a second-level search may stop early; 0: never
    "early_after", 0, 0, 2**30 - 1,
    # two levels: it stops when its mean is so close to 0 (hopeless) or 1 (decided)
    "early_margin", 0.05, 0, 0.4999,
    # trees: keep the part of the tree below the moves played
    "reuse", False, 0, 1,
    # RAVE: visits at which a move's own mean and AMAF's weigh the same
    "rave_k", 1000, 1, 100000,
    # several playout policies: the constant b of switching between them
    "switch", 4.0, 0, 100,
    # alphabeta: plies it looks ahead, deepening one by one
    "depth", 10, 1, 32,
    # alphabeta: plies beyond its depth in which it looks at captures and the like, where the game
    # knows them
    "quiet", 8, 0, 16,
    # alphabeta: positions after which it stops
    "positions", 100000, 1, 2**30 - 1,
    # sarsa and qlearning: games learned from, as each player
    "episodes", 1000, 0, 2**30 - 1,
    # sarsa and qlearning: rate of learning
    "alpha", 0.5, 0, 1,
    # sarsa and qlearning: discount
    "gamma", 0.9, 0, 1,
    # sarsa and qlearning: share of random moves, epsilon in TICTACTOE
    "wander", 0.1, 0, 1,
    # sarsa and qlearning: which of the moves of equal value they take
    "ties", "random", "random first", None,
    # trees: what a playout is worth, a rule of mcts/reward
    "reward", "outcome", None, None,
    # UCT and TUNED: all parts of a variant in COMPARISON at once, as it chose them for chess: the
    # final move by mean, C = 1, uniform playouts, and its own; each can be set besides
    "variant", "none", "none uct sr-cr voi ucb1-tuned sigmoid rb qb rqb hp fap wp", None,
    # trees: how the root of the top level chooses: as the tree does, by SR+CR (epsilon, ucb-sqrt)
    # or by VOI
    "root_policy", "tree", "tree epsilon ucb-sqrt voi", None,
    # root policy epsilon: how often it takes the best move, else any other
    "root_epsilon", 0.75, 0, 1,
    # trees: play the move with the most visits or with the best mean
    "final", "visits", "visits mean", None,
    # UCT: count a playout once, or the more the later it comes (FAP); FAP needs `playouts`
    "backup", "plain", "plain fap", None,
    # backup fap: segments of a search, whose playouts count alike
    "fap_segments", 100, 1, 100,
    # backup fap: segments are of equal length (linear), or each is as long as all before it
    "fap_lengths", "exponential", "linear exponential", None,
    # backup fap: a playout of segment s counts s times (linear) or 2**(s - 1) times
    "fap_factors", "linear", "linear exponential", None,
    # rewards sigmoid, rb, qb and rqb: the constant k of the logistic curve
    "steepness", 1.0, 0.001, 100,
    # rewards rb, qb and rqb: alpha is the covariance divided by the standard deviation, as in
    # COMPARISON's program, or by the variance, as those who invented it have it
    "bonus_by", "deviation", "deviation variance", None,
    # rewards qb and rqb: quality is seen by the first player, as in COMPARISON's program, or by the
    # winner
    "bonus_view", "first", "first winner", None,
    # reward wp: base of the weights that fall from the beginning of a playout on
    "wp_near", 10.0, 0.1, 10,
    # reward wp: base of those that rise towards its end
    "wp_far", 10.0, 0.1, 10,
    # reward wp: number of the first position: 0 as in COMPARISON's program, where it weighs most,
    # or 1 as in its text, where the last one does
    "wp_index", 0, 0, 1,
    # reward wp: count from what the playout's first position is worth
    "wp_relative", False, 0, 1,
    # reward wp: halve the means in UCB1 as for other rewards; COMPARISON's program does not, which
    # halves exploration
    "wp_scaled", False, 0, 1,
    # reward wp: moves after which a playout ends; 0: when the game is over
    "playout_limit", 0, 0, 65535,
)
# fmt: on
# What a preset changes. `uniform` is the paper's search with uniform playouts, which are stronger;
# `strong` is what measured best here within its bytes (host/results): lean tables, and what the
# game knows.
PRESETS: dict[str, dict] = {
    "paper": {},
    "uniform": {"playout_policy": "uniform"},
    "strong": {
        "playout_policy": "reply",
        "prior": 100,
        "lean": 22,
        "table_after": 20,
        "ref": 15,
        "expand_after": 2,
        "amaf_span": 0,
        "recycle_by": "sweep",
        "reuse": True,
        "hope": 400,
    },
}

if implementation.name != "micropython":
    import re
    from pathlib import Path

    _TUNED = {"final": "mean", "playout_policy": "uniform", "expand_after": 0}
    _BASE = dict(_TUNED, exploration=1.0)
    # What a variant changes, after the preset. A chip is told the parts.
    VARIANTS: dict[str, dict] = {
        "none": {},
        "uct": _BASE,
        "sr-cr": dict(_BASE, root_policy="epsilon", root_epsilon=0.75),
        "voi": dict(_BASE, root_policy="voi"),
        "ucb1-tuned": _TUNED,  # and another tree policy
        "sigmoid": dict(_BASE, reward="sigmoid", steepness=1.0),
        "rb": dict(_BASE, reward="rb", steepness=10.0),
        "qb": dict(_BASE, reward="qb", steepness=100.0),
        "rqb": dict(_BASE, reward="rqb", steepness=1.0),
        "hp": dict(_BASE, reward="hp"),
        "fap": dict(_BASE, backup="fap"),
        "wp": dict(_BASE, reward="wp"),
    }

    def described() -> dict[str, tuple[str, str]]:
        """{name: (who uses it, what it does)}: the comments above the rows."""
        text = Path(__file__).read_text("utf-8")
        found = {}
        for lines, name in re.findall(r'((?: +# .*\n)+) +"(\w+)",', text):
            users, _, what = re.sub(r"\s+# ", " ", lines).strip().partition(": ")
            found[name] = users, what
        return found
