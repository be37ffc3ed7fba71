"""The cores of two checkouts side by side: the same trees, and at what speed?

    git worktree add ../before main
    python -m picograve_tools.compare ../before             both questions
    python -m picograve_tools.compare ../before --hashes    1 is the exit code if trees differ
    python -m picograve_tools.compare ../before --speed --rounds 100
    python -m picograve_tools.compare ../before --speed --game go9 --playouts 10000    as in the lab

For whoever changes the core. Each checkout's core runs in processes of its own, which answer
requests in JSON, a line each. They use only what every version of picograve has: load, Config,
Budget, a searcher's start, run, search and play.

Trees: whatever searches the old checkout knows, on games of each kind, with usual and unusual
settings, two moves each, so that reuse and MAST's decay take part.

Speed: two processes of the old core and one of the new take turns in rounds of some 40 ms of
CPU time, always with the same playouts. What else the machine does comes and goes in seconds,
and neighbouring rounds share it: the figure is the median over all rounds of old seconds / new
seconds. The same figure of the two old processes, which ought to be 1, shows what to believe.
With sixty rounds on two cores that fifteen others wanted, it was 0.975 to 1.028.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from statistics import median

import picograve
from picograve.errors import BadInput, RunFailed

HERE = Path(__file__).resolve().parents[1]
SEED = 7
FIGURES = (
    "move", "value", "visits", "playouts", "playouts_saved", "nodes_used", "nodes_recycled",
    "tree_hash", "choices",
)  # fmt: skip

LARGE = (
    ("go5", "C3"), ("go9", "E5 C3"), ("hex5", "C3"), ("hex11", ""), ("othello", "D3 C3"),
    ("ttt3", "B2"), ("ttt4", ""),
)  # fmt: skip
SMALL = (("go5", "C3"), ("hex5", "C3"), ("othello", "D3 C3"), ("ttt3", "B2"), ("ttt4", ""))
# Positions, playouts, and fewer nodes than these: searches recycle, or stop growing.
TREES = {"numba": (LARGE, 1000, 60), "cpython": (SMALL, 50, 20)}
UNUSUAL = (
    dict(preset="paper", reuse=True, explore=5, table_after=3, bias=1),
    dict(preset="paper", epsilon=0.1, decay=0.9, ref=0, exploration=0.2, rave_k=50),
    dict(share=0.3, sharing=False, early_after=4, early_margin=0.1, recycling="top"),
    dict(share=0.7, recycling="second", reuse=True, playout_policy="uniform+mast", switch=1.0),
)
# Searches without a tree, playouts that know something, options of games.
OTHERS = (
    ("othello", "D3 C3", "alphabeta", 500, dict(depth=4)),
    ("hex5", "C3", "alphabeta", 100, dict(depth=3, positions=700)),
    ("hex5", "C3", "alphabeta", 100, dict(depth=3, options=dict(swap=True))),
    ("go5", "", "alphabeta", 100, dict(depth=2)),
    ("ttt3", "B2", "alphabeta", 7, dict(depth=9)),
    ("othello", "D3", "policy", None, dict(playout_policy="WPC")),
    ("hex5", "C3", "policy", None, dict(playout_policy="E")),
    ("go5", "", "policy", None, dict(playout_policy="uniform")),
    ("ttt3", "", "sarsa", 500, dict(episodes=30)),
    ("ttt4", "", "qlearning", 100, dict(episodes=30, ties="first")),
    ("hex4", "", "graver2", 40, dict(playouts=150, options=dict(swap=True))),
    ("go9", "", "graver2", 40, dict(playouts=150, options=dict(komi=5))),
    ("othello", "", "uct", 40, dict(playouts=40, playout_policy="all")),
    ("othello", "", "graver2", 40, dict(playouts=40, playout_policy="top3+mast")),
    ("hex5", "", "rave", 40, dict(playouts=40, playout_policy="all")),
    ("ttt4", "", "uctr", 40, dict(playouts=40, playout_policy="E")),
)

# What speed is measured with. A round is a whole search.
GAMES = ("go9", "hex11", "othello")
NODES = {"grave": None, "graver2": 160, "uct": None}  # None: as many as playouts
POLICIES = ("uniform", "mast")
PLAYOUTS = 4000
ROUNDS = 60
LIVES = 4  # of the processes: where its code and buffers lie can cost one 3 % for its whole life


class Side:
    """A process with the core of a checkout."""

    def __init__(self, checkout, runtime="numba"):
        shared = Path(checkout).resolve() / "shared"
        if not (shared / "picograve").is_dir():
            raise BadInput("no core in %s: name a checkout of picograve" % checkout)
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "child"],
            env={**os.environ, "PYTHONPATH": str(shared), "PICOGRAVE_RUNTIME": runtime},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def ask(self, request, *arguments):
        self.send(request, *arguments)
        return self.answer()

    def send(self, request, *arguments):
        print(json.dumps([request, *arguments]), file=self._process.stdin, flush=True)

    def answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RunFailed("a core has ended: see above")
        return json.loads(line)


def child():
    """What runs in a Side, where picograve is its own: requests from stdin, answers to stdout."""
    opened = {}

    def searcher_of(game, moves, search, nodes, settings):
        settings = dict(settings)
        game = picograve.load(game, **settings.pop("options", {}))
        # Searches share settings here; version 0.3.0 took those that it does not use from anyone.
        made = getattr(picograve.Config, "tolerant", picograve.Config)
        config, budget = made(search, **settings), picograve.Budget(nodes=nodes)
        searcher = picograve.open_search(game, config, budget, SEED)
        searcher.set_position(moves.split())
        return searcher

    def searches():
        return picograve.TREE_SEARCHES

    def think(*job):
        """The figures of two moves, or why there are none."""
        try:
            searcher = searcher_of(*job)
            first = searcher.search()
            searcher.play(first.move)
            results = first._asdict(), searcher.search()._asdict()
        except BadInput as refusal:
            return [{"refused": str(refusal)}]
        return [{name: result.get(name) for name in (*FIGURES, "bytes")} for result in results]

    def seconds(*job):
        """Of CPU time, for the first move's search."""
        key = json.dumps(job)
        if key not in opened:
            opened[key] = searcher_of(*job)
        searcher = opened[key]
        searcher.set_position([])
        searcher.start()
        began = time.process_time()
        while searcher.run(2**20):
            pass
        return time.process_time() - began

    requests = {request.__name__: request for request in (searches, think, seconds)}
    for line in sys.stdin:
        request, *arguments = json.loads(line)
        print(json.dumps(requests[request](*arguments)), flush=True)


