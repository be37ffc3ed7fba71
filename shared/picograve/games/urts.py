"""Skirmishes in real time, after microRTS: 4, 8 or 16 units a side on a square grid, all at once.

Rules, those of Guba and Gemrot, "Comparison of Monte Carlo Tree Search Variants" (CEUR 4092). Time
goes in ticks. A unit moves one cell up, right, down or left, hits a cell next to it, or waits; what
it does takes effect when its time has passed:

              hit points   damage   move     attack
    Light     4            2        8 ticks  5 ticks
    Heavy     4            4        12       5

A cell is for one unit, from when it starts to move there. Who has no unit left has lost; after
1,000 ticks more hit points win.

Players do not steer: they give a unit a script, which it follows over many ticks, towards the
closest enemy (steps; the first of equals).
    N  NOKAV: go there, attack until it is hurt or gone
    K  Kiter: the same, then three cells straight away from it, if it still lives
A script ends as well when there is no way; a new one that cannot even start is a tick of waiting.
A move is a script for each unit of a player that has nothing to do, bit i for the i-th of them: 2
to the power of units moves, without a list.

Who decides when. Scripts are asked at every tick with an idle unit; then each player decides for
those of his that have none, before he sees what the other does in this tick: his orders are kept
back until both have decided. Then all start at once; of two units that start into the same cell in
one tick a coin makes one wait for as long as the shorter move takes. Coins are drawn from the state
and stirred by every move, so the same moves lead to the same battle.

What a search knows. The state of a real battle holds what the player to move must not see: orders
that are kept back, and which scripts the enemy's units follow. So a copy of it is the battle as
this player sees it (`conceal`), and searches work on copies. There he decides first at every tick,
and the enemy sees it, his units being free as soon as they are idle. Fifty times of asking scripts
between two decisions count as a dead lock, in which all units vanish; who searches has then lost,
as he has whenever both sides are gone. A playout is as the real battle again, at random, and a draw
after `cut` ticks.

Options. cut: ticks of a playout. coins: where the coins start. battle: map and units, see `Game`;
scatter: the seed of a battle by chance.
Two mistakes in the programs with which the paper was made, off unless asked for:
    doubled  in a playout, scripts that ran at the leaf are asked by both players whenever both have
             an idle unit, and half of their moves become waits (in all rewards but wp, rb, qb, rqb)
    stale    a playout starts with the scripts that were left at the end of the one before, in
             place of those at the leaf (wp, rb, qb and rqb); a search then depends on earlier ones

A state is a header, a record for each unit and a bit for each cell, 149, 261 and 421 bytes for 4,
8 and 16 a side, and the scratch of path search, which no copy takes along: 547, 1,419 and 1,995
bytes in all; with `stale` 25, 49 and 97 more.
"""

from picograve import games
from picograve.errors import BadInput
from picograve.kernel import RUNTIME, allocate, const, int, micropython, ptr8, ptr32
from picograve.rng import draw, start

# The state, bytes. Numbers of two bytes have the low one first.
_TURN = const(0)  # the player to move
_SIDE = const(1)  # units a side at most: player 0 has those from 0 on, player 1 from here on
_MAP = const(2)  # cells in a row
_TIME = const(3)  # ticks so far, two bytes
_END = const(5)  # when the battle is over, or the playout; two bytes
_CUT = const(7)  # ticks of a playout, two bytes
_COINS = const(9)  # state of the coins, two bytes
_MODE = const(11)
_SEARCHER = const(12)  # who searches; nobody in a real battle
_ASKED = const(13)  # 1 if the scripts were asked since time passed
_ALIVE = const(14)  # units left, of each player
_BUGS = const(16)  # a sum of the bits below
_UNITS = const(17)  # records, then the bits of the cells, then scratch

# A record.
_RECORD = const(9)
_PAIR = const(18)  # two records
_KIND = const(0)  # 0 Light, 1 Heavy
_X = const(1)  # from 1 on
_Y = const(2)
_HP = const(3)  # hit points; 0: it is gone, and so is all that follows
_ACTION = const(4)  # what it does, 0 nothing
_LEFT = const(5)  # ticks until that takes effect; 0: it has not started
_SCRIPT = const(6)
_TARGET = const(7)  # the unit that it attacks; the x where it retreats to
_SEEN = const(8)  # hit points of the target when attacked, 0 if it was not; the y of a retreat

# Actions, in each direction: up, right, down, left.
_MOVE = const(1)
_ATTACK = const(5)
_WAIT = const(9)

_NOKAV = const(1)
_KITER = const(2)
_RETREAT = const(3)  # Kiter's second half
_SCRIPTS = const(3)  # bits of these
_HELD = const(4)  # added in a playout with `doubled`: it ran at the leaf

# Modes. In a search, what is decided starts at once, seen by all.
_REAL = const(0)
_SEARCH = const(1)
_PLAYOUT = const(2)

