"""Choice of a move in the tree: one file for each policy, and the table of them.

Such a file has

    parameters(config)   whole numbers that the kernel finds in `control` from SELECT on
    select(buffers, node, reference, player, count, start, grows) -> choice
                         a kernel: which of `count` moves at `node`? A child's node, or _NEW
                         and the number of a move without a node. `reference` is the node
                         whose AMAF table counts, `player` moves, ties go to the earlier move
                         counted from the random `start`, `grows` is 0 if no node can be
                         added. buffers: mcts/search.py
    USES                 its settings (settings.py): those of `parameters`; ref and sharing if it
                         reads `reference`; explore if `least` may take its turn now and then

To add one: the file, a line here. Its name becomes a search, with r and 2 behind it, too.
They share ucb.py, what UCB1 is made of, and least.py, the least visited move.
"""

MANY = 1  # AMAF tables: of any node that is visited enough
ROOTS = 2  # ... of roots only

# name: (module, whose AMAF tables it reads; 0: it reads none,
#        nodes of a search with one level, two levels, recycling, both: where it holds its own
#        against GRAVE with 10,000 playouts in PAPER (config.py), sections 4.1 to 4.3. UCTR2 is
#        not in PAPER and gets what UCT2 needs, RAVE and HRAVE what GRAVE does, UCB1-Tuned what
#        UCT does.)
SELECT = {
    "grave": ("picograve.mcts.select.grave", MANY, (10000, 200, 1536, 160)),
    "hrave": ("picograve.mcts.select.hrave", ROOTS, (10000, 200, 1536, 160)),
    "rave": ("picograve.mcts.select.rave", MANY, (10000, 200, 1536, 160)),
    "tuned": ("picograve.mcts.select.ucb1_tuned", 0, (10000, 440, 1536, 440)),
    "uct": ("picograve.mcts.select.uct", 0, (10000, 440, 1536, 440)),
}
