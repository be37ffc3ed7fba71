"""`picograve lab run`: plays what is missing of an experiment, and says how it stands."""

import contextlib
import json
import os
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

from picograve import BadInput, __version__
from picograve.errors import RunFailed

from picograve_host.commands.lab.merge import told
from picograve_host.lab.plan.experiment import Experiment, Point
from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.play.games import SEATS
from picograve_host.lab.play.order import ByPrecision
from picograve_host.lab.play.progress import Progress
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import Pool, open_pool, wait_for_workers
from picograve_host.lab.record import merge
from picograve_host.lab.record.fingerprint import fingerprint_of
from picograve_host.lab.report import table, tournament
from picograve_host.lab.report.plots import name_of_point
from picograve_host.players.factory import say_on_stderr
from picograve_host.players.kinds import kind_of, module_of
from picograve_host.rating import EQUAL_FROM, Sprt

MOST_ELO = 10_000  # beyond this, one in 10^25 games is lost


def main(options: Namespace) -> int:
    experiment = experiment_of(options)
    games = games_of(options, experiment)
    sprt = sprt_of(options, experiment)
    ends = _ends(options)
    shown = tournament if experiment.round_robin else table
    check_players(experiment)
    say_preset(options, experiment)
    with Store(options.out, write=True) as store:
        say_versions(experiment.points, store)
        if options.retry:
            for point in experiment.points:
                store.forget_failures(point.key)

        def text():
            return shown.growing(experiment, shown.rows_of(experiment, store, games, sprt))

        with (
            open_pool(options.workers, options.scheduler) as pool,
            Progress(experiment, text) as progress,
        ):
            take_over(experiment, store, pool, options.sources)
            order = _order(options, experiment, store, games)
            runner = Runner(experiment, store, pool, games, progress, sprt, order, ends)
            with stopped_by_ctrl_c(runner):
                runner.run()
        rows = shown.rows_of(experiment, store, games, sprt)
        print(json.dumps(rows) if options.json else shown.as_text(experiment, rows))
        if not options.json:
            say_failures(experiment, store, games)
        fails = any(_fails(store.results(point.key, games)) for point in experiment.points)
    if runner.is_late:
        say_on_stderr("the time is up: the same command goes on here")
    if runner.stopped:
        print("stopped: the same command goes on here", file=sys.stderr)
        leave()
    return 1 if fails else 0


def take_over(experiment: Experiment, store: Store, pool: Pool, paths: Sequence[str] = ()) -> None:
    """Bring games from elsewhere, and keep apart those of other code than the workers have."""
    points = {point.key: point for point in [*experiment.points, experiment.self_point] if point}
    found = [source for path in paths for source in merge.sources(Path(path))]
    futures = {}
    if found or any(store.fingerprints(key) - {None} for key in points):
        wait_for_workers(pool)
        futures = {
            key: pool.submit(fingerprint_of, point.match, experiment.game_of(point).file)
            for key, point in points.items()
        }

    def present(key, _):
        return futures[key].result()

    try:
        merged = merge.merge(store, found, present, list(points), always=bool(futures))
    except Exception as error:
        if not pool.is_death(error):
            raise
        raise RunFailed("a worker died before the first game: the same command goes on") from None
    for line in told(merged):
        say_on_stderr(line)


def _order(options, experiment, store, games):
    if options.order == "turns":
        return None
    # Where there is one opponent, the question is who is its equal.
    threshold = EQUAL_FROM if experiment.self_point else None
    return ByPrecision(store, games, threshold)


def _ends(options):
    """The time from which on no game begins, as time.time() has it."""
    if options.hours is not None:
        if not options.hours > 0:
            raise BadInput("--hours must be more than 0, not %g" % options.hours)
        return time.time() + 3600 * options.hours
    if options.until is None:
        return None
    try:
        clock = datetime.strptime(options.until, "%H:%M")
    except ValueError:
        raise BadInput("--until takes a time such as 02:00, not %s" % options.until) from None
    now = datetime.now()
    ends = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return (ends if ends > now else ends + timedelta(days=1)).timestamp()


def _fails(results):
    """Whether a point has been played and no game could be."""
    return bool(results) and all(half_points is None for half_points in results)


@contextlib.contextmanager
def stopped_by_ctrl_c(runner: Runner) -> Iterator[None]:
    """The first Ctrl-C lets the runner end in good order, a second one breaks off."""

    def stop(*_):
        runner.stopped = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def leave() -> NoReturn:
    """End at once: the executor's thread may wait for a worker that was killed in mid-answer."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def experiment_of(options: Namespace) -> Experiment:
    if not 0 < options.scale <= 1:
        raise BadInput("--scale must be more than 0 and at most 1, not %g" % options.scale)
    experiment = Experiment(options.experiment, options.preset, options.scale, options.seed)
    if experiment.tune and options.action != "tune":
        raise BadInput(
            "%s has [tune]: picograve lab tune %s" % (experiment.path.name, options.experiment)
        )
    return experiment


def games_of(options: Namespace, experiment: Experiment) -> int:
    games = experiment.games if options.games is None else options.games
    if not 1 <= games <= MOST_GAMES:
        raise BadInput("--games must be 1 to %d, not %d" % (MOST_GAMES, games))
    return games


def sprt_of(options: Namespace, experiment: Experiment) -> Sprt | None:
    if options.sprt is None:
        return None
    if experiment.round_robin or experiment.plays_itself or experiment.plot.get("outcomes"):
        raise BadInput(
            "--sprt finds out who is stronger of two: %s plays all its games" % experiment.name
        )
    try:
        elo0, elo1 = map(float, options.sprt.split(","))
        if not max(abs(elo0), abs(elo1)) <= MOST_ELO:  # nor nan
            raise ValueError
    except ValueError:
        raise BadInput("--sprt takes two numbers: --sprt=-20,20, not %s" % options.sprt) from None
    if elo0 >= elo1:
        raise BadInput("--sprt: the first must be the smaller: --sprt=-20,20")
    return Sprt(elo0, elo1)


def check_players(experiment: Experiment) -> None:
    """Refuse who cannot play here before anything is played."""
    for point in experiment.points:
        for seat in SEATS:
            data = point.match[seat]
            try:
                module_of(data).check(data, experiment.game_of(point))
            except BadInput as error:
                label = {"player": point.label, "opponent": point.against}[seat]
                where = ("players", label) if label else ("opponent",)
                experiment.source_file.refuse((*where, kind_of(data)), str(error))


def say_preset(options: Namespace, experiment: Experiment) -> None:
    """Say which preset searches have if nobody names one."""
    if options.preset is None and "preset" not in experiment.source_file.entries:
        say_on_stderr(
            "%s names no preset: searches have `paper` (think and match: `strong`)"
            % experiment.path.name
        )


def say_versions(points: Sequence[Point], store: Store) -> None:
    """Say that games of other versions are there and count."""
    others = set().union(*(store.versions(point.key) for point in points)) - {__version__}
    if others:
        say_on_stderr(
            "games that picograve %s has played count as well" % ", ".join(sorted(map(str, others)))
        )


def say_failures(experiment: Experiment, store: Store, games: int) -> None:
    for point in experiment.points:
        for number, error in store.errors(point.key, games)[:1]:
            failed = name_of_point(point), number, error
            print("%s, game %d failed: %s (--retry plays it again)" % failed)
