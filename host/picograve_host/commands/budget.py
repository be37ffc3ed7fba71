"""`picograve budget`: every buffer of a search, and their sum; with --ram, whether they fit."""

import json
from argparse import Namespace

from picograve.kernel import ITEM_BYTES, ITEM_NAMES

from picograve_host.boards.descriptions import ram_of
from picograve_host.cli.options import game_of, player_of
from picograve_host.players.data import config_of


def main(options: Namespace) -> int:
    game = game_of(options)
    config, budget = config_of(player_of(options, game))
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
    text = str(ledger)
    if options.ram:
        ram = ram_of(options.ram)
        _searcher = ram.open_search(game, config, budget)  # lives while the heap is counted
        used, free, largest = ram.figures()
        report.update(heap_used=used, heap_free=free, heap_largest=largest)
        text += "\nheap: %d bytes used, %d free, largest block %d" % (used, free, largest)
    print(json.dumps(report) if options.json else text)
    return 0
