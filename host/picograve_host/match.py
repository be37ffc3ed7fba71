"""`picograve match`: games between two searches, colours alternating.

The first player sits where a board will: its options start with `board`. Today a desktop
search takes that seat.
"""

import json
import sys
import time
from pathlib import Path

from picograve import BadInput, Searcher

from picograve_host.options import game_of, player_of
from picograve_host.statistics import agresti_coull

SEATS = ("board", "opponent")


def play_game(players, on_move=None):
    """Play a game between two searchers, first player first; half points of the first."""
    for player in players:
        player.new_game()
    while not players[0].is_over():
        mover = players[len(players[0].moves) % 2]
        began = time.perf_counter()
        result = mover.search()
        seconds = time.perf_counter() - began
        for player in players:
            player.play(result.move)
        if on_move:
            on_move(mover, result, seconds)
    return outcome_of(players[0])


def outcome_of(searcher):
    _, _, _, _, outcome = searcher.game.rules
    return outcome(searcher.buffers["root"])


def main(options):
    if options.games < 1:
        raise BadInput("--games must be 1 or more, not %d" % options.games)
    match = _Match(options)
    for index in range(options.games):
        match.play(index)
    print(json.dumps(match.report()) if options.json else match.text())
    return 0


def _open_log(folder):
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return (Path(folder) / "match.jsonl").open("w")
    except OSError as error:
        raise BadInput("cannot write to --out %s: %s" % (folder, error.strerror)) from None


class _Match:
    def __init__(self, options):
        self.options = options
        self.game = game_of(options)
        self.searchers = {}
        for number, seat in enumerate(SEATS):
            config, budget = player_of(options, seat + "_")
            # The two never draw the same random numbers.
            searcher = Searcher(self.game, config, budget, options.seed + number)
            searcher.start()
            searcher.run(0)  # compiles, or loads what was compiled, before the clock runs
            self.searchers[seat] = searcher
        self.half_points = 0
        self.games = []
        self.seconds = dict.fromkeys(SEATS, 0.0)
        self.moves = dict.fromkeys(SEATS, 0)
        self.playouts = dict.fromkeys(SEATS, 0)
        self.log = _open_log(options.out) if options.out else None
        self._say("the board's seat is played by this desktop")
        for seat in SEATS:
            self._say("%-8s %s" % (seat, self._describe(seat)))

    def play(self, index):
        order = SEATS if index % 2 == 0 else SEATS[::-1]
        players = [self.searchers[seat] for seat in order]
        for number, seat in enumerate(SEATS):
            self.searchers[seat].seed = self.options.seed + 2 * index + number

        def on_move(mover, result, seconds):
            seat = order[players.index(mover)]
            self._log_move(index, seat, mover, result, seconds)

        points = play_game(players, on_move)
        if order[0] != "board":
            points = 2 - points
        self.half_points += points
        result = self.game.score(players[0].buffers["root"])
        self.games.append(dict(first=order[0], result=result, moves=len(players[0].moves)))
        self._log(game=index, **self.games[-1])
        self._say("game %d: %s first, %s, %s" % (
            index + 1, order[0], result, ("opponent wins", "draw", "board wins")[points],
        ))  # fmt: skip

    def _log_move(self, index, seat, mover, result, seconds):
        self.seconds[seat] += seconds
        self.moves[seat] += 1
        self.playouts[seat] += result.playouts
        figures = result._asdict()
        del figures["visits"]
        self._log(game=index, ply=len(mover.moves), seat=seat, seconds=seconds, **figures)
        if self.options.games == 1:
            self._say(
                "%s\n%3d. %-8s %-5s value %.3f  %5.2f s  %d nodes used, %d recycled\n"
                % (
                    self.game.show(mover.buffers["root"]),
                    len(mover.moves),
                    seat,
                    result.move,
                    result.value,
                    seconds,
                    result.nodes_used,
                    result.nodes_recycled,
                )
            )

    def _describe(self, seat):
        searcher = self.searchers[seat]
        ledger = searcher.ledger
        return "%s (%s, %s playouts): %d nodes, %d bytes" % (
            searcher.config.search,
            searcher.config.preset,
            searcher.config.playout_policy,
            ledger.nodes,
            ledger.total_bytes,
        )

    def _log(self, **record):
        if self.log:
            print(json.dumps(record), file=self.log, flush=True)

    def _say(self, text):
        if not self.options.json:
            print(text, flush=True)
        elif sys.stderr.isatty():
            print(text, file=sys.stderr, flush=True)

    def report(self):
        games = len(self.games)
        centre, half = agresti_coull(self.half_points / 2, games)
        return dict(
            game=self.game.name,
            games=self.games,
            board_points=self.half_points / 2,
            win_rate=self.half_points / 2 / games,
            interval_95=[round(centre - half, 4), round(centre + half, 4)],
            players={
                seat: dict(
                    search=self.searchers[seat].config.search,
                    bytes=self.searchers[seat].ledger.total_bytes,
                    nodes=self.searchers[seat].ledger.nodes,
                    playouts_per_move=round(self.playouts[seat] / max(1, self.moves[seat])),
                    seconds_per_move=round(self.seconds[seat] / max(1, self.moves[seat]), 4),
                )
                for seat in SEATS
            },
        )

    def text(self):
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
                "%-8s %d playouts and %.3f s a move"
                % ("", player["playouts_per_move"], player["seconds_per_move"])
            )
        return "\n".join(lines)
