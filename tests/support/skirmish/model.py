"""Skirmishes once more, slowly: objects, one tick at a time, A* with a queue of open cells.

It shares no code with picograve/games/urts.py and follows the paper's description of its rules:
players are asked at every tick; actions have an issue time and are executed in the order in which
they were issued. A search's view and a playout are other subclasses of `Battle`. Coins are those
of the game, so that both can be compared move by move.
"""

import copy
import heapq
from dataclasses import dataclass, field
from functools import cache

STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
MOVE_TIME = {"L": 8, "H": 12}
DAMAGE = {"L": 2, "H": 4}
ATTACK_TIME = 5
LIMIT = 1000
DEAD_LOCK = 50
STARTS = {
    4: (13, "L0,8 L3,7 H2,5 H0,4"),
    8: (23, "L5,1 L8,1 L6,2 L3,2 H8,8 H1,0 H1,2 H2,10"),
    16: (
        27,
        "L6,11 L8,12 L9,14 L9,13 L9,12 L1,14 L9,8 L6,13 "
        "H4,13 H0,13 H10,12 H6,17 H3,14 H9,11 H5,16 H7,12",
    ),
}


@dataclass(eq=False)
class Action:
    kind: str  # move, attack, wait
    direction: str | None
    duration: int
    issued: int | None = None  # when; None: it is only planned


@dataclass
class Script:
    kiter: bool
    target: "Unit"
    hit_points_when_attacked: int | None = None  # None: the last action was no attack
    retreat: tuple[int, int] | None = None


@dataclass(eq=False)
class Unit:
    player: int
    number: int
    kind: str
    at: tuple[int, int]
    hp: int = 4
    action: Action | None = None
    script: Script | None = None

    def goal(self):
        """Where its move leads."""
        dx, dy = STEPS[self.action.direction]
        return self.at[0] + dx, self.at[1] + dy

    def moves(self):
        return self.action is not None and self.action.kind == "move"


