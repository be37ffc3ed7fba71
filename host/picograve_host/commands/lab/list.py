"""`picograve lab list`: the experiments that ship, by series."""

import itertools
import json
from argparse import Namespace

from picograve_host.lab.plan.experiment import Experiment
from picograve_host.lab.plan.source import shipped
from picograve_host.lab.plan.tuning import Tuning
from picograve_host.words import in_lines


def main(options: Namespace) -> int:
    experiments = [Experiment(name) for name in shipped()]
    if options.json:
        print(json.dumps([
            dict(name=e.name, series=e.series, title=e.title, source=e.source,
                 points=len(e.points), games=e.games, tries=_tries(e))
            for e in experiments
        ]))  # fmt: skip
    else:
        print(_text(experiments))
    return 0


def _tries(experiment):
    """How many configurations `lab tune` tries; None of an experiment that has no [tune]."""
    return len(Tuning(experiment).tries) if experiment.tune else None


def _text(experiments):
    """A heading for each series, and its experiments."""
    width = max(len(e.name) for e in experiments)
    by_series = sorted(experiments, key=lambda e: e.series)
    lines = []
    for series, group in itertools.groupby(by_series, key=lambda e: e.series):
        lines += ["", series or "Others"]
        for e in group:
            size = "%d %s" % (len(e.points), "pairs" if e.round_robin else "points")
            size = "%d tries" % _tries(e) if e.tune else size
            text = "  %-*s %9s  %s (%s)" % (width, e.name, size, e.title, e.source)
            lines.append(in_lines(text, indent=width + 14))
    return "\n".join(lines[1:])
