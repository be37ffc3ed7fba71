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

    [sweep]                         # every player at every combination of these
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
import tomllib
from collections import namedtuple
from math import sqrt
from pathlib import Path

from picograve import BadInput, Budget, Config, load
from picograve.config import DEFAULT_NODES, ONE_LEVEL_PLAYOUTS, PAPER, PRESETS, scaled

SHIPPED = Path(__file__).parent / "experiments"

SETTINGS = sorted((set(PAPER) - {"share"}) | {"lambda"})
SIZES = ("nodes", "bytes", "tables", "playouts", "playouts_top", "playouts_second")
RATIOS = ("ratio_top", "ratio_second")
KINDS = ("search", "gtp", "openspiel")
PLAYER_KEYS = (*KINDS, "preset", *SIZES, *RATIOS, *SETTINGS)
ENTRY_KEYS = ("sweep", "paper", "threshold")  # of a player, but not of its play
TOP_KEYS = (
    "base", "title", "source", "game", "komi", "games", "preset", "seed", "resign", "opponent",
    "players", "sweep", "plot", "claims",
)  # fmt: skip
PLOT_KEYS = ("x", "log", "panels")

TEXT, WHOLE, NUMBER = ("a text", (str,)), ("a whole number", (int,)), ("a number", (int, float))
OF_TYPE = {str: TEXT, int: WHOLE, float: NUMBER, bool: ("true or false", (bool,))}
VALUES = {  # what a key takes, in words and as Python's types
    **dict.fromkeys(("base", "title", "source", "game", "preset", "search", "gtp"), TEXT),
    **dict.fromkeys(("games", "seed", "openspiel"), WHOLE),
    **dict.fromkeys(("komi", "resign", "paper", *SIZES, *RATIOS), NUMBER),
    **{name: OF_TYPE[type(PAPER.get(name, PAPER["share"]))] for name in SETTINGS},
}

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
        self.path = _find(name)
        self.name = self.path.stem
        self.scale = scale
        self.source_file = _Source(self.path)
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
        where = ("players", label)
        paper = _flatten(entry.get("paper", []))
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
        return _scaled_size(axis, value, self.scale, player["search"].endswith("2"))

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


def resolve_search(game, entry, scale=1):
    """The resolved data of a search: its nodes and playouts, and the settings that are not the
    paper's. Settings that come into being later do not change the key of an old match."""
    entry = dict(entry)
    ratios = {key: entry.pop(key) for key in RATIOS if key in entry}
    if "lambda" in entry:
        entry["share"] = entry.pop("lambda")
    sizes = {key: entry.pop(key) for key in SIZES if key in entry}
    sizes = _scaled_sizes(Config(**entry), sizes, scale)
    budget = Budget(*(sizes.pop(key, None) for key in ("bytes", "nodes", "tables")))
    config = Config(**entry, **sizes)
    ledger = budget.ledger(game, config)
    if ratios:
        if not config.two_levels:
            raise BadInput("%s is for two levels: give playouts" % next(iter(ratios)))
        for level in ("top", "second"):
            nodes = getattr(ledger, "nodes_" + level)
            sizes["playouts_" + level] = max(1, scaled(ratios.get("ratio_" + level, 1), nodes))
        config = Config(**entry, **sizes)
        ledger = budget.ledger(game, config)
    data = dict(search=config.search, nodes=ledger.nodes)
    if config.two_levels and ledger.playouts == ledger.playouts_top * ledger.playouts_second:
        data.update(playouts_top=ledger.playouts_top, playouts_second=ledger.playouts_second)
    else:
        data.update(playouts=ledger.playouts)
    if 0 < ledger.amaf_tables < ledger.nodes:
        data.update(tables=ledger.amaf_tables)
    settings = {name: type(PAPER[name])(getattr(config, name)) for name in PAPER}
    return data | {name: value for name, value in settings.items() if value != PAPER[name]}


def config_of(data):
    """Configuration and budget of a search given by its resolved data."""
    budget = Budget(nodes=data["nodes"], tables=data.get("tables"))
    settings = {key: value for key, value in data.items() if key not in ("nodes", "tables")}
    return Config(preset="paper", **settings), budget


def _scaled_sizes(config, sizes, scale):
    """All sizes scaled, with those that the search has where nobody names them."""
    grows = not (config.two_levels or config.recycles_top)  # a node for every playout
    if not (sizes.keys() & {"bytes", "nodes"} or (grows and "playouts" in sizes)):
        sizes = {**sizes, "nodes": DEFAULT_NODES[config.search]}
    if not (config.two_levels or grows or sizes.keys() & {"playouts", "playouts_top"}):
        sizes = {**sizes, "playouts": ONE_LEVEL_PLAYOUTS}
    return {key: _scaled_size(key, value, scale, config.two_levels) for key, value in sizes.items()}


def _scaled_size(key, value, scale, two_levels):
    """A size for `scale` times the playouts: with two levels playouts are the product of the
    levels, so each level, and all their nodes, shrink by the root only. Bytes stay."""
    if key == "bytes":
        return value
    if two_levels and key != "playouts":
        scale = sqrt(scale)
    return max(1, round(value * scale))


