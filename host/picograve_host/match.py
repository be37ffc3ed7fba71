"""`picograve match`: games between two players, each a board or a desktop search.

The first player is called `board` and its options start so; it may sit at the desktop, too
(--board desktop), as its opponent does unless --opponent-board says otherwise. Colours
alternate. A third position, the referee's, decides what is legal and who has won.
"""

import contextlib
import json
import sys
import time

from picograve import TREE_SEARCHES, BadInput

from picograve_host.footprint import draw
from picograve_host.options import game_of, player_of
from picograve_host.players import STEPS, referee_of
from picograve_host.records import Records
from picograve_host.seats import DESKTOP, open_player, say_on_stderr
from picograve_host.statistics import win_rate

SEATS = ("board", "opponent")
RESIGN = "resign"  # what another program may answer instead of a move


def play_game(players, referee, seconds=None, watch=None, on_move=None, resign=0):
    """Play a game, the first of two players first; the first player's half points.

    With `resign`, a player gives up whose last two searches and the other's two between them
    agree that it wins with at most this probability; 0: never.
    """
    referee.new_game()
    values = []  # of the player to move, a search each
    while not referee.is_over():
        mover = players[len(referee.moves) % 2]
        began = time.perf_counter()
        thought = mover.search(seconds, watch)
        wall = time.perf_counter() - began
        values.append(thought.value)
        if thought.move == RESIGN or (resign and _is_hopeless(values, resign)):
            return 2 * (len(referee.moves) % 2)
        referee.play(thought.move)
        for player in players:
            player.play(thought.move)
        if on_move:
            on_move(mover, thought, wall)
    _, _, _, _, outcome = referee.game.rules
    return outcome(referee.buffers["root"])


def _is_hopeless(values, margin):
    mine, theirs = values[-1:-4:-2], values[-2:-5:-2]
    return len(values) >= 4 and max(mine) <= margin and min(theirs) >= 1 - margin


def main(options):
    if options.games < 1:
        raise BadInput("--games must be 1 or more, not %d" % options.games)
    if options.seconds_per_move is not None and options.seconds_per_move <= 0:
        raise BadInput("--seconds-per-move must be more than 0")
    with contextlib.ExitStack() as stack:
        match = _Match(options, stack)
        try:
            for index in range(options.games):
                match.play(index)
        finally:
            pictures = match.finish()
        print(json.dumps(match.report()) if options.json else match.text(pictures))
    return 0


