"""`picograve lab run`: plays what is missing of an experiment, and says how it stands."""

import contextlib
import json
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import NoReturn

from picograve import BadInput

from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import MOST_GAMES
from picograve_host.lab.play.games import SEATS
from picograve_host.lab.play.progress import Progress
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import open_pool
from picograve_host.lab.report import table, tournament
from picograve_host.lab.report.plots import name_of_point
from picograve_host.players.factory import say_on_stderr
from picograve_host.players.kinds import kind_of, module_of
from picograve_host.rating import Sprt


def main(options: Namespace) -> int:
    experiment = experiment_of(options)
    games = games_of(options, experiment)
    sprt = sprt_of(options, experiment)
    shown = tournament if experiment.round_robin else table
    check_players(experiment)
    say_preset(options, experiment)
    with Store(options.out, write=True) as store:
        if options.retry:
            for point in experiment.points:
                store.forget_failures(point.key)

        def text():
            return shown.growing(experiment, shown.rows_of(experiment, store, games, sprt))

        progress = Progress(experiment, text)
        with open_pool(options.workers, options.scheduler) as pool:
            runner = Runner(experiment, store, pool, games, progress, sprt)
            with stopped_by_ctrl_c(runner):
                runner.run()
        progress.clear()
        rows = shown.rows_of(experiment, store, games, sprt)
        print(json.dumps(rows) if options.json else shown.as_text(experiment, rows))
        if not options.json:
            say_failures(experiment, store, games)
        fails = any(_fails(store.results(point.key, games)) for point in experiment.points)
    if runner.stopped:
        print("stopped: the same command goes on here", file=sys.stderr)
        leave()
    return 1 if fails else 0


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


def say_failures(experiment: Experiment, store: Store, games: int) -> None:
    for point in experiment.points:
        for number, error in store.errors(point.key, games)[:1]:
            failed = name_of_point(point), number, error
            print("%s, game %d failed: %s (--retry plays it again)" % failed)
