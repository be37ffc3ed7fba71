"""The file of an experiment: read with its bases, every key and value checked, the line of each
known, so that what is wrong is refused by name and line.
"""

import math
import re
import tomllib
from pathlib import Path
from typing import Any, NoReturn

from picograve import BadInput

from picograve_host import settings
from picograve_host.games import NAMED
from picograve_host.outside import clean, toml_of
from picograve_host.players.kinds import KINDS
from picograve_host.settings import PRESETS

SHIPPED = Path(__file__).parent.parent / "experiments"

TABLE = {row.spoken: row for row in (*settings.SIZES, *settings.SETTINGS)}
SIZES = [name for name, row in TABLE.items() if row.default is None]  # --scale scales them
SETTINGS = sorted(TABLE.keys() - set(SIZES))
RATIOS = ("ratio_top", "ratio_second")
PLAYER_KEYS = (*KINDS, "board", "ram", "preset", *SIZES, *RATIOS, *SETTINGS)
SWEEP_KEYS = ("game", *PLAYER_KEYS)
TUNED_KEYS = ("search", *SIZES, *RATIOS, *SETTINGS)  # of [tune], each a list of values
TUNING = {"games": 20, "tries": 16, "narrow": 2, "confirm": 400}  # ... and how, a number each
ENTRY_KEYS = ("sweep", "paper", "paper_draw", "threshold")  # of a player, but not of its play
TOP_KEYS = (
    "base", "series", "title", "source", "game", *NAMED, "options", "games", "preset", "seed",
    "resign", "round_robin", "opponent", "players", "sweep", "tune", "plot", "claims",
    "checks",
)  # fmt: skip
PLOT_KEYS = ("x", "log", "panels", "outcomes")
ITSELF = "itself"  # opponent = "itself"
LISTS = ("claims", "paper", "x")  # keys that may hold a list

TEXT, WHOLE, NUMBER = ("a text", (str,)), ("a whole number", (int,)), ("a number", (int, float))
OF_TYPE = {str: TEXT, int: WHOLE, float: NUMBER, bool: ("true or false", (bool,))}
TEXTS = (
    "base", "series", "title", "source", "claims", "game", "preset", "board", "x", "panels",
)  # fmt: skip
VALUES = {  # what a key takes, in words and as Python's types
    **dict.fromkeys(TEXTS, TEXT),
    **dict.fromkeys(("seed", *TUNING), WHOLE),
    "ram": ("the name of a board or a whole number of bytes", (str, int)),
    **dict.fromkeys(("komi", "resign", "paper", "paper_draw", "threshold"), NUMBER),
    **dict.fromkeys((*SIZES, *RATIOS), NUMBER),
    **dict.fromkeys(("round_robin", "swap", "log", "outcomes"), OF_TYPE[bool]),
    **{name: OF_TYPE[TABLE[name].kind] for name in SETTINGS},
    **{key: OF_TYPE[type(kind.example)] for key, kind in KINDS.items()},
}
MOST_GAMES = 10**6  # a point: the runner holds the numbers of those that are missing
MOST_POINTS = 10**4  # of an experiment: the largest that ships has 165; a point takes 1 kB
LONGEST_LABEL = 100  # letters of a player's name, which tables and plots have to hold
RANGES: dict[str, tuple[float, float]] = {
    "games": (1, MOST_GAMES), "resign": (0, 0.5),
    "tries": (1, 1000), "narrow": (2, 10), "confirm": (2, MOST_GAMES),
}  # fmt: skip
RANGES |= {key: kind.limits for key, kind in KINDS.items() if kind.limits}


def find(name: str) -> Path:
    """The file of an experiment: a path, or the name of one that ships."""
    for path in (SHIPPED / (name + ".toml"), Path(name)):
        if path.is_file():
            return path
    if name.endswith(".toml"):
        raise BadInput("there is no file %s" % name)
    raise BadInput(
        "no experiment %s: give a .toml file or one of %s" % (name, ", ".join(shipped()))
    )


def shipped() -> list[str]:
    """Names of the experiments that ship, fig7 before fig10. A file without a title is a base."""
    files = sorted(SHIPPED.glob("*.toml"), key=lambda file: re.sub(r"\d+", _padded, file.stem))
    return [file.stem for file in files if "title" in tomllib.loads(file.read_text("utf-8"))]


def _padded(digits):
    return digits[0].zfill(4)


