"""Battles of urts on the runtime that the environment names, beside the slow model, and figures.

    cd tests/support; python -m skirmish.battles compare SIZE GAMES
                                whole random games, equal in all
    ... served SIZE GAMES       figures of random scripts, one side served after the other
    ... match SIZE GAMES R N    figures of real battles; a player is N, K or R: always that script,
                                or random ones
    ... oracle SIZE GAMES N     points of one who knows all, hidden orders included, and plays each
                                move N times to the end before he decides, against random scripts

Each prints one JSON object. With the runtime c, 1,000 games to compare take one, three and twenty
minutes of a core for 4, 8 and 16 a side.
"""

import copy
import json
import random
import sys

from game_play import new_state
from picograve import load
from picograve.games import urts

from skirmish import model

DIRECTIONS = tuple(model.STEPS)
MOST_TRIED = 16  # moves that the oracle tries, drawn by chance where there are more
EXCURSIONS = 0.02  # share of positions from which a search's view and a playout are compared, too


def time_of(state):
    return int(state[urts._TIME]) + 256 * int(state[urts._TIME + 1])


def records(game, state):
    """(number, record) of the units that are left."""
    for number in range(2 * game.size):
        start = urts._UNITS + urts._RECORD * number
        record = [int(byte) for byte in state[start : start + urts._RECORD]]
        if record[urts._HP]:
            yield number, record


