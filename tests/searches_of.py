"""A child process that runs searches on the runtime its environment names.

Reads a JSON list of jobs [game, search, nodes, moves, seed, settings] from stdin, writes a
JSON list of results. `options` among the settings are the game's. With the argument
`--checked` every kernel is loaded through int32_checker first. `run` is how the tests call it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(jobs, runtime, *flags, **environment):
    """The results of the jobs in a process of their own."""
    answer = subprocess.run(
        [sys.executable, __file__, *flags],
        input=json.dumps(jobs),
        env={**os.environ, "PICOGRAVE_RUNTIME": runtime, **environment},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def main():
    if "--checked" in sys.argv:
        sys.path.insert(0, str(Path(__file__).parent))
        import int32_checker

        int32_checker.install()
    from picograve import RUNTIME, Budget, Config, load, open_search

    results = []
    for game, search, nodes, moves, seed, settings in json.load(sys.stdin):
        game = load(game, **settings.pop("options", {}))
        searcher = open_search(game, Config(search, **settings), Budget(nodes=nodes), seed)
        searcher.set_position(moves.split())
        results.append(dict(searcher.search()._asdict(), runtime=RUNTIME))
    if "--cache" in sys.argv:
        from picograve.search import run as kernel

        results = [sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
