"""The search: descent, playout, backup, in one or two levels, cut into slices.

One playout of a one-level search: walk from the root to a node whose best move has no
node yet, add that node, play the game out, back the result up. The first playout of a
tree makes its root. With two levels the leaf added at the top is the root of a second
tree of `P_SECOND` playouts; each is backed up through the second path and through the
top path that led there, and then the second tree is dropped. So a search makes
P_TOP * P_SECOND playouts (P = N_top * N_sec without recycling, as in the paper).

`run` stops after any number of playouts and goes on exactly there when called again: all
its state is in the buffers. `buffers` is a tuple:

    control  i[..]       settings and counters, named below
    rng      i[2]        state of the random numbers
    root     B[state]    the position to search
    leaf     B[state]    the position of the second level's root; two levels only
    work     B[state]    the position of the playout
    path     H[N]        nodes of the playout, top level first
    trace    H[cap]      moves of the playout from the root on
    moves    H[codes]    moves of the current node
    codes    H[moves]    dense code of a move
    marks    B[2*codes]  scratch, always left at zero
    touched  H[2*codes]  scratch of the backup
    banned   H[codes]    moves not allowed at the root (superko); games with a `key` only
    stats    H[4*codes]  MAST
    order    H[2*codes]  MAST
    trial    B[state]    a position that a heuristic looks at; guided playouts only
    values   i[codes]    what it thinks of each move
    switching i[..]      switching.py; only where there are several
    tree     tuple       see tree.py
"""

from picograve.kernel import RUNTIME, const, int, micropython, ptr8, ptr16, ptr32
from picograve.rng import draw
from picograve.tree import add, back_up, can_grow, discard_second, lift, put_back, select_least

if RUNTIME != "micropython":  # a chip loads these where a search wants them (searcher.py)
    from picograve.grave import select_grave
    from picograve.guided import play_guided
    from picograve.mast import learn, rank
    from picograve.rave import select_rave
    from picograve.switching import reward, switch
    from picograve.uct import select_uct

_CONTROL = const(0)
_RNG = const(1)
_ROOT = const(2)
_LEAF = const(3)
_WORK = const(4)
_PATH = const(5)
_TRACE = const(6)
_MOVES = const(7)
_CODES = const(8)
_MARKS = const(9)
_TOUCHED = const(10)
_BANNED = const(11)
_STATS = const(12)
_ORDER = const(13)
_TRIAL = const(14)  # guided.py
_VALUES = const(15)  # guided.py
_SWITCHING = const(16)
_TREE = const(17)

# rules, see picograve.games
_COPY = const(0)
_LIST_MOVES = const(1)
_PLAY = const(2)
_PLAYOUT = const(3)
_OUTCOME = const(4)
_APPRAISE = const(5)  # guided.py

# control: settings
TREE_POLICY = const(0)  # UCT, GRAVE or RAVE
BIAS = const(1)  # GRAVE: 1 / bias
REF = const(2)  # GRAVE: visits that a reference node must exceed
EXPLORE = const(3)  # GRAVE: one in so many visits takes the least visited move; 0 none
EXPLORATION = const(4)  # UCT, RAVE: C * C with 13 binary places
RAVE_K = const(5)
EPSILON = const(6)  # share of random moves in playouts by MAST, of 65536
SHARING = const(7)  # 1 if the second level may use the top path's tables
P_TOP = const(8)  # iterations of the top level
P_SECOND = const(9)  # playouts of a second-level search; 0 in a search of one level
TABLE_AFTER = const(10)  # visits after which a node gets an AMAF table
EARLY = const(11)  # playouts after which a second-level search may stop early; 0 never
MARGIN = const(12)  # ... when its mean is so close to 0 or 1, of 10,000
CODE_COUNT = const(13)
USES_MAST = const(14)  # 1 if any playout policy is MAST
POLICIES = const(15)  # playout policies that are switched between; 0: there is only one
SWITCH = const(16)  # b of the switching, 8 binary places
# control: the position
BAN_COUNT = const(17)
TURN = const(18)  # player to move at the root
# control: where the search stands
POLICY = const(19)  # code of the playout policy: the only one, or that of the last playout
DONE_TOP = const(20)  # finished iterations of the top level
DONE_SECOND = const(21)  # playouts of the second-level search under way
PLAYOUTS = const(22)
NODES = const(23)  # nodes on the path
PLY = const(24)  # moves in the trace down to the leaf
LENGTH = const(25)  # ... and to the end of the playout
TOP_NODES = const(26)  # nodes and moves when the top level was left
TOP_PLY = const(27)
SAVED = const(28)  # playouts not made because of early stops
CONTROL = const(29)  # length of the array

UCT = const(0)
GRAVE = const(1)
RAVE = const(2)