_DOUBLED = const(1)
_STALE = const(2)

# A cell is 32 * y + x; a border of taken cells is all around.
_ROW = const(32)
_COLUMN = const(31)
_ROW_BYTES = const(4)
_STEPS = const(33 * 256 + 64 * 65536 + 31 * 16777216)  # 32 + what a direction adds to a cell

_LIMIT = const(1000)  # ticks
_LIGHT_MOVE = const(8)
_HEAVY_MOVE = const(12)
_ATTACK_TIME = const(5)
_HURT = const(2)  # damage of a Light; a Heavy's is twice that
_FLIGHT = const(3)  # cells of a retreat
_POCKET = const(16)  # cells that are looked at before a long search
_PATIENCE = const(50)  # rounds of scripts until a dead lock
_DRAW = const(1)  # = picograve.value.DRAW


@micropython.viper
def moves(s: ptr8, out) -> int:
    # How many; nothing is written.
    if s[_ALIVE] == 0 or s[_ALIVE + 1] == 0:
        return 0
    if 256 * s[_TIME + 1] + s[_TIME] >= 256 * s[_END + 1] + s[_END]:
        return 0
    side = int(s[_SIDE])
    unit = _UNITS + _RECORD * side * s[_TURN]
    count = 1
    for i in range(side):
        if s[unit + _HP] != 0 and s[unit + _ACTION] == 0:
            count += count
        unit += _RECORD
    return count


@micropython.viper
def legal(state, move: int) -> int:
    return int(move < int(moves(state, state)))


@micropython.viper
def idle(s: ptr8, player: int) -> int:
    # Units of a player that do nothing.
    side = int(s[_SIDE])
    unit = _UNITS + _RECORD * side * player
    count = 0
    for i in range(side):
        if s[unit + _HP] != 0 and s[unit + _ACTION] == 0:
            count += 1
        unit += _RECORD
    return count


@micropython.viper
def taken(s: ptr8, cell: int) -> int:
    # 1 if a unit is there, or is on its way there, or it is not on the map.
    return (int(s[_UNITS + _PAIR * s[_SIDE] + (cell >> 3)]) >> (cell & 7)) & 1


@micropython.viper
def take(s: ptr8, cell: int):
    s[_UNITS + _PAIR * s[_SIDE] + (cell >> 3)] |= 1 << (cell & 7)


@micropython.viper
def leave(s: ptr8, cell: int):
    s[_UNITS + _PAIR * s[_SIDE] + (cell >> 3)] &= 255 - (1 << (cell & 7))


@micropython.viper
def place(s: ptr8, unit: int) -> int:
    # The cell of a unit; units are given by where their records start.
    return _ROW * s[unit + _Y] + s[unit + _X]


@micropython.viper
def ahead(cell: int, direction: int) -> int:
    return cell + ((_STEPS >> (8 * direction)) & 255) - _ROW


@micropython.viper
def distance(a: int, b: int) -> int:
    # Steps from one cell to another.
    across = (a & _COLUMN) - (b & _COLUMN)
    down = (a >> 5) - (b >> 5)
    if across < 0:
        across = 0 - across
    if down < 0:
        down = 0 - down
    return across + down


@micropython.viper
def walk(state, start: int, goal: int, near: int) -> int:
    # The action that A* finds, where no unit is in the way: the last of the four directions that
    # leads closer, step by step. 0 if one is.
    s = ptr8(state)
    grid = _UNITS + _PAIR * s[_SIDE]
    action = 0
    cell = start
    while int(distance(cell, goal)) > near:
        across = (cell & _COLUMN) - (goal & _COLUMN)
        down = (cell >> 5) - (goal >> 5)
        found = 0
        for k in range(4):
            direction = 3 - k
            closer = int(across > 0)
            if direction == 2:
                closer = int(down < 0)
            elif direction == 1:
                closer = int(across < 0)
            elif direction == 0:
                closer = int(down > 0)
            if closer != 0 and found == 0:
                next_cell = int(ahead(cell, direction))
                if (int(s[grid + (next_cell >> 3)]) >> (next_cell & 7)) & 1 == 0:
                    found = _MOVE + direction
        if found == 0:
            return 0
        if action == 0:
            action = found
        cell = int(ahead(cell, found - _MOVE))
    return action


