"""What a playout is worth: one file for each rule, and the table of them.

Such a file has

    value(buffers, rules, length) -> value
                         a kernel: what the playout that ended in `work`, `length` moves from
                         the root, is worth to the first player: 0 to WIN (picograve.value), or
                         0 to WIDE for a rule by degrees. buffers, rules: mcts/search.py

and, for a rule by degrees, whose values are 0 to WIDE,

    start(config, game)  what the rule keeps in the buffer `reward` from its second place on
                         (the first is the search's): its parameters, and room for more
    reach(config)        its values go 2**reach times beyond a loss and a win, 0 to 6: WIDE then
                         is so many wins, and UCT stretches means (select/ucb.py); none: 0
    count(buffers, value) -> points
                         a kernel, for a rule with a value for each node: instead of totals.py's
    note(buffers, rules, place)
                         a kernel: of a node's position, in `work`, when it becomes the path's
                         node number `place`, from 0
    noted(nodes)         ... and how many numbers it keeps in the buffer `reward` behind the rest
                         for a path of so many nodes at most
    NEEDS                what it asks of a game: names of kernels such as evaluate
    USES                 its settings (settings.py)
    play(buffers, rules, argument), argument(game, name, config)
                         for a rule that looks at the positions on the way: uniform playouts of
                         its own, move by move (mcts/playout has the signatures)

totals.py counts values by degrees, bonus.py is what rb, qb and rqb share. To add a rule: the file,
a line here.
"""

# name: (module, whether it rewards by degrees)
REWARD = {
    "outcome": ("picograve.mcts.reward.outcome", False),
    "sigmoid": ("picograve.mcts.reward.sigmoid", True),
    "rb": ("picograve.mcts.reward.rb", True),
    "qb": ("picograve.mcts.reward.qb", True),
    "rqb": ("picograve.mcts.reward.rqb", True),
    "hp": ("picograve.mcts.reward.hp", True),
    "wp": ("picograve.mcts.reward.wp", True),
}
