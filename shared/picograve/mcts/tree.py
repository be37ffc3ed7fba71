"""The tree: nodes and AMAF tables in fixed pools, backup, recycling, hash.

`tree` is a tuple of flat arrays; with N nodes, T tables and C move codes:

    visits   H[N]          playouts through the node
    points   H[N]          their values for the player who moved here, 0 to WIN each (value.py)
    child    H[N]          first child            } left child, right sibling
    sibling  H[N]          next child of my parent; of a free node: the next free one
    parent   H[N]
    move     H[N]          the move that led here, as descend() numbers it
    table    H[N]          its AMAF table, or _NONE
    older    H[N]          LRU list; only where nodes are recycled
    newer    H[N]
    amaf     i[T * 2 * C]  65536 * visits + points at player * C + code, both players
    pools    i[24]         the fields named below, twice (one pool per level), then the tables
    totals   i[N]          the same sums where a value is 0 to WIDE (value.py), points then being
                           the nearest to them; else empty
    narrow   H[T * 2 * C]  256 * visits + wins of the lean tables that count in 8 bits
    owners   H[T]          lean: the node that a table belongs to, or _NONE
    extra    i[N]          what some parts count besides, else empty: the sum of squared values
                           (select/ucb1_tuned.py), or weighted visits, and then totals is the sum
                           of weighted points (backup/fap.py)

Element types. 16 bits hold every index (65,534 nodes) and, as no counter passes _LIMIT =
20,000, every count; points (win 2, draw 1) stay below 40,000, totals below 20,000 * WIDE <
2**30. GRAVE's fraction is then below 2 * (1000 * 40,000 + 20,000 ** 2) < 2**30 for any bias
of 1/1000 or more. A table's entry is one word, which a playout changes at one stroke; its
visits are above, so that it stays below 2**31. On Go 9x9 a node is 14 bytes (18 with LRU
links) and its table of two colours 656.

Counters that reach _LIMIT are aged: the node, its table and its children are halved
together, which keeps every mean and the order of the children by visits. An entry of a
table never exceeds its node's visits, so only visits need watching.

AMAF here is: both colours, the moves after the node, each move of a colour once. A node
gets its table when its visits pass a setting (0: at once, as in the paper), a root at
once; a node without one is never a reference. When the tables are used up there are none,
but the second level's root keeps its table from one search to the next.

Lean tables (lean.py gives them out) are for the few nodes that are visited most. A table knows
its owner, and a node has no `table` but one bit of its `parent` that says whether to look for
one: 12 bytes a node. All but the first few tables have entries of 16 bits, half of a plain
table: visits up to 255, then halved, and wins, a draw being one at every other visit. Wide and
narrow entries read the same through `entry_of`.

Recycling, by LRU. The path of a playout is lifted out of the LRU list on the way down and put
back leaf first, root last, so a parent is always newer than its children and the oldest
node is a leaf that nobody is visiting. The other way, without links, is sweep.py.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32

_VISITS = const(0)
_POINTS = const(1)
_CHILD = const(2)
_SIBLING = const(3)
_PARENT = const(4)
_MOVE = const(5)
_TABLE = const(6)
_OLDER = const(7)
_NEWER = const(8)
_AMAF = const(9)
_POOLS = const(10)
_TOTALS = const(11)
_NARROW = const(12)
_OWNERS = const(13)
_EXTRA = const(14)

# pools: a level's fields start at level * _LEVEL
_FIRST = const(0)  # its nodes are _FIRST to _END - 1
_END = const(1)
_FRESH = const(2)  # from here on never used since the pool was emptied
_FREE = const(3)  # list of nodes given back
_OLDEST = const(4)  # ends of the LRU list
_NEWEST = const(5)
ROOT = const(6)
_RECYCLES = const(7)  # 1 if a full pool takes its oldest node, 2 if it is swept
_RECYCLED = const(8)  # how often it did
_PEAK = const(9)  # second level: most nodes in use at a time
_WIDE = const(9)  # top level, in the same place: what nodes keep besides, a sum of those below
_LEVEL = const(10)
_TABLE_FREE = const(20)  # list of tables given back, linked by their first entry
_WIDE_TABLES = const(20)  # lean, in the same place: how many count in 16 bits
_TABLE_FRESH = const(21)  # lean: _OWNED
_TABLE_END = const(22)
_CODES = const(23)
POOLS = const(24)  # length of the array

_NONE = const(65535)  # no node, no table
_OWNED = const(65536)  # tables have owners
_HAS_TABLE = const(32768)  # lean, in `parent`: the node may have a table
LRU = const(1)  # in _RECYCLES
SWEPT = const(2)
TOTALS = const(1)  # in _WIDE: values of 0 to WIDE
SQUARES = const(2)  # ... their squares
WEIGHTS = const(4)  # ... weighted visits and points
_NEW = const(65536)  # a choice of _NEW + move is a move without a node
_LIMIT = const(20000)
_WIN = const(2)  # = picograve.value.WIN
_POINT_SHIFT = const(14)  # from values of 0 to WIDE to points of 0 to WIN
_HALF = const(8192)  # ... of which this is half a point
_SECOND = const(32768)  # = picograve.mcts.search._SECOND


@micropython.viper
def set_up(
    tree, top: int, second: int, tables: int, codes: int, recycles_top: int, recycles_second: int,
    wide: int, lean: int, wide_tables: int,
):  # fmt: skip
    p = ptr32(tree[_POOLS])
    p[_FIRST] = 0
    p[_END] = top
    p[_RECYCLES] = recycles_top
    p[_LEVEL + _FIRST] = top
    p[_LEVEL + _END] = top + second
    p[_LEVEL + _RECYCLES] = recycles_second
    p[_TABLE_END] = tables
    p[_CODES] = codes
    p[_WIDE] = wide
    p[_TABLE_FRESH] = 0
    if lean != 0:
        p[_TABLE_FRESH] = _OWNED
        p[_WIDE_TABLES] = wide_tables


@micropython.viper
def clear(tree):
    # Both trees empty, all tables free.
    p = ptr32(tree[_POOLS])
    for level in range(0, 2 * _LEVEL, _LEVEL):
        p[level + _FRESH] = p[level + _FIRST]
        p[level + _FREE] = _NONE
        p[level + _OLDEST] = _NONE
        p[level + _NEWEST] = _NONE
        p[level + ROOT] = _NONE
    if p[_TABLE_FRESH] == _OWNED:
        owners = ptr16(tree[_OWNERS])
        for t in range(int(p[_TABLE_END])):
            owners[t] = _NONE
        return
    p[_TABLE_FREE] = _NONE
    p[_TABLE_FRESH] = 0
    table = ptr16(tree[_TABLE])
    for node in range(int(p[_LEVEL + _END])):
        table[node] = _NONE


@micropython.viper
def clear_counts(tree):
    # A search begins, in an empty tree or in a kept one.
    p = ptr32(tree[_POOLS])
    p[_RECYCLED] = 0
    p[_LEVEL + _RECYCLED] = 0
    p[_LEVEL + _PEAK] = 0


@micropython.viper
def table_of(tree, node: int) -> int:
    # Its AMAF table, or _NONE.
    p = ptr32(tree[_POOLS])
    if p[_TABLE_FRESH] != _OWNED:
        return int(ptr16(tree[_TABLE])[node])
    if ptr16(tree[_PARENT])[node] >= _HAS_TABLE:
        owners = ptr16(tree[_OWNERS])
        for t in range(int(p[_TABLE_END])):
            if owners[t] == node:
                return t
    return _NONE


@micropython.viper
def parent_of(tree, node: int) -> int:
    # Of any node but a root.
    parent = int(ptr16(tree[_PARENT])[node])
    if ptr32(tree[_POOLS])[_TABLE_FRESH] == _OWNED:
        parent = parent & (_HAS_TABLE - 1)
    return parent


@micropython.viper
def is_narrow(tree, table: int) -> int:
    p = ptr32(tree[_POOLS])
    return int(p[_TABLE_FRESH] == _OWNED and table >= p[_WIDE_TABLES])


@micropython.viper
def entries_at(tree, table: int) -> int:
    # Where its entries begin, in `amaf` or in `narrow`.
    p = ptr32(tree[_POOLS])
    if p[_TABLE_FRESH] == _OWNED and table >= p[_WIDE_TABLES]:
        table -= p[_WIDE_TABLES]
    return table * 2 * p[_CODES]


@micropython.viper
def widened(entry: int) -> int:
    # A narrow entry as a wide one: 65536 * visits + points.
    return ((entry >> 8) << 16) + ((entry & 255) << 1)


@micropython.viper
def entry_of(tree, slim: int, place: int) -> int:
    # The entry at a place of `narrow`, if slim is 1, or of `amaf`, as a wide one.
    if slim != 0:
        return int(widened(int(ptr16(tree[_NARROW])[place])))
    return int(ptr32(tree[_AMAF])[place])


@micropython.viper
def release_table(tree, node: int):
    p = ptr32(tree[_POOLS])
    if p[_TABLE_FRESH] == _OWNED:
        t = int(table_of(tree, node))
        if t != _NONE:
            ptr16(tree[_OWNERS])[t] = _NONE
            ptr16(tree[_PARENT])[node] = ptr16(tree[_PARENT])[node] & (_HAS_TABLE - 1)
        return
    table = ptr16(tree[_TABLE])
    if table[node] != _NONE:
        amaf = ptr32(tree[_AMAF])
        amaf[table[node] * 2 * p[_CODES]] = p[_TABLE_FREE]
        p[_TABLE_FREE] = table[node]
        table[node] = _NONE


@micropython.viper
def take_table(tree, node: int):
    # A cleared table for node: its own, if it has kept one, or one that is left, if any.
    p = ptr32(tree[_POOLS])
    amaf = ptr32(tree[_AMAF])
    table = ptr16(tree[_TABLE])
    size = 2 * p[_CODES]
    t = int(table[node])
    if t == _NONE:
        t = int(p[_TABLE_FREE])
        if t != _NONE:
            p[_TABLE_FREE] = amaf[t * size]
        else:
            t = int(p[_TABLE_FRESH])
            if t == p[_TABLE_END]:
                return
            p[_TABLE_FRESH] = t + 1
        table[node] = t
    i = t * size
    end = i + size
    while i < end:
        amaf[i] = 0
        amaf[i + 1] = 0
        i += 2


@micropython.viper
def discard_second(tree):
    # The second-level search is over: its nodes are fresh again, its tables free, but for
    # the root's where tables have no owners.
    p = ptr32(tree[_POOLS])
    table = ptr16(tree[_TABLE])
    used = p[_LEVEL + _FRESH] - p[_LEVEL + _FIRST]
    if used > p[_LEVEL + _PEAK]:
        p[_LEVEL + _PEAK] = used
    if p[_TABLE_FRESH] == _OWNED:
        owners = ptr16(tree[_OWNERS])
        for t in range(int(p[_TABLE_END])):
            if owners[t] != _NONE and owners[t] >= p[_LEVEL + _FIRST]:
                owners[t] = _NONE
    else:
        for node in range(p[_LEVEL + _FIRST] + 1, p[_LEVEL + _FRESH]):
            if table[node] != _NONE:
                release_table(tree, node)
    p[_LEVEL + _FRESH] = p[_LEVEL + _FIRST]
    p[_LEVEL + _FREE] = _NONE
    p[_LEVEL + _OLDEST] = _NONE
    p[_LEVEL + _NEWEST] = _NONE
    p[_LEVEL + ROOT] = _NONE


@micropython.viper
def forget(tree, level: int, node: int):
    # Out of the LRU list.
    p = ptr32(tree[_POOLS])
    older = ptr16(tree[_OLDER])
    newer = ptr16(tree[_NEWER])
    at = level * _LEVEL
    before = int(older[node])
    after = int(newer[node])
    if before == _NONE:
        p[at + _OLDEST] = after
    else:
        newer[before] = after
    if after == _NONE:
        p[at + _NEWEST] = before
    else:
        older[after] = before


@micropython.viper
def lift(tree, level: int, path, start: int, end: int):
    # Take path[start:end] out of the LRU list, so that nobody recycles it.
    pa = ptr16(path)
    for i in range(start, end):
        forget(tree, level, int(pa[i]))


@micropython.viper
def put_back(tree, level: int, path: ptr16, start: int, end: int):
    # path[start:end] becomes the newest, its leaf first, its root last.
    p = ptr32(tree[_POOLS])
    older = ptr16(tree[_OLDER])
    newer = ptr16(tree[_NEWER])
    level = level * _LEVEL
    i = end
    while i > start:
        i -= 1
        node = int(path[i])
        newest = int(p[level + _NEWEST])
        older[node] = newest
        newer[node] = _NONE
        if newest == _NONE:
            p[level + _OLDEST] = node
        else:
            newer[newest] = node
        p[level + _NEWEST] = node


@micropython.viper
def unlink(tree, node: int):
    # Out of its parent's children.
    child = ptr16(tree[_CHILD])
    sibling = ptr16(tree[_SIBLING])
    parent = int(parent_of(tree, node))
    k = int(child[parent])
    if k == node:
        child[parent] = sibling[node]
    else:
        while sibling[k] != node:
            k = int(sibling[k])
        sibling[k] = sibling[node]


@micropython.viper
def recycle(tree, level: int) -> int:
    # The oldest node, cut off from its parent; _NONE if all are on the path.
    p = ptr32(tree[_POOLS])
    at = level * _LEVEL
    node = int(p[at + _OLDEST])
    if node != _NONE:
        forget(tree, level, node)
        unlink(tree, node)
        release_table(tree, node)
        p[at + _RECYCLED] += 1
    return node


@micropython.viper
def add(tree, level: int, above: int, by: int) -> int:
    # A new child of `above` (_NONE: a new root) by move `by`; _NONE if there is no room.
    p = ptr32(tree[_POOLS])
    sibling = ptr16(tree[_SIBLING])
    at = level * _LEVEL
    node = int(p[at + _FREE])
    if node != _NONE:
        p[at + _FREE] = sibling[node]
    elif p[at + _FRESH] < p[at + _END]:
        node = int(p[at + _FRESH])
        p[at + _FRESH] = node + 1
    elif p[at + _RECYCLES] == LRU:
        node = int(recycle(tree, level))
    if node == _NONE:
        return _NONE
    child = ptr16(tree[_CHILD])
    ptr16(tree[_VISITS])[node] = 0
    ptr16(tree[_POINTS])[node] = 0
    ptr16(tree[_PARENT])[node] = above
    ptr16(tree[_MOVE])[node] = by
    child[node] = _NONE
    sibling[node] = _NONE
    if above == _NONE:
        p[at + ROOT] = node
    else:
        sibling[node] = child[above]
        child[above] = node
    return node


@micropython.viper
def can_grow(tree, level: int) -> int:
    p = ptr32(tree[_POOLS])
    at = level * _LEVEL
    return int(p[at + _RECYCLES] != 0 or p[at + _FREE] != _NONE or p[at + _FRESH] < p[at + _END])


@micropython.viper
def is_full(tree, level: int) -> int:
    p = ptr32(tree[_POOLS])
    at = level * _LEVEL
    return int(p[at + _FREE] == _NONE and p[at + _FRESH] == p[at + _END])


@micropython.viper
def part_of(total: int, half: int, v: int) -> int:
    # total * half // v, where the product would not fit.
    mean = total // v
    return mean * half + (total - mean * v) * half // v


@micropython.viper
def halve(tree, node: int):
    # Half the weight, the same means, for a node and its table.
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    amaf = ptr32(tree[_AMAF])
    v = int(visits[node])
    half = (v + 1) >> 1
    visits[node] = half
    points[node] = points[node] * half // v
    wide = int(ptr32(tree[_POOLS])[_WIDE])
    if wide != 0:
        totals = ptr32(tree[_TOTALS])
        extra = ptr32(tree[_EXTRA])
        if wide != SQUARES:
            totals[node] = int(part_of(int(totals[node]), half, v))
        if wide & TOTALS != 0:
            points[node] = (totals[node] + _HALF) >> _POINT_SHIFT
        if wide != TOTALS:
            extra[node] = int(part_of(int(extra[node]), half, v))
            if extra[node] == 0:  # means divide by weights
                extra[node] = 1
    table = int(table_of(tree, node))
    if table != _NONE and int(is_narrow(tree, table)) == 0:  # narrow ones see to themselves
        size = 2 * ptr32(tree[_POOLS])[_CODES]
        for i in range(table * size, table * size + size):
            entry = int(amaf[i])
            if entry != 0:
                a = entry >> 16
                half = (a + 1) >> 1
                amaf[i] = (half << 16) + (entry & 65535) * half // a


@micropython.viper
def age(tree, node: int):
    sibling = ptr16(tree[_SIBLING])
    halve(tree, node)
    k = int(ptr16(tree[_CHILD])[node])
    while k != _NONE:
        if ptr16(tree[_VISITS])[k] != 0:
            halve(tree, k)
        k = int(sibling[k])


@micropython.viper
def count_narrow(tree, table: int, touched: ptr16, start: int, end: int, value: int):
    # A game of this value into the entries touched[start:end] of a narrow table.
    narrow = ptr16(tree[_NARROW])
    at = int(entries_at(tree, table))
    for j in range(start, end):
        i = at + touched[j]
        visits = int(narrow[i]) >> 8
        wins = int(narrow[i]) & 255
        if visits == 255:  # half the weight, the same mean
            visits = 128
            wins = (wins * 257 + 256) >> 9
        visits += 1
        wins += (value + (visits & 1)) >> 1  # a draw: at every other visit
        narrow[i] = (visits << 8) + wins


@micropython.viper
def back_up(
    path, nodes: int, top_nodes: int, top_ply: int, trace, length: int,
    turn: int, value: int, table_after: int, codes, marks, touched, tree,
):  # fmt: skip
    # One game into every node of the path: visits, its value for the player who moved there, and
    # the table entries of the moves after the node, up to ply `length`. The trace notes who made a
    # move, and which;
    # `turn` moves at the root; value is the first player's points. The path's first top_nodes
    # nodes stand at plies 0, 1, ...; the rest are the second level's, from ply top_ply on.
    # Leaf first, so that the set of moves after a node only grows: touched (H[2 * codes])
    # holds it as places in a table, the first player's from the front, the second's from the
    # back. marks: B[2 * codes], zero before and after. codes: H, the code of a note.
    # The path comes first: the kernel build has the first two arguments' registers to give.
    pa = ptr16(path)
    t = ptr16(trace)
    code_of = ptr16(codes)
    mark = ptr8(marks)
    entries = ptr16(touched)
    visits = ptr16(tree[_VISITS])
    points = ptr16(tree[_POINTS])
    amaf = ptr32(tree[_AMAF])
    p = ptr32(tree[_POOLS])
    count = int(p[_CODES])
    uses_tables = int(p[_TABLE_END] != 0)
    lean = int(p[_TABLE_FRESH] == _OWNED)
    wide = p[_WIDE] & TOTALS
    second_value = _WIN - value
    front = 0
    back = 2 * count
    at = length
    i = nodes
    while i > 0:
        i -= 1
        node = int(pa[i])
        ply = i
        if i >= top_nodes:
            ply = top_ply + i - top_nodes
        v = visits[node] + 1
        visits[node] = v
        won = value
        if ply == 0:  # nobody moved here: for the player who does not move now
            if turn == 0:
                won = second_value
        elif t[ply - 1] >= _SECOND:
            won = second_value
        if wide == 0:  # else mcts/reward/totals.py has seen to it
            points[node] += won
        if uses_tables != 0:
            while at > ply:
                at -= 1
                note = int(t[at])
                who = note >> 15  # 1: _SECOND is in it
                code = count * who + code_of[note & 32767]
                if mark[code] == 0:
                    mark[code] = 1
                    if who == 0:
                        entries[front] = code
                        front += 1
                    else:
                        back -= 1
                        entries[back] = code
            if lean == 0:  # else lean.py gives tables to those who are due
                if v == 1 and (i == 0 or i == top_nodes):  # a new root
                    take_table(tree, node)
                elif v > table_after and int(table_of(tree, node)) == _NONE:
                    take_table(tree, node)
            table = int(table_of(tree, node))
            if table != _NONE and lean != 0 and int(is_narrow(tree, table)) != 0:
                count_narrow(tree, table, touched, 0, front, value)
                count_narrow(tree, table, touched, back, 2 * count, second_value)
            elif table != _NONE:
                table = table * 2 * count
                for j in range(front):
                    amaf[table + entries[j]] += 65536 + value
                for j in range(back, 2 * count):
                    amaf[table + entries[j]] += 65536 + second_value
        if v >= _LIMIT:
            age(tree, node)
    for j in range(front):
        mark[entries[j]] = 0
    for j in range(back, 2 * count):
        mark[entries[j]] = 0


@micropython.viper
def give_back(tree, level: int, node: int):
    # A node without children and cut off from its parent is free again.
    p = ptr32(tree[_POOLS])
    if p[level * _LEVEL + _RECYCLES] == LRU:
        forget(tree, level, node)
    release_table(tree, node)
    ptr16(tree[_VISITS])[node] = 0  # free: sweep.py looks for it
    ptr16(tree[_SIBLING])[node] = p[level * _LEVEL + _FREE]
    p[level * _LEVEL + _FREE] = node


@micropython.viper
def clear_below(tree, level: int, above: int):
    # Give back all that hangs below `above`. No stack: always the leftmost leaf, then its parent
    # again.
    child = ptr16(tree[_CHILD])
    sibling = ptr16(tree[_SIBLING])
    node = above
    while child[above] != _NONE:
        while child[node] != _NONE:
            node = int(child[node])
        up = int(parent_of(tree, node))
        child[up] = sibling[node]
        give_back(tree, level, node)
        node = up


@micropython.viper
def cut_child(tree, by: int) -> int:
    # Take the root's child by move `by` out of the tree, with what hangs below it; _NONE if
    # there is none.
    p = ptr32(tree[_POOLS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    if p[ROOT] == _NONE:
        return _NONE
    node = int(ptr16(tree[_CHILD])[p[ROOT]])
    while node != _NONE and move[node] != by:
        node = int(sibling[node])
    if node != _NONE:
        unlink(tree, node)
    return node


@micropython.viper
def drop_child(tree, by: int):
    # The root's child by move `by`, if there is one, is free again, and all below it.
    node = int(cut_child(tree, by))
    if node != _NONE:
        clear_below(tree, 0, node)
        give_back(tree, 0, node)


@micropython.viper
def descend_root(tree, by: int) -> int:
    # Make the root's child by move `by` the new root and give back all nodes that are not
    # below it: 1 if there is such a child, 0 if not and nothing has changed.
    p = ptr32(tree[_POOLS])
    node = int(cut_child(tree, by))
    if node == _NONE:
        return 0
    clear_below(tree, 0, int(p[ROOT]))
    give_back(tree, 0, int(p[ROOT]))
    ptr16(tree[_PARENT])[node] = _NONE
    ptr16(tree[_SIBLING])[node] = _NONE
    p[ROOT] = node
    if p[_TABLE_END] != 0 and p[_TABLE_FRESH] != _OWNED:  # lean.py sees to its own
        if int(table_of(tree, node)) == _NONE:
            take_table(tree, node)
    return 1


@micropython.viper
def used(tree) -> int:
    # Nodes in use: those of the top level, and the most that a second level had.
    p = ptr32(tree[_POOLS])
    sibling = ptr16(tree[_SIBLING])
    count = p[_FRESH] - p[_FIRST]
    node = int(p[_FREE])
    while node != _NONE:
        count -= 1
        node = int(sibling[node])
    second = p[_LEVEL + _FRESH] - p[_LEVEL + _FIRST]
    if p[_LEVEL + _PEAK] > second:
        second = int(p[_LEVEL + _PEAK])
    return count + second


@micropython.viper
def recycled(tree) -> int:
    p = ptr32(tree[_POOLS])
    return p[_RECYCLED] + p[_LEVEL + _RECYCLED]


@micropython.viper
def value_of(tree, node: int) -> int:
    # The sum of its playouts' values: points or totals.
    if ptr32(tree[_POOLS])[_WIDE] & TOTALS == 0:
        return int(ptr16(tree[_POINTS])[node])
    return int(ptr32(tree[_TOTALS])[node])


@micropython.viper
def most_visited(tree) -> int:
    # The root's child with the most visits; equal ones: the better mean, then the lower move,
    # on every runtime. _NONE if there is none.
    visits = ptr16(tree[_VISITS])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    root = int(ptr32(tree[_POOLS])[ROOT])
    if root == _NONE:
        return _NONE
    best = int(ptr16(tree[_CHILD])[root])
    k = best
    while k != _NONE:
        lead = int(visits[k]) - int(visits[best])
        if lead == 0:
            lead = int(value_of(tree, k)) - int(value_of(tree, best))
        if lead == 0:
            lead = int(move[best]) - int(move[k])
        if lead > 0:
            best = k
        k = int(sibling[k])
    return best


@micropython.viper
def hash_tree(tree, level: int, row: int, spare: int, out: ptr32):
    # Two numbers that depend on every statistic of the tree and its shape, not on where in
    # the pool a node lies. Visits the nodes in order: children before siblings. Moves count as
    # their game's source numbers them, which may have `spare` more points in a row.
    visits = ptr16(tree[_VISITS])
    child = ptr16(tree[_CHILD])
    sibling = ptr16(tree[_SIBLING])
    move = ptr16(tree[_MOVE])
    p = ptr32(tree[_POOLS])
    size = 2 * p[_CODES]
    root = int(p[level * _LEVEL + ROOT])
    a = 1
    b = 2
    depth = 0
    node = root
    while node != _NONE:
        a = 18000 * (a & 65535) + (a >> 16) + visits[node] + depth
        value = int(value_of(tree, node))
        b = 30903 * (b & 65535) + (b >> 16) + (value & 65535)
        if value > 65535:
            b = 30903 * (b & 65535) + (b >> 16) + (value >> 16)
        a = 18000 * (a & 65535) + (a >> 16) + move[node] + move[node] // row * spare
        table = int(table_of(tree, node))
        if table != _NONE:
            slim = int(is_narrow(tree, table))
            i = int(entries_at(tree, table))
            end = i + size
            while i < end:
                entry = int(entry_of(tree, slim, i))
                a = 18000 * (a & 65535) + (a >> 16) + (entry >> 16)
                b = 30903 * (b & 65535) + (b >> 16) + (entry & 65535)
                i += 1
        if child[node] != _NONE:
            node = int(child[node])
            depth += 1
        else:
            while node != root and sibling[node] == _NONE:
                node = int(parent_of(tree, node))
                depth -= 1
            if node == root:
                node = int(_NONE)
            else:
                node = int(sibling[node])
    out[0] = a
    out[1] = b
