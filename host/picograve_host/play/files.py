"""A game as a file to keep: SGF or PGN where they know the game, plain moves, the memory log."""

import json
from typing import TYPE_CHECKING, Any

from picograve import Position
from picograve.kernel import ITEM_BYTES

from picograve_host.match.records import sgf_of
from picograve_host.play.shapes import grid_of
from picograve_host.protocols.habits import habits_of

if TYPE_CHECKING:
    from picograve.protocols import Game

Moves = list[dict[str, Any]]
CHESS = "chess"


def kinds_of(game: "Game") -> list[str]:
    """The kinds of files that a game can have."""
    kinds = ["txt", "jsonl"]
    if habits_of(game).sgf_game:
        kinds.insert(0, "sgf")
    if game.name == CHESS:
        kinds.insert(0, "pgn")
    return kinds


def write(kind: str, game: "Game", names: list[str], moves: Moves, result: str | None) -> str:
    """The text of a file; `moves` are those of room.Room."""
    if kind == "sgf":
        return _sgf(game, names, moves, result)
    if kind == "pgn":
        return _pgn(game, names, moves, result)
    if kind == "txt":
        return " ".join(move["move"] for move in moves) + "\n"
    rows = [dict(move, ply=ply) for ply, move in enumerate(moves, 1)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def row_bytes(row: tuple[str, str, int]) -> int:
    """Bytes of a row of a ledger."""
    _, kind, count = row
    return ITEM_BYTES[kind] * count


def _sgf(game, names, moves, result):
    rows = []
    for move in moves:
        row = dict(move=move["move"], turn=move["turn"])
        if move["thought"]:
            row.update(move["thought"], seat=names[move["turn"]])
        rows.append(row)
    loser = next((side for side in (0, 1) if result == "%s resigns" % game.players[side]), None)
    score = result if loser is None else "%s+R" % "WB"[loser]
    return sgf_of(game, names, score, rows).decode()


def _pgn(game, names, moves, result):
    ended, words = _pgn_result(game, moves, result)
    tags = dict(Event="picograve", White=names[0], Black=names[1], Result=ended)
    if "fen" in game.given:
        tags.update(SetUp="1", FEN=game.fen)
    head = ['[%s "%s"]' % (tag, _quoted(value)) for tag, value in tags.items()]
    lines = []
    position = Position(game)
    first = position.turn
    for number, move in enumerate(moves):
        ply = number + first
        before = "%d. " % (ply // 2 + 1) if ply % 2 == 0 else "%d... " % (ply // 2 + 1)
        lines.append(before + san_of(position, move["move"]))
        position.play(move["move"])
    return "\n".join([*head, "", *lines, words + ended, ""])


def _quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _pgn_result(game, moves, result):
    """PGN's result, and in a comment what it does not say."""
    if result is None:
        return "*", ""
    position = Position(game)
    position.set_position([move["move"] for move in moves])
    if position.is_over:
        return ("0-1", "1/2-1/2", "1-0")[position.points or 0], "{%s} " % result
    lost = game.players.index(result.split()[0])  # it resigned, or is out of time
    return ("0-1", "1-0")[lost], "{%s} " % result


def san_of(position: Position, move: str) -> str:
    """A move of chess as PGN writes it, such as Nbd7; checks are not marked."""
    start, end = move[:2], move[2:4]
    cells = _cells(position)
    piece = cells[start].upper()
    if piece == "K" and abs(ord(start[0]) - ord(end[0])) == 2:
        return "O-O" if end[0] == "g" else "O-O-O"
    takes = "x" if cells[end] != "." or (piece == "P" and start[0] != end[0]) else ""
    if piece == "P":
        promotion = "=" + move[4:].upper() if move[4:] else ""
        return (start[0] + takes if takes else "") + end + promotion
    others = [
        other[:2]
        for other in position.legal_moves()
        if other[2:4] == end and other[:2] != start and cells[other[:2]] == cells[start]
    ]
    return piece + _difference(start, others) + takes + end


def _difference(start, others):
    """The file, the rank or both of the piece that moves, as far as others could."""
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    return start[1] if all(other[1] != start[1] for other in others) else start


def _cells(position):
    """What stands on each square."""
    grid: Any = grid_of(str(position))  # chess prints one
    return {
        "%s%d" % (column, row): piece
        for row, pieces in zip(grid.rows, grid.cells, strict=True)
        for column, piece in zip(grid.columns, pieces, strict=True)
    }
