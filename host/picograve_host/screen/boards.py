"""A position on a terminal, in the shape that the page draws, too (play/shapes.py).

A place takes two columns: its mark, and a space to the next. Colours are those of the page's
boards. A terminal without colours, or without letters beyond ASCII, gets the game's own: X and O.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.console import Console
from rich.style import Style
from rich.text import Text

from picograve_host.play.shapes import CELLS, HEXAGONS, PIECES, POINTS

EMPTY = "."
STONES = {"X": "●", "O": "●"}  # told apart by colour
DARK_MARK, LIGHT_MARK = "#000000", "#ffffff"
WOOD, LINES = "#dfb56c", "#8a6a34"
CELL, CELL_LINES = "#3f8a5b", "#76b08a"
HEXAGON, HEXAGON_LINES = "#b8a88a", "#85765a"
LIGHT, DARK = "#c9a983", "#8f6a47"
GROUNDS = {POINTS: (WOOD, LINES), CELLS: (CELL, CELL_LINES), HEXAGONS: (HEXAGON, HEXAGON_LINES)}
CURSOR, CHOSEN, LAST = "#c2255c", "#4dabf7", "#e8590c"
PLACE = re.compile(r"[A-Za-z]\d+")
MOST_RANKED = 9  # candidates with a number on the board, their rank


class Notable(NamedTuple):
    """What stands out on a board."""

    last: str | None = None  # the move just played
    cursor: str | None = None  # the place that keys have gone to
    chosen: str | None = None  # the first place of a move from one to another
    hint: str | None = None
    candidates: Sequence[str] = ()  # moves, the best first


def is_plain(console: Console) -> bool:
    """Whether stones cannot be told apart by colour, or not be written at all."""
    return console.options.ascii_only or console.no_color or not console.color_system


def draw(
    picture: dict[str, Any],
    shape: str,
    players: Sequence[str],
    notable: Notable,
    plain: bool = False,
) -> Text:
    """A picture of play/shapes.py."""
    if "cells" not in picture:
        return Text(picture["text"], no_wrap=True)
    columns = picture["columns"]
    slant = shape == HEXAGONS
    board = Text(no_wrap=True)
    board.append("   " + " ".join(columns) + "\n", "dim")
    ranks = _ranks(notable.candidates)
    stones = {} if plain or players[0] in STONES else STONES  # who is called X has crosses
    dot = EMPTY if plain else "·"
    for down, (row, marks) in enumerate(zip(picture["rows"], picture["cells"], strict=True)):
        board.append(" " * down * slant + "%2d " % row, "dim")
        for across, mark in enumerate(marks):
            name = "%s%d" % (columns[across], row)
            ground = _ground(shape, across + down)
            if mark == EMPTY:
                letter, style = _empty(ground, dot, ranks.get(name.upper()))
            else:
                letter, style = stones.get(mark, mark), _style(mark, ground, shape)
            board.append(letter, style + _emphasis(name, notable))
            board.append(" " if across + 1 < len(marks) else "", Style(bgcolor=ground[0]))
        board.append("\n")
    board.append(" " * (3 + len(picture["rows"]) * slant) + " ".join(columns), "dim")
    return board


def places_of(move: str | None) -> list[str]:
    """The places that a move names, in capitals: E5 one, e2e4 two, pass none."""
    return [place.upper() for place in PLACE.findall(move or "")]


def _ranks(candidates):
    """{place: its rank as a digit} of the best moves that are places."""
    return {
        move.upper(): str(rank)
        for rank, move in enumerate(candidates[:MOST_RANKED], 1)
        if PLACE.fullmatch(move)
    }


def _ground(shape, parity):
    """The colours of a place and of what is drawn on it when it is empty."""
    if shape == PIECES:
        return (DARK, DARK) if parity % 2 else (LIGHT, LIGHT)
    return GROUNDS.get(shape, GROUNDS[CELLS])


def _empty(ground, dot, rank):
    back, lines = ground
    if rank:
        return rank, Style(color=DARK_MARK, bgcolor=back, bold=True)
    return dot, Style(color=lines, bgcolor=back)


def _style(mark, ground, shape):
    is_dark = mark.islower() if shape == PIECES else mark != "O"
    return Style(color=DARK_MARK if is_dark else LIGHT_MARK, bgcolor=ground[0], bold=True)


def _emphasis(name, notable):
    place = name.upper()
    if place == (notable.cursor or "").upper():
        return Style(bgcolor=CURSOR)
    if place in places_of(notable.chosen) or place in places_of(notable.hint):
        return Style(bgcolor=CHOSEN)
    if place in places_of(notable.last):
        return Style(bgcolor=LAST)
    return Style()
