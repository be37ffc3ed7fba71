"""A choice that explores nothing: a move without a node, then the best mean."""

from picograve.kernel import const, int, micropython, ptr16
from picograve.mcts.select.least import least
from picograve.mcts.tree import value_of

_TREE = const(17)  # = picograve.mcts.search._TREE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW

USES = ("exploration",)  # it has none to speak of, and takes it all the same


def parameters(config):
    return ()


@micropython.viper
def select(
    buffers, node: int, reference: int, player: int, count: int, start: int, grows: int
) -> int:
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    k = int(ptr16(tree[_CHILD])[node])
    if grows != 0 or k == _NONE:
        choice = int(least(buffers, node, count, start))
        if choice >= _NEW:
            return choice
    best = k
    top = 0
    while k != _NONE:
        mean = int(value_of(tree, k)) // int(visits[k])
        if mean > top:
            best = k
            top = mean
        k = int(sibling[k])
    return best