@micropython.viper
def find_way(state, start: int, goal: int, near: int) -> int:
    # The action that A* finds to a cell `near` (0 or 1) steps from the goal, 0 if there is no way.
    # The estimate is the distance, cells are queued once, up first and left last, and of equal
    # ones the last is looked at first. A step leads one closer or one away, so that a way has the
    # length of those queued before it or two more: two stacks hold them all, one from each end of
    # the scratch, S * S entries of two bytes: x + 32 * direction of the first step, and y.
    s = ptr8(state)
    rows = _ROW_BYTES * (s[_MAP] + 2)
    grid = _UNITS + _PAIR * s[_SIDE]
    marks = grid + rows  # taken or queued
    bottom = marks + rows
    top = bottom + 2 * s[_MAP] * int(s[_MAP])
    for i in range(rows):
        s[marks + i] = s[grid + i]
    low = bottom
    high = top
    upward = 1  # whether the stack in use is the low one
    cell = start
    first = 4
    while True:
        far = int(distance(cell, goal))
        for direction in range(4):
            next_cell = int(ahead(cell, direction))
            bit = 1 << (next_cell & 7)
            if s[marks + (next_cell >> 3)] & bit == 0:
                s[marks + (next_cell >> 3)] |= bit
                entry = first
                if first == 4:
                    entry = direction
                entry = (next_cell & _COLUMN) + _ROW * entry
                closer = int(int(distance(next_cell, goal)) < far)
                if closer == upward:
                    s[low] = entry
                    s[low + 1] = next_cell >> 5
                    low += 2
                else:
                    high -= 2
                    s[high] = entry
                    s[high + 1] = next_cell >> 5
        if upward != 0 and low == bottom:
            upward = 0
        elif upward == 0 and high == top:
            upward = 1
        if upward != 0:
            if low == bottom:
                return 0
            low -= 2
            entry = low
        else:
            if high == top:
                return 0
            entry = high
            high += 2
        first = int(s[entry])
        cell = _ROW * s[entry + 1] + (first & _COLUMN)
        first = first >> 5
        if int(distance(cell, goal)) <= near:
            return _MOVE + first


@micropython.viper
def is_shut_in(state, start: int, goal: int, near: int) -> int:
    # 1 if the goal is taken, or units close it in on few cells: then A* would look at all the rest
    # of the map in vain, as it mostly does where there is no way. It uses the same scratch.
    if near == 0 and int(taken(state, goal)) != 0:
        return 1
    s = ptr8(state)
    rows = _ROW_BYTES * (s[_MAP] + 2)
    grid = _UNITS + _PAIR * s[_SIDE]
    marks = grid + rows
    bottom = marks + rows
    for i in range(rows):
        s[marks + i] = s[grid + i]
    s[marks + (start >> 3)] &= 255 - (1 << (start & 7))
    top = bottom
    cell = goal
    left = int(_POCKET)
    while left > 0:
        for direction in range(4):
            next_cell = int(ahead(cell, direction))
            bit = 1 << (next_cell & 7)
            if s[marks + (next_cell >> 3)] & bit == 0:
                if next_cell == start:
                    return 0
                s[marks + (next_cell >> 3)] |= bit
                s[top] = next_cell & 255
                s[top + 1] = next_cell >> 8
                top += 2
        if top == bottom:
            return 1
        top -= 2
        cell = 256 * s[top + 1] + s[top]
        left -= 1
    return 0


@micropython.viper
def step(state, start: int, goal: int, near: int) -> int:
    # As find_way, which is asked only where it must be: most ways are free, most others closed.
    action = int(walk(state, start, goal, near))
    if action == 0 and int(is_shut_in(state, start, goal, near)) == 0:
        action = int(find_way(state, start, goal, near))
    return action


@micropython.viper
def closest(state, unit: int) -> int:
    # The number of the enemy that is fewest steps away, the first of equals.
    s = ptr8(state)
    side = int(s[_SIDE])
    first = side
    if unit >= _UNITS + _RECORD * side:
        first = 0
    cell = int(place(state, unit))
    other = _UNITS + _RECORD * first
    found = first
    least = 2 * _ROW
    for i in range(side):
        if s[other + _HP] != 0:
            steps = int(distance(cell, int(place(state, other))))
            if steps < least:
                least = steps
                found = first + i
        other += _RECORD
    return found


@micropython.viper
def flee(s: ptr8, own: int, enemy: int) -> int:
    # The coordinate that Kiter retreats to, within the map.
    to = own + _FLIGHT * (own - enemy)
    if to < 1:
        to = 1
    if to > s[_MAP]:
        to = int(s[_MAP])
    return to


@micropython.viper
def follow(state, unit: int) -> int:
    # The next action of a unit's script; 0 if it is over, or cannot go on.
    s = ptr8(state)
    cell = int(place(state, unit))
    near = 0
    goal = _ROW * s[unit + _SEEN] + s[unit + _TARGET]  # of a retreat
    if s[unit + _SCRIPT] & _SCRIPTS != _RETREAT:
        target = _UNITS + _RECORD * s[unit + _TARGET]
        if s[target + _HP] == 0:
            return 0
        if s[target + _HP] >= s[unit + _SEEN]:  # not hurt, or not attacked
            near = 1
            goal = int(place(state, target))
            s[unit + _SEEN] = 0
            if int(distance(cell, goal)) == 1:
                s[unit + _SEEN] = s[target + _HP]
                direction = 0
                while int(ahead(cell, direction)) != goal:
                    direction += 1
                return _ATTACK + direction
        elif s[unit + _SCRIPT] & _SCRIPTS == _NOKAV:
            return 0
        else:
            x = int(flee(state, int(s[unit + _X]), int(s[target + _X])))
            y = int(flee(state, int(s[unit + _Y]), int(s[target + _Y])))
            s[unit + _SCRIPT] += _RETREAT - _KITER
            s[unit + _TARGET] = x
            s[unit + _SEEN] = y
            goal = _ROW * y + x
    if goal == cell:
        return 0
    return int(step(state, cell, goal, near))


