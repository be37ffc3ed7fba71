"""What a page may ask for when a game begins, and nothing else.

A name that a page sends is only looked up among those that it was offered: no file is loaded, no
program started and no port opened that is not on the list. Numbers have limits, so that no page
takes all memory. What a search refuses beyond that, it refuses in its own words.
"""

import math
import pkgutil
from typing import TYPE_CHECKING, Any, NamedTuple

import picograve.games
from picograve import TREE_SEARCHES, BadInput, load
from picograve.config import LEARNERS

from picograve_host.games import NAMED, load_with
from picograve_host.players.data import DESKTOP, config_of
from picograve_host.settings import PRESETS

if TYPE_CHECKING:
    from picograve.protocols import Game

SEARCHES = (*TREE_SEARCHES, "alphabeta", "policy", *LEARNERS)
USUAL_SEARCH, CHESS_SEARCH, UNCODED_SEARCH = "graver", "alphabeta", "uct"
HERE = "this desktop"
FIRST_BOARDS = ("sim", "pico-emulated")
# What may be set: the least, the most, the type.
LIMITS: dict[str, tuple[float, float, type]] = {
    "bytes": (1, 2**28, int),
    "playouts": (1, 10**7, int),
    "seconds": (0.05, 600, float),  # for each move of the search
    "minutes": (0.1, 600, float),  # for each player's whole game
    "seed": (0, 2**30 - 1, int),
}
SIDES = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set()}  # whom the person plays


class Choice(NamedTuple):
    """A game that a page has chosen."""

    game: "Game"
    player: dict[str, Any]  # the opponent as plain data (players/data.py)
    seats: frozenset[int]  # the sides of the person
    seed: int
    seconds: float | None
    minutes: float | None
    rival: dict[str, Any] | None = None  # in a match, who plays second; `player` plays first
    rival_seed: int = 1
    resign: float = 0  # the chance at which a search gives up in a match


class Choices:
    """What is offered: at first one game, perhaps in a file of the user's own, on this desktop."""

    def __init__(self, first: str) -> None:
        self._first = first
        self.games = [_offer(first, load(first))]
        self.boards = [(DESKTOP, HERE)]

    def find_all(self) -> None:
        """All games and boards: apart, because it takes longer than to begin a game."""
        for module in pkgutil.iter_modules(picograve.games.__path__):
            kind = load(module.name)
            for size in kind.sizes:
                name = module.name + str(size) if len(kind.sizes) > 1 else module.name
                if name != self._first:
                    self.games.append(_offer(name, kind, size))
        self.boards += _boards()

    def offer(self) -> dict[str, Any]:
        """All of it, for the page's form."""
        return dict(
            games=self.games,
            opponents=self.boards,
            searches=SEARCHES,
            presets=list(PRESETS),
            sides=list(SIDES),
        )

    def take(self, wish: dict[str, Any]) -> Choice:
        """The game of a message; refuses what was not offered."""
        name = _one_of("game", wish.get("game"), [row["name"] for row in self.games])
        options = {key: wish[key] for key in NAMED if wish.get(key) is not None}
        if not all(isinstance(value, bool | int | float) for value in options.values()):
            raise BadInput("komi is a number, swap is true or false")
        game = load_with(name, options)
        (usual,) = [row["search"] for row in self.games if row["name"] == name]
        player = dict(
            search=_one_of("search", wish.get("search", usual), SEARCHES),
            preset=_one_of("preset", wish.get("preset", "strong"), list(PRESETS)),
        )
        given = {key: _number(key, wish[key]) for key in LIMITS if wish.get(key) is not None}
        player.update((key, given[key]) for key in ("bytes", "playouts") if key in given)
        config, budget = config_of(player)
        budget.ledger(game, config)  # refuses what cannot be, with the old game still there
        where = _one_of("opponent", wish.get("opponent", DESKTOP), [row[0] for row in self.boards])
        if where != DESKTOP:
            from picograve_host.players.board import check_board  # loads what only boards need

            check_board(where, game, config, budget)
            player["board"] = where
        seats = frozenset(SIDES[_one_of("side", wish.get("side", "first"), list(SIDES))])
        seconds, minutes = given.get("seconds"), given.get("minutes")
        return Choice(game, player, seats, given.get("seed", 1), seconds, minutes)


def _offer(name, game, size=None):
    search = USUAL_SEARCH if game.code_count else UNCODED_SEARCH
    if game.name == "chess":
        search = CHESS_SEARCH
    title = game.title if len(game.sizes) == 1 else "%s %d" % (game.title, size or game.size)
    options = [option for option in game.options if option in NAMED]
    usual = size in (None, game.default_size)
    return dict(name=name, title=title, search=search, options=options, usual=usual)


def _boards():
    """[(name, title)] of boards that run here, then of those that are plugged in."""
    from picograve_host.boards import registry

    here = [name for name in registry.names() if "runs" in registry.describe(name)]
    here.sort(key=lambda name: (name not in FIRST_BOARDS, name))
    rows = [(name, "%s: %s" % (name, registry.describe(name)["title"])) for name in here]
    for port, may_be, _, product in registry.plugged_in():
        what = " or ".join(may_be) or product or "a board"
        rows.append((port, "%s at %s" % (what, port)))
    return rows


def _one_of(what, value, allowed):
    if value not in allowed:
        raise BadInput("no such %s; there are %s" % (what, ", ".join(allowed)))
    return value


def _number(name, value):
    least, most, kind = LIMITS[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and math.isfinite(value) and least <= value <= most):
        raise BadInput("%s must be %g to %g" % (name, least, most))
    return kind(value)
