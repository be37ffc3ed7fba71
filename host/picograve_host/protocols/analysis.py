"""Analysis over GTP: what its commands take, and the lines that they write.

As Leela Zero, KataGo and Sabaki have it: `analyze [colour] [interval]`, the interval in
centiseconds, also as a pair `interval 50`, beside which there may be `maxmoves N` and `minmoves N`.
The answer opens with a line `=`, then every interval comes one line, best move first

    info move D4 visits 100 winrate 5312 prior 0 order 0 pv D4 F5 E3 info move ...

with winrates of the player to move in hundredths of a per cent; there is no prior in our searches.
A variation goes down to a leaf of the move's tree; a board tells only its first move.

`kata-analyze` writes shares from 0 to 1, and `scoreLead`, by how many points the player to move is
ahead: the mean of playouts after each move, a few for each line, all of which count. It also takes
`ownership true`: then `ownership` ends the line, with each point from the upper left, row by row,
from 1, the player's to move, to -1. Other things that KataGo can be asked for are left out.
"""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from picograve.value import WIN

from picograve_host.protocols.habits import habits_of

if TYPE_CHECKING:
    from picograve.position import RootMove

    from picograve_host.go.ownership import Ownership
    from picograve_host.players.protocol import SearchPlayer

NUMBERS = {"interval": 100, "minmoves": 0, "maxmoves": 999}
# What KataGo takes; only the first changes what is written.
SWITCHES = (
    "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits",
    "pvEdgeVisits", "rootInfo", "noResultValue",
)  # fmt: skip
OF_A_MOVE = 10  # playouts for its lead, each time that it is reported
OF_THE_POSITION = 100


def wishes(words: Sequence[str], with_switches: bool) -> dict[str, int] | None:
    """What the words after the colour ask for, or None if they make no sense."""
    if words and words[0].isdecimal():
        words = ["interval", *words]
    wanted = dict(NUMBERS)
    if len(words) % 2:
        return None
    for key, value in zip(words[::2], words[1::2], strict=True):
        if key in NUMBERS and value.isdecimal() and len(value) <= 10:
            wanted[key] = int(value)
        elif with_switches and key in SWITCHES and value in ("true", "false"):
            wanted[key] = value == "true"
        else:
            return None
    return wanted


class Report:
    """The lines of an analysis: the moves considered, `maxmoves` of them, one line an interval."""

    def __init__(
        self, player: "SearchPlayer", write: Callable[[str], object], wanted: dict[str, int]
    ) -> None:
        self.player = player
        self.write_line = write
        self.interval = max(1, wanted["interval"]) / 100  # seconds
        self.most = wanted["maxmoves"]
        self.due = time.perf_counter() + self.interval

    def when_due(self) -> None:
        if time.perf_counter() >= self.due:
            self.write()

    def write(self) -> None:
        self.due = time.perf_counter() + self.interval
        # Every move considered is reported: `minmoves` asks for nothing more.
        moves = self.player.root_moves()[: self.most]
        if moves:
            variations = self.player.variations()
            words = [
                "info move %s %s order %d pv %s"
                % (
                    self._vertex(move.move),
                    self._worth(move),
                    order,
                    " ".join(map(self._vertex, variations.get(move.move, [move.move]))),
                )
                for order, move in enumerate(moves)
            ]
            self.write_line(" ".join(words) + self._end())

    def _vertex(self, move):
        return habits_of(self.player.game).vertex(move)

    def _worth(self, move: "RootMove") -> str:
        return "visits %d winrate %d prior 0" % (move.visits, round(10000 * move.value))

    def _end(self):
        return ""


class KataReport(Report):
    """... as KataGo writes them."""

    def __init__(
        self,
        player: "SearchPlayer",
        write: Callable[[str], object],
        wanted: dict[str, int],
        ownership: "Ownership",
        moves: Sequence[str],
        turn: int,
    ) -> None:
        super().__init__(player, write, wanted)
        self.ownership = ownership
        self.moves = moves  # to the position
        self.sign = -1 if turn else 1
        self.has_ownership = wanted.get("ownership", False)
        self.estimates: dict[tuple[str, ...], Estimate] = {}  # by the moves from the position on

    def _estimate(self, *moves, playouts):
        if moves not in self.estimates:
            self.estimates[moves] = Estimate(self.ownership, [*self.moves, *moves])
        estimate = self.estimates[moves]
        estimate.go_on(playouts)
        return estimate

    def _worth(self, move):
        game: Any = self.player.game
        black = self._estimate(move.move, playouts=OF_A_MOVE).lead - game.komi
        lead = self.sign * black
        return "visits %d winrate %.4f scoreMean %.2f scoreLead %.2f prior 0" % (
            move.visits, move.value, lead, lead,
        )  # fmt: skip

    def _end(self):
        if not self.has_ownership:
            return ""
        leads = self._estimate(playouts=OF_THE_POSITION).leads
        size = self.player.game.size
        rows = [leads[row * size : row * size + size] for row in reversed(range(size))]
        return " ownership " + " ".join("%.3f" % (self.sign * x) for row in rows for x in row)


class Estimate:
    """What playouts say of a position; more of them can be added."""

    def __init__(self, ownership: "Ownership", moves: Sequence[str]) -> None:
        self.ownership = ownership
        self.moves = moves
        self.counts = [0] * len(ownership.points)
        self.playouts = 0

    def go_on(self, playouts: int) -> None:
        self.ownership.count(self.moves, playouts, self.counts, seed=1 + self.playouts)
        self.playouts += playouts

    @property
    def leads(self) -> list[float]:
        """Black's part of each point, -1 to 1, row by row from A1."""
        return [2 * count / (WIN * self.playouts) - 1 for count in self.counts]

    @property
    def lead(self) -> float:
        """By how many points black is ahead, without komi."""
        return sum(self.leads)
