"""The command `picograve`: what it takes, and which module does it.

Errors that a user can mend are one line on stderr and exit code 2; a run that fails ends
with 1. The core is imported only after the arguments are read, because they choose its
runtime (picograve.kernel).
"""

import argparse
import importlib
import os
import sys

RUNTIMES = ("numba", "cpython")
BOARD = "a board's name (sim, sim64, sim-cpython, pico-emulated, pico, esp32 ...) or a port"


def main(arguments=None):
    parser = _parser()
    options = parser.parse_args(arguments)
    if getattr(options, "runtime", None) in RUNTIMES:
        os.environ["PICOGRAVE_RUNTIME"] = options.runtime
    if os.environ.get("PICOGRAVE_RUNTIME", "numba") not in RUNTIMES:
        parser.error("the variable PICOGRAVE_RUNTIME must be %s" % " or ".join(RUNTIMES))
    from picograve.errors import BadInput, RunFailed

    try:
        return importlib.import_module("picograve_host." + options.command).main(options)
    except BadInput as error:
        print("picograve: %s" % error, file=sys.stderr)
        return 2
    except RunFailed as error:
        print("picograve: %s" % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("picograve: stopped", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has gone; so does our last flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, "%s: %s (see %s --help)\n" % (self.prog, message, self.prog))


def _parser():
    parser = _Parser(
        prog="picograve",
        description="Memory-bounded Monte-Carlo Tree Search that fits a microcontroller.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _add_think(commands)
    _add_budget(commands)
    _add_match(commands)
    _add_bench(commands)
    _add_gtp(commands)
    _add_boards(commands)
    _add_lab(commands)
    return parser


def _add_think(commands):
    parser = _command(commands, "think", "one search from a position")
    _add_game(parser)
    parser.add_argument("--search", default="graver2", metavar="NAME", help="default graver2")
    add_player(parser, "")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", default="", help='moves that lead to the position: "E5 C3"')
    parser.add_argument("--runtime", metavar="WHERE", help="numba, cpython, " + BOARD)


def _add_budget(commands):
    parser = _command(commands, "budget", "the ledger: what a search takes in bytes")
    _add_game(parser)
    parser.add_argument("--search", default="graver2", metavar="NAME", help="default graver2")
    add_player(parser, "")


def _add_match(commands):
    parser = _command(commands, "match", "play a board against the desktop")
    _add_game(parser)
    parser.add_argument("--board-search", default="graver2", metavar="NAME")
    add_player(parser, "board-")
    parser.add_argument("--board", metavar="WHERE", help=BOARD + ", or desktop; default sim")
    parser.add_argument("--opponent", default="grave", metavar="NAME", dest="opponent_search")
    add_player(parser, "opponent-")
    parser.add_argument("--games", type=int, default=1, help="colours alternate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent-board", metavar="WHERE", help="default desktop")
    parser.add_argument("--seconds-per-move", type=float, metavar="S", help="for both players")
    parser.add_argument("--out", metavar="DIR", help="memory log, plot and SGF go here")


def _add_bench(commands):
    parser = _command(commands, "bench", "playouts a second, beside C and OpenSpiel")
    parser.add_argument("--game", default="go9", help="default go9")
    parser.add_argument("--rounds", type=int, default=5, help="each thing is timed so often")
    parser.add_argument("--boards", metavar="NAMES", help="these, too: sim,pico-emulated, a port")
    parser.add_argument("--only-boards", action="store_true", help="boards, not the desktop")


def _add_gtp(commands):
    parser = _command(commands, "gtp", "an engine for Sabaki, GoGui, HexGui, any GTP program")
    _add_game(parser)
    parser.add_argument("--board", metavar="WHERE", default="desktop", help=BOARD)
    parser.add_argument("--search", default="graver2", metavar="NAME", help="default graver2")
    add_player(parser, "")
    parser.add_argument("--seed", type=int, default=1)


def _add_boards(commands):
    _command(commands, "boards", "what is plugged in, and what we know")
    _command(commands, "doctor", "what is here of all that picograve can use")
    parser = _command(commands, "flash", "install picograve on a board, and check it")
    parser.add_argument("--board", metavar="NAME", help="pico, pico2, esp32, esp32-s3 ...")
    parser.add_argument("--port", metavar="PORT", help="where it is, if that is not plain")
    parser.add_argument("--uf2", metavar="FILE", help="make a firmware for a Pico instead")
    parser.add_argument("--nodes", type=int, metavar="N", help="set up when it boots")
    parser.add_argument("--bytes", type=int, metavar="N")


def _add_lab(commands):
    parser = commands.add_parser("lab", help="experiments: what a byte buys in strength")
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=_Parser)
    _action(actions, "list", "the experiments that ship")
    run = _action(actions, "run", "play what is missing of an experiment")
    report = _action(actions, "report", "write the page of an experiment: table and plots")
    for parser in (run, report):
        parser.add_argument("experiment", help="one that `lab list` shows, or a .toml file")
        default = "the file's" if parser is run else "all recorded"
        parser.add_argument("--games", type=int, metavar="N", help="a point; default: " + default)
        parser.add_argument("--out", metavar="DIR", default="out/lab", help="default out/lab")
        parser.add_argument("--preset", metavar="NAME", help="instead of the file's")
        scale_help = "S times the playouts, with nodes to match; default 1"
        parser.add_argument("--scale", type=float, default=1, metavar="S", help=scale_help)
        parser.add_argument("--seed", type=int, help="instead of the file's")
        parser.add_argument("--sprt", metavar="A,B", help="stop a point when A or B Elo is clear")
    run.add_argument("--workers", type=int, metavar="N", help="processes; default: one a core")
    run.add_argument("--scheduler", metavar="URL", help="a Dask cluster instead: tcp://...")
    run.add_argument("--retry", action="store_true", help="play failed games again")
    bench = _action(actions, "bench", "what the harness itself costs")
    bench.add_argument("--rounds", type=int, default=9, help="speeds are medians of so many")
    bench.add_argument("--games", type=int, default=10000, help="to watch the memory over")


def _action(actions, name, text):
    """A part of `lab`; the module of its name in picograve_host.lab has main(options)."""
    parser = _command(actions, name, text)
    parser.set_defaults(command="lab", action=name)
    return parser


def _command(commands, name, text):
    """A command; the module of its name has a function main(options)."""
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=name)
    parser.add_argument("--json", action="store_true", help="as JSON on stdout")
    return parser


