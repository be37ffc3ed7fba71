"""`picograve think`: one search from a position."""

import json
import time

from picograve import RUNTIME, Searcher

from picograve_host.options import game_of, player_of


def main(options):
    config, budget = player_of(options)
    searcher = Searcher(game_of(options), config, budget, options.seed)
    searcher.set_position(options.moves.split())
    searcher.start()
    searcher.run(0)  # compiles, or loads what was compiled
    began = time.perf_counter()
    result = searcher.finish()
    seconds = time.perf_counter() - began
    report = dict(
        game=searcher.game.name,
        search=config.search,
        preset=config.preset,
        seed=options.seed,
        to_move=searcher.to_move,
        **result._asdict(),
        seconds=round(seconds, 6),
        runtime=RUNTIME,
    )
    print(json.dumps(report) if options.json else _text(searcher, report))
    return 0


def _text(searcher, report):
    best = list(report["visits"].items())[:8]
    return "\n".join(
        [
            searcher.game.show(searcher.buffers["root"]),
            "%s plays %s, value %.3f" % (report["to_move"], report["move"], report["value"]),
            "visits     " + "  ".join("%s %d" % pair for pair in best),
            "playouts   %d in %.3f s on %s (%.0f a second)"
            % (
                report["playouts"],
                report["seconds"],
                report["runtime"],
                report["playouts"] / report["seconds"],
            ),
            "nodes      %d used, %d recycled" % (report["nodes_used"], report["nodes_recycled"]),
            "bytes      %d" % report["bytes"],
            "tree hash  %s" % report["tree_hash"],
        ]
    )
