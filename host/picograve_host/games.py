"""A game with its options, as the command line and experiment files give them.

Which options there are says the game's class (`options`). Those of games that ship have a flag and
a key of their own, --komi and `komi`; any game's are --option last=1 and, in an experiment file,
[options].
"""

from typing import TYPE_CHECKING, Any

from picograve import BadInput, load

if TYPE_CHECKING:
    from picograve.protocols import Game

NAMED = {"komi": float, "swap": bool}  # options with a flag of their own, and their types
WORDS = {"true": True, "false": False}


def load_with(name: str, given: dict[str, Any]) -> "Game":
    """The game with these options; those that it does not have are refused, with what it has."""
    known = load(name).options
    for option in given:
        if option not in known:
            has = "it has " + ", ".join(known) if known else "it has no options at all"
            raise BadInput("%s has no option %s; %s" % (load(name).title, option, has))
    try:
        game = load(name, **{key: NAMED.get(key, _same)(value) for key, value in given.items()})
    except TypeError as error:  # a game of one's own that expects a number, say
        raise BadInput("%s does not take these options: %s" % (load(name).title, error)) from None
    for option in given:
        if not hasattr(game, option):
            raise BadInput("%s: its option %s must be an attribute" % (game.title, option))
    return game


def unusual(game: "Game", given: dict[str, Any]) -> dict[str, Any]:
    """Of these options those with which it is another game than without."""
    usual = load(game.name)
    return {
        option: game.given[option]
        for option in given
        if getattr(game, option) != getattr(usual, option)
    }


def option_of(text: str) -> tuple[str, Any]:
    """Name and value of last=1: a number, true, false, or a text."""
    name, equals, value = text.partition("=")
    if not (equals and name.isidentifier()):
        raise BadInput("--option takes NAME=VALUE: --option last=1, not %s" % text)
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, WORDS.get(value, value)


def _same(value):
    return value
