"""`picograve play`: any game against a search here or on a board, on a page or on this terminal.

The page's server (picograve_host.play) listens on this machine only, unless --host says otherwise.
"""

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from picograve import BadInput

from picograve_host.play import serving
from picograve_host.play.choices import LIMITS, Choices

BYTES = 64000  # of a search on this desktop, if nothing else is asked for; a board has its own
WISHES = ("game", "opponent", "search", "preset", "side", "komi", "swap", *LIMITS)


def main(options: Namespace) -> int:
    choices = Choices(options.game)
    if options.opponent:
        choices.find_all()
    first = {name: getattr(options, name) for name in WISHES if getattr(options, name) is not None}
    if not options.opponent:
        first.setdefault("bytes", BYTES)
    choices.take(first)  # refuses what cannot be, before anything is opened
    return _on_terminal(options, choices, first) if options.terminal else _on_page(options, first)


def _on_terminal(options: Namespace, choices: Choices, first: dict[str, Any]) -> int:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadInput("--terminal needs a terminal; without it, `picograve play` opens a page")
    from picograve_host.screen.game import Game

    game = Game(choices, first, Path(options.out))
    game.play()
    room = game.room
    if room.choice is None:
        return 0  # left before there was a game
    moves = [move["move"] for move in room.moves]
    if options.json:
        saved = [str(path) for path in game.saved]
        name = room.choice.game.name
        print(json.dumps(dict(game=name, moves=moves, result=room.result, saved=saved)))
        return 0
    print(room.referee, room.result or "left after move %d" % len(moves), sep="\n")
    for path in game.saved:
        print("written  %s" % path)
    return 0


def _on_page(options: Namespace, first: dict[str, Any]) -> int:
    serving.need_packages()
    from picograve_host.play.server import Server

    return serving.serve(lambda guard: Server(guard, first), options)
