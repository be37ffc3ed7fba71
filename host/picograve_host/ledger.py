"""`picograve budget`: every buffer of a search, and their sum."""

import json

from picograve.kernel import ITEM_BYTES

from picograve_host.options import game_of, player_of

ELEMENTS = {"B": "uint8", "H": "uint16", "i": "int32"}


def main(options):
    game = game_of(options)
    config, budget = player_of(options)
    ledger = budget.ledger(game, config)
    buffers = [
        dict(name=name, type=ELEMENTS[kind], count=count, bytes=count * ITEM_BYTES[kind])
        for name, kind, count in ledger.rows
    ]
    report = dict(
        game=game.name,
        search=config.search,
        preset=config.preset,
        buffers=buffers,
        total_bytes=ledger.total_bytes,
        nodes=ledger.nodes,
        nodes_top=ledger.nodes_top,
        nodes_second=ledger.nodes_second,
        amaf_tables=ledger.amaf_tables,
        playouts=ledger.playouts,
        bytes_per_node=round(ledger.total_bytes / ledger.nodes, 1),
    )
    print(json.dumps(report) if options.json else _text(report))
    return 0


def _text(report):
    lines = ["%-12s %-7s %9s %10s" % ("buffer", "type", "count", "bytes")]
    lines += [
        "%-12s %-7s %9d %10d" % (row["name"], row["type"], row["count"], row["bytes"])
        for row in report["buffers"]
        if row["count"]
    ]
    lines.append("%-12s %-7s %9s %10d" % ("total", "", "", report["total_bytes"]))
    lines.append(
        "%s on %s: %d nodes (top %d, second %d), %d AMAF tables, %d playouts a search, "
        "%.1f bytes a node all in"
        % (
            report["search"],
            report["game"],
            report["nodes"],
            report["nodes_top"],
            report["nodes_second"],
            report["amaf_tables"],
            report["playouts"],
            report["bytes_per_node"],
        )
    )
    return "\n".join(lines)
