"""The pools: recycling, tables, reuse, ageing; checked between playouts on the real search."""

from fractions import Fraction
from math import isqrt, log

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from picograve import TREE_SEARCHES, Budget, Config, Searcher, load
from picograve.kernel import allocate, group
from picograve.mcts import search, tree
from picograve.mcts.select import grave, rave, uct
from tree_state import NONE, check, pool, reachable

RECYCLING = [name for name in TREE_SEARCHES if name.rstrip("2").endswith("r")]


def searcher_of(game="go5", search="graver", nodes=20, seed=1, tables=None, **settings):
    config = Config.tolerant(search, **settings)
    return Searcher(load(game), config, Budget(nodes=nodes, tables=tables), seed)


def run_checked(searcher, playouts):
    searcher.start()
    for _ in range(playouts):
        assert searcher.run(1) == 1
        check(searcher)


@pytest.mark.parametrize("search", RECYCLING)
def test_lru_invariant_holds_after_every_playout_of_a_long_recycling_search(search):
    searcher = searcher_of(search=search, nodes=24, playouts=1500)
    run_checked(searcher, 1500)
    assert searcher.result().nodes_recycled > 100


@settings(deadline=None, max_examples=60)
@given(
    game=st.sampled_from(["go5", "ttt3", "ttt4"]),
    search=st.sampled_from(TREE_SEARCHES),
    nodes=st.integers(3, 40),
    share=st.floats(0.05, 0.95),
    recycling=st.sampled_from(["top", "second", "both"]),
    policy=st.sampled_from(["uniform", "mast"]),
    table_after=st.integers(0, 5),
    tables=st.one_of(st.none(), st.integers(1, 40)),
    seed=st.integers(0, 2**30 - 1),
)
@example("go5", "graver2", 3, 0.5, "both", "mast", 0, None, 1)
@example("go5", "graver2", 40, 0.5, "both", "uniform", 0, 2, 1)
def test_no_setting_loses_a_node_or_a_table(
    game, search, nodes, share, recycling, policy, table_after, tables, seed
):
    searcher = searcher_of(
        game, search, nodes, seed, tables, playouts=120, share=share, recycling=recycling,
        playout_policy=policy, table_after=table_after,
    )  # fmt: skip
    run_checked(searcher, 120)
    assert searcher.result().playouts == 120


@pytest.mark.parametrize("search", TREE_SEARCHES)
def test_the_smallest_pool_still_finds_a_legal_move(search):
    nodes = 3 if search.endswith("2") else 2
    searcher = searcher_of(search=search, nodes=nodes, playouts=300)
    run_checked(searcher, 300)
    searcher.play(searcher.result().move)


@pytest.mark.parametrize("search", TREE_SEARCHES)
def test_a_root_with_more_moves_than_nodes_is_searched(search):
    searcher = searcher_of("go9", search, nodes=40, playouts=600)
    run_checked(searcher, 600)
    assert searcher.is_over is False
    searcher.play(searcher.result().move)


def test_a_full_pool_that_does_not_recycle_keeps_its_tree():
    searcher = searcher_of(search="grave", nodes=20, playouts=400)
    searcher.start()
    searcher.run(60)
    shape = [int(move) for move in searcher.buffers["node_move"]]
    searcher.run(340)
    assert [int(move) for move in searcher.buffers["node_move"]] == shape
    assert len(reachable(searcher, 0)) == 20


def test_the_recycled_node_is_the_one_used_longest_ago():
    searcher = searcher_of(search="graver", nodes=16, playouts=500)
    searcher.start()
    last_used = {}
    for playout in range(500):
        oldest = pool(searcher, 0, tree._OLDEST)
        recycled = pool(searcher, 0, tree._RECYCLED)
        searcher.run(1)
        path = [int(node) for node in searcher.buffers["path"][: _path_length(searcher)]]
        if pool(searcher, 0, tree._RECYCLED) > recycled and oldest not in path[:-1]:
            assert path[-1] == oldest
            waiting = [node for node in last_used if node not in path]
            assert all(last_used[oldest] <= last_used[node] for node in waiting)
        for node in path:
            last_used[node] = playout


def _path_length(searcher):
    from picograve.mcts import search

    return int(searcher.buffers["control"][search.NODES])


@pytest.mark.parametrize("search", TREE_SEARCHES)
def test_reuse_keeps_the_subtree_and_gives_back_the_rest(search):
    searcher = searcher_of("go5", search, nodes=400, playouts=600, share=0.01, reuse=True)
    kept = 0
    for _ in range(6):
        result = searcher.search()
        check(searcher)
        searcher.play(result.move)
        replies = list(_replies(searcher, result.move))
        if not replies:
            break
        reply = max(replies, key=lambda node: searcher.buffers["node_visits"][node])
        below = _subtree(searcher, reply)
        searcher.play(searcher.game.text(int(searcher.buffers["node_move"][reply])))
        searcher.start()
        check(searcher)
        assert sorted(reachable(searcher, 0)) == sorted(below)
        kept += len(below)
    assert kept >= 3


