"""Children of the Galaxy: two fleets on a hexagonal grid, 4, 8 or 16 ships a side.

Rules of this file, after the program of P. Guba and J. Gemrot, "Comparison of Monte Carlo Tree
Search Variants" (CEUR 4092); where its text and its results differ, after its results. The players
take turns. In a turn each of a player's ships acts once, in a fixed order, by one of two scripts:

    NOKAV   shoots at the most valuable foe in range. If there is none, it goes toward the closest
            foe and then shoots, if it can
    Kiter   the same, and after a shot it flees from the closest foe with what its engines have left

So a move is a script for each ship that is left, 2 to the number of ships at a time, and has no
list: the bits of its number are the ships, 1 for Kiter, the lowest one for the last ship. Who has
no ship left has lost. After `limit` turns the larger sum of hulls wins. A playout ends after `cut`
turns, a draw.

               hull   shots, each takes        shields, recharge   range   steps
    battleship 20     2,  0.5 of either        6 or 8,  0.56       4       6
    destroyer  10     6,  1 hull, 0.5 shield   1.65 or 2.2, 0.11   2       5

A shot strikes the target's shield on that side; what is too much for it goes to the hull. All shots
of a turn go to one target. Hulls have one decimal, halves are rounded to even.

What the program does against its intention, and its results therefore with it: a player's shields
may recharge up to a hundredth of what they were only (`shields`: coded, or full), so they are
next to nothing from the second turn on; a path has to pay for the hex it starts from; and a tree
tries the scripts of the last ships first (`children`: nested, or random). A path search gives up
after 128 hexes, one in ten thousand. Which of several shortest paths it finds was left to a heap;
ours goes by directions and age (`way_round`), and stays within 7 hexes of the ship. That choice
matters: of battles of 16 ships a side with random scripts, the first player won 303 of 1000 with
this order, and 65 of 100 with a plain binary heap's.

A hex is (Q, R), and on the map if neither Q nor R nor Q + R is beyond 66; the sun fills (0, 0) and
its neighbours. Directions 0 to 5 are (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1). There is
no board in the state, which would take 13 kB: before a ship moves, its surroundings of 15 x 15
hexes are drawn. A state has 369 + 32 * size bytes: 497, 625, 881. Amounts are whole tenths (hulls)
and hundredths (shields).
"""

from picograve import games
from picograve.errors import BadInput
from picograve.kernel import RUNTIME, allocate, const, int, micropython, ptr8, ptr32
from picograve.rng import draw, start

# The state, bytes.
_TURN = const(0)  # player to move, 0 or 1
_COUNT = const(1)  # ships of a player, at _COUNT + player
_SIZE = const(3)  # ... at most
_LEFT = const(4)  # turns until the end: 256 * s[_LEFT + 1] + s[_LEFT]
_CUT = const(6)  # turns that a playout may have, in the same way
_SHORT = const(8)  # 1 if it ends there
_FULL = const(9)  # 1 if shields recharge in full
_AREA = const(10)  # 15 x 15 hexes around a ship that moves; scratch
_CENTRE = const(122)  # _AREA + 112, the ship
_QUEUE = const(235)  # hexes that a path search has touched; scratch
_UNITS = const(369)  # the first player's, then the second's; who is left, in the order of action

# A ship.
_Q = const(0)  # and _MIDDLE
_R = const(1)
_KIND = const(2)  # 8 * kind + facing
_HULL = const(3)  # in tenths
_SHIELD = const(4)  # in hundredths, for each side 256 * s[_SHIELD + 1] + s[_SHIELD]
_UNIT = const(16)

_BATTLESHIP = const(0)
_DESTROYER = const(1)
_MIDDLE = const(66)  # half the map

# Steps and 1, 2 bits for each direction.
_EAST = const(1 + (1 << 6) + (2 << 8) + (2 << 10))  # of Q
_SOUTH = const((1 << 2) + (2 << 4) + (2 << 6) + (1 << 8))  # of R

# The area: 0 free, 8 * (steps to there + 1) + direction of the last one, or
_OUTSIDE = const(254)  # not on the map
_TAKEN = const(255)  # by a ship or the sun
_WIDTH = const(15)
_HALF = const(7)

