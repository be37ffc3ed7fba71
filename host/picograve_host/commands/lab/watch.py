"""`picograve lab watch`: the report of an experiment on a page, as its games come in."""

from argparse import Namespace

from picograve import BadInput
from picograve_tools.cache import ToolMissing, package, say_on_stderr

from picograve_host.commands.lab.run import experiment_of, games_of, sprt_of
from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import shipped
from picograve_host.lab.play.store import Store
from picograve_host.lab.report.report import ALL_GAMES
from picograve_host.play import serving


def main(options: Namespace) -> int:
    serving.need_packages()
    from picograve_host.play.lab import LabPages

    if options.experiment is None:
        options.experiment = _last_played(options)
    experiment = experiment_of(options)
    games = ALL_GAMES if options.games is None else games_of(options, experiment)
    sprt = sprt_of(options, experiment)
    plots = _can_draw()
    return serving.serve(
        lambda guard: LabPages(guard, experiment, games, sprt, options, plots), options
    )


def _last_played(options):
    """The experiment that ships and has the last game of the store."""
    with Store(options.out) as store:
        key = store.last_key()
    for name in shipped():
        experiment = Experiment(name, options.preset, options.scale, options.seed)
        if key in [point.key for point in experiment.points]:
            return name
    raise BadInput(
        "the last game in %s is of no experiment that ships, as it is without --scale and"
        " --preset: name yours" % options.out
    )


def _can_draw():
    try:
        package("matplotlib", "lab")
    except ToolMissing as missing:
        say_on_stderr("tables without plots, because %s" % missing)
        return False
    return True
