"""Lean tables: AMAF tables for the few nodes that are visited most. tree.py says how they are kept.

A root gets a table at once, another node when its visits reach a multiple of `table_after`: a free
one or, if there is none, that of the least visited owner, if this is less visited than itself. A
new table starts from the entries of its reference node, cut to a weight of `inherit`. A chip loads
this file only for a search with the setting `lean`.
"""

from picograve.kernel import const, int, micropython, ptr16, ptr32
from picograve.mcts.tree import entries_at, entry_of, is_narrow, table_of

_CONTROL = const(0)  # = picograve.mcts.search._CONTROL
_PATH = const(5)  # = picograve.mcts.search._PATH
_TREE = const(17)  # = picograve.mcts.search._TREE
_REF = const(0)  # = picograve.mcts.search.REF
_TABLE_AFTER = const(5)  # = picograve.mcts.search.TABLE_AFTER
_NODES = const(21)  # = picograve.mcts.search.NODES
_TOP_NODES = const(24)  # = picograve.mcts.search.TOP_NODES
_INHERIT = const(37)  # = picograve.mcts.search.INHERIT
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_PARENT = const(4)  # = picograve.mcts.tree._PARENT
_AMAF = const(9)  # = picograve.mcts.tree._AMAF
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_NARROW = const(12)  # = picograve.mcts.tree._NARROW
_OWNERS = const(13)  # = picograve.mcts.tree._OWNERS
_ROOT = const(6)  # = picograve.mcts.tree.ROOT
_LEVEL = const(10)  # = picograve.mcts.tree._LEVEL
_TABLE_END = const(22)  # = picograve.mcts.tree._TABLE_END
_CODES = const(23)  # = picograve.mcts.tree._CODES
_NONE = const(65535)  # = picograve.mcts.tree._NONE
_HAS_TABLE = const(32768)  # = picograve.mcts.tree._HAS_TABLE


@micropython.viper
def spare(tree, most: int) -> int:
    # A table that is free, or that of the least visited owner with fewer than `most` visits, who
    # loses it; roots keep theirs. _NONE if there is none.
    p = ptr32(tree[_POOLS])
    visits = ptr16(tree[_VISITS])
    owners = ptr16(tree[_OWNERS])
    parent = ptr16(tree[_PARENT])
    found = int(_NONE)
    for t in range(int(p[_TABLE_END])):
        owner = int(owners[t])
        if owner == _NONE:
            return t
        if visits[owner] < most and owner != p[_ROOT] and owner != p[_LEVEL + _ROOT]:
            most = int(visits[owner])
            found = t
    if found != _NONE:
        owner = int(owners[found])
        parent[owner] = parent[owner] & (_HAS_TABLE - 1)
    return found


@micropython.viper
def fill(tree, table: int, source: int, weight: int):
    # Entries of table `source`, none of more than `weight` visits; _NONE: nothing.
    amaf = ptr32(tree[_AMAF])
    narrow = ptr16(tree[_NARROW])
    at = int(entries_at(tree, table))
    slim = int(is_narrow(tree, table))
    from_slim = 0
    start = 0
    if source != _NONE:
        start = int(entries_at(tree, source))
        from_slim = int(is_narrow(tree, source))
    for i in range(2 * ptr32(tree[_POOLS])[_CODES]):
        visits = 0
        points = 0
        if source != _NONE:
            entry = int(entry_of(tree, from_slim, start + i))
            visits = entry >> 16
            points = entry & 65535
            if visits > weight:
                points = (points * weight + (visits >> 1)) // visits
                visits = weight
        if slim != 0:
            narrow[at + i] = (visits << 8) + (points >> 1)
        else:
            amaf[at + i] = (visits << 16) + points


@micropython.viper
def give_table(tree, node: int, most: int, source: int, weight: int):
    # To a node that has none, if one can be had.
    t = int(spare(tree, most))
    if t != _NONE:
        fill(tree, t, source, weight)
        ptr16(tree[_OWNERS])[t] = node
        ptr16(tree[_PARENT])[node] = ptr16(tree[_PARENT])[node] | _HAS_TABLE


@micropython.viper
def give_root(tree):
    # A kept tree's new root must have a table before anybody refers to it.
    root = int(ptr32(tree[_POOLS])[_ROOT])
    if int(table_of(tree, root)) == _NONE:
        give_table(tree, root, _NONE, _NONE, 0)


@micropython.viper
def give(buffers):
    # After a playout: tables for those on the path who are due. The source of a table is that of
    # the nearest node above which may be a reference.
    c = ptr32(buffers[_CONTROL])
    path = ptr16(buffers[_PATH])
    tree = buffers[_TREE]
    visits = ptr16(tree[_VISITS])
    after = int(c[_TABLE_AFTER])
    source = int(_NONE)
    for i in range(int(c[_NODES])):
        node = int(path[i])
        v = int(visits[node])
        table = int(table_of(tree, node))
        if table == _NONE:
            if i == 0 or i == c[_TOP_NODES]:
                give_table(tree, node, _NONE, source, c[_INHERIT])
                table = int(table_of(tree, node))
            elif v >= after and v % after == 0:
                give_table(tree, node, v, source, c[_INHERIT])
                table = int(table_of(tree, node))
        if table != _NONE and (v > c[_REF] or source == _NONE):
            source = table