_PATIENCE = const(128)  # hexes that a path search may touch
_LONGEST = const(30)  # steps of a path, and 1
_DONE = const(255)  # in the queue

# Shields, the lowest bits for side 0.
_CODED = const(6 + (8 << 4) + (8 << 8) + (6 << 12) + (8 << 16) + (8 << 20))  # of a battleship
_CODED_SMALL = const(2)  # of a destroyer, on each side
_STRONG = const(2 + 4 + 16 + 32)  # sides of a battleship with 8, not 6
_STRONG_SMALL = const(1 + 2 + 32)  # sides of a destroyer with 2.2, not 1.65
_SHOT = const(50)  # what a shot takes from a shield

_FAR = const(999)
_TURNS = const(1000)


@micropython.viper
def copy(to: ptr8, s: ptr8):
    for i in range(_AREA):
        to[i] = s[i]
    at = int(_UNITS)
    for player in range(2):
        for i in range(at, at + _UNIT * s[_COUNT + player]):
            to[i] = s[i]
        at += _UNIT * s[_SIZE]


@micropython.viper
def is_over(s: ptr8) -> int:
    if s[_COUNT] == 0 or s[_COUNT + 1] == 0:
        return 1
    return int(int(s[_LEFT]) + int(s[_LEFT + 1]) == 0)


@micropython.viper
def moves(state, out) -> int:
    # How many; they are 0 to that.
    s = ptr8(state)
    if int(is_over(state)) != 0:
        return 0
    return 1 << int(s[_COUNT + s[_TURN]])


@micropython.viper
def legal(state, move: int) -> int:
    return int(move < int(moves(state, state)))


@micropython.viper
def far(q: int, r: int) -> int:
    # The distance of two hexes that differ by q and r.
    both = q + r
    if q < 0:
        q = 0 - q
    if r < 0:
        r = 0 - r
    if both < 0:
        both = 0 - both
    if r > q:
        q = r
    if both > q:
        q = both
    return q


@micropython.viper
def heading(q: int, r: int) -> int:
    # The direction of a vector: each part by its length, rounded; one that is more than half as
    # long as the whole counts. Where both are the same, Q's does.
    a = 0
    b = 0
    if 3 * q * q > r * r:
        a = 1 if q > 0 else -1
    if 3 * r * r > q * q:
        b = 1 if r > 0 else -1
    if a == b:
        b = 0
    if a == 0:
        return 0 if b < 0 else 3
    if a < 0:
        return 1 if b == 0 else 2
    return 4 if b == 0 else 5


@micropython.viper
def shield_of(s: ptr8, at: int, side: int) -> int:
    return 256 * s[at + _SHIELD + 1 + 2 * side] + s[at + _SHIELD + 2 * side]


@micropython.viper
def most_shield(kind: int, side: int, full: int) -> int:
    if full == 0:
        return (_CODED >> (4 * side)) & 15 if kind == _BATTLESHIP else _CODED_SMALL
    if kind == _BATTLESHIP:
        return 600 + 200 * ((_STRONG >> side) & 1)
    return 165 + 55 * ((_STRONG_SMALL >> side) & 1)


@micropython.viper
def look(state, at: int, reach: int) -> int:
    # The most valuable foe within reach of the ship; if there is none, the closest one, and below
    # 0. The first of several. A foe's value is what it can do in a turn, 2 or 7.8, by hull and
    # mean shield.
    s = ptr8(state)
    q = int(s[at + _Q])
    r = int(s[at + _R])
    foe = 1 - int(s[_TURN])
    other = _UNITS + _UNIT * foe * int(s[_SIZE])
    near = int(_FAR)
    closest = 0
    best = 0
    power = 0
    body = 0
    for i in range(int(s[_COUNT + foe])):
        d = int(far(s[other + _Q] - q, s[other + _R] - r))
        if d < near:
            near = d
            closest = other
        if d <= reach:
            does = 20 if int(s[other + _KIND]) >> 3 == _BATTLESHIP else 78
            stands = 60 * s[other + _HULL]
            for side in range(6):
                stands += int(shield_of(state, other, side))
            if best == 0 or does * body > power * stands:
                best = other
                power = does
                body = stands
        other += _UNIT
    if best != 0:
        return best
    return 0 - closest


