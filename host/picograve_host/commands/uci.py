"""`picograve uci`: a player behind the Universal Chess Interface, on stdin and stdout."""

import io
import sys
from argparse import Namespace

from picograve import __version__

from picograve_host.cli.options import game_of, in_ram, player_of
from picograve_host.players.factory import open_search_player
from picograve_host.protocols.lines import Lines
from picograve_host.protocols.uci import Engine


def main(options: Namespace) -> int:
    game = game_of(options)
    data = in_ram(options, player_of(options, game), options.board)
    if options.board:
        data["board"] = options.board

    def open_player(data, game, seed):
        return open_search_player(data, game, seed, hashes=False)

    def write(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    # No buffer, whose lock the reading thread would hold when the process ends.
    lines = Lines(line.decode("ascii", "replace") for line in io.FileIO(0, closefd=False))
    engine = Engine(open_player, data, game, options.seed, __version__, lines, write)
    try:
        engine.serve()
    finally:
        engine.player.close()
    return 0
