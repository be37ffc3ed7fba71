"""The rules of games/cotg.py once more, slowly: ships are objects, hexes are pairs, amounts are
decimal numbers, directions and values floats. Nothing in Battle knows the kernels.

    cd tests/support; python -m skirmish.fleets 1000   # compares so many games of each size
"""

import heapq
import math
import random
import sys
from decimal import ROUND_HALF_EVEN, Decimal

from picograve import Position, load

RADIUS = 66
DIRECTIONS = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))
AROUND = 7  # how far from its start a path may lead, in Q and in R
KINDS = {
    # hull, hull and shield damage of a shot, weapon energy, range, engines, shields at the start,
    # recharge a turn, shields at most as coded
    "B": ("20", "0.5", "0.5", "2", 4, 6, "6 8 8 6 8 8", "0.56", "0.06 0.08 0.08 0.06 0.08 0.08"),
    "D": (
        "10", "1", "0.5", "5.2", 2.2, 5,
        "2.2 2.2 1.65 1.65 1.65 2.2", "0.11", "0.02 0.02 0.02 0.02 0.02 0.02",
    ),
}  # fmt: skip


def rounded(number, digits):
    return number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)


def distance(a, b):
    dq, dr = b[0] - a[0], b[1] - a[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def step(place, direction, times=1):
    dq, dr = DIRECTIONS[direction]
    return place[0] + times * dq, place[1] + times * dr


def direction(a, b):
    dq, dr = b[0] - a[0], b[1] - a[1]
    length = math.sqrt(dq * dq + dr * dr)
    q, r = round(dq / length), round(dr / length)
    return DIRECTIONS.index((q, 0 if q == r else r))


def ring(centre, radius):
    place = centre[0] + radius, centre[1]
    for side in range(6):
        for _ in range(radius):
            place = step(place, side)
            yield place


def on_map(place):
    return max(abs(place[0]), abs(place[1]), abs(sum(place))) <= RADIUS


class Ship:
    def __init__(self, letter, place):
        row = KINDS[letter]
        self.letter, self.place, self.facing = letter, place, 0
        self.hull, self.damage, self.shield_damage, self.weapon = [Decimal(x) for x in row[:4]]
        self.range, self.engines = row[4:6]
        self.shields = [Decimal(x) for x in row[6].split()]
        self.full = list(self.shields)
        self.recharge = Decimal(row[7])
        self.coded = [Decimal(x) for x in row[8].split()]

    def value(self):
        """What it can do by what it can stand; floats that mean the same are the same."""
        strength = float((self.damage + self.shield_damage) * self.weapon)
        return round(strength / (float(self.hull) + sum(map(float, self.shields)) / 6), 9)


class Battle:
    def __init__(self, ships, real_shields=False, limit=1000):
        """ships: for each player a list of (letter, (Q, R))."""
        self.sides = [[Ship(*ship) for ship in side] for side in ships]
        self.turn, self.ply, self.limit, self.real = 0, 0, limit, real_shields

    @property
    def is_over(self):
        return self.ply == self.limit or not all(self.sides)

    def hull(self, player):
        return sum(ship.hull for ship in self.sides[player])

    def passable(self, place):
        return distance(place, (0, 0)) > 1 and place not in self.taken()

    def taken(self):
        return {ship.place for side in self.sides for ship in side}

    def play(self, scripts):
        """scripts: N or K for each living ship, in order."""
        own, self.foes = self.sides[self.turn], self.sides[1 - self.turn]
        assert len(scripts) == len(own)
        for ship, script in zip(own, scripts, strict=True):
            if self.foes:
                self.act(ship, script)
        self.turn, self.ply = 1 - self.turn, self.ply + 1
        for ship in self.foes:
            most = ship.full if self.real else ship.coded
            for i, shield in enumerate(ship.shields):
                ship.shields[i] = rounded(min(shield + ship.recharge, most[i]), 2)

    def act(self, ship, script):
        ship.left = ship.engines
        target = self.best_in_range(ship)
        if not target:
            goal = self.goal(self.closest(ship), ship)
            if goal is None:
                return
            self.move(ship, goal)
            target = self.best_in_range(ship)
        if target:
            self.attack(ship, target)
            if script == "K" and ship.left > 0 and self.foes:
                away = (direction(ship.place, self.closest(ship).place) + 3) % 6
                goal = self.near(step(ship.place, away, ship.left), ship, 1)
                if goal is not None:
                    self.move(ship, goal)

    def best_in_range(self, ship):
        found = [foe for foe in self.foes if distance(ship.place, foe.place) <= ship.range]
        return max(found, key=Ship.value, default=None)

    def closest(self, ship):
        return min(self.foes, key=lambda foe: distance(ship.place, foe.place))

    def goal(self, foe, ship):
        found = [h for h in ring(foe.place, int(ship.range)) if self.reachable(ship, h)]
        if found:
            return min(found, key=lambda h: distance(ship.place, h))
        return self.near(foe.place, ship, int(ship.range))

    def near(self, place, ship, radius):
        if self.passable(place):
            return place
        while radius < distance(ship.place, place):
            for found in ring(place, radius):
                if self.reachable(ship, found):
                    return found
            radius += 1
        return None

    def reachable(self, ship, place):
        return distance(ship.place, place) <= ship.left and self.passable(place)

    def attack(self, ship, foe):
        ship.facing = direction(ship.place, foe.place)
        struck = ((ship.facing + 3) - foe.facing + 6) % 6
        energy = ship.weapon
        while energy > 0:
            energy = max(rounded(energy - 1, 1), Decimal(0))
            if foe.shields[struck] > 0:
                left = rounded(foe.shields[struck] - ship.shield_damage, 2)
                foe.shields[struck] = max(left, Decimal(0))
                foe.hull = rounded(foe.hull + min(left, Decimal(0)), 1)
            else:
                foe.hull = rounded(foe.hull - ship.damage, 1)
            if foe.hull <= 0:
                self.foes.remove(foe)
                break

    def move(self, ship, goal):
        path = self.path(ship.place, goal)
        if not path:
            return
        for place in path[: ship.left]:
            ship.facing = DIRECTIONS.index((place[0] - ship.place[0], place[1] - ship.place[1]))
            ship.place = place
        ship.left = max(0, ship.left - len(path) - 1)

    def path(self, start, goal):
        """By A*; [] if there is none, or it is not found before 128 hexes are touched."""
        steps, before, order = {start: 0}, {}, {start: 0}
        heap = [(distance(start, goal), 0, start)]
        done, taken = set(), self.taken()
        while heap and on_map(goal):
            _, _, place = heapq.heappop(heap)
            if place == goal:
                path = []
                while place != start:
                    path.insert(0, place)
                    place = before[place]
                return path
            if place in done:
                continue
            if len(order) >= 128:
                return []
            done.add(place)
            for way in range(6):
                then = step(place, way)
                near = max(abs(then[0] - start[0]), abs(then[1] - start[1])) <= AROUND
                free = then not in taken and distance(then, (0, 0)) > 1
                if near and on_map(then) and free:
                    if steps[place] + 1 < steps.get(then, 999):
                        steps[then], before[then] = steps[place] + 1, place
                        order.setdefault(then, len(order))
                        guess = steps[then] + distance(then, goal)
                        heapq.heappush(heap, (guess, order[then], then))
        return []


def ships_of(text):
    """What Battle takes, of an option `battle`."""
    sides = []
    for half in text.split("/"):
        words = [(word[0], word[1:].split(",")) for word in half.split()]
        sides.append([(letter, (int(q), int(r))) for letter, (q, r) in words])
    if len(sides) == 1:
        sides.append([(letter, (-q, -r)) for letter, (q, r) in sides[0]])
    return sides


def any_battle(size, dice):
    """Fleets of any strength, close together, anywhere on the map: at its edge, around the sun."""
    free = [(q, r) for q in range(-RADIUS, RADIUS + 1) for r in range(-RADIUS, RADIUS + 1)]
    free = [place for place in free if on_map(place) and distance(place, (0, 0)) > 1]
    middle = dice.choice([place for place in free if distance(place, (0, 0)) not in range(9, 58)])
    close = [place for place in free if distance(place, middle) <= 7]
    dice.shuffle(close)
    sides = [
        " ".join(
            "%s%d,%d" % (dice.choice("BD"), *close.pop()) for _ in range(dice.randint(1, size))
        )
        for _ in range(2)
    ]
    return " / ".join(sides)


def compare(game, dice):
    """Play a random game by the kernels and by the slow rules; they must agree after every turn."""
    position = Position(game)
    state = position.buffers["root"]
    battle = Battle(ships_of(game.ships), game.shields == "full", game.limit)
    while not position.is_over:
        scripts = dice.choices("NK", k=len(battle.sides[battle.turn]))
        battle.play(scripts)
        position.play("".join(scripts))
        assert position.turn == battle.turn
        for player, ships in enumerate(battle.sides):
            assert len(ships) == state[1 + player]
            for i, ship in enumerate(ships):
                shields = [int(100 * shield) for shield in ship.shields]
                slow = (ship.letter, *ship.place, ship.facing, int(10 * ship.hull), shields)
                assert game.ship(state, player, i) == slow, (battle.ply, player, i)
    assert battle.is_over
    lead = battle.hull(0) - battle.hull(1)
    assert position.points == 1 + (lead > 0) - (lead < 0)
    return battle.ply


if __name__ == "__main__":
    for size in (4, 8, 16):
        turns = 0
        for number in range(int(sys.argv[1])):
            dice = random.Random(number)
            options = {"shields": "full"} if number % 5 == 1 else {}
            if number % 5 > 2:
                options["battle"] = any_battle(size, dice)
            turns += compare(load("cotg%d" % size, **options), dice)
        print("cotg%d: %s games, %d turns, all equal" % (size, sys.argv[1], turns))