@micropython.viper
def fire(state, at: int, target: int):
    # All shots of a ship at a target.
    s = ptr8(state)
    q = int(s[target + _Q]) - int(s[at + _Q])
    r = int(s[target + _R]) - int(s[at + _R])
    way = int(heading(q, r))
    s[at + _KIND] = (s[at + _KIND] & 8) + way
    side = way + 9 - (s[target + _KIND] & 7)  # of the target: from where the shot comes
    while side >= 6:
        side -= 6
    shots = 2
    harm = 5
    if int(s[at + _KIND]) >> 3 == _DESTROYER:
        shots = 6
        harm = 10
    shield = int(shield_of(state, target, side))
    hull = int(s[target + _HULL])
    for i in range(shots):
        if hull > 0:
            if shield >= _SHOT:
                shield -= _SHOT
            elif shield > 0:
                left = 10 * hull + shield - _SHOT  # in hundredths
                shield = 0
                hull = 0
                if left > 0:
                    hull = left // 10
                    rest = left - 10 * hull
                    if rest > 5 or (rest == 5 and hull & 1 == 1):
                        hull += 1
            else:
                hull -= harm
    if hull > 0:
        s[target + _HULL] = hull
        s[target + _SHIELD + 2 * side] = shield & 255
        s[target + _SHIELD + 1 + 2 * side] = shield >> 8
    else:  # those behind it close up
        foe = 1 - int(s[_TURN])
        s[_COUNT + foe] -= 1
        end = _UNITS + _UNIT * (foe * int(s[_SIZE]) + int(s[_COUNT + foe]))
        for i in range(target, end):
            s[i] = s[i + _UNIT]


@micropython.viper
def survey(s: ptr8, at: int):
    # Draw the area around a ship.
    for i in range(_AREA, _QUEUE):
        s[i] = 0
    q0 = int(s[at + _Q]) - _HALF
    r0 = int(s[at + _R]) - _HALF
    if int(far(q0 + _HALF - _MIDDLE, r0 + _HALF - _MIDDLE)) > _MIDDLE - 2 * _HALF:
        for q in range(_WIDTH):
            for r in range(_WIDTH):
                if int(far(q0 + q - _MIDDLE, r0 + r - _MIDDLE)) > _MIDDLE:
                    s[_AREA + _WIDTH * q + r] = _OUTSIDE
    for player in range(2):
        other = _UNITS + _UNIT * player * int(s[_SIZE])
        for i in range(int(s[_COUNT + player])):
            q = s[other + _Q] - q0
            r = s[other + _R] - r0
            if q >= 0 and q < _WIDTH and r >= 0 and r < _WIDTH:
                s[_AREA + _WIDTH * q + r] = _TAKEN
            other += _UNIT
    for way in range(7):
        q = _MIDDLE - q0
        r = _MIDDLE - r0
        if way < 6:
            q += ((_EAST >> (2 * way)) & 3) - 1
            r += ((_SOUTH >> (2 * way)) & 3) - 1
        if q >= 0 and q < _WIDTH and r >= 0 and r < _WIDTH:
            s[_AREA + _WIDTH * q + r] = _TAKEN


@micropython.viper
def ring(s: ptr8, q: int, r: int, radius: int, steps: int, nearest: int) -> int:
    # Of the hexes in a ring around (q, r), as seen from the ship, that are not taken and at most so
    # many steps away: the nearest, or just the first. Its place in the state; 0 if there is none.
    least = int(far(q, r)) - radius
    if least < 0:
        least = 0 - least
    q += radius
    found = 0
    limit = steps + 1
    for way in range(6):
        a = ((_EAST >> (2 * way)) & 3) - 1
        b = ((_SOUTH >> (2 * way)) & 3) - 1
        for i in range(radius):
            q += a
            r += b
            d = int(far(q, r))
            if d < limit:
                place = _CENTRE + _WIDTH * q + r
                if s[place] != _TAKEN:
                    if nearest == 0 or d == least:
                        return place
                    found = place
                    limit = d
    return found


