"""What comes from outside, checked for type, range and length and cleaned before anything uses or
prints it. A board, an engine, a file, a cluster's worker and whoever types a command are outside:
they may be broken, or mean harm. Each has one door, and all of them call this module:

    a board            boards/link.py: every answer, by the schema in boards/answers.py
    an engine          players/engine.py: every line
    a TOML file        toml_of, below
    a command line     cli/given.py: every word and every number
    a game's record    lab/play/records.py: from a worker, from a database, from games.txt

What is wrong raises Wrong, a ValueError with words for the user; each door says whose it was.
Nothing of the core is imported: the command line needs this before it chooses the core's runtime.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple, Protocol

MOST_LETTERS = 300  # of a text that others wrote and we repeat: four lines of a terminal
MOST_FILE = 1_000_000  # bytes of a TOML file: the largest that ships has 4,000
MOST_NESTED = 20  # tables and lists in one another; ours have 5. Python gives up at 1,000
LARGEST = 1e18  # of any number: what a database holds as a whole one
COUNT = 2**31 - 1  # what a chip's counters, of 32 bits, can hold
CUT = "..."


class Wrong(ValueError):
    """What arrived cannot be; the text says what could."""


def clean(text: object, most: int = MOST_LETTERS) -> str:
    """A text as one line that a terminal only shows: white space is a space, what is not printable
    (control characters, marks that turn writing around) a question mark, what is long is cut."""
    text = str(text)[: most + 1]
    if text.isprintable() and len(text) <= most:
        return text
    shown = [" " if c.isspace() else c if c.isprintable() else "?" for c in text]
    cleaned = "".join(shown)
    return cleaned if len(cleaned) <= most else cleaned[: most - len(CUT)] + CUT


class Kind(Protocol):
    """What a value may be; `check` gives it as it may be used."""

    def check(self, value: Any) -> Any: ...


class Whole(NamedTuple):
    """A whole number."""

    least: int
    most: int

    def check(self, value: Any) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            what = (self.least, self.most, clean(value, 40))
            raise Wrong("a whole number from %d to %d, not %s" % what)
        return value


class Real(NamedTuple):
    """A number, which may have decimals."""

    least: float
    most: float

    def check(self, value: Any) -> float:
        if type(value) not in (int, float) or not self.least <= value <= self.most:
            raise Wrong("a number from %g to %g, not %s" % (*self, clean(value, 40)))
        return value


class Truth(NamedTuple):
    """true or false."""

    def check(self, value: Any) -> bool:
        if type(value) is not bool:
            raise Wrong("true or false, not %s" % clean(value, 40))
        return value


class Text(NamedTuple):
    """A text of so many letters at most, which is cleaned."""

    most: int = MOST_LETTERS

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.most:
            raise Wrong("a text of at most %d letters, not %s" % (self.most, clean(value, 40)))
        return clean(value, self.most)


class Maybe(NamedTuple):
    """Such a value, or null, or nothing."""

    kind: Kind

    def check(self, value: Any) -> Any:
        return None if value is None else self.kind.check(value)


class Rows(NamedTuple):
    """A list of at most so many rows, each of these kinds."""

    most: int
    kinds: tuple[Kind, ...]

    def check(self, value: Any) -> list[list[Any]]:
        if not isinstance(value, list) or len(value) > self.most:
            raise Wrong("a list of at most %d rows, not %s" % (self.most, clean(value, 40)))
        for row in value:
            if not isinstance(row, list) or len(row) != len(self.kinds):
                raise Wrong("rows of %d, not %s" % (len(self.kinds), clean(row, 40)))
        return [
            [kind.check(cell) for kind, cell in zip(self.kinds, row, strict=True)] for row in value
        ]


class Named(NamedTuple):
    """A table of at most so many values by name."""

    most: int
    kind: Kind

    def check(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > self.most:
            raise Wrong("a table of at most %d values, not %s" % (self.most, clean(value, 40)))
        return {clean(name, 40): self.kind.check(one) for name, one in value.items()}


def fields(schema: dict[str, Kind], values: dict[str, Any]) -> dict[str, Any]:
    """The values that a schema has, each as its kind wants it; others are left out."""
    checked = {}
    for name, kind in schema.items():
        try:
            checked[name] = kind.check(values.get(name))
        except Wrong as error:
            raise Wrong("%s is %s" % (name, error)) from None
    return checked


def toml_of(path: Path) -> tuple[str, dict[str, Any]]:
    """(text, entries) of a TOML file; OSError where it cannot be read."""
    with path.open("rb") as file:
        data = file.read(MOST_FILE + 1)
    if len(data) > MOST_FILE:
        raise Wrong("a file of more than %d bytes" % MOST_FILE)
    text = data.decode("utf-8")
    try:
        entries = tomllib.loads(text)
        _check_texts(entries)
    except RecursionError:
        raise Wrong(_TOO_NESTED) from None
    return text, entries


_TOO_NESTED = "lists and tables in one another more than %d deep" % MOST_NESTED


def _check_texts(value, depth=0):
    """That no text, key or value, can steer a terminal."""
    if depth > MOST_NESTED:
        raise Wrong(_TOO_NESTED)
    if isinstance(value, str) and not all(c.isprintable() or c in "\n\t" for c in value):
        raise Wrong("control characters in the text %s" % clean(value, 40))
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for one in value:
            _check_texts(one, depth + 1)
