"""Playout policies by name: what a playout follows, for both players.

`uniform`, `mast` (mast.py), or one of the game's heuristics (guided.py). Several are switched
between (switching.py). The kernels know a policy by its code.
"""

from picograve.errors import BadInput

UNIFORM, MAST, HEURISTIC = 0, 1, 2  # codes; those of heuristics are from HEURISTIC on
SWITCHING = 4  # numbers that switching.py keeps of a policy


def policies_of(game, text):
    """The names of the policies in a setting such as mast, Mp+Md or top3."""
    known = ("uniform", "mast") + game.heuristics
    sets = dict(game.strategies)
    names = []
    for word in text.split("+"):
        names.extend(sets.get(word, (word,)))
    for name in names:
        if name not in known or names.count(name) > 1:
            choices = ", ".join(known + tuple(sets))
            raise BadInput(
                "playout_policy on %s is one of %s, or several joined by +, not %s"
                % (game.name, choices, text)
            )
    return tuple(names)


def code_of(game, name):
    """The number of a policy."""
    if name in ("uniform", "mast"):
        return UNIFORM if name == "uniform" else MAST
    return HEURISTIC + game.heuristics.index(name)