@micropython.viper
def way_round(s: ptr8, goal: int) -> int:
    # A*: how many steps the shortest path to a hex of the area has; 0 if none is found. Hexes that
    # it touches are in the queue and hold the steps to there and the last one's direction. Of those
    # with as many steps and as far to go, the one that was touched first goes on first.
    to_q = (goal - _AREA) // _WIDTH
    to_r = goal - _AREA - _WIDTH * to_q
    s[_CENTRE] = 8
    s[_QUEUE] = _CENTRE - _AREA
    count = 1
    waiting = 1
    level = int(far(to_q - _HALF, to_r - _HALF))
    while waiting != 0:
        stays = 0
        i = 0
        while i < count:
            place = int(s[_QUEUE + i])
            if place != _DONE:
                q = place // _WIDTH
                r = place - _WIDTH * q
                steps = int(s[_AREA + place]) >> 3  # and 1
                if steps - 1 + int(far(to_q - q, to_r - r)) == level:
                    if _AREA + place == goal:
                        return steps - 1
                    if count >= _PATIENCE or steps == _LONGEST:
                        return 0
                    s[_QUEUE + i] = _DONE
                    waiting -= 1
                    stays = 1
                    for way in range(6):
                        a = q + ((_EAST >> (2 * way)) & 3) - 1
                        b = r + ((_SOUTH >> (2 * way)) & 3) - 1
                        if a >= 0 and a < _WIDTH and b >= 0 and b < _WIDTH:
                            place = _WIDTH * a + b
                            known = int(s[_AREA + place])
                            if known == 0:
                                s[_QUEUE + count] = place
                                count += 1
                                waiting += 1
                            if known == 0 or (known < _OUTSIDE and known >> 3 > steps + 1):
                                s[_AREA + place] = 8 * steps + 8 + way
            i += 1
        level += 1 - stays
    return 0


@micropython.viper
def go(state, at: int, goal: int, steps: int) -> int:
    # Move a ship toward a hex of the area that is not taken; the steps that are left.
    # Mostly nothing is in the way: each step is in the first direction that leads nearer.
    s = ptr8(state)
    if s[goal] == _OUTSIDE:
        return steps
    to_q = (goal - _AREA) // _WIDTH
    to_r = goal - _AREA - _WIDTH * to_q - _HALF
    to_q -= _HALF
    length = int(far(to_q, to_r))
    q = 0
    r = 0
    facing = 0
    n = length
    while n > 0:
        way = 0
        while way < 6:
            a = q + ((_EAST >> (2 * way)) & 3) - 1
            b = r + ((_SOUTH >> (2 * way)) & 3) - 1
            if s[_CENTRE + _WIDTH * a + b] == 0 and int(far(to_q - a, to_r - b)) < n:
                break
            way += 1
        if way == 6:
            break
        facing = way
        q = a
        r = b
        n -= 1
    if n > 0:
        length = int(way_round(state, goal))
        if length == 0:
            return steps
        q = to_q
        r = to_r
        facing = s[goal] & 7
        for i in range(length - steps):  # back to where the engines stop
            q -= ((_EAST >> (2 * facing)) & 3) - 1
            r -= ((_SOUTH >> (2 * facing)) & 3) - 1
            facing = s[_CENTRE + _WIDTH * q + r] & 7
    s[at + _Q] += q
    s[at + _R] += r
    s[at + _KIND] = (s[at + _KIND] & 8) + facing
    left = steps - length - 1
    if left < 0:
        return 0
    return left


@micropython.viper
def travel(state, at: int, q: int, r: int, radius: int, steps: int, nearest: int) -> int:
    # Move a ship to the hex (q, r), as seen from it, or in a ring around it, the smallest that has
    # a hex it can reach, from `radius` on, and smaller than its distance. With `nearest`, first try
    # for the nearest hex in the first ring. The steps that are left.
    s = ptr8(state)
    survey(state, at)
    distance = int(far(q, r))
    goal = 0
    if nearest == 0 and s[_CENTRE + _WIDTH * q + r] != _TAKEN:
        goal = _CENTRE + _WIDTH * q + r
    while goal == 0:
        if nearest == 0 and radius < distance - steps:
            radius = distance - steps  # smaller rings are out of reach
        if radius >= distance:
            return steps
        goal = int(ring(state, q, r, radius, steps, nearest))
        nearest = 0
        radius += 1
    return int(go(state, at, goal, steps))