# fields of the tree that are read here, see tree.py
_VISITS = const(0)
_POINTS = const(1)
_MOVE = const(5)
_TABLE = const(6)
_POOLS = const(10)
_LEVEL = const(10)
_POOL_ROOT = const(6)
_RECYCLES = const(7)

_NONE = const(65535)
_NEW = const(65536)
_NEVER_GREEDY = const(65536)
_MAST = const(1)  # policies, see policies.py
_HEURISTIC = const(2)


@micropython.viper
def without_banned(moves: ptr16, count: int, banned: ptr16, bans: int) -> int:
    kept = 0
    for i in range(count):
        good = 1
        for j in range(bans):
            if banned[j] == moves[i]:
                good = 0
        if good != 0:
            moves[kept] = moves[i]
            kept += 1
    return kept


@micropython.viper
def descend(buffers, rules, level: int):
    # From the level's root to a leaf and one node on, playing the moves in `work`; path and
    # trace grow by what it passes. Stops without a node where the pool has none to give
    # and where the game is over.
    c = ptr32(buffers[_CONTROL])
    work = buffers[_WORK]
    path = ptr16(buffers[_PATH])
    trace = ptr16(buffers[_TRACE])
    moves = buffers[_MOVES]
    tree = buffers[_TREE]
    list_moves = rules[_LIST_MOVES]
    play = rules[_PLAY]
    visits = ptr16(tree[_VISITS])
    table = ptr16(tree[_TABLE])
    p = ptr32(tree[_POOLS])
    nodes = int(c[NODES])
    ply = int(c[PLY])
    first = nodes  # of this level on the path
    root = int(p[level * _LEVEL + _POOL_ROOT])
    reference = root
    if level == 1 and c[SHARING] != 0:
        reference = int(path[0])
        for i in range(1, nodes):
            if visits[path[i]] > c[REF] and table[path[i]] != _NONE:
                reference = int(path[i])
    grows = int(can_grow(tree, level))
    node = root
    move = 0  # of the root: none led there
    new = int(node == _NONE)
    while new == 0:
        path[nodes] = node
        nodes += 1
        if visits[node] > c[REF] and table[node] != _NONE:
            reference = node
        count = int(list_moves(work, moves))
        if ply == 0 and c[BAN_COUNT] != 0:  # at the root position, in either level
            count = int(without_banned(moves, count, buffers[_BANNED], c[BAN_COUNT]))
        if count == 0:
            break
        start = int(draw(buffers[_RNG], count))
        if c[EXPLORE] != 0 and int(draw(buffers[_RNG], c[EXPLORE])) == 0:
            choice = int(
                select_least(tree, node, moves, count, start, buffers[_CODES], buffers[_MARKS])
            )
        elif c[TREE_POLICY] == GRAVE:
            player = int(ptr8(work)[0])
            choice = int(
                select_grave(
                    tree, node, reference, player, c[BIAS], moves, count, start,
                    buffers[_CODES], buffers[_MARKS],
                )
            )  # fmt: skip
        elif c[TREE_POLICY] == RAVE:
            player = int(ptr8(work)[0])
            choice = int(
                select_rave(
                    tree, node, player, c[RAVE_K], c[EXPLORATION], moves, count, start, grows,
                    buffers[_CODES], buffers[_MARKS],
                )
            )  # fmt: skip
        else:
            choice = int(
                select_uct(
                    tree, node, c[EXPLORATION], moves, count, start, grows,
                    buffers[_CODES], buffers[_MARKS],
                )
            )  # fmt: skip
        if choice >= _NEW:
            move = choice - _NEW
            new = 1
        else:
            node = choice
            move = int(ptr16(tree[_MOVE])[node])
        play(work, move)
        trace[ply] = move
        ply += 1
    if p[level * _LEVEL + _RECYCLES] != 0:
        lift(tree, level, buffers[_PATH], first, nodes)
    if new != 0:
        node = int(add(tree, level, node, move))
        if node != _NONE:
            path[nodes] = node
            nodes += 1
    c[NODES] = nodes
    c[PLY] = ply


@micropython.viper
def is_settled(buffers) -> int:
    # 1 if the second-level search may stop: its mean is at most MARGIN (hopeless) or at least
    # 1 - MARGIN (decided), so that more playouts would tell little.
    c = ptr32(buffers[_CONTROL])
    tree = buffers[_TREE]
    root = int(ptr32(tree[_POOLS])[_LEVEL + _POOL_ROOT])
    most = 2 * ptr16(tree[_VISITS])[root]
    won = int(ptr16(tree[_POINTS])[root])
    if most - won < won:
        won = most - won
    return int(10000 * won <= c[MARGIN] * most)


