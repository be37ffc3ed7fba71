"""What can be saved of a damaged database: every page is looked at by itself.

SQLite finds a row by way of other pages, its index and the inner pages of its tree, so one that is
damaged hides thousands of games. But a page that holds rows (a leaf) says all about them by itself,
and games are only ever added: SQLite puts a new row behind the others and never moves those. So a
file that was copied while it was written, where some pages are older than others, still has all its
games in its leaves. The format is that of https://sqlite.org/fileformat2.html, sections 1.5 to 2.1.
"""

import contextlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from picograve_host.lab.play.records import FIELDS, checked, key_of, match_of
from picograve_host.outside import Wrong

LEAF = 0x0D  # the first byte of a page with rows of a table
HEADER = 100  # bytes before the first page's own
USUAL_PAGE = 4096  # bytes
LENGTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes of a value by its type: null, integers, a float
FLOAT, ONE = 7, 9  # types: a float; the number 1, which takes no bytes

Record = dict[str, Any]


def rescued(file: Path) -> tuple[dict[str, Record], dict[str, list[Record]]]:
    """({key: match}, {key: records of games}) of all that makes sense, each game once."""
    data = file.read_bytes()
    columns = _columns(data)
    matches: dict[str, Record] = {}
    games: dict[str, dict[int, Record]] = {}
    for row in _Pages(data).rows():
        if match := _match_of(row):
            matches[match[0]] = match[1]
        elif game := _game_of(row, columns):
            key, record = game
            before = games.setdefault(key, {}).get(record["number"])
            if before is None or before["error"] is not None:  # it was played again
                games[key][record["number"]] = record
    return matches, {key: list(records.values()) for key, records in games.items()}


def _columns(data):
    """The names of the columns of games, in their order: from the text that made the table, where
    columns that came later stand behind the others."""
    made = re.search(rb"CREATE TABLE games \([^\x00]{1,10000}", data)
    found = re.findall(r'"(\w{1,40})"', made[0].decode("utf-8", "ignore")) if made else []
    return found or list(FIELDS)


def _match_of(row):
    if len(row) == 2 and all(isinstance(value, str) for value in row):
        with contextlib.suppress(Wrong):
            return row[0], match_of(row[1])
    return None


def _game_of(row, columns):
    if len(row) < 3 or not isinstance(row[0], str):
        return None
    try:
        return key_of(row[0]), checked(dict(zip(columns, row[1:], strict=False)))
    except Wrong:
        return None


class _Pages:
    def __init__(self, data: bytes) -> None:
        self.data = data
        size = int.from_bytes(data[16:18], "big")
        size = 65536 if size == 1 else size
        good = size >= 512 and size & (size - 1) == 0
        self.size = size if good else USUAL_PAGE
        self.usable = self.size - (data[20] if good else 0)

    def rows(self) -> Iterator[list[Any]]:
        """The values of each row in each leaf; what makes no sense is left out."""
        for start in range(0, len(self.data), self.size):
            page = self.data[start : start + self.size]
            head = HEADER if start == 0 else 0
            if page[head : head + 1] != bytes([LEAF]):
                continue
            count = int.from_bytes(page[head + 3 : head + 5], "big")
            for cell in range(count):
                place = head + 8 + 2 * cell
                try:
                    where = int.from_bytes(page[place : place + 2], "big")
                    yield _values(self._payload(page, where))
                except (IndexError, ValueError, struct.error):
                    continue

    def _payload(self, page, place):
        """The bytes of a row, those on overflow pages included."""
        size, place = _varint(page, place)
        _, place = _varint(page, place)  # the row's number
        if size > len(self.data):
            raise ValueError("a row is longer than the file")
        local = self._local(size)
        payload = page[place : place + local]
        following = int.from_bytes(page[place + local : place + local + 4], "big")
        while len(payload) < size:
            more = self.data[(following - 1) * self.size : following * self.size]
            if following < 1 or len(more) < self.size:
                raise ValueError("an overflow page is missing")
            payload += more[4 : min(self.usable, 4 + size - len(payload))]
            following = int.from_bytes(more[:4], "big")
        return payload

    def _local(self, size):
        """How many bytes of a payload are on the leaf itself."""
        most = self.usable - 35
        if size <= most:
            return size
        least = (self.usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (self.usable - 4)
        return local if local <= most else least


def _varint(data, place):
    """(value, place behind it) of a number of one to nine bytes."""
    value = 0
    for count in range(8):
        byte = data[place + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    return value << 8 | data[place + 8], place + 9


def _values(payload):
    """The values of a record."""
    size, place = _varint(payload, 0)
    values = []
    body = size
    while place < size:
        kind, place = _varint(payload, place)
        length = LENGTHS[kind] if kind < len(LENGTHS) else (kind - 12) // 2
        part = payload[body : body + length]
        if len(part) < length or kind in (10, 11):
            raise ValueError("a value is cut")
        values.append(_value(kind, part))
        body += length
    return values


def _value(kind, part):
    if kind == 0:
        return None
    if kind == FLOAT:
        return struct.unpack(">d", part)[0]
    if kind <= ONE:
        return kind - 8 if kind >= 8 else int.from_bytes(part, "big", signed=True)
    return part.decode("utf-8") if kind % 2 else part
