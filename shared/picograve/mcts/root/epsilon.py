"""Epsilon-greedy at the root: the best mean with the probability epsilon, else any other move, each
as likely, whether it has a node yet or not. So a root need not be complete first. Where moves are
nested (picograve.games), it then is the next one in their order.
"""

from picograve.config import scaled
from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.means import best_mean
from picograve.mcts.search import draw_any
from picograve.mcts.select.least import untried
from picograve.rng import draw

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_RNG = const(1)  # = picograve.mcts.search._RNG
_MOVES = const(7)  # = picograve.mcts.search._MOVES
_TREE = const(17)  # = picograve.mcts.search._TREE
_KIND = const(9)  # = picograve.mcts.search.KIND
_UNLISTED = const(3)  # = picograve.games.UNLISTED
_NESTED = const(4)  # = picograve.games.NESTED
_EPSILON = const(34)
_CHILD = const(2)  # = picograve.mcts.tree._CHILD
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_ALWAYS = const(32768)  # epsilon 1

USES = ("root_epsilon",)


def parameters(config):
    """Epsilon with 15 binary places."""
    return (scaled(config.root_epsilon, _ALWAYS),)


@micropython.viper
def choose(buffers, node: int, count: int, start: int, grows: int) -> int:
    # The random `start` is one of the moves; who has to leave out the best one draws again.
    m = ptr16(buffers[_MOVES])
    tree = buffers[_TREE]
    move = ptr16(tree[_MOVE])
    sibling = ptr16(tree[_SIBLING])
    kind = int(ptr32(buffers[_CONTROL])[_KIND])
    listed = int(kind < _UNLISTED)
    best = int(best_mean(tree, node))
    place = start
    if best != _NONE:
        epsilon = int(ptr32(buffers[_CONTROL])[_EPSILON])
        if count == 1 or int(draw(buffers[_RNG], _ALWAYS)) < epsilon:
            return best
        place = int(draw_any(buffers[_RNG], count - 1))
        at = int(move[best])
        if listed != 0:
            at = 0
            while m[at] != move[best]:
                at += 1
        if place >= at:
            place += 1
    number = place
    if listed != 0:
        number = int(m[place])
    k = int(ptr16(tree[_CHILD])[node])
    while k != _NONE and move[k] != number:
        k = int(sibling[k])
    if k != _NONE:
        return k
    if best != _NONE and grows == 0:
        return best
    if kind == _NESTED:
        return int(untried(tree, node, count, start, 1))
    return _NEW + number
