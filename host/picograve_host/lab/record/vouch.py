"""Games that do not say which code played them, because they are older than fingerprints: one of
each match is played again. If it is the same, move for move, all of them are taken for games of the
present code; else they stay as they are, and are named.
"""

from collections.abc import Iterator

from picograve_host.lab.play.games import play_games
from picograve_host.lab.play.store import Store
from picograve_host.lab.play.workers import Pool
from picograve_host.lab.record.digest import digest_in
from picograve_host.lab.record.fingerprint import SEATS
from picograve_host.players.engine import program_of


def vouch(store: Store, pool: Pool) -> Iterator[tuple[str, str, bool]]:
    """(key, version, whether its games are the present code's), as they are found out."""
    tasks = []
    for key, match in store.matches().items():
        for version in sorted(store.versions(key)):
            unknown = [
                game
                for game in store.records(key).get(key, [])
                if not game.keys() & {"fingerprint", "error"}
                and game["version"] == version
                and digest_in(game) is not None
            ]
            if unknown:
                _check_programs(match)
                game = min(unknown, key=lambda game: game["seconds"])
                task = pool.submit(play_games, match, [game["number"]])
                tasks.append((key, version, digest_in(game), task))
    for key, version, digest, task in tasks:
        (again,) = task.result()
        same = again.get("digest") == digest
        if same:
            store.stamp(key, version, again["fingerprint"])
        yield key, version, same


def _check_programs(match):
    """Somebody else may have written which programs these are."""
    for seat in SEATS:
        if command := match[seat].get("gtp") or match[seat].get("uci"):
            program_of(command.partition(";")[0], of_others=True)
