"""The store: one SQLite file that holds every game, written by one process.

A match (experiment.Point.match) is kept once as JSON under its key, a game under its key
and number. Each call of `add` is one transaction, flushed to the disk before it returns:
whatever happens to the process, games that were added stay, and a game is there once. A
lock beside the file, which the system drops with its holder, keeps a second writer out.

A figure of searches (sums.py) has a column for each player. A file without the column of a
figure that is new gets it when it is opened to write, and until then reads as if it were empty.
"""

import contextlib
import fcntl
import json
import sqlite3
from pathlib import Path
from typing import IO, Any, Self

from picograve import BadInput, __version__
from picograve.errors import RunFailed

from picograve_host.lab.play.sums import FIGURES

FILE = "lab.sqlite"
FIELDS: tuple[str, ...] = (
    "number", "half_points", "result", "moves", "values", "seconds",
    "player_moves", "player_playouts", "player_seconds", "player_nodes_used",
    "opponent_moves", "opponent_playouts", "opponent_seconds", "opponent_nodes_used",
    "error", "version",
    "player_choices", "player_depth", "opponent_choices", "opponent_depth",
)  # fmt: skip
FIELDS += tuple(
    field
    for field in ("%s_%s" % (seat, figure) for seat in ("player", "opponent") for figure in FIGURES)
    if field not in FIELDS
)
COLUMNS = ", ".join('"%s"' % field for field in FIELDS)
SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS matches (key TEXT PRIMARY KEY, definition TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (key TEXT NOT NULL, %s, PRIMARY KEY (key, number));
"""
    % COLUMNS
)


class Store:
    """The games in a folder; to write, use it in a `with` that asks for it."""

    def __init__(self, folder: str | Path, write: bool = False) -> None:
        self.folder = Path(folder)
        self.path = self.folder / FILE
        self._lock: IO[str] | None = None
        if write:
            self._open_to_write()
        else:
            self._open_to_read()

    def _open_to_write(self):
        with self._told():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = (self.folder / "lab.lock").open("w")
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadInput(
                    "another lab run is writing to %s; wait for it or use another --out"
                    % self.folder
                ) from None
            self.database = sqlite3.connect(self.path)
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.execute("PRAGMA synchronous = FULL")
            self.database.executescript(SCHEMA)
            for field in self._lacking():
                self.database.execute('ALTER TABLE games ADD COLUMN "%s"' % field)

    def _open_to_read(self):
        if not self.path.is_file():
            raise BadInput("no games in %s yet: run the experiment first" % self.folder)
        # A folder that cannot be written has no room for the log's index: read it as it is.
        for mode in ("mode=ro", "immutable=1"):
            try:
                self.database = sqlite3.connect(self.path.resolve().as_uri() + "?" + mode, uri=True)
                self.database.execute("SELECT COUNT(*) FROM games")
                return
            except sqlite3.Error as error:
                failure = error
        raise RunFailed("%s cannot be read: %s" % (self.path, failure))

    def _lacking(self):
        """Fields that an older picograve did not record."""
        columns = self.database.execute("PRAGMA table_info(games)")
        there = {name for _, name, *_ in columns}
        return [field for field in FIELDS if field not in there]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()
        if self._lock:
            self._lock.close()

    @contextlib.contextmanager
    def _told(self):
        """What the disk refuses, in one line."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise RunFailed(
                "%s cannot be written: %s; what was recorded is safe, the same command goes on"
                % (self.path, error)
            ) from None

    def add(self, key: str, match: dict[str, Any], records: list[dict[str, Any]]) -> None:
        """Record games of a match. A game that is there stays as it was."""
        marks = ", ".join("?" * (1 + len(FIELDS)))
        insert = "INSERT OR IGNORE INTO games (key, %s) VALUES (%s)" % (COLUMNS, marks)
        rows = [
            (key, *(dict(version=__version__, **record).get(field) for field in FIELDS))
            for record in records
        ]
        with self._told(), self.database:
            self.database.execute(
                "INSERT OR IGNORE INTO matches VALUES (?, ?)",
                (key, json.dumps(match, sort_keys=True)),
            )
            self.database.executemany(insert, rows)

    def forget_failures(self, key: str) -> None:
        """Let the failed games of a match be played again."""
        with self._told(), self.database:
            self.database.execute("DELETE FROM games WHERE key = ? AND error IS NOT NULL", (key,))

    def numbers(self, key: str) -> set[int]:
        """The numbers of the games recorded of a match, as a set."""
        rows = self.database.execute("SELECT number FROM games WHERE key = ?", (key,))
        return {number for (number,) in rows}

    def seconds_a_game(self, key: str) -> float | None:
        """The mean, or None before the first game."""
        query = "SELECT AVG(seconds) FROM games WHERE key = ?"
        return self.database.execute(query, (key,)).fetchone()[0]

    def first_results(self, key: str) -> list[int | None]:
        """Half points of the games from 0 up to the first that is not recorded."""
        rows = self.database.execute(
            "SELECT number, half_points FROM games WHERE key = ? ORDER BY number", (key,)
        )
        return [points for place, (number, points) in enumerate(rows) if number == place]

    def results(self, key: str, games: int) -> list[int | None]:
        """Half points of games 0 to games - 1, in order; None for one that failed. Games not
        played yet are left out."""
        return [half_points for _, half_points in self.numbered_results(key, games)]

    def numbered_results(self, key: str, games: int) -> list[tuple[int, int | None]]:
        """[(number, half points)] of games 0 to games - 1, as `results` gives them."""
        return self.database.execute(
            "SELECT number, half_points FROM games WHERE key = ? AND number < ? ORDER BY number",
            (key, games),
        ).fetchall()

    def column(self, key: str, games: int, field: str) -> list[Any]:
        """A field of games 0 to games - 1, in order, where it is not empty."""
        if field in self._lacking():
            return []
        rows = self.database.execute(
            'SELECT "%s" FROM games WHERE key = ? AND number < ? AND "%s" IS NOT NULL'
            " ORDER BY number" % (field, field),
            (key, games),
        )
        return [value for (value,) in rows]

    def figures(self, key: str, games: int) -> dict[str, float]:
        """Sums over games 0 to games - 1 of what the players report, and their number, as a
        dict; without games that failed."""
        names = [field for field in FIELDS if field.endswith(("_moves", "_playouts", "_seconds"))]
        sums = ", ".join(["COUNT(*)", *("TOTAL(%s)" % name for name in names)])
        row = self.database.execute(
            "SELECT %s FROM games WHERE key = ? AND number < ? AND error IS NULL" % sums,
            (key, games),
        ).fetchone()
        return dict(zip(["games", *names], row, strict=True))

    def errors(self, key: str, games: int) -> list[tuple[int, str]]:
        """(number, error) of the failed games."""
        return self.database.execute(
            "SELECT number, error FROM games"
            " WHERE key = ? AND number < ? AND error IS NOT NULL ORDER BY number",
            (key, games),
        ).fetchall()

    def versions(self, key: str) -> set[str]:
        """Versions of picograve that played the games of a match, as a set."""
        rows = self.database.execute("SELECT DISTINCT version FROM games WHERE key = ?", (key,))
        return {version for (version,) in rows}
