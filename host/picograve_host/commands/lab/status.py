"""`picograve lab status`: what an experiment still lacks, and what it will take."""

import json
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from picograve_host.commands.lab.merge import told
from picograve_host.commands.lab.run import experiment_of, games_of
from picograve_host.lab.play import store as stores
from picograve_host.lab.play.store import Store
from picograve_host.lab.record import merge
from picograve_host.lab.record.fingerprint import fingerprint_of
from picograve_host.lab.report import status
from picograve_host.players.factory import say_on_stderr


def main(options: Namespace) -> int:
    experiment = experiment_of(options)
    games = games_of(options, experiment)
    with _games(options, [point.key for point in experiment.points]) as store:
        rows = status.status_of(experiment, store, games)
        claims = status.claims_of(experiment, store, games)
    if options.json:
        points, claimed = ([one._asdict() for one in found] for found in (rows, claims))
        print(json.dumps(dict(points=points, claims=claimed, **status.totals(rows))))
    else:
        print(status.as_text(rows, claims))
    return 0


@contextmanager
def _games(options: Namespace, keys: list[str]) -> Iterator[Store | None]:
    """All games that there are, as one store; None if there are none. Nothing is changed."""
    there = (Path(options.out) / stores.FILE).is_file()
    if not options.sources:
        yield Store(options.out) if there else None
        return
    paths = [Path(path) for path in ([options.out] if there else []) + options.sources]
    found = [source for path in paths for source in merge.sources(path)]
    with tempfile.TemporaryDirectory() as folder, Store(folder, write=True) as store:
        merged = merge.merge(store, found, lambda _, match: fingerprint_of(match), keys)
        for line in told(merged):
            say_on_stderr(line)
        yield store
