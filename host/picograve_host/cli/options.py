"""From command-line options to the core's objects and to players as plain data."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from picograve import BadInput

from picograve_host import battles
from picograve_host.games import NAMED, load_with, option_of
from picograve_host.players.data import DESKTOP, config_of
from picograve_host.players.kinds import PROGRAMS
from picograve_host.settings import SETTINGS, SIZES, first_unused

if TYPE_CHECKING:
    from picograve.protocols import Game


def game_of(options: Namespace) -> "Game":
    flags = {name: getattr(options, name) for name in NAMED}
    given = {name: value for name, value in flags.items() if value is not None}
    if options.battle:
        given["battle"] = battles.read(options.battle)
    return load_with(options.game, {**given, **dict(map(option_of, options.option))})


def player_of(options: Namespace, game: "Game", prefix: str = "") -> dict[str, Any]:
    """The player whose options start with `prefix`, as plain data. A setting that was given and
    that its search does not use is refused."""
    values = {row.name: getattr(options, prefix + row.name) for row in (*SIZES, *SETTINGS)}
    given = {name: value for name, value in values.items() if value is not None}
    search = getattr(options, prefix + "search")
    data = dict(given, search=search, preset=getattr(options, prefix + "preset"))
    config, _ = config_of(data)
    _refuse(search, first_unused(game, config, given), prefix)
    return data


def seated(
    options: Namespace, game: "Game", prefix: str, name: str, where: str | None = None
) -> dict[str, Any]:
    """As player_of, where `name` may also be another program such as gtp:COMMAND, and
    `where` is the board of a search."""
    kind, _, value = name.partition(":")
    if kind not in PROGRAMS or kind == name:
        data = player_of(options, game, prefix)
        return dict(data, board=where) if where else data
    if where not in (None, name):
        raise BadInput("%s runs on no board: leave out %s" % (kind, where))
    for row in (*SIZES, *SETTINGS):
        if getattr(options, prefix + row.name) is not None:
            _refuse(kind, row, prefix)
    return {kind: _value_of(kind, value)}


def _value_of(kind, text):
    """What was given after the colon, as a value of this kind of player."""
    _, takes, example, limits = PROGRAMS[kind]
    try:
        value = type(example)(text)
        if limits and not limits[0] <= value <= limits[1]:
            raise ValueError
    except ValueError:
        wanted = (kind, takes, kind, example, kind, text)
        raise BadInput("%s takes %s: %s:%s, not %s:%s" % wanted) from None
    return value


def in_ram(options: Namespace, data: dict[str, Any], where: str | None = None) -> dict[str, Any]:
    """The player in the RAM that --ram names, here instead of on a board; `where` was asked for."""
    if not options.ram:
        return data
    if where not in (None, DESKTOP) or "search" not in data:
        raise BadInput(
            "--ram emulates a board's RAM on this machine, for a search: leave the board out"
        )
    return {**data, "board": DESKTOP, "ram": options.ram}


def at_clock(options: Namespace, data: dict[str, Any]) -> dict[str, Any]:
    """The player on a board whose clock --mhz sets."""
    if options.mhz is None:
        return data
    if data.get("board", DESKTOP) == DESKTOP:
        raise BadInput("--mhz sets the clock of a board that runs here: pico-emulated")
    return dict(data, mhz=options.mhz)


def _refuse(who, unused, prefix):
    if unused:
        flag = ("--%s%s" % (prefix, unused.spoken)).replace("_", "-")
        raise BadInput("%s does not use %s, which is for %s" % (who, flag, unused.users))