def picture(game, state):
    """All that a state says, in the words of the model."""
    units = []
    for number, (kind, x, y, hp, action, left, script, target, seen) in records(game, state):
        doing = None
        if action:
            kinds = ("move", "attack", "wait")[(action - 1) // 4]
            doing = kinds, None if kinds == "wait" else DIRECTIONS[(action - 1) % 4], left
        follows = None
        if script == urts._RETREAT:
            follows = "K", (target - 1, seen - 1)
        elif script:
            follows = "NK"[script - 1], target, seen
        units.append((number, "LH"[kind], (x - 1, y - 1), hp, doing, follows))
    coins = int(state[urts._COINS]) + 256 * int(state[urts._COINS + 1])
    return time_of(state), coins, units


def picture_of_model(battle):
    units = []
    for unit in battle.units:
        action, script = unit.action, unit.script
        doing = follows = None
        if action:
            left = 0 if action.issued is None else action.issued + action.duration - battle.time
            doing = action.kind, action.direction, left
        if script:
            letter = "NK"[script.kiter]
            follows = letter, script.target.number, script.hit_points_when_attacked or 0
            if script.retreat:
                follows = letter, script.retreat
        units.append((unit.number, unit.kind, unit.at, unit.hp, doing, follows))
    return battle.time, battle.coins, units


def choices(game, state, battle):
    """How many moves there are; all is the same in both."""
    _, moves, _, _, outcome = game.rules
    count = moves(state, state)
    assert count == battle.choices()
    assert picture(game, state) == picture_of_model(battle)
    assert game.evaluate(state) == battle.hit_points(0) - battle.hit_points(1)
    if count:
        assert state[0] == battle.turn
        for player in (0, 1):
            assert game.bound(state, player) == battle.hit_points(player)
    else:
        assert outcome(state) == 1 + battle.value()
    return count


def go_on(game, state, battle, dice, most):
    """Random moves, `most` at most; how many."""
    _, _, play, _, _ = game.rules
    played = 0
    while (count := choices(game, state, battle)) and played < most:
        move = dice.randrange(count)
        play(state, move)
        battle.play(move)
        played += 1
    return played


def compare(size, games):
    """Random games of kernels and model; how many moves of each sort were compared."""
    moves = dict(real=0, search=0, playout=0, gone=0)
    for seed in range(games):
        dice = random.Random(seed)
        game = load("urts%d" % size, coins=seed % 65536)
        copy, _, _, _, _ = game.rules
        state, work = new_state(game), new_state(game)
        battle = model.Battle.start(size, coins=seed % 65536)
        while go_on(game, state, battle, dice, 1):
            moves["real"] += 1
            if dice.random() < EXCURSIONS and not battle.is_over():
                copy(work, state)
                view = battle.view()
                moves["search"] += go_on(game, work, view, dice, dice.randrange(20))
                moves["gone"] += not view.units
                game.begin(work)
                moves["playout"] += go_on(game, work, view.playout(), dice, 2000)
    return moves


class Figures:
    """What is counted in games."""

    def __init__(self, game):
        self.game = game
        self.full = 8 * game.size
        self.sums = dict.fromkeys(
            ("over", "ticks", "decisions", "first_damage", "left_at_100", "first", "draws"), 0
        )

    def start(self):
        self.damaged = self.at_100 = None
        self.decided = set()

    def decides(self, state, player):
        self.decided.add((time_of(state), player))

    def passed(self, state, before):
        """Time went on; `before` are the hit points until then."""
        left = urts.strength(state, 0) + urts.strength(state, 1)
        if self.damaged is None and left < self.full:
            self.damaged = time_of(state)
        if self.at_100 is None and time_of(state) > 100:
            self.at_100 = before
        return left

    def end(self, state):
        sums = self.sums
        time, lead = time_of(state), self.game.evaluate(state)
        sums["over"] += time < urts._LIMIT
        sums["ticks"] += time
        sums["decisions"] += len(self.decided) / 2
        sums["first_damage"] += self.damaged
        sums["left_at_100"] += self.at_100
        sums["first"] += lead > 0
        sums["draws"] += lead == 0

    def report(self, games):
        whole = ("over", "first", "draws")
        return {key: n if key in whole else round(n / games, 1) for key, n in self.sums.items()}


def idle_units(game, state, player):
    """The records of a player's units that do nothing, as they are when asked."""
    first = urts._UNITS + urts._RECORD * game.size * player
    for unit in range(first, first + urts._RECORD * game.size, urts._RECORD):
        if state[unit + urts._HP] and not state[unit + urts._ACTION]:
            yield unit


def served(size, games):
    """Random scripts; side 0 is served first, unit by unit, and each sees what has started."""
    game = load("urts%d" % size)
    figures = Figures(game)
    for seed in range(games):
        dice = random.Random(seed)
        state = new_state(game)
        figures.start()
        left = figures.full
        while not urts.is_over(state):
            for player in (0, 1):
                for unit in idle_units(game, state, player):
                    if state[unit + urts._SCRIPT]:
                        state[unit + urts._ACTION] = urts.follow(state, unit)
                        if state[unit + urts._ACTION]:
                            urts.issue(state, unit)
                for unit in idle_units(game, state, player):
                    state[unit + urts._SCRIPT] = urts._NOKAV + dice.randrange(2)
                    state[unit + urts._TARGET] = urts.closest(state, unit)
                    state[unit + urts._SEEN] = 0
                    action = urts.follow(state, unit)
                    if not action:
                        state[unit + urts._SCRIPT] = 0
                    state[unit + urts._ACTION] = action or urts._WAIT
                    urts.issue(state, unit)
                    figures.decides(state, player)
            urts.pass_time(state)
            left = figures.passed(state, left)
        figures.end(state)
    return figures.report(games)


def match(size, games, first, second):
    """Real battles of players with a fixed rule."""
    game = load("urts%d" % size)
    _, moves, _, _, _ = game.rules
    figures = Figures(game)
    for seed in range(games):
        dice = random.Random(seed)
        game.coins = seed % 65536
        state = new_state(game)
        figures.start()
        left = figures.full
        while count := moves(state, state):
            player = int(state[0])
            letter = (first, second)[player]
            figures.decides(state, player)
            move = dict(N=0, K=count - 1, R=dice.randrange(count))[letter]
            urts.stir(state, move)
            urts.decide(state, move)
            while not urts.is_over(state):
                if urts.idle(state, 0) or urts.idle(state, 1):
                    if state[urts._ASKED]:
                        break
                    urts.ask(state)
                    state[urts._ASKED] = 1
                else:
                    urts.issue_all(state)
                    urts.pass_time(state)
                    left = figures.passed(state, left)
            urts.advance(state)
        figures.end(state)
    return figures.report(games)


def oracle(size, games, battles):
    """How much decisions matter: his points, and how far the values of a decision's moves differ,
    on average."""
    points = decisions = spread = 0
    for seed in range(games):
        dice = random.Random(seed)
        game = load("urts%d" % size, coins=seed // 2)
        _, moves, play, _, outcome = game.rules
        state = new_state(game)
        seat = seed % 2
        while count := moves(state, state):
            tried = [dice.randrange(count)]
            if state[0] == seat:
                tried = dice.sample(range(count), min(count, MOST_TRIED))
                values = [_tried(game, state, move, dice, int(battles)) for move in tried]
                tried.sort(key=dict(zip(tried, values, strict=True)).get, reverse=seat == 0)
                decisions += 1
                spread += max(values) - min(values)
            play(state, tried[0])
        points += outcome(state) / 2 if seat == 0 else 1 - outcome(state) / 2
    return dict(points=points, decisions=decisions / games, spread=round(spread / decisions, 3))


def _tried(game, state, move, dice, battles):
    """The first player's share of the points after a move, then random ones."""
    _, moves, play, _, outcome = game.rules
    points = 0
    for _ in range(battles):
        work = copy.copy(state)  # with all that a search's copy would hide
        work[urts._COINS], work[urts._COINS + 1] = dice.randrange(256), dice.randrange(256)
        play(work, move)
        while count := moves(work, work):
            play(work, dice.randrange(count))
        points += outcome(work)
    return points / 2 / battles


if __name__ == "__main__":
    what, size, games, *players = sys.argv[1:]
    function = dict(compare=compare, served=served, match=match, oracle=oracle)[what]
    print(json.dumps(function(int(size), int(games), *players)))
