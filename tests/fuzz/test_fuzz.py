"""Each way in, fuzzed for a second or two with fixed seeds; `make fuzz` goes on for hours."""

import pytest
from hypothesis import HealthCheck, given, settings
from micropython_board import Board
from targets import TARGETS

EXAMPLES = {
    "answers": 40,
    "requests": 40,
    "to-board": 60,
    "to-host": 40,
    "words": 20,
    "stores": 40,
    "uci": 50,
    "page": 50,
}
CALM = dict(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def tried(strategy, target, examples):
    @settings(max_examples=examples, **CALM)
    @given(strategy)
    def once(drawn):
        target(drawn)

    once()


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_arrives_is_taken_or_refused_in_one_line(name):
    tried(*TARGETS[name], EXAMPLES.get(name, 100))


def test_whatever_arrives_at_micropython_it_never_comes_to_the_repl(sim):
    board = Board(*sim)
    for strategy, target in board.targets().values():
        tried(strategy, target, 25)
    board.close()