@micropython.viper
def act(state, at: int, kites: int):
    # A ship's part of a turn: phase 0 approach, 1 nothing more to approach, 2 flight.
    s = ptr8(state)
    reach = 4
    steps = 6
    if int(s[at + _KIND]) >> 3 == _DESTROYER:
        reach = 2
        steps = 5
    phase = 0
    while phase < 3:
        foe = int(look(state, at, -1 if phase == 2 else reach))
        if foe > 0:
            fire(state, at, foe)
            if kites == 0 or steps == 0 or s[_COUNT + 1 - int(s[_TURN])] == 0:
                return
            phase = 2
        elif phase == 1:
            return
        else:
            foe = 0 - foe
            q = int(s[foe + _Q]) - int(s[at + _Q])
            r = int(s[foe + _R]) - int(s[at + _R])
            radius = reach
            if phase == 2:
                way = int(heading(q, r))
                q = steps * (1 - ((_EAST >> (2 * way)) & 3))
                r = steps * (1 - ((_SOUTH >> (2 * way)) & 3))
                radius = 1
            steps = int(travel(state, at, q, r, radius, steps, int(phase == 0)))
            phase += 1


@micropython.viper
def play(state, move: int):
    s = ptr8(state)
    player = int(s[_TURN])
    foe = 1 - player
    count = int(s[_COUNT + player])
    at = _UNITS + _UNIT * player * int(s[_SIZE])
    for i in range(count):
        if s[_COUNT + foe] != 0:
            act(state, at, (move >> (count - 1 - i)) & 1)
        at += _UNIT
    at = _UNITS + _UNIT * foe * int(s[_SIZE])
    for i in range(int(s[_COUNT + foe])):
        kind = int(s[at + _KIND]) >> 3
        recharge = 56 if kind == _BATTLESHIP else 11
        for side in range(6):
            shield = int(shield_of(state, at, side)) + recharge
            most = int(most_shield(kind, side, int(s[_FULL])))
            if shield > most:
                shield = most
            s[at + _SHIELD + 2 * side] = shield & 255
            s[at + _SHIELD + 1 + 2 * side] = shield >> 8
        at += _UNIT
    s[_TURN] = foe
    if s[_LEFT] == 0:
        s[_LEFT + 1] -= 1
        s[_LEFT] = 255
    else:
        s[_LEFT] -= 1


@micropython.viper
def begin(s: ptr8):
    # A playout starts here: it has no more than its share of turns.
    if 256 * s[_LEFT + 1] + s[_LEFT] > 256 * s[_CUT + 1] + s[_CUT]:
        s[_LEFT] = s[_CUT]
        s[_LEFT + 1] = s[_CUT + 1]
        s[_SHORT] = 1


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    # To the end of the game or of its share of turns, with random scripts; moves have no codes to
    # note. The new length comes back.
    s = ptr8(state)
    r = ptr32(rng)
    z = r[0]
    w = r[1]
    begin(state)
    while int(is_over(state)) == 0:
        z = 18000 * (z & 65535) + (z >> 16)
        w = 30903 * (w & 65535) + (w >> 16)
        bits = ((z & 65535) + w) & 65535
        play(state, bits >> (16 - int(s[_COUNT + s[_TURN]])))
        length += 1
    r[0] = z
    r[1] = w
    return length


@micropython.viper
def hulls(s: ptr8, player: int) -> int:
    at = _UNITS + _UNIT * player * int(s[_SIZE])
    total = 0
    for i in range(int(s[_COUNT + player])):
        total += s[at + _HULL]
        at += _UNIT
    return total


@micropython.viper
def evaluate(state) -> int:
    # Hulls in tenths.
    return int(hulls(state, 0)) - int(hulls(state, 1))


@micropython.viper
def bound(state, player: int) -> int:
    # As if all foes were gone.
    most = int(hulls(state, player))
    if most == 0:
        return 1
    return most


@micropython.viper
def outcome(state) -> int:
    # 2 if the first player has won, 0 if the second has, 1 for a draw.
    s = ptr8(state)
    if s[_SHORT] != 0 and s[_COUNT] != 0 and s[_COUNT + 1] != 0:
        return 1
    lead = int(evaluate(state))
    if lead == 0:
        return 1
    return 2 if lead > 0 else 0