def _add_game(parser):
    games = "go5 to go13, hex3 to hex13, othello, ttt3 to ttt10; default go9"
    parser.add_argument("--game", default="go9", help=games)
    parser.add_argument("--komi", type=float, help="Go: points for white, default 7.5")
    parser.add_argument("--swap", action="store_true", default=None, help="Hex: the swap rule")


def add_player(parser, prefix):
    """The options of one player: budget, playouts, settings (picograve.config)."""

    def add(name, setting, **rest):
        destination = (prefix + setting).replace("-", "_")
        parser.add_argument("--" + prefix + name, dest=destination, **rest)

    size = parser.add_mutually_exclusive_group()
    for name in ("nodes", "bytes"):
        flag = "--%s%s" % (prefix, name)
        size.add_argument(flag, dest=(prefix + name).replace("-", "_"), type=int, metavar="N")
    add("tables", "tables", type=int, metavar="N", help="AMAF tables, if fewer than nodes")
    add("preset", "preset", default="strong", metavar="NAME", help="paper or strong")
    add("playouts", "playouts", type=int, metavar="P")
    add("playouts-top", "playouts_top", type=int, metavar="A")
    add("playouts-second", "playouts_second", type=int, metavar="B")
    add("lambda", "share", type=float, metavar="L", help="second level's share of the nodes")
    policies = "uniform, mast, the game's heuristics (E, Mp ...), some joined by +, all, top3"
    add("playout-policy", "playout_policy", metavar="NAME", help=policies)
    add("switch", "switch", type=float, metavar="B", help="constant of switching policies")
    add("epsilon", "epsilon", type=float, metavar="E", help="mast: share of random moves")
    add("decay", "decay", type=float, metavar="D", help="mast: weight kept between turns")
    add("bias", "bias", type=float, metavar="B", help="GRAVE's bias")
    add("ref", "ref", type=int, metavar="R", help="GRAVE's reference threshold")
    add("explore", "explore", type=int, metavar="K", help="GRAVE: one in K visits explores")
    add("exploration", "exploration", type=float, metavar="C", help="UCT's constant")
    add("rave-k", "rave_k", type=int, metavar="K", help="RAVE's equivalence parameter")
    add("depth", "depth", type=int, metavar="D", help="alphabeta: plies, at most")
    add("positions", "positions", type=int, metavar="N", help="alphabeta: positions a move")
    add("episodes", "episodes", type=int, metavar="N", help="sarsa, qlearning: games to learn")
    add("alpha", "alpha", type=float, metavar="A", help="... their rate of learning")
    add("gamma", "gamma", type=float, metavar="G", help="... their discount")
    add("wander", "wander", type=float, metavar="E", help="... their share of random moves")
    add("ties", "ties", metavar="WHICH", help="... which of equal moves: random or first")
    add("recycling", "recycling", metavar="WHERE", help="two levels: top, second or both")
    add("table-after", "table_after", type=int, metavar="V", help="visits to get a table")
    add("early-after", "early_after", type=int, metavar="P", help="see picograve.config")
    add("early-margin", "early_margin", type=float, metavar="M")
    yes_or_no = argparse.BooleanOptionalAction
    add("sharing", "sharing", action=yes_or_no, help="forward sharing", default=None)
    add("reuse", "reuse", action=yes_or_no, help="keep the tree between moves", default=None)


if __name__ == "__main__":
    sys.exit(main())
