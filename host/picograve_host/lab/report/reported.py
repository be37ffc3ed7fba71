"""What the searches of the players have reported: every figure that the store keeps of them
(lab/play/sums.py), so that a new one is here by itself.

Over the games, sums become means per move; of largest and least ones the largest and the least, of
means the mean. Moves, playouts and seconds are in the other tables, the choice of playout
policies is in choices.py.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from picograve_host.lab.play.store import Store
from picograve_host.lab.play.sums import FIGURES, WAYS
from picograve_host.lab.report.page import Heading, Table
from picograve_host.words import number

UNITS: dict[Any, str] = {sum: " a move", max: ", most", min: ", least"}
ELSEWHERE = ("moves", "playouts", "seconds", "choices")
Seats = Iterable[tuple[str, str]]  # (key of a match, "player" or "opponent")


def figures_of(store: Store, seats: Seats, games: int) -> dict[str, float]:
    """{figure: what it amounts to} in these seats; a figure that no search had is left out."""
    seats = list(seats)
    columns = {name: _column(store, seats, games, name) for name in FIGURES}
    moves = sum(columns["moves"])
    return {
        name: _amount(WAYS.get(name), values, moves)
        for name, values in columns.items()
        if values and name not in ELSEWHERE and (moves or WAYS.get(name) is not sum)
    }


def _column(store, seats, games, name):
    fields = [(key, "%s_%s" % (seat, name)) for key, seat in seats]
    return [value for key, field in fields for value in store.column(key, games, field)]


def _amount(way, values, moves):
    if way in (max, min):
        return way(values)
    return round(sum(values) / (moves if way is sum else len(values)), 2)


def blocks(labels: Sequence[str], figures: Sequence[dict[str, float]]) -> Iterable[Any]:
    """The part of a page: a line for each player or point, without columns of nothing."""
    filled = dict.fromkeys(name for row in figures for name, value in row.items() if value)
    if filled:
        head = [name.replace("_", " ") + UNITS.get(WAYS.get(name), ", mean") for name in filled]
        lines = [
            [label, *(_text(row.get(name)) for name in filled)]
            for label, row in zip(labels, figures, strict=True)
        ]
        yield Heading("What the searches report", 3)
        yield Table(["player", *head], lines)


def _text(value):
    if value is None:
        return ""
    return number(int(value) if value == int(value) else value)
