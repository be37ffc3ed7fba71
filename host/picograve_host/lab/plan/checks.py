"""Checks of what a paper claims of a round robin: sentences about players, by their names in the
file; * is everybody else.

    WP ahead of *            wins more of all its games than each of the others
    HP, FAP beat UCT, QB     each has more than half of the points against each
    HP ahead of * in urts16  in that one of the games that are swept

A sentence compares every name on the left with every name on the right.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from picograve import BadInput

AHEAD, BEATS = "ahead of", "beats"


class Check(NamedTuple):
    pairs: list[tuple[str, str]]  # (who is said to be better, than whom)
    by: str  # AHEAD or BEATS
    game: str | None = None  # all games together


def parse(sentence: str, players: Iterable[str], games: Sequence[str] = ()) -> Check:
    """A sentence about these players, and one of these games at most."""
    parts = re.fullmatch(r"(.+) (ahead of|beats?) (.+?)(?: in (\w+))?", sentence)
    if not parts:
        raise BadInput("%r is not as A, B ahead of C, nor as A beats B, C" % sentence)
    left, verb, right, game = parts.groups()
    if game and verb != AHEAD:
        raise BadInput("%r: in one game, a player is ahead of others" % sentence)
    if game and game not in games:
        raise BadInput("no game called %s is swept" % game)
    players = list(players)
    better, worse = _names(left, players), _names(right, players)
    if left == "*":
        better = [name for name in players if name not in worse]
    if right == "*":
        worse = [name for name in players if name not in better]
    pairs = [(one, other) for one in better for other in worse]
    return Check(pairs, AHEAD if verb == AHEAD else BEATS, game)


def _names(side, players):
    if side == "*":
        return players
    names = [name.strip() for name in side.split(",")]
    for name in names:
        if name not in players:
            raise BadInput("no player called %s; there are %s" % (name, ", ".join(players)))
    return names
