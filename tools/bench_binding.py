"""How one search can serve many games in Numba: the measurement behind picograve.kernel.

A loop stands for the search, two tiny kernels with one signature for the rule of two games.
The loop gets at the rule in the four ways of kernel.py's table. Two child processes share a
fresh Numba cache; the second one shows whether the first one's work was found there.

    python tools/bench_binding.py
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from picograve.kernel import allocate, bind, micropython, ptr32
from picograve.rng import draw, start

CALLS = 10**7
REPEATS = 5
_SIDES = 9
_DRAW = 0
SHAPES = "nin -in"  # of the rule and of another kernel, as kernel.bind has them

# The search's source made again: one such file for each game. Written once, by the parent process:
# Numba's cache looks at a source's time.
MADE_AGAIN = """\
from picograve.kernel import micropython
from picograve.rng import draw


@micropython.viper
def loop(rng, count: int) -> int:
    total = 0
    for _ in range(count):
        total += int(draw(rng, 9))
    return total
"""


@micropython.viper
def other_draw(r: ptr32, n: int) -> int:
    # The second game's rule: draw with other numbers.
    z = 30903 * (r[0] & 65535) + (r[0] >> 16)
    w = 18000 * (r[1] & 65535) + (r[1] >> 16)
    r[0] = z
    r[1] = w
    return ((((z & 65535) + w) & 65535) * n) >> 16


@micropython.viper
def by_name(rng, count: int) -> int:
    total = 0
    for _ in range(count):
        total += int(draw(rng, _SIDES))
    return total


@micropython.viper
def by_argument(rule, rng, count: int) -> int:
    total = 0
    for _ in range(count):
        total += int(rule(rng, _SIDES))
    return total


@micropython.viper
def by_pointer(rules, rng: ptr32, count: int) -> int:
    rule = rules[_DRAW]
    total = 0
    for _ in range(count):
        total += int(rule(rng, _SIDES))
    return total


def ways():
    """(name, loop, what the loop gets for the one and the other game)"""
    import made_again  # from the parent's folder, which is on our path

    one, other = bind(SHAPES, (draw, start)), bind(SHAPES, (other_draw, start))
    return (
        ("called by name: the search knows one game", by_name, [()]),
        ("jitted functions as plain arguments", by_argument, [(draw,), (other_draw,)]),
        ("function pointers in a tuple", by_pointer, [(one,), (other,)]),
        ("the search's source made again for each game", made_again.loop, [()]),
    )


def measure(loop, games):
    """ns a call, cache hits, compiled versions of the loop after all games have used it."""
    rng = allocate("i", 2)
    start(rng, 1)
    for game in games:
        loop(*game, rng, 1)
    best = min(_seconds(loop, (*games[0], rng)) for _ in range(REPEATS))
    return best / CALLS * 1e9, sum(loop.stats.cache_hits.values()), len(loop.overloads)


def _seconds(loop, arguments):
    began = time.process_time()
    loop(*arguments, CALLS)
    return time.process_time() - began


def child():
    print(json.dumps([(name, *measure(loop, games)) for name, loop, games in ways()]))


def run_child(folder):
    environment = dict(
        os.environ,
        PICOGRAVE_RUNTIME="numba",
        NUMBA_CACHE_DIR=str(folder),
        PYTHONPATH=os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))),
    )
    command = [sys.executable, __file__, "child"]
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "made_again.py").write_text(MADE_AGAIN)
        first, second = run_child(folder), run_child(folder)
    # Entries: compiled versions of the loop after it has served both games, where it can.
    print("| %-43s | ns / call | cached in a second process | entries |" % "way")
    print("|%s|-----------|----------------------------|---------|" % ("-" * 45))
    for (way, before, _, _), (_, after, hits, entries) in zip(first, second, strict=True):
        cached = "yes" if hits else "no"
        print("| %-43s | %9.1f | %-26s | %7d |" % (way, min(before, after), cached, entries))


if __name__ == "__main__":
    child() if sys.argv[1:] == ["child"] else main()
