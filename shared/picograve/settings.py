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
Ali, "NxN Tic-Tac-Toe with Monte Carlo Tree Search" (episodes, alpha, gamma, wander).
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
    # GRAVE: weight of AMAF
    "bias", 0.01, 0.001, 1,
    # GRAVE: visits that make a reference node
    "ref", 25, 0, 19999,
    # UCT and RAVE: the constant C
    "exploration", 0.7071067811865476, 0, 1.4142135623730951,
    # GRAVE: one in so many visits takes the least visited move, which it can overlook for good
    # otherwise; 0: none
    "explore", 0, 0, 19999,
    # two levels: the second level's share of the nodes
    "share", 0.5, 0.0001, 0.9999,
    # GRAVE with two levels: forward sharing, the second level may use the top path's AMAF tables
    "sharing", True, 0, 1,
    # recycling with two levels: where nodes are recycled
    "recycling", "both", "top second both", None,
    # trees and policy: uniform, mast, one of the game's heuristics (E, Mp ...), a set that the
    # game knows (all, top3), or several joined by +, one of which makes each playout
    "playout_policy", "mast", None, None,
    # playout policy mast: share of random moves
    "epsilon", 0.4, 0, 1,
    # playout policy mast: weight kept between the turns of a game
    "decay", 0.2, 0, 1,
    # searches with AMAF: visits after which a node gets an AMAF table; 0: at once
    "table_after", 0, 0, 19999,
    # searches with AMAF: lean tables, one for so many nodes, which goes to those that are visited
    # most; a node then asks for one at each multiple of table_after. 0: as many as nodes
    "lean", 0, 0, 10000,
    # searches with AMAF: so many lean tables count in 16 bits, the others in 8
    "wide_tables", 0, 0, 65534,
    # searches with AMAF: weight of what a new lean table takes over from its reference
    "inherit", 16, 0, 127,
    # trees: visits of a node before it gets children
    "expand_after", 0, 0, 19999,
    # recycling: take the least recently used node, or sweep the least visited quarter at once
    "recycle_by", "lru", "lru sweep", None,
    # GRAVE: visits at which what the game thinks of a move beforehand no longer counts; 0: never
    "prior", 0, 0, 19999,
    # GRAVE: which of the game's priors count: all, none, or some of their names joined by +
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
        "recycle_by": "sweep",
    },
}

if implementation.name != "micropython":
    import re
    from pathlib import Path

    def described() -> dict[str, tuple[str, str]]:
        """{name: (who uses it, what it does)}: the comments above the rows."""
        text = Path(__file__).read_text("utf-8")
        found = {}
        for lines, name in re.findall(r'((?: +# .*\n)+) +"(\w+)",', text):
            users, _, what = re.sub(r"\s+# ", " ", lines).strip().partition(": ")
            found[name] = users, what
        return found
