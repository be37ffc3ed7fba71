"""What the world is used to in each game: the words of GTP, the files of SGF.

GTP was made for Go and is spoken for other games, too: Hex programs (HexGui, MoHex) call their
dialect HTP, Othello programs (gtp-rhino, Quarry) take it as it is. Black is the player who
moves first. `habits_of(game)` says what is usual in a game. In a game without an entry in HABITS,
moves have the names that the game gives them; for more than that, add a class and an entry.
"""

import re
from typing import TYPE_CHECKING

from picograve import Position

if TYPE_CHECKING:
    from picograve.protocols import Game

COLOURS = ("black", "white")
PASS = "pass"
NEVER, FORCED, FREE = range(3)  # when a player may pass


class Habits:
    """Of tic-tac-toe: the colours alternate, nothing is counted before the end."""

    points = re.compile("[A-Z][1-9][0-9]?")
    passes = NEVER
    counts_stones = False  # whether there is a score before the end
    board_sides = 1  # how many of them `boardsize` gives
    sgf_game: int | None = None  # SGF's number of the game, GM; None: it has none

    def move(self, vertex: str) -> str | None:
        """Our text of what GTP calls `vertex`, in either case; None if that is no vertex."""
        if vertex.lower() == PASS and self.passes != NEVER:
            return PASS
        return vertex.upper() if self.points.fullmatch(vertex.upper()) else None

    def vertex(self, move: str) -> str:
        return move


class Go(Habits):
    points = re.compile("[A-HJ-Z][1-9][0-9]?")
    passes = FREE
    counts_stones = True
    sgf_game = 1

    def sgf(self, move: str, size: int) -> str:
        """A move as SGF writes it: letters for the column and for the row from above."""
        if move == PASS:
            return "tt"
        return _letters("ABCDEFGHJKLMN".index(move[0]), size - int(move[1:]))


class Othello(Habits):
    passes = FORCED
    sgf_game = 2

    def sgf(self, move: str, size: int) -> str:
        return "" if move == PASS else _letters("ABCDEFGH".index(move[0]), int(move[1:]) - 1)


class Hex(Habits):
    board_sides = 2
    sgf_game = 11

    def move(self, vertex: str) -> str | None:
        return "swap" if vertex.lower() in ("swap", "swap-pieces") else super().move(vertex)

    def vertex(self, move: str) -> str:
        """HTP's name of a move: our swap leaves the players their colours."""
        return "swap-pieces" if move == "swap" else move

    def sgf(self, move: str, size: int) -> str:
        return self.vertex(move).lower()


class Own(Habits):
    """Of a game that nobody here knows: any word may be a move, also a pass."""

    points = re.compile(r"\S+")


def _letters(column, row):
    return chr(ord("a") + column) + chr(ord("a") + row)


HABITS = {"Go": Go(), "Hex": Hex(), "Othello": Othello(), "Tic-tac-toe": Habits()}


def habits_of(game: "Game") -> Habits:
    return HABITS.get(game.title) or Own()


def must_pass(referee: Position) -> bool:
    """Whether the player to move can do nothing but pass, in a game where passes are forced."""
    if habits_of(referee.game).passes != FORCED:
        return False
    return PASS in referee.legal_moves()


def result_of(game: "Game", score: str) -> str:
    """A game's score as GTP and SGF write it: B+3.5, W+ where points are not counted, or 0."""
    first, second = game.players
    return {"draw": "0", first + " wins": "B+", second + " wins": "W+"}.get(score, score)
