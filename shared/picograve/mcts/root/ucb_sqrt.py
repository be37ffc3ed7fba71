"""UCB-sqrt at the root: as UCB1, but with the square root of the visits where that has their
logarithm, so that it explores more.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.means import mean_of
from picograve.mcts.select.least import new_move
from picograve.mcts.select.ucb import square_root

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_TREE = const(17)  # = picograve.mcts.search._TREE
_REACH = const(33)  # = picograve.mcts.search.ROOT_CHOICE
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_FINE = const(2)  # from 11 binary places to a mean's 13
_FARTHEST = const(46340)  # whose square has 31 bits


def parameters(config):
    return ()


@micropython.viper
def choose(buffers, node: int, count: int, start: int, grows: int) -> int:
    # A move without a node, if there is one and the tree may grow; else the child with the largest
    # mean + sqrt(sqrt(visits) / child's visits). The outer root has 11 binary places, its square
    # 22: sqrt(20,000) * 2**22 still fits. As in uct.py, roots are taken for new leaders only.
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    reach = int(ptr32(buffers[_CONTROL])[_REACH])
    first = int(ptr16(tree[_CHILD])[node])
    if grows != 0 or first == _NONE:
        choice = int(new_move(buffers, node, count, start))
        if choice != _NONE:
            return choice
    spread = int(square_root(int(visits[node]) << 16)) << 14
    best = first
    value = 0
    k = first
    while k != _NONE:
        mean = int(mean_of(tree, k, reach))
        square = spread // int(visits[k])
        lack = value - mean
        need = (lack >> _FINE) + 1  # of the root, with 11 places
        if k == first or lack < 0 or (need < _FARTHEST and need * need <= square):
            best = k
            value = mean + (int(square_root(square)) << _FINE)
        k = int(sibling[k])
    return best