@micropython.viper
def stir(s: ptr8, number: int) -> int:
    # Goes on with the coins; the next one.
    z = ((256 * s[_COINS + 1] + s[_COINS]) * 25173 + 13849 + number) & 65535
    s[_COINS] = z & 255
    s[_COINS + 1] = z >> 8
    return z >> 15


@micropython.viper
def time_of(s: ptr8, unit: int) -> int:
    # Ticks of a move.
    if s[unit + _KIND] != 0:
        return _HEAVY_MOVE
    return _LIGHT_MOVE


@micropython.viper
def issue(state, unit: int):
    # A unit starts to do what it shall.
    s = ptr8(state)
    action = int(s[unit + _ACTION])
    if action == _WAIT:
        s[unit + _LEFT] = 1
    elif action >= _ATTACK:
        s[unit + _LEFT] = _ATTACK_TIME
    else:
        time = int(time_of(state, unit))
        s[unit + _LEFT] = time
        goal = int(ahead(int(place(state, unit)), action - _MOVE))
        if int(taken(state, goal)) == 0:
            take(state, goal)
        else:  # by one that has started there in this tick: the cell was free when it began
            other = int(_UNITS)
            while True:
                doing = int(s[other + _ACTION])
                if other != unit and doing != 0 and doing < _ATTACK and s[other + _LEFT] != 0:
                    if int(ahead(int(place(state, other)), doing - _MOVE)) == goal:
                        break
                other += _RECORD
            shorter = int(time_of(state, other))
            if time < shorter:
                shorter = time
            if int(stir(state, 0)) != 0:
                unit = other
            s[unit + _ACTION] = _WAIT
            s[unit + _LEFT] = shorter


@micropython.viper
def issue_all(state):
    # All that have not started what they shall do start, in a search those of who searches first.
    s = ptr8(state)
    half = _RECORD * s[_SIDE]
    doubled = 0
    if s[_MODE] == _PLAYOUT and s[_BUGS] & _DOUBLED != 0:
        doubled = 1
        for player in range(2):
            busy = 1
            unit = _UNITS + half * player
            for i in range(int(s[_SIDE])):
                if s[unit + _ACTION] != 0 and s[unit + _LEFT] == 0:
                    busy = 0
                unit += _RECORD
            if busy != 0:
                doubled = 0
    unit = int(_UNITS)
    if s[_MODE] == _SEARCH and s[_SEARCHER] != 0:
        unit += half
    for i in range(2 * s[_SIDE]):
        if s[unit + _ACTION] != 0 and s[unit + _LEFT] == 0:
            issue(state, unit)
            if doubled != 0 and s[unit + _SCRIPT] >= _HELD and s[unit + _ACTION] < _ATTACK:
                if int(stir(state, 0)) != 0:
                    leave(state, int(ahead(int(place(state, unit)), s[unit + _ACTION] - _MOVE)))
                    s[unit + _ACTION] = _WAIT
        unit += _RECORD
        if unit == _UNITS + 2 * half:
            unit = int(_UNITS)


@micropython.viper
def ask(state):
    # What the scripts of idle units do next, each on its own; those that are over go.
    s = ptr8(state)
    unit = int(_UNITS)
    for i in range(2 * s[_SIDE]):
        if s[unit + _ACTION] == 0 and s[unit + _SCRIPT] != 0:
            action = int(follow(state, unit))
            s[unit + _ACTION] = action
            if action == 0:
                s[unit + _SCRIPT] = 0
        unit += _RECORD


@micropython.viper
def strike(state, cell: int, damage: int):
    # Hit whoever is on a cell. One who falls and was to strike in this tick still does.
    s = ptr8(state)
    unit = int(_UNITS)
    for i in range(2 * s[_SIDE]):
        if s[unit + _HP] != 0 and int(place(state, unit)) == cell:
            if s[unit + _HP] > damage:
                s[unit + _HP] -= damage
            else:
                s[unit + _HP] = 0
                s[unit + _SCRIPT] = 0
                s[_ALIVE + int(i >= s[_SIDE])] -= 1
                leave(state, cell)
                if s[unit + _LEFT] != 0:
                    action = int(s[unit + _ACTION])
                    if action < _ATTACK:
                        leave(state, int(ahead(cell, action - _MOVE)))
                    s[unit + _LEFT] = 0
                    s[unit + _ACTION] = 0
        unit += _RECORD