@micropython.viper
def finish_second(buffers):
    # The second-level search is over: drop its tree, close the iteration of the top level.
    c = ptr32(buffers[_CONTROL])
    tree = buffers[_TREE]
    discard_second(tree)
    if ptr32(tree[_POOLS])[_RECYCLES] != 0:
        put_back(tree, 0, buffers[_PATH], 0, c[TOP_NODES])
    c[DONE_SECOND] = 0
    c[DONE_TOP] += 1


@micropython.viper
def play_out(buffers, rules) -> int:
    # From `work` to the end of the game by the playout policy; the trace's length.
    c = ptr32(buffers[_CONTROL])
    policy = int(c[POLICY])
    if policy >= _HEURISTIC:
        return int(play_guided(buffers, rules, policy - _HEURISTIC))
    epsilon = int(_NEVER_GREEDY)
    if policy == _MAST:
        rank(buffers[_STATS], buffers[_ORDER], buffers[_CODES], c[CODE_COUNT])
        epsilon = int(c[EPSILON])
    playout = rules[_PLAYOUT]
    return int(
        playout(buffers[_WORK], buffers[_RNG], buffers[_TRACE], c[PLY], buffers[_ORDER], epsilon)
    )


@micropython.viper
def simulate(buffers, rules) -> int:
    # One playout by the policy, or by one of several; the first player's half points.
    c = ptr32(buffers[_CONTROL])
    place = 0
    if c[POLICIES] != 0:
        place = int(switch(buffers[_SWITCHING], c[POLICIES], c[SWITCH]))
        c[POLICY] = ptr32(buffers[_SWITCHING])[place]
    length = int(play_out(buffers, rules))
    outcome = rules[_OUTCOME]
    points = int(outcome(buffers[_WORK]))
    if c[USES_MAST] != 0:
        learn(
            buffers[_STATS], buffers[_CODES], c[CODE_COUNT], buffers[_TRACE], length, c[TURN],
            points,
        )  # fmt: skip
    if c[POLICIES] != 0:
        won = points
        if c[TURN] != 0:
            won = 2 - points
        reward(buffers[_SWITCHING], c[POLICIES], place, won)
    c[LENGTH] = length
    return points


@micropython.viper
def run(buffers, rules, count: int) -> int:
    # Up to `count` playouts; fewer when the search is complete. Returns how many it made.
    c = ptr32(buffers[_CONTROL])
    root = buffers[_ROOT]
    leaf = buffers[_LEAF]
    work = buffers[_WORK]
    tree = buffers[_TREE]
    p = ptr32(tree[_POOLS])
    copy = rules[_COPY]
    done = 0
    while done < count and c[DONE_TOP] < c[P_TOP]:
        if c[DONE_SECOND] == 0:  # an iteration of the top level begins
            copy(work, root)
            c[NODES] = 0
            c[PLY] = 0
            descend(buffers, rules, 0)
            c[TOP_NODES] = c[NODES]
            c[TOP_PLY] = c[PLY]
            if c[P_SECOND] != 0:
                copy(leaf, work)
        if c[P_SECOND] != 0:
            copy(work, leaf)
            c[NODES] = c[TOP_NODES]
            c[PLY] = c[TOP_PLY]
            descend(buffers, rules, 1)
        points = int(simulate(buffers, rules))
        back_up(
            buffers[_PATH], c[NODES], c[TOP_NODES], c[TOP_PLY], buffers[_TRACE], c[LENGTH],
            c[TURN], points, c[TABLE_AFTER], buffers[_CODES], buffers[_MARKS], buffers[_TOUCHED],
            tree,
        )  # fmt: skip
        c[PLAYOUTS] += 1
        done += 1
        if c[P_SECOND] == 0:
            if p[_RECYCLES] != 0:
                put_back(tree, 0, buffers[_PATH], 0, c[TOP_NODES])
            c[DONE_TOP] += 1
        else:
            if p[_LEVEL + _RECYCLES] != 0:
                put_back(tree, 1, buffers[_PATH], c[TOP_NODES], c[NODES])
            c[DONE_SECOND] += 1
            if c[DONE_SECOND] == c[P_SECOND]:
                finish_second(buffers)
            elif c[EARLY] != 0 and c[DONE_SECOND] >= c[EARLY]:
                if int(is_settled(buffers)) != 0:
                    c[SAVED] += c[P_SECOND] - c[DONE_SECOND]
                    finish_second(buffers)
    return done


@micropython.viper
def sample(buffers, rules, count: int) -> int:
    # `count` playouts from the root without a tree; the first player's half points. The
    # yardstick of the benchmarks.
    c = ptr32(buffers[_CONTROL])
    copy = rules[_COPY]
    c[PLY] = 0
    total = 0
    for i in range(count):
        copy(buffers[_WORK], buffers[_ROOT])
        total += int(simulate(buffers, rules))
    return total
