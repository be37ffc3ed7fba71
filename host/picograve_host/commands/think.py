"""`picograve think`: one search from a position, on this desktop or on a board."""

import contextlib
import json
from argparse import Namespace

from picograve import TREE_SEARCHES, Position

from picograve_host.cli.options import at_clock, game_of, in_ram, player_of
from picograve_host.players.desktop import STEPS
from picograve_host.players.factory import open_search_player

DESKTOP_RUNTIMES = (None, "numba", "c", "cpython")


def main(options: Namespace) -> int:
    game = game_of(options)
    moves = options.moves.split()
    position = Position(game)
    position.set_position(moves)
    data = player_of(options, game)
    if options.runtime not in DESKTOP_RUNTIMES:
        data["board"] = options.runtime
    data = at_clock(options, in_ram(options, data, data.get("board")))
    with contextlib.closing(open_search_player(data, game, options.seed)) as player:
        player.set_position(moves)
        thought = player.search()
        root_moves = player.root_moves()
    report = dict(
        game=game.name,
        search=player.config.search,
        preset=player.config.preset,
        seed=options.seed,
        to_move=position.to_move,
        visits={move: visits for move, visits, _ in root_moves},
        **thought._asdict(),
        runtime=player.where,
        mhz=player.mhz,
    )
    position.play(thought.move)
    print(json.dumps(report) if options.json else _text(position, report))
    return 0


def _text(position, report):
    """The board after the move, and what led to it."""
    lines = [
        str(position),
        "%s plays %s, value %.3f" % (report["to_move"], report["move"], report["value"]),
    ]
    if report["search"] in TREE_SEARCHES:
        best = list(report["visits"].items())[:8]
        lines.append("visits     " + "  ".join("%s %d" % pair for pair in best))
    lines += [
        "%-10s %d in %.3f s (%.0f per second)"
        % (
            STEPS[report["search"]],
            report["playouts"],
            report["seconds"],
            report["playouts"] / max(report["seconds"], 1e-6),  # its clock may count in less
        ),
        "runtime    %s" % report["runtime"],
        "nodes      %d used, %d recycled" % (report["nodes_used"], report["nodes_recycled"]),
        "bytes      %d" % report["bytes"],
        "tree hash  %s" % report["tree_hash"],
    ]
    if report["choices"]:
        lines.append(
            "policies   " + "  ".join("%s %d" % pair for pair in report["choices"].items())
        )
    if report["depth"] is not None:
        lines.append("depth      %d plies" % report["depth"])
    if report["heap_used"] is not None:
        lines.append(
            "heap       %d bytes used, %d free, largest block %d"
            % (report["heap_used"], report["heap_free"], report["heap_largest"])
        )
    return "\n".join(lines)
