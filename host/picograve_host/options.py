"""From command-line options to the core's objects."""

from picograve import Budget, Config, load
from picograve.config import PAPER


def game_of(options):
    given = {name: getattr(options, name) for name in ("komi", "swap")}
    return load(options.game, **{name: value for name, value in given.items() if value is not None})


def player_of(options, prefix=""):
    """Configuration and budget of the player whose options start with `prefix`."""

    def get(name):
        return getattr(options, prefix + name)

    settings = {name: get(name) for name in PAPER if get(name) is not None}
    playouts = {name: get(name) for name in ("playouts", "playouts_top", "playouts_second")}
    config = Config(get("search"), get("preset"), **playouts, **settings)
    return config, Budget(bytes=get("bytes"), nodes=get("nodes"), tables=get("tables"))
