"""May games end before their end? What rules of giving up would have done to recorded games.

    picograve lab run to-the-end --scale 0.1
    python tests/support/giving_up.py out/lab

Reads games that were played to the end (no `resign`) by players who take turns. A rule is the lab's
(is_hopeless in match/game.py) with one chance at which a player gives up. Prints for each how many
games it would have ended early, in how many of these the one who gives up won or drew after all,
and what share of all moves would not have been played. Chances are recorded in whole per cent.
"""

import sys

from picograve.errors import BadInput, RunFailed
from picograve.value import WIN
from picograve_host.lab.play.store import Store
from picograve_host.match.game import is_hopeless

MARGINS = (0.01, 0.02, 0.03, 0.05, 0.1)


def given_up(values, margin):
    """(moves played, who gives up) by the values of a game's moves, or None to the end."""
    seen = [], []
    for ply, value in enumerate(values):
        seen[ply % 2].append(value / 100)
        if is_hopeless(seen, ply % 2, margin):
            return ply, ply % 2
    return None


def games_of(store):
    """(values, points of the one who moved first) of each game that nobody gave up."""
    for key, match in store.matches().items():
        if "resign" not in match:
            for record in store.records(key).get(key, []):
                if "values" in record:
                    points = record["half_points"]
                    first = points if record["number"] % 2 == 0 else WIN - points
                    yield [int(value) for value in record["values"].split()], first


def main(folder):
    games = list(games_of(Store(folder)))
    moves = sum(len(values) for values, _ in games)
    print("%d games, %d moves" % (len(games), moves))
    print("gives up at  games that end  wrongly  moves saved")
    for margin in MARGINS:
        ends = [(values, first, given_up(values, margin)) for values, first in games]
        early = [(values, first, *end) for values, first, end in ends if end]
        wrong = sum(first != WIN * loser for _, first, _, loser in early)
        saved = sum(len(values) - ply for values, _, ply, _ in early)
        print("%9.0f %%  %14d  %7d  %9.1f %%" % (
            100 * margin, len(early), wrong, 100 * saved / moves
        ))  # fmt: skip


if __name__ == "__main__":
    try:
        main(*sys.argv[1:] or ["out/lab"])
    except (BadInput, RunFailed) as error:
        sys.exit("picograve: %s" % error)
