"""What a match leaves behind: one line per move as JSON and CSV, and one SGF per game.

Every line is on disk before the next move is thought about, so a match that breaks off loses
nothing. SGF knows Go, Hex and Othello (picograve_host.protocols.habits), not tic-tac-toe. Only the
game under way is kept in memory: a match may have a million.
"""

import contextlib
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sgfmill.sgf
from picograve import BadInput, __version__
from picograve.errors import RunFailed

from picograve_host.players.thought import Thought
from picograve_host.protocols.habits import habits_of, result_of
from picograve_host.words import in_cell

if TYPE_CHECKING:
    from picograve.protocols import Game

LINES = "match.jsonl"
MOST_DRAWN = 10_000  # moves of the picture: nobody sees more dots
COLUMNS = ("game", "ply", "turn", "seat", "where", *Thought._fields, "wall_seconds")


class Records:
    """The files of a match in `folder`; with no folder, none."""

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = Path(folder) if folder else None
        self.moves: list[dict[str, Any]] = []  # of the game under way, as written
        if not self.folder:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lines = (self.folder / LINES).open("w")
            self._csv_file = (self.folder / "match.csv").open("w", newline="")
        except OSError as error:
            raise BadInput("cannot write to --out %s: %s" % (folder, error.strerror)) from None
        self._csv = csv.writer(self._csv_file)
        self._csv.writerow(COLUMNS)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What the disk refuses, in one line."""
        try:
            yield
        except OSError as error:
            raise RunFailed(
                "cannot write to --out %s: %s; the games up to here are there"
                % (self.folder, error.strerror)
            ) from None

    def new_game(self) -> None:
        self.moves = []

    def move(self, **record: Any) -> None:
        self.moves.append(record)
        if self.folder:
            with self._told():
                self._json(record)
                self._csv.writerow([in_cell(record[column]) for column in COLUMNS])
                self._csv_file.flush()

    def game(self, **record: Any) -> None:
        if self.folder:
            with self._told():
                self._json(record)

    def _json(self, record):
        print(json.dumps(record), file=self._lines, flush=True)

    def sgf(self, number: int, game: "Game", names: list[str], result: str | None) -> None:
        """Write game `number` (from 0) of a match, the one under way; names are black's and
        white's."""
        if self.folder and habits_of(game).sgf_game:
            with self._told():
                (self.folder / ("game%03d.sgf" % (number + 1))).write_bytes(
                    sgf_of(game, names, result, self.moves)
                )

    def written(self, seat: str) -> list[dict[str, Any]]:
        """The moves of a seat in all games, from the file; the first MOST_DRAWN."""
        if not self.folder:
            return []
        moves: list[dict[str, Any]] = []
        with self._told(), (self.folder / LINES).open() as lines:
            for line in lines:
                if not line.endswith("\n"):  # the disk is full
                    break
                record = json.loads(line)
                if record.get("seat") == seat and len(moves) < MOST_DRAWN:
                    moves.append(record)
        return moves


def sgf_of(
    game: "Game", names: list[str], result: str | None, moves: list[dict[str, Any]]
) -> bytes:
    """A game as SGF; names are black's and white's. A move without a `seat` was no search's."""
    habits: Any = habits_of(game)  # of a game that SGF knows
    record = sgfmill.sgf.Sgf_game(size=game.size)
    root = record.get_root()
    root.set("GM", habits.sgf_game)
    root.set("PB", names[0])
    root.set("PW", names[1])
    if "komi" in game.options:
        root.set("KM", getattr(game, "komi"))  # noqa: B009  # an option of Go's
        root.set("RU", "Chinese")
    root.set("AP", ("picograve", __version__))
    if result:
        root.set("RE", result_of(game, result))
    for move in moves:
        node = record.extend_main_sequence()
        node.set_raw("BW"[move["turn"]], habits.sgf(move["move"], game.size).encode())
        if "seat" not in move:
            continue
        node.set("C", "%s: value %.3f, %d playouts, %d bytes" % (
            move["seat"], move["value"], move["playouts"], move["bytes"],
        ))  # fmt: skip
    return record.serialise()
