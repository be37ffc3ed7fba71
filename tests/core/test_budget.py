"""Budgets: bytes to nodes and back; what the ledger says is what is allocated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picograve import TREE_SEARCHES, BadInput, Budget, Config, Searcher, load
from tree_state import allocated_bytes

games = st.sampled_from(["go5", "go9", "go13", "ttt3", "ttt10"])
configs = st.builds(
    Config.tolerant,
    st.sampled_from(TREE_SEARCHES),
    st.sampled_from(["paper", "strong"]),
    share=st.floats(0.01, 0.99),
    recycling=st.sampled_from(["top", "second", "both"]),
)


@settings(deadline=None, max_examples=50)
@given(games, configs, st.integers(3, 2000))
def test_allocation_follows_the_ledger_to_the_byte(game, config, nodes):
    searcher = Searcher(load(game), config, Budget(nodes=nodes))
    assert allocated_bytes(searcher) == searcher.ledger.total_bytes
    assert len(searcher.buffers) == len(searcher.ledger.rows)
    for name, _, count in searcher.ledger.rows:
        buffer = searcher.buffers[name]
        assert len(buffer) == count, name
        assert buffer.nbytes == count * buffer.itemsize


@settings(deadline=None, max_examples=100)
@given(games, configs, st.integers(20_000, 3_000_000))
def test_a_budget_in_bytes_buys_as_many_nodes_as_fit(game, config, budget):
    game = load(game)
    ledger = Budget(bytes=budget).ledger(game, config)
    assert ledger.total_bytes <= budget
    if ledger.nodes < (32766 if ledger.parts.lean else 65534):
        assert Budget(nodes=ledger.nodes + 1).ledger(game, config).total_bytes > budget


@settings(deadline=None)
@given(games, configs)
def test_a_budget_too_small_names_the_smallest_that_works(game, config):
    game = load(game)
    with pytest.raises(BadInput) as refusal:
        Budget(bytes=100).ledger(game, config)
    smallest = int(str(refusal.value).split("at least ")[1].split()[0])
    assert Budget(bytes=smallest).ledger(game, config).total_bytes == smallest
    with pytest.raises(BadInput):
        Budget(bytes=smallest - 1).ledger(game, config)


@pytest.mark.parametrize("playouts,nodes,top,second", [
    (10000, 160, 125, 80),  # the second level's 80 nodes, each a playout
    (1000, 160, 33, 31),
    (400, 160, 20, 20),
    (3, 160, 3, 1),
])  # fmt: skip
def test_few_playouts_are_shared_out_evenly_between_two_levels(playouts, nodes, top, second):
    ledger = Budget(nodes=nodes).ledger(load("go9"), Config("graver2", playouts=playouts))
    assert (ledger.playouts_top, ledger.playouts_second) == (top, second)
    assert ledger.playouts == playouts


def test_a_node_of_grave_on_go_9x9_takes_680_bytes_or_less_all_in():
    ledger = Budget(nodes=10000).ledger(load("go9"), Config("grave", "paper"))
    assert ledger.amaf_tables == 10000
    assert ledger.total_bytes / ledger.nodes <= 680


def test_uct_has_no_tables_and_uniform_playouts_no_mast():
    ledger = Budget(nodes=100).ledger(load("go9"), Config("uct", "strong"))
    counts = {name: count for name, _, count in ledger.rows}
    assert ledger.amaf_tables == counts["amaf"] == counts["mast_stats"] == 0


def test_links_for_recycling_are_paid_where_nodes_are_recycled():
    def links(search, **settings):
        ledger = Budget(nodes=100).ledger(load("go9"), Config(search, **settings))
        return {name: count for name, _, count in ledger.rows}["lru_older"]

    assert links("grave") == links("grave2") == 0
    assert links("graver") == links("graver2") == 100
    assert links("graver2", recycling="top") == 50


@pytest.mark.parametrize(
    "arguments",
    [dict(bytes=-1), dict(bytes=0), dict(nodes=0), dict(nodes=-5), dict(nodes=9, bytes=9)],
)
def test_an_impossible_budget_is_refused(arguments):
    with pytest.raises(BadInput):
        Budget(**arguments)


@pytest.mark.parametrize("nodes", [1, 65535])
def test_a_number_of_nodes_out_of_range_is_refused(nodes):
    with pytest.raises(BadInput):
        Budget(nodes=nodes).ledger(load("go9"), Config("grave"))
