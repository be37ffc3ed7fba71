"""`picograve lab`: experiments that show what a byte buys in strength.

list    the experiments that ship
run     plays what is missing of an experiment, and says how it stands
status  says what an experiment still lacks, and what it will take
merge   brings games of several machines and sessions into one store
tune    chooses settings of a player, and confirms the choice
watch   shows the page in a browser while games are played
report  writes the page: table, plots, the paper's figures beside ours
claims  writes what a paper claims beside all that was recorded
rescue  saves what can be saved of a damaged database
bench   what the harness itself costs
"""

import importlib
from argparse import Namespace


def main(options: Namespace) -> int:
    return importlib.import_module("picograve_host.commands.lab." + options.action).main(options)
