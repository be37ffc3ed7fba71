"""Crossing without codes: AMAF and MAST know nothing of its moves."""

from picograve.kernel import int, micropython

from toys import crossing
from toys.crossing import playout as play_at_random


@micropython.viper
def playout(state, rng, trace, length: int, order, epsilon: int) -> int:
    return int(play_at_random(state, rng, trace, length, order, 65536))


class Game(crossing.Game):
    rules = crossing.Game.rules[:3] + (playout, crossing.outcome)
    codes = None
    code_count = 0
