"""One game of the lab: a pure function of a match (experiment.Point.match) and a number.

This is what workers run, here or on a cluster. Games come in pairs, 2 n and 2 n + 1, with
the same seeds and the colours changed. Nothing but the seconds depends on where a game is
played, or on what was played before it.
"""

import functools
import hashlib
import json
import time
from collections import Counter
from threading import get_ident

from picograve import load
from picograve.position import SEEDS

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
    thoughts = []

    def on_move(mover, thought, wall):
        thoughts.append(thought)

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
        values=" ".join(str(round(100 * thought.value)) for thought in thoughts),
        seconds=round(time.perf_counter() - began, 3),
        **{
            "%s_%s" % (seat, name): value
            for place, seat in enumerate(order)
            for name, value in _figures(thoughts[place::2]).items()
        },
    )


def _figures(thoughts):
    """What one player's searches of a game amount to."""
    choices = Counter()  # playouts by policy, of a player that switches between some
    for thought in thoughts:
        choices.update(thought.choices or {})
    depths = [thought.depth for thought in thoughts if thought.depth is not None]
    return dict(
        moves=len(thoughts),
        playouts=sum(thought.playouts for thought in thoughts),
        seconds=round(sum(thought.seconds for thought in thoughts), 4),
        nodes_used=max((thought.nodes_used for thought in thoughts), default=0),
        choices=json.dumps(choices, sort_keys=True) if choices else None,
        depth=round(sum(depths) / len(depths), 4) if depths else None,  # the mean
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
