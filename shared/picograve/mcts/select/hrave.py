"""HRAVE's choice: GRAVE's, with the root as the only reference (C. Sironi, M. Winands, "Comparison
of Rapid Action Value Estimation Variants for General Game Playing"). Only roots have AMAF tables,
so a node takes 14 bytes, with LRU links 18. In a second level with forward sharing the reference is
the top level's root.
"""

from picograve.kernel import int, micropython
from picograve.mcts.select.grave import parameters as parameters_of
from picograve.mcts.select.grave import select as select_by

USES = ("bias", "explore", "hope", "sharing", "prior", "priors")


def parameters(config):
    return parameters_of(config)


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    return int(select_by(buffers, node, reference, player, count, start, grows))
