"""`picograve uci`: the Universal Chess Interface, so that chess programs see a player as an engine.

`Engine` has one method a command, named after it; to add one, add such a method. What is wrong with
a command is told by `info string`, and nothing has changed then. While it thinks it answers
`isready`, and ends at `stop`, `ponderhit` and `quit`; other lines wait until it has answered.

Positions are those of the game after the moves given; where these go on after a draw by the rules
(the program may have let it pass), from that position on.

How long it thinks, after `go`:
    alone           the playouts of its budget, as `picograve think` would
    nodes N         so many playouts
    movetime, wtime and so on
                    all the time there is, in the same tree; a board makes the playouts of its
                    budget at most
    infinite        until `stop`; so is `ponder`, which is not offered
    depth N         alphabeta: so many plies, 32 at most; the others have no depth to be told

`info` tells nodes (playouts), nps, the variation down to a leaf, `hashfull` (how full the pool is),
and a score. With alphabeta that is what it has counted, in hundredths of a pawn. With others it is
the chance to win p in the units that programs draw: 400 * log10(p / (1 - p)), so 100 is 64 %, at
most SURE.
"""

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve import SEARCHES, BadInput, Position
from picograve.baselines.lookahead import WHOLE
from picograve.config import DEEPEST, LEARNERS
from picograve.position import SEEDS
from picograve.settings import PRESETS, VARIANTS

from picograve_host.games import load_with
from picograve_host.protocols.lines import Lines

if TYPE_CHECKING:
    from picograve.protocols import Game

    from picograve_host.players.protocol import SearchPlayer

    Opener = Callable[[dict[str, Any], Game, int], SearchPlayer]

MOVES_TO_GO = 30  # for which a clock has to last, where the program does not say
MARGIN = 0.05  # seconds, for the way there and back
LEAST = 0.02  # seconds, however late it is
INTERVAL = 1.0  # seconds between two lines of info
SURE = 0.999  # no chance to win is told as larger, nor its counterpart as smaller
LARGEST = 2**31 - 1
ENDLESS = 2**30 - 1  # positions of alphabeta: the most that its setting takes
NUMBERS = ("movetime", "wtime", "btime", "winc", "binc", "movestogo", "nodes", "depth", "mate")


