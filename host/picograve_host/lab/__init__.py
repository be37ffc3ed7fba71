"""`picograve lab`: experiments that show what a byte buys in strength.

    list    the experiments that ship
    run     plays what is missing of an experiment, and says how it stands
    report  writes the page: table, plots, the paper's figures beside ours
    bench   what the harness itself costs

experiment.py makes points of a file (source.py, resolve.py), games.py plays one game, runner.py
all of them on the workers of workers.py, store.py keeps them, table.py counts, tournament.py for
round robins, report.py writes (results.py, page.py) and plots.py draws (outcomes.py, choices.py).
"""

import importlib


def main(options):
    return importlib.import_module("picograve_host.lab." + options.action).main(options)