@pytest.mark.parametrize("search", ["graver2", "uctr2"])
def test_a_search_cut_off_half_way_leaves_nothing_behind(search):
    setting = dict(playouts_top=60, playouts_second=20, reuse=True)
    fresh = searcher_of("go5", search, nodes=40, **setting)
    cut = searcher_of("go5", search, nodes=40, **setting)
    cut.start()
    cut.run(30)  # in the second level of the second iteration
    cut.new_game()
    assert cut.search() == fresh.search()
    check(cut)
    cut.play(cut.result().move)
    cut.start()
    cut.run(30)
    cut.play(cut.result().move)
    cut.search()
    check(cut)


def test_recycled_nodes_are_counted_for_each_search():
    searcher = searcher_of("go5", "graver", nodes=30, playouts=200, reuse=True)
    for _ in range(4):
        assert searcher.search().nodes_recycled < 200
        searcher.play(searcher.result().move)


def _children(searcher, node):
    b = searcher.buffers
    child = int(b["node_child"][node])
    while child != NONE:
        yield child
        child = int(b["node_sibling"][child])


def _replies(searcher, text):
    for child in _children(searcher, pool(searcher, 0, tree.ROOT)):
        if searcher.game.text(int(searcher.buffers["node_move"][child])) == text:
            yield from _children(searcher, child)


def _subtree(searcher, node):
    nodes = [node]
    for above in nodes:
        nodes += _children(searcher, above)
    return nodes


def test_counters_near_their_limit_are_aged_and_keep_the_order_of_the_moves():
    searcher = searcher_of("ttt3", "uct", nodes=4000, playouts=19999)
    searcher.search()
    before = searcher._root_moves()
    searcher.ledger.playouts += 1
    searcher.buffers["control"][_p_top()] += 1
    assert searcher.run(1) == 1
    after = searcher._root_moves()
    check(searcher)
    assert sum(visits for _, visits, _ in after) <= 10005
    assert [move for move, _, _ in after[:3]] == [move for move, _, _ in before[:3]]
    means = {move: points / visits for move, visits, points in before}
    for move, visits, points in after:
        assert points / visits == pytest.approx(means[move], abs=2 / visits)


def _p_top():
    from picograve.mcts import search

    return search.P_TOP


@pytest.mark.parametrize("search", ["grave", "uct", "graver"])
def test_a_search_far_beyond_the_limit_never_wraps(search):
    searcher = searcher_of("ttt3", search, nodes=500, playouts=70000)
    searcher.start()
    while searcher.run(5000):
        check(searcher)
    assert searcher.result().playouts == 70000


denominators = st.integers(1, 2**30 - 1)
fractions = denominators.flatmap(lambda b: st.tuples(st.integers(0, b), st.just(b)))


@st.composite
def close_fractions(draw):
    """Two of which the second is as close to the first as its denominator allows, or nearly."""
    (a, b), d = draw(fractions), draw(denominators)
    c = a * d // b + draw(st.integers(-2, 2))
    return (a, b), (min(max(c, 0), d), d)