class Engine:
    """A player behind the interface. open_player(data, game, seed) opens it, and opens it anew
    when an option is set; `data` are those of players/data.py."""

    def __init__(
        self,
        open_player: "Opener",
        data: dict[str, Any],
        game: "Game",
        seed: int,
        version: str,
        lines: Lines,
        write: Callable[[str], Any],
    ) -> None:
        self._open = open_player
        self._data = data
        self._seed = seed
        self._version = version
        self._lines = lines
        self._write = write
        self._options = game.given  # of the game, but for where it begins
        self._waiting: list[list[str]] = []  # commands that came while it thought
        self._has_stopped = self._has_quit = False
        self._game = game
        self._moves: list[str] = []
        self._turn, self._is_over = Position(game).turn, False
        self.player = open_player(data, game, seed)

    def serve(self) -> None:
        """Answer until quit or the end of the lines."""
        while not self._has_quit:
            words = self._waiting.pop(0) if self._waiting else self._next()
            self._execute(words)

    def _next(self):
        """The words of the next line."""
        line = self._lines.take()
        return ["quit"] if line is None else line.split()

    def _execute(self, words):
        if not words:
            return
        method = COMMANDS.get(words[0])
        try:
            if method is None:
                raise BadInput("no command called %s" % words[0])
            method(self, words[1:])
        except BadInput as error:
            self._say("info string " + " ".join(str(error).split()))

    def _say(self, text):
        printable = "".join(c if " " <= c <= "~" else "?" for c in text)
        self._write(printable + "\n")

    # Who we are, and options.

    def uci(self, words: list[str]) -> None:
        self._say("id name picograve %s" % self._version)
        self._say("id author the picograve authors")
        for name, (kind, value) in self._offers().items():
            self._say("option name %s type %s default %s" % (name, kind, value))
        self._say("uciok")

    def _offers(self):
        """{name: (type, value now and what else it may be)} of the options."""
        searches = [name for name in SEARCHES if name not in LEARNERS]
        return {
            "Search": ("combo", _listed(self._data["search"], searches)),
            "Preset": ("combo", _listed(self._data["preset"], PRESETS)),
            "Variant": ("combo", _listed(self._data.get("variant", "none"), VARIANTS)),
            "Nodes": ("spin", "%d min 0 max 65534" % self._data.get("nodes", 0)),
            "Bytes": ("spin", "%d min 0 max %d" % (self._data.get("bytes", 0), LARGEST)),
            "Playouts": ("spin", "%d min 0 max %d" % (self._data.get("playouts", 0), LARGEST)),
            "Seed": ("spin", "%d min 0 max %d" % (self._seed, SEEDS - 1)),
        }

    def setoption(self, words: list[str]) -> None:
        if words[:1] != ["name"]:
            raise BadInput("setoption name NAME value VALUE")
        name, _, value = " ".join(words[1:]).partition(" value ")
        key = name.lower()
        offered = {offer.lower(): kind for offer, (kind, _) in self._offers().items()}
        if key not in offered:
            raise BadInput("no option called %s; there are %s" % (name, ", ".join(self._offers())))
        if key == "seed":
            self._seed = _number(key, value, SEEDS - 1)
            self.player.new_game(self._seed)
            return
        changed = {
            other: given
            for other, given in self._data.items()
            if other != key and {other, key} != {"nodes", "bytes"}
        }
        if offered[key] == "combo":
            changed[key] = value
        elif number := _number(key, value, LARGEST):
            changed[key] = number
        self._reopen(changed)

    def _reopen(self, data):
        """The same player with other data; if it cannot be, as it was."""
        self.player.close()
        try:
            self.player = self._open(data, self._game, self._seed)
            self._data = data
        except BadInput:
            self.player = self._open(self._data, self._game, self._seed)
            raise

    def isready(self, words: list[str]) -> None:
        self._say("readyok")

    def ignore(self, words: list[str]) -> None:
        pass

    # The game.

    def ucinewgame(self, words: list[str]) -> None:
        if self._moves:
            self._seed = (self._seed + 1) % SEEDS
        self.position(["startpos"])
        self.player.new_game(self._seed)

    def position(self, words: list[str]) -> None:
        where, moves = words, []
        if "moves" in words:
            at = words.index("moves")
            where, moves = words[:at], words[at + 1 :]
        game: Any  # of chess
        if where == ["startpos"]:
            game = load_with("chess", self._options)
        elif where[:1] == ["fen"]:
            game = self._from(" ".join(where[1:]))
        else:
            raise BadInput("position startpos, or position fen FEN, then moves ...")
        referee = Position(game)
        for move in moves:
            if referee.is_over:
                game = self._from(game.fen_of(referee.buffers["root"]))
                referee = Position(game)
            referee.play(move)
        self._game, self._moves = game, referee.moves
        self._turn, self._is_over = referee.turn, referee.is_over

    def _from(self, fen):
        return load_with("chess", {**self._options, "fen": fen})

    # Thinking.

    def go(self, words: list[str]) -> None:
        limits = _limits(words)
        if self._data["search"] == "alphabeta":
            self._limit_alphabeta(limits)
        if self._is_over:
            self._say("bestmove (none)")
            return
        if self.player.game.given != self._game.given:
            self.player.set_game(self._game)
        self.player.set_position(self._moves)
        move = self._think(limits)
        if not self._has_quit:
            self._say("bestmove %s" % move)

    def _limit_alphabeta(self, limits):
        """By its settings: plies, and positions, of which there is no end where time has one."""
        limited = dict(self._data)
        if "depth" in limits:
            limited["depth"] = min(max(limits["depth"], 1), DEEPEST)
        if "infinite" in limits or self._seconds(limits) is not None:
            limited["positions"] = ENDLESS
        if limited != self._data:
            self._reopen(limited)

    def stop(self, words: list[str]) -> None:
        self._has_stopped = True

    def quit(self, words: list[str]) -> None:
        self._has_stopped = self._has_quit = True

    def _think(self, limits):
        self._has_stopped = False
        began = time.perf_counter()
        due = began + INTERVAL
        earlier = made = 0  # playouts: of the search that goes on, of all
        most = limits.get("nodes", 0)
        seconds = self._seconds(limits)
        is_endless = "infinite" in limits

        def watch(player, playouts):
            nonlocal due, made
            self._listen()
            made = earlier + playouts
            now = time.perf_counter()
            if now >= due:
                due = now + INTERVAL
                self._inform(made, now - began)
            late = seconds is not None and now - began >= seconds
            return self._has_stopped or late or 0 < most <= made

        thought = self.player.search(seconds, watch)
        earlier = made = thought.playouts
        more = is_endless or earlier < most
        more = more or (seconds is not None and time.perf_counter() - began < seconds)
        if more and not self._has_stopped:
            self.player.go_on(watch)
        while is_endless and not self._has_stopped:
            self._hear(self._next())
        full = 1000 * thought.nodes_used // max(1, self.player.ledger.nodes)
        self._inform(made, time.perf_counter() - began, " hashfull %d" % full)
        return self._best().move if made > earlier else thought.move

    def _best(self):
        """The move that the search would play now, if it has considered any."""
        moves = self.player.root_moves()
        if self.player.config.final == "mean":
            moves.sort(key=lambda move: move.value, reverse=True)
        return moves[0] if moves else None

    def _seconds(self, limits):
        """What a move may take; None for any time."""
        if "movetime" in limits:
            return max(limits["movetime"] / 1000 - MARGIN, LEAST)
        colour = "wb"[self._turn]
        if colour + "time" not in limits:
            return None
        left = limits[colour + "time"] / 1000
        share = left / (limits.get("movestogo") or MOVES_TO_GO)
        share += limits.get(colour + "inc", 0) / 1000
        return max(min(share, left) - MARGIN, LEAST)

    def _listen(self):
        """Take what has come while it thinks."""
        while self._lines.has_come() and not self._has_stopped:
            self._hear(self._next())

    def _hear(self, words):
        if words and words[0] in ("isready", "stop", "ponderhit", "quit"):
            self._execute(words)
        else:
            self._waiting.append(words)

    def _inform(self, playouts, seconds, more=""):
        best = self._best()
        if best:
            line = self.player.variations().get(best.move, [best.move])
            rate = playouts / max(seconds, 0.001)
            score = _score(best.value)
            if self._data["search"] == "alphabeta":
                score = round(WHOLE * (best.value - 0.5))
            figures = len(line), playouts, rate, 1000 * seconds, score
            text = "info depth %d nodes %d nps %d time %d score cp %d" % figures
            self._say("%s%s pv %s" % (text, more, " ".join(line)))


