"""A position as the page draws it.

Every game prints its board (`show`). Where that is a grid, a line of column letters over numbered
rows, and moves are called by its places (E5, or e2e4 from one to another), it is drawn as a board
that one can click on; else as the text itself, with the moves as buttons. So a game of one's own
needs nothing for the page. A class Game that knows better has an attribute `shape`, one of SHAPES.

What ships is known by title, as in protocols/habits.py, so that chips need not hold a word of it.
"""

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from picograve import Position

if TYPE_CHECKING:
    from picograve.protocols import Game

POINTS, CELLS, HEXAGONS, PIECES, WORDS = SHAPES = (
    "points",  # stones on crossings of lines: Go
    "cells",  # marks in squares: Othello, tic-tac-toe
    "hexagons",  # ... in hexagons, each row half a place further right
    "pieces",  # chess pieces, which move from square to square
    "words",  # the text, and a button for each move
)
BY_TITLE = {"Go": POINTS, "Chess": PIECES}
MOST_MOVES = 256  # that are sent; a move that is not among them can be typed
ROW = re.compile(r"\s*(\d+)((?: \S)+?)(?: \d+)?\s*")  # Hex repeats the number at the end


class Grid(NamedTuple):
    columns: list[str]
    rows: list[int]  # their numbers, from above
    cells: list[str]  # a character for each place, row by row
    slanted: bool  # each row further right than the one above


def grid_of(text: str) -> Grid | None:
    """The grid that a game has printed, or None."""
    lines = text.splitlines()
    columns = lines[0].split() if lines else []
    numbers, cells, starts = [], [], []
    for line in lines[1:]:
        if row := ROW.fullmatch(line):
            numbers.append(int(row[1]))
            cells.append("".join(row[2].split()))
            starts.append(row.start(2))
    if not columns or any(len(column) != 1 for column in columns) or len(numbers) < 2:
        return None
    if any(len(row) != len(columns) for row in cells):
        return None
    return Grid(columns, numbers, cells, starts == sorted(set(starts)))


def shape_of(game: "Game") -> str:
    """How to draw a game: what it declares, or what its first position looks like."""
    declared = getattr(game, "shape", None) or BY_TITLE.get(game.title)
    if declared:
        return declared if declared in SHAPES else WORDS
    position = Position(game)
    grid = grid_of(str(position))
    if not (grid and game.lists):
        return WORDS
    places = {"%s%d" % (column, row) for column in grid.columns for row in grid.rows}
    if not all(move in places for move in position.legal_moves()):
        return WORDS
    return HEXAGONS if grid.slanted else CELLS


def picture_of(position: Position, shape: str) -> dict[str, Any]:
    """What the page draws of a position: the text always, the grid where there is one."""
    text = str(position)
    picture: dict[str, Any] = dict(text=text, ply=len(position.history), turn=position.turn)
    grid = None if shape == WORDS else grid_of(text)
    if grid:
        picture.update(columns=grid.columns, rows=grid.rows, cells=grid.cells)
    return picture


def moves_of(position: Position) -> list[str]:
    """The legal moves for the page; of a game without a list, as many as fit one."""
    if position.game.lists:
        return position.legal_moves()[:MOST_MOVES]
    return [position.game.text(move) for move in position._listed()[:MOST_MOVES]]