@settings(deadline=None, max_examples=500)
@given(st.one_of(st.tuples(fractions, fractions), close_fractions()))
def test_fractions_compare_by_thirty_binary_places(pair):
    (a, b), (c, d) = pair
    assert bool(grave.exceeds(a, b, c, d)) == ((a << 30) // b > (c << 30) // d)


@settings(deadline=None)
@given(st.integers(1, 20000))
def test_logarithm_is_right_to_a_thousandth(n):
    assert uct.log(n) / 8192 == pytest.approx(log(n), abs=1e-3)


@settings(deadline=None)
@given(st.integers(0, 2**31 - 1))
def test_square_root_is_exact(n):
    assert uct.square_root(n) == isqrt(n)


def _chosen(select, counts, *parameters, grows=1):
    """The move that a policy with these parameters takes at a root with children (visits,
    points), and AMAF entries (visits, points) for player 0."""
    moves = len(counts)
    nodes = moves + 1
    arrays = [allocate("H", nodes) for _ in range(9)]
    arrays += [allocate("i", nodes * 2 * moves), allocate("i", tree.POOLS), allocate("i", 0)]
    arrays += [allocate("H", 0), allocate("H", 0)]
    visits_of, points_of, move_of = (arrays[i] for i in (tree._VISITS, tree._POINTS, tree._MOVE))
    t = group(tuple(arrays))
    tree.set_up(t, nodes, 0, nodes, moves, 0, 0, 0, 0, 0)
    tree.clear(t)
    root = tree.add(t, 0, NONE, 0)
    tree.take_table(t, root)
    visits_of[root] = min(1 + sum(visits for visits, _, _, _ in counts), 19999)
    for move, (visits, points, amaf_visits, amaf_points) in enumerate(counts):
        arrays[tree._AMAF][move] = 65536 * amaf_visits + amaf_points
        if visits:
            child = tree.add(t, 0, root, move)
            visits_of[child] = visits
            points_of[child] = points
    control, marks = allocate("i", search.SELECT + 2), allocate("B", 2 * moves)
    for place, number in enumerate(parameters):
        control[search.SELECT + place] = number
    identity = allocate("H", moves)
    for move in range(moves):
        identity[move] = move
    buffers = [allocate(kind, 0) for kind in "iiBBBHHHHBHHHHBii"]
    buffers[search._CONTROL], buffers[search._MARKS] = control, marks
    buffers[search._MOVES] = buffers[search._CODES] = identity
    rest = [allocate(kind, 0) for kind in "iiHB"]
    buffers = group((*buffers, t, identity, identity, *rest))
    choice = select(buffers, root, root, 0, moves, 0, grows)
    assert not any(marks)
    return choice - tree._NEW if choice >= tree._NEW else int(move_of[choice])


def count_lists(smallest):
    visits = st.integers(smallest, 19999)
    pair = visits.flatmap(lambda v: st.tuples(st.just(v), st.integers(0, 2 * v)))
    return st.lists(st.tuples(pair, pair).map(lambda p: p[0] + p[1]), min_size=2, max_size=12)


@settings(deadline=None, max_examples=200)
@given(count_lists(0), st.sampled_from([1, 10, 100, 1000]))
def test_grave_takes_the_move_of_the_largest_value(counts, bias):
    chosen = counts[_chosen(grave.select, counts, bias)]
    values = [_grave_value(count, bias) for count in counts]
    assert max(values) - _grave_value(chosen, bias) < Fraction(1, 2**29)


def _grave_value(count, bias):
    """Formulas (2) and (3) of the paper, term by term; a move never seen comes first."""
    visits, points, amaf_visits, amaf_points = count
    if visits == 0 and amaf_visits == 0:
        return Fraction(2)
    mean = Fraction(points, 2 * visits) if visits else 0
    amaf = Fraction(amaf_points, 2 * amaf_visits) if amaf_visits else 0
    weight = amaf_visits + visits + Fraction(amaf_visits * visits, bias)
    beta = amaf_visits / weight
    return (1 - beta) * mean + beta * amaf


@settings(deadline=None, max_examples=200)
@given(count_lists(1), st.floats(0, 2**0.5))
def test_uct_takes_the_child_of_the_largest_bound(counts, constant):
    counts = [(min(v, 1500), min(p, 2 * min(v, 1500)), a, q) for v, p, a, q in counts]
    chosen = _chosen(uct.select, counts, round(constant**2 * 8192))
    total = 1 + sum(count[0] for count in counts)

    def bound(count):
        return count[1] / (2 * count[0]) + constant * (log(total) / count[0]) ** 0.5

    best = max(bound(count) for count in counts)
    assert bound(counts[chosen]) == pytest.approx(best, abs=2e-3)


def _chosen_by_rave(counts, k, constant=0.0, grows=1):
    return _chosen(rave.select, counts, round(constant**2 * 8192), k, grows=grows)


@settings(deadline=None, max_examples=200)
@given(count_lists(1), st.sampled_from([1, 50, 1000, 100000]), st.floats(0, 2**0.5))
def test_rave_takes_the_child_of_the_largest_mixed_bound(counts, k, constant):
    counts = [(min(v, 1500), min(p, 2 * min(v, 1500)), a, q) for v, p, a, q in counts]
    total = 1 + sum(count[0] for count in counts)

    def bound(count):
        visits, points, amaf_visits, amaf_points = count
        beta = (k / (3 * visits + k)) ** 0.5
        mean = (1 - beta) * points / (2 * visits) + beta * amaf_points / (2 * amaf_visits)
        return mean + constant * (log(total) / visits) ** 0.5

    best = max(bound(count) for count in counts)
    chosen = counts[_chosen_by_rave(counts, k, constant)]
    assert bound(chosen) == pytest.approx(best, abs=3e-3)


def test_rave_by_hand():
    # Own means 0.7 and 0.4 of 10 visits, AMAF means 0.3 and 0.6. With k = 1000 beta is
    # sqrt(1000 / 1030) = 0.985 and the values 0.306 and 0.597; with k = 1 it is
    # sqrt(1 / 31) = 0.180 and they are 0.628 and 0.436.
    counts = [(10, 14, 100, 60), (10, 8, 100, 120)]
    assert _chosen_by_rave(counts, 1000) == 1
    assert _chosen_by_rave(counts, 1) == 0


def test_rave_tries_a_move_without_a_node_first_only_if_it_explores():
    counts = [(10, 20, 100, 200), (0, 0, 100, 50)]  # sure to win, and one that AMAF doubts
    assert _chosen_by_rave(counts, 1000, constant=0.7) == 1
    assert _chosen_by_rave(counts, 1000, constant=0.7, grows=0) == 0
    assert _chosen_by_rave(counts, 1000) == 0


def test_uct_tries_every_move_once_before_any_twice():
    searcher = searcher_of("go9", "uct", nodes=200, playouts=83)  # the root, then 82 moves
    visits = searcher.search().visits
    assert len(visits) == 82
    assert set(visits.values()) == {1}
