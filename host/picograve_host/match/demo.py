"""The pairing of `make match`: GRAVER with lean tables in 24 KiB on a simulated board against GRAVE
in 6.7 MB, both with 10,000 uniform playouts a move, so that only the memory differs.

It is the first point of the experiment `lean-go`, whose games are counted below. The seed is the
usual one, and was not chosen by who wins.
"""

from argparse import Namespace
from typing import Any

from picograve_tools import micropython
from picograve_tools.cache import ToolFailed, ToolMissing, say_on_stderr

from picograve_host.words import in_lines, number

OPTIONS: dict[str, Any] = dict(
    game="go9",
    board_search="graver",
    board_preset="uniform",
    board_bytes=24576,
    board_playouts=10000,
    board_lean=60,
    board_wide_tables=10000,
    board_table_after=50,
    board_inherit=32,
    board_expand_after=3,
    board_recycle_by="sweep",
    opponent_search="grave",
    opponent_preset="uniform",
    opponent_playouts=10000,
    resign=0.05,
)
SEEN = """\
The board thought in {bytes} bytes, GRAVE in {others}, {times:.0f} times as many; both made
{playouts} playouts a move, and the board {ended}. Of 79 games of this pairing on a desktop the
small one won 40, 50.6 % (95 %: 39.8 to 61.4), so one game says little: `picograve lab run lean-go`
plays more."""
NEXT = (
    ("picograve play", "play yourself, on a page; with --terminal here"),
    ("picograve flash --board pico", "put it on a Pico, then: picograve match --board pico"),
    ("picograve gtp", "let Sabaki or another Go program play against it"),
    ("picograve lab list", "experiments: how strong for how many bytes?"),
)


def is_shown(options: Namespace) -> bool:
    """Whether a match is of this pairing, whose games were counted."""
    return all(getattr(options, name) == value for name, value in OPTIONS.items())


def place(options: Namespace) -> None:
    """Without MicroPython to simulate a board, let the search run here in the RAM of one: the
    stand-in on CPython would take minutes for a move."""
    if options.board or options.ram:
        return
    try:
        micropython.find_unix()
    except (ToolMissing, ToolFailed) as error:
        say_on_stderr("no MicroPython here (%s); the RAM of a Pico is emulated instead" % error)
        options.ram = "pico"


def summary(report: dict[str, Any]) -> str:
    """What one has seen, and where to go on; `report` is the match's."""
    board, opponent = report["players"]["board"], report["players"]["opponent"]
    games, points = len(report["games"]), report["board_points"]
    single = {1: "won", 0.5: "drew", 0: "lost"}
    told = dict(
        ended=single[points] if games == 1 else "won %g of %d games" % (points, games),
        bytes=number(board["bytes"]),
        others=number(opponent["bytes"]),
        times=opponent["bytes"] / board["bytes"],
        playouts=number(board["playouts_per_move"]),
    )
    width = max(len(command) for command, _ in NEXT)
    go_on = ["%-*s  %s" % (width, command, purpose) for command, purpose in NEXT]
    return "\n".join(["", in_lines(SEEN.format(**told)), "", *go_on])
