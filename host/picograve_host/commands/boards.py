"""`picograve boards`: what is plugged in, and what we know."""

import json
from argparse import Namespace

from picograve_host.boards import registry


def main(options: Namespace) -> int:
    known = [registry.describe(name) for name in registry.names()]
    ports = registry.plugged_in()
    if options.json:
        rows = [dict(port=p, may_be=m, serial_number=n, product=t) for p, m, n, t in ports]
        print(json.dumps(dict(boards=known, plugged_in=rows)))
        return 0
    print("plugged in:")
    for port, may_be, number, product in ports:
        what = " or ".join(may_be) or "no board we know"
        print("  %-16s %-16s %s %s" % (port, what, product or "", number or ""))
    if not ports:
        print("  nothing; `picograve match` plays a board that is simulated here")
    print("known, with the bytes of the largest search and the clock:")
    for board in known:
        usable = "%7d" % board["usable"] if "usable" in board else ""
        clock = "%d MHz" % board["mhz"] if "mhz" in board else ""
        print(("  %-14s %-40s %7s  %s" % (board["name"], board["title"], usable, clock)).rstrip())
    return 0
