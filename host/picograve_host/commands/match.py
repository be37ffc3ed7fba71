"""`picograve match`: games between two players, each a search on a board or on this desktop, or
another program.

The first player is called `board` and its options start so; it may sit at the desktop, too
(--board desktop), as its opponent does unless --opponent-board says otherwise. Either may be
another program (gtp:COMMAND). Colours alternate. A third position, the
referee's, decides what is legal, who moves and who has won.
"""

import contextlib
import json
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from picograve import TREE_SEARCHES, BadInput, Position
from picograve.value import WIN
from picograve_tools.cache import ToolMissing

from picograve_host.cli.options import at_clock, game_of, in_ram, seated
from picograve_host.match import demo
from picograve_host.match.footprint import draw
from picograve_host.match.game import play_game
from picograve_host.match.lines import MatchLines
from picograve_host.match.records import Records
from picograve_host.play import serving
from picograve_host.play.pairing import Pairing
from picograve_host.players.data import config_of
from picograve_host.players.desktop import STEPS
from picograve_host.players.factory import open_player, say_on_stderr
from picograve_host.players.kinds import name_of
from picograve_host.players.thought import Thought
from picograve_host.rating import win_rate
from picograve_host.words import in_lines

SEATS = ("board", "opponent")
HEAP: dict[str, Callable] = dict(heap_used=max, heap_free=min, heap_largest=min)
RESIGNED = ("W+R", None, "B+R")  # in SGF, by the first player's points


def main(options: Namespace) -> int:
    if not 0 <= options.resign < 0.5:
        raise BadInput("--resign must be 0 or more and less than 0.5, not %g" % options.resign)
    if demo.is_shown(options):
        demo.place(options)
    if options.watch:
        return _watch(options)
    with contextlib.ExitStack() as stack:
        match = _Match(options, stack)
        try:
            with match.shown:
                for index in range(options.games):
                    match.play(index)
        finally:
            match.finish()
        print(json.dumps(match.report()) if options.json else match.text())
    return 0


def _watch(options: Namespace) -> int:
    """On a page instead of here."""
    if options.out or options.games != 1:
        raise BadInput("--watch plays game after game and saves on the page: no --out, no --games")
    game = game_of(options)
    players = _players_of(options, game)
    for data in players.values():
        if "search" not in data:
            raise BadInput("--watch shows searches of ours, not other programs: %s" % name_of(data))
        config, budget = config_of(data)
        budget.ledger(game, config)  # refuses what cannot be, before a page is opened
    serving.need_packages()
    from picograve_host.play.server import Server

    pairing = Pairing(
        game, list(players.values()), options.seed, options.seconds_per_move, options.resign
    )
    return serving.serve(lambda guard: Server(guard, {}, pairing), options)


def _players_of(options, game):
    """Both as plain data, by their seats."""
    first = options.board or ("desktop" if options.ram else "sim")
    return dict(
        board=at_clock(
            options,
            in_ram(options, seated(options, game, "board_", first, first), first),
        ),
        opponent=seated(
            options, game, "opponent_", options.opponent_search, options.opponent_board
        ),
    )


class _Sums:
    """What one seat's searches of all games amount to."""

    def __init__(self) -> None:
        self.moves = self.playouts = 0
        self.seconds = 0.0
        self.heap: dict[str, int] = {}  # the worst of each figure, where a board reports any

    def add(self, thought: Thought) -> None:
        self.moves += 1
        self.playouts += thought.playouts
        self.seconds += thought.seconds
        for name, worst in HEAP.items():
            value = getattr(thought, name)
            if value is not None:
                self.heap[name] = worst(value, self.heap.get(name, value))


