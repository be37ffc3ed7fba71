"""Checks of what a paper claims: sentences about players, by their names in the file.

Of a round robin; * is everybody else:

    WP ahead of *            wins more of all its games than each of the others
    HP, FAP beat UCT, QB     each has more than half of the points against each
    HP ahead of * in urts16  in that one of the games that are swept
    * level with *           shares of wins differ by less than LEVEL, of all games or in one
    WP beats HP more than UCT  has more points against the one than against the other

A sentence compares every name on the left with every name on the right.

Of players against one opponent, at values of what is swept, as the file has them at any scale;
points that a side names count as one:

    GRAVER² at nodes 160, ratio_top 2 is equal        ... to the opponent, as the paper has it
    UCT² at nodes 440 is weaker                       ... than what counts as equal
    GRAVE² at lambda 0.5 beats GRAVE² at lambda 0.8   wins more of its games
    A at nodes 200 to 240 is no better than B         not more by as much as counts as equal
    A is as good as B                                 nor less

Sentences are separated by semicolons; all of them must hold.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from picograve import BadInput

if TYPE_CHECKING:
    from picograve_host.lab.plan.experiment import Point

AHEAD, LEVEL_WITH, BEATS, BEATS_MORE = "ahead of", "level with", "beats", "beats more"
LEVEL = 0.1  # of all games: about what 1,000 of each can tell
EQUAL, WEAKER, NO_BETTER, AS_GOOD = "is equal", "is weaker", "is no better than", "is as good as"
ALONE = (EQUAL, WEAKER)  # verbs without a right side


class Check(NamedTuple):
    pairs: list[tuple[str, str]]  # (who is said to be better, than whom); BEATS_MORE: an opponent
    by: str  # AHEAD, LEVEL_WITH, BEATS or BEATS_MORE
    game: str | None = None  # all games together
    who: str = ""  # BEATS_MORE: beats them


def parse(sentence: str, players: Iterable[str], games: Sequence[str] = ()) -> Check:
    """A sentence about these players, and one of these games at most."""
    players = list(players)
    parts = re.fullmatch(r"(.+) beats (.+) more than (.+)", sentence)
    if parts:
        who, left, right = (_names(side, players) for side in parts.groups())
        if len(who) > 1:
            raise BadInput("%r: one player beats some more than others" % sentence)
        return Check(list(itertools.product(left, right)), BEATS_MORE, who=who[0])
    parts = re.fullmatch(r"(.+) (ahead of|level with|beats?) (.+?)(?: in (\w+))?", sentence)
    if not parts:
        raise BadInput("%r is not as A, B ahead of C, nor as A beats B, C" % sentence)
    left, verb, right, game = parts.groups()
    by = BEATS if verb.startswith("beat") else verb
    if game and by == BEATS:
        raise BadInput("%r: in one game, a player is ahead of others" % sentence)
    if game and game not in games:
        raise BadInput("no game called %s is swept" % game)
    if left == right == "*":
        return Check(list(itertools.combinations(players, 2)), by, game)
    better, worse = _names(left, players), _names(right, players)
    if left == "*":
        better = [name for name in players if name not in worse]
    if right == "*":
        worse = [name for name in players if name not in better]
    return Check(list(itertools.product(better, worse)), by, game)


def _names(side, players):
    if side == "*":
        return players
    names = [name.strip() for name in side.split(",")]
    for name in names:
        if name not in players:
            raise BadInput("no player called %s; there are %s" % (name, ", ".join(players)))
    return names


class Comparison(NamedTuple):
    """Of points against one opponent, by their places in the experiment."""

    left: list[int]
    verb: str
    right: list[int]  # empty after a verb of ALONE


def parse_points(sentences: str, points: "Sequence[Point]") -> list[Comparison]:
    """Sentences about these points."""
    return [_comparison(sentence.strip(), points) for sentence in sentences.split(";")]


def _comparison(sentence, points):
    verbs = "|".join((EQUAL, WEAKER, BEATS, NO_BETTER, AS_GOOD))
    parts = re.fullmatch(r"(.+?) (%s)(?: (.+))?" % verbs, sentence)
    if not parts or (parts[2] in ALONE) != (parts[3] is None):
        raise BadInput("%r is not as A at nodes 200 is equal, nor as A beats B" % sentence)
    left, verb, right = parts.groups()
    return Comparison(_places(left, points), verb, _places(right, points) if right else [])


def _places(side, points):
    """Places of the points that one side of a sentence names."""
    label, _, conditions = side.partition(" at ")
    wanted = [_condition(text) for text in conditions.split(",")] if conditions else []
    places = [
        place
        for place, point in enumerate(points)
        if point.label == label
        and all(key in point.named and low <= point.named[key] <= high for key, low, high in wanted)
    ]
    if not places:
        raise BadInput("no point is %s" % side)
    return places


def _condition(text):
    """(key, least value, largest value)"""
    parts = re.fullmatch(r"\s*(\w+) ([\d.]+)(?: to ([\d.]+))?\s*", text)
    if not parts:
        raise BadInput("%r is not as nodes 200, nor as nodes 200 to 240" % text)
    key, low, high = parts.groups()
    return key, float(low), float(high or low)
