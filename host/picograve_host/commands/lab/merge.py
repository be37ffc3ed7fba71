"""`picograve lab merge`: games of several machines and sessions in one store."""

import json
from argparse import Namespace
from pathlib import Path

from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import open_pool
from picograve_host.lab.record import merge
from picograve_host.lab.record.fingerprint import fingerprint_of
from picograve_host.lab.record.vouch import vouch
from picograve_host.players.factory import say_on_stderr


def main(options: Namespace) -> int:
    found = [source for path in options.sources for source in merge.sources(Path(path))]
    with Store(options.out, write=True) as store, open_pool() as pool:

        def present(_, match):
            return pool.submit(fingerprint_of, match).result()

        merged = merge.merge(store, found, present)
        if options.vouch:
            _vouch(store, pool)
            merged = merge.merge(store, [], present)._replace(new=merged.new)
    if options.json:
        print(json.dumps(merged._asdict()))
    else:
        counted = "%d games in %s, %d of them new" % (merged.games, options.out, merged.new)
        print(counted, *told(merged), sep="\n")
    return 0


def told(merged: merge.Merged) -> list[str]:
    """What nobody should overlook, in lines."""
    lines = []
    if merged.apart:
        lines.append("%d games of other code are kept apart: no table counts them" % merged.apart)
    if merged.unknown:
        lines.append(
            "%d games do not say which code played them: lab merge --vouch finds out"
            % merged.unknown
        )
    return lines


def _vouch(store, pool):
    for key, version, same in vouch(store, pool):
        verdict = "as played by" if same else "NOT as played by"
        say_on_stderr("games of match %s, version %s: %s this code" % (key, version, verdict))