def jobs_of(searches, positions, playouts, nodes):
    """(game, moves, search, nodes, settings) of what shall stay the same."""
    settings = (dict(preset="paper"), dict(preset="paper", playout_policy="uniform"), *UNUSUAL)
    return list(OTHERS) + [
        (game, moves, search, nodes, dict(given, playouts=playouts))
        for given in settings
        for game, moves in positions
        for search in searches
    ]


def compare_trees(checkout):
    """{runtime: the figures of `_tree_row`}"""
    found = {}
    for runtime, (positions, playouts, nodes) in TREES.items():
        with Side(checkout, runtime) as old, Side(HERE, runtime) as new:
            jobs = jobs_of(old.ask("searches"), positions, playouts, nodes)
            found[runtime] = _tree_row(jobs, [_both(old, new, job) for job in jobs])
    return found


def _both(old, new, job):
    """What both answer, who search at the same time."""
    for side in (old, new):
        side.send("think", *job)
    return old.answer(), new.answer()


def _tree_row(jobs, answers):
    """How many searches, how many that both refuse, the lines of those that differ, and the least
    and the most bytes that one has more than before."""
    done = [(old[0], new[0]) for old, new in answers if "bytes" in old[0] and "bytes" in new[0]]
    more = [new["bytes"] - old["bytes"] for old, new in done]
    return dict(
        searches=len(jobs),
        refused=sum("refused" in old[0] and "refused" in new[0] for old, new in answers),
        differences=[
            line for job, pair in zip(jobs, answers, strict=True) for line in _changed(job, *pair)
        ],
        more_bytes=[min(more, default=0), max(more, default=0)],
    )