@micropython.viper
def pass_time(state):
    # As many ticks as nothing happens, and the next. What takes effect together does so in the
    # order in which it was started: moves, which take longer, before attacks.
    s = ptr8(state)
    count = 2 * s[_SIDE]
    time = 256 * s[_TIME + 1] + s[_TIME]
    ticks = 256 * s[_END + 1] + s[_END] - time
    unit = int(_UNITS)
    for i in range(count):
        if s[unit + _LEFT] != 0 and s[unit + _LEFT] < ticks:
            ticks = int(s[unit + _LEFT])
        unit += _RECORD
    time += ticks
    s[_TIME] = time & 255
    s[_TIME + 1] = time >> 8
    s[_ASKED] = 0
    strikes = 0
    unit = int(_UNITS)
    for i in range(count):
        if s[unit + _LEFT] != 0:
            s[unit + _LEFT] -= ticks
            if s[unit + _LEFT] == 0:
                action = int(s[unit + _ACTION])
                if action < _ATTACK:
                    cell = int(place(state, unit))
                    leave(state, cell)
                    cell = int(ahead(cell, action - _MOVE))
                    s[unit + _X] = cell & _COLUMN
                    s[unit + _Y] = cell >> 5
                    s[unit + _ACTION] = 0
                elif action == _WAIT:
                    s[unit + _ACTION] = 0
                else:
                    strikes = 1
        unit += _RECORD
    if strikes != 0:
        unit = int(_UNITS)
        for i in range(count):
            if s[unit + _ACTION] != 0 and s[unit + _LEFT] == 0:
                cell = int(ahead(int(place(state, unit)), s[unit + _ACTION] - _ATTACK))
                s[unit + _ACTION] = 0
                strike(state, cell, _HURT << int(s[unit + _KIND]))
            unit += _RECORD


@micropython.viper
def vanish(s: ptr8):
    # All units go: a dead lock.
    unit = int(_UNITS)
    for i in range(2 * s[_SIDE]):
        for field in range(_HP, _RECORD):
            s[unit + field] = 0
        unit += _RECORD
    s[_ALIVE] = 0
    s[_ALIVE + 1] = 0


@micropython.viper
def is_over(s: ptr8) -> int:
    if s[_ALIVE] == 0 or s[_ALIVE + 1] == 0:
        return 1
    return int(256 * s[_TIME + 1] + s[_TIME] >= 256 * s[_END + 1] + s[_END])


@micropython.viper
def keep_scripts(s: ptr8, back: int):
    # Copies the scripts of all units behind the scratch, or back from there for those whose
    # target is left; the byte before them says whether there are any.
    kept = _UNITS + _PAIR * s[_SIDE] + 2 * _ROW_BYTES * (s[_MAP] + 2)
    kept += 2 * s[_MAP] * int(s[_MAP])
    if back != 0 and s[kept] == 0:
        return
    s[kept] = 1
    kept += 1
    unit = int(_UNITS)
    for i in range(2 * s[_SIDE]):
        for field in range(_SCRIPT, _RECORD):
            if back == 0:
                s[kept] = s[unit + field]
            else:
                s[unit + field] = s[kept]
            kept += 1
        if back != 0:
            script = s[unit + _SCRIPT] & _SCRIPTS
            if s[unit + _HP] == 0:
                s[unit + _SCRIPT] = 0
            elif script != 0 and script != _RETREAT:
                if s[_UNITS + _RECORD * s[unit + _TARGET] + _HP] == 0:
                    s[unit + _SCRIPT] = 0
        unit += _RECORD


@micropython.viper
def advance(state):
    # To the next decision, or to the end.
    s = ptr8(state)
    searching = int(s[_MODE] == _SEARCH)
    rounds = 0
    while int(is_over(state)) == 0:
        player = searching * s[_SEARCHER]
        count = int(idle(state, player))
        if count == 0:
            player = 1 - player
            count = int(idle(state, player))
        starts = int(count == 0)
        if count != 0:
            if searching != 0 and rounds == _PATIENCE:
                vanish(state)
            elif s[_ASKED] == 0:
                ask(state)
                s[_ASKED] = 1
                rounds += 1
                starts = searching
            else:
                s[_TURN] = player
                return
        if starts != 0:
            issue_all(state)
        if count == 0:
            pass_time(state)
    if s[_MODE] == _PLAYOUT and s[_BUGS] & _STALE != 0:
        keep_scripts(state, 0)