# Commands of the interface. What is not for us is heard and left.
COMMANDS = {
    name: getattr(Engine, name)
    for name in "uci isready setoption ucinewgame position go stop quit".split()
} | {"ponderhit": Engine.stop, "debug": Engine.ignore, "register": Engine.ignore}


def _listed(value, choices):
    return value + "".join(" var " + choice for choice in choices)


def _number(name, text, most):
    if not (text.isdecimal() and len(text) <= 10 and int(text) <= most):
        raise BadInput("%s is a whole number, 0 to %d, not %s" % (name, most, text))
    return int(text)


def _limits(words):
    """{name: number} of what `go` was told; infinite and ponder are 1."""
    limits = {}
    rest = list(words)
    while rest:
        name = rest.pop(0)
        if name in ("infinite", "ponder"):
            limits["infinite"] = 1
        elif name in NUMBERS:
            text = rest.pop(0) if rest else "nothing"
            is_negative = text[:1] == "-"  # as the clock of one who is late
            limits[name] = 0 if is_negative else _number(name, text, LARGEST)
        elif name == "searchmoves":  # not known here: all moves are searched
            while rest and rest[0] not in (*NUMBERS, "infinite", "ponder"):
                rest.pop(0)
        else:
            raise BadInput("go knows no %s" % name)
    return limits


def _score(chance):
    """A chance to win in hundredths; see above."""
    chance = min(max(chance, 1 - SURE), SURE)
    return round(400 * math.log10(chance / (1 - chance)))
