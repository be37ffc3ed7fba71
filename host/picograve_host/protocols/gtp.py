"""`picograve gtp`: Go Text Protocol, version 2, so that programs see a player as an engine.

A line comes in, an answer ended by two newlines goes out. `Engine` has one method a command,
which `_command` enters into the table COMMANDS with the kinds of its arguments; to add a
command, add such a method. `serve` is the loop. A thread reads the lines (lines.py), because
an analysis goes on until the next one has come.

The engine keeps the moves itself and checks them with a referee, a position that knows the rules
and whose turn it is; the player hears of them when it is to think. The first game draws its
random numbers from the player's seed, each later one from the next.

Where GTP and our Go differ:
- GTP lets a colour move twice in a row: a pass of the other is put in between. Two passes end
  our game but not GTP's: they are dropped when play goes on, which leaves the stones, the
  turn and what superko forbids. `genmove` after two passes answers pass.
- The game has a cap of moves (games/go.py). There `genmove` passes and any play is illegal.
- Our search counts area as it stands (Tromp-Taylor): dead stones live until captured.
  `final_score` and `final_status_list` take those for dead that playouts do
  (picograve_host.go.ownership), here also if a board plays. `genmove` does not pass while the two
  counts differ in who wins and only captures would make it ours; `kgs-genmove_cleanup` not before
  all dead stones of the other are captured.
- Handicap and setup stones are moves with passes in between (picograve_host.go.stones), and
  cannot be undone. `loadsgf` takes the main line; setup stones must be in its first node.

The other games are spoken as their programs do (picograve_host.protocols.habits):
- The colours alternate; black is X in tic-tac-toe. A move out of turn is illegal. `komi` is
  taken and has no effect, for some controllers always send it. There is no `final_score`
  before the end.
- Othello: a pass is legal only where it is forced. A controller may play it, ask for it with
  `genmove`, or leave it out: then it is put in. After the end `genmove` passes. Quarry learns
  from `list_games` that this is no engine for Go.
- Hex, as in HTP: `boardsize 11 11`, and with --swap the move `swap-pieces`, also `swap`.
  `final_score` is B+ or W+. After the end, as in tic-tac-toe, `genmove` is an error.

Analysis is in analysis.py. It goes on beyond the budget of one move, in the same tree, until the
next line comes; where that cannot be, on a board and without a tree, it falls silent and keeps the
answer open. `genmove_analyze` closes it with `play D4` and is not cut short.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from picograve import BadInput, Position, load
from picograve.errors import RunFailed
from picograve.position import SEEDS

from picograve_host.go import handicap, sgf
from picograve_host.go.ownership import Ownership
from picograve_host.go.stones import chain_at, liberties, moves_to, other, points_of, stones_of
from picograve_host.players.protocol import SearchPlayer
from picograve_host.players.thought import Thought
from picograve_host.protocols.analysis import Estimate, KataReport, Report, wishes
from picograve_host.protocols.habits import (
    COLOURS,
    FREE,
    NEVER,
    PASS,
    habits_of,
    must_pass,
    result_of,
)
from picograve_host.protocols.lines import Lines

# Control characters are dropped, but a tab is a space.
_PLAIN = {**dict.fromkeys([*range(32), 127]), ord("\t"): " "}

COMMANDS: dict[
    str, tuple
] = {}  # name: (method, kinds of its arguments, whether it takes all words instead)
GO_ONLY: set[str] = set()  # names of those that no other game has
RESIGN = "resign"
TRIALS = 100  # playouts that look for the best way to capture dead stones, for each


class GtpError(Exception):
    """What an answer that starts with ? says."""


def _command(name, *kinds, takes_words=False, go_only=False):
    """Enter a method as a command. `kinds` convert its arguments; more words are ignored."""

    def enter(method):
        COMMANDS[name] = method, kinds, takes_words
        if go_only:
            GO_ONLY.add(name)
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
    """A player behind GTP. `version` is what the command of that name says. With `resign` it gives
    up when two searches in a row say that it wins with at most this probability."""

    answer: "Answer"  # the one under way

    def __init__(self, player: SearchPlayer, version: str, resign: float = 0) -> None:
        self.player = player
        self.version = version
        self.resign = resign
        self.seed = player.seed
        self.game: Any = player.game  # its options are attributes
        self.habits = habits_of(self.game)
        self.referee = Position(self.game)
        self.positions: list[tuple[str, ...]] = [
            ()
        ]  # the moves to each position that `undo` can go back to
        self.clocks = {colour: Clock() for colour in COLOURS}
        self.thought: Thought | None = None  # the last one
        self.values: dict[str, list[float]] = {}  # of the searches of each colour
        self._ownership: Ownership | None = None  # made when it is asked for

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
            # Sabaki begins with 19x19, and shows this beside the answer, whose words are GTP's.
            limits = self.game.title, self.game.sizes[0], self.game.sizes[-1], self.game.size
            _say("%s has sizes %d to %d here: start a new game of size %d first" % limits)
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
        self._ownership = None

    @_command("clear_board")
    def _clear_board(self):
        if self.moves:
            self.seed = (self.seed + 1) % SEEDS
        self._begin(())
        self.player.new_game(self.seed)
        return ""

    def _begin(self, moves):
        """Make a position the first that `undo` goes back to."""
        self.positions = [tuple(moves)]
        self.values = {}
        self.referee.set_position(self.moves)

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
        self.values = {}
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

    # Stones that nobody played.

    @_command("fixed_handicap", _integer, go_only=True)
    def _fixed_handicap(self, count):
        if not handicap.LEAST <= count <= handicap.most_fixed(self.game.size):
            raise GtpError("invalid number of stones")
        return self._give(handicap.fixed(self.game.size, count))

    @_command("place_free_handicap", _integer, go_only=True)
    def _place_free_handicap(self, count):
        if not handicap.LEAST <= count < self.game.size**2:
            raise GtpError("invalid number of stones")
        return self._give(handicap.free(self.game.size, count))

    @_command("set_free_handicap", takes_words=True, go_only=True)
    def _set_free_handicap(self, words):
        points = [word.upper() for word in words]
        valid = set(points_of(self.game.size))
        if not handicap.LEAST <= len(points) < len(valid):
            raise GtpError("bad vertex list: it takes %d or more" % handicap.LEAST)
        if len(set(points)) < len(points) or not valid.issuperset(points):
            raise GtpError("bad vertex list: each a point of the board, and none twice")
        self._give(points)
        return ""

    def _give(self, points):
        """Black these stones, white the next move."""
        if self.moves:
            raise GtpError("board not empty")
        self._begin(moves_to(dict.fromkeys(points, COLOURS[0]), turn=1))
        return " ".join(points)

    @_command("loadsgf", takes_words=True, go_only=True)
    def _loadsgf(self, words):
        if not words:
            raise GtpError("syntax error")
        before = _integer(words[1]) if len(words) > 1 else None
        record = sgf.read(words[0])
        if record.size not in self.game.sizes:
            raise GtpError("cannot load file: unacceptable size %d" % record.size)
        game, positions = self.game, self.positions
        options = {**self.game.given}
        if record.komi is not None:
            options["komi"] = record.komi
        moves = record.moves if before is None else record.moves[: max(0, before - 1)]
        try:
            self._load(record.size, **options)
            self._clear_board()
            self._begin(moves_to(record.stones, record.first) if record.stones else ())
            for number, (colour, point) in enumerate(moves, 1):
                try:
                    self._play(colour, point)
                except GtpError as error:
                    raise GtpError("cannot load file: move %d: %s" % (number, error)) from None
        except (GtpError, BadInput):
            self._load(game.size, **game.given)
            self._begin(positions[0])
            self.positions = positions
            self.referee.set_position(self.moves)
            raise
        return ""

    @_command("list_stones", _colour, go_only=True)
    def _list_stones(self, colour):
        return " ".join(p for p, owner in stones_of(self.referee).items() if owner == colour)

    # Thinking.

    @_command("genmove", _colour)
    def _genmove(self, colour, report=None):
        if self._is_over() and self.habits.passes == NEVER:
            raise GtpError("the game is over")
        vertex = PASS
        if not (self._is_over() or (colour == self._turn() and self._must_pass())):
            clock = self.clocks[colour]
            began = time.perf_counter()
            thought = self._think(colour, clock.seconds(self.game.size**2), report)
            clock.spend(time.perf_counter() - began)
            if self._gives_up(colour, thought):
                return RESIGN
            vertex = self.habits.vertex(thought.move)
            if vertex == PASS and self._passes_too_early(colour):
                vertex = self._capture(colour) or PASS
        self._play(colour, vertex)
        return vertex

    @_command("reg_genmove", _colour)
    def _reg_genmove(self, colour):
        return self.habits.vertex(self._think(colour).move)

    def _gives_up(self, colour, thought):
        values = self.values.setdefault(colour, [])
        values.append(thought.value)
        return bool(self.resign) and len(values) > 1 and max(values[-2:]) <= self.resign

    @_command("kgs-genmove_cleanup", _colour, go_only=True)
    def _genmove_cleanup(self, colour):
        vertex = self._capture(colour) or PASS
        self._play(colour, vertex)
        return vertex

    def _passes_too_early(self, colour):
        """Whether who passes now has lost as the stones stand, and wins without the dead ones."""
        if not self.game.owners:
            return False
        stands = self.game.score(self.referee.buffers["root"])
        sign = result_of(self.game, "%s wins" % colour)[0]
        return stands[0].upper() != sign and self._score()[0] == sign

    def _capture(self, colour):
        """The move that fills a liberty of the other's dead stones and after which playouts like
        the position best; None where there is none."""
        stones = stones_of(self.referee)
        size = self.game.size
        dead = [p for p in self.ownership.dead(stones) if stones[p] == other(colour)]
        chains = {tuple(sorted(chain_at(point, stones, size))) for point in dead}
        moves = self._moves_before(colour)
        trial = Position(self.game)
        trial.set_position(moves)
        legal = set(trial.legal_moves())
        sign = 1 if colour == COLOURS[0] else -1
        found = {}
        for point in sorted({p for chain in chains for p in liberties(chain, stones, size)}):
            if point in legal:
                estimate = Estimate(self.ownership, [*moves, point])
                estimate.go_on(TRIALS)
                found[point] = sign * estimate.lead
        return max(found, key=lambda point: found[point]) if found else None

    @_command("genmove_analyze", takes_words=True)
    @_command("lz-genmove_analyze", takes_words=True)
    def _genmove_analyze(self, words):
        colour, report = self._analysis(words)
        self.answer.line("play " + self._genmove(colour, report))
        return ""

    @_command("kata-genmove_analyze", takes_words=True, go_only=True)
    def _kata_genmove_analyze(self, words):
        colour, report = self._analysis(words, kata=True)
        self.answer.line("play " + self._genmove(colour, report))
        return ""

    @_command("analyze", takes_words=True)
    @_command("lz-analyze", takes_words=True)
    def _analyze(self, words):
        return self._report_on(*self._analysis(words))

    @_command("kata-analyze", takes_words=True, go_only=True)
    def _kata_analyze(self, words):
        return self._report_on(*self._analysis(words, kata=True))

    def _report_on(self, colour, report):
        """Think and report until the next line comes."""
        has_come = self.answer.lines.has_come
        self._think(colour, report=report, until=has_come)
        if not has_come():

            def watch(player, playouts):
                report.when_due()
                return has_come()

            self.player.go_on(watch)
        self.answer.lines.wait()
        return ""

    def _think(self, colour, seconds=None, report=None, until=lambda: False):
        """What the player thinks that `colour` should do."""

        def watch(player, playouts):
            report.when_due()
            return until()

        self.player.set_position(self._moves_before(colour))
        self.thought = self.player.search(seconds, watch if report else None)
        if report:
            report.write()
        return self.thought

    def _analysis(self, words, kata=False):
        """Colour and Report of an analysis, from the words of its command."""
        colour = self._turn()
        if words and words[0][0].lower() in "bw":
            colour = _colour(words[0])
            words = words[1:]
        wanted = wishes(words, with_switches=kata)
        if wanted is None:
            raise GtpError("syntax error")
        write = self.answer.line
        if not kata:
            return colour, Report(self.player, write, wanted)
        moves, turn = self._moves_before(colour), COLOURS.index(colour)
        return colour, KataReport(self.player, write, wanted, self.ownership, moves, turn)

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
        lines = ["string/Last Search/gomill-explain_last_move", "string/Score/final_score"]
        if self.habits.counts_stones:
            lines.append("plist/Dead Stones/final_status_list dead")
        return "\n".join(lines)

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
        return self._score()

    def _score(self):
        """The result, in Go without the dead stones."""
        position = self.referee
        if self.game.owners:
            position = Position(self.game)
            position.set_position(moves_to(self._living(), turn=0))
        return result_of(self.game, self.game.score(position.buffers["root"]))

    @_command("final_status_list", str, go_only=True)
    def _final_status_list(self, status):
        if status not in ("alive", "seki", "dead"):
            raise GtpError("syntax error")
        living = self._living()
        in_seki = self.ownership.in_seki(living)
        of = {stone: "seki" if stone in in_seki else "alive" for stone in living}
        stones = stones_of(self.referee)
        return " ".join(stone for stone in stones if of.get(stone, "dead") == status)

    @property
    def ownership(self) -> Ownership:
        if self._ownership is None:
            self._ownership = Ownership(self.game)
        return self._ownership

    def _living(self):
        stones = stones_of(self.referee)
        dead = self.ownership.dead(stones)
        return {stone: colour for stone, colour in stones.items() if stone not in dead}

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


class Answer:
    """The answer to one command: all at once, or line by line while a search goes on."""

    def __init__(self, number: str, write: Callable[[str], Any], lines: Lines) -> None:
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
            _say(text)
            self.end("")
        else:
            self.write("?%s %s\n\n" % (self.number, text))


def _say(text):
    print("picograve: %s" % text, file=sys.stderr, flush=True)


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
