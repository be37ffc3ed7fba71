"""The record of a game as the store keeps it, and what each field may be.

The door (picograve_host.outside) of games that others have played: a worker, perhaps on another
machine, or whoever wrote the database that a record is read from.
"""

from typing import Any

from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.play.sums import FIGURES
from picograve_host.outside import Kind, Maybe, Real, Scalar, Text, Whole, fields

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
LONGEST = 10**6  # letters of all moves of a game: many times what ours have
KNOWN: dict[str, Kind] = {
    "number": Whole(0, MOST_GAMES - 1),
    "half_points": Maybe(Whole(0, 2)),
    "result": Maybe(Text(100)),
    "moves": Maybe(Text(LONGEST)),
    "values": Maybe(Text(LONGEST)),
    "seconds": Maybe(Real(0, 10**9)),
    "error": Maybe(Text(LONGEST)),
    "version": Maybe(Text(100)),
}
SCHEMA: dict[str, Kind] = {field: KNOWN.get(field, Maybe(Scalar(LONGEST))) for field in FIELDS}


def checked(record: dict[str, Any]) -> dict[str, Any]:
    """The record with every field that there is, each as it may be; outside.Wrong if it cannot."""
    return fields(SCHEMA, record)
