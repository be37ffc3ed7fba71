"""The command `picograve`: what it takes, and which module does it.

Errors that a user can correct are one line on stderr and exit code 2; a run that fails ends
with 1. The core is imported only after the arguments are read, because they choose its
runtime (picograve.kernel).

given.py      what words and numbers may be
options.py    from options to games and players as plain data
compiling.py  says that kernels are being compiled
"""

import argparse
import importlib
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

from picograve_host import settings
from picograve_host.cli.given import (
    MOST_GAMES,
    MOST_MHZ,
    MOST_ROUNDS,
    MOST_SECONDS,
    MOST_WORKERS,
    check_words,
    number,
    whole,
)
from picograve_host.outside import clean
from picograve_host.players.kinds import PROGRAMS

RUNTIMES = ("numba", "c", "cpython")
PRESET, SEARCH = "strong", "graver"
CHESS_SEARCH = "alphabeta"  # it beats the best of our trees there (host/results)
LONGEST_LINE = 2000  # letters of a complaint: a few list all that there is
TYPES: dict[type, Any] = {int: whole(), float: number(), str: str}
METAVARS = {int: "N", float: "X", str: "NAME"}
OPTION = "an option of the game's own, such as last=1; may be given several times"
RAM = "emulate the RAM of a board (pico, esp32 ...) or a heap of so many bytes"
MHZ = "the clock of a board that runs here (pico-emulated); default: its certified one"
BOARD = "a board's name (sim, sim64, sim-cpython, pico-emulated, pico, esp32 ...) or a port"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        check_words(words)
    except ValueError as error:
        parser.error(str(error))
    options = parser.parse_args(words)
    if getattr(options, "runtime", None) in RUNTIMES:
        os.environ["PICOGRAVE_RUNTIME"] = options.runtime
    elif options.command == "play" and shutil.which("gcc"):
        # Somebody waits for a page, and kernels in C are there sooner.
        os.environ.setdefault("PICOGRAVE_RUNTIME", "c")
    if os.environ.get("PICOGRAVE_RUNTIME", "numba") not in RUNTIMES:
        parser.error("the variable PICOGRAVE_RUNTIME must be %s" % " or ".join(RUNTIMES))
    try:
        return _run(options)
    except KeyboardInterrupt:  # also while the core is imported
        print("picograve: stopped", file=sys.stderr)
        return 1


