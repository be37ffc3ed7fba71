"""`picograve gtp`: Go Text Protocol, version 2, so that programs see a player as an engine.

A line comes in, an answer ended by two newlines goes out. `Engine` has one method a command,
which `_command` enters into the table COMMANDS with the kinds of its arguments; to add a
command, add such a method. `serve` is the loop. A thread reads the lines (`Lines`), because
an analysis goes on until the next one has come.

The engine keeps the moves itself and checks them with a referee, a position that knows the rules
and whose turn it is; the player hears of them when it is to think. The first game draws its
random numbers from the player's seed, each later one from the next. SGF commands are left out.

Where GTP and our Go differ:
- GTP lets a colour move twice in a row: a pass of the other is put in between. Two passes end
  our game but not GTP's: they are dropped when play goes on, which leaves the stones, the
  turn and what superko forbids. `genmove` after two passes answers pass.
- The game has a cap of moves (games/go.py). There `genmove` passes and any play is illegal.
- `final_score` counts area as it stands (Tromp-Taylor): dead stones live until captured.
- Handicap commands are left out: Sabaki and GoGui send handicap stones as plays.

The other games are spoken as their programs do (picograve_host.protocols.habits):
- The colours alternate; black is X in tic-tac-toe. A move out of turn is illegal. `komi` is
  taken and has no effect, for some controllers always send it. There is no `final_score`
  before the end.
- Othello: a pass is legal only where it is forced. A controller may play it, ask for it with
  `genmove`, or leave it out: then it is put in. After the end `genmove` passes. Quarry learns
  from `list_games` that this is no engine for Go.
- Hex, as in HTP: `boardsize 11 11`, and with --swap the move `swap-pieces`, also `swap`.
  `final_score` is B+ or W+. After the end, as in tic-tac-toe, `genmove` is an error.

Analysis, as Leela Zero, KataGo and Sabaki have it: `analyze [colour] [interval]`, the interval
in centiseconds, also as a pair `interval 50`, beside which there may be `maxmoves N` and
`minmoves N`. The answer opens with a line `=`, then every interval comes one line

    info move D4 visits 100 winrate 5312 prior 0 order 0 pv D4 info move ...

with winrates of the player to move, in hundredths of a per cent, best move first. There is no
prior in our searches, and no variation beyond the move. A complete search falls silent and
keeps the answer open. `genmove_analyze` closes it with `play D4` and is not cut short.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from picograve import BadInput, Position, load
from picograve.errors import RunFailed
from picograve.position import SEEDS

from picograve_host.players.protocol import SearchPlayer
from picograve_host.players.thought import Thought
from picograve_host.protocols.habits import (
    COLOURS,
    FREE,
    NEVER,
    PASS,
    habits_of,
    must_pass,
    result_of,
)

# Control characters are dropped, but a tab is a space.
_PLAIN = {**dict.fromkeys([*range(32), 127]), ord("\t"): " "}

COMMANDS: dict[
    str, tuple
] = {}  # name: (method, kinds of its arguments, whether it takes all words instead)
GO_ONLY = ("final_status_list",)  # dead stones lie about in no other game


class GtpError(Exception):
    """What an answer that starts with ? says."""


def _command(name, *kinds, takes_words=False):
    """Enter a method as a command. `kinds` convert its arguments; more words are ignored."""

    def enter(method):
        COMMANDS[name] = method, kinds, takes_words
        return method

    return enter


def _integer(word):
    if not word.isdecimal() or len(word) > 10:  # GTP's have 31 bits
        raise GtpError("syntax error")
    return int(word)


def _number(word):
    try:
        return float(word)
    except ValueError:
        raise GtpError("syntax error") from None


def _colour(word):
    for colour in COLOURS:
        if word.lower() in (colour, colour[0]):
            return colour
    raise GtpError("syntax error")


class Engine:
    """A player behind GTP. `version` is what the command of that name says."""

    answer: "Answer"  # the one under way

    def __init__(self, player: SearchPlayer, version: str) -> None:
        self.player = player
        self.version = version
        self.seed = player.seed
        self.game: Any = player.game  # its options are attributes
        self.habits = habits_of(self.game)
        self.referee = Position(self.game)
        self.positions: list[tuple[str, ...]] = [
            ()
        ]  # the moves to each position that `undo` can go back to
        self.clocks = {colour: Clock() for colour in COLOURS}
        self.thought: Thought | None = None  # the last one

    def execute(self, name: str, words: list[str], answer: "Answer") -> None:
        """Do a command; whatever happens, it is answered."""
        self.answer = answer
        try:
            answer.end(self._call(name, words))
        except BrokenPipeError:  # nobody reads our answers
            raise
        except (GtpError, BadInput, RunFailed) as error:
            answer.fail(str(error))
        except Exception as error:  # the player's: a board can vanish, and come back
            answer.fail("%s: %s" % (type(error).__name__, error))

    def _call(self, name, words):
        if name not in self._names():
            raise GtpError("unknown command")
        method, kinds, takes_words = COMMANDS[name]
        if takes_words:
            return method(self, words)
        if len(words) < len(kinds):
            raise GtpError("syntax error")
        return method(self, *(kind(word) for kind, word in zip(kinds, words, strict=False)))

    # What this is.

    @_command("protocol_version")
    def _protocol_version(self):
        return "2"

    @_command("name")
    def _name(self):
        return "picograve"

    @_command("version")
    def _version(self):
        return self.version

    @_command("known_command", str)
    def _known_command(self, name):
        return "true" if name in self._names() else "false"

    @_command("list_commands")
    def _list_commands(self):
        return "\n".join(self._names())

    def _names(self):
        return [name for name in COMMANDS if self.habits.counts_stones or name not in GO_ONLY]

    @_command("quit")
    def _quit(self):
        return ""  # the rest is done by `serve`

    # The game.

    @property
    def moves(self) -> tuple[str, ...]:
        return self.positions[-1]

    @_command("list_games")
    def _list_games(self):
        return self.game.title

    @_command("set_game", str)
    def _set_game(self, title):
        if title.lower() != self.game.title.lower():
            raise GtpError("unsupported game")
        return self._clear_board()

    @_command("boardsize", takes_words=True)
    def _boardsize(self, words):
        sides = [_integer(word) for word in words[: self.habits.board_sides]]
        if not sides:
            raise GtpError("syntax error")
        if len(set(sides)) > 1 or sides[0] not in self.game.sizes:
            raise GtpError("unacceptable size")
        self._load(sides[0], **self.game.given)
        return self._clear_board()

    @_command("komi", _number)
    def _komi(self, komi):
        if "komi" in self.game.options:
            self._load(self.game.size, **{**self.game.given, "komi": komi})
            self.referee.set_position(self.moves)
        return ""

    def _load(self, size, **options):
        game = load(self.game.name.rstrip("0123456789") + str(size), **options)
        self.player.set_game(game)  # first, for it may refuse
        self.referee = Position(game)
        self.game = game

    @_command("clear_board")
    def _clear_board(self):
        if self.moves:
            self.seed = (self.seed + 1) % SEEDS
        self.positions = [()]
        self.referee.set_position(())
        self.player.new_game(self.seed)
        return ""

    @_command("play", _colour, str)
    def _play(self, colour, vertex):
        move = self.habits.move(vertex)
        if move is None:
            raise GtpError("syntax error")
        if move == PASS and self._is_over():  # one pass more changes nothing
            moves = self.moves
        else:
            moves = (*self._moves_before(colour), move)
        try:
            self.referee.set_position(moves)
        except BadInput:
            self.referee.set_position(self.moves)
            raise GtpError("illegal move") from None
        self.positions.append(moves)
        return ""

    @_command("undo")
    def _undo(self):
        if len(self.positions) == 1:
            raise GtpError("cannot undo")
        self.positions.pop()
        self.referee.set_position(self.moves)
        return ""

    def _moves_before(self, colour):
        """Moves that lead to the stones on the board with `colour` to move."""
        moves = self.moves
        if colour != self._turn():
            if not (self.habits.passes == FREE or self._must_pass()):
                raise GtpError("illegal move: it is not %s's turn" % colour)
            moves = (*moves, PASS)
        return moves[:-2] if moves[-2:] == (PASS, PASS) else moves

    def _turn(self):
        return COLOURS[self.referee.turn]

    def _must_pass(self):
        return must_pass(self.referee)

    def _is_over(self):
        return self.referee.is_over

    # Thinking.

    @_command("genmove", _colour)
    def _genmove(self, colour, report=None):
        if self._is_over() and self.habits.passes == NEVER:
            raise GtpError("the game is over")
        vertex = PASS
        if not (self._is_over() or (colour == self._turn() and self._must_pass())):
            clock = self.clocks[colour]
            began = time.perf_counter()
            vertex = self._think(colour, clock.seconds(self.game.size**2), report)
            clock.spend(time.perf_counter() - began)
        self._play(colour, vertex)
        return vertex

    @_command("reg_genmove", _colour)
    def _reg_genmove(self, colour):
        return self._think(colour)

    @_command("genmove_analyze", takes_words=True)
    @_command("lz-genmove_analyze", takes_words=True)
    def _genmove_analyze(self, words):
        colour, report = self._analysis(words)
        self.answer.line("play " + self._genmove(colour, report))
        return ""

    @_command("analyze", takes_words=True)
    @_command("lz-analyze", takes_words=True)
    def _analyze(self, words):
        colour, report = self._analysis(words)
        self._think(colour, report=report, until=self.answer.lines.has_come)
        self.answer.lines.wait()
        return ""

    def _think(self, colour, seconds=None, report=None, until=lambda: False):
        """The vertex of the move that the player finds for `colour`."""

        def watch(player, playouts):
            report.when_due()
            return until()

        self.player.set_position(self._moves_before(colour))
        self.thought = self.player.search(seconds, watch if report else None)
        if report:
            report.write()
        return self.habits.vertex(self.thought.move)

    def _analysis(self, words):
        """Colour and Report of an analysis, from the words of its command."""
        colour = self._turn()
        if words and words[0][0].lower() in "bw":
            colour = _colour(words[0])
            words = words[1:]
        if words and words[0].isdecimal():
            words = ["interval", *words]
        # Every move considered is reported: `minmoves` asks for nothing more.
        settings = dict(interval="100", minmoves="0", maxmoves="999")
        if len(words) % 2 or not settings.keys() >= set(words[::2]):
            raise GtpError("syntax error")
        settings.update(zip(words[::2], words[1::2], strict=True))
        interval = max(1, _integer(settings["interval"])) / 100
        return colour, Report(self.player, self.answer, interval, _integer(settings["maxmoves"]))

    @_command("gomill-explain_last_move")
    def _explain_last_move(self):
        if self.thought is None:
            return ""
        return (
            "%(move)s, value %(value).3f: %(playouts)d playouts in %(seconds).2f s, "
            "%(nodes_used)d nodes used, %(nodes_recycled)d recycled, %(bytes)d bytes"
            % self.thought._asdict()
        ) + " on %s" % self.player.where

    @_command("gogui-analyze_commands")
    def _gogui_analyze_commands(self):
        score = "Area Score" if self.habits.counts_stones else "Score"
        return "string/Last Search/gomill-explain_last_move\nstring/%s/final_score" % score

    # Time.

    @_command("time_settings", _integer, _integer, _integer)
    def _time_settings(self, main, period, stones):
        self.clocks = {colour: Clock(main, period, stones) for colour in COLOURS}
        return ""

    @_command("time_left", _colour, _integer, _integer)
    def _time_left(self, colour, seconds, stones):
        self.clocks[colour].set(seconds, stones)
        return ""

    # The board as it stands.

    @_command("showboard")
    def _showboard(self):
        komi = ", komi %g" % self.game.komi if "komi" in self.game.options else ""
        return "\n%s\n%s to move%s" % (self._board(), self._turn(), komi)

    @_command("final_score")
    def _final_score(self):
        if not (self.habits.counts_stones or self._is_over()):
            raise GtpError("cannot score")
        return result_of(self.game, self.game.score(self.referee.buffers["root"]))

    @_command("final_status_list", str)
    def _final_status_list(self, status):
        if status not in ("alive", "seki", "dead"):
            raise GtpError("syntax error")
        if status != "alive":
            return ""
        columns, *rows, _ = (line.split() for line in self._board().splitlines())
        return " ".join(
            column + row
            for row, *cells in rows
            for column, cell in zip(columns, cells, strict=True)
            if cell != "."
        )

    def _board(self):
        return str(self.referee)


class Clock:
    """A colour's time as GTP has it: main time, then periods of seconds for so many stones.

    A move gets an equal share of what is left of a period. In main time a third of the points
    are taken to be moves still to come, so that each takes the same part of what is left. A
    margin is for the link and the controller. `time_left` corrects what was counted here.
    """

    MARGIN = 0.25  # seconds
    LEAST = 0.05  # seconds, however late it is

    def __init__(self, main: float = 0, period: float = 0, stones: int = 0) -> None:
        self.period = period
        self.stones = stones
        # GTP: a period without stones sets no limit. Neither do three zeros.
        self.is_limited = stones > 0 if period else main > 0
        self.set(main or period, 0 if main else stones)

    def set(self, seconds: float, stones: int) -> None:
        self.seconds_left = seconds
        self.stones_left = stones  # in this period; 0 in main time

    def seconds(self, points: int) -> float | None:
        """What the next move may take; None for any time."""
        if not self.is_limited:
            return None
        share = self.seconds_left / (self.stones_left or points / 3)
        if self.period and not self.stones_left:  # the first period may be begun
            share = max(share, self.period / self.stones)
        return max(share - self.MARGIN, self.LEAST)

    def spend(self, seconds: float) -> None:
        left = max(0, self.seconds_left - seconds)
        if self.stones_left > 1:
            self.set(left, self.stones_left - 1)
        elif self.stones_left == 1 or left == 0:
            self.set(self.period, self.stones)
        else:
            self.set(left, 0)


class Report:
    """The lines of an analysis: the moves considered, `most` of them, one line an interval."""

    def __init__(self, player: SearchPlayer, answer: "Answer", interval: float, most: int) -> None:
        self.player = player
        self.answer = answer
        self.interval = interval  # seconds
        self.most = most
        self.due = time.perf_counter() + interval

    def when_due(self) -> None:
        if time.perf_counter() >= self.due:
            self.write()

    def write(self) -> None:
        self.due = time.perf_counter() + self.interval
        vertex = habits_of(self.player.game).vertex
        moves = [
            "info move %s visits %d winrate %d prior 0 order %d pv %s"
            % (vertex(move), visits, round(10000 * value), order, vertex(move))
            for order, (move, visits, value) in enumerate(self.player.root_moves()[: self.most])
        ]
        if moves:
            self.answer.line(" ".join(moves))


class Answer:
    """The answer to one command: all at once, or line by line while a search goes on."""

    def __init__(self, number: str, write: Callable[[str], Any], lines: "Lines") -> None:
        self.number = number  # of the command, as text; may be empty
        self.write = write
        self.lines = lines
        self.is_open = False

    def line(self, text: str) -> None:
        if not self.is_open:
            self.write("=%s\n" % self.number)
            self.is_open = True
        self.write(text + "\n")

    def end(self, text: str) -> None:
        self.write("\n" if self.is_open else "=%s %s\n\n" % (self.number, text))

    def fail(self, text: str) -> None:
        text = " ".join(text.split())
        if self.is_open:  # as a success; GTP knows no way back
            print("picograve: %s" % text, file=sys.stderr, flush=True)
            self.end("")
        else:
            self.write("?%s %s\n\n" % (self.number, text))


class Lines:
    """The lines of a stream, read by a thread so that one can ask whether another has come."""

    def __init__(self, stream: Iterable[str]) -> None:
        self._lines: deque[str | None] = deque()
        self._came = threading.Condition()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        try:
            for line in stream:
                self._add(line)
        finally:
            self._add(None)  # the end, which a waiting reader has to see as well

    def _add(self, line):
        with self._came:
            self._lines.append(line)
            self._came.notify()

    def has_come(self) -> bool:
        return bool(self._lines)

    def wait(self) -> None:
        with self._came:
            self._came.wait_for(self.has_come)

    def __iter__(self) -> Iterator[str]:
        while True:
            self.wait()
            line = self._lines.popleft()
            if line is None:
                return
            yield line


def serve(engine: Engine, lines: Lines, write: Callable[[str], Any]) -> None:
    """Answer the commands in `lines` until quit or their end."""
    for line in lines:
        number, name, words = _parse(line)
        if name:
            engine.execute(name, words, Answer(number, write, lines))
        if name == "quit":
            return


def _parse(line):
    """A command's number, name and words; all empty where a line holds no command."""
    words = line.partition("#")[0].translate(_PLAIN).split()
    number = words.pop(0) if words and words[0].isdecimal() else ""
    name = words.pop(0) if words else ""
    return number, name, words
