"""A player that is another program: any engine that speaks GTP 2, by its command line.

    EnginePlayer(load("go9"), "gnugo --mode gtp --level 1 --chinese-rules --seed {seed}")
    EnginePlayer(load("othello"), "gtp-rhino --level=1 --book=0")

Moves are sent in the words that are usual in the game (protocols/habits.py). Where a pass
is forced, as in Othello, the engine is neither told nor asked: gtp-rhino refuses `play black pass`
and knows by itself whose turn it is.

{seed} and {size} in the command are replaced. An engine whose command has {seed} is started
again for each game, so that the game depends on its seed alone; others only clear the board.
gtp-rhino (Debian's package grhino) takes no seed, and the clock chooses which of the four first
moves it makes, all alike by symmetry. Without its book (--book=0) and its default --rand=0 the
rest repeats. Its strength is --level=1 to 5; --mid, --end and --win set the depths singly.
An engine that dies, is silent for PATIENCE seconds, says more than anybody wants to hear or answers
with ? or a move that is not legal ends the game with EngineFailed; an engine that resigns loses.

This is an engine's door (picograve_host.outside): what leaves here is printable.
"""

import contextlib
import itertools
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

from picograve import BadInput, Position
from picograve.errors import RunFailed

from picograve_host.match.game import RESIGN
from picograve_host.outside import clean
from picograve_host.players.thought import Thought, from_elsewhere
from picograve_host.protocols.habits import COLOURS, PASS, habits_of, must_pass

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import Watch

PATIENCE = 300  # seconds for one answer
LONGEST_LINE = 10_000  # letters; an `info` of Stockfish with its moves has some hundreds
MOST_LETTERS = 100_000  # of an answer: GNU Go's to `help` has 2,000
MOST_ANSWERS = 10_000  # that nobody has asked for yet: a chess program thinks aloud
QUIT_PATIENCE = 2  # ... to `quit`
ALLOWED = "PICOGRAVE_PROGRAMS"  # variable: programs that others may have started here
ENDED, BABBLES = "ended at", "says more than anybody wants to hear at"  # no answers of a GTP engine
GAMES = "/usr/games"  # Debian's folder for them, which is on few PATHs


def open_player(
    data: dict[str, Any], game: "Game", seed: int, hashes: bool, say: Callable[[str], object]
) -> "EnginePlayer":
    return EnginePlayer(game, data["gtp"])


def name_of(data: dict[str, Any]) -> str:
    return shlex.split(data["gtp"])[0]


def describe(data: dict[str, Any], game: "Game | None") -> str:
    return "%s, started as: %s" % (name_of(data), data["gtp"])


def check(data: dict[str, Any], game: "Game") -> None:
    program_of(data["gtp"])


class EngineFailed(RunFailed):
    """The engine does not play on."""


class _TooMuch(Exception):
    """It says more than an engine has to say."""


