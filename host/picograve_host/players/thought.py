"""What a player reports of a move: picograve.figures, and what follows from them."""

from collections import namedtuple
from typing import TYPE_CHECKING, Any

from picograve.figures import FIGURES, MEASURED
from picograve.value import share

if TYPE_CHECKING:  # which cannot follow the names
    from picograve.figures import Result as Thought
else:
    Thought = namedtuple(
        "Thought",
        (
            "value",  # the move's mean result for the player to move, 0 to 1
            "seconds",  # of thinking, by the player's own clock
            *FIGURES,
            *MEASURED,
        ),
    )


def thought_of(**figures: Any) -> Thought:
    """A Thought of these figures; those that a player does not have are None, and nothing known
    of a move's worth is a value of one half."""
    known: dict[str, Any] = {name: figures.get(name) for name in FIGURES + MEASURED}
    value = share(known["points"], known["weight"], known["scale"])
    return Thought(value, known["microseconds"] / 1e6, **known)


def microseconds(seconds: float) -> int:
    return round(seconds * 1e6)


def from_elsewhere(move: str, seconds: float, playouts: int = 0) -> Thought:
    """The Thought of another program, of which no more is known."""
    return thought_of(
        move=move,
        playouts=playouts,
        playouts_saved=0,
        nodes_used=0,
        nodes_recycled=0,
        bytes=0,
        microseconds=microseconds(seconds),
    )
