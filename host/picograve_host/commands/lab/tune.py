"""`picograve lab tune`: chooses settings of a player, and confirms the choice on fresh seeds."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from picograve import BadInput
from picograve.errors import RunFailed

from picograve_host.commands.lab.run import (
    check_players,
    experiment_of,
    leave,
    say_failures,
    say_preset,
    say_versions,
    stopped_by_ctrl_c,
    take_over,
)
from picograve_host.lab.plan.source import RANGES
from picograve_host.lab.plan.tuning import Tuning
from picograve_host.lab.play.progress import Progress
from picograve_host.lab.play.rounds import Round, rounds, winner_of
from picograve_host.lab.play.runner import Runner
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import Pool, open_pool
from picograve_host.lab.record import text
from picograve_host.lab.report import report, table, tuned
from picograve_host.players.factory import say_on_stderr

GIVEN = ("games", "tries", "confirm")  # options that stand above the file's [tune]


def main(options: Namespace) -> int:
    experiment = experiment_of(options)
    tuning = Tuning(experiment, **{name: _given(options, name) for name in GIVEN})
    check_players(experiment)
    say_preset(options, experiment)
    for at, reason in tuning.skipped:
        say_on_stderr("left out: %s: %s" % (tuned.in_words(at), reason))
    with Store(options.out, write=True) as store:
        say_versions(tuning.field, store)
        with open_pool(options.workers, options.scheduler) as pool:
            finished = _play_all(tuning, store, pool, options)
        if not finished:
            print("stopped: the same command goes on here", file=sys.stderr)
            leave()
        findings = tuned.gather(tuning, store, options)
        last = tuned.confirmation(tuning, winner_of(tuning, store))
        recorded = text.of_points(store, [*tuning.field, *last.field])
    folder = Path(options.out) / report.folder_name(experiment)
    try:
        paths = tuned.write(findings, folder)
        paths += report.write_texts({text.FILE: recorded}, folder)
    except OSError as error:
        raise RunFailed(
            "the report cannot be written to %s: %s" % (folder, error.strerror)
        ) from None
    if options.json:
        print(json.dumps(tuned.as_data(findings)))
    else:
        print(*paths, "", tuned.as_text(findings), sep="\n")
    return 0


def _given(options, name):
    value = getattr(options, name)
    least, most = RANGES[name]
    if value is not None and not least <= value <= most:
        raise BadInput("--%s must be %d to %d, not %d" % (name, least, most, value))
    return value


def _play_all(tuning: Tuning, store: Store, pool: Pool, options: Namespace) -> bool:
    """Round by round, then the confirmation: what is missing of each. False if it was stopped."""
    for one in rounds(tuning, store):
        if not _play(tuning, store, pool, one, "round %d" % one.number, options):
            return False
    last = tuned.confirmation(tuning, winner_of(tuning, store))
    return _play(tuning, store, pool, last, "confirmation", options)


def _play(tuning, store, pool, one: Round, name, options):
    """Whether it came to its end."""
    part = tuning.experiment.part("%s, %s" % (tuning.experiment.name, name), one.field)
    if options.retry:
        for point in part.points:
            store.forget_failures(point.key)

    def text():
        return table.growing(part, table.rows_of(part, store, one.games))

    take_over(part, store, pool, options.sources)
    with Progress(part, text) as progress:
        runner = Runner(part, store, pool, one.games, progress)
        with stopped_by_ctrl_c(runner):
            runner.run()
    if runner.stopped:
        if not options.json:
            print(part.name, text(), sep="\n")
        return False
    if not options.json:
        say_failures(part, store, one.games)
    results = [store.results(point.key, one.games) for point in part.points]
    if all(half_points is None for played in results for half_points in played):
        raise RunFailed("no game of %s could be played" % part.name)
    return True
