"""How a playout counts in the nodes of its path: once, as mcts/tree.py does by itself (plain), or
by one of these, one file for each.

Such a file has

    start(config, game)  what it keeps in the buffer `reward` from its second place on
    count(buffers, points) -> points
                         a kernel: called before a playout of so many points is backed up
    select, parameters, USES
                         a tree policy of its own (mcts/select): UCB1 by what it counts

Nodes then have weights besides (mcts/tree.py). To add one: the file, a line here.
"""

BACKUP = {
    "fap": "picograve.mcts.backup.fap",
}
