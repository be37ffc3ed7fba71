"""Experiments: a TOML file becomes points, each a match between two players.

    base = "paper"                  # another file, shipped or beside this one, read first
    title = "GRAVE² by nodes"
    source = "figure 3"             # where it comes from
    game = "go9"                    # and komi = 7.5
    games = 500                     # a point; --games overrides
    preset = "paper"                # of every player that names none; --preset overrides
    seed = 1
    resign = 0.01                   # give up where both players agree (match.play_game); 0: never

    [opponent]                      # a player: see below
    search = "grave"
    playouts = 10000

    [players."GRAVE²"]              # as many as you like; the name is yours
    search = "grave2"
    sweep = { lambda = [0.4, 0.5] } # its own sweep, beside that of all
    paper = [31.7, 40.0]            # per cent in the paper, shaped as the sweeps, if known
    threshold = 200                 # the first value of the plot's x that is the equal there

    [sweep]                         # every search at every combination of these
    nodes = [160, 200, 240]

    [plot]
    x = "nodes"                     # the sweep along the plot, or a list of such: a panel each
    log = true                      # ... on a logarithmic scale
    panels = "lambda"               # a panel for each value of this sweep

A player has one of
    search     and any setting of picograve.Config (lambda for share), nodes, bytes, tables,
               playouts, playouts_top, playouts_second; or, instead of the last two,
    ratio_top, ratio_second         playouts a node of that level
    gtp        a command line that starts an engine; {seed} and {size} are replaced
    openspiel  simulations a move of OpenSpiel's MCTSBot

`Point.match` is all that a game depends on besides its number, as plain data: workers get it,
its hash names the point in the store, and so experiments share the games of equal points.
"""

import hashlib
import itertools
import json
import re
from collections import namedtuple

from picograve import BadInput, load
from picograve.config import PRESETS

from picograve_host.lab.resolve import resolve_search, scaled_size
from picograve_host.lab.source import ENTRY_KEYS, KINDS, SIZES, Source, find, flatten

Point = namedtuple(
    "Point",
    (
        "key",  # names the match in the store
        "match",  # game, player, opponent and seed as plain data
        "label",  # the player's name in the file
        "at",  # {swept key: its value here}
        "paper",  # per cent of wins in the paper, or None
    ),
)


class Experiment:
    """An experiment as it will be run: `points` and what the reports say of it."""

    def __init__(self, name, preset=None, scale=1, seed=None):
        self.path = find(name)
        self.name = self.path.stem
        self.scale = scale
        self.source_file = Source(self.path)
        entries = self.source_file.entries
        self.title = entries.get("title", self.name)
        self.source = entries.get("source", "")
        self.claims = entries.get("claims", [])
        self.games = entries.get("games", 100)
        self.preset = preset or entries.get("preset", "paper")
        if self.preset not in PRESETS:
            raise BadInput("no preset called %s; there are %s" % (self.preset, ", ".join(PRESETS)))
        self.seed = entries.get("seed", 1) if seed is None else seed
        self.resign = entries.get("resign", 0)
        self.plot = entries.get("plot", {})
        for table in ("opponent", "players"):
            if not entries.get(table):
                self.source_file.refuse((), "there is no table [%s]" % table)
        self.game, self.options = self._load_game()
        self.opponent = self._resolve(("opponent",), entries["opponent"])
        self.thresholds = {
            label: entry["threshold"]
            for label, entry in entries["players"].items()
            if "threshold" in entry
        }
        self.points = [
            point
            for label, entry in entries["players"].items()
            for point in self._sweep(label, entry)
        ]
        self.self_point = self._point("self", {}, self.opponent, None)
        for key in ("x", "panels"):
            for axis in flatten(self.source_file.own.get("plot", {}).get(key, [])):
                if axis not in self.axes:
                    self.source_file.refuse(("plot", key), "%s is not swept" % axis)

    @property
    def axes(self):
        """The swept keys, in order."""
        return list(dict.fromkeys(axis for point in self.points for axis in point.at))

    def _load_game(self):
        """The game, and the options that are not its usual ones."""
        entries = self.source_file.entries
        given = {key: float(entries[key]) for key in ("komi",) if key in entries}
        try:
            game = load(entries.get("game", "go9"), **given)
        except BadInput as error:
            named = "komi" if "komi" in str(error) else "game"
            self.source_file.refuse((named,), str(error))
        usual = load(game.name)
        return game, {
            key: value for key, value in given.items() if getattr(game, key) != getattr(usual, key)
        }

    def _sweep(self, label, entry):
        """The points of one player: every combination of its sweeps."""
        sweep = {**self.source_file.entries.get("sweep", {}), **entry.get("sweep", {})}
        if "search" not in {**entry, **sweep}:  # another program: no setting of ours concerns it
            sweep = entry.get("sweep", {})
        where = ("players", label)
        paper = flatten(entry.get("paper", []))
        combinations = list(itertools.product(*sweep.values()))
        if "paper" in entry and len(paper) != len(combinations):
            self.source_file.refuse(
                (*where, "paper"),
                "paper has %d values for %d points" % (len(paper), len(combinations)),
            )
        settings = {key: value for key, value in entry.items() if key not in ENTRY_KEYS}
        for number, values in enumerate(combinations):
            at = dict(zip(sweep, values, strict=True))
            player = self._resolve(where, {**settings, **at})
            at = {axis: self.scaled(axis, value, player) for axis, value in at.items()}
            yield self._point(label, at, player, paper[number] if paper else None)

    def scaled(self, axis, value, player):
        """A swept value as it is played by a resolved player at this scale."""
        if axis not in SIZES or "search" not in player:
            return value
        return scaled_size(axis, value, self.scale, player["search"].endswith("2"))

    def _point(self, label, at, player, paper):
        match = dict(
            game=dict(name=self.game.name, **self.options),
            player=player,
            opponent=self.opponent,
            seed=self.seed,
        )
        if self.resign:
            match["resign"] = self.resign
        text = json.dumps(match, sort_keys=True)
        return Point(hashlib.sha256(text.encode()).hexdigest()[:16], match, label, at, paper)

    def _resolve(self, where, entry):
        """A player as plain data with nothing left open, or the file's line that is wrong."""
        kinds = [kind for kind in KINDS if kind in entry]
        if len(kinds) != 1:
            self.source_file.refuse(where, "a player has one of " + ", ".join(KINDS))
        if kinds[0] != "search":
            for key in set(entry) - {kinds[0]}:
                self.source_file.refuse((*where, key), "%s is a setting of searches" % key)
            return {kinds[0]: entry[kinds[0]]}
        try:
            return resolve_search(self.game, {"preset": self.preset, **entry}, self.scale)
        except (ValueError, OverflowError) as error:
            named = [key for key in entry if re.search(r"\b%s\b" % key, str(error))]
            places = [
                (*place, key)
                for key in named
                for place in (where, (*where, "sweep"), ("sweep",))
                if self.source_file.has((*place, key))
            ]
            self.source_file.refuse(places[0] if places else where, str(error))
