"""`picograve gtp`: a player behind the Go Text Protocol, on stdin and stdout."""

import contextlib
import io
import sys
from argparse import Namespace
from typing import Any

from picograve import BadInput, __version__

from picograve_host.cli.options import game_of, in_ram, player_of
from picograve_host.players.factory import open_search_player
from picograve_host.protocols.gtp import Engine, Lines, serve


def main(options: Namespace) -> int:
    if not 0 <= options.resign < 0.5:
        raise BadInput("--resign must be 0 or more and less than 0.5, not %g" % options.resign)
    game = game_of(options)
    data = in_ram(options, player_of(options, game), options.board)
    if options.board:
        data["board"] = options.board
    with contextlib.closing(open_search_player(data, game, options.seed)) as player:
        # No buffer, whose lock the reading thread would hold when the process ends; bytes as
        # they are, for GTP allows any in a comment.
        lines = Lines(line.decode("latin-1") for line in io.FileIO(0, closefd=False))
        stdout: Any = sys.stdout
        stdout.reconfigure(encoding="latin-1", errors="replace", newline="\n")

        def write(text):
            stdout.write(text)
            stdout.flush()

        serve(Engine(player, __version__, options.resign), lines, write)
    return 0
