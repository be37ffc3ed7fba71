"""What a playout follows, for both players: one file for each policy, and the table of them.

Such a file has

    play(buffers, rules, argument) -> length
                         a kernel: from `work` to the end of the game; notes go to the trace
                         from PLY on. buffers, rules: mcts/search.py
    argument(game, name, config)
                         the whole number that play is called with

and, where it needs them,

    rows(game)           {name: count} of the buffers that it wants. Scratch, which every policy
                         of a search may write in a playout: trial (B), values (i). Kept, and one
                         policy's alone: mast_stats (H), mast_order (H), learned (i)
    learn(buffers, length, points)
                         a kernel, called after every playout, which was worth so many points
                         (0 to WIN) to the first player
    USES                 its settings (settings.py)
    new_game(searcher), next_move(searcher)
                         what is forgotten when a game, and when the search of a later move begins

    NEEDS, MAY_USE       names of a game's kernels: that it must have, that help where it has them

`reply` (mcts/playout/reply.py) on a game without a reply is `uniform`.
`play` alone (mcts/playout/guided.py) follows any heuristic of the game, and in a game without a
list any of its scripts (scripted.py). Several policies are switched between (switching.py). To add
one: the file, a line here.
"""

from picograve.errors import BadInput

# name: (module, whether it knows moves by their codes)
PLAYOUT = {
    "uniform": ("picograve.mcts.playout.uniform", False),
    "mast": ("picograve.mcts.playout.mast", True),
    "reply": ("picograve.mcts.playout.reply", False),
}
GUIDED = "picograve.mcts.playout.guided"  # for heuristics of the game
SCRIPTED = "picograve.mcts.playout.scripted"  # for its scripts
SCRATCH = ("trial", "values")
KEPT = ("mast_stats", "mast_order", "learned")
SWITCHING = 4  # numbers that switching.py keeps of a policy
MOST_POLICIES = 8  # to switch between


def policies_of(game, text):
    """The names of the policies in a setting such as mast, Mp+Md or top3."""
    known = tuple(n for n in PLAYOUT if game.code_count or not PLAYOUT[n][1]) + game.heuristics
    known += tuple(name for name, _ in game.scripts)
    sets = dict(game.strategies)
    names = []
    for word in text.split("+"):
        if word == "reply" and game.reply is None:
            word = "uniform"
        names.extend(sets.get(word, (word,)))
    for name in names:
        if name not in known or names.count(name) > 1 or len(names) > MOST_POLICIES:
            choices = ", ".join(known + tuple(sets))
            raise BadInput(
                "playout_policy on %s is one of %s, or several joined by +, not %s"
                % (game.name, choices, text)
            )
    return tuple(names)


def module_name(game, name):
    """Of the file that a policy is in."""
    if name in PLAYOUT:
        return PLAYOUT[name][0]
    return GUIDED if name in game.heuristics else SCRIPTED
