"""SARSA and Q-learning: what a move is worth, learned from whole games into a table.

As in TICTACTOE (config.py): a game against a player who moves at random is an episode. The
learner takes the best move it knows, or with the probability `wander` any move. What happened
until its next turn, or the end, teaches it the worth Q of its move:

    Q(s, a) += alpha * (r + gamma * next - Q(s, a))

next is Q(s', a') of the move a' it makes at its next turn s' (SARSA) or the largest Q of all
moves there (Q-learning), 0 at the end. The reward r is 100 for a win, -100 for a loss, 0 for
a draw and -1 for a step that does not end the game. a' is drawn before the update for both:
the update changes nothing at s', so to Q-learning it makes no difference.

The table has a fixed number of entries, each for a pair of a position and a move:

    pair_check  i[entries]  30 bits of the pair's hash; 0: free
    pair_value  H[entries]  its Q in 64ths, plus 32768

A pair not in it counts as 0. A pair lies in one of the 8 entries from its hash on. If other
pairs have taken them all, a new one takes the place of the one whose Q is closest to 0: that
changes least, because what is forgotten counts as 0 again. |Q| is at most 100, and 1 for each
step of a game, so it fits (512). A change of Q below 1/128 is lost.

`buffers` is a tuple, `rules` too:

    control     i[..]     settings and counters, named below
    rng         i[2]      state of the random numbers
    opening     B[state]  the first position of the game
    work        B[state]  the position of the episode
    moves       H[codes]  moves of a position
    values      i[codes]  what the table has for them
    position    i[2]      its fingerprint; scratch
    pair_check, pair_value
"""

from picograve.kernel import const, int, micropython, ptr8, ptr16, ptr32
from picograve.mcts.playout.guided import pick_best
from picograve.rng import draw

_CONTROL = const(0)
_RNG = const(1)
_OPENING = const(2)
_WORK = const(3)
_MOVES = const(4)
_VALUES = const(5)
_POSITION = const(6)
_CHECK = const(7)
_VALUE = const(8)

# rules
_COPY = const(0)  # = picograve.games._COPY
_LIST_MOVES = const(1)  # = picograve.games._LIST_MOVES
_PLAY = const(2)  # = picograve.games._PLAY
_OUTCOME = const(4)  # = picograve.games._OUTCOME
_FINGERPRINT = const(8)  # = picograve.games._FINGERPRINT

# control: settings; fractions have 15 binary places
LOOKS_FOR_BEST = const(0)  # 1 Q-learning, 0 SARSA
ALPHA = const(1)
GAMMA = const(2)
WANDER = const(3)
TAKES_FIRST = const(4)  # 1: of equal moves the lowest, 0: any
HOMES = const(5)  # entries at which a window may begin
ROW = const(6)  # of the game's moves, and by how much its source's is longer
SPARE = const(7)
# control: counters
USED = const(8)  # entries
EVICTED = const(9)  # pairs forgotten
DONE = const(10)  # episodes
# control: where the pair looked up last belongs
HOME = const(11)
KEY = const(12)
CONTROL = const(13)  # length of the array

WINDOW = const(8)  # entries in which a pair may lie
_KEY_BITS = const(1073741823)  # 30: a chip passes no larger number without a heap
ZERO = const(32768)  # a Q of 0
_WIN = const(2)  # = picograve.value.WIN
_DRAW = const(1)  # = picograve.value.DRAW
WIN = const(6400)  # the reward of 100; a loss takes as much off
_STEP = const(64)  # what a step takes off: 1
_FRACTION = const(15)
_HALF = const(16384)


@micropython.viper
def clear(buffers, entries: int):
    c = ptr32(buffers[_CONTROL])
    check = ptr32(buffers[_CHECK])
    value = ptr16(buffers[_VALUE])
    for i in range(entries):
        check[i] = 0
        value[i] = ZERO
    c[USED] = 0
    c[EVICTED] = 0
    c[DONE] = 0


@micropython.viper
def look_up(buffers, move: int) -> int:
    # The value of a move in the position whose fingerprint is there; HOME and KEY tell
    # where the pair belongs.
    c = ptr32(buffers[_CONTROL])
    position = ptr32(buffers[_POSITION])
    check = ptr32(buffers[_CHECK])
    move += move // c[ROW] * c[SPARE]
    a = 18000 * (position[0] & 65535) + (position[0] >> 16) + move
    a = 18000 * (a & 65535) + (a >> 16)  # once more: the moves of a position lie far apart
    b = 30903 * (position[1] & 65535) + (position[1] >> 16) + move
    home = a % c[HOMES]
    key = b & _KEY_BITS
    if key == 0:
        key = 1
    c[HOME] = home
    c[KEY] = key
    slot = home
    end = home + WINDOW
    while slot < end and check[slot] != 0:
        if check[slot] == key:
            return int(ptr16(buffers[_VALUE])[slot])
        slot += 1
    return ZERO


@micropython.viper
def recall(buffers, count: int):
    # The values of all moves listed for the position.
    moves = ptr16(buffers[_MOVES])
    values = ptr32(buffers[_VALUES])
    for i in range(count):
        values[i] = int(look_up(buffers, moves[i]))


