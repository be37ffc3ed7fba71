"""A player that is another chess program: any engine that speaks UCI, by its command line, what its
options are set to, and how long it may think.

    UciPlayer(load("chess"), "stockfish; Skill Level=0; go nodes 50")

Parts are separated by `;`: the command, options as NAME=VALUE, and what each move is asked with,
USUAL if nothing is said. As in engine.py, whose process this uses, {seed} in it is replaced, and an
engine that has it starts again for each game. Stockfish takes no seed: below its highest level
the clock chooses among its moves, so its games do not repeat.
"""

import shlex
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from picograve import BadInput

from picograve_host.players.engine import EngineFailed, EnginePlayer, program_of
from picograve_host.players.thought import Thought, from_elsewhere

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import Watch

USUAL = "go movetime 1000"
LONGEST_SEARCH = 3600  # seconds that an engine may think aloud about one move


def open_player(
    data: dict[str, Any], game: "Game", seed: int, hashes: bool, say: Callable[[str], object]
) -> "UciPlayer":
    return UciPlayer(game, data["uci"])


def name_of(data: dict[str, Any]) -> str:
    return shlex.split(parts_of(data["uci"])[0])[0]


def describe(data: dict[str, Any], game: "Game | None") -> str:
    return "%s, started as: %s" % (name_of(data), data["uci"])


def check(data: dict[str, Any], game: "Game") -> None:
    _need_chess(game)
    program_of(parts_of(data["uci"])[0])


def _need_chess(game):
    if game.name != "chess":
        raise BadInput("programs that speak UCI play chess, not %s" % game.name)


def parts_of(text: str) -> tuple[str, dict[str, str], str]:
    """Command, options and `go ...` of such a text."""
    command, *rest = [part.strip() for part in text.split(";")]
    options, go = {}, USUAL
    for part in rest:
        name, is_option, value = part.partition("=")
        if is_option:
            options[name.strip()] = value.strip()
        elif part.startswith("go "):
            go = part
        else:
            raise BadInput("after uci's command come NAME=VALUE and go ..., not %s" % part)
    return command, options, go


class UciPlayer(EnginePlayer):
    def __init__(self, game: "Game", text: str) -> None:
        _need_chess(game)
        command, self.options, self.go = parts_of(text)
        super().__init__(game, command)

    def new_game(self, seed: int) -> None:
        self.seed = seed
        self.referee.new_game()
        if self.process is None or "{seed}" in self.command:
            self._start()
            self._ask("uci", "uciok")
            for name, value in self.options.items():
                self.tell("setoption name %s value %s" % (name, value))
        self.tell("ucinewgame")
        self._ask("isready", "readyok")

    def play(self, move: str) -> None:
        self.referee.play(move)

    def search(self, seconds: float | None = None, watch: "Watch | None" = None) -> Thought:
        began = time.perf_counter()
        where = "fen " + self.game.fen if "fen" in self.game.given else "startpos"
        self.tell(" ".join(["position", where, "moves", *self.moves]))
        answer = self._ask(self.go, "bestmove")
        move = answer.partition(" ")[2].partition(" ")[0]
        if move not in self.referee.legal_moves():
            raise self._odd(self.go, answer)
        return from_elsewhere(move, time.perf_counter() - began)

    @staticmethod
    def _answers_in(lines: Iterator[str]) -> Iterator[str]:
        """An answer is a line."""
        return lines

    def _ask(self, command, word):
        """The line that begins with this word, after a command; others are left out."""
        self.tell(command)
        began = time.monotonic()
        while time.monotonic() - began < LONGEST_SEARCH:
            line = self.hear(command)
            if line.split()[:1] == [word]:
                return line
        raise EngineFailed("%s has talked for %d s since `%s`, without %s"
                           % (self.where, LONGEST_SEARCH, command, word))  # fmt: skip
