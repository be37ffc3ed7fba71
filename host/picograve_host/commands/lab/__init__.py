"""`picograve lab`: experiments that show what a byte buys in strength.

list    the experiments that ship
run     plays what is missing of an experiment, and says how it stands
tune    chooses settings of a player, and confirms the choice
report  writes the page: table, plots, the paper's figures beside ours
bench   what the harness itself costs
"""

import importlib
from argparse import Namespace


def main(options: Namespace) -> int:
    return importlib.import_module("picograve_host.commands.lab." + options.action).main(options)