def _run(options):
    from picograve.errors import BadInput, RunFailed

    from picograve_host.cli.compiling import announce

    announce()
    try:
        return importlib.import_module("picograve_host.commands." + options.command).main(options)
    except BadInput as error:
        print("picograve: %s" % clean(error, LONGEST_LINE), file=sys.stderr)
        return 2
    except RunFailed as error:
        print("picograve: %s" % clean(error, LONGEST_LINE), file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has gone; so does our last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        file = (getattr(options, "game", None) or "").partition(":")[0]
        lines = [
            place.lineno
            for place in traceback.extract_tb(error.__traceback__)
            if file and os.path.realpath(place.filename) == os.path.realpath(file)
        ]
        if not lines:
            raise
        what = "%s, line %s: %s: %s" % (file, lines[-1], type(error).__name__, clean(error))
        advice = "check it with picograve check-game " + file
        print("picograve: %s; %s" % (what, advice), file=sys.stderr)
        return 1


class _Version(argparse.Action):
    """As argparse's own, but it imports the core only when it is used."""

    def __call__(self, parser, *_):
        from picograve import __version__

        print("picograve", __version__)
        parser.exit()


class _Demo(argparse.Action):
    """Sets the options of a pairing."""

    def __call__(self, parser, options, *_):
        from picograve_host.match.demo import OPTIONS

        for name, value in OPTIONS.items():
            setattr(options, name, value)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        message = clean(message, LONGEST_LINE)
        self.exit(2, "%s: %s (see %s --help)\n" % (self.prog, message, self.prog))


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="picograve",
        description="Memory-bounded Monte-Carlo Tree Search that fits a microcontroller.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_think(commands)
    _add_budget(commands)
    _add_match(commands)
    _add_play(commands)
    _add_bench(commands)
    _add_gtp(commands)
    _add_uci(commands)
    _add_boards(commands)
    _add_check_game(commands)
    _add_lab(commands)
    _add_completion(commands)
    return parser


def _add_think(commands):
    parser = _command(commands, "think", "search one position and show the best move")
    _add_game(parser)
    parser.add_argument("--search", default=SEARCH, metavar="NAME", help="default " + SEARCH)
    add_player(parser, "")
    parser.add_argument("--seed", type=whole(), default=1, help="default 1")
    parser.add_argument("--moves", default="", help='moves that lead to the position: "E5 C3"')
    parser.add_argument("--runtime", metavar="WHERE", help="numba, c, cpython, " + BOARD)
    parser.add_argument("--mhz", type=whole(1, MOST_MHZ), metavar="N", help=MHZ)
    parser.add_argument("--ram", metavar="BOARD", help=RAM)


def _add_budget(commands):
    parser = _command(commands, "budget", "list the buffers of a search and their bytes")
    _add_game(parser)
    parser.add_argument("--search", default=SEARCH, metavar="NAME", help="default " + SEARCH)
    add_player(parser, "")
    parser.add_argument("--ram", metavar="BOARD", help=RAM)


def _add_match(commands):
    parser = _command(commands, "match", "play a board, or any player, against another")
    demo = "the pairing of `make match`: 24 kB on a board against 6.7 MB; options after it count"
    parser.add_argument("--demo", action=_Demo, nargs=0, help=demo)
    _add_game(parser)
    search = "of the first player; default " + SEARCH
    parser.add_argument("--board-search", default=SEARCH, metavar="NAME", help=search)
    add_player(parser, "board-")
    programs = ", ".join("%s:%s" % (key, kind.takes) for key, kind in PROGRAMS.items())
    program = "or another program: " + programs
    where = "%s, desktop, %s; default sim" % (BOARD, program)
    parser.add_argument("--board", metavar="WHERE", help=where)
    parser.add_argument(
        "--mhz", type=whole(1, MOST_MHZ), metavar="N", help=MHZ + "; for the first player"
    )
    parser.add_argument("--ram", metavar="BOARD", help=RAM + ", for the first player")
    opponent = "a search, %s; default grave" % program
    parser.add_argument(
        "--opponent", default="grave", metavar="NAME", dest="opponent_search", help=opponent
    )
    add_player(parser, "opponent-")
    games = whole(1, MOST_GAMES)
    parser.add_argument("--games", type=games, default=1, help="default 1; colours alternate")
    parser.add_argument("--seed", type=whole(), default=1, help="default 1")
    parser.add_argument("--opponent-board", metavar="WHERE", help="as --board; default desktop")
    seconds = number(0.001, MOST_SECONDS)
    parser.add_argument("--seconds-per-move", type=seconds, metavar="S", help="for both players")
    resign = "give up when both players see at most this chance for one; default 0: never"
    parser.add_argument("--resign", type=number(), default=0, metavar="P", help=resign)
    parser.add_argument("--out", metavar="DIR", help="memory log, plot and SGF go here")
    watch = "on a page: both sides think, with pause and step; game after game"
    parser.add_argument("--watch", action="store_true", help=watch)
    _add_page(parser)


def _add_play(commands):
    parser = _command(commands, "play", "play any game on a page or here, and watch a search")
    here = "play on this terminal instead of a page"
    parser.add_argument("--terminal", action="store_true", help=here)
    _add_page(parser)
    own = "the game to begin with, also one of your own: nim.py; default go9"
    parser.add_argument("--game", default="go9", metavar="GAME", help=own)
    parser.add_argument("--komi", type=number(), help="Go: points for white, default 7.5")
    parser.add_argument("--swap", action="store_true", default=None, help="Hex: the swap rule")
    opponent = "who thinks: desktop or %s; default desktop" % BOARD
    parser.add_argument("--opponent", metavar="WHERE", help=opponent)
    parser.add_argument("--search", metavar="NAME", help="default: the game's usual one")
    presets = "%s; default %s" % (" or ".join(settings.PRESETS), PRESET)
    parser.add_argument("--preset", metavar="NAME", help=presets)
    sides = ("first", "second", "both", "none")
    parser.add_argument("--side", choices=sides, help="yours; default first")
    parser.add_argument("--bytes", type=whole(), metavar="N", help="of the search; default 64000")
    parser.add_argument(
        "--playouts", type=whole(), metavar="N", help="a move; default: as many as fit"
    )
    parser.add_argument("--seconds", type=number(), metavar="S", help="a move of the search")
    parser.add_argument("--minutes", type=number(), metavar="M", help="a clock for each player")
    parser.add_argument("--seed", type=whole(), metavar="N", help="default 1")
    where = "where `save` puts the record of a game on a terminal; default here"
    parser.add_argument("--out", metavar="DIR", default=".", help=where)


def _add_page(parser):
    """Where a page is served."""
    parser.add_argument(
        "--port", type=whole(0, 65535), default=0, metavar="N", help="default: any free one"
    )
    host = "the address to listen on; default 127.0.0.1, which only this machine reaches"
    parser.add_argument("--host", default="127.0.0.1", help=host)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def _add_bench(commands):
    parser = _command(commands, "bench", "measure playouts per second, beside C and OpenSpiel")
    parser.add_argument("--game", default="go9", help="default go9")
    rounds = whole(1, MOST_ROUNDS)
    parser.add_argument(
        "--rounds", type=rounds, default=5, help="how often each is timed; default 5"
    )
    parser.add_argument(
        "--boards", metavar="NAMES", help="boards to measure too: sim,pico-emulated, a port"
    )
    parser.add_argument("--mhz", type=whole(1, MOST_MHZ), metavar="N", help=MHZ)
    parser.add_argument("--only-boards", action="store_true", help="leave the desktop out")
    parser.add_argument(
        "--variants", action="store_true", help="only what each --variant costs, beside plain uct"
    )
    watching = "only what it costs that a page watches a search"
    parser.add_argument("--watching", action="store_true", help=watching)


def _add_gtp(commands):
    parser = _command(commands, "gtp", "be an engine for Sabaki, GoGui, HexGui, any GTP program")
    _add_game(parser)
    _add_engine(parser)
    resign = "resign when two searches in a row see at most this chance; default 0: never"
    parser.add_argument("--resign", type=number(), default=0, metavar="P", help=resign)


def _add_uci(commands):
    parser = _command(commands, "uci", "be an engine for chess programs: Arena, cutechess, any UCI")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION)
    parser.set_defaults(game="chess", komi=None, swap=None, battle=None)
    _add_engine(parser, CHESS_SEARCH)


