"""Crossing in which a distance walked in all, counted up to ten and then from nought again, must
not come twice: a rule of repetition for moves that a tree knows by their places in a list.
"""

from picograve.kernel import int, micropython, ptr8, ptr16, ptr32

from toys import crossing
from toys.crossing import copy, play


@micropython.viper
def key(s: ptr8) -> int:
    return (s[7] + s[8]) % 11


@micropython.viper
def repetitions(state, work, keys: ptr32, now: int, moves: ptr16, count: int) -> int:
    kept = 0
    for i in range(count):
        copy(work, state)
        play(work, int(moves[i]))
        after = int(key(work))
        again = 0
        for j in range(now):
            if keys[j] == after:
                again = 1
        if again != 0:
            moves[kept] = moves[i]
            kept += 1
    return kept


class Game(crossing.Game):
    key = staticmethod(key)
    repetitions = staticmethod(repetitions)