@micropython.viper
def show_orders(state, shown: int):
    # Whether the cells into which the player's units shall start are taken.
    s = ptr8(state)
    unit = _UNITS + _RECORD * s[_SIDE] * s[_TURN]
    for i in range(int(s[_SIDE])):
        action = int(s[unit + _ACTION])
        if action != 0 and action < _ATTACK and s[unit + _LEFT] == 0:
            cell = int(ahead(int(place(state, unit)), action - _MOVE))
            if shown != 0:
                take(state, cell)
            else:
                leave(state, cell)
        unit += _RECORD


@micropython.viper
def decide(state, move: int):
    # The player's idle units get scripts, the last one first; each sees where those before go.
    s = ptr8(state)
    apart = int(s[_MODE] != _SEARCH)
    if apart != 0:
        show_orders(state, 1)
    bit = int(idle(state, int(s[_TURN])))
    unit = _UNITS + _RECORD * s[_SIDE] * (s[_TURN] + 1)
    for i in range(int(s[_SIDE])):
        unit -= _RECORD
        if s[unit + _HP] != 0 and s[unit + _ACTION] == 0:
            bit -= 1
            s[unit + _SCRIPT] = _NOKAV + ((move >> bit) & 1)
            s[unit + _TARGET] = int(closest(state, unit))
            s[unit + _SEEN] = 0
            action = int(follow(state, unit))
            if action == 0:
                s[unit + _SCRIPT] = 0
                action = int(_WAIT)
            s[unit + _ACTION] = action
            if apart == 0:
                issue(state, unit)
            elif action < _ATTACK:
                take(state, int(ahead(int(place(state, unit)), action - _MOVE)))
    if apart != 0:
        show_orders(state, 0)


@micropython.viper
def play(state, move: int):
    stir(state, move)
    if ptr8(state)[_ASKED] != 0:
        decide(state, move)
    advance(state)


@micropython.viper
def conceal(state):
    # The battle as the player to move sees it: the enemy's orders and scripts are forgotten, his
    # own orders have started.
    s = ptr8(state)
    s[_MODE] = _SEARCH
    s[_SEARCHER] = s[_TURN]
    unit = _UNITS + _RECORD * s[_SIDE] * (1 - s[_TURN])
    for i in range(int(s[_SIDE])):
        s[unit + _SCRIPT] = 0
        if s[unit + _LEFT] == 0:
            s[unit + _ACTION] = 0
        unit += _RECORD
    issue_all(state)


@micropython.viper
def copy(to, state):
    # Of a real battle, what the player to move sees; the scratch stays.
    t = ptr8(to)
    s = ptr8(state)
    for i in range(_UNITS + _PAIR * s[_SIDE] + _ROW_BYTES * (s[_MAP] + 2)):
        t[i] = s[i]
    if s[_MODE] == _REAL:
        conceal(to)


@micropython.viper
def begin(state):
    # A playout starts: it ends `cut` ticks from now, if the battle does not before.
    s = ptr8(state)
    if s[_MODE] == _REAL:
        conceal(state)
    s[_MODE] = _PLAYOUT
    end = 256 * s[_TIME + 1] + s[_TIME] + 256 * s[_CUT + 1] + s[_CUT]
    if end > _LIMIT:
        end = int(_LIMIT)
    s[_END] = end & 255
    s[_END + 1] = end >> 8
    if s[_BUGS] & _STALE != 0:
        keep_scripts(state, 1)
        s[_ASKED] = 0  # so that the first move is none: these scripts are asked before
    if s[_BUGS] & _DOUBLED != 0:
        unit = int(_UNITS)
        for i in range(2 * s[_SIDE]):
            if s[unit + _SCRIPT] != 0:
                s[unit + _SCRIPT] |= _HELD
            unit += _RECORD


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # Random scripts; moves without codes need no notes.
    s = ptr8(state)
    r = ptr32(rng)
    z = r[0]
    w = r[1]
    begin(state)
    while int(is_over(state)) == 0:
        z = 18000 * (z & 65535) + (z >> 16)
        w = 30903 * (w & 65535) + (w >> 16)
        play(state, (((z & 65535) + w) & 65535) >> (16 - int(idle(state, int(s[_TURN])))))
        length += 1
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def strength(s: ptr8, player: int) -> int:
    # The sum of a player's hit points.
    unit = _UNITS + _RECORD * s[_SIDE] * player
    total = 0
    for i in range(int(s[_SIDE])):
        total += s[unit + _HP]
        unit += _RECORD
    return total


@micropython.viper
def evaluate(state) -> int:
    return int(strength(state, 0)) - int(strength(state, 1))


@micropython.viper
def bound(state, player: int) -> int:
    # All that the player has left against nothing.
    return int(strength(state, player)) + int(ptr8(state)[_ALIVE + player] == 0)


