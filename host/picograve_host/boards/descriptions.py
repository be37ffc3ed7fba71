"""Boards by name: their descriptions, one file each in boards/, and their RAM, emulated."""

import tomllib
from importlib.resources import files
from typing import Any

from picograve import BadInput

from picograve_host.boards.ram import Ram

FOLDER = files("picograve_boards")
ANY_CHIP = "pico"  # whose code fills a heap of which only the size is given
MOST_HEAP = 10**8  # bytes; MicroPython's largest boards have 32 MB


def names() -> list[str]:
    return sorted(path.name[:-5] for path in FOLDER.iterdir() if path.name.endswith(".toml"))


def describe(name: str) -> dict[str, Any]:
    """The description of a board, a dict with its name."""
    if name not in names():
        raise BadInput("no board called %s; there are %s" % (name, ", ".join(names())))
    board = dict(tomllib.loads(FOLDER.joinpath(name + ".toml").read_text()), name=name)
    if "clock" in board:
        board["mhz"] = board["clock"]["certified"]
    if "like" in board["ram"]:
        board["ram"] = ram_like(**board["ram"])
    return board


def ram_like(like: str, total: int | None = None) -> dict[str, Any]:
    """The [ram] table of another board, in a heap of `total` bytes.

    What is more or less is so at the end, in the largest piece. The other pieces are holes that the
    boot leaves, and it leaves the same ones in a small heap: a board that has no more than code
    and holes does not boot.
    """
    table = describe(like)["ram"]
    total = table["total"] if total is None else total
    more = total - table["total"]
    *pieces, largest = table["pieces"]
    if largest + more < 0:
        raise BadInput(
            "a board boots with %d bytes of heap or more (%d of code, and holes between), not %d"
            % (table["total"] - largest, table["total"] - table["free"], total)
        )
    return dict(
        table,
        total=table["total"] + more,
        free=table["free"] + more,
        pieces=[*pieces, largest + more],
    )


def ram_of(text: str) -> Ram:
    """The emulated RAM of a board, by its name; or of a chip with so many bytes of heap."""
    if not text.isdecimal():
        return Ram(describe(text)["ram"])
    if len(text) > len(str(MOST_HEAP)) or int(text) > MOST_HEAP:
        raise BadInput("no chip has more than %d bytes of heap" % MOST_HEAP)
    return Ram(ram_like(ANY_CHIP, int(text)))
