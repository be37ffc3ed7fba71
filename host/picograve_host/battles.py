"""Battles from files, for games with the option `battle`: --battle FILE.

    map = 13                                # cells a side, where the game has maps of any size
    first = [["B", -11, 2], ["D", -9, -1]]  # units in their order: letter and place
    second = [["B", 11, -2]]                # left out: the game's mirror image of the first

becomes the text of the option, 13 B-11,2 D-9,-1 / B11,-2. Which units there are the game knows.
"""

from pathlib import Path

from picograve import BadInput

from picograve_host.outside import clean, toml_of

KEYS = ("map", "first", "second")


def read(path: str) -> str:
    try:
        _, battle = toml_of(Path(path))
    except OSError as error:
        raise BadInput("cannot read %s: %s" % (path, error.strerror)) from None
    except ValueError as error:
        raise BadInput("%s is no TOML: %s" % (path, error)) from None
    for key in battle:
        if key not in KEYS:
            raise BadInput("%s: a battle has %s, not %s" % (path, ", ".join(KEYS), key))
    if "first" not in battle:
        raise BadInput('%s: who fights? first = [["B", -11, 2], ...]' % path)
    text = _side(path, "first", battle["first"])
    if "map" in battle:
        if type(battle["map"]) is not int:
            raise BadInput("%s: map is a number of cells, not %s" % (path, clean(battle["map"])))
        text = "%d %s" % (battle["map"], text)
    if "second" in battle:
        text += " / " + _side(path, "second", battle["second"])
    return text


def _side(path, key, units):
    if not isinstance(units, list):
        raise BadInput('%s: %s is a list of units such as ["B", -11, 2]' % (path, key))
    words = []
    for unit in units:
        shape = [type(part) for part in unit] if isinstance(unit, list) else None
        if shape != [str, int, int] or len(unit[0]) != 1 or not unit[0].isalpha():
            raise BadInput(
                '%s: write a unit of %s as ["B", -11, 2], not %s' % (path, key, clean(unit))
            )
        words.append("%s%d,%d" % (unit[0].upper(), *unit[1:]))
    return " ".join(words)
