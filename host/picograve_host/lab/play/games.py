"""One game of the lab: a pure function of a match (experiment.Point.match) and a number.

This is what workers run, here or on a cluster. Games come in pairs, 2 n and 2 n + 1, with
the same seeds and the colours changed. Nothing but the seconds and the name of the machine depends
on where a game is played, or on what was played before it.
"""

import functools
import hashlib
import json
import time
from collections.abc import Iterable
from pathlib import Path
from threading import get_ident
from typing import Any

from picograve import BadInput, Position, load
from picograve.position import SEEDS
from picograve.value import WIN

from picograve_host.lab.play.sums import summed
from picograve_host.lab.record.digest import digest_of
from picograve_host.lab.record.fingerprint import fingerprint_of, game_of
from picograve_host.machine import cpu_name
from picograve_host.match.game import play_game
from picograve_host.players.factory import open_player
from picograve_host.players.thought import Thought

SEATS = ("player", "opponent")
KEPT = 8  # players that a process keeps ready: a GRAVE of 10,000 nodes takes 7 MB


def play_games(
    match: dict[str, Any], numbers: Iterable[int], file: Path | None = None
) -> list[dict[str, Any]]:
    """Play these games of a match: a list of records (store.FIELDS), failed games included.

    `file`: where a game of one's own is; each machine of a cluster must have it there.
    """
    if file and load(str(file)).digest != match["game"]["source"]:
        raise BadInput("%s has changed since the run began: start it again" % file)
    return [_recorded(match, number) for number in numbers]


def seed_of(match: dict[str, Any], number: int, seat: str) -> int:
    """The seed of a player in a game; both games of a pair have the same."""
    text = "%s/%d/%s" % (json.dumps(match, sort_keys=True), number // 2, seat)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % SEEDS


def failure(number: int, error: str) -> dict[str, Any]:
    """The record of a game that could not be played."""
    return dict(number=number, error=error)


def _recorded(match, number):
    try:
        return _play(match, number)
    except Exception as error:  # whatever a player does, the other games go on
        _player.cache_clear()
        return failure(number, "%s: %s" % (type(error).__name__, error))


def _play(match, number):
    game = json.dumps(match["game"])
    players = {
        seat: _player(seat, game, json.dumps(match[seat], sort_keys=True), get_ident())
        for seat in SEATS
    }
    for seat in SEATS:
        players[seat].new_game(seed_of(match, number, seat))
    order = SEATS if number % 2 == 0 else SEATS[::-1]
    values: list[int] = []
    thoughts: tuple[list[Thought], list[Thought]] = [], []  # of the first player, of the second

    def on_move(turn, thought, wall):
        values.append(round(100 * thought.value))
        thoughts[turn].append(thought)

    referee = _referee(game, get_ident())
    fingerprint = fingerprint_of(match)
    began = time.perf_counter()
    points = play_game(
        [players[seat] for seat in order], referee, on_move=on_move, resign=match.get("resign", 0)
    )
    return dict(
        number=number,
        half_points=points if order[0] == "player" else WIN - points,
        result=referee.score() or "resigned",
        moves=" ".join(referee.moves),
        values=" ".join(map(str, values)),
        seconds=round(time.perf_counter() - began, 3),
        fingerprint=fingerprint,
        machine=cpu_name(),
        digest=digest_of(" ".join(referee.moves)),
        **{
            "%s_%s" % (seat, name): value
            for seat, its_thoughts in zip(order, thoughts, strict=True)
            for name, value in summed(its_thoughts).items()
        },
    )


# A worker of a cluster may have several threads: each has players of its own.


@functools.lru_cache(KEPT)
def _player(seat, game, data, thread):
    return open_player(json.loads(data), game_of(game), hashes=False)


@functools.lru_cache(KEPT)
def _referee(game, thread):
    return Position(game_of(game))