class Source:
    """A file and its bases: `entries` merged and checked; it knows the line of every key."""

    def __init__(self, path: Path, above: tuple[Path, ...] = ()) -> None:
        """`above`: the files that build on this one."""
        self.path = path
        self.above = above
        try:
            self.text, self.own = toml_of(path)
            self.entries = self.own
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
        return Source(files[0], (*self.above, self.path))

    def _check(self):
        self._check_keys((), self.entries, TOP_KEYS)
        if self.entries.get("preset", "paper") not in PRESETS:
            self.refuse(("preset",), "preset takes one of " + ", ".join(PRESETS))
        self._check_options(self.entries.get("options", {}))
        self._check_keys(("plot",), self.entries.get("plot", {}), PLOT_KEYS)
        if self.entries.get("opponent") != ITSELF:
            self._check_keys(("opponent",), self.entries.get("opponent", {}), PLAYER_KEYS)
        self._check_sweep(("sweep",), self.entries.get("sweep", {}))
        self._check_tune(self.entries.get("tune", {}))
        self._check_checks(self.entries.get("checks", {}))
        players = self.entries.get("players", {})
        self._check_known(("players",), players, players)
        for label, entry in players.items():
            where = ("players", label)
            if len(label) > LONGEST_LABEL:
                self.refuse(where, "a player's name has at most %d letters" % LONGEST_LABEL)
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
            self._check_values((*where, key), flatten(value) if key in LISTS else [value])

    def _check_options(self, options):
        """Of the game, which knows their names."""
        self._check_known(("options",), options, options)
        for key, value in options.items():
            if type(value) not in OF_TYPE:
                kinds = "a number, a text, true or false"
                self.refuse(("options", key), "%s is %s, not %s" % (key, kinds, value))

    def _check_checks(self, checks):
        self._check_known(("checks",), checks, checks)
        for claim, check in checks.items():
            if not isinstance(check, str):
                self.refuse(("checks", claim), "a check is a text, not %s" % check)

    def _check_sweep(self, where, sweep):
        self._check_known(where, sweep, SWEEP_KEYS)
        self._check_lists(where, sweep)

    def _check_tune(self, tune):
        self._check_known(("tune",), tune, (*TUNING, *TUNED_KEYS))
        how = {key: value for key, value in tune.items() if key in TUNING}
        self._check_keys(("tune",), how, TUNING)
        tuned = {key: values for key, values in tune.items() if key not in TUNING}
        self._check_lists(("tune",), tuned)

    def _check_lists(self, where, entry):
        for key, values in entry.items():
            if not isinstance(values, list) or not values:
                self.refuse((*where, key), "%s %s takes a list of values" % (where[-1], key))
            self._check_values((*where, key), values)

    def _check_values(self, keys, values):
        words, types = VALUES.get(keys[-1], ("anything", None))
        for value in values:
            if types and type(value) not in types:
                self.refuse(keys, "%s is %s, not %s" % (keys[-1], words, clean(value)))
            if isinstance(value, float) and not math.isfinite(value):
                self.refuse(keys, "%s is a number, not %s" % (keys[-1], value))
            if keys[-1] in RANGES:
                least, most = RANGES[keys[-1]]
                if not least <= value <= most:
                    self.refuse(keys, "%s is %s to %s, not %s" % (keys[-1], least, most, value))

    def own_settings(self, where: tuple[str, ...]) -> set[str]:
        """What this very file, no base of it, says of the player there: names of Config."""
        entry = self.own
        for key in where:
            entry = entry.get(key, {})
        return {TABLE[key].name for key in {**entry, **entry.get("sweep", {})} if key in TABLE}

    def has(self, keys: tuple[str, ...]) -> bool:
        return _depth(self.entries, keys) == len(keys)

    def refuse(self, keys: tuple[str, ...], text: str) -> NoReturn:
        """Refuse what is at these keys, here or in a base."""
        file = next((file for file in self.files if _depth(file.own, keys) == len(keys)), self)
        raise BadInput("%s, line %d: %s" % (file.path, line_of(file.text, keys), text))


def flatten(values: Any) -> list[Any]:
    if not isinstance(values, list):
        return [values]
    return [leaf for value in values for leaf in flatten(value)]


# Ends of lines, brackets, and what may hold such and mean nothing by it: texts and comments. Three
# quotes are tried before one.
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'|#[^\n]*|[][{}\n]',
    re.DOTALL,
)


def line_of(text: str, keys: tuple[str, ...]) -> int:
    """The line, from 1, of a key given by its path of tables; that of its table if unseen."""
    best, depth = 1, 0
    table: tuple[str, ...] = ()
    for line, statement in _statements(text):
        entries = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _only_path(entries)
            found = _depth(entries, keys)
        else:
            below = keys[: len(table)] == table
            found = len(table) + _depth(entries, keys[len(table) :]) if below else 0
        if found > depth:
            best, depth = line, found
    return best


def _statements(text):
    """(line, text) of each statement of a TOML file that has been read: a key with its value, or
    the head of a table. Each is TOML by itself, so a file of n bytes is read in time of n."""
    begins = opened = 0
    line = 1
    for token in _TOKEN.finditer(text + "\n"):
        opened += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if token[0] == "\n" and opened == 0:
            statement = text[begins : token.start()]
            if statement.strip():
                yield line, statement
            line += text.count("\n", begins, token.end())
            begins = token.end()


def _only_path(entries):
    """The keys of the one table in these."""
    path = []
    while entries:
        ((key, entries),) = entries.items()
        entries = entries[0] if isinstance(entries, list) else entries
        path.append(key)
    return tuple(path)


def _depth(entries, keys):
    """How many of these keys lead into the tables."""
    for depth, key in enumerate(keys):
        if not isinstance(entries, dict) or key not in entries:
            return depth
        entries = entries[key]
    return len(keys)


def _merged(below, above, where=()):
    """Tables at `where` merged key by key; what is above wins, and a player that says what it is
    replaces the one below as a whole."""
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            is_player = where == ("players",) or (*where, key) == ("opponent",)
            if not (is_player and any(kind in value for kind in KINDS)):
                value = _merged(merged[key], value, (*where, key))
        merged[key] = value
    return merged
