"""Who sits where: from command-line options to players, on this desktop or on a board."""

import contextlib
import sys

from picograve import Budget
from picograve_tools.cache import ToolFailed, ToolMissing

from picograve_host import boards, install
from picograve_host.board import BoardPlayer
from picograve_host.options import player_of
from picograve_host.players import DesktopPlayer

DESKTOP = "desktop"


def say_on_stderr(text):
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def open_player(options, prefix, game, where, seed=1, say=say_on_stderr, hashes=True):
    """The player whose options start with `prefix`; `where` is desktop, a board, or a port.

    None for `where` is the simulated board, or its stand-in where MicroPython cannot be had.
    A board sends its tree's hash in any case.
    """
    config, budget = player_of(options, prefix)
    if where == DESKTOP:
        yield DesktopPlayer(game, config, budget, seed, hashes)
        return
    with _open(where, say, lambda board: _fitting(board, game, config, budget)) as opened:
        budget = _fitting(opened.board, game, config, budget)
        player = BoardPlayer(opened.link, game, config, budget, seed)
        if opened.machine:
            system, bits = opened.link.hello["system"], opened.link.hello["bits"]
            player.where = "%s (%s, %d bits)" % (opened.board["name"], system, bits)
        yield player


def _open(where, say, check):
    if where is not None:
        check(boards.describe_any(where))
        return boards.OpenBoard(where, say)
    check(boards.describe("sim"))
    try:
        return boards.OpenBoard("sim", say)
    except (ToolMissing, ToolFailed) as error:
        say("no MicroPython here (%s); sim-cpython stands in for the board" % error)
        return boards.OpenBoard("sim-cpython", say)


def _fitting(board, game, config, budget):
    """The budget, or the board's own where none was given; refused if it cannot fit."""
    if budget.nodes is None and budget.bytes is None:
        if config.search == install.SEARCH:
            budget = Budget(**board["budget"], tables=budget.tables)
        elif "usable" in board:
            budget = Budget(bytes=board["usable"], tables=budget.tables)
    install.check_fit(board, budget.ledger(game, config))
    return budget
