"""What a searcher's tree must look like between two playouts, read from its buffers."""

from picograve.kernel import ITEM_BYTES
from picograve.mcts import tree

NONE = tree._NONE


def pool(searcher, level, field):
    return int(searcher.buffers["pools"][level * tree._LEVEL + field])


def follow(links, node):
    """The nodes of a linked list; fails on a list that runs in a circle."""
    nodes = []
    while node != NONE:
        nodes.append(node)
        assert len(nodes) <= len(links), "a list runs in a circle"
        node = int(links[node])
    return nodes


def reachable(searcher, level):
    """All nodes below a level's root, with the root."""
    b = searcher.buffers
    root = pool(searcher, level, tree.ROOT)
    found = [] if root == NONE else [root]
    for node in found:
        children = follow(b["node_sibling"], int(b["node_child"][node]))
        assert all(tree.parent_of(searcher._tree, child) == node for child in children)
        moves = [int(b["node_move"][child]) for child in children]
        assert len(set(moves)) == len(moves), "two children by one move"
        found += children
    assert len(set(found)) == len(found), "a node stands in the tree twice"
    return found


def check(searcher):
    """Nothing lost, nothing twice; parents newer than their children; tables owned once."""
    lifted = set(_lifted(searcher))
    owners = {}
    for level in range(2 if searcher.config.two_levels else 1):
        found = reachable(searcher, level)
        _check_pool(searcher, level, found)
        if pool(searcher, level, tree._RECYCLES) == tree.LRU:
            _check_lru(searcher, level, found, lifted)
        for node in found:
            _check_counters(searcher, node)
        first, end = pool(searcher, level, tree._FIRST), pool(searcher, level, tree._END)
        for node in range(first, end):
            table = tree.table_of(searcher._tree, node)
            if table != NONE:
                assert table not in owners, "a table with two owners"
                owners[table] = node
                # Only the second level's root keeps its table while it is out of use.
                assert node in found or (level == 1 and node == first)
    if searcher.parts.lean:
        _check_lean_tables(searcher, owners)
    else:
        _check_tables(searcher, owners)


def _lifted(searcher):
    """The top path is out of its LRU list while a second-level search is under way."""
    from picograve.mcts import search

    control = searcher.buffers["control"]
    if control[search.DONE_SECOND] == 0:
        return []
    return [int(node) for node in searcher.buffers["path"][: control[search.TOP_NODES]]]


def _check_pool(searcher, level, found):
    first, fresh = pool(searcher, level, tree._FIRST), pool(searcher, level, tree._FRESH)
    free = follow(searcher.buffers["node_sibling"], pool(searcher, level, tree._FREE))
    assert sorted(found + free) == list(range(first, fresh)), "a node lost or used twice"


def _check_lru(searcher, level, found, lifted):
    b = searcher.buffers
    listed = follow(b["lru_newer"], pool(searcher, level, tree._OLDEST))
    assert listed[::-1] == follow(b["lru_older"], pool(searcher, level, tree._NEWEST))
    assert sorted(listed) == sorted(set(found) - lifted)
    place = {node: i for i, node in enumerate(listed)}
    for node in listed:
        parent = NONE
        if node != pool(searcher, level, tree.ROOT):
            parent = tree.parent_of(searcher._tree, node)
        if parent != NONE and parent not in lifted:
            assert place[parent] > place[node], "a child newer than its parent"
    if listed:
        assert b["node_child"][listed[0]] == NONE, "the oldest node has children"


def _check_counters(searcher, node):
    b = searcher.buffers
    visits, points = int(b["node_visits"][node]), int(b["node_points"][node])
    assert points <= 2 * visits < 2 * tree._LIMIT
    table = tree.table_of(searcher._tree, node)
    if table != NONE and tree.is_narrow(searcher._tree, table):
        size = 2 * searcher.game.code_count
        start = tree.entries_at(searcher._tree, table)
        entries = b["amaf_narrow"][start : start + size]
        assert (entries & 255 <= entries >> 8).all(), "more wins than visits"
    elif table != NONE:
        size = 2 * searcher.game.code_count
        entries = b["amaf"][table * size : (table + 1) * size]
        if visits:  # a root's old table is cleared with its first playout
            inherited = searcher.config.inherit if searcher.parts.lean else 0
            assert (entries >> 16 <= visits + inherited).all()
            assert (entries & 65535 <= 2 * (entries >> 16)).all()


def _check_tables(searcher, owners):
    b = searcher.buffers
    size = 2 * searcher.game.code_count
    free, table = [], int(b["pools"][tree._TABLE_FREE])
    while table != NONE:
        free.append(table)
        assert len(free) <= searcher.ledger.amaf_tables
        table = int(b["amaf"][table * size])
    assert sorted([*owners, *free]) == list(range(int(b["pools"][tree._TABLE_FRESH])))


def _check_lean_tables(searcher, owners):
    """The table of a node is the one whose owner it is, and a node is marked if it has one."""
    listed = {t: int(node) for t, node in enumerate(searcher.buffers["amaf_owners"])}
    assert owners == {t: node for t, node in listed.items() if node != NONE}
    for level in range(2 if searcher.config.two_levels else 1):
        for node in reachable(searcher, level)[1:]:
            marked = bool(searcher.buffers["node_parent"][node] & tree._HAS_TABLE)
            assert marked == (node in owners.values())


def nodes(searcher):
    """{node: (level, age, visits, parent and move)} of the whole tree; an age is from 0, just used,
    to 1, excluded, of those in the LRU list."""
    b = searcher.buffers
    found = {}
    for level in range(2 if searcher.config.two_levels else 1):
        listed = []
        if pool(searcher, level, tree._RECYCLES) == tree.LRU:
            listed = follow(b["lru_older"], pool(searcher, level, tree._NEWEST))
        ages = {node: place / len(listed) for place, node in enumerate(listed)}
        for node in reachable(searcher, level):
            name = tree.parent_of(searcher._tree, node), int(b["node_move"][node])
            found[node] = level, ages.get(node, 0), int(b["node_visits"][node]), name
    return found


def allocated_bytes(searcher):
    """What the searcher's buffers really take."""
    kinds = {name: kind for name, kind, _ in searcher.ledger.rows}
    return sum(len(buffer) * ITEM_BYTES[kinds[name]] for name, buffer in searcher.buffers.items())
