"""Strength, never without its interval: what must be stronger is, beyond doubt.

Fixed seeds, so a run cannot fail by chance: only by a change of the search.
"""

import pytest
from picograve import Budget, Config, Position, load
from picograve_host.match.game import play_game
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.rating import agresti_coull

GAMES = 24


def lower_bound(stronger, weaker):
    """Lower end of the 95 % interval for the first player's win rate, colours alternating."""
    game = load("go9")
    referee = Position(game)
    half_points = 0
    for index in range(GAMES):
        players = [
            DesktopPlayer(game, Config(search, playouts=playouts), Budget(nodes=nodes), seed)
            for seed, (search, playouts, nodes) in enumerate((stronger, weaker), 2 * index)
        ]
        if index % 2 == 0:
            half_points += play_game(players, referee)
        else:
            half_points += 2 - play_game(players[::-1], referee)
    centre, half_width = agresti_coull(half_points / 2, GAMES)
    return centre - half_width


@pytest.mark.parametrize(
    "stronger,weaker",
    [
        (("grave", 300, 300), ("uct", 300, 300)),
        (("grave", 800, 800), ("grave", 100, 100)),
        (("uct", 1200, 1200), ("uct", 100, 100)),
        (("graver2", 1600, 80), ("graver2", 200, 80)),
        (("grave2", 900, 60), ("uct2", 900, 60)),
    ],
    ids=[
        "grave beats uct",
        "more playouts beat fewer",
        "more playouts beat fewer in uct",
        "more playouts beat fewer in graver2",
        "grave2 beats uct2",
    ],
)
def test_the_stronger_wins(stronger, weaker):
    assert lower_bound(stronger, weaker) > 0.5


def test_the_interval_is_the_published_one():
    """Agresti and Coull's rule of thumb: two successes and two failures more, for 95 %."""
    centre, half_width = agresti_coull(8, 20)
    assert centre == pytest.approx((8 + 2) / (20 + 4), abs=0.003)
    assert half_width == pytest.approx(1.96 * (centre * (1 - centre) / 24) ** 0.5, abs=0.003)
