"""The pool of nodes as a picture, for whoever watches a search: a byte for each node, and between
two looks only what has changed.

    0         a free node
    16 to 127 a node of the tree: 16 * (1 + age) + size. Its age is its place in the LRU list, from
              0, just used, to OLDEST, the next to go (0 where there is no list); its size is the
              number of binary digits of its visits, 0 to 15
    NEW more  it has become another node since the last look

What is sent is those bytes of the nodes from 0 on, with numbers 1 to 15 for as many nodes that are
as they were; after the last byte nothing has changed. So a look takes at most a byte a node.

It only reads the tree, between two slices of a search. Desktop and boards run this file; a chip
loads it only if somebody wants to look.
"""

from picograve.kernel import allocate, const, group, int, micropython, ptr8, ptr16, ptr32

_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_SIBLING = const(3)  # = picograve.mcts.tree._SIBLING
_PARENT = const(4)  # = picograve.mcts.tree._PARENT
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_OLDER = const(7)  # = picograve.mcts.tree._OLDER
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_FIRST = const(0)  # = picograve.mcts.tree._FIRST
_FRESH = const(2)  # = picograve.mcts.tree._FRESH
_FREE = const(3)  # = picograve.mcts.tree._FREE
_NEWEST = const(5)  # = picograve.mcts.tree._NEWEST
_RECYCLES = const(7)  # = picograve.mcts.tree._RECYCLES
_LEVEL = const(10)  # = picograve.mcts.tree._LEVEL
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_LRU = const(1)  # = picograve.mcts.tree.LRU
_HAS_TABLE = const(32768)  # = picograve.mcts.tree._HAS_TABLE

_CELLS = const(0)  # of a looker's buffers
_NAMES = const(1)
_OUT = const(2)
_STEP = const(16)  # from an age to the next
_AGES = const(7)
_MOST_SAME = const(15)
_NEW = const(128)
_PARENTS = const(251)  # any odd number: a name of 16 bits for what a node is

_LAST = const(99)

STEP, NEW, OLDEST = 16, 128, 6


@micropython.viper
def draw(tree, out: ptr8, shown: int):
    # The kind and age of nodes 0 to shown - 1 into out (B[shown]): 0, or _STEP * (1 + age).
    p = ptr32(tree[_POOLS])
    sibling = ptr16(tree[_SIBLING])
    older = ptr16(tree[_OLDER])
    for node in range(shown):
        out[node] = 0
    for level in range(0, 2 * _LEVEL, _LEVEL):
        node = int(p[level + _FIRST])
        while node < p[level + _FRESH] and node < shown:
            out[node] = _STEP
            node += 1
        node = int(p[level + _FREE])
        while node != _NONE:
            if node < shown:
                out[node] = 0
            node = int(sibling[node])
        if p[level + _RECYCLES] == _LRU:
            count = 0
            node = int(p[level + _NEWEST])
            while node != _NONE:
                count += 1
                node = int(older[node])
            place = 0
            node = int(p[level + _NEWEST])
            while node != _NONE:
                if node < shown:
                    out[node] = _STEP * (1 + place * _AGES // count)
                place += 1
                node = int(older[node])


@micropython.viper
def look(tree, seen, shown: int) -> int:
    # What has changed since the last look, into `out`; how many bytes. seen: what the last look
    # saw, cells B[shown] and the nodes' names H[shown], then out B[shown], which is drawn first
    # and then overwritten from its start: a node adds a byte at most, so that none is lost.
    visits = ptr16(tree[_VISITS])
    parent = ptr16(tree[_PARENT])
    move = ptr16(tree[_MOVE])
    cells = ptr8(seen[_CELLS])
    names = ptr16(seen[_NAMES])
    out = ptr8(seen[_OUT])
    draw(tree, seen[_OUT], shown)
    length = 0
    same = 0
    for node in range(shown):
        cell = int(out[node])
        name = int(_NONE)
        if cell != 0:
            v = int(visits[node])
            while v != 0:
                v = v >> 1
                cell += 1
            name = ((parent[node] & (_HAS_TABLE - 1)) * _PARENTS + move[node]) & 65535
        if cell == cells[node] and name == names[node]:
            same += 1
        else:
            cells[node] = cell
            if cell != 0 and name != names[node]:
                cell += _NEW
            names[node] = name
            while same > 0:
                run = same
                if run > _MOST_SAME:
                    run = int(_MOST_SAME)
                out[length] = run
                length += 1
                same -= run
            out[length] = cell
            length += 1
    return length


class Looker:
    """Looks at the pool of one searcher again and again, at its first `most` nodes."""

    def __init__(self, searcher, most):
        self._tree = searcher._tree
        self.shown = min(searcher.ledger.nodes, most)
        self._buffers = tuple(allocate(kind, self.shown) for kind in "BHB")
        self._seen = group(self._buffers)
        self.count = 0  # number of the last look; 2 follows _LAST: so a request for one is short

    def changes(self, seen):
        """What has changed since look number `seen`. If that was not the last one, all of it, as if
        the pool had been empty, and this is number 1. Valid until the next look."""
        cells, names, out = self._buffers
        if seen != self.count or seen == 0:
            self.count = 0
            for node in range(self.shown):
                cells[node] = 0
                names[node] = _NONE
        self.count = self.count + 1 if self.count < _LAST else 2
        return memoryview(out)[: look(self._tree, self._seen, self.shown)]
