"""The store: one SQLite file that holds every game, written by one process.

A match (experiment.Point.match) is kept once as JSON under its key, a game under its key
and number. Each call of `add` is one transaction, flushed to the disk before it returns:
whatever happens to the process, games that were added stay, and a game is there once. A
lock beside the file, which the system drops with its holder, keeps a second writer out.

Games of other code than that of the last run (lab/record/fingerprint.py) are kept apart, under the
key with APART and their fingerprint behind it: they are there, and no table counts them.

After each `add` this one file holds all games, so that it may be copied alone: what SQLite needs to
undo half a transaction (JOURNAL) lies beside it only while one is written. A copy that was made in
such a moment is found out when it is opened (integrity_check), and `lab rescue` reads it: while
games are played rows are only ever added, so each is in some page of it (rescue.py).

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

from picograve_host.lab.play.records import FIELDS, checked, fitting, match_of
from picograve_host.outside import Wrong, clean

FILE = "lab.sqlite"
JOURNAL = "DELETE"  # TRUNCATE and PERSIST are as safe, no quicker, and leave a file behind
PATIENCE = 60  # seconds that a writer waits for those who read
APART = "@"
COLUMNS = ", ".join('"%s"' % field for field in FIELDS)
SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS matches (key TEXT PRIMARY KEY, definition TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (key TEXT NOT NULL, %s, PRIMARY KEY (key, number));
"""
    % COLUMNS
)
TABLES = {"matches", "games"}
OF_MATCH = "(key = ? OR key GLOB ?)"  # also those kept apart


