"""Experiments: a TOML file becomes points, each a match between two players.

    base = "paper"                  # another file, shipped or beside this one, read first
    title = "GRAVE² by nodes"
    source = "figure 3"             # where it comes from
    game = "go9"                    # and komi = 7.5; in Hex, swap = true; "nim.py" is a file
                                    # beside this one, whose own options go to a table [options]
    games = 500                     # a point; --games overrides
    preset = "paper"                # of every player that names none; --preset overrides
    seed = 1
    resign = 0.01                   # give up where both players agree (match.play_game); 0: never
    series = "a paper's title"      # under which `lab list` shows it
    claims = ["GRAVE² is equal"]    # what the paper says, for the report

    [opponent]                      # a player: see below; or, above all tables,
                                    # opponent = "itself": each player has itself
    search = "grave"
    playouts = 10000

    [players."GRAVE²"]              # as many as you like; the name is yours
    search = "grave2"
    sweep = { lambda = [0.4, 0.5] } # its own sweep, beside that of all
    paper = [31.7, 40.0]            # per cent in the paper, shaped as the sweeps, if known
    threshold = 200                 # the first value of the plot's x that is the equal there

    [sweep]                         # every search at every combination of these
    nodes = [160, 200, 240]         # game = ["ttt3", "ttt4"] may be swept, too

    [plot]
    x = "nodes"                     # the sweep along the plot, or a list of such: a panel each;
                                    # players without it, such as programs, are levels
    log = true                      # ... on a logarithmic scale
    panels = "lambda"               # a panel for each value of this sweep
    outcomes = true                 # instead, a bar of wins, draws and losses a point

Instead of a sweep, one player may have settings to be chosen by `lab tune` (tuning.py):

    [tune]
    bias = [0.001, 0.01, 0.1]       # as many settings as you like, and nodes, bytes, tables ...;
    ref = [0, 25]                   # the starting point is the player as it stands in its table
    tries = 16                      # configurations, of all combinations; --tries overrides
    games = 20                      # of each in the first round; --games overrides
    narrow = 2                      # a round keeps one in so many, and the next has so many times
                                    # the games
    confirm = 400                   # games on fresh seeds, at the end; --confirm overrides

What a paper claims of points can be checked (checks.py, report/claims.py):

    [checks]
    "200 nodes are enough" = "GRAVE² at nodes 200 is equal"

With `round_robin = true` there is no opponent and nothing is swept but `game`: every two players
are a point of each game, and `paper` and `paper_draw` are a player's per cent of wins and draws
against all. The report counts all games together and each by itself, and finds out whether what the
paper says is true (checks.py, report/claims.py):

    [checks]
    "WP wins most games" = "WP ahead of *"

A player has one of
    search     and any setting of picograve.Config (lambda for share), nodes, bytes, tables,
               playouts, playouts_top, playouts_second; or, instead of the last two,
    ratio_top, ratio_second         playouts per node of that level
    board      where that search runs: sim, pico ..., a port; else on this machine
    ram        here, but in the emulated RAM of a board: "pico" ..., or a heap of so many bytes
    gtp        a command line that starts an engine; {seed} and {size} are replaced
    openspiel  simulations per move of OpenSpiel's MCTSBot; or another kind (players/kinds.py)

`Point.match` is all that a game depends on besides its number, as plain data: workers get it,
its hash names the point in the store, and so experiments share the games of equal points.
"""

import copy
import hashlib
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from picograve import BadInput

from picograve_host.games import NAMED, load_with, unusual
from picograve_host.lab.plan.checks import Check, Comparison, parse, parse_points
from picograve_host.lab.plan.resolve import resolve_search, scaled_size
from picograve_host.lab.plan.source import (
    ENTRY_KEYS,
    ITSELF,
    MOST_POINTS,
    SIZES,
    Source,
    find,
    flatten,
)
from picograve_host.players.kinds import KINDS
from picograve_host.settings import PRESETS

if TYPE_CHECKING:
    from picograve.protocols import Game


class Point(NamedTuple):
    key: str  # names the match in the store
    match: dict[str, Any]  # game, player, opponent and seed as plain data
    label: str  # the player's name in the file
    at: dict[str, Any]  # {swept key: its value here}
    paper: float | None  # per cent of wins in the paper
    against: str | None = None  # the other player's name in the file, in a round robin
    named: Mapping[str, Any] = MappingProxyType({})  # as `at`, with the file's values at any scale


