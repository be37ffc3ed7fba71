"""What `lab tune` tries: the table [tune] of an experiment's file becomes configurations.

They are the combinations of the values that the table names, all of them or, where there are more
than `tries`, some that the seed draws. How they are narrowed down is in lab/play/rounds.py.

A grid, and no descent such as SPSA: few settings matter, most are whole numbers or choices, and
some steps do not fit the budget. A descent needs differences between neighbours, and those take
thousands of games to see. On a grid every configuration has games of its own, so that what was
tried stays on record with its interval, and counts where it is tried again.
"""

import hashlib
import itertools
import json
from math import prod
from typing import Any, NamedTuple

from picograve import Config

from picograve_host.lab.plan.experiment import Experiment, Point, key_of
from picograve_host.lab.plan.resolve import resolve_search
from picograve_host.lab.plan.source import PLAYER_KEYS, SETTINGS, TABLE, TUNING
from picograve_host.players.data import config_of
from picograve_host.settings import first_unused

ROOM = ("bytes", "nodes", "tables", "board", "ram")  # keys that limit what a player may take
MOST_COMBINATIONS = 100_000
FRESH = 1000  # from the seed of the rounds to that of the confirmation


class Skipped(NamedTuple):
    at: dict[str, Any]  # {setting: its value}
    reason: str


class Tuning:
    """What is tried, and with how many games.

    values        {setting: the values in the file}
    combinations  of them, how many there are
    start         the player as it stands in its table
    tries         what is tried beside it; a point's `at` has the settings that its search uses
    skipped       what was drawn and cannot be, such as a search that the bytes do not hold
    games, narrow, confirm  as in the file, or as given
    """

    def __init__(self, experiment: Experiment, **given: int | None) -> None:
        """`given`: games, tries, confirm instead of the file's, where they are not None."""
        self.experiment = experiment
        refuse = experiment.source_file.refuse
        if not experiment.tune:
            refuse((), "there is no table [tune], which says what to tune")
        how = {**TUNING, **experiment.tune}
        how |= {key: value for key, value in given.items() if value is not None}
        self.games, self.narrow, self.confirm = how["games"], how["narrow"], how["confirm"]
        self.values = {key: value for key, value in experiment.tune.items() if key not in TUNING}
        if not self.values:
            refuse(("tune",), "tune names no setting: add one, such as bias = [0.01, 0.1]")
        self.combinations = prod(map(len, self.values.values()))
        if self.combinations > MOST_COMBINATIONS:
            limit = (self.combinations, MOST_COMBINATIONS)
            refuse(("tune",), "%d combinations are more than %d: name fewer values" % limit)
        (entry,) = experiment.source_file.entries["players"].values()
        self.entry = {key: value for key, value in entry.items() if key in PLAYER_KEYS}
        self._check_values()
        start = experiment.points[0]
        self.start = start._replace(at=self._at_start(start))
        self.skipped: list[Skipped] = []
        self._used_keys: set[str] = set()
        self.tries = self._choose(how["tries"])
        self._check_tries()

    @property
    def field(self) -> list[Point]:
        """All that the first round plays."""
        return [self.start, *self.tries]

    @property
    def fresh_seed(self) -> int:
        """Of the confirmation: it is part of each match, so its games have other seeds."""
        return self.experiment.seed + FRESH

    def fresh(self, point: Point) -> Point:
        """The same configuration for the confirmation."""
        return self._point(point.match["player"], point.at, self.fresh_seed)

    def bytes_of(self, point: Point) -> int:
        """Bytes of its ledger."""
        config, budget = config_of(point.match["player"])
        return budget.ledger(self.experiment.game, config).total_bytes

    def _point(self, player, at, seed):
        start = self.experiment.points[0]
        match = dict(start.match, player=player, seed=seed)
        return Point(key_of(match), match, start.label, at, None)

    def _config(self, entry):
        """Its settings, without sizes."""
        settings = {TABLE[key].name: value for key, value in entry.items() if key in SETTINGS}
        preset = entry.get("preset", self.experiment.preset)
        return Config.tolerant(entry["search"], preset, **settings)

    def _used(self, entry):
        """The entry of a player without what its search, with the rest of it, does not use: one
        playout policy has an epsilon, another has none."""
        config = self._config(entry)
        names = [TABLE[key].name for key in entry if key in TABLE]
        while unused := first_unused(self.experiment.game, config, names):
            names.remove(unused.name)
        return {
            key: value
            for key, value in entry.items()
            if key not in TABLE or TABLE[key].name in names
        }

    def _resolved(self, entry):
        experiment = self.experiment
        entry = {"preset": experiment.preset, **entry}
        return resolve_search(experiment.game, entry, experiment.scale)

    def _check_values(self):
        """Refuse a value that is wrong in itself. One that only has no room is skipped later: it
        may have some beside others."""
        entry = {key: value for key, value in self.entry.items() if key not in ROOM}
        for key, values in self.values.items():
            for value in values if key not in ROOM else ():
                try:
                    self._resolved(self._used({**entry, key: value}))
                except (ValueError, OverflowError) as error:
                    self.experiment.source_file.refuse(("tune", key), str(error))

    def _at_start(self, start):
        """What the tuned settings are at the starting point, where it has them."""
        player, config = start.match["player"], self._config(self.entry)
        game, at = self.experiment.game, {}
        for key in self.values:
            if key in self.entry:
                at[key] = self.experiment.scaled(key, self.entry[key], player)
            elif key in SETTINGS and not first_unused(game, config, [TABLE[key].name]):
                at[key] = getattr(config, TABLE[key].name)
        return at

    def _choose(self, most):
        """As many configurations as are to be tried, in the order of the file."""
        found: dict[str, tuple[int, Point]] = {self.start.key: (-1, self.start)}
        seen = set()
        for number, at in self._drawn(most):
            if len(found) > most:
                break
            try:
                entry = self._used({**self.entry, **at})
                at = {key: value for key, value in at.items() if key in entry}
                self._used_keys.update(at)
                if str(at) in seen:
                    continue
                seen.add(str(at))
                player = self._resolved(entry)
            except (ValueError, OverflowError) as error:
                self.skipped.append(Skipped(at, str(error)))
                continue
            scaled = {key: self.experiment.scaled(key, at[key], player) for key in at}
            point = self._point(player, scaled, self.experiment.seed)
            found.setdefault(point.key, (number, point))
        return [point for number, point in sorted(found.values()) if number >= 0]

    def _drawn(self, most):
        """All combinations with their numbers; as the seed shuffles them, if there are more than
        `most`. More tries keep those that were drawn before; more values draw others among them."""
        combinations = [
            (number, dict(zip(self.values, values, strict=True)))
            for number, values in enumerate(itertools.product(*self.values.values()))
        ]
        if len(combinations) > most:
            combinations.sort(key=lambda pair: _lot(self.experiment.seed, pair[1]))
        return combinations

    def _check_tries(self):
        refuse = self.experiment.source_file.refuse
        for key in self.values:
            if key not in self._used_keys:
                users = TABLE[key].users
                refuse(("tune", key), "no try uses %s, which is for %s" % (key, users))
        if not self.tries and self.skipped:
            refuse(("tune",), "no combination can be played: %s" % self.skipped[0].reason)
        if not self.tries:
            refuse(("tune",), "every combination is the starting point: name other values")


def _lot(seed, at):
    """Puts combinations in an order that the seed chooses."""
    text = "%d/%s" % (seed, json.dumps(at, sort_keys=True))
    return hashlib.sha256(text.encode()).digest()
