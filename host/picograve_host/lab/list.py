"""`picograve lab list`: the experiments that ship."""

import json

from picograve_host.lab.experiment import Experiment
from picograve_host.lab.source import shipped


def main(options):
    experiments = [Experiment(name) for name in shipped()]
    if options.json:
        print(json.dumps([
            dict(name=e.name, title=e.title, source=e.source, points=len(e.points), games=e.games)
            for e in experiments
        ]))  # fmt: skip
    else:
        for e in experiments:
            print("%-10s %3d points  %s (%s)" % (e.name, len(e.points), e.title, e.source))
    return 0
