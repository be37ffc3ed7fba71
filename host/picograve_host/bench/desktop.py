"""Playouts a second of a game on this desktop, beside C and OpenSpiel.

Who is measured: the runtimes of this core, each in a worker process, because a process has
one runtime; for Go 9x9, tools/go_playout.c, the same playout written in C, compiled once into
the user's cache folder; OpenSpiel's C++ MCTSBot; for chess, what chess.py has. What is not
installed is left out, with a line that says so. Boards are measured in boards.py.

How: a desktop is noisy, so what is compared is measured in turn, round after round, in CPU
time, and the best round counts. C and Numba get the same seeds, and the sum of their results
must agree in every round: else they are not the same algorithm and the ratio means nothing.

What may be changed: the constants below; the ratios are those the project holds itself to.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import picograve_tools
from picograve import TREE_SEARCHES, BadInput, Budget, Config, Searcher, load, rng
from picograve.errors import RunFailed
from picograve.mcts.search import LENGTH
from picograve.mcts.select import SELECT
from picograve_tools import cache
from picograve_tools.console import progress

from picograve_host.machine import cpu_name
from picograve_host.players.openspiel import mcts_bot, named
from picograve_host.screen.tables import in_columns

if TYPE_CHECKING:
    from picograve.protocols import Game


GAME = "go9"
SAMPLE = "sample"  # playouts without a tree
PLIES = "plies"  # ... of which the moves are counted
WHOLE_GAMES = "uct, whole games"
OPENSPIEL = "OpenSpiel MCTSBot"
# The report's columns. IN_C is the runtime c, our kernels; `c` is the yardstick, written by hand.
IN_C = "kernels/c"
COLUMNS = ("numba", IN_C, "cpython", "c", "c++")
# Playouts of one measurement: a fraction of a second each. A search makes its first ones,
# or all: with 20,000 only uct2 and uctr2 are cut short.
PLAYOUTS = {"numba": 20000, IN_C: 20000, "cpython": 100}
LONG = {"chess": 10}  # so many times fewer playouts of games that take as much longer
GUIDED = 100  # a heuristic looks at every move of every position: so many times fewer
SIMULATIONS = 2000  # of a step of MCTSBot; with 10,000 it is slower by some 5 %
# Ratios that the project holds itself to, by game: what over what, and how much.
TARGETS: dict[str, dict[str, tuple]] = {
    "go9": {
        "uniform_over_c": (("sample, uniform", "numba"), ("sample, uniform", "c"), 0.9),
        "in_c_over_numba": (("grave, mast", IN_C), ("grave, mast", "numba"), 0.95),
        "grave_over_openspiel": (("grave, mast", "numba"), (OPENSPIEL, "c++"), 8),
        "graver2_over_grave": (("graver2, mast", "numba"), ("grave, mast", "numba"), 0.8),
        "reply_over_uniform": (("sample, reply", "numba"), ("sample, uniform", "numba"), 0.5),
    },
    "hex11": {
        "in_c_over_numba": (("grave, mast", IN_C), ("grave, mast", "numba"), 0.95),
        "uct_over_openspiel": (("uct, uniform", "numba"), (OPENSPIEL, "c++"), 4),
    },
    "othello": {
        "in_c_over_numba": (("grave, mast", IN_C), ("grave, mast", "numba"), 0.95),
        "uct_over_openspiel": (("uct, uniform", "numba"), (OPENSPIEL, "c++"), 8),
    },
    "chess": {
        "in_c_over_numba": (("grave, mast", IN_C), ("grave, mast", "numba"), 0.95),
        "uct_over_openspiel": ((WHOLE_GAMES, "numba"), (OPENSPIEL, "c++"), 20),
        "over_python_chess": (("plies, uniform", "numba"), ("plies, python-chess", "cpython"), 200),
        "over_stockfish": (("plies, uniform", "numba"), ("positions, Stockfish", "c++"), 0.5),
    },
}
C_SOURCE = Path(picograve_tools.__file__).parent / "go_playout.c"

Key = tuple[str, str]  # what is measured, in which column
Measure = namedtuple("Measure", "playouts seconds half_points", defaults=(None,))


def run(rounds: int, game: "Game") -> dict[str, Any]:
    """Measure everything; the report as --json prints it."""
    notes: list[str] = []
    with ExitStack() as stack:
        entries = list(_entries(stack, game, notes))
        for number in range(rounds):
            for entry in entries:
                progress("round %d of %d: %s on %s" % (
                    number + 1, rounds, entry.what, entry.runtime,
                ))  # fmt: skip
                entry.take(seed=number + 1)
    progress("")
    return {
        "machine": machine(),
        "scale": scale(rounds, game),
        "rates": [entry.rate() for entry in entries],
        "ratios": ratios(game, {entry.key: entry.per_second for entry in entries}),
        "same_as_c": same_as_c({entry.key: entry.half_points for entry in entries}),
        "notes": notes,
    }


def tasks(game: "Game") -> Iterator[tuple[str, str]]:
    """(search or SAMPLE, playout policy) of every row, with the paper's settings."""
    yield SAMPLE, "uniform"
    if not game.code_count:  # no MAST, no AMAF tables
        for search in TREE_SEARCHES:
            _, uses_tables, _ = SELECT[Config(search).policy]
            if not uses_tables:
                yield search, "uniform"
        return
    yield SAMPLE, "mast"
    if game.reply:
        yield SAMPLE, "reply"
    for heuristic in game.heuristics:
        yield SAMPLE, heuristic
    for search in TREE_SEARCHES:
        yield search, "mast"
    for search in ("grave", "graver2", "uct"):
        yield search, "uniform"
    if game.reply:
        yield "graver", "reply"