def steps_between(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


@cache
def neighbours(at, cells):
    """(direction, cell) of the cells around one, up first and left last."""
    around = [(name, (at[0] + dx, at[1] + dy)) for name, (dx, dy) in STEPS.items()]
    return [(name, (x, y)) for name, (x, y) in around if 0 <= x < cells and 0 <= y < cells]


@dataclass
class Battle:
    """A real one: orders are kept back until both players have decided."""

    cells: int
    units: list[Unit]  # those that are left
    coins: int = 1
    cut: int = 100
    time: int = 0
    end: int = LIMIT
    asked: bool = True  # at the start there are no scripts to ask
    turn: int | None = 0
    order: list[Action] = field(default_factory=list)  # all under way, as issued

    @classmethod
    def start(cls, size, **settings):
        cells, text = STARTS[size]
        first = []
        for word in text.split():
            x, y = word[1:].split(",")
            first.append((word[0], int(x), int(y)))
        units = [Unit(0, i, kind, (x, y)) for i, (kind, x, y) in enumerate(first)]
        for i, (kind, x, y) in enumerate(first):
            units.append(Unit(1, size + i, kind, (cells - 1 - x, cells - 1 - y)))
        return cls(cells, units, **settings)

    # Places and ways

    def taken(self):
        """The cells where no other may go now."""
        cells = {unit.at for unit in self.units}
        return cells | {unit.goal() for unit in self.units if unit.moves() and self.under_way(unit)}

    def under_way(self, unit):
        return unit.action is not None and unit.action.issued is not None

    def first_step(self, unit, goal, near, taken):
        """A*: the direction of the first step to a cell `near` steps from the goal, or None."""
        closed = self.taken().union(taken)
        # Least estimate first, of equal ones the latest: (estimate, -number, cost, cell, first).
        open_cells = [(0, 0, 0, unit.at, None)]
        number = 0
        while open_cells:
            _, _, cost, at, first = heapq.heappop(open_cells)
            if steps_between(at, goal) <= near:
                return first
            for name, cell in neighbours(at, self.cells):
                if cell not in closed:
                    closed.add(cell)
                    number += 1
                    estimate = cost + 1 + steps_between(cell, goal)
                    entry = (estimate, -number, cost + 1, cell, first or name)
                    heapq.heappush(open_cells, entry)
        return None

    # Scripts

    def next_action(self, unit, taken=()):
        """What its script does next; None: it is done or impossible."""
        script = unit.script
        if script.retreat is None:
            target = script.target
            if target.hp == 0:
                return None
            before = script.hit_points_when_attacked
            if before is None or target.hp >= before:
                script.hit_points_when_attacked = None
                if steps_between(unit.at, target.at) > 1:
                    return self.move(unit, target.at, 1, taken)
                script.hit_points_when_attacked = target.hp
                offset = target.at[0] - unit.at[0], target.at[1] - unit.at[1]
                (direction,) = [name for name, step in STEPS.items() if step == offset]
                return Action("attack", direction, ATTACK_TIME)
            if not script.kiter:
                return None
            script.retreat = tuple(
                min(max(own + 3 * (own - enemy), 0), self.cells - 1)
                for own, enemy in zip(unit.at, target.at, strict=True)
            )
        if unit.at == script.retreat:
            return None
        return self.move(unit, script.retreat, 0, taken)

    def move(self, unit, goal, near, taken):
        direction = self.first_step(unit, goal, near, taken)
        return direction and Action("move", direction, MOVE_TIME[unit.kind])

    def assign(self, unit, kiter, taken):
        """A new script; where it cannot start, a tick of waiting without one."""
        enemies = [other for other in self.units if other.player != unit.player]
        target = min(enemies, key=lambda other: (steps_between(unit.at, other.at), other.number))
        unit.script = Script(kiter, target)
        unit.action = self.next_action(unit, taken)
        if unit.action is None:
            unit.script = None
            unit.action = Action("wait", None, 1)

    def ask_scripts(self):
        """Each script on its own: none sees what the others are about to do."""
        for unit in self.units:
            if unit.action is None and unit.script is not None:
                unit.action = self.next_action(unit)
                if unit.action is None:
                    unit.script = None

    # Issuing and time

    def coin(self, number=0):
        self.coins = (25173 * self.coins + 13849 + number) % 65536
        return self.coins >= 32768

    def issue(self, unit):
        action = unit.action
        if action.kind == "move":
            for other in self.units:
                if other is not unit and other.moves() and self.under_way(other):
                    if other.goal() == unit.goal():
                        assert other.action.issued == self.time
                        loser = other if self.coin() else unit
                        wait = Action("wait", None, min(action.duration, other.action.duration))
                        wait.issued = self.time
                        if loser is other:
                            self.order.remove(other.action)
                            other.action = wait
                            self.order.append(wait)
                            break
                        unit.action = wait
                        self.order.append(wait)
                        return
        action.issued = self.time
        self.order.append(action)

    def planned(self):
        return [unit for unit in self.units if unit.action and not self.under_way(unit)]

    def issue_all(self):
        for unit in self.planned():
            self.issue(unit)

    def tick(self):
        self.time += 1
        self.asked = False
        due = []
        for action in self.order:
            if action.issued + action.duration <= self.time:
                due += [(unit, action) for unit in self.units if unit.action is action]
        for unit, action in due:
            if action.kind == "move":
                if unit.hp:
                    unit.at = unit.goal()
            elif action.kind == "attack":
                dx, dy = STEPS[action.direction]
                cell = unit.at[0] + dx, unit.at[1] + dy
                for other in list(self.units):
                    if other.at == cell:
                        other.hp = max(other.hp - DAMAGE[unit.kind], 0)
                        if other.hp == 0:
                            self.units.remove(other)
            unit.action = None
            self.order.remove(action)
        alive = {id(unit.action) for unit in self.units}
        self.order = [action for action in self.order if id(action) in alive]

    # Decisions

    def idle(self, player):
        return [unit for unit in self.units if unit.player == player and unit.action is None]

    def is_over(self):
        return len({unit.player for unit in self.units}) < 2 or self.time >= self.end

    def advance(self):
        while not self.is_over():
            if not self.idle(0) and not self.idle(1):
                self.issue_all()
                self.tick()
            elif not self.asked:
                self.ask_scripts()
                self.asked = True
            else:
                self.turn = 0 if self.idle(0) else 1
                return

    def choices(self):
        return 0 if self.is_over() else 2 ** len(self.idle(self.turn))

    def play(self, move):
        self.coin(move)
        own = [unit for unit in self.units if unit.player == self.turn]
        deciding = self.idle(self.turn)
        for i, unit in reversed(list(enumerate(deciding))):
            taken = [other.goal() for other in own if other.moves() and not self.under_way(other)]
            self.assign(unit, bool(move >> i & 1), taken)
        self.advance()

    def hit_points(self, player):
        return sum(unit.hp for unit in self.units if unit.player == player)

    def value(self):
        """The first player's result: 1, 0 or -1."""
        lead = self.hit_points(0) - self.hit_points(1)
        return (lead > 0) - (lead < 0)

    # What a search sees, and a playout

    def view(self):
        seen = copy.deepcopy(self)
        return Search(seen, seen.turn)

    def playout(self):
        return self.view().playout()


class Search(Battle):
    """The battle as the player who searches sees it."""

    def __init__(self, battle, searcher):
        self.__dict__.update(battle.__dict__)
        self.searcher = searcher
        for unit in self.units:
            if unit.player != searcher:
                unit.script = None
                if not self.under_way(unit):
                    unit.action = None
        self.issue_all()

    def issue_all(self):
        for unit in sorted(self.planned(), key=lambda unit: unit.player != self.searcher):
            self.issue(unit)

    def advance(self):
        rounds = 0
        while not self.is_over():
            somebody = self.idle(self.searcher) or self.idle(1 - self.searcher)
            if not somebody:
                self.tick()
            elif rounds == DEAD_LOCK:
                for unit in self.units:
                    unit.hp = 0
                self.units.clear()
            elif not self.asked:
                self.ask_scripts()
                self.issue_all()
                self.asked = True
                rounds += 1
            else:
                self.turn = somebody[0].player
                return

    def play(self, move):
        self.coin(move)
        for i, unit in reversed(list(enumerate(self.idle(self.turn)))):
            self.assign(unit, bool(move >> i & 1), ())
            self.issue(unit)
        self.advance()

    def value(self):
        return lookout(self)

    def view(self):
        return copy.deepcopy(self)

    def playout(self):
        playing = Playout(**{name: self.__dict__[name] for name in Battle.__dataclass_fields__})
        playing.searcher = self.searcher
        playing.end = min(self.time + self.cut, LIMIT)
        return playing


class Playout(Battle):
    """As a real battle, but it ends sooner, and somebody asks what it is worth to him."""

    def value(self):
        return lookout(self)


def lookout(battle):
    """Win or loss of the searching player; nobody left is a loss. From the first one's view."""
    sides = {unit.player for unit in battle.units}
    if len(sides) == 2:
        return Battle.value(battle) if battle.time >= LIMIT else 0
    won = sides == {battle.searcher}
    return (1 if won else -1) * (1 - 2 * battle.searcher)
