"""What a match leaves behind: a line a move as JSON and CSV, and an SGF a game of Go.

Every line is on disk before the next move is thought about, so a match that breaks off loses
nothing.
"""

import csv
import json
from pathlib import Path

import sgfmill.sgf
from picograve import BadInput, __version__

from picograve_host.players import Thought

COLUMNS = ("game", "ply", "seat", "where", *Thought._fields, "wall_seconds")


class Records:
    """The files of a match in `folder`; with no folder, none."""

    def __init__(self, folder):
        self.folder = Path(folder) if folder else None
        self.moves = []  # of all games, as written
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

    def move(self, **record):
        self.moves.append(record)
        if self.folder:
            self._json(record)
            self._csv.writerow([record[column] for column in COLUMNS])
            self._csv_file.flush()

    def game(self, **record):
        if self.folder:
            self._json(record)

    def _json(self, record):
        print(json.dumps(record), file=self._lines, flush=True)

    def sgf(self, number, game, names, result):
        """Write game `number` (from 0) of a match of Go; names are black's and white's."""
        if self.folder and game.title == "Go":
            moves = [record for record in self.moves if record["game"] == number]
            (self.folder / ("game%03d.sgf" % (number + 1))).write_bytes(
                _sgf(game, names, result, moves)
            )


def _sgf(game, names, result, moves):
    record = sgfmill.sgf.Sgf_game(size=game.size)
    root = record.get_root()
    root.set("KM", game.komi / 2)
    root.set("PB", names[0])
    root.set("PW", names[1])
    root.set("RU", "Chinese")
    root.set("AP", ("picograve", __version__))
    if result:
        root.set("RE", "0" if result == "draw" else result)
    for move in moves:
        node = record.extend_main_sequence()
        node.set_move("bw"[(move["ply"] - 1) % 2], _point(move["move"]))
        node.set("C", "%s: value %.3f, %d playouts, %d bytes" % (
            move["seat"], move["value"], move["playouts"], move["bytes"],
        ))  # fmt: skip
    return record.serialise()


def _point(text):
    """sgfmill's (row, column) of a move as GTP writes it, None for a pass."""
    if text == "pass":
        return None
    return int(text[1:]) - 1, "ABCDEFGHJKLMN".index(text[0])
