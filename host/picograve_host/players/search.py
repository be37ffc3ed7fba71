"""A search of ours as a kind of player (kinds.py): here, on a board, or in a board's emulated RAM.

What plays no board loads none: neither pyserial nor the tools that build boards.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve_host.players.data import DESKTOP, config_of, has_tree
from picograve_host.words import number

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import SearchPlayer

NAMES = {"alphabeta": "alpha-beta", "qlearning": "Q-learning"}  # others as they are, in capitals


def open_player(
    data: dict[str, Any], game: "Game", seed: int, hashes: bool, say: Callable[[str], object]
) -> "SearchPlayer":
    config, budget = config_of(data)
    where = data.get("board", DESKTOP)
    if where != DESKTOP:
        from picograve_host.players.board import open_on_board

        return open_on_board(where, game, config, budget, seed, say, data.get("mhz"))
    from picograve_host.players.desktop import DesktopPlayer

    ram = None
    if "ram" in data:
        from picograve_host.boards.descriptions import ram_of

        ram = ram_of(data["ram"])
    return DesktopPlayer(game, config, budget, seed, hashes, ram)


def name_of(data: dict[str, Any]) -> str:
    if data["search"] == "policy":
        policy = data["playout_policy"]
        return "random moves" if policy == "uniform" else "policy " + policy
    return NAMES.get(data["search"], data["search"].upper().replace("2", "²"))


def describe(data: dict[str, Any], game: "Game | None") -> str:
    if data["search"] == "alphabeta":
        return "%s, %s" % (name_of(data), depth_of(data))
    if game is None or not has_tree(data):  # nodes and bytes differ from game to game
        return name_of(data)
    config, budget = config_of(data)
    ledger = budget.ledger(game, config)
    sizes = (ledger.nodes, ledger.playouts, ledger.total_bytes)
    return "%s with %s nodes, %s playouts per move and %s bytes" % (
        name_of(data), *map(number, sizes),
    )  # fmt: skip


def depth_of(data: dict[str, Any]) -> str:
    """How far alpha-beta looks, in words."""
    config, _ = config_of(data)
    return "depth %d, %s positions at most" % (config.depth, number(config.positions))


def check(data: dict[str, Any], game: "Game") -> None:
    """Who resolves a search (lab/plan/resolve.py) has checked it."""
