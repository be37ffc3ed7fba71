"""A child process that runs searches on the runtime its environment names.

Reads a JSON list of jobs [game, search, nodes, moves, seed, settings] from stdin, writes a
JSON list of results. `options` among the settings are the game's; what a search does not use is
let be. With the argument `--checked` every kernel is loaded through int32_checker first; with
`--sanitized` the runtime `c` has integers of 32 bits and sanitizers, which end the process if they
have something to say. `run` and `run_sanitized` are how the tests call it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

DESKTOP = ("numba", "cpython", "c") if shutil.which("gcc") else ("numba", "cpython")
# For who only needs to know the trees: test_runtimes.py compares all runtimes.
QUICKEST = "c" if "c" in DESKTOP else "numba"
SANITIZED = (
    "-std=gnu11", "-O1", "-fPIC", "-shared", "-fno-strict-aliasing", "-DINT_T=int32_t",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
)  # fmt: skip

# Chess is slow on CPython and on chips: few pieces and short playouts.
ENDGAME = dict(cut=12, fen="8/5k2/8/3p4/8/2P1K3/8/4R3 w - - 0 1")


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


def run_sanitized(jobs, cache):
    """The same in C under sanitizers; libraries of their own go to the folder `cache`."""
    find = ["gcc", "-print-file-name=libasan.so"]
    library = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
    return run(
        jobs, "c", "--sanitized", PICOGRAVE_CACHE=str(cache), LD_PRELOAD=library,
        ASAN_OPTIONS="detect_leaks=0", PYTHONMALLOC="malloc",
    )  # fmt: skip


def variant_job(game, search, moves, variant, nodes=40, playouts=150, options=None, **settings):
    """A job of a variant, by its parts, because a chip knows no variants."""
    from picograve import Config

    config = Config(search, variant=variant, playouts=playouts, **settings)
    return [game, config.search, nodes, moves, 7, dict(config.given, options=options or {})]


def main():
    if "--checked" in sys.argv:
        sys.path.insert(0, str(Path(__file__).parent))
        import int32_checker

        int32_checker.install()
    from picograve import RUNTIME, Budget, Config, load, open_search

    if "--sanitized" in sys.argv:
        from picograve_tools.native import desktop

        desktop.FLAGS = SANITIZED
    results = []
    for game, search, nodes, moves, seed, settings in json.load(sys.stdin):
        game = load(game, **settings.pop("options", {}))
        searcher = open_search(game, Config.tolerant(search, **settings), Budget(nodes=nodes), seed)
        searcher.set_position(moves.split())
        results.append(dict(searcher.search()._asdict(), runtime=RUNTIME))
    if "--cache" in sys.argv:
        from picograve.mcts.search import run as kernel

        results = [sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
