"""Games of Go from SGF files: the main line, from the stones that the first node sets up."""

from pathlib import Path
from typing import NamedTuple

import sgfmill.sgf
import sgfmill.sgf_moves
from picograve import BadInput
from sgfmill.common import format_vertex

from picograve_host.go.stones import Stones
from picograve_host.protocols.habits import COLOURS, PASS


class Record(NamedTuple):
    size: int
    komi: float | None  # None where the file does not say
    stones: Stones  # set up
    first: int  # who is to move then: 0 black, 1 white
    moves: list[tuple[str, str]]  # colours and points


def read(path: str) -> Record:
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadInput("cannot load file: %s" % error.strerror) from None
    try:
        game = sgfmill.sgf.Sgf_game.from_bytes(text)
        board, plays = sgfmill.sgf_moves.get_setup_and_moves(game)
        root = game.get_root()
        komi = root.get("KM") if root.has_property("KM") else None
        first = root.get("PL") if root.has_property("PL") else None
    except ValueError as error:
        raise BadInput(
            "cannot load file: %s" % (str(error) or "a point is not on the board")
        ) from None
    colours = dict(zip("bw", COLOURS, strict=True))
    stones = {
        format_vertex(point): colours[colour] for colour, point in board.list_occupied_points()
    }
    moves = [(colours[colour], format_vertex(point) if point else PASS) for colour, point in plays]
    if first is None:  # after a handicap, white
        first = plays[0][0] if plays else "bw"[set(stones.values()) == {COLOURS[0]}]
    return Record(game.get_size(), komi, stones, "bw".index(first), moves)