class Experiment:
    """An experiment as it will be run: `points` and what the reports say of it.

    game        of all points; the first one where it is swept
    opponent    of all points, resolved (on that game); None against itself and in a round robin
    self_point  the opponent against itself: what counts as equal. None if there is no opponent
                or more than one game
    players     of a round robin: {label: resolved}, on the last game where it is swept
    paper       of a round robin: {label: (per cent won, drawn in the paper)}, each may be None
    """

    def __init__(
        self, name: str, preset: str | None = None, scale: float = 1, seed: int | None = None
    ) -> None:
        self.path = find(name)
        self.name = self.path.stem
        self.scale = scale
        self.source_file = Source(self.path)
        entries = self.source_file.entries
        self.series = entries.get("series", "")
        self.title = entries.get("title", self.name)
        self.source = entries.get("source", "")
        self.claims = entries.get("claims", [])
        # By the claim: of a round robin; of players against one opponent.
        self.checks: dict[str, Check] = {}
        self.point_checks: dict[str, list[Comparison]] = {}
        self.games = entries.get("games", 100)
        self.preset = preset or entries.get("preset", "paper")
        if self.preset not in PRESETS:
            raise BadInput("no preset called %s; there are %s" % (self.preset, ", ".join(PRESETS)))
        self.seed = entries.get("seed", 1) if seed is None else seed
        self.resign = entries.get("resign", 0)
        self.plot = entries.get("plot", {})
        self.round_robin = entries.get("round_robin", False)
        self.tune = entries.get("tune", {})
        self._check_tables()
        self._games: dict[
            str, tuple[Game, dict[str, Any]]
        ] = {}  # by the name in the file: (the game, its options that are not usual)
        self._opponents: dict[str, dict[str, Any]] = {}  # by that name: resolved
        self.thresholds = {
            label: entry["threshold"]
            for label, entry in entries["players"].items()
            if "threshold" in entry
        }
        players = entries["players"].items()
        self._check_count(players)
        if self.round_robin:
            self.points = list(self._pairs(players))
            self.checks = dict(self._checks(entries.get("checks", {})))
        else:
            self.points = [point for label, entry in players for point in self._sweep(label, entry)]
            self.point_checks = dict(self._checks(entries.get("checks", {})))
        self.game = self.game_of(self.points[0])
        self.opponent = next(iter(self._opponents.values()), None)
        self.self_point = None
        if self.opponent and len(self._games) == 1:
            name = next(iter(self._games))
            self.self_point = self._point(name, "self", {}, self.opponent, self.opponent)
        self._check_plot()

    @property
    def axes(self) -> list[str]:
        """The swept keys, in order."""
        return list(dict.fromkeys(axis for point in self.points for axis in point.at))

    @property
    def plays_itself(self) -> bool:
        return self.source_file.entries.get("opponent") == ITSELF

    @property
    def game_given(self) -> str:
        """The game as the command line takes it: its name, or its file."""
        name = self._game_name()
        return str(self.path.parent / name) if ".py" in name else name

    def game_of(self, point: Point) -> "Game":
        """The game that a point is played on."""
        name = point.match["game"]["name"]
        return next(game for game, _ in self._games.values() if game.name == name)

    def part(self, name: str, points: Sequence[Point]) -> Self:
        """The same under another name with these points instead of its own."""
        part = copy.copy(self)
        part.name, part.points = name, list(points)
        return part

    def _check_tables(self):
        """That the tables fit each other."""
        entries, refuse = self.source_file.entries, self.source_file.refuse
        for table in ("players",) if self.round_robin else ("opponent", "players"):
            if not entries.get(table):
                refuse((), "there is no table [%s]" % table)
        if self.round_robin:
            for table in ("opponent", "plot"):
                if table in entries:
                    refuse((table,), "a round robin has no %s" % table)
            for key in entries.get("sweep", {}):
                if key != "game":
                    refuse(("sweep", key), "a round robin sweeps nothing but game")
            if len(entries["players"]) < 2:
                refuse(("players",), "a round robin takes two players or more")
        elif "checks" in entries and self.plays_itself:
            refuse(("checks",), "checks are for round robins and for one opponent")
        if self.tune:
            self._check_tuned()
        for label, entry in entries["players"].items():
            where = ("players", label)
            if self.round_robin and "sweep" in entry:
                refuse((*where, "sweep"), "a round robin has no sweep")
            if not self.round_robin and "paper_draw" in entry:
                refuse((*where, "paper_draw"), "paper_draw is for round robins")
            if "threshold" in entry and (self.round_robin or self.plays_itself):
                refuse((*where, "threshold"), "threshold needs one opponent")

    def _check_count(self, players):
        """That there are not too many points, before any is made."""
        entries = self.source_file.entries
        if self.round_robin:
            games = len(entries.get("sweep", {}).get("game", [0]))
            count = games * math.comb(len(players), 2)
        else:
            count = sum(math.prod(map(len, self._swept(entry).values())) for _, entry in players)
        if count > MOST_POINTS:
            where = ("sweep",) if "sweep" in entries else ("players",)
            self.source_file.refuse(
                where, "%d points are more than %d: sweep fewer values" % (count, MOST_POINTS)
            )

    def _check_tuned(self):
        """That there is one player to tune and one opponent."""
        entries, refuse = self.source_file.entries, self.source_file.refuse
        if self.round_robin:
            refuse(("round_robin",), "a round robin tunes nobody: leave out [tune]")
        if self.plays_itself:
            refuse(("opponent",), "who is tuned plays one opponent, not itself")
        if len(entries["players"]) > 1:
            refuse(("players", list(entries["players"])[1]), "one player is tuned at a time")
        ((label, entry),) = entries["players"].items()
        if "search" not in entry:
            refuse(("players", label), "only a search is tuned: give search")
        for where in (("sweep",), ("players", label, "sweep")):
            if self.source_file.has(where):
                refuse(where, "a file has [tune] or a sweep, not both")

    def _check_plot(self):
        for key in ("x", "panels"):
            for axis in flatten(self.source_file.own.get("plot", {}).get(key, [])):
                if axis not in self.axes:
                    self.source_file.refuse(("plot", key), "%s is not swept" % axis)

    def _load_game(self, name, where):
        """Know a game, which a player at `where` may have swept."""
        if name in self._games:
            return
        entries = self.source_file.entries
        given = {key: entries[key] for key in NAMED if key in entries} | entries.get("options", {})
        try:
            game = load_with(str(self.path.parent / name) if ".py" in name else name, given)
        except BadInput as error:
            words = re.findall(r"\w+", str(error))
            named = next((word for word in words if word in given), "game")
            if named in entries.get("options", {}):
                self.source_file.refuse(("options", named), str(error))
            swept = self._place(where, named)
            self.source_file.refuse((named,) if swept == where else swept, str(error))
        self._games[name] = game, unusual(game, given)

    def _pairs(self, players):
        """Every two players, in an order of their data, so that a pair has the same key
        wherever the two stand in a file."""
        swept = self.source_file.entries.get("sweep", {}).get("game")
        self.paper = {label: self._paper_of(label, entry) for label, entry in players}
        for name in swept or [self._game_name()]:
            self._load_game(name, ())
            self.players = {
                label: self._resolve(("players", label), _settings(entry), name)
                for label, entry in players
            }
            self._check_different()
            at = {"game": name} if swept else {}
            for pair in itertools.combinations(self.players, 2):
                first, second = sorted(pair, key=lambda label: _as_text(self.players[label]))
                yield self._point(
                    name, first, at, self.players[first], self.players[second], against=second
                )

    def _checks(self, sentences):
        for claim, sentence in sentences.items():
            try:
                if self.round_robin:
                    yield claim, parse(sentence, self.players, list(self._games))
                else:
                    yield claim, parse_points(sentence, self.points)
            except BadInput as error:
                self.source_file.refuse(("checks", claim), str(error))

    def _check_different(self):
        """Equal players would share their games, and these be counted twice."""
        labels: dict[str, str] = {}
        for label, data in self.players.items():
            same = labels.setdefault(_as_text(data), label)
            if same != label:
                self.source_file.refuse(("players", label), "%s is the same as %s" % (label, same))

    def _paper_of(self, label, entry):
        """Per cent of wins and of draws in the paper, or None."""
        if isinstance(entry.get("paper"), list):
            self.source_file.refuse(("players", label, "paper"), "paper is one number per player")
        return entry.get("paper"), entry.get("paper_draw")

    def _game_name(self):
        return self.source_file.entries.get("game", "go9")

    def _swept(self, entry):
        """{key: values} of a player's sweeps, its own and those of all."""
        sweep = {**self.source_file.entries.get("sweep", {}), **entry.get("sweep", {})}
        if "search" not in {**entry, **sweep}:  # another program: no setting of ours concerns it
            own = ("game", *entry.get("sweep", {}))
            sweep = {axis: values for axis, values in sweep.items() if axis in own}
        return sweep

    def _sweep(self, label, entry):
        """The points of one player: every combination of its sweeps."""
        sweep = self._swept(entry)
        where = ("players", label)
        paper = flatten(entry.get("paper", []))
        combinations = list(itertools.product(*sweep.values()))
        if "paper" in entry and len(paper) != len(combinations):
            self.source_file.refuse(
                (*where, "paper"),
                "paper has %d values for %d points" % (len(paper), len(combinations)),
            )
        for number, values in enumerate(combinations):
            at = dict(zip(sweep, values, strict=True))
            settings = {**_settings(entry), **at}
            game = settings.pop("game", self._game_name())
            self._load_game(game, where)
            opponent = self._opponent(game)
            player = self._resolve(where, settings, game)
            scaled = {axis: self.scaled(axis, value, player) for axis, value in at.items()}
            point = self._point(
                game, label, scaled, player, opponent or player, paper[number] if paper else None
            )
            yield point._replace(named=at)

    def _opponent(self, game):
        """The opponent on a game, by its name; None if players play themselves."""
        if self.plays_itself:
            return None
        if game not in self._opponents:
            entry = self.source_file.entries["opponent"]
            self._opponents[game] = self._resolve(("opponent",), entry, game)
        return self._opponents[game]

    def scaled(self, axis: str, value: Any, player: dict[str, Any]) -> Any:
        """A swept value as it is played by a resolved player at this scale."""
        if axis not in SIZES or "search" not in player:
            return value
        return scaled_size(axis, value, self.scale, player["search"].endswith("2"))

    def _point(self, game, label, at, player, opponent, paper=None, against=None):
        game, options = self._games[game]
        match = dict(
            game=dict(name=game.name, **options, **(dict(source=game.digest) if game.file else {})),
            player=player,
            opponent=opponent,
            seed=self.seed,
        )
        if self.resign:
            match["resign"] = self.resign
        return Point(key_of(match), match, label, at, paper, against)

    def _resolve(self, where, entry, game):
        """A player as plain data with nothing left open, or the file's line that is wrong."""
        kinds = [kind for kind in KINDS if kind in entry]
        if len(kinds) != 1:
            self.source_file.refuse(where, "a player has one of " + ", ".join(KINDS))
        if kinds[0] != "search":
            for key in set(entry) - {kinds[0]}:
                self.source_file.refuse((*where, key), "%s is a setting of searches" % key)
            return {kinds[0]: entry[kinds[0]]}
        game, _ = self._games[game]
        try:
            own = self.source_file.own_settings(where)
            return resolve_search(game, {"preset": self.preset, **entry}, self.scale, own)
        except (ValueError, OverflowError) as error:
            named = [key for key in entry if re.search(r"\b%s\b" % key, str(error))]
            self.source_file.refuse(self._place(where, *named), str(error))

    def _place(self, where, *named):
        """Where the first of these keys stands that somebody wrote for a player at `where`."""
        places = [
            (*place, key)
            for key in named
            for place in (where, (*where, "sweep"), ("sweep",))
            if self.source_file.has((*place, key))
        ]
        return places[0] if places else where


def key_of(match: dict[str, Any]) -> str:
    """Names a match in the store."""
    return hashlib.sha256(_as_text(match).encode()).hexdigest()[:16]


def _settings(entry):
    return {key: value for key, value in entry.items() if key not in ENTRY_KEYS}


def _as_text(data):
    return json.dumps(data, sort_keys=True)
