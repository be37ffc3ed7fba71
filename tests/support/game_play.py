"""What the tests of every game need: states, lists of moves, playouts, an order by MAST."""

from functools import cache

from picograve import load, rng
from picograve.games import codes_of
from picograve.kernel import allocate
from picograve.mcts.playout import mast

UNIFORM = 65536  # epsilon of a playout that looks at no order


def new_state(game):
    state = allocate("B", game.state_bytes)
    game.reset(state)
    return state


def copied(game, state):
    copy, _, _, _, _ = game.rules
    twin = allocate("B", game.state_bytes)
    copy(twin, state)
    return twin


def all_moves(game):
    return [move for move in range(game.move_limit) if game.code(move) is not None]


def legal_moves(game, state):
    """By the full rules."""
    return [move for move in all_moves(game) if game.legal(state, move)]


def listed_moves(game, state):
    """Those worth a search, in the order that the search sees."""
    _, moves, _, _, _ = game.rules
    out = allocate("H", game.code_count)
    count = moves(state, out)
    return [int(move) for move in out[:count]]


def playout_of(game, state, seed, order=None, epsilon=UNIFORM):
    """Play a state out; the moves."""
    _, _, _, playout, _ = game.rules
    numbers = allocate("i", 2)
    rng.start(numbers, seed)
    trace = allocate("H", game.move_cap + 1)
    trace[0] = 12345  # stands for the moves before the playout
    order = allocate("H", 0) if order is None else order
    length = playout(state, numbers, trace, 1, order, epsilon)
    assert trace[0] == 12345
    return [int(note) & 32767 for note in trace[1:length]]  # without who made it


@cache
def mast_order(name, playouts=10):
    """Both players' moves in the order that MAST has learned from a few playouts."""
    game = load(name)
    _, _, _, playout, outcome = game.rules
    codes = allocate("H", game.move_limit)
    codes_of(game, codes)
    stats = allocate("H", 4 * game.code_count)
    order = allocate("H", 2 * game.code_count)
    mast.clear(stats, order, codes, game.move_limit, game.code_count)
    numbers = allocate("i", 2)
    rng.start(numbers, 1)
    trace = allocate("H", game.move_cap)
    for _ in range(playouts):
        state = new_state(game)
        length = playout(state, numbers, trace, 0, order, UNIFORM)
        points = outcome(state)
        for note in map(int, trace[:length]):
            place = 2 * ((note >> 15) * game.code_count + int(codes[note & 32767]))
            stats[place] += 1
            stats[place + 1] += 2 - points if note >> 15 else points
        mast.rank(stats, order, codes, game.code_count)
    return order