_LETTERS = "BD"  # by kind
_BATTLES = {
    4: "B-11,2 B-8,1 D-9,-1 D-11,-2",
    8: "B-11,-10 B-8,-10 B-10,-9 B-13,-9 D-8,-3 D-15,-11 D-15,-9 D-14,-1",
    16: "B-12,-2 B-10,-1 B-9,1 B-9,0 B-9,-1 B-17,1 B-9,-5 B-12,0 "
    "D-14,0 D-18,0 D-8,-1 D-12,4 D-15,1 D-9,-2 D-13,3 D-11,-1",
}  # the paper's


def _number(text):
    number = 0  # `int` is the kernels' here
    for digit in text[1:] if text[0] == "-" else text:
        number = 10 * number + "0123456789".index(digit)
    return 0 - number if text[0] == "-" else number


def _sides(battle):
    """For each player the ships, (kind, Q, R), of a text such as B-11,2 D-9,-1 / B11,-2 D9,1; the
    second player's are at (-Q, -R) if they are not said.
    """
    sides = []
    for half in battle.split("/"):
        ships = []
        for word in half.split():
            q, r = word[1:].split(",")
            ships.append((_LETTERS.index(word[0]), _number(q), _number(r)))
        sides.append(ships)
    if len(sides) == 1:
        sides.append([(kind, 0 - q, 0 - r) for kind, q, r in sides[0]])
    return sides