@micropython.viper
def update(buffers, home: int, key: int, target: int):
    # The value of a pair goes to the target by alpha of the way; a new pair starts at 0.
    c = ptr32(buffers[_CONTROL])
    check = ptr32(buffers[_CHECK])
    value = ptr16(buffers[_VALUE])
    slot = home
    end = home + WINDOW
    weakest = home
    least = ZERO + 1
    while slot < end and check[slot] != 0 and check[slot] != key:
        distance = int(value[slot]) - ZERO
        if distance < 0:
            distance = 0 - distance
        if distance < least:
            least = distance
            weakest = slot
        slot += 1
    if slot == end:
        slot = weakest
        c[EVICTED] += 1
        check[slot] = 0
    elif check[slot] == 0:
        c[USED] += 1
    if check[slot] == 0:
        check[slot] = key
        value[slot] = ZERO
    old = int(value[slot])
    value[slot] = old + (((target - old) * c[ALPHA] + _HALF) >> _FRACTION)


@micropython.viper
def first_best(moves: ptr16, values: ptr32, count: int) -> int:
    # Of the moves with the largest value the one with the lowest number.
    best = 0
    for i in range(1, count):
        ahead = values[i] - values[best]
        if ahead > 0 or (ahead == 0 and moves[i] < moves[best]):
            best = i
    return int(moves[best])


@micropython.viper
def choose(control: ptr32, moves, values, count: int, rng) -> int:
    # Epsilon-greedy, epsilon being WANDER.
    if int(draw(rng, 32768)) < control[WANDER]:
        return int(ptr16(moves)[int(draw(rng, count))])
    if control[TAKES_FIRST] != 0:
        return int(first_best(moves, values, count))
    return int(pick_best(moves, values, count, rng))


@micropython.viper
def answer(buffers, rules, player: int):
    # The other player moves at random until it is the learner's turn, or the game is over.
    work = buffers[_WORK]
    list_moves = rules[_LIST_MOVES]
    play = rules[_PLAY]
    count = int(list_moves(work, buffers[_MOVES]))
    while count != 0 and ptr8(work)[0] != player:
        play(work, int(ptr16(buffers[_MOVES])[int(draw(buffers[_RNG], count))]))
        count = int(list_moves(work, buffers[_MOVES]))


@micropython.viper
def face(buffers, rules) -> int:
    # The learner's turn: its moves and their values. Their number, 0 if the game is over.
    work = buffers[_WORK]
    list_moves = rules[_LIST_MOVES]
    fingerprint = rules[_FINGERPRINT]
    count = int(list_moves(work, buffers[_MOVES]))
    fingerprint(work, buffers[_POSITION])
    recall(buffers, count)
    return count


@micropython.viper
def largest(values: ptr32, count: int) -> int:
    best = int(values[0])
    for i in range(1, count):
        if values[i] > best:
            best = int(values[i])
    return best


@micropython.viper
def play_episode(buffers, rules, player: int) -> int:
    # A game as that player, learning; its half points.
    c = ptr32(buffers[_CONTROL])
    work = buffers[_WORK]
    copy = rules[_COPY]
    play = rules[_PLAY]
    outcome = rules[_OUTCOME]
    copy(work, buffers[_OPENING])
    answer(buffers, rules, player)
    has_moved = 0
    home = 0  # of the last move
    key = 0
    count = int(face(buffers, rules))
    while count != 0:
        move = int(
            choose(buffers[_CONTROL], buffers[_MOVES], buffers[_VALUES], count, buffers[_RNG])
        )
        after = int(look_up(buffers, move))
        next_home = int(c[HOME])
        next_key = int(c[KEY])
        if has_moved != 0:
            if c[LOOKS_FOR_BEST] != 0:
                after = int(largest(buffers[_VALUES], count))
            target = ZERO - _STEP + (((after - ZERO) * c[GAMMA] + _HALF) >> _FRACTION)
            update(buffers, home, key, target)
        has_moved = 1
        home = next_home
        key = next_key
        play(work, move)
        answer(buffers, rules, player)
        count = int(face(buffers, rules))
    points = int(outcome(work))
    if player != 0:
        points = _WIN - points
    update(buffers, home, key, ZERO + (points - _DRAW) * WIN)
    return points


@micropython.viper
def run(buffers, rules, count: int):
    # So many episodes, as the first player and as the second in turn.
    c = ptr32(buffers[_CONTROL])
    for i in range(count):
        play_episode(buffers, rules, c[DONE] & 1)
        c[DONE] += 1


@micropython.viper
def hash_table(check: ptr32, value: ptr16, entries: int, out: ptr32):
    # Two numbers that depend on every pair, its Q and where it lies.
    a = 1
    b = 2
    for i in range(entries):
        a = 18000 * (a & 65535) + (a >> 16) + (check[i] >> 16)
        a = 18000 * (a & 65535) + (a >> 16) + value[i]
        b = 30903 * (b & 65535) + (b >> 16) + (check[i] & 65535)
    out[0] = a
    out[1] = b
