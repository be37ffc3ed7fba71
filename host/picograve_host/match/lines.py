"""A match where there is no terminal: a line for each move of a single game, one for each game."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from picograve import Position

    from picograve_host.players.thought import Thought


class MatchLines:
    watch = None  # a search is not slowed down to show what nobody sees

    def __init__(self, say: Callable[[str], object], games: int) -> None:
        self._say = say
        self._single = games == 1

    def __enter__(self) -> "MatchLines":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def begin(self, index: int, order: Sequence[str], referee: "Position") -> None:
        self._referee = referee

    def move(self, seat: str, thought: "Thought", referee: "Position") -> None:
        if not self._single:
            return
        heap = ""
        if thought.heap_free is not None:
            heap = ", heap %d used, %d free" % (thought.heap_used, thought.heap_free)
        self._say(
            "%3d. %-8s %-5s value %.3f  %5.2f s  %d nodes used, %d recycled%s"
            % (
                len(referee.moves),
                seat,
                thought.move,
                thought.value,
                thought.seconds,
                thought.nodes_used,
                thought.nodes_recycled,
                heap,
            )
        )

    def end(self, text: str) -> None:
        if self._single:
            self._say(str(self._referee))
        self._say(text)