class Entry:
    """One thing to measure, and the best of its rounds."""

    def __init__(self, what: str, runtime: str, measure: Callable[[int], tuple]) -> None:
        self.what = what
        self.runtime = runtime
        self.key = what, runtime
        self.half_points: list[int | None] = []  # a round
        self.playouts = 0
        self.per_second = 0.0
        self._measure = measure

    def take(self, seed: int) -> None:
        measure = Measure(*self._measure(seed))
        self.playouts = measure.playouts
        self.half_points.append(measure.half_points)
        self.per_second = max(self.per_second, measure.playouts / measure.seconds)

    def rate(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "runtime": self.runtime,
            "per_second": round(self.per_second),
            "playouts": self.playouts,
        }


def _entries(stack, game, notes):
    """All entries in the order of a round: what is compared stands close together."""
    program = c_program(notes) if game.name == GAME else None
    if program:
        playouts = PLAYOUTS["numba"]  # the same, for the same results
        yield Entry("sample, uniform", "c", lambda seed: measure_c(program, playouts, seed))
    yield from _in_turn(
        _runtime_entries(stack, game, "numba", "numba"),
        _runtime_entries(stack, game, "c", IN_C) if has_gcc(notes) else (),
    )
    if game.name == "chess":
        yield from _chess_entries(stack, game, notes)
    bot = openspiel(game, notes)
    if bot:
        yield Entry(OPENSPIEL, "c++", bot)
    yield from _runtime_entries(stack, game, "cpython", "cpython")


def _chess_entries(stack, game, notes):
    """See chess.py."""
    from picograve_host.bench import chess

    usual = stack.enter_context(Worker("numba", game.name))
    whole = stack.enter_context(Worker("numba", game.name, chess.WHOLE))
    playouts = most_playouts(game, "numba")
    yield Entry("plies, uniform", "numba", _measure(usual, PLIES, "uniform", playouts))
    for what, column, measure in (
        (chess.PYTHON_CHESS, "cpython", chess.python_chess(game, notes)),
        (chess.STOCKFISH, "c++", chess.stockfish(notes)),
    ):
        if measure:
            yield Entry(what, column, measure)
    yield Entry(WHOLE_GAMES, "numba", _measure(whole, "uct", "uniform", playouts))
    ours = whole.measure(PLIES, "uniform", playouts, 1).playouts / playouts
    theirs = chess.length_of_theirs()
    if theirs:
        notes.append("whole games have %.0f moves on average, OpenSpiel's %.0f" % (ours, theirs))


def has_gcc(notes: list[str]) -> bool:
    """Whether there is a column for the runtime c; if not, a note."""
    if not shutil.which("gcc"):
        notes.append("no column for %s: install gcc (Debian: apt install gcc)" % IN_C)
    return bool(shutil.which("gcc"))


def _in_turn(*rows):
    for pair in zip_longest(*map(list, rows)):
        yield from filter(None, pair)


