"""A match on a terminal: the board redrawn in place, beside it what the two players need and see.

A thread of rich's draws a few times a second what the match has told by then; so everything that
it reads is replaced by something new and never changed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from picograve_tools.console import console
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from picograve_host.play.shapes import picture_of, shape_of
from picograve_host.play.watching import Watcher
from picograve_host.players.desktop import STEPS
from picograve_host.screen import boards, panels
from picograve_host.words import number

if TYPE_CHECKING:
    from picograve import Position
    from picograve.protocols import Game

    from picograve_host.players.protocol import Player, SearchPlayer
    from picograve_host.players.thought import Thought

REFRESH = 8  # pictures a second
EMPTY: dict[str, Any] = {}


class MatchScreen:
    """As match.lines.MatchLines, on a terminal."""

    def __init__(self, game: "Game", players: "dict[str, Player]", games: int) -> None:
        self._players = players
        self._names = game.players
        self._shape = shape_of(game)
        self._games = games
        self._watchers = {
            seat: Watcher(player, self._hear, pool=False)  # type: ignore[arg-type]  # a search
            for seat, player in players.items()
            if player.ledger
        }
        self._picture: dict[str, Any] = EMPTY
        self._order: Sequence[str] = tuple(players)
        self._thoughts: dict[str, Thought] = {}  # the last one of each seat
        self._live: dict[str, Any] = EMPTY  # of the search under way
        self._last: str | None = None
        self._head = self._foot = ""
        self._display = Live(
            get_renderable=self._draw, console=console(), refresh_per_second=REFRESH
        )

    def __enter__(self) -> "MatchScreen":
        self._display.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._display.stop()

    def begin(self, index: int, order: Sequence[str], referee: "Position") -> None:
        self._thoughts, self._last, self._order = {}, None, order
        self._head = "game %d of %d" % (index + 1, self._games) if self._games > 1 else ""
        self._picture = picture_of(referee, self._shape)
        self._start_watching()

    def watch(self, player: "SearchPlayer", playouts: int) -> None:
        seat = next(seat for seat, one in self._players.items() if one is player)
        self._watchers[seat].look(playouts)

    def move(self, seat: str, thought: "Thought", referee: "Position") -> None:
        self._thoughts = {**self._thoughts, seat: thought}
        self._live = EMPTY
        self._last = thought.move
        self._picture = picture_of(referee, self._shape)
        self._start_watching()
        self._display.refresh()  # every move is seen, however quick

    def end(self, text: str) -> None:
        self._foot, self._live = text, EMPTY

    def _start_watching(self):
        for watcher in self._watchers.values():
            watcher.start()

    def _hear(self, live):
        self._live = live

    def _draw(self) -> RenderableType:
        if not self._picture:
            return Text("")
        considered = [move for move, _, _ in self._live.get("candidates", ())]
        notable = boards.Notable(last=self._last, candidates=considered)
        plain = boards.is_plain(console())
        board = boards.draw(self._picture, self._shape, self._names, notable, plain)
        both = Table.grid(padding=(0, 3, 0, 0))
        both.add_row(board, self._figures())
        return Group(*(Text(text, "bold") for text in (self._head, self._foot) if text), both)

    def _figures(self):
        turn = self._picture["turn"]
        bytes_ = [one.ledger.total_bytes for one in self._players.values() if one.ledger]
        most = max(bytes_, default=0)
        table = Table("", *self._players, box=None, pad_edge=False, header_style="bold")
        table.columns[0].style = "dim"
        columns = []
        for seat, player in self._players.items():
            side = self._order.index(seat)
            plays = self._names[side] + (", to move" if side == turn else "")
            columns.append([plays, *self._about(seat, player, most, side == turn)])
        names = ("plays", "search", "thinks on", "memory", "", "nodes", "thinks", "", "its chances")
        for row in zip(names, *columns, strict=True):
            table.add_row(*row)
        return table

    def _about(self, seat, player, most, thinks):
        thought = self._thoughts.get(seat)
        chance = panels.percent(thought.value) if thought else ""
        if not player.ledger:
            return ["", player.where, "", "", "", "", "", chance]
        done = self._live.get("playouts", 0) if thinks else 0
        ledger, steps = player.ledger, STEPS[player.config.search]
        return [
            player.config.search,
            player.where.partition(" (")[0],
            "%s bytes" % number(ledger.total_bytes),
            panels.memory(ledger.total_bytes, most),
            "%s, %s recycled" % (number(ledger.nodes), number(thought.nodes_recycled))
            if thought
            else number(ledger.nodes),
            "%s %s" % (number(ledger.playouts), steps),
            panels.part(done, ledger.playouts),
            chance,
        ]
