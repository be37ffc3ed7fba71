"""One game of the lab: a pure function of a match (experiment.Point.match) and a number.

This is what workers run, here or on a cluster. Games come in pairs, 2 n and 2 n + 1, with
the same seeds and the colours changed. Nothing but the seconds depends on where a game is
played, or on what was played before it.
"""

import functools
import hashlib
import json
import time
from threading import get_ident

from picograve import load
from picograve.searcher import SEEDS

from picograve_host.engines import EnginePlayer
from picograve_host.lab.resolve import config_of
from picograve_host.match import play_game
from picograve_host.openspiel_player import OpenSpielPlayer
from picograve_host.players import DesktopPlayer, referee_of

SEATS = ("player", "opponent")
KEPT = 8  # players that a process keeps ready: a GRAVE of 10,000 nodes takes 7 MB


def play_games(match, numbers):
    """Play these games of a match: a list of records (store.FIELDS), failed games included."""
    return [_recorded(match, number) for number in numbers]


def seed_of(match, number, seat):
    """The seed of a player in a game; both games of a pair have the same."""
    text = "%s/%d/%s" % (json.dumps(match, sort_keys=True), number // 2, seat)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % SEEDS


def failure(number, error):
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
    tally = {seat: dict(moves=0, playouts=0, seconds=0.0, nodes_used=0) for seat in SEATS}
    values = []

    def on_move(mover, thought, wall):
        figures = tally[order[len(values) % 2]]
        figures["moves"] += 1
        figures["playouts"] += thought.playouts
        figures["seconds"] += thought.seconds
        figures["nodes_used"] = max(figures["nodes_used"], thought.nodes_used)
        values.append(round(100 * thought.value))

    referee = _referee(game, get_ident())
    began = time.perf_counter()
    points = play_game(
        [players[seat] for seat in order], referee, on_move=on_move, resign=match.get("resign", 0)
    )
    return dict(
        number=number,
        half_points=points if order[0] == "player" else 2 - points,
        result=referee.game.score(referee.buffers["root"]) if referee.is_over() else "resigned",
        moves=" ".join(referee.game.text(move) for move in referee.moves),
        values=" ".join(map(str, values)),
        seconds=round(time.perf_counter() - began, 3),
        **{
            "%s_%s" % (seat, name): round(value, 4)
            for seat in SEATS
            for name, value in tally[seat].items()
        },
    )


# A worker of a cluster may have several threads: each has players of its own.


@functools.lru_cache(KEPT)
def _player(seat, game, data, thread):
    game, data = _game(game), json.loads(data)
    if "gtp" in data:
        return EnginePlayer(game, data["gtp"])
    if "openspiel" in data:
        return OpenSpielPlayer(game, data["openspiel"])
    return DesktopPlayer(game, *config_of(data), hashes=False)


@functools.lru_cache(KEPT)
def _referee(game, thread):
    return referee_of(_game(game))


def _game(text):
    options = json.loads(text)
    return load(options.pop("name"), **options)