def _changed(job, old, new):
    """A line, if figures differ: those of the first move where they do."""
    for move, (before, after) in enumerate(zip(old, new, strict=False), 1):
        changed = [
            "%s %s, was %s" % (name, after.get(name), before.get(name))
            for name in (*FIGURES, "refused")
            if before.get(name) != after.get(name)
        ]
        if changed:
            return ["%s, move %d: %s" % (_title(job), move, "; ".join(changed))]
    return []


def _title(job):
    game, moves, search, nodes, settings = job
    given = ["%s=%s" % item for item in settings.items()]
    return " ".join([search, "on", game, *moves.split(), "nodes=%s" % nodes, *given])


def compare_speed(checkout, rounds, games=GAMES, playouts=PLAYOUTS):
    """A row for each search: playouts per second of CPU time, and ratios of them."""
    taken = {case: [] for case in product(games, NODES, POLICIES)}
    for _ in range(LIVES):
        with Side(checkout) as old, Side(HERE) as new, Side(checkout) as twin:
            for case, so_far in taken.items():
                so_far += _take_turns((old, new, twin), case, playouts, -(-rounds // LIVES))
    return [
        dict(zip(("game", "search", "playout_policy"), case, strict=True))
        | _ratios(playouts, *zip(*seconds, strict=True))
        for case, seconds in taken.items()
    ]


def _take_turns(sides, case, playouts, rounds):
    """The seconds of each side in each round."""
    game, search, policy = case
    settings = dict(playouts=playouts, playout_policy=policy)
    job = (game, "", search, NODES[search] or playouts, settings)
    for side in sides:
        side.ask("seconds", *job)  # the first one compiles
    return [[side.ask("seconds", *job) for side in sides] for _ in range(rounds)]


def _ratios(playouts, old, new, twin):
    return dict(
        per_second=round(playouts / median(new)),
        # Pair by pair: a mean of two would catch twice the hiccups, and flatter the new core.
        new_to_old=_ratio(old + twin, new + new),
        old_to_old=_ratio(old, twin),
    )


def _ratio(before, after):
    return round(median(a / b for a, b in zip(before, after, strict=True)), 3)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="picograve_tools.compare", description=__doc__.split("\n")[0]
    )
    parser.add_argument("old", help="another checkout of picograve; its core is the old one")
    parser.add_argument("--hashes", action="store_true", help="only compare trees")
    parser.add_argument("--speed", action="store_true", help="only compare speed")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each search's speed")
    parser.add_argument("--game", help="only the speed of this one, such as go9")
    parser.add_argument("--playouts", type=int, default=PLAYOUTS, help="of a search's round")
    parser.add_argument("--json", action="store_true", help="print one object")
    options = parser.parse_args(arguments)
    both = options.hashes == options.speed
    found = {}
    if options.hashes or both:
        found["trees"] = compare_trees(options.old)
    if options.speed or both:
        games = (picograve.load(options.game).name,) if options.game else GAMES
        found["speed"] = compare_speed(options.old, options.rounds, games, options.playouts)
    print(json.dumps(found) if options.json else "\n".join(_lines(**found)))
    return int(any(row["differences"] for row in found.get("trees", {}).values()))


def _lines(trees=None, speed=None):
    for runtime, row in (trees or {}).items():
        yield from row["differences"]
        counts = runtime, row["searches"], row["refused"], len(row["differences"])
        yield "%s: %d searches, %d refused by both, %d differ" % counts
        yield "%s: %+d to %+d bytes a search" % (runtime, *row["more_bytes"])
    if speed:
        yield "| game | search | playouts | a second | new / old | old / old |"
        yield "|---|---|---|---|---|---|"
        for row in speed:
            yield "| %s | %s | %s | %d | %.3f | %.3f |" % tuple(row.values())


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        child()
        sys.exit()
    try:
        sys.exit(main())
    except (BadInput, RunFailed) as error:
        print("picograve: %s" % error, file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else 1)
