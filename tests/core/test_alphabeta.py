"""Alpha-beta: the value of plain minimax, within its limits, in its bytes."""

from array import array
from functools import cache

import pytest
from game_play import copied, listed_moves, new_state
from picograve import BadInput, Budget, Config, Position, load, open_search
from picograve.kernel import ITEM_BYTES, allocate

EVEN, WON = 32768, 60000
MVV = 0  # place in the heuristics of chess
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTING = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
PINNED = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


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


def quiet_minimax(game, state, depth, quiet):
    """The same, but in so many plies beyond the depth one may stand, or play a loud move."""
    if depth == 0 and quiet == 0:
        return minimax(game, state, 0)
    _, _, play, _, _ = game.rules
    moves = listed_moves(game, state)
    scores = []
    if not moves:
        return minimax(game, state, 0)
    if depth == 0:
        scores.append(minimax(game, state, 0))
        values = allocate("i", len(moves))
        game.appraise(state, copied(game, state), MVV, array("H", moves), len(moves), values)
        moves = [move for move, value in zip(moves, values, strict=True) if value]
    for move in moves:
        after = copied(game, state)
        play(after, move)
        left = (depth - 1, quiet) if depth else (0, quiet - 1)
        scores.append(2 * EVEN - quiet_minimax(game, after, *left))
    return max(scores)


@pytest.mark.parametrize("fen", [KIWIPETE, PROMOTING, PINNED])
def test_beyond_its_depth_it_looks_at_captures_until_none_is_left(fen):
    game = load("chess", fen=fen)
    for depth, quiet in ((1, 0), (1, 2), (2, 1)):
        config = Config("alphabeta", depth=depth, quiet=quiet, positions=10**6)
        searcher = open_search(game, config, Budget(nodes=500))
        searcher.search()
        assert score_of(searcher) == quiet_minimax(game, new_state(game), depth, quiet)


def test_an_exchange_is_looked_at_to_its_end():
    """The queen could take a pawn, and would be taken."""
    game = load("chess", fen="3rk3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1")
    taking = {}
    for quiet in (0, 4):
        searcher = open_search(game, Config("alphabeta", depth=1, quiet=quiet), Budget())
        taking[quiet] = searcher.search().move == "d2d7"
    assert taking == {0: True, 4: False}


@pytest.mark.parametrize(
    "game,depth,plies", [("othello", 5, 5), ("chess", 5, 13), ("chess", 30, 32)]
)
def test_plies_beyond_the_depth_take_bytes_where_a_game_knows_loud_moves(game, depth, plies):
    searcher = open_search(load(game), Config("alphabeta", depth=depth, quiet=8), Budget())
    assert sum(name.startswith("state_") for name, _, _ in searcher.ledger.rows) == plies


@cache
def minimax_after(game, moves, depth):
    """The same after these moves; a search with another table has the same to reach."""
    game = load(game)
    state = new_state(game)
    position = Position(game)
    for move in moves:
        position.play(move)
    for move in position.history:
        game.rules[2](state, move)
    return minimax(game, state, depth)


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
@pytest.mark.xdist_group("minimax")  # it is remembered
def test_the_score_is_plain_minimaxs(game, plies, depth, entries):
    for seed in (1, 2):
        moves = moves_of(game, plies, seed)
        searcher = searcher_of(game, depth, moves, seed=seed, nodes=entries)
        result = searcher.search()
        assert result.depth <= depth
        best = score_of(searcher)
        assert best == minimax_after(game, tuple(moves), result.depth)
        if best not in (WON, 2 * EVEN - WON):
            assert result.depth == depth or minimax_after(game, tuple(moves), depth) == best


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
