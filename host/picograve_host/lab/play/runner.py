"""The runner: plays what an experiment lacks and records it, until nothing is lacking.

All that it knows is in the store, so it can be killed at any time and started again. Games
go out in tasks of TASK_SECONDS or more, of the point that comes next (order.py).

When a worker dies, the games of its task are played again. Local workers die all at once
(workers.LocalPool): nobody knows whose game it was, so each game then under way is played
alone, and one that kills its worker DEATHS times alone is recorded as failed.
"""

import concurrent.futures
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from math import ceil
from typing import Any, NamedTuple

from picograve.errors import RunFailed

from picograve_host.lab.plan.experiment import Experiment, Point
from picograve_host.lab.play.games import failure, play_games
from picograve_host.lab.play.order import InTurn, Order
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import Pool, wait_for_workers
from picograve_host.rating import Sprt

TASK_SECONDS = 1.0
SHORTEST = 0.001  # seconds of a game as they are recorded: less is 0, and would be no limit
FIRST_TASK = 2  # games, while nobody knows how long they take
DEATHS = 2
TICK = 0.5  # seconds between two looks at the progress


class Task(NamedTuple):
    point: Point
    numbers: list[int]
    alone: bool


class Runner:
    """`run` plays the missing games. `watch(runner)` is called often; it may look at

    played, wanted  games recorded, of all that the experiment asks for
    seconds_left()  an estimate, or None
    """

    def __init__(
        self,
        experiment: Experiment,
        store: Store,
        pool: Pool,
        games: int,
        watch: Callable[["Runner"], object],
        sprt: Sprt | None = None,
        order: Order | None = None,
        ends: float | None = None,
    ) -> None:
        """`sprt` (rating.Sprt) ends a point early. `order`: of the points, default in turn. `ends`:
        the time (time.time) from which on no game begins."""
        self.experiment = experiment
        self.store = store
        self.pool = pool
        self.watch = watch
        self.sprt = sprt
        self.points = {point.key: point for point in experiment.points}
        self.missing = {key: self._missing(key, games) for key in self.points}
        self.seconds = {key: store.seconds_a_game(key) for key in self.points}
        self.wanted = games * len(self.points)
        self.played = self.wanted - sum(map(len, self.missing.values()))
        self.order = order or InTurn(self.points)
        self.ends = ends
        self.suspects: deque[Task] = deque()
        self.deaths: Counter[tuple[str, int]] = Counter()
        self.under_way: dict[Future, Task] = {}
        self.codes: dict[str, str] = {}  # fingerprints of this run's games
        self.stopped = False
        self._drop_decided(self.points)

    def _missing(self, key, games):
        recorded = self.store.numbers(key)
        return deque(number for number in range(games) if number not in recorded)

    def run(self) -> None:
        """Until nothing is missing, the time is up, or somebody sets `stopped`."""
        while not self.stopped and (self._send() or self.under_way):
            if not self.under_way:
                wait_for_workers(self.pool)
            done, _ = concurrent.futures.wait(
                self.under_way, TICK, concurrent.futures.FIRST_COMPLETED
            )
            lost = [task for future in done if (task := self._receive(future))]
            if lost:
                self._play_again(lost)
            self.watch(self)

    def _send(self):
        """Keep every worker busy and one task ahead; whether anything is left to send."""
        while task := self._next():
            try:
                file = self.experiment.game_of(task.point).file
                future = self.pool.submit(play_games, task.point.match, task.numbers, file)
                self.under_way[future] = task
            except concurrent.futures.BrokenExecutor:  # by another: this one has not begun
                self._play_again([task._replace(alone=False)])
        return not self.is_late and (bool(self.suspects) or any(self.missing.values()))

    @property
    def is_late(self) -> bool:
        return self.ends is not None and time.time() >= self.ends

    def _next(self) -> Task | None:
        if self.is_late:
            return None
        if self.suspects:
            return None if self.under_way else self.suspects.popleft()
        if any(task.alone for task in self.under_way.values()):
            return None
        if len(self.under_way) >= 2 * self.pool.size():
            return None
        key = self.order.choose(self.missing)
        if key is None:
            return None
        size = min(self._task_size(key), len(self.missing[key]))
        numbers = [self.missing[key].popleft() for _ in range(size)]
        return Task(self.points[key], numbers, alone=False)

    def _task_size(self, key):
        seconds = self.seconds[key]
        return FIRST_TASK if seconds is None else ceil(TASK_SECONDS / max(seconds, SHORTEST))

    def _receive(self, future: Future) -> Task | None:
        """Record what a task brought; the task, if its worker has died."""
        task = self.under_way.pop(future)
        if future.cancelled():
            raise RunFailed("the Dask scheduler has gone; what was recorded is safe")
        error = future.exception()
        if error is None:
            self._record(task.point, future.result())
            return None
        if self.pool.is_death(error):
            return task
        raise RunFailed("the workers cannot play: %s: %s" % (type(error).__name__, error))

    def _record(self, point: Point, records: list[dict[str, Any]]) -> None:
        self._check_code(point, records)
        self.store.add(point.key, point.match, records)
        self.played += len(records)
        seconds = [record["seconds"] for record in records if "seconds" in record]
        if seconds:
            self.seconds[point.key] = sum(seconds) / len(seconds)
        self._drop_decided([point.key])

    def _check_code(self, point, records):
        """Games of a point are of one code, also on a cluster of many machines."""
        for record in records:
            code = record.get("fingerprint")
            if code and self.codes.setdefault(point.key, code) != code:
                raise RunFailed(
                    "the workers do not have the same code: %s grows other trees on a machine with"
                    " %s; install one picograve everywhere" % (point.label, record["machine"])
                )

    def _play_again(self, lost):
        """Workers have died of these tasks, as far as one can tell."""
        if self.pool.falls_together:
            concurrent.futures.wait(self.under_way)  # at once, as none is left to work
            others = [self._receive(future) for future in list(self.under_way)]
            lost = lost + [task for task in others if task]
        self.pool.replace()
        for task in lost:
            if task.alone:
                self.deaths[task.point.key, task.numbers[0]] += 1
            for number in task.numbers:
                self._suspect(task.point, number)

    def _suspect(self, point, number):
        if self.deaths[point.key, number] < DEATHS:
            self.suspects.append(Task(point, [number], alone=True))
        else:
            self._record(point, [failure(number, "the worker died of it %d times" % DEATHS)])

    def _drop_decided(self, keys):
        """No more games of points that the SPRT has decided."""
        if self.sprt is None:
            return
        for key in keys:
            if self.missing[key] and self.sprt.decided_after(self.store.first_results(key)):
                self.wanted -= len(self.missing[key])
                self.missing[key].clear()

    def seconds_left(self) -> float | None:
        known = [seconds for seconds in self.seconds.values() if seconds is not None]
        if not known or not self.pool.size():
            return None
        mean = sum(known) / len(known)
        counts = Counter({key: len(numbers) for key, numbers in self.missing.items()})
        for task in [*self.under_way.values(), *self.suspects]:
            counts[task.point.key] += len(task.numbers)
        work = sum(count * (self.seconds[key] or mean) for key, count in counts.items())
        return work / self.pool.size()