def _runtime_entries(stack, game, runtime, column):
    name = "%s:%d" % (game.file, game.size) if game.file else game.name
    worker = stack.enter_context(Worker(runtime, name))
    for search, policy in tasks(game):
        playouts = most_playouts(game, column)
        if policy in game.heuristics:
            playouts = max(playouts // GUIDED, 1)
        measure = _measure(worker, search, policy, playouts)
        yield Entry("%s, %s" % (search, policy), column, measure)


def _measure(worker, search, policy, playouts):
    return lambda seed: worker.measure(search, policy, playouts, seed)


def most_playouts(game: "Game", column: str) -> int:
    return max(PLAYOUTS[column] // LONG.get(game.name, 1), 1)


def ratios(game: "Game", rates: dict[Key, float]) -> list[dict[str, Any]]:
    """The ratios that have a target, where both sides were measured."""
    return [
        {"name": name, "value": round(rates[ours] / rates[base], 3), "target": target}
        for name, (ours, base, target) in TARGETS.get(game.name, {}).items()
        if ours in rates and base in rates
    ]


def same_as_c(half_points: dict[Key, list[int | None]]) -> bool | None:
    """Whether C and Numba had the same results in every round; None without C."""
    in_c = half_points.get(("sample, uniform", "c"))
    return None if in_c is None else in_c == half_points["sample, uniform", "numba"]


# The runtimes of this core.


class Worker:
    """A process with one runtime; it measures what it is asked for, line by line."""

    def __init__(self, runtime: str, game: str, options: dict[str, Any] | None = None) -> None:
        self.runtime = runtime
        self.process: Any = subprocess.Popen(
            [sys.executable, "-m", __name__, game, json.dumps(options or {})],
            env=dict(os.environ, PICOGRAVE_RUNTIME=runtime),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # which ends the worker's loop
        self.process.wait()

    def measure(self, search: str, policy: str, playouts: int, seed: int) -> Measure:
        print(search, policy, playouts, seed, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise RunFailed("the benchmark's %s process has died" % self.runtime)
        return Measure(*json.loads(answer))


def work(name: str, options: str) -> None:
    """The worker's side."""
    game = load(name, **json.loads(options))
    measures = {SAMPLE: measure_sample, PLIES: measure_plies}
    searchers = {}
    for line in sys.stdin:
        search, policy, playouts, seed = line.split()
        if (search, policy) not in searchers:
            searchers[search, policy] = _warm_searcher(game, search, policy)
        measure = measures.get(search, measure_search)
        result = measure(searchers[search, policy], int(playouts), int(seed))
        print(json.dumps(result), flush=True)


def _warm_searcher(game, search, policy):
    """A searcher whose kernels are compiled, so that no measurement holds a compilation."""
    samples = search in (SAMPLE, PLIES)
    name = "uct" if samples else search  # sampling does not use the tree
    searcher = Searcher(game, Config(name, "paper", playout_policy=policy), Budget())
    if samples:
        searcher.sample(1)
    else:
        searcher.start()
        searcher.run(0)
    return searcher


def measure_sample(searcher: Searcher, playouts: int, seed: int) -> Measure:
    searcher.new_game()  # MAST forgets
    rng.start(searcher.buffers["rng"], seed)
    began = time.process_time()
    mean = searcher.sample(playouts)
    seconds = time.process_time() - began
    return Measure(playouts, seconds, round(2 * playouts * mean))


def measure_plies(searcher: Searcher, playouts: int, seed: int) -> Measure:
    """As measure_sample; the same playouts are made again, one by one, to count their moves."""
    seconds = measure_sample(searcher, playouts, seed).seconds
    rng.start(searcher.buffers["rng"], seed)
    plies = 0
    for _ in range(playouts):
        searcher.sample(1)
        plies += int(searcher.buffers["control"][LENGTH])
    return Measure(plies, seconds)


def measure_search(searcher: Searcher, playouts: int, seed: int) -> Measure:
    searcher.new_game()
    searcher.seed = seed
    searcher.start()
    began = time.process_time()
    made = searcher.run(playouts)
    return Measure(made, time.process_time() - began)


# C.


def c_program(notes: list[str]) -> Path | None:
    """The path of the compiled yardstick, or None and a note."""
    if not shutil.which("cc"):
        notes.append("no row for C: install a C compiler (Debian: apt install gcc)")
        return None
    key = hashlib.sha256(C_SOURCE.read_bytes() + _compiler().encode()).hexdigest()[:16]
    program = cache.folder() / ("go_playout-" + key)
    if not program.exists():
        failure = _compile(program)
        if failure:
            notes.append("no row for C: %s" % failure)
            return None
    return program


def _compile(program):
    """Make the program; returns what went wrong, as one line, or None."""
    fresh = program.with_name("%s-%d" % (program.name, os.getpid()))
    command = ["cc", "-O2", str(C_SOURCE), "-o", str(fresh)]
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            return "%s: %s" % (" ".join(command), result.stderr.strip().partition("\n")[0])
        fresh.replace(program)  # at once, as another benchmark may be looking
    except OSError as error:
        return str(error)
    return None


def _compiler():
    """The C compiler's name and version, or None."""
    if not shutil.which("cc"):
        return None
    answer = subprocess.run(["cc", "--version"], capture_output=True, text=True)
    return answer.stdout.partition("\n")[0]


def measure_c(program: Path, playouts: int, seed: int) -> Measure:
    command = [str(program), str(playouts), str(seed)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, half_points = answer.split()
    return Measure(playouts, float(seconds), int(half_points))


# OpenSpiel.


def openspiel(game: "Game", notes: list[str]) -> Callable[[int], Measure] | None:
    """A function that measures one step of MCTSBot, or None and a note."""
    try:
        import pyspiel
    except ImportError:
        notes.append("no row for OpenSpiel: pip install 'picograve[bench]'")
        return None
    try:
        theirs = pyspiel.load_game(*(("chess",) if game.name == "chess" else named(game)))
    except BadInput as error:
        notes.append("no row for OpenSpiel: %s" % error)
        return None

    def measure(seed):
        bot = mcts_bot(pyspiel, theirs, SIMULATIONS, seed)
        state = theirs.new_initial_state()
        began = time.process_time()
        bot.step(state)
        return Measure(SIMULATIONS, time.process_time() - began)

    return measure


# The report.


def machine() -> dict[str, str | None]:
    return {
        "cpu": cpu_name(),
        "python": platform.python_version(),
        "numba": _version("numba"),
        "compiler": _compiler(),
        "openspiel": _version("open-spiel"),
    }


def scale(rounds: int, game: "Game") -> dict[str, Any]:
    return {
        "game": game.name,
        "position": "the first position",
        "clock": "CPU time, the best round",
        "rounds": rounds,
        "most_playouts": {column: most_playouts(game, column) for column in PLAYOUTS},
        "simulations": SIMULATIONS,
    }


def _version(package):
    try:
        return version(package)
    except ImportError:
        return None


def text(report: dict[str, Any]) -> str:
    blocks = (
        _head_lines(report["machine"], report["scale"]),
        _rate_lines(report["rates"]),
        _ratio_lines(report["ratios"]),
        _note_lines(report),
    )
    return "\n\n".join("\n".join(lines) for lines in blocks)


def _head_lines(names, scale):
    yield names["cpu"]
    yield "Python %s, Numba %s, OpenSpiel %s, C compiler %s" % (
        names["python"], names["numba"], names["openspiel"], names["compiler"],
    )  # fmt: skip
    yield "%(game)s from %(position)s: CPU time, the best of %(rounds)d rounds," % scale
    yield "at most %d playouts per round (cpython %d, MCTSBot %d)" % (
        scale["most_playouts"]["numba"], scale["most_playouts"]["cpython"], scale["simulations"],
    )  # fmt: skip


def _rate_lines(rates):
    table: dict = {}
    for rate in rates:
        row = table.setdefault(rate["what"], dict.fromkeys(COLUMNS, ""))
        row[rate["runtime"]] = f"{rate['per_second']:,}"
    lines = [[what, *row.values()] for what, row in table.items()]
    yield in_columns([["playouts per second", *COLUMNS], *lines])


def _ratio_lines(ratios):
    lines = [[row["name"], "%.2f" % row["value"], "%g" % row["target"]] for row in ratios]
    yield in_columns([["ratio", "measured", "target"], *lines])


def _note_lines(report):
    if report["same_as_c"] is not None:
        verdict = "the same results" if report["same_as_c"] else "OTHER RESULTS: a bug"
        yield "C and Numba, same seeds: " + verdict
    yield from report["notes"]


if __name__ == "__main__":
    try:
        work(*sys.argv[1:])
    except KeyboardInterrupt:  # the terminal interrupts both processes; the other one says so
        sys.exit(1)
