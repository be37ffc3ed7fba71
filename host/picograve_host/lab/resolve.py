"""A search as an experiment's file gives it becomes plain data with nothing left open, and that
becomes what the core takes.
"""

from math import sqrt

from picograve import BadInput, Budget, Config
from picograve.config import DEFAULT_NODES, ONE_LEVEL_PLAYOUTS, PAPER, scaled

from picograve_host.lab.source import RATIOS, SIZES


def resolve_search(game, entry, scale=1):
    """The resolved data of a search: its nodes and playouts, and the settings that are not the
    paper's. Settings that come into being later do not change the key of an old match. What
    has no tree (alpha-beta, a policy, a learner) has no nodes and no playouts."""
    entry = dict(entry)
    ratios = {key: entry.pop(key) for key in RATIOS if key in entry}
    if "lambda" in entry:
        entry["share"] = entry.pop("lambda")
    sizes = {key: entry.pop(key) for key in SIZES if key in entry}
    config = Config(**entry)
    if not has_tree(entry):
        data = dict(search=config.search, **sizes, **_unusual(config))
        config, budget = config_of(data)
        budget.ledger(game, config)  # refuses what cannot be
        return data
    sizes = _scaled_sizes(config, sizes, scale)
    budget = Budget(*(sizes.pop(key, None) for key in ("bytes", "nodes", "tables")))
    config = Config(**entry, **sizes)
    ledger = budget.ledger(game, config)
    if ratios:
        if not config.two_levels:
            raise BadInput("%s is for two levels: give playouts" % next(iter(ratios)))
        for level in ("top", "second"):
            nodes = getattr(ledger, "nodes_" + level)
            sizes["playouts_" + level] = max(1, scaled(ratios.get("ratio_" + level, 1), nodes))
        config = Config(**entry, **sizes)
        ledger = budget.ledger(game, config)
    data = dict(search=config.search, nodes=ledger.nodes)
    if config.two_levels and ledger.playouts == ledger.playouts_top * ledger.playouts_second:
        data.update(playouts_top=ledger.playouts_top, playouts_second=ledger.playouts_second)
    else:
        data.update(playouts=ledger.playouts)
    if 0 < ledger.amaf_tables < ledger.nodes:
        data.update(tables=ledger.amaf_tables)
    return data | _unusual(config)


def _unusual(config):
    """The settings that are not the paper's."""
    settings = {name: type(PAPER[name])(getattr(config, name)) for name in PAPER}
    return {name: value for name, value in settings.items() if value != PAPER[name]}


def has_tree(data):
    return data.get("search") in DEFAULT_NODES


def config_of(data):
    """Configuration and budget of a search given by its resolved data."""
    sizes = ("bytes", "nodes", "tables")
    budget = Budget(**{key: data.get(key) for key in sizes})
    settings = {key: value for key, value in data.items() if key not in sizes}
    return Config(preset="paper", **settings), budget


def _scaled_sizes(config, sizes, scale):
    """All sizes scaled, with those that the search has where nobody names them."""
    grows = not (config.two_levels or config.recycles_top)  # a node for every playout
    if not (sizes.keys() & {"bytes", "nodes"} or (grows and "playouts" in sizes)):
        sizes = {**sizes, "nodes": DEFAULT_NODES[config.search]}
    if not (config.two_levels or grows or sizes.keys() & {"playouts", "playouts_top"}):
        sizes = {**sizes, "playouts": ONE_LEVEL_PLAYOUTS}
    return {key: scaled_size(key, value, scale, config.two_levels) for key, value in sizes.items()}


def scaled_size(key, value, scale, two_levels):
    """A size for `scale` times the playouts: with two levels playouts are the product of the
    levels, so each level, and all their nodes, shrink by the root only. Bytes stay."""
    if key == "bytes":
        return value
    if two_levels and key != "playouts":
        scale = sqrt(scale)
    return max(1, round(value * scale))
