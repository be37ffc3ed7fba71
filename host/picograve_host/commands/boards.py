"""`picograve boards`: what is plugged in, and what we know."""

import json
from argparse import Namespace

from picograve_host.boards import registry
from picograve_host.screen.tables import in_columns


def main(options: Namespace) -> int:
    known = [registry.describe(name) for name in registry.names()]
    ports = registry.plugged_in()
    if options.json:
        rows = [dict(port=p, may_be=m, serial_number=n, product=t) for p, m, n, t in ports]
        print(json.dumps(dict(boards=known, plugged_in=rows)))
        return 0
    print("plugged in:")
    if ports:
        print(in_columns([_about(*port) for port in ports], left=4))
    else:
        print("  nothing; `picograve match` plays a board that is simulated here")
    print("known, with the bytes of the largest search and the clock:")
    print(in_columns([_known(board) for board in known], left=2))
    return 0


def _about(port, may_be, number, product):
    return ["  " + port, " or ".join(may_be) or "no board we know", product or "", number or ""]


def _known(board):
    usable = str(board["usable"]) if "usable" in board else ""
    clock = "%d MHz" % board["mhz"] if "mhz" in board else ""
    return ["  " + board["name"], board["title"], usable, clock]
