"""What a command line may hold: the door of whoever types (picograve_host.outside).

Every word is checked before it is looked at, every number for its range: argparse calls `whole` and
`number`. Settings of searches have their ranges in the core's table (picograve.settings).
"""

import argparse
import math
from collections.abc import Callable, Sequence

from picograve_host.outside import clean

LONGEST_WORD = 10_000  # letters: 1,000 moves of a game, and more
MOST_DIGITS = 30  # of a number: no range of ours has more than ten
MOST_GAMES = 10**6  # of a match: weeks
MOST_ROUNDS = 1000  # of a benchmark: days
MOST_WORKERS = 1000  # processes: no machine has more cores for them
MOST_SECONDS = 86400  # for a move: a day
MOST_MHZ = 10_000


def check_words(words: Sequence[str]) -> None:
    """Refuse words that no option could mean; ValueError."""
    for word in words:
        if len(word) > LONGEST_WORD:
            raise ValueError("%s has more than %d letters" % (clean(word, 30), LONGEST_WORD))
        if not all(c.isprintable() or c in "\n\t" for c in word):
            raise ValueError("%s has control characters" % clean(word, 60))
        if word.endswith("=--"):  # which argparse takes for an empty list
            raise ValueError("%s: -- is no value" % clean(word, 60))


def whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """A type for argparse: a whole number in this range; without one, others know it."""

    def parse(text: str) -> int:
        try:
            if len(text) > MOST_DIGITS:
                raise ValueError
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError("invalid int value: %s" % clean(text, 60)) from None
        _check(value, least, most)
        return value

    return parse


def number(least: float | None = None, most: float | None = None) -> Callable[[str], float]:
    """A type for argparse: a number in this range; without one, others know it."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError("invalid number: %s" % clean(text, 60)) from None
        _check(value, least, most)
        return value

    return parse


def _check(value, least, most):
    if least is not None and not least <= value <= (math.inf if most is None else most):
        raise argparse.ArgumentTypeError("must be %s to %s, not %s" % (least, most, value))
