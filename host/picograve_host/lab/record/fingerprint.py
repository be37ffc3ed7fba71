"""The fingerprint of a match: eight digits of the trees that its searches grow.

A game is a pure function of its match, its number and the code. Its match is in its key; this says
which code it was. Each player searches the first positions of a game against itself, and the hashes
of its trees are taken together. So a change of the code that changes no tree, such as a faster
kernel or a comment, leaves old games as good as new, and one that does is found, whatever the
version is called.

The first search is a whole one, because some parts, such as recycling, come into play late in it;
that costs what one move of the game costs. Of another program only its command is known. A search
on a board grows the tree that it grows here.
"""

import functools
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picograve import BadInput, load, open_search

from picograve_host.outside import clean
from picograve_host.players.data import config_of

if TYPE_CHECKING:
    from picograve.protocols import Game

SEATS = ("player", "opponent")
PLIES = 4  # positions searched: what a player has learned in between counts, too
STEPS = 300  # playouts in all but the first of them
SEED = 1


def fingerprint_of(match: dict[str, Any], file: Path | None = None) -> str:
    """`file`: where a game of one's own is."""
    if file:
        load(str(file))  # from now on it is known by its name
    game = json.dumps(match["game"], sort_keys=True)
    seen = [_trees(game, json.dumps(match[seat], sort_keys=True)) for seat in SEATS]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:8]


@functools.lru_cache(1000)
def _trees(game_text, player_text):
    """What a search finds in the positions of a game against itself."""
    data = json.loads(player_text)
    if "search" not in data:
        return data
    searcher = open_search(game_of(game_text), *config_of(data), SEED)
    searcher.new_game()
    found: list[tuple[str, int, str]] = []
    while len(found) < PLIES and not searcher.is_over:
        searcher.start()
        left = STEPS if found else searcher.ledger.playouts
        while left > 0 and (made := searcher.run(left)):
            left -= made
        result = searcher.result()
        found.append((result.move, result.points, result.tree_hash))
        searcher.play(result.move)
    return found


def game_of(text: str) -> "Game":
    """The game that a match has, as JSON. It is named, never a file: that would run as code, and
    somebody else may have written the match."""
    options = json.loads(text)
    options.pop("source", None)  # part of the match, and so of its key
    name = options.pop("name")
    if not re.fullmatch("[a-z]+[0-9]*", name):
        raise BadInput("a match has the name of a game, not %s" % clean(name, 60))
    return load(name, **options)