def _add_engine(parser, search=SEARCH):
    """The player behind a protocol."""
    parser.add_argument("--board", metavar="WHERE", help=BOARD + "; default desktop")
    parser.add_argument("--ram", metavar="BOARD", help=RAM)
    parser.add_argument("--search", default=search, metavar="NAME", help="default " + search)
    add_player(parser, "")
    parser.add_argument("--seed", type=whole(), default=1, help="default 1")


def _add_boards(commands):
    _command(commands, "boards", "list what is plugged in, and the boards it knows")
    _command(commands, "doctor", "check which tools are installed, and what each gap costs")
    parser = _command(commands, "flash", "install picograve on a board, and check it")
    parser.add_argument("--board", metavar="NAME", help="pico, pico2, esp32, esp32-s3 ...")
    parser.add_argument(
        "--port", metavar="PORT", help="its serial port, if it is not found by itself"
    )
    parser.add_argument(
        "--uf2", metavar="FILE", help="write a firmware for a Pico to this file instead"
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="only this size of Go or Hex (go9), which saves RAM and time; or a file with a game "
        "of your own, to install as well",
    )
    parser.add_argument("--nodes", type=whole(), metavar="N", help="of the search set up at boot")
    parser.add_argument("--bytes", type=whole(), metavar="N", help="or its bytes")
    clock = "its clock; default: the highest that it is certified for"
    parser.add_argument("--mhz", type=whole(1, MOST_MHZ), metavar="N", help=clock)


def _add_completion(commands):
    parser = commands.add_parser("completion", help="print a script for a shell to complete words")
    parser.set_defaults(command="completion")
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def _add_check_game(commands):
    parser = _command(commands, "check-game", "check that a game keeps to the contract")
    parser.add_argument("game", help="a game's name, or a file: nim.py, nim.py:3")
    parser.set_defaults(command="check_game")


