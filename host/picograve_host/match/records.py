"""What a match leaves behind: one line per move as JSON and CSV, and one SGF per game.

Every line is on disk before the next move is thought about, so a match that breaks off loses
nothing. SGF knows Go, Hex and Othello (picograve_host.protocols.habits), not tic-tac-toe.
"""

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sgfmill.sgf
from picograve import BadInput, __version__

from picograve_host.players.thought import Thought
from picograve_host.protocols.habits import habits_of, result_of

if TYPE_CHECKING:
    from picograve.protocols import Game

COLUMNS = ("game", "ply", "turn", "seat", "where", *Thought._fields, "wall_seconds")


class Records:
    """The files of a match in `folder`; with no folder, none."""

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = Path(folder) if folder else None
        self.moves: list[dict[str, Any]] = []  # of all games, as written
        if not self.folder:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lines = (self.folder / "match.jsonl").open("w")
            self._csv_file = (self.folder / "match.csv").open("w", newline="")
        except OSError as error:
            raise BadInput("cannot write to --out %s: %s" % (folder, error.strerror)) from None
        self._csv = csv.writer(self._csv_file)
        self._csv.writerow(COLUMNS)

    def move(self, **record: Any) -> None:
        self.moves.append(record)
        if self.folder:
            self._json(record)
            self._csv.writerow([record[column] for column in COLUMNS])
            self._csv_file.flush()

    def game(self, **record: Any) -> None:
        if self.folder:
            self._json(record)

    def _json(self, record):
        print(json.dumps(record), file=self._lines, flush=True)

    def sgf(self, number: int, game: "Game", names: list[str], result: str | None) -> None:
        """Write game `number` (from 0) of a match; names are black's and white's."""
        if self.folder and habits_of(game).sgf_game:
            moves = [record for record in self.moves if record["game"] == number]
            (self.folder / ("game%03d.sgf" % (number + 1))).write_bytes(
                sgf_of(game, names, result, moves)
            )


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
