"""Games as plain text, small enough to be kept beside a report: games.txt.

    picograve games 1
    match b7f2221bd7cc1a19 {"game": {"name": "go9"}, ...}
    by {"version": "0.5.0", "fingerprint": "9c1d2e3f", "machine": "..."}
    same {"player_nodes_used": 28, ...}
    games number half_points seconds player_moves ...
    0 2 58.1 31 310000 27.9 31 310000 30.2 731204
    1 0 ...
    end 2

A game is a line under the headings of its match and of those who played it; what is the same in all
games of a heading stands there once. A cell is JSON without spaces, or - where there is nothing.
All that the store has of a game is kept but LOST, so a run goes on with these games and a report of
them is the same. The last line counts the games: a file that was cut off is refused.

The order is that of the matches and numbers, so equal games are equal bytes.
"""

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from picograve import BadInput

from picograve_host.lab.play.records import FIELDS, checked, key_of, match_of
from picograve_host.lab.play.store import Store
from picograve_host.lab.record.digest import digest_in

if TYPE_CHECKING:
    from picograve_host.lab.plan.experiment import Point

FILE = "games.txt"
FIRST_LINE = "picograve games 1"
LOST = ("moves", "values", "result")  # most of a game's bytes; its digest stays
BY = ("version", "fingerprint", "machine")
KEPT = [field for field in FIELDS if field not in LOST + BY]
DIGITS = 4  # of seconds


class Played(NamedTuple):
    """A match with games of it: {field of the store: value} each, without empty ones."""

    key: str
    match: dict[str, Any]
    records: list[dict[str, Any]]


def as_text(matches: Iterable[Played]) -> str:
    lines, count = [FIRST_LINE], 0
    for key, match, records in sorted(matches, key=lambda played: played.key):
        if records:
            lines.append("match %s %s" % (key, _json(match)))
        records = sorted(records, key=lambda record: (_by(record), record["number"]))
        for by, group in itertools.groupby(records, key=_by):
            lines.append("by " + by)
            lines += _lines(list(group))
        count += len(records)
    return "\n".join([*lines, "end %d" % count, ""])


def of_points(store: Store, points: Iterable["Point"]) -> str:
    """All games that a store has of these points, those of other code included."""
    matches = {point.key: point.match for point in points}
    return as_text(
        Played(key, match, [game for games in store.records(key).values() for game in games])
        for key, match in matches.items()
    )


def _by(record):
    return _json({field: record.get(field) for field in BY})


def _lines(records):
    """Of one heading: what is the same in all, the names of the columns, a line a game."""
    records = [{**record, "digest": digest_in(record)} for record in records]
    table = {field: [_rounded(field, record.get(field)) for record in records] for field in KEPT}
    varying = [field for field in KEPT if field == "number" or len(set(table[field])) > 1]
    same = {
        field: values[0]
        for field, values in table.items()
        if field not in varying and values[0] is not None
    }
    yield "same " + _json(same)
    yield " ".join(["games", *varying])
    for place in range(len(records)):
        yield " ".join(_cell(table[field][place]) for field in varying)


def _rounded(field, value):
    return float("%.*g" % (DIGITS, value)) if value and field.endswith("seconds") else value


def _cell(value):
    return "-" if value is None else _json(value).replace(" ", "\\u0020")


def _json(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def read(path: Path) -> list[Played]:
    """The games of a file, one Played for each match and who played it."""
    if not path.is_file():  # a device may never end
        raise BadInput("there is no file %s" % path)
    try:
        lines = path.read_text("utf-8").removesuffix("\n").split("\n")
    except (OSError, ValueError) as error:
        raise BadInput("%s cannot be read: %s" % (path, error)) from None
    if lines[0] != FIRST_LINE:
        raise BadInput("%s holds no games: its first line is not %r" % (path, FIRST_LINE))
    reader = _Reader()
    for number, line in enumerate(lines[1:], 2):
        try:
            if reader.take(line):
                return reader.found
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
            raise BadInput("%s, line %d is damaged: %r" % (path, number, line[:60])) from None
    raise BadInput("%s was cut off: its last line does not count the games" % path)


class _Reader:
    """Takes line after line; a heading holds for the lines below it."""

    def __init__(self) -> None:
        self.found: list[Played] = []
        self.match: tuple[str, dict[str, Any]]
        self.by: dict[str, Any] = {}
        self.same: dict[str, Any] = {}
        self.columns: list[str] = []

    def take(self, line: str) -> bool:
        """Whether this is the end."""
        word, _, rest = line.partition(" ")
        if word == "match":
            key, _, match = rest.partition(" ")
            self.match = key_of(key), match_of(match)
        elif word == "by":
            self.by = dict(json.loads(rest))
        elif word == "same":
            self.same = dict(json.loads(rest))
        elif word == "games":
            self.columns = rest.split()
            self.found.append(Played(*self.match, []))
        elif word == "end":
            if int(rest) != sum(len(played.records) for played in self.found):
                raise ValueError(line)
            return True
        else:
            cells = [None if cell == "-" else json.loads(cell) for cell in line.split(" ")]
            record = dict(zip(self.columns, cells, strict=True))
            record = checked({**self.by, **self.same, **record})
            self.found[-1].records.append({k: v for k, v in record.items() if v is not None})
        return False
