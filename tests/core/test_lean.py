"""Lean tables, sweeping and delayed expansion: checked between playouts on the real search."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picograve import TREE_SEARCHES, BadInput, Budget, Config, Searcher, load
from picograve.kernel import allocate
from picograve.mcts import lean, search, tree
from picograve.value import DRAW, LOSS, WIN
from tree_state import NONE, allocated_bytes, check, pool, reachable

WITH_AMAF = [name for name in TREE_SEARCHES if name.startswith(("grave", "rave"))]
SWEPT = [name for name in TREE_SEARCHES if name.rstrip("2").endswith("r")]


def searcher_of(game="go5", search="graver", nodes=40, seed=1, tables=None, **settings):
    settings = dict(dict(lean=10, playout_policy="uniform", table_after=5), **settings)
    config = Config.tolerant(search, preset="paper", **settings)
    return Searcher(load(game), config, Budget(nodes=nodes, tables=tables), seed)


def run_checked(searcher, playouts):
    searcher.start()
    for _ in range(playouts):
        assert searcher.run(1) == 1
        check(searcher)


@settings(deadline=None, max_examples=60)
@given(
    game=st.sampled_from(["go5", "ttt3", "othello"]),
    search=st.sampled_from(TREE_SEARCHES),
    nodes=st.integers(3, 60),
    share=st.floats(0.05, 0.95),
    recycle_by=st.sampled_from(["lru", "sweep"]),
    lean=st.integers(0, 12),
    tables=st.one_of(st.none(), st.integers(1, 40)),
    wide_tables=st.integers(0, 4),
    table_after=st.integers(0, 12),
    inherit=st.integers(0, 127),
    expand_after=st.integers(0, 5),
    policy=st.sampled_from(["uniform", "mast", "reply"]),
    seed=st.integers(0, 2**30 - 1),
)
def test_no_setting_loses_a_node_or_a_table(game, search, nodes, seed, tables, policy, **settings):
    searcher = searcher_of(
        game, search, nodes, seed, tables, playouts=120, playout_policy=policy, prior=50, **settings
    )
    run_checked(searcher, 120)
    assert searcher.result().playouts == 120
    assert allocated_bytes(searcher) == searcher.ledger.total_bytes


@pytest.mark.parametrize("search", SWEPT)
def test_sweeping_makes_room_again_and_again(search):
    searcher = searcher_of("go7", search, nodes=16, recycle_by="sweep", playouts=1500)
    run_checked(searcher, 1500)
    assert searcher.result().nodes_recycled > 100
    assert len(searcher.buffers["lru_older"]) == 0


def test_a_sweep_takes_the_least_visited_quarter_and_all_below():
    searcher = searcher_of(search="graver", nodes=40, recycle_by="sweep", lean=0, playouts=900)
    searcher.start()
    swept = 0
    for _ in range(900):
        visits = {node: int(searcher.buffers["node_visits"][node]) for node in range(40)}
        was_full = tree.is_full(searcher._tree, 0)
        searcher.run(1)
        if was_full:
            swept += 1
            gone = set(range(40)) - set(reachable(searcher, 0))
            new = int(searcher.buffers["path"][searcher.buffers["control"][search.NODES] - 1])
            most = max(visits[node] for node in gone | {new})
            root = pool(searcher, 0, tree.ROOT)
            assert len(gone | {new}) >= 10
            assert all(visits[n] > most for n in range(40) if n not in gone | {new, root})
    assert swept > 5


@pytest.mark.parametrize("search", WITH_AMAF)
def test_tables_belong_to_the_nodes_that_are_visited_most(search):
    searcher = searcher_of("go5", search, nodes=200, tables=6, playouts=700, ref=5)
    run_checked(searcher, 700)
    visits = searcher.buffers["node_visits"]
    owners = {int(node) for node in searcher.buffers["amaf_owners"]} - {NONE}
    root = pool(searcher, 0, tree.ROOT)
    assert root in owners
    others = [int(visits[node]) for node in reachable(searcher, 0) if node not in owners]
    owning = [int(visits[node]) for node in reachable(searcher, 0)[1:] if node in owners]
    assert min(owning) >= 5
    assert sum(owning) / len(owning) > sum(others) / len(others)


def test_a_new_table_starts_from_its_reference_with_a_capped_weight():
    searcher = searcher_of("go7", nodes=120, tables=8, playouts=400, inherit=9, wide_tables=3)
    searcher.start()
    searcher.run(400)
    groups, size = searcher._tree, 2 * searcher.game.code_count
    for source, target in ((0, 5), (0, 2), (5, 6), (6, 1)):
        lean.fill(groups, target, source, 9)
        for i in range(size):
            old = tree.entry_of(groups, tree.is_narrow(groups, source), place(groups, source) + i)
            new = tree.entry_of(groups, tree.is_narrow(groups, target), place(groups, target) + i)
            visits, points = old >> 16, old & 65535
            assert new >> 16 == min(visits, 9)
            if visits:
                expected = points if visits <= 9 else points * 9 / visits
                assert abs((new & 65535) - expected) <= 1.5


def place(groups, table):
    return tree.entries_at(groups, table)


def test_a_narrow_entry_keeps_its_mean_when_it_is_halved():
    searcher = searcher_of("ttt3", nodes=20, tables=2, playouts=10)
    searcher.start()
    searcher.run(10)
    narrow = searcher.buffers["amaf_narrow"]
    touched = allocate("H", 1)
    for value, mean in ((WIN, 1), (LOSS, 0), (DRAW, 0.5)):
        narrow[0] = 0
        for n in range(1, 2000):
            tree.count_narrow(searcher._tree, 0, touched, 0, 1, value)
            visits, wins = int(narrow[0]) >> 8, int(narrow[0]) & 255
            assert visits == n if n <= 255 else 128 < visits <= 255
            assert abs(wins / visits - mean) <= 0.5 / visits + 0.005


def test_wide_and_narrow_entries_say_the_same_until_a_narrow_one_is_full():
    """The same search with both kinds of tables, on a game without draws."""
    results = []
    for wide_tables in (0, 100):
        searcher = searcher_of("go5", nodes=60, playouts=200, wide_tables=wide_tables, inherit=0)
        results.append(searcher.search().tree_hash)
    assert results[0] == results[1]


def test_a_node_gets_children_only_after_enough_visits():
    searcher = searcher_of("go7", "grave", nodes=300, playouts=300, expand_after=6)
    searcher.search()
    visits, child = searcher.buffers["node_visits"], searcher.buffers["node_child"]
    parents = [node for node in reachable(searcher, 0)[1:] if child[node] != NONE]
    assert parents
    assert all(visits[node] > 6 for node in parents)
    assert len(reachable(searcher, 0)) < 250


@pytest.mark.parametrize("search", WITH_AMAF)
def test_reuse_keeps_lean_tables_with_their_nodes(search):
    searcher = searcher_of("go5", search, nodes=200, tables=9, playouts=400, share=0.05, reuse=True)
    dice, kept = random.Random(1), 0
    for _ in range(8):
        result = searcher.search()
        check(searcher)
        searcher.play(result.move)
        if searcher.is_over:
            break
        if dice.random() < 0.7:  # a reply that few have visited: it has no table yet
            searcher.play(dice.choice(searcher.legal_moves()))
        if searcher.is_over:
            break
        searcher.start()
        check(searcher)
        root = pool(searcher, 0, tree.ROOT)
        if root != NONE:
            kept += 1
            assert tree.table_of(searcher._tree, root) != NONE
    assert kept


def test_a_node_of_a_lean_search_takes_twelve_bytes():
    game, config = load("go9"), Config("graver", lean=22, recycle_by="sweep")
    rows = Budget(nodes=1000).ledger(game, config).rows
    assert sum(count for name, _, count in rows if name.startswith("node_")) * 2 == 12 * 1000
    assert not any(count for name, _, count in rows if name.startswith("lru_"))


def test_lean_pools_refuse_more_nodes_than_their_links_can_name():
    with pytest.raises(BadInput, match=r"^grave takes 2 to 32766 nodes, not 40000$"):
        Budget(nodes=40000).ledger(load("go9"), Config("grave", lean=22))
