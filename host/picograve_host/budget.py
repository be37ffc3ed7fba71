"""`picograve budget`: every buffer of a search, and their sum."""

import json

from picograve.kernel import ITEM_BYTES, ITEM_NAMES

from picograve_host.options import game_of, player_of


def main(options):
    game = game_of(options)
    config, budget = player_of(options)
    ledger = budget.ledger(game, config)
    buffers = [
        dict(name=name, type=ITEM_NAMES[kind], count=count, bytes=count * ITEM_BYTES[kind])
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
        bytes_per_node=round(ledger.total_bytes / ledger.nodes, 1) if ledger.nodes else None,
    )
    print(json.dumps(report) if options.json else ledger)
    return 0
