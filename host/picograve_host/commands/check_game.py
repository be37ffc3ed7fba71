"""`picograve check-game`: does a game, such as one's own, keep to the contract?"""

import json
from argparse import Namespace

from picograve import load

from picograve_host.contract import check
from picograve_host.players.factory import say_on_stderr


def main(options: Namespace) -> int:
    name = load(options.game).name  # refuses what cannot be loaded
    found, runtimes = check([options.game], say_on_stderr)
    lines = found[options.game]
    if options.json:
        print(json.dumps(dict(game=name, violations=lines, runtimes=runtimes)))
    elif lines:
        print("\n".join("%s, %s" % (name, line) for line in lines))
    else:
        print("%s keeps to the contract; same trees on %s" % (name, ", ".join(runtimes)))
    return 1 if lines else 0
