"""The record of a game as the store keeps it, and what each field may be.

The door (picograve_host.outside) of games that others have played: a worker, perhaps on another
machine, or whoever wrote the database that a record is read from.
"""

import json
from collections.abc import Iterable
from typing import Any

from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.play.sums import FIGURES
from picograve_host.outside import (
    LARGEST,
    Kind,
    Maybe,
    Real,
    Text,
    Whole,
    Wrong,
    clean,
    fields,
)

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
FIELDS += ("fingerprint", "machine", "digest")  # lab/record: which code, where, which moves
LONGEST_KEY = 150  # letters: ours have 16, and of other code a fingerprint behind it
LONGEST = 10**6  # letters of all moves of a game: many times what ours have
FIGURE = Maybe(Real(-LARGEST, LARGEST))  # a mean or a sum of what the searches told
KNOWN: dict[str, Kind] = {
    "number": Whole(0, MOST_GAMES - 1),
    "half_points": Maybe(Whole(0, 2)),
    "result": Maybe(Text(100)),
    "moves": Maybe(Text(LONGEST)),
    "values": Maybe(Text(LONGEST)),
    "seconds": Maybe(Real(0, 10**9)),
    "error": Maybe(Text(LONGEST)),
    "player_choices": Maybe(Text(LONGEST)),  # JSON: report/choices.py
    "opponent_choices": Maybe(Text(LONGEST)),
    "version": Maybe(Text(100)),
    "fingerprint": Maybe(Text(100)),
    "machine": Maybe(Text(1000)),
    "digest": Maybe(Whole(0, 10**6 - 1)),
}
SCHEMA: dict[str, Kind] = {field: KNOWN.get(field, FIGURE) for field in FIELDS}


def checked(record: dict[str, Any]) -> dict[str, Any]:
    """The record with every field that there is, each as it may be; outside.Wrong if it cannot."""
    record = fields(SCHEMA, record)
    if record["half_points"] is None and record["error"] is None:
        raise Wrong("half_points is missing, and there is no error")
    return record


def key_of(text: str) -> str:
    """The key of a match, if it can be one."""
    if not (text.isascii() and text.isprintable() and 0 < len(text) <= LONGEST_KEY):
        raise Wrong("a key of at most %d letters, not %s" % (LONGEST_KEY, clean(text, 40)))
    return text


def match_of(text: str) -> dict[str, Any]:
    """A match from its definition."""
    try:
        match = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        match = None
    if not isinstance(match, dict):
        raise Wrong("a match is a table in JSON, not %s" % clean(text, 40))
    return match


def fitting(columns: Iterable[str]) -> str:
    """SQL that is true of a row whose key and whose fields in these columns are as they may be. It
    looks at a million rows in the time that Python takes for a tenth of them."""
    key = "%s AND key NOT GLOB '*[^ -~]*'" % _fits("key", Text(LONGEST_KEY))
    result = '("half_points" IS NOT NULL OR "error" IS NOT NULL)'
    return " AND ".join([key, result, *(_fits('"%s"' % name, SCHEMA[name]) for name in columns)])


def _fits(column, kind):
    if isinstance(kind, Maybe):
        return "(%s IS NULL OR %s)" % (column, _fits(column, kind.kind))
    if isinstance(kind, Text):
        return "(typeof(%s) = 'text' AND length(%s) <= %d)" % (column, column, kind.most)
    types = "'integer'" if isinstance(kind, Whole) else "'integer', 'real'"
    return "(typeof(%s) IN (%s) AND %s BETWEEN %r AND %r)" % (column, types, column, *kind)