@micropython.viper
def outcome(state) -> int:
    # A playout that was cut is a draw. Nobody left: a draw, in a search a loss of who searches.
    s = ptr8(state)
    lead = int(s[_ALIVE]) - int(s[_ALIVE + 1])
    if s[_ALIVE] != 0 and s[_ALIVE + 1] != 0:
        lead = 0
        if 256 * s[_TIME + 1] + s[_TIME] >= _LIMIT:
            lead = int(evaluate(state))
    elif lead == 0 and s[_MODE] != _REAL:
        return 2 * s[_SEARCHER]
    if lead == 0:
        return _DRAW
    return 2 * int(lead > 0)


# Cells in a row, and the first player's units; the second player's are the same, turned by half.
_BATTLES = {
    4: "13 L0,8 L3,7 H2,5 H0,4",
    8: "23 L5,1 L8,1 L6,2 L3,2 H8,8 H1,0 H1,2 H2,10",
    16: "27 L6,11 L8,12 L9,14 L9,13 L9,12 L1,14 L9,8 L6,13 "
    "H4,13 H0,13 H10,12 H6,17 H3,14 H9,11 H5,16 H7,12",
}
_FULL = 4  # hit points
_MOST_CELLS = 30  # in a row
_DIRECTIONS = ("up", "right", "down", "left")


def _number(text):
    number = 0  # `int` is the kernels' here
    for digit in text:
        number = 10 * number + "0123456789".index(digit)
    return number


def _units(text, side):
    """Both players' units in a battle, lists of (0 Light or 1 Heavy, x, y)."""
    halves = []
    for half in text.split("/"):
        units = []
        for word in half.split():
            if word[0] in "LH":
                x, y = word[1:].split(",")
                units.append(("LH".index(word[0]), _number(x), _number(y)))
        halves.append(units)
    if len(halves) == 1:
        halves.append([(kind, side - 1 - x, side - 1 - y) for kind, x, y in halves[0]])
    return halves