def _add_lab(commands):
    parser = commands.add_parser("lab", help="run experiments: how strong for how many bytes?")
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=_Parser)
    _action(actions, "list", "list the experiments that ship")
    run = _action(actions, "run", "play what is missing of an experiment")
    report = _action(actions, "report", "write the page of an experiment: table and plots")
    status = _action(actions, "status", "say what an experiment lacks, and what it will take")
    tune = _action(actions, "tune", "choose settings of a player, and confirm the choice")
    watch = _action(actions, "watch", "show the table and plots on a page as a run grows")
    games = {
        run: "per point; default: the file's",
        status: "per point; default: the file's",
        report: "per point; default: all recorded",
        tune: "of each configuration in the first round; default: the file's",
        watch: "per point; default: all recorded",
    }
    for parser in (run, status, report, tune, watch):
        named = dict(nargs="?") if parser is watch else {}
        which = "one that `lab list` shows, or a .toml file"
        which += "; default: that of the last game" if named else ""
        parser.add_argument("experiment", help=which, **named)
        parser.add_argument("--games", type=whole(), metavar="N", help=games[parser])
        parser.add_argument("--out", metavar="DIR", default="out/lab", help="default out/lab")
        parser.add_argument("--preset", metavar="NAME", help="instead of the file's")
        scale_help = "S times the playouts, with nodes to match; default 1"
        parser.add_argument("--scale", type=number(), default=1, metavar="S", help=scale_help)
        parser.add_argument("--seed", type=whole(), help="instead of the file's")
    _add_page(watch)
    for parser in (run, report, watch):
        parser.add_argument("--sprt", metavar="A,B", help="stop a point when A or B Elo is clear")
    tune.add_argument(
        "--tries", type=whole(), metavar="N", help="configurations; default: the file's"
    )
    tune.add_argument(
        "--confirm", type=whole(), metavar="N", help="games on fresh seeds, at the end"
    )
    for parser in (run, tune):
        workers = "processes; default: one per core"
        count = whole(1, MOST_WORKERS)
        parser.add_argument("--workers", type=count, metavar="N", help=workers)
        parser.add_argument("--scheduler", metavar="URL", help="a Dask cluster instead: tcp://...")
        parser.add_argument("--retry", action="store_true", help="play failed games again")
    for parser in (run, status, tune):
        parser.add_argument(
            "--from", dest="sources", action="append", default=[], metavar="PATH",
            help="with the games from there: a folder, such as host/results; repeat for several",
        )  # fmt: skip
    times = run.add_mutually_exclusive_group()
    times.add_argument("--until", metavar="HH:MM", help="no game begins after this time of day")
    times.add_argument("--hours", type=number(), metavar="N", help="no game begins after so many")
    run.add_argument(
        "--order", choices=("turns", "precision"), default="turns",
        help="precision: next where the interval is widest, undecided points first",
    )  # fmt: skip
    merge = _action(actions, "merge", "bring games of several machines into one store")
    merge.add_argument("sources", nargs="+", metavar="PATH", help="a store, a games.txt, a folder")
    merge.add_argument("--out", metavar="DIR", required=True, help="the store to add them to")
    merge.add_argument(
        "--vouch", action="store_true",
        help="play a game again of each match whose games do not say which code played them",
    )  # fmt: skip
    claims = _action(actions, "claims", "write what the GRAVE paper claims beside recorded reports")
    claims.add_argument("folder", metavar="DIR", help="with a folder for each report: host/results")
    rescue = _action(actions, "rescue", "save what can be saved of a damaged database")
    rescue.add_argument("file", help="the damaged lab.sqlite, or its folder")
    new = "the folder of the new one; default out/rescued"
    rescue.add_argument("--out", metavar="DIR", default="out/rescued", help=new)
    bench = _action(actions, "bench", "measure what the lab itself costs")
    rounds, many = whole(1, MOST_ROUNDS), whole(10, MOST_GAMES)
    bench.add_argument(
        "--rounds", type=rounds, default=9, help="how often each is timed; default 9"
    )
    bench.add_argument(
        "--games", type=many, default=10000, help="how many to watch the memory for; default 10000"
    )


def _action(actions, name, text):
    """A part of `lab`; the module of its name in picograve_host.lab has main(options)."""
    parser = _command(actions, name, text)
    parser.set_defaults(command="lab", action=name)
    return parser


def _command(commands, name, text):
    """A command; the module of its name has a function main(options)."""
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=name)
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    return parser


def _add_game(parser):
    games = (
        "go5 to go13, hex3 to hex13, othello, chess, ttt3 to ttt10, cotg4, cotg8, cotg16, "
        "urts4, urts8, urts16, or a file: nim.py, nim.py:3"
    )
    parser.add_argument("--game", default="go9", help=games)
    parser.add_argument("--komi", type=number(), help="Go: points for white, default 7.5")
    parser.add_argument("--swap", action="store_true", default=None, help="Hex: the swap rule")
    parser.add_argument("--battle", metavar="FILE", help="cotg: units and places, a TOML file")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION)


def add_player(parser: argparse.ArgumentParser, prefix: str) -> None:
    """The options of one player: its budget, its preset and the settings of the table."""
    presets = "%s; default %s" % (" or ".join(settings.PRESETS), PRESET)
    parser.add_argument("--%spreset" % prefix, default=PRESET, metavar="NAME", help=presets)
    sizes = parser.add_mutually_exclusive_group()
    for setting in (*settings.SIZES, *settings.SETTINGS):
        flag = "--" + prefix + setting.spoken.replace("_", "-")
        if setting.kind is bool:
            takes: dict[str, Any] = dict(action=argparse.BooleanOptionalAction, default=None)
        else:
            takes = dict(type=TYPES[setting.kind], metavar=METAVARS[setting.kind])
        group = sizes if setting.name in ("nodes", "bytes") else parser
        destination = (prefix + setting.name).replace("-", "_")
        group.add_argument(flag, dest=destination, help=setting.help(PRESET), **takes)