def _flatten(values):
    if not isinstance(values, list):
        return [values]
    return [leaf for value in values for leaf in _flatten(value)]


def _find(name):
    """The file of an experiment: a path, or the name of one that ships."""
    for path in (SHIPPED / (name + ".toml"), Path(name)):
        if path.is_file():
            return path
    raise BadInput(
        "no experiment %s: give a .toml file or one of %s" % (name, ", ".join(shipped()))
    )


def shipped():
    """Names of the experiments that ship."""
    files = sorted(SHIPPED.glob("*.toml"))
    return [file.stem for file in files if "players" in tomllib.loads(file.read_text("utf-8"))]


class _Source:
    """A file and its bases: `entries` merged and checked; it knows the line of every key."""

    def __init__(self, path, above=()):
        """`above`: the files that build on this one."""
        self.path = path
        self.above = above
        try:
            self.text = path.read_text("utf-8")
            self.own = self.entries = tomllib.loads(self.text)
        except (OSError, ValueError) as error:
            raise BadInput("%s: %s" % (path, error)) from None
        self.files = [self]
        self._check()
        if "base" in self.entries:
            base = self._base()
            self.files += base.files
            self.entries = _merged(base.entries, self.entries)

    def _base(self):
        name = self.entries["base"] + ".toml"
        files = [folder / name for folder in (self.path.parent, SHIPPED)]
        files = [file for file in files if file.is_file() and file != self.path]
        if not files:
            self.refuse(("base",), "no file %s here or among those that ship" % name)
        if files[0] in self.above:
            self.refuse(("base",), "%s itself builds on this file" % name)
        return _Source(files[0], (*self.above, self.path))

    def _check(self):
        self._check_keys((), self.entries, TOP_KEYS)
        if self.entries.get("preset", "paper") not in PRESETS:
            self.refuse(("preset",), "preset takes one of " + ", ".join(PRESETS))
        self._check_keys(("plot",), self.entries.get("plot", {}), PLOT_KEYS)
        self._check_keys(("opponent",), self.entries.get("opponent", {}), PLAYER_KEYS)
        self._check_sweep(("sweep",), self.entries.get("sweep", {}))
        players = self.entries.get("players", {})
        self._check_known(("players",), players, players)
        for label, entry in players.items():
            where = ("players", label)
            self._check_keys(where, entry, PLAYER_KEYS + ENTRY_KEYS)
            self._check_sweep((*where, "sweep"), entry.get("sweep", {}))

    def _check_known(self, where, entry, known):
        if not isinstance(entry, dict):
            self.refuse(where, "%s is a table: [%s]" % (where[-1], ".".join(where)))
        for key in entry:
            if key not in known:
                self.refuse((*where, key), "unknown key %s; there are %s" % (key, ", ".join(known)))

    def _check_keys(self, where, entry, known):
        self._check_known(where, entry, known)
        for key, value in entry.items():
            self._check_values((*where, key), _flatten(value) if key == "paper" else [value])

    def _check_sweep(self, where, sweep):
        self._check_known(where, sweep, PLAYER_KEYS)
        for key, values in sweep.items():
            if not isinstance(values, list) or not values:
                self.refuse((*where, key), "sweep %s takes a list of values" % key)
            self._check_values((*where, key), values)

    def _check_values(self, keys, values):
        words, types = VALUES.get(keys[-1], ("anything", None))
        for value in values:
            if types and type(value) not in types:
                self.refuse(keys, "%s is %s, not %s" % (keys[-1], words, value))

    def has(self, keys):
        return _depth(self.entries, keys) == len(keys)

    def refuse(self, keys, text):
        """Refuse what is at these keys, here or in a base."""
        file = next((file for file in self.files if _depth(file.own, keys) == len(keys)), self)
        raise BadInput("%s, line %d: %s" % (file.path, line_of(file.text, keys), text))


def line_of(text, keys):
    """The line, from 1, of a key given by its path of tables; that of its table if unseen.

    A statement ends where all lines up to there are TOML; the key's is the one that brings it.
    """
    lines = text.split("\n")
    begins, best, depth = 1, 1, 0
    for ends in range(1, len(lines) + 1):
        try:
            entries = tomllib.loads("\n".join(lines[:ends]) + "\n")
        except tomllib.TOMLDecodeError:
            continue
        if _depth(entries, keys) > depth:
            best, depth = begins, _depth(entries, keys)
        begins = ends + 1
    return best


def _depth(entries, keys):
    """How many of these keys lead into the tables."""
    for depth, key in enumerate(keys):
        if not isinstance(entries, dict) or key not in entries:
            return depth
        entries = entries[key]
    return len(keys)


def _merged(below, above):
    """Tables merged key by key; what is above wins, and a player is replaced as a whole."""
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            is_player = any(kind in value for kind in KINDS)
            value = value if is_player else _merged(merged[key], value)
        merged[key] = value
    return merged