def _scattered(size, seed):
    """A battle by chance: battleships, then as many destroyers, on different hexes up to 6 away, in
    Q and in R, from (-14, 0); so has it the paper's generator.
    """
    numbers = allocate("i", 2)
    start(numbers, seed)
    places = []
    while len(places) < size:
        q, r = draw(numbers, 13) - 6, draw(numbers, 13) - 6
        place = "%d,%d" % (q - 14, r)
        if q + r <= 6 and place not in places:
            places.append(place)
    return " ".join([_LETTERS[2 * i // size] + place for i, place in enumerate(places)])


class Game(games.Game):
    """Battles with up to `size` ships a side; protocols.pyi says what the attributes mean.

    Options: `battle` has one's own ships and places (see _sides), `scatter` is the seed of places
    by chance; `shields`, `children`, `cut` and `limit` are explained above.
    """

    title = "Children of the Galaxy"
    rules = (copy, moves, play, playout, outcome)
    legal = staticmethod(legal)
    begin = staticmethod(begin)
    evaluate = staticmethod(evaluate)
    bound = staticmethod(bound)
    players = ("first", "second")
    options = ("battle", "scatter", "shields", "children", "cut", "limit")
    default_size = 8
    sizes = (4, 8, 16)
    lists = False
    scripts = (("NOKAV", 0), ("Kiter", 65535))
    code_count = most_moves = 0

    def __init__(
        self, size, battle="", scatter=0, shields="coded", children="nested", cut=100, limit=_TURNS
    ):
        self.size = size
        self.battle = battle
        self.scatter = scatter
        self.shields = shields
        self.children = children
        self.cut = self.playout_cap = cut
        self.limit = self.move_cap = limit
        self.nested = children == "nested"
        self.state_bytes = _UNITS + 2 * size * _UNIT
        self.move_limit = 1 << size
        if RUNTIME != "micropython":
            fault = self._fault()
            if fault:
                raise BadInput("no battle: %s" % fault)

    @property
    def ships(self):
        """The ships of both at the start, as text."""
        if self.scatter:
            return _scattered(self.size, self.scatter)
        return self.battle or _BATTLES[self.size]

    def reset(self, state):
        for i in range(self.state_bytes):
            state[i] = 0
        state[_SIZE] = self.size
        state[_LEFT], state[_LEFT + 1] = self.limit & 255, self.limit >> 8
        state[_CUT], state[_CUT + 1] = self.cut & 255, self.cut >> 8
        state[_FULL] = self.shields == "full"
        for player, ships in enumerate(_sides(self.ships)):
            state[_COUNT + player] = len(ships)
            at = _UNITS + player * self.size * _UNIT
            for kind, q, r in ships:
                state[at + _Q], state[at + _R] = q + _MIDDLE, r + _MIDDLE
                state[at + _KIND] = 8 * kind
                state[at + _HULL] = 100 if kind else 200
                for side in range(6):
                    shield = most_shield(kind, side, 1)
                    state[at + _SHIELD + 2 * side] = shield & 255
                    state[at + _SHIELD + 1 + 2 * side] = shield >> 8
                at += _UNIT

    def text(self, move):
        """N or K for each ship, in their order; with fewer than `size` ships, theirs stand last."""
        return "".join(["NK"[move >> i & 1] for i in range(self.size - 1, -1, -1)])

    def find(self, text):
        """The move that text(move) calls so; letters of ships that are gone may be left out."""
        move = 0
        for letter in text:
            if letter not in "nk":
                return None
            move = 2 * move + (letter == "k")
        return move if 0 < len(text) <= self.size else None

    def score(self, state):
        """The result in words."""
        words = ("second wins", "draw", "first wins")[outcome(state)]
        sums = hulls(state, 0) / 10, hulls(state, 1) / 10
        return words + ", hulls %.1f to %.1f" % sums

    if RUNTIME != "micropython":

        def show(self, state):
            """The hexes around all ships, the first player's in capitals, and what ships have."""
            places = []
            lines = []
            for player, name in enumerate(self.players):
                for i in range(state[_COUNT + player]):
                    letter, q, r, facing, hull, shields = self.ship(state, player, i)
                    places.append((q, r, letter.lower() if player else letter))
                    amounts = " ".join(["%.2f" % (shield / 100) for shield in shields])
                    lines.append(
                        "%-6s %2d %s hull %4.1f at %3d,%3d facing %d, shields %s"
                        % (name, i + 1, letter, hull / 10, q, r, facing, amounts)
                    )
            return "\n".join(_picture(places) + lines)

        def ship(self, state, player, i):
            """What the i-th ship left has: letter, Q, R, facing, hull, and the list of shields."""
            at = _UNITS + (player * self.size + i) * _UNIT
            q, r, kind, hull = [int(state[at + part]) for part in range(_SHIELD)]
            shields = [shield_of(state, at, side) for side in range(6)]
            return _LETTERS[kind >> 3], q - _MIDDLE, r - _MIDDLE, kind & 7, hull, shields

        def _fault(self):
            """What is wrong with the options, in a few words; None if nothing is."""
            for option, choices in (("shields", "coded full"), ("children", "nested random")):
                if getattr(self, option) not in choices.split():
                    words = option, choices.replace(" ", " or "), getattr(self, option)
                    return "%s are %s, not %s" % words
            if self.limit not in range(1, _TURNS + 1):
                return "limit must be 1 to %d turns, not %s" % (_TURNS, self.limit)
            if self.cut not in range(1, _TURNS + 1):
                return "cut must be 1 to %d turns, not %s" % (_TURNS, self.cut)
            if self.scatter not in range(2**30):
                return "scatter is a seed, 0 to %d, not %s" % (2**30 - 1, self.scatter)
            if self.scatter and self.battle:
                return "ships are scattered or in a battle, not both"
            try:
                sides = _sides(self.ships)
            except (ValueError, IndexError, AttributeError):
                return "write ships as B-11,2 D-9,-1 / B11,-2 D9,1, not %s" % self.battle
            if len(sides) > 2:
                return "there are two sides, not %d" % len(sides)
            taken = set()
            for ships in sides:
                if not 0 < len(ships) <= self.size:
                    return "a side has 1 to %d ships, not %d" % (self.size, len(ships))
                for _, q, r in ships:
                    if far(q, r) > _MIDDLE:
                        return "%d,%d is not on the map" % (q, r)
                    if far(q, r) < 2:
                        return "%d,%d is in the sun" % (q, r)
                    if (q, r) in taken:
                        return "two ships are at %d,%d" % (q, r)
                    taken.add((q, r))
            return None


if RUNTIME != "micropython":

    def _picture(ships):
        """A line for each R; its hexes are two columns apart, and one aside from the line above."""
        cells = {(q, r): "*" for q in (-1, 0, 1) for r in (-1, 0, 1) if abs(q + r) < 2}
        cells.update({(q, r): letter for q, r, letter in ships})
        columns = [2 * q + r for q, r in cells]
        rows = [r for _, r in cells]
        lines = []
        for r in range(min(rows), max(rows) + 1):
            line = ""
            for column in range(min(columns), max(columns) + 1):
                line += " " if (column - r) & 1 else cells.get(((column - r) // 2, r), ".")
            lines.append(line.rstrip())
        return lines
