"""`picograve bench`: playouts per second of a game, beside C and OpenSpiel; on request boards, and
what the variants of MCTS cost."""

import json
from argparse import Namespace

from picograve import BadInput, load

from picograve_host.bench import boards, desktop, variants


def main(options: Namespace) -> int:
    names = options.boards.split(",") if options.boards else []
    if options.only_boards and not names:
        raise BadInput("--only-boards needs boards: --boards sim,pico-emulated")
    if options.variants:
        costs = variants.run(options.rounds, load(options.game))
        print(json.dumps(costs) if options.json else variants.text(costs))
        return 0
    if options.watching:
        from picograve_host.bench import watching  # needs the extra `play`

        cost = watching.run(options.rounds, options.game, names)
        print(json.dumps(cost) if options.json else watching.text(cost))
        return 0
    report, texts = {}, []
    if names:
        game = load(options.game)
        # First: what is wrong shows at once.
        report["boards"] = boards.run(names, game, options.mhz)
        texts.append(boards.text(report["boards"], game))
    if not options.only_boards:
        report |= desktop.run(options.rounds, load(options.game))
        texts.insert(0, desktop.text(report))
    print(json.dumps(report) if options.json else "\n\n".join(texts))
    return 1 if report.get("same_as_c") is False else 0