class _Match:
    def __init__(self, options, stack):
        self.options = options
        self.game = game_of(options)
        self.referee = referee_of(self.game)
        for seat in SEATS:
            player_of(options, seat + "_")  # refuses a bad setting before a board is started
        self.records = Records(options.out)
        where = dict(board=options.board, opponent=options.opponent_board or DESKTOP)
        self.players = {
            # The two never draw the same random numbers.
            seat: stack.enter_context(
                open_player(
                    options, seat + "_", self.game, where[seat], options.seed + number,
                    say=self._say_progress,
                    hashes=self.records.folder is not None,  # who else would read them?
                )
            )
            for number, seat in enumerate(SEATS)
        }  # fmt: skip
        self.half_points = []  # of the board, a game each
        self.games = []
        self.playing = None  # (index, names of the two) of the game under way
        for seat in SEATS:
            self._say("%-8s %s" % (seat, self._describe(seat)))

    def play(self, index):
        order = SEATS if index % 2 == 0 else SEATS[::-1]
        players = [self.players[seat] for seat in order]
        for number, seat in enumerate(SEATS):
            self.players[seat].new_game(self.options.seed + 2 * index + number)
        self.playing = index, ["%s: %s" % (seat, self._describe(seat)) for seat in order]

        def on_move(mover, thought, wall):
            self._record(index, order[players.index(mover)], mover, thought, wall)

        watch = self._watch if sys.stderr.isatty() else None
        points = play_game(players, self.referee, self.options.seconds_per_move, watch, on_move)
        if order[0] != "board":
            points = 2 - points
        self.half_points.append(points)
        result = self.game.score(self.referee.buffers["root"])
        self.games.append(dict(first=order[0], result=result, moves=len(self.referee.moves)))
        self.records.game(game=index, **self.games[-1])
        self.records.sgf(*self._sgf(result))
        self.playing = None
        self._say("game %d: %s first, %s, %s" % (
            index + 1, order[0], result, ("opponent wins", "draw", "board wins")[points],
        ))  # fmt: skip

    def _sgf(self, result):
        index, names = self.playing
        return index, self.game, names, result

    def _record(self, index, seat, mover, thought, wall):
        self.records.move(
            game=index,
            ply=len(self.referee.moves),
            seat=seat,
            where=mover.where,
            wall_seconds=round(wall, 4),
            **thought._asdict(),
        )
        self._say_progress("")
        if self.options.games == 1:
            heap = ""
            if thought.heap_free is not None:
                heap = ", heap %d used, %d free" % (thought.heap_used, thought.heap_free)
            self._say(
                "%s\n%3d. %-8s %-5s value %.3f  %5.2f s  %d nodes used, %d recycled%s\n"
                % (
                    self.game.show(self.referee.buffers["root"]),
                    len(self.referee.moves),
                    seat,
                    thought.move,
                    thought.value,
                    thought.seconds,
                    thought.nodes_used,
                    thought.nodes_recycled,
                    heap,
                )
            )

    def _watch(self, player, playouts):
        """The progress of a search, on a terminal."""
        done = 30 * playouts // player.ledger.playouts
        bar = "#" * done + "." * (30 - done)
        text = "\r[%s] %d of %d playouts " % (bar, playouts, player.ledger.playouts)
        print(text, end="", file=sys.stderr, flush=True)

    def _describe(self, seat):
        player = self.players[seat]
        config, ledger = player.config, player.ledger
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
        elif sys.stderr.isatty():
            print(text, file=sys.stderr, flush=True)

    def _say_progress(self, text):
        if text:
            say_on_stderr(text)
        elif sys.stderr.isatty():
            print("\r" + 60 * " ", end="\r", file=sys.stderr, flush=True)

    def finish(self):
        """Write what is written at the end, or when the match broke off; the files' names."""
        if self.playing:
            self.records.sgf(*self._sgf(None))
        moves = [move for move in self.records.moves if move["seat"] == "board"]
        if not (self.records.folder and moves):
            return []
        title = "The board: " + self._describe("board")
        return draw(moves, title, self.records.folder)

    def report(self):
        rate, low, high = win_rate(self.half_points)
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
        moves = [move for move in self.records.moves if move["seat"] == seat]
        count = max(1, len(moves))
        figures = dict(
            where=player.where,
            search=player.config.search,
            bytes=player.ledger.total_bytes,
            nodes=player.ledger.nodes,
            playouts_per_move=round(sum(move["playouts"] for move in moves) / count),
            seconds_per_move=round(sum(move["seconds"] for move in moves) / count, 4),
        )
        if moves and moves[0]["heap_used"] is not None:
            figures["heap_used"] = max(move["heap_used"] for move in moves)
            figures["heap_free"] = min(move["heap_free"] for move in moves)
            figures["heap_largest"] = min(move["heap_largest"] for move in moves)
        return figures

    def text(self, pictures):
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
            lines.append("%-8s %s" % (seat, self._describe(seat)))
            lines.append(
                "%-8s %d %s and %.3f s a move"
                % (
                    "",
                    player["playouts_per_move"],
                    STEPS[player["search"]],
                    player["seconds_per_move"],
                )
            )
            if "heap_used" in player:
                lines.append(
                    "%-8s heap: at most %d bytes used, at least %d free, largest block %d"
                    % ("", player["heap_used"], player["heap_free"], player["heap_largest"])
                )
        if pictures:
            lines.append("written  %s" % self.records.folder)
        return "\n".join(lines)