def _of_match(key):
    return key, key + APART + "*"


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
            self.database = sqlite3.connect(self.path, PATIENCE)
            self._check_whole()
            self.database.execute("PRAGMA journal_mode = %s" % JOURNAL)
            self.database.execute("PRAGMA synchronous = FULL")
            self.database.executescript(SCHEMA)
            for field in self._lacking():
                self.database.execute('ALTER TABLE games ADD COLUMN "%s"' % field)
            self._check_games()

    def _open_to_read(self):
        nothing = BadInput("no games in %s yet: run the experiment first" % self.folder)
        if not self.path.is_file():
            raise nothing
        # A folder that cannot be written has no room for the log's index: read it as it is.
        for mode in ("mode=ro", "immutable=1"):
            try:
                uri = self.path.resolve().as_uri() + "?" + mode
                self.database = sqlite3.connect(uri, PATIENCE, uri=True)
                if "games" not in self._tables():
                    raise nothing
                self._check_whole()
                self._check_games()
                return
            except sqlite3.Error as error:
                failure = error
        raise RunFailed("%s cannot be read: %s; %s" % (self.path, failure, self._advice()))

    def _check_whole(self):
        """Refuse a damaged file: what it shows may not be all that was recorded."""
        try:
            ((verdict,),) = self.database.execute("PRAGMA integrity_check(1)")
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # a disk that refuses, no damage
                raise
            verdict = str(error)
        if verdict != "ok":
            self._refuse(clean(verdict))

    def _check_games(self):
        """Refuse what no lab has recorded: somebody else may have made the file."""
        self.database.text_factory = lambda data: data.decode("utf-8", "replace")
        if self._tables() != TABLES:
            self._refuse("it has other tables than a lab's")
        lacking = self._lacking()
        there = [field for field in FIELDS if field not in lacking]
        if not {"number", "half_points", "error"} <= {*there}:
            self._refuse("its games have no results")
        odd = "SELECT 1 FROM games WHERE NOT (%s) LIMIT 1" % fitting(there)
        if self.database.execute(odd).fetchone():
            self._refuse("it has a game that cannot be")
        try:
            self.matches()
        except Wrong as error:
            self._refuse(error)

    def _tables(self):
        """The names of all tables, views and triggers."""
        names = self.database.execute(
            "SELECT name FROM sqlite_master WHERE type <> 'index' AND name NOT LIKE 'sqlite_%'"
        )
        return {name for (name,) in names}

    def _refuse(self, why):
        raise RunFailed("%s is damaged: %s; %s" % (self.path, why, self._advice()))

    def _advice(self):
        return "what can be saved is saved by: picograve lab rescue %s" % self.path

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
        except (sqlite3.OperationalError, OSError) as error:
            raise RunFailed(
                "%s cannot be written: %s; what was recorded is safe, the same command goes on"
                % (self.path, error)
            ) from None
        except sqlite3.Error as error:
            raise RunFailed("%s is damaged: %s; %s" % (self.path, error, self._advice())) from None

    def add(self, key: str, match: dict[str, Any], records: list[dict[str, Any]]) -> None:
        """Record games of a match. A game that is there stays as it was."""
        with self._told(), self.database:
            self._insert(key, match, {key: records})

    def put(
        self, key: str, match: dict[str, Any], records: dict[str, list[dict[str, Any]]]
    ) -> None:
        """Let these be the games of a match, in place of all others: {key, or key with APART and
        a fingerprint: records}."""
        with self._told(), self.database:
            self.database.execute("DELETE FROM games WHERE %s" % OF_MATCH, _of_match(key))
            self._insert(key, match, records)

    def _insert(self, key, match, records):
        self.database.execute(
            "INSERT OR IGNORE INTO matches VALUES (?, ?)", (key, json.dumps(match, sort_keys=True))
        )
        marks = ", ".join("?" * (1 + len(FIELDS)))
        self.database.executemany(
            "INSERT OR IGNORE INTO games (key, %s) VALUES (%s)" % (COLUMNS, marks),
            [
                (place, *_checked(record).values())
                for place, games in records.items()
                for record in games
            ],
        )

    def forget_failures(self, key: str) -> None:
        """Let the failed games of a match be played again."""
        with self._told(), self.database:
            self.database.execute("DELETE FROM games WHERE key = ? AND error IS NOT NULL", (key,))

    def numbers(self, key: str) -> set[int]:
        """The numbers of the games recorded of a match, as a set."""
        rows = self.database.execute("SELECT number FROM games WHERE key = ?", (key,))
        return {number for (number,) in rows}

    def last_key(self) -> str | None:
        """The key of the match whose game was recorded last, or None."""
        row = self.database.execute("SELECT key FROM games ORDER BY rowid DESC LIMIT 1").fetchone()
        return row and row[0]

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
        rows = self.database.execute(
            "SELECT number, error FROM games"
            " WHERE key = ? AND number < ? AND error IS NOT NULL ORDER BY number",
            (key, games),
        )
        return [(number, clean(error)) for number, error in rows]

    def versions(self, key: str) -> set[str]:
        """Versions of picograve that played the games of a match, as a set."""
        rows = self.database.execute("SELECT DISTINCT version FROM games WHERE key = ?", (key,))
        return {clean(version) for (version,) in rows}

    def matches(self) -> dict[str, dict[str, Any]]:
        """{key: match} of all that there are."""
        rows = self.database.execute("SELECT key, definition FROM matches ORDER BY key")
        return {key: match_of(definition) for key, definition in rows}

    def records(self, key: str) -> dict[str, list[dict[str, Any]]]:
        """All games of a match as `put` takes them, in order, empty fields left out."""
        fields = [field for field in FIELDS if field not in self._lacking()]
        columns = ", ".join('"%s"' % field for field in fields)
        found: dict[str, list[dict[str, Any]]] = {}
        for place, *values in self.database.execute(
            "SELECT key, %s FROM games WHERE %s ORDER BY key, number" % (columns, OF_MATCH),
            _of_match(key),
        ):
            pairs = zip(fields, values, strict=True)
            found.setdefault(place, []).append({k: v for k, v in pairs if v is not None})
        return found

    def fingerprints(self, key: str) -> set[str | None]:
        """Of the games of a match, also those kept apart; None for games from before there were
        any."""
        if "fingerprint" in self._lacking():
            return {None} if self.numbers(key) else set()
        rows = self.database.execute(
            "SELECT DISTINCT fingerprint FROM games WHERE error IS NULL AND %s" % OF_MATCH,
            _of_match(key),
        )
        return {fingerprint for (fingerprint,) in rows}

    def apart(self, key: str) -> int:
        """How many games of a match are kept apart."""
        query = "SELECT COUNT(*) FROM games WHERE key GLOB ?"
        return self.database.execute(query, (_of_match(key)[1],)).fetchone()[0]

    def stamp(self, key: str, version: str, fingerprint: str) -> None:
        """Let the games of a match that this version played and that have none have this one."""
        with self._told(), self.database:
            self.database.execute(
                "UPDATE games SET fingerprint = ?"
                " WHERE key = ? AND version = ? AND fingerprint IS NULL AND error IS NULL",
                (fingerprint, key, version),
            )


def _checked(record):
    """A record that others made, with its fields in the order of FIELDS."""
    try:
        return checked({"version": __version__, **record})
    except Wrong as error:
        raise RunFailed("a game is recorded that cannot be: %s" % error) from None
