"""Alpha-beta: the value of plain minimax, within its limits, in its bytes."""

import pytest
from game_play import copied, listed_moves, new_state
from picograve import BadInput, Budget, Config, load, open_search
from picograve.kernel import ITEM_BYTES

EVEN, WON = 32768, 60000


def searcher_of(game, depth, moves=(), positions=10**6, seed=1, **budget):
    config = Config("alphabeta", depth=depth, positions=positions)
    searcher = open_search(load(game), config, Budget(**budget), seed)
    searcher.set_position(moves)
    return searcher


def score_of(searcher):
    ((_, weight, points),) = searcher._root_moves()
    assert weight == EVEN
    return points


def minimax(game, state, depth):
    """The score for the player to move, with no table, no order and no cuts."""
    _, _, play, _, outcome = game.rules
    moves = listed_moves(game, state)
    sign = 1 - 2 * int(state[0])
    if not moves:
        return EVEN + sign * (WON - EVEN) * (outcome(state) - 1)
    if depth == 0:
        return EVEN + sign * game.evaluate(state)
    scores = []
    for move in moves:
        after = copied(game, state)
        play(after, move)
        scores.append(2 * EVEN - minimax(game, after, depth - 1))
    return max(scores)


def moves_of(game, count, seed):
    """The first moves of a random game, as texts."""
    searcher = open_search(load(game), Config("policy"), Budget(), seed)
    for _ in range(count):
        searcher.play(searcher.search().move)
    return searcher.moves


@pytest.mark.parametrize(
    ("game", "plies", "depth"),
    [("othello", 0, 4), ("othello", 10, 3), ("othello", 40, 3), ("othello", 54, 7),
     ("hex3", 2, 7), ("hex4", 4, 4), ("hex5", 8, 3), ("ttt3", 0, 9), ("ttt4", 6, 4)],
)  # fmt: skip
@pytest.mark.parametrize("entries", [1, 7, 5000])
def test_the_score_is_plain_minimaxs(game, plies, depth, entries):
    for seed in (1, 2):
        moves = moves_of(game, plies, seed)
        searcher = searcher_of(game, depth, moves, seed=seed, nodes=entries)
        result = searcher.search()
        assert result.depth <= depth
        state = new_state(searcher.game)
        _, _, play, _, _ = searcher.game.rules
        for move in searcher.history:
            play(state, move)
        best = score_of(searcher)
        assert best == minimax(searcher.game, state, result.depth)
        if best not in (WON, 2 * EVEN - WON):
            assert result.depth == depth or minimax(searcher.game, state, depth) == best


def test_tic_tac_toe_is_a_draw():
    searcher = searcher_of("ttt3", 9)
    assert searcher.search().value == 0.5
    assert score_of(searcher) == EVEN


def test_a_win_in_two_is_seen_and_ends_the_deepening():
    searcher = searcher_of("ttt3", 9, ["B2", "B1", "A1", "C1"])
    result = searcher.search()
    assert (result.move, result.depth) == ("C3", 1)
    assert score_of(searcher) == WON


def test_a_deeper_search_stops_at_its_limit_and_tells_how_deep_it_got():
    searcher = searcher_of("hex11", 10, positions=5000)
    result = searcher.search()
    assert result.playouts == 5000
    assert 1 <= result.depth < 10
    searcher.play(result.move)


def test_a_limit_of_one_position_gives_a_move():
    searcher = searcher_of("othello", 10, positions=1)
    result = searcher.search()
    assert (result.playouts, result.depth) == (1, 0)
    searcher.play(result.move)


def test_slices_give_the_same_search():
    whole = searcher_of("othello", 5).search()
    sliced = searcher_of("othello", 5)
    sliced.start()
    while sliced.run(7):
        pass
    assert sliced.result() == whole


def test_a_second_search_starts_from_nothing():
    searcher = searcher_of("othello", 4)
    first = searcher.search()
    assert searcher.search() == first


def test_the_table_saves_positions():
    with_table = searcher_of("othello", 6, nodes=50000).search()
    without = searcher_of("othello", 6, nodes=1).search()
    assert with_table.playouts < without.playouts


def test_seeds_choose_among_equal_moves():
    assert len({searcher_of("othello", 1, seed=seed).search().move for seed in range(20)}) > 1


@pytest.mark.parametrize("size", [12000, 30000])
def test_the_ledger_is_what_is_allocated_and_fits_the_budget(size):
    searcher = searcher_of("othello", 6, bytes=size)
    allocated = sum(
        len(searcher.buffers[name]) * ITEM_BYTES[kind] for name, kind, _ in searcher.ledger.rows
    )
    assert size - 10 < searcher.ledger.total_bytes == allocated <= size


def test_a_budget_too_small_is_refused_with_the_least_that_will_do():
    with pytest.raises(BadInput, match="alphabeta of depth 10 on othello needs at least"):
        searcher_of("othello", 10, bytes=100)


def test_a_table_too_large_is_refused_and_bytes_beyond_it_are_left():
    with pytest.raises(BadInput, match="alphabeta takes 1 to 4194304 entries, not 5000000"):
        Budget(nodes=5000000).ledger(load("ttt3"), Config("alphabeta"))
    assert Budget(bytes=10**9).ledger(load("ttt3"), Config("alphabeta")).nodes == 4194304


@pytest.mark.parametrize("depth", [0, 33])
def test_a_depth_out_of_bounds_is_refused(depth):
    with pytest.raises(BadInput, match="depth must be 1 to 32"):
        searcher_of("ttt3", depth)


def test_playouts_are_refused():
    with pytest.raises(BadInput, match="alphabeta makes no playouts"):
        Config("alphabeta", playouts=100)