class _Match:
    def __init__(self, options: Namespace, stack: contextlib.ExitStack) -> None:
        self.options = options
        self.game = game_of(options)
        self.referee = Position(self.game)
        datas = _players_of(options, self.game)  # before a board is started: they may be refused
        self.records = Records(options.out)
        self.players = {}
        for number, (seat, data) in enumerate(datas.items()):
            player = open_player(
                data,
                self.game,
                options.seed + number,  # the two never draw the same random numbers
                hashes=self.records.folder is not None,  # who else would read them?
            )
            self.players[seat] = stack.enter_context(contextlib.closing(player))
        self.half_points: list[int] = []  # of the board, a game each
        self.sums = {seat: _Sums() for seat in SEATS}
        self.games: list[dict[str, Any]] = []
        self.playing: Any = None  # (index, names of the two) of the game under way
        for seat in SEATS:
            self._say(in_lines("%-8s %s" % (seat, self._describe(seat)), 9))
        self.shown = self._open_screen()

    def _open_screen(self):
        """Where the game is to be seen: a live picture on a terminal, else lines."""
        if sys.stderr.isatty() and (self.options.json or sys.stdout.isatty()):
            from picograve_host.screen.match import MatchScreen

            return MatchScreen(self.game, self.players, self.options.games)
        return MatchLines(self._say, self.options.games)

    def play(self, index: int) -> None:
        order = SEATS if index % 2 == 0 else SEATS[::-1]
        self.records.new_game()
        players = [self.players[seat] for seat in order]
        for number, seat in enumerate(SEATS):
            self.players[seat].new_game(self.options.seed + 2 * index + number)
        self.playing = index, ["%s: %s" % (seat, self._describe(seat)) for seat in order]

        def on_move(turn, thought, wall):
            self._record(index, turn, order[turn], thought, wall)
            self.shown.move(order[turn], thought, self.referee)

        self.referee.new_game()
        self.shown.begin(index, order, self.referee)
        points = play_game(
            players,
            self.referee,
            self.options.seconds_per_move,
            self.shown.watch,
            on_move,
            self.options.resign,
        )
        result = self.referee.score() or "resigned"
        sgf = self.referee.score() or RESIGNED[points]
        if order[0] != "board":
            points = WIN - points
        self.half_points.append(points)
        self.games.append(dict(first=order[0], result=result, moves=len(self.referee.moves)))
        self.records.game(game=index, **self.games[-1])
        self.records.sgf(*self._sgf(sgf))
        self.playing = None
        self.shown.end("game %d: %s first, %s, %s" % (
            index + 1, order[0], result, ("opponent wins", "draw", "board wins")[points],
        ))  # fmt: skip

    def _sgf(self, result):
        index, names = self.playing
        return index, self.game, names, result

    def _record(self, index, turn, seat, thought, wall):
        self.records.move(
            game=index,
            ply=len(self.referee.moves),
            turn=turn,
            seat=seat,
            where=self.players[seat].where,
            wall_seconds=round(wall, 4),
            **thought._asdict(),
        )
        self.sums[seat].add(thought)

    def _describe(self, seat):
        player = self.players[seat]
        config, ledger = player.config, player.ledger
        if config is None or ledger is None:
            return player.where
        bytes_ = "%d bytes" % ledger.total_bytes
        if config.search == "policy":
            return "policy %s on %s: %s" % (config.playout_policy, player.where, bytes_)
        if config.search not in TREE_SEARCHES:
            return "%s on %s: %d entries, %s" % (config.search, player.where, ledger.nodes, bytes_)
        return "%s (%s, %s playouts) on %s: %d nodes, %s" % (
            config.search,
            config.preset,
            config.playout_policy,
            player.where,
            ledger.nodes,
            bytes_,
        )

    def _say(self, text):
        if not self.options.json:
            print(text, flush=True)

    def finish(self) -> None:
        """Write what is written at the end, or when the match broke off."""
        if self.playing:
            self.records.sgf(*self._sgf(None))
        moves = self.records.written("board")
        if self.records.folder and moves:
            try:
                draw(moves, "The board: " + self._describe("board"), self.records.folder)
            except (ToolMissing, OSError) as missing:
                say_on_stderr("no picture, because %s" % missing)

    def report(self) -> dict[str, Any]:
        rate, low, high = win_rate(self.half_points)  # type: ignore[misc]  # one game or more
        return dict(
            game=self.game.name,
            games=self.games,
            board_points=sum(self.half_points) / 2,
            win_rate=rate,
            interval_95=[round(low, 4), round(high, 4)],
            players={seat: self._figures(seat) for seat in SEATS},
        )

    def _figures(self, seat):
        player = self.players[seat]
        sums = self.sums[seat]
        count = max(1, sums.moves)
        figures = dict(
            where=player.where,
            mhz=player.mhz,
            search=player.config and player.config.search,
            bytes=player.ledger and player.ledger.total_bytes,
            nodes=player.ledger and player.ledger.nodes,
            playouts_per_move=round(sums.playouts / count),
            seconds_per_move=round(sums.seconds / count, 4),
        )
        return figures | sums.heap

    def text(self) -> str:
        report = self.report()
        lines = ["", "board %g of %d games" % (report["board_points"], len(self.games))]
        if len(self.games) > 1:
            low, high = report["interval_95"]
            lines[-1] += ", %.1f %% (95 %%: %.1f to %.1f)" % (
                100 * report["win_rate"],
                100 * low,
                100 * high,
            )
        for seat in SEATS:
            player = report["players"][seat]
            lines.append(in_lines("%-8s %s" % (seat, self._describe(seat)), 9))
            lines.append(
                "%-8s %d %s and %.3f s per move"
                % (
                    "",
                    player["playouts_per_move"],
                    STEPS.get(player["search"], "playouts"),
                    player["seconds_per_move"],
                )
            )
            if "heap_used" in player:
                lines.append(
                    "%-8s heap: up to %d bytes used, %d free, largest block %d"
                    % ("", player["heap_used"], player["heap_free"], player["heap_largest"])
                )
        if self.records.folder:
            lines.append("written  %s" % self.records.folder)
        if demo.is_shown(self.options):
            lines.append(demo.summary(report))
        return "\n".join(lines)
