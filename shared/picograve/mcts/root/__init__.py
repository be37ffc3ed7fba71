"""Choice of a move at the root, where the aim is to find the best one and not to win on the way:
one file for each policy, and the table of them. Used at the root of the top level, the tree policy
below. Without any, the tree policy chooses at the root, too.

Such a file has

    parameters(config)   whole numbers that the kernel finds in `control` from ROOT_CHOICE + 1 on;
                         before them is the reach of the rewards (mcts/reward)
    choose(buffers, node, count, start, grows) -> choice
                         a kernel: which of `count` moves at the root `node`? As `select` of
                         mcts/select
    USES                 its settings (settings.py)

SR+CR: D. Tolpin, S. E. Shimony, "MCTS Based on Simple Regret". VOI: N. Hay, S. Russell, D. Tolpin,
S. E. Shimony, "Selecting Computations". To add one: the file, a line here.
"""

ROOT = {
    "epsilon": "picograve.mcts.root.epsilon",
    "ucb-sqrt": "picograve.mcts.root.ucb_sqrt",
    "voi": "picograve.mcts.root.voi",
}
