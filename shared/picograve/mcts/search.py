"""The search: descent, playout, backup, in one or two levels, cut into slices.

One playout of a one-level search: walk from the root to a node whose best move has no
node yet, add that node, play the game out, back the result up. The first playout of a
tree makes its root. With two levels the leaf added at the top is the root of a second
tree of `P_SECOND` playouts; each is backed up through the second path and through the
top path that led there, and then the second tree is dropped. So a search makes
P_TOP * P_SECOND playouts (P = N_top * N_sec without recycling, as in the paper).

`run` stops after any number of playouts and goes on exactly there when called again: all
its state is in the buffers. It is compiled once for all games and parts; what differs comes
as kernels in two tuples, `rules` (picograve.games) and `parts`:

    choose   tuple     select, least (mcts/select), value (mcts/reward), switch and credit
                       (mcts/playout/switching.py), count (mcts/reward/totals.py, mcts/backup),
                       give (lean.py), sweep (sweep.py), at_root (mcts/root), note (mcts/reward)
    plays    tuple     play of each playout policy (mcts/playout)
    learns   tuple     learn of those that learn

`buffers` is a tuple:

    control  i[..]       settings and counters, named below
    rng      i[2]        state of the random numbers
    root     B[state]    the position to search
    leaf     B[state]    the position of the second level's root; two levels only
    work     B[state]    the position of the playout
    path     H[N]        nodes of the playout, top level first
    trace    H[cap]      a note of each move of the playout from the root on
    moves    H[most]     moves of the current node, as the tree numbers them
    codes    H[..]       code of such a number in AMAF tables
    marks    B[..]       scratch, always left at zero
    touched  H[2*codes]  scratch of the backup
    banned   H[most]     moves not allowed at the root (superko), as the tree numbers them; games
                         with a `key` only
    stats    H[4*codes]  MAST
    order    H[2*codes]  MAST
    trial    B[state]    scratch of playouts: a position that a heuristic looks at
    values   i[most]     ... and what it thinks of each move
    switching i[..]      switching.py; only where there are several
    tree     tuple       see tree.py
    list     H[most]     moves of the current node, as the game numbers them
    code_of  H[..]       code of a note
    reward   i[..]       what a reward by degrees or a backup keeps; first the last playout's value
    learned  i[..]       what a playout policy keeps, other than MAST
    priors   H[..]       256 * visits + points that a game gives each move beforehand
    known    B[..]       what a game knows by heart, for its reply and prior; a constant

How the tree numbers moves. Where a game has a table of codes (kind _TABLE), by the game's own
numbers, `list` is `moves` and `code_of` is `codes`. Other games may have more moves than a
table should: there a number is a move's place in the list, `moves` is 0, 1, 2 ..., and `codes` is
made for each list (_PLACES), or there are none (_PLAIN). And some have more than a list can hold
(_UNLISTED, _NESTED): the moves are 0 to count - 1, and nothing is written down.

A note is what AMAF and MAST know a move by, and who made it: the game's number (_TABLE) or its
code (_PLACES), or 0; and _SECOND more if the second player made it.
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.tree import (
    add,
    back_up,
    can_grow,
    discard_second,
    is_full,
    lift,
    put_back,
    table_of,
)
from picograve.rng import draw

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
_TRIAL = const(14)
_VALUES = const(15)
_SWITCHING = const(16)
_TREE = const(17)
_LIST = const(18)
_CODE_OF = const(19)
_REWARD = const(20)
_LEARNED = const(21)
_PRIORS = const(22)
_KNOWN = const(23)

# rules
_COPY = const(0)  # = picograve.games._COPY
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_CODE_MOVES = const(6)  # = picograve.games._CODE_MOVES
_PRIOR = const(9)  # = picograve.games._PRIOR

# parts
_CHOOSE = const(0)
_SELECT = const(0)
_LEAST = const(1)
_VALUE = const(2)
_SWITCH = const(3)
_CREDIT = const(4)
_COUNT = const(5)
_GIVE = const(6)
_SWEEP = const(7)
_AT_ROOT = const(8)
_NOTE = const(9)
_PLAYS = const(1)
_LEARNS = const(2)

# control: settings
REF = const(0)  # visits that a reference node must exceed
EXPLORE = const(1)  # one in so many visits takes the least visited move; 0 none
SHARING = const(2)  # 1 if the second level may use the top path's tables
P_TOP = const(3)  # iterations of the top level
P_SECOND = const(4)  # playouts of a second-level search; 0 in a search of one level
TABLE_AFTER = const(5)  # visits after which a node gets an AMAF table
EARLY = const(6)  # playouts after which a second-level search may stop early; 0 never
MARGIN = const(7)  # ... when its mean is so close to 0 or 1, of 10,000
CODE_COUNT = const(8)
KIND = const(9)  # how the tree numbers moves
MODES = const(10)  # sum of the modes below; without MORE, control ends before EXPAND_AFTER
POLICIES = const(11)  # playout policies that are switched between; 0: there is only one
LEARNERS = const(12)  # those that learn
SWITCH = const(13)  # b of the switching, 8 binary places
# control: the position
BAN_COUNT = const(14)
TURN = const(15)  # player to move at the root
# control: where the search stands
POLICY = const(16)  # place of the playout policy: of the only one, or of the last playout
ARGUMENT = const(17)  # what it is called with
DONE_TOP = const(18)  # finished iterations of the top level
DONE_SECOND = const(19)  # playouts of the second-level search under way
PLAYOUTS = const(20)
NODES = const(21)  # nodes on the path
PLY = const(22)  # moves in the trace down to the leaf
LENGTH = const(23)  # ... and to the end of the playout
TOP_NODES = const(24)  # nodes and moves when the top level was left
TOP_PLY = const(25)
SAVED = const(26)  # playouts not made because of early stops
SELECT = const(27)  # from here on: the parameters of `select`
MOST_PARAMETERS = const(6)
ROOT_CHOICE = const(33)  # from here on: the reach of rewards, and the parameters of `at_root`
# control: what only some modes have
EXPAND_AFTER = const(35)  # visits of a node before it gets children
PRIOR = const(36)  # visits at which a move's prior no longer counts
INHERIT = const(37)  # weight of what a new lean table starts from
PRIORS = const(38)  # which of the game's priors count, as bits
ROOT_LAST = const(39)  # the move that led to the root, _NONE if none did
LAST = const(40)  # ... to where the playout starts
SPAN = const(41)  # moves of a playout that count in AMAF tables, of WHOLE
CONTROL = const(42)  # length of the array with these
WHOLE = const(256)

# modes
COUNTING = const(1)  # nodes count more than visits and points
LEAN = const(2)  # few AMAF tables, for the nodes that are visited most
INFORMED = const(4)  # the game's prior counts
MORE = const(8)  # EXPAND_AFTER, LAST or SPAN are wanted; LEAN and INFORMED have it, too
ROOTED = const(16)  # the root has a policy of its own
NOTING = const(32)  # something of the positions on the path is noted

# kinds of games
_TABLE = const(0)  # = picograve.games.TABLE
_PLACES = const(1)  # = picograve.games.PLACES
_UNLISTED = const(3)  # = picograve.games.UNLISTED

# fields of the tree that are read here
_VISITS = const(0)  # = picograve.mcts.tree._VISITS
_POINTS = const(1)  # = picograve.mcts.tree._POINTS
_MOVE = const(5)  # = picograve.mcts.tree._MOVE
_POOLS = const(10)  # = picograve.mcts.tree._POOLS
_LEVEL = const(10)  # = picograve.mcts.tree._LEVEL
_POOL_ROOT = const(6)  # = picograve.mcts.tree.ROOT
_RECYCLES = const(7)  # = picograve.mcts.tree._RECYCLES
_LRU = const(1)  # = picograve.mcts.tree.LRU
_SWEPT = const(2)  # = picograve.mcts.tree.SWEPT

_NONE = const(65535)  # = picograve.mcts.tree._NONE
_NEW = const(65536)  # = picograve.mcts.tree._NEW
_SECOND = const(32768)
_WIN = const(2)  # = picograve.value.WIN
_STRIDE = const(4)  # = picograve.mcts.playout.SWITCHING
_DRAWN = const(32768)  # most that one draw of a random number takes


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
def draw_any(rng, n: int) -> int:
    # A number from 0 to n - 1, n <= 65536.
    if n <= _DRAWN:
        return int(draw(rng, n))
    bits = (int(draw(rng, 256)) << 8) + int(draw(rng, 256))
    return (bits * (n >> 1)) >> 15


@micropython.viper
def descend(buffers, rules, parts, level: int):
    # From the level's root to a leaf and one node on, playing the moves in `work`; path and
    # trace grow by what it passes. Stops without a node where the pool has none to give
    # and where the game is over.
    c = ptr32(buffers[_CONTROL])
    work = buffers[_WORK]
    path = ptr16(buffers[_PATH])
    trace = ptr16(buffers[_TRACE])
    listed = buffers[_LIST]
    tree = buffers[_TREE]
    list_moves = rules[_LIST_MOVES]
    play = rules[_PLAY]
    choose = parts[_CHOOSE]
    select = choose[_SELECT]
    visits = ptr16(tree[_VISITS])
    p = ptr32(tree[_POOLS])
    kind = int(c[KIND])
    modes = int(c[MODES])
    nodes = int(c[NODES])
    ply = int(c[PLY])
    first = nodes  # of this level on the path
    root = int(p[level * _LEVEL + _POOL_ROOT])
    reference = root
    if level == 1 and c[SHARING] != 0:
        reference = int(path[0])
        for i in range(1, nodes):
            if visits[path[i]] > c[REF] and int(table_of(tree, int(path[i]))) != _NONE:
                reference = int(path[i])
    if p[level * _LEVEL + _RECYCLES] == _SWEPT and int(is_full(tree, level)) != 0:
        sweep = choose[_SWEEP]
        sweep(buffers, level)
    last = 0
    if modes & MORE != 0:
        last = int(c[LAST])
        if level == 0:
            last = int(c[ROOT_LAST])
    grows = int(can_grow(tree, level))
    node = root
    number = 0  # of the move to the root: none led there
    new = int(node == _NONE)
    while new == 0:
        path[nodes] = node
        if modes & NOTING != 0:
            note_position = choose[_NOTE]
            note_position(buffers, rules, nodes)
        nodes += 1
        if visits[node] > c[REF] and int(table_of(tree, node)) != _NONE:
            reference = node
        count = int(list_moves(work, listed))
        if kind == _PLACES:
            code_moves = rules[_CODE_MOVES]
            code_moves(work, listed, count, buffers[_CODES])
        if modes & INFORMED != 0:
            prior = rules[_PRIOR]
            prior(
                work, c[PRIORS], last, listed, buffers[_MOVES], count, buffers[_KNOWN],
                buffers[_PRIORS],
            )  # fmt: skip
        bans = 0
        if ply == 0 and c[BAN_COUNT] != 0:  # at the root position, in either level
            bans = int(c[BAN_COUNT])
            count = int(without_banned(buffers[_MOVES], count, buffers[_BANNED], bans))
        if count == 0:
            break
        start = int(draw_any(buffers[_RNG], count))
        player = int(ptr8(work)[0])
        if c[EXPLORE] != 0 and int(draw(buffers[_RNG], c[EXPLORE])) == 0:
            least = choose[_LEAST]
            choice = int(least(buffers, node, count, start))
        elif modes & ROOTED != 0 and ply == 0 and level == 0:
            at_root = choose[_AT_ROOT]
            choice = int(at_root(buffers, node, count, start, grows))
        else:
            choice = int(select(buffers, node, reference, player, count, start, grows))
        if bans != 0:  # the places, if it holds them, all of them again
            for i in range(count + bans):
                ptr16(buffers[_MOVES])[i] = i
        if choice >= _NEW:
            number = choice - _NEW
            new = 1
        else:
            node = choice
            number = int(ptr16(tree[_MOVE])[node])
        move = number
        note = number
        if kind != _TABLE:
            note = 0
            if kind == _PLACES:
                note = int(ptr16(buffers[_CODES])[number])
            if kind < _UNLISTED:
                move = int(ptr16(listed)[number])
        play(work, move)
        last = move
        trace[ply] = note + player * _SECOND
        ply += 1
    if p[level * _LEVEL + _RECYCLES] == _LRU:
        lift(tree, level, buffers[_PATH], first, nodes)
    if modes & MORE != 0:
        c[LAST] = last
        if new != 0 and node != root and visits[node] < c[EXPAND_AFTER]:
            new = 0
    if new != 0:
        node = int(add(tree, level, node, number))
        if node != _NONE:
            path[nodes] = node
            if modes & NOTING != 0:
                note_position = choose[_NOTE]
                note_position(buffers, rules, nodes)
            nodes += 1
    c[NODES] = nodes
    c[PLY] = ply


@micropython.viper
def is_settled(buffers) -> int:
    # 1 if the second-level search may stop: its mean is at most MARGIN (hopeless) or at least
    # 1 - MARGIN (decided), so that more playouts would add little.
    c = ptr32(buffers[_CONTROL])
    tree = buffers[_TREE]
    p = ptr32(tree[_POOLS])
    root = int(p[_LEVEL + _POOL_ROOT])
    most = _WIN * ptr16(tree[_VISITS])[root]
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
    if ptr32(tree[_POOLS])[_RECYCLES] == _LRU:
        put_back(tree, 0, buffers[_PATH], 0, c[TOP_NODES])
    c[DONE_SECOND] = 0
    c[DONE_TOP] += 1


@micropython.viper
def simulate(buffers, rules, parts) -> int:
    # One playout by the policy, or by one of several; its points for the first player.
    c = ptr32(buffers[_CONTROL])
    choose = parts[_CHOOSE]
    switched = 0
    if c[POLICIES] != 0:
        switch = choose[_SWITCH]
        switched = int(switch(buffers[_SWITCHING], c[POLICIES], c[SWITCH]))
        c[POLICY] = switched // _STRIDE
        c[ARGUMENT] = ptr32(buffers[_SWITCHING])[switched]
    play = parts[_PLAYS][c[POLICY]]
    length = int(play(buffers, rules, c[ARGUMENT]))
    c[LENGTH] = length
    worth = choose[_VALUE]
    points = int(worth(buffers, rules, length))
    if c[MODES] & COUNTING != 0:
        count = choose[_COUNT]
        points = int(count(buffers, points))
    for i in range(int(c[LEARNERS])):
        learn = parts[_LEARNS][i]
        learn(buffers, length, points)
    if c[POLICIES] != 0:
        credit = choose[_CREDIT]
        won = points
        if c[TURN] != 0:
            won = _WIN - points
        credit(buffers[_SWITCHING], c[POLICIES], switched, won)
    return points


@micropython.viper
def run(buffers, rules, parts, count: int) -> int:
    # Up to `count` playouts; fewer when the search is complete. Returns how many it made.
    c = ptr32(buffers[_CONTROL])
    root = buffers[_ROOT]
    leaf = buffers[_LEAF]
    work = buffers[_WORK]
    tree = buffers[_TREE]
    p = ptr32(tree[_POOLS])
    copy = rules[_COPY]
    give = parts[_CHOOSE][_GIVE]
    done = 0
    while done < count and c[DONE_TOP] < c[P_TOP]:
        if c[DONE_SECOND] == 0:  # an iteration of the top level begins
            copy(work, root)
            c[NODES] = 0
            c[PLY] = 0
            descend(buffers, rules, parts, 0)
            c[TOP_NODES] = c[NODES]
            c[TOP_PLY] = c[PLY]
            if c[P_SECOND] != 0:
                copy(leaf, work)
        if c[P_SECOND] != 0:
            copy(work, leaf)
            c[NODES] = c[TOP_NODES]
            c[PLY] = c[TOP_PLY]
            descend(buffers, rules, parts, 1)
        points = int(simulate(buffers, rules, parts))
        end = int(c[LENGTH])
        if c[MODES] & MORE != 0:
            end = (end * c[SPAN]) // WHOLE
        back_up(
            buffers[_PATH], c[NODES], c[TOP_NODES], c[TOP_PLY], buffers[_TRACE], end,
            c[TURN], points, c[TABLE_AFTER], buffers[_CODE_OF], buffers[_MARKS], buffers[_TOUCHED],
            tree,
        )  # fmt: skip
        if c[MODES] & LEAN != 0:
            give(buffers)
        c[PLAYOUTS] += 1
        done += 1
        if c[P_SECOND] == 0:
            if p[_RECYCLES] == _LRU:
                put_back(tree, 0, buffers[_PATH], 0, c[TOP_NODES])
            c[DONE_TOP] += 1
        else:
            if p[_LEVEL + _RECYCLES] == _LRU:
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
def sample(buffers, rules, parts, count: int) -> int:
    # `count` playouts from the root without a tree; the first player's points. The yardstick of
    # the benchmarks.
    c = ptr32(buffers[_CONTROL])
    copy = rules[_COPY]
    c[NODES] = 0
    c[PLY] = 0
    if c[MODES] & MORE != 0:
        c[LAST] = c[ROOT_LAST]
    total = 0
    for i in range(count):
        copy(buffers[_WORK], buffers[_ROOT])
        total += int(simulate(buffers, rules, parts))
    return total
