"""`picograve lab rescue`: saves what can be saved of a damaged database to a new one."""

import json
from argparse import Namespace
from pathlib import Path

from picograve import BadInput
from picograve.errors import RunFailed

from picograve_host.lab.play.rescue import rescued
from picograve_host.lab.play.store import APART, FILE, Store


def main(options: Namespace) -> int:
    damaged, folder = Path(options.file), Path(options.out)
    if damaged.is_dir():
        damaged /= FILE
    if (folder / FILE).exists():
        raise BadInput("%s has games already: give another --out" % folder)
    if not damaged.is_file():  # a device may never end
        raise BadInput("there is no file %s" % damaged)
    try:
        matches, games = rescued(damaged)
    except OSError as error:
        raise BadInput("cannot read %s: %s" % (damaged, error.strerror)) from None
    if not games:
        raise RunFailed("there is no game in %s" % damaged)
    with Store(folder, write=True) as store:
        for key in dict.fromkeys(place.partition(APART)[0] for place in games):
            of_match = {p: games[p] for p in games if p.partition(APART)[0] == key}
            store.put(key, matches.get(key, {}), of_match)
    count = sum(map(len, games.values()))
    report = dict(file=str(folder / FILE), games=count, matches=len(games))
    print(json.dumps(report) if options.json else "%(games)d games are in %(file)s" % report)
    return 0
