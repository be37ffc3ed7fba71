"""A search as an experiment's file gives it becomes plain data with nothing left open."""

from collections.abc import Iterable
from math import sqrt
from typing import TYPE_CHECKING, Any

from picograve import BadInput, Budget, Config
from picograve.config import ONE_LEVEL_PLAYOUTS, scaled

from picograve_host.lab.plan.source import RATIOS, SIZES
from picograve_host.players.data import DESKTOP, config_of, has_tree, settings_of
from picograve_host.settings import first_unused

if TYPE_CHECKING:
    from picograve.protocols import Game


def resolve_search(
    game: "Game", entry: dict[str, Any], scale: float = 1, own: Iterable[str] = ()
) -> dict[str, Any]:
    """The resolved data of a search: its nodes and playouts, and the settings that are not the
    paper's. Settings that come into being later do not change the key of an old match. What
    has no tree (alpha-beta, a policy, a learner) has no nodes and no playouts. A setting that
    its search does not use is refused if it is among its `own`, not one given for all."""
    entry = dict(entry)
    board, ram = entry.pop("board", DESKTOP), entry.pop("ram", None)
    data = _resolved(game, entry, scale, own)
    if ram is not None:
        if board != DESKTOP:
            raise BadInput("ram is emulated on this machine: leave out the board")
        from picograve_host.boards.descriptions import ram_of

        try:
            ram_of(str(ram)).open_search(game, *config_of(data))
        except BadInput as error:
            raise BadInput("ram %s: %s" % (ram, error)) from None
        return dict(data, ram=str(ram))
    if board == DESKTOP:
        return data
    from picograve_host.players.board import check_board  # what plays no board loads none

    check_board(board, game, *config_of(data))
    return dict(data, board=board)


def _resolved(game, entry, scale, own):
    ratios = {key: entry.pop(key) for key in RATIOS if key in entry}
    if "lambda" in entry:
        entry["share"] = entry.pop("lambda")
    sizes = {key: entry.pop(key) for key in SIZES if key in entry}
    config = Config.tolerant(**entry)
    unused = first_unused(game, config, own)
    if unused:
        raise BadInput(
            "%s does not use %s, which is for %s" % (config.search, unused.spoken, unused.users)
        )
    if not has_tree(entry):
        data = dict(search=config.search, **sizes, **settings_of(config))
        config, budget = config_of(data)
        budget.ledger(game, config)  # refuses what cannot be
        return data
    sizes = _scaled_sizes(config, sizes, scale)
    budget = Budget(*(sizes.pop(key, None) for key in ("bytes", "nodes", "tables")))
    config = Config.tolerant(**entry, **sizes)
    ledger = budget.ledger(game, config)
    if ratios:
        if not config.two_levels:
            raise BadInput("%s is for two levels: give playouts" % next(iter(ratios)))
        for level in ("top", "second"):
            nodes = getattr(ledger, "nodes_" + level)
            sizes["playouts_" + level] = max(1, scaled(ratios.get("ratio_" + level, 1), nodes))
        config = Config.tolerant(**entry, **sizes)
        ledger = budget.ledger(game, config)
    data = dict(search=config.search, nodes=ledger.nodes)
    if config.two_levels and ledger.playouts == ledger.playouts_top * ledger.playouts_second:
        data.update(playouts_top=ledger.playouts_top, playouts_second=ledger.playouts_second)
    else:
        data.update(playouts=ledger.playouts)
    if 0 < ledger.amaf_tables < ledger.nodes:
        data.update(tables=ledger.amaf_tables)
    return data | settings_of(config)


def _scaled_sizes(config, sizes, scale):
    """All sizes scaled, with those that the search has where nobody names them."""
    grows = not (config.two_levels or config.recycles_top)  # a node for every playout
    if not (sizes.keys() & {"bytes", "nodes"} or (grows and "playouts" in sizes)):
        sizes = {**sizes, "nodes": config.default_nodes}
    if not (config.two_levels or grows or sizes.keys() & {"playouts", "playouts_top"}):
        sizes = {**sizes, "playouts": ONE_LEVEL_PLAYOUTS}
    return {key: scaled_size(key, value, scale, config.two_levels) for key, value in sizes.items()}


def scaled_size(key: str, value: float, scale: float, two_levels: bool) -> float:
    """A size for `scale` times the playouts: with two levels playouts are the product of the
    levels, so each level, and all their nodes, shrink by the root only. Bytes stay."""
    if key == "bytes":
        return value
    if two_levels and key != "playouts":
        scale = sqrt(scale)
    return max(1, round(value * scale))
