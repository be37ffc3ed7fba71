"""What the lab itself costs. Everything is compared within one run.

overhead   time of whole games, recorded, over the time inside the search's own kernel
recording  of a task's games on the disk: of the runner's time, while its workers play on
workers    games per hour of two local processes / one
cluster    ... of a Dask LocalCluster with two workers, calm ones, / two local processes
memory     of the runner, after a tenth of the games and after all

Ratios of speeds are medians over short rounds in which the sides take turns at the same games: a
shared machine changes its speed by a tenth within minutes. It should have two cores and nothing
else to do.
"""

import contextlib
import statistics
import time
from pathlib import Path
from typing import Any

from picograve import BadInput
from picograve.mcts import search

from picograve_host.bench.desktop import machine
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.play.games import play_games
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import CALM, ClusterPool, LocalPool, Pool
from picograve_host.screen.tables import in_columns

SPEED = """
game = "go9"
[opponent]
search = "grave"
playouts = 1000
[players.GRAVE]
search = "grave"
playouts = 1000
"""
# Many games that take next to no time: what is left is the runner.
MANY = """
game = "ttt3"
[opponent]
search = "uct"
playouts = 10
[players.UCT]
search = "uct"
playouts = 10
"""
GAMES = 20  # of a turn: some ten seconds, so that the wait for the last one counts little
FLUSHES = 100  # of a turn of recording
TARGETS = dict(
    overhead="at most 3 %",
    recording="a task takes a second",
    workers="1.8",
    cluster="0.95",
    memory="flat",
)


def _experiment(folder, text):
    path = folder / "bench.toml"
    path.write_text(text)
    return Experiment(str(path))


def overhead(folder: Path, rounds: int) -> float:
    """The share of a game's time, recording included, that is not the search's kernel."""
    (point,) = _experiment(folder, SPEED).points
    play_games(point.match, [0])  # compiles
    with _timed_kernel() as kernel, Store(folder / "overhead", write=True) as store:
        began = time.perf_counter()
        for number in range(2 * rounds):
            store.add(point.key, point.match, play_games(point.match, [number]))
        total = time.perf_counter() - began
    return total / kernel["seconds"] - 1


def recording(folder: Path) -> float:
    """Milliseconds until the games of a task are on the disk: the median."""
    (point,) = _experiment(folder, MANY).points
    (record,) = play_games(point.match, [0])
    spent = []
    with Store(folder / "recording", write=True) as store:
        for number in range(FLUSHES):
            began = time.perf_counter()
            store.add(point.key, point.match, [dict(record, number=number)])
            spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)


@contextlib.contextmanager
def _timed_kernel():
    """Seconds that pass inside search.run, the kernel."""
    run, spent = search.run, dict(seconds=0.0)

    def timed(*arguments):
        began = time.perf_counter()
        made = run(*arguments)
        spent["seconds"] += time.perf_counter() - began
        return made

    search.run = timed
    try:
        yield spent
    finally:
        search.run = run


def speeds(folder: Path, rounds: int) -> tuple[float, float]:
    """Two workers / one, and a cluster of two / two workers: games per hour."""
    experiment = _experiment(folder, SPEED)
    with contextlib.ExitStack() as stack:
        sides: dict[str, Pool] = dict(one=LocalPool(1), two=LocalPool(2), cluster=_LocalCluster())
        for name, pool in sides.items():
            stack.callback(pool.close)
            _play(experiment, folder / name, pool, 4)  # imports, compiles
        speeds = [
            {
                name: _games_a_second(experiment, folder / ("%s%d" % (name, n)), pool)
                for name, pool in sides.items()
            }
            for n in range(rounds)
        ]
    return (
        statistics.median(speed["two"] / speed["one"] for speed in speeds),
        statistics.median(speed["cluster"] / speed["two"] for speed in speeds),
    )


class _LocalCluster(ClusterPool):
    """Two workers of Dask on this machine, calm: waiting for a turn takes time, too."""

    def __init__(self) -> None:
        try:
            import dask
            import distributed
        except ImportError:
            raise BadInput("Dask is missing: pip install 'picograve[cluster]'") from None
        with dask.config.set(CALM):
            self.cluster = distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
        super().__init__(self.cluster)

    def close(self) -> None:
        super().close()
        self.cluster.close()


def _games_a_second(experiment, folder, pool):
    began = time.perf_counter()
    _play(experiment, folder, pool, GAMES)
    return GAMES / (time.perf_counter() - began)


def _play(experiment, folder, pool, games):
    with Store(folder, write=True) as store:
        Runner(experiment, store, pool, games, lambda runner: None).run()


def memory(folder: Path, games: int) -> tuple[int, int]:
    """Kilobytes of the runner after a tenth of the games and after all, as a pair."""
    seen: list[int] = []

    def watch(runner):
        if (runner.played >= games // 10 and not seen) or runner.played == games:
            seen.append(_kilobytes())

    pool = LocalPool(2)
    with Store(folder / "memory", write=True) as store, contextlib.closing(pool):
        Runner(_experiment(folder, MANY), store, pool, games, watch).run()
    return seen[0], seen[-1]


def _kilobytes():
    """Memory of this process that is in RAM."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise BadInput("this system does not show a process's memory in /proc")


def text(figures: dict[str, Any], games: int) -> str:
    early, late = figures["memory"]
    texts = dict(
        overhead="%.1f %% of the search's time at 1,000 playouts" % (100 * figures["overhead"]),
        recording="%.1f ms for a task" % figures["recording"],
        workers="%.2f two workers / one, games per hour" % figures["workers"],
        cluster="%.2f Dask with two workers / two local ones" % figures["cluster"],
        memory="%.1f MB after %d games, %.1f MB after %d"
        % (early / 1000, games // 10, late / 1000, games),
    )
    lines = [[name, texts[name], "target: %s" % TARGETS[name]] for name in texts]
    return "\n".join(
        [in_columns(lines, left=3), "%(cpu)s, Python %(python)s, Numba %(numba)s" % machine()]
    )
