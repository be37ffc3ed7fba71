"""What a playout is worth: one file for each rule, and the table of them.

Such a file has

    value(buffers, rules, length) -> value
                         a kernel: what the playout that ended in `work`, `length` moves from
                         the root, is worth to the first player: 0 to WIN (picograve.value), or
                         0 to WIDE for a rule by degrees. buffers, rules: mcts/search.py

and, for a rule by degrees, whose values are 0 to WIDE,

    start(config, game)  what the rule keeps in the buffer `reward` from its second place on
                         (the first is the search's): its parameters, and room for more
    NEEDS                what it asks of a game: names of kernels such as evaluate
    USES                 its settings (settings.py)
    play(buffers, rules, argument), argument(game, name, config)
                         for a rule that looks at the positions on the way: uniform playouts of
                         its own, move by move (mcts/playout has the signatures)

totals.py counts values by degrees. To add a rule: the file, a line here.
"""

# name: (module, whether it rewards by degrees)
REWARD = {
    "outcome": ("picograve.mcts.reward.outcome", False),
}