def _scattered(size, seed):
    """A battle by chance on the usual map: Lights, then as many Heavies, left of the middle."""
    numbers = allocate("i", 2)
    start(numbers, seed)
    cells = _BATTLES[size].split()[0]
    side = _number(cells)
    places = []
    while len(places) < size:
        place = "%d,%d" % (draw(numbers, side // 2), draw(numbers, side))
        if place not in places:
            places.append(place)
    return " ".join([cells] + ["LH"[2 * i // size] + place for i, place in enumerate(places)])


class Game(games.Game):
    """Skirmishes of one size; protocols.pyi says what the attributes mean.

    `battle` is the map and the units: "13 L0,8 H2,5 / L5,5" has 13 x 13 cells, 0,0 above on the
    left, a Light and a Heavy of the first player against a Light. Without the part from / on, the
    second player has the same, turned by half. `scatter` is the seed of a battle by chance.
    """

    title = "Skirmish"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    begin = staticmethod(begin)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    players = ("blue", "red")
    options = ("cut", "coins", "battle", "scatter", "doubled", "stale")
    scripts = (("NOKAV", 0), ("Kiter", 65535))
    lists = False
    hides = True
    default_size = 4
    sizes = (4, 8, 16)
    code_count = most_moves = 0
    move_cap = 2 * _LIMIT  # each player once a tick

    def __init__(self, size, cut=100, coins=1, battle=None, scatter=0, doubled=False, stale=False):
        self.size = size
        self.cut = cut
        self.coins = coins
        self.scatter = scatter
        if RUNTIME != "micropython":
            if scatter not in range(2**30):
                raise BadInput("scatter is a seed, 0 to %d, not %s" % (2**30 - 1, scatter))
            if scatter and battle:
                raise BadInput("units are scattered or in a battle, not both")
        if scatter:
            battle = _scattered(size, scatter)
        self.battle = battle or _BATTLES[size]
        self.doubled = doubled
        self.stale = stale
        self.playout_cap = min(2 * cut, 2 * _LIMIT)
        self.move_limit = 1 << size
        if RUNTIME != "micropython":
            if cut not in range(1, _LIMIT + 1):
                raise BadInput("cut must be 1 to %d ticks, not %s" % (_LIMIT, cut))
            if coins not in range(65536):
                raise BadInput("coins must be 0 to 65535, not %s" % coins)
            self.need_switches("doubled", "stale")
            fault = _fault(self.battle, size)
            if fault:
                raise BadInput("no battle: %s" % fault)
        self.cells = _number(self.battle.split()[0])
        rows = _ROW_BYTES * (self.cells + 2)
        self.state_bytes = _UNITS + _PAIR * size + 2 * rows + 2 * self.cells * self.cells
        if stale:
            self.state_bytes += 1 + 6 * size

    def reset(self, state):
        for i in range(self.state_bytes):
            state[i] = 0
        state[_SIDE] = self.size
        state[_MAP] = self.cells
        for field, number in ((_END, _LIMIT), (_CUT, self.cut), (_COINS, self.coins)):
            state[field], state[field + 1] = number & 255, number >> 8
        state[_BUGS] = _DOUBLED * self.doubled + _STALE * self.stale
        state[_ASKED] = 1
        for i in range(self.cells + 2):
            for cell in (i, _ROW * i, _ROW * i + self.cells + 1, _ROW * (self.cells + 1) + i):
                take(state, cell)
        for player, units in enumerate(_units(self.battle, self.cells)):
            state[_ALIVE + player] = len(units)
            for i, (kind, x, y) in enumerate(units):
                unit = _UNITS + _RECORD * (self.size * player + i)
                for field, number in ((_KIND, kind), (_X, x + 1), (_Y, y + 1), (_HP, _FULL)):
                    state[unit + field] = number
                take(state, place(state, unit))

    def text(self, move):
        """A letter for each unit that decides, up to the last K: KNK; N if there is none."""
        letters = ""
        while move:
            letters += "NK"[move & 1]
            move >>= 1
        return letters or "N"

    def find(self, text):
        """The move of such letters; there may be more N at the end."""
        move = 0
        for i, letter in enumerate(text):
            if letter not in "nk" or i == self.size:
                return None
            move |= "nk".index(letter) << i
        return move if text else None

    def _places(self, state):
        """(player, record) of the units that are left."""
        found = []
        for i in range(2 * self.size):
            unit = _UNITS + _RECORD * i
            if state[unit + _HP]:
                found.append((i // self.size, unit))
        return found

    def _name(self, state, player, unit):
        """L4: a Light with 4 hit points; small letters are the second player's."""
        return ("LH", "lh")[player][state[unit + _KIND]] + str(state[unit + _HP])

    def show(self, state):
        """The map as lines of text, what units do, and who decides for which."""
        cells = {}
        doing, deciding = [], []
        strengths = strength(state, 0), strength(state, 1)
        state = bytes(state)
        for player, unit in self._places(state):
            name = self._name(state, player, unit)
            x, y = state[unit + _X] - 1, state[unit + _Y] - 1
            cells[x, y] = name
            name = "%s %d,%d" % (name, x, y)
            action, left = state[unit + _ACTION], state[unit + _LEFT]
            if not action and player == state[_TURN]:
                deciding.append(name)
            # What started in this tick is not shown: the other must not see it.
            full = _HEAVY_MOVE if state[unit + _KIND] else _LIGHT_MOVE
            if action >= _ATTACK:
                full = _ATTACK_TIME
            if 0 < action < _WAIT and 0 < left < full:
                verb = "moves" if action < _ATTACK else "hits"
                direction = _DIRECTIONS[(action - 1) & 3]
                doing.append("%s %s %s in %d" % (name, verb, direction, left))
        lines = ["   " + "".join(["%3d" % x for x in range(self.cells)])]
        for y in range(self.cells):
            row = ["%3s" % cells.get((x, y), ".") for x in range(self.cells)]
            lines.append("%3d" % y + "".join(row))
        time = state[_TIME] + 256 * state[_TIME + 1]
        lines.append("tick %d, hit points %d to %d" % ((time,) + strengths))
        if doing:
            lines.append("; ".join(doing))
        if deciding:
            lines.append("%s decides for %s" % (self.players[state[_TURN]], ", ".join(deciding)))
        return "\n".join(lines)

    def score(self, state):
        """The result in words."""
        points = outcome(state)
        strengths = strength(state, 0), strength(state, 1)
        what = "draw" if points == _DRAW else self.players[points == 0] + " wins"
        return what + ", hit points %d to %d" % strengths


if RUNTIME != "micropython":

    def _fault(battle, size):
        """What is wrong with the text of a battle, in a few words; None if nothing is."""
        words = battle.replace("/", " / ").split() if isinstance(battle, str) else [""]
        if (
            not words[:1]
            or not _is_number(words[0])
            or _number(words[0]) not in range(3, _MOST_CELLS + 1)
        ):
            return "it starts with the cells in a row, 3 to %d" % _MOST_CELLS
        cells = _number(words[0])
        for word in words[1:]:
            x, _, y = word[1:].partition(",")
            if word != "/" and (word[0] not in "LH" or not (_is_number(x) and _is_number(y))):
                return "a unit is L or H and its place, such as L0,8, not %s" % word
        if words.count("/") > 1:
            return "there are two sides, one / between them"
        seen = []
        for units in _units(battle, cells):
            if not 1 <= len(units) <= size:
                return "a side has 1 to %d units, not %d" % (size, len(units))
            for _, x, y in units:
                if x not in range(cells) or y not in range(cells):
                    return "%d,%d is not on a map of %d x %d cells" % (x, y, cells, cells)
                if (x, y) in seen:
                    return "two units are at %d,%d" % (x, y)
                seen.append((x, y))
        return None

    def _is_number(text):
        return text.isascii() and text.isdigit() and len(text) < 4
