"""A player as plain data: what options and experiment files become, and what opens a player.

{"search": "uct", "nodes": 400, ...}   a search of ours: sizes and settings by the names of Budget
                                       and Config, "preset" unless it is the paper's
{..., "board": "sim"}                  the same on a board, by its name or port
{..., "mhz": 125}                      ... at this clock, on a board that runs here
{..., "ram": "pico"}                   the same here, in the emulated RAM of a board
{"gtp": "gnugo --mode gtp"}            another program, by its kind (kinds.py)
"""

from typing import Any

from picograve import Budget, Config

from picograve_host.settings import SETTINGS, SIZES

PLACE = ("board", "mhz", "ram")  # keys that say where a search runs
DESKTOP = "desktop"  # a board that is none


def config_of(data: dict[str, Any]) -> tuple[Config, Budget]:
    """Configuration and budget of a search."""
    names = [size.name for size in SIZES]
    budget = Budget(**{name: data.get(name) for name in names})
    settings = {name: value for name, value in data.items() if name not in (*names, *PLACE)}
    return Config.tolerant(**{"preset": "paper", **settings}), budget


def has_tree(data: dict[str, Any]) -> bool:
    """Whether it is a search of ours with a tree."""
    return "search" in data and Config(data["search"]).has_tree


def settings_of(config: Config) -> dict[str, Any]:
    """The settings of a configuration that are not the paper's, each of its row's type: equal
    configurations are equal as JSON. Its playouts are left out."""
    rows = [row for row in SETTINGS if row.default is not None]
    values = {row: row.kind(getattr(config, row.name)) for row in rows}
    return {row.name: value for row, value in values.items() if value != row.default}
