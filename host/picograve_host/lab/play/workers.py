"""Where games are played: processes of this machine, or a Dask cluster.

Both are executors of concurrent.futures, so that the runner knows only one way: a Pool.
"""

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Protocol

from picograve import BadInput
from picograve.errors import RunFailed

CONNECT_SECONDS = 10
PATIENCE = 60  # seconds without a worker
TICK = 0.5  # ... between two looks
# What a Dask cluster that plays games should be started with. By default each worker samples its
# own stack 100 times a second and ticks 50 times, and each time the game's thread has to wait:
# a tenth of the time is gone. As environment variables in host/README.md.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}


class Pool(Protocol):
    """Workers that take tasks."""

    falls_together: bool
    """Whether one worker's death is the death of all."""

    def size(self) -> int:
        """How many tasks can run at once."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future:
        """The future of a task."""

    def is_death(self, error: BaseException) -> bool:
        """Whether a future failed because its worker died."""

    def replace(self) -> None:
        """New workers after a death."""

    def close(self) -> None:
        """At once: games under way are lost, and played again another time."""


def wait_for_workers(pool: Pool) -> None:
    """A cluster's may be late, or all gone."""
    began = time.monotonic()
    while not pool.size():
        if time.monotonic() - began > PATIENCE:
            raise RunFailed("the cluster has had no worker for %d s: start some" % PATIENCE)
        time.sleep(TICK)


@contextlib.contextmanager
def open_pool(workers: int | None = None, scheduler: str | None = None) -> Iterator[Pool]:
    """The workers: `workers` processes here (one per core), or those of a Dask scheduler."""
    pool: Pool
    if scheduler:
        pool = ClusterPool(scheduler)
    else:
        pool = LocalPool(len(os.sched_getaffinity(0)) if workers is None else workers)
    try:
        yield pool
    finally:
        pool.close()


class LocalPool:
    """Processes on this machine. One that dies takes the whole executor along."""

    falls_together = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._open()

    def _open(self):
        # Spawned, not forked: a fork of a process with threads may hang.
        self.executor = concurrent.futures.ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), _follow_the_runner
        )

    def size(self) -> int:
        return self.workers

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future:
        with _deaf_to_ctrl_c():  # the first one starts the processes
            return self.executor.submit(function, *arguments)

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, concurrent.futures.BrokenExecutor)

    def replace(self) -> None:
        self.close()
        self._open()

    def close(self) -> None:
        processes = list((self.executor._processes or {}).values())
        self.executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:  # as kill_workers() does from Python 3.14 on
            process.kill()


@contextlib.contextmanager
def _deaf_to_ctrl_c():
    """What is started meanwhile never hears it, from its first moment on: a worker imports for
    seconds before it can say that Ctrl-C is the runner's."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow_the_runner():
    """In a worker: Ctrl-C is the runner's, and a worker whose runner is gone goes, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow():
        runner = multiprocessing.parent_process()
        assert runner  # a worker has one
        runner.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


class ClusterPool:
    """Workers of a Dask cluster, which replaces its dead by itself and gives a task up only
    after it has seen several die of it (distributed.scheduler.allowed-failures)."""

    falls_together = False

    def __init__(self, scheduler: Any) -> None:  # its address, or the cluster itself
        try:
            import distributed
        except ImportError:
            raise BadInput("Dask is missing: pip install 'picograve[cluster]'") from None
        self._killed = distributed.KilledWorker
        try:
            self.client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TypeError) as error:  # the last where a certificate is missing
            raise BadInput("no Dask scheduler at %s: %s" % (scheduler, error)) from None
        # A game must be played again when its worker died: two tasks are never the same.
        self.executor = self.client.get_executor(pure=False)

    def size(self) -> int:
        try:
            return sum(self.client.nthreads().values())
        except (OSError, TimeoutError) as error:
            raise RunFailed("the Dask scheduler does not answer: %s" % error) from None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future:
        return self.executor.submit(function, *arguments)

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, self._killed)

    def replace(self) -> None:
        """The cluster does."""

    def close(self) -> None:
        self.executor.shutdown(wait=False)
        self.client.close()