class EnginePlayer:
    config = ledger = mhz = None
    process: Any = None  # a Popen while it runs

    def __init__(self, game: "Game", command: str) -> None:
        self.game: Any = game  # its options are attributes
        self.habits = habits_of(game)
        program_of(command)
        self.command = command
        self.where = shlex.split(command)[0]
        self.referee = Position(game)

    @property
    def moves(self) -> list[str]:
        return self.referee.moves

    def new_game(self, seed: int) -> None:
        self.seed = seed
        self.referee.new_game()
        self._answered: str | None = None  # its last move, which it has already on its board
        if self.process is None or "{seed}" in self.command:
            self._start()
        self.ask("boardsize %d" % self.game.size)
        self.ask("clear_board")
        if "komi" in self.game.options:
            self.ask("komi %g" % self.game.komi)

    def play(self, move: str) -> None:
        if not (move == self._answered or must_pass(self.referee)):
            self.ask("play %s %s" % (self._colour(), self.habits.vertex(move)))
        self._answered = None
        self.referee.play(move)

    def search(self, seconds: float | None = None, watch: "Watch | None" = None) -> Thought:
        began = time.perf_counter()
        if must_pass(self.referee):
            move = PASS
        else:
            answer = self.ask("genmove " + self._colour())
            move = self.habits.move(answer) or answer.lower()
            self.check_move(move, "genmove", answer)
        self._answered = move
        return from_elsewhere(move, time.perf_counter() - began)

    def check_move(self, move: str, command: str, answer: str) -> None:
        """Refuse what the referee would."""
        legal = [one.lower() for one in self.referee.legal_moves()]
        if move.lower() not in (*legal, RESIGN):
            raise self._odd(command, answer)

    def _odd(self, command, answer):
        return EngineFailed("%s answers `%s` with %s" % (self.where, command, clean(answer)))

    def _colour(self):
        return COLOURS[self.referee.turn]

    def _start(self):
        self.close()
        command = self.command.replace("{seed}", str(self.seed))
        command = command.replace("{size}", str(self.game.size))
        try:
            self.process = subprocess.Popen(
                [program_of(command), *shlex.split(command)[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
            )
        except (OSError, ValueError) as error:
            raise EngineFailed("%s cannot be started: %s" % (self.where, error)) from None
        self.answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        listening = (self.process.stdout, self._answers_in, self.answers)
        threading.Thread(target=self._listen, args=listening, daemon=True).start()

    @staticmethod  # a thread that knew the player would keep it
    def _listen(stream, answers_in, answers):
        """All its answers, then ENDED; no more is read of an engine that says too much."""
        try:
            for answer in answers_in(_lines_of(stream)):
                answers.put(answer)
                if answers.qsize() > MOST_ANSWERS:
                    raise _TooMuch
            answers.put(ENDED)
        except _TooMuch:
            answers.put(BABBLES)

    @staticmethod
    def _answers_in(lines: Iterator[str]) -> Iterator[str]:
        """An answer ends with an empty line; whatever else an engine says is left out."""
        for line in lines:
            if line.startswith(("=", "?")):
                answer, letters = [line], len(line)
                for more in itertools.takewhile(bool, lines):
                    answer.append(more)
                    letters += len(more)
                    if letters > MOST_LETTERS:
                        raise _TooMuch
                yield "\n".join(answer)

    def ask(self, command: str) -> str:
        """The text that answers a command."""
        self.tell(command)
        answer = self.hear(command)
        if not answer.startswith("="):
            raise self._odd(command, answer)
        return answer[1:].strip()

    def tell(self, command: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended, and `hear` will say so
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()

    def hear(self, command: str) -> str:
        """Its next answer, which it owes since this command."""
        try:
            answer = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise EngineFailed(
                "%s has not answered `%s` in %d s" % (self.where, command, PATIENCE)
            ) from None
        if answer in (ENDED, BABBLES):
            raise EngineFailed("%s %s `%s`" % (self.where, answer, command))
        return answer

    def close(self) -> None:
        """End the engine, by force if it does not quit."""
        if self.process is None:
            return
        process, self.process = self.process, None
        with contextlib.suppress(BrokenPipeError, ValueError, subprocess.TimeoutExpired):
            process.stdin.write("quit\n")
            process.stdin.close()
            process.wait(QUIT_PATIENCE)
        process.kill()
        process.wait()

    __del__ = close


def _lines_of(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream, printable, without their ends."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise _TooMuch
        yield clean(line.rstrip(), LONGEST_LINE)


def program_of(command: str, of_others: bool = False) -> str:
    """The program that a command line starts; refused if it is not here, or if `of_others` (or
    whoever gives a cluster its tasks) wrote the line and this machine does not allow it."""
    try:
        name = (shlex.split(command) or [""])[0]
    except ValueError as error:
        raise BadInput("the command %s cannot be read: %s" % (command, error)) from None
    program = found(name)
    if not program:
        raise BadInput("no program %s here: install it or correct the command" % (name or "(none)"))
    allowed = [found(one) for one in os.environ.get(ALLOWED, "").split()]
    if _is_of_cluster() and program not in allowed:
        raise BadInput(
            "no cluster may start %s on this machine: name it in %s where its workers are started"
            % (name, ALLOWED)
        )
    if of_others and program not in allowed:
        raise BadInput("games of others may not start %s here: name it in %s" % (name, ALLOWED))
    return program


def found(name: str) -> str | None:
    """Where a program is."""
    return shutil.which(name, path=os.environ.get("PATH", "") + os.pathsep + GAMES)


def _is_of_cluster():
    """Whether this is a task of a Dask worker: then somebody else may have written the command."""
    if "distributed" not in sys.modules:
        return False
    import distributed

    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True
