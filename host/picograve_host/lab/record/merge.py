"""Games from several places in one store: from other machines, from earlier sessions.

A game is told by its match, its number and the fingerprint of the code that played it. Equal games
count once; of two that differ neither can be trusted, so they are named and nothing is merged.
Games of code other than the present are kept apart (store.py). Those that do not say which code
played them, from before there were fingerprints, stand with the others, unless one of the same
version and match contradicts a game whose code is known: then they are of other code, too. vouch.py
finds out.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from picograve import BadInput

from picograve_host.lab.play import store as stores
from picograve_host.lab.play.records import checked
from picograve_host.lab.play.store import APART, Store
from picograve_host.lab.record import text
from picograve_host.lab.record.digest import digest_in
from picograve_host.outside import clean

NAMED = 5  # conflicts that an error tells

Record = dict[str, Any]
Present = Callable[[str, dict[str, Any]], str]  # (key, match): the fingerprint of the present code


class Source(Protocol):
    """Where games come from."""

    name: str

    def matches(self) -> dict[str, dict[str, Any]]:
        """{key: match}"""

    def games(self, key: str) -> list[Record]:
        """All games of a match."""


class InStore:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.name = str(store.path)

    def matches(self) -> dict[str, dict[str, Any]]:
        return self.store.matches()

    def games(self, key: str) -> list[Record]:
        return [
            {field: value for field, value in checked(record).items() if value is not None}
            for records in self.store.records(key).values()
            for record in records
        ]


class InText:
    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._played = text.read(path)

    def matches(self) -> dict[str, dict[str, Any]]:
        return {played.key: played.match for played in self._played}

    def games(self, key: str) -> list[Record]:
        return [record for played in self._played if played.key == key for record in played.records]


def sources(path: Path) -> Iterator[Source]:
    """What is at a path: a store or a text with games, or a folder with one of these or several."""
    if path.is_dir():
        files = sorted([*path.rglob(stores.FILE), *path.rglob(text.FILE)])
        stored = {file.parent for file in files if file.name == stores.FILE}
        # A report beside its store has the store's games.
        files = [f for f in files if f.name == stores.FILE or not stored & {*f.parents}]
    else:
        files = [path]
    if not files or not path.exists():
        raise BadInput("no games at %s: give a %s, a %s or a folder with some"
                       % (path, stores.FILE, text.FILE))  # fmt: skip
    for file in files:
        yield InStore(Store(file.parent)) if file.name == stores.FILE else InText(file)


class Merged(NamedTuple):
    games: int  # of the matches that were looked at, in the store now
    new: int  # ... not there before
    apart: int  # ... of other code, which no table counts
    unknown: int  # ... that do not say which code played them


def merge(
    store: Store,
    sources: Sequence[Source],
    present: Present,
    keys: Sequence[str] | None = None,
    always: bool = False,
) -> Merged:
    """Let the store have the games of all sources besides its own, of the matches with these keys
    (default: of all). `present` is asked where there are games of several codes, or `always`."""
    places = [InStore(store), *sources]
    matches = {key: match for place in places for key, match in place.matches().items()}
    if keys is not None:
        matches = {key: matches[key] for key in keys if key in matches}
    codes = {}
    for key, match in matches.items():
        there = {game["fingerprint"] for place in places for game in place.games(key)
                 if "fingerprint" in game}  # fmt: skip
        asked = len(there) > 1 or (always and there)
        codes[key] = _code_of(present, key, match) if asked else next(iter(there), None)
    _refuse([found for key in matches for found in _gather(places, key, codes[key])[1]])
    total = Merged(0, 0, 0, 0)
    for key, match in matches.items():
        now, _ = _gather(places, key, codes[key])
        before = store.records(key)
        if now != before:
            store.put(key, match, now)
        counted = _counted(key, before, now)
        total = Merged(*(one + more for one, more in zip(total, counted, strict=True)))
    return total


def _code_of(present, key, match):
    """As `present` says; a match of somebody else may be none."""
    try:
        return present(key, match)
    except (LookupError, TypeError, AttributeError):
        raise BadInput("match %s cannot be played: %s" % (key, clean(match, 200))) from None


def _gather(places, key, code):
    """The games of a match as Store.put takes them, and those that contradict each other, told."""
    games = [(game, place.name) for place in places for game in place.games(key)]
    others = _other_versions([game for game, _ in games], code)
    found: dict[str, dict[int, tuple[Record, str]]] = {}
    conflicts = []
    for game, name in games:
        its_code = game.get("fingerprint", code)
        if "fingerprint" not in game and game.get("version") in others:
            its_code = game["version"]
        table = found.setdefault(key if its_code == code else key + APART + its_code, {})
        other, its_name = table.get(game["number"], (game, name))
        if _differ(game, other):
            told = (key, game["number"], its_name, _result(other), name, _result(game))
            conflicts.append("%s game %d: %s has %s, %s has %s" % told)
        if other is game or _knows_more(game, other):
            table[game["number"]] = game, name
    sorted_games = {
        place: [table[number][0] for number in sorted(table)]
        for place, table in sorted(found.items())
    }
    return sorted_games, conflicts


def _other_versions(games, code):
    """Versions whose games do not say their code, and contradict those of the present code."""
    known = {game["number"]: game for game in games if code and game.get("fingerprint") == code}
    return {
        game.get("version")
        for game in games
        if "fingerprint" not in game and _differ(game, known.get(game["number"], game))
    }


def _differ(game, other):
    """Whether both were played, and not alike."""
    if "error" in game or "error" in other:
        return False
    digests = {digest_in(game), digest_in(other)} - {None}
    return game["half_points"] != other["half_points"] or len(digests) > 1


def _result(game):
    return "%d half points, moves %s" % (game["half_points"], digest_in(game))


def _knows_more(game, other):
    def known(game):
        return "error" not in game, "fingerprint" in game, "moves" in game

    return known(game) > known(other)


def _refuse(conflicts):
    if conflicts:
        more = len(conflicts) - NAMED
        told = conflicts[:NAMED] + (["and %d more" % more] if more > 0 else [])
        raise BadInput(
            "nothing was merged, because %d games were played in two ways: %s"
            % (len(conflicts), "; ".join(told))
        )


def _counted(key, before, now):
    def those(games):
        return {(place, game["number"]) for place in games for game in games[place]}

    apart = sum(len(games) for place, games in now.items() if place != key)
    unknown = sum("fingerprint" not in game and "error" not in game for game in now.get(key, ()))
    return len(those(now)), len(those(now) - those(before)), apart, unknown
