"""What a playout is worth by degrees comes through as value.py promises: a curve, a bonus, a mean
over the positions of a playout (toys/).
"""

import pytest
import seams
from picograve import BadInput
from picograve.mcts import search, tree
from picograve.value import WIDE

LIMIT = 20000  # = picograve.mcts.tree._LIMIT


class Witness:
    """Watches a search of one level, playout by playout, and keeps books of its own: by node the
    visits and the sum of values in floats, aged as tree.py says, and the root's table by entry."""

    def __init__(self, searcher, playouts):
        self.searcher, self.sums, self.visits = searcher, {}, {}
        self.table = {}  # (player, code): values of the playouts that have it
        searcher.start()
        for _ in range(playouts):
            assert searcher.run(1) == 1
            self.note()

    def note(self):
        control, path, trace, reward, codes = self.searcher.arrays(
            "control path trace reward " + self.searcher.code_of
        )
        value = int(reward[0])
        notes = [divmod(int(note), 32768) for note in trace[: control[search.LENGTH]]]
        if self.searcher.game.code_count:
            for player, code in {(player, int(codes[note])) for player, note in notes}:
                seen = value if player == 0 else WIDE - value
                self.table.setdefault((player, code), []).append(seen)
        nodes = [int(node) for node in path[: control[search.NODES]]]
        for ply in reversed(range(len(nodes))):
            player = notes[ply - 1][0] if ply else 1 - control[search.TURN]
            node = nodes[ply]
            self.sums[node] = self.sums.get(node, 0) + (value if player == 0 else WIDE - value)
            self.visits[node] = self.visits.get(node, 0) + 1
            if self.visits[node] == LIMIT:
                self.age(node)

    def age(self, node):
        parent = self.searcher.buffers["node_parent"]
        for other in self.visits:
            if other == node or parent[other] == node:
                half = (self.visits[other] + 1) // 2
                self.sums[other] *= half / self.visits[other]
                self.visits[other] = half

    def nodes(self):
        """(visits, mean of ours, mean by totals, mean by points) of each node, means 0 to 1."""
        names = "node_visits node_totals node_points"
        for node, visits in self.visits.items():
            kept, total, points = (int(array[node]) for array in self.searcher.arrays(names))
            assert kept == visits
            mean = self.sums[node] / visits / WIDE
            yield visits, mean, total / visits / WIDE, points / visits / 2


RULES = ["degrees", "curve", "bonus", "weighted"]


@pytest.mark.parametrize("game", ["again", "crossing", "joint"])
@pytest.mark.parametrize("rule", RULES)
def test_a_nodes_mean_is_exactly_that_of_its_playouts(toys, game, rule):
    settings = dict(playouts=600, reward=rule)
    witness = Witness(seams.searcher_of(game, "uct", 700, settings), 600)
    assert len(witness.visits) > 10
    for _, mean, by_totals, _ in witness.nodes():
        assert abs(by_totals - mean) < 1e-9
    if game == "crossing":  # not just win, draw and loss
        assert len({mean for visits, mean, _, _ in witness.nodes() if visits == 1}) > 3


@pytest.mark.parametrize("rule", RULES)
def test_a_mean_survives_ageing_within_a_few_parts_of_32768(toys, rule):
    settings = dict(playouts=45000, reward=rule)
    witness = Witness(seams.searcher_of("crossing", "uct", 40, settings), 45000)
    root = int(witness.searcher.buffers["pools"][tree.ROOT])
    assert LIMIT // 2 <= witness.visits[root] < LIMIT
    for _, mean, by_totals, _ in witness.nodes():
        assert abs(by_totals - mean) < 4 / WIDE


@pytest.mark.parametrize("search_name", ["grave", "rave"])
@pytest.mark.parametrize("rule", RULES)
def test_searches_with_amaf_keep_a_nodes_mean_and_choose_by_its_nearest_point(
    toys, search_name, rule
):
    settings = dict(playouts=3000, reward=rule)
    witness = Witness(seams.searcher_of("crossing", search_name, 400, settings), 3000)
    for visits, mean, by_totals, by_points in witness.nodes():
        assert abs(by_totals - mean) < 1e-9
        assert abs(by_points - mean) <= 0.25 / visits + 1e-9


@pytest.mark.parametrize("rule", RULES)
def test_the_means_of_an_amaf_table_are_right_within_the_error_of_rounding_by_chance(toys, rule):
    settings = dict(playouts=6000, reward=rule)
    witness = Witness(seams.searcher_of("crossing", "grave", 400, settings), 6000)
    amaf, table = witness.searcher.arrays("amaf node_table")
    root = int(witness.searcher.buffers["pools"][tree.ROOT])
    count = witness.searcher.game.code_count
    assert len(witness.table) == 2 * count
    for (player, code), values in witness.table.items():
        entry = int(amaf[(2 * table[root] + player) * count + code])
        assert entry >> 16 == len(values)
        mean = (entry & 65535) / len(values) / 2
        assert abs(mean - sum(values) / len(values) / WIDE) < 3.5 * 0.25 / len(values) ** 0.5


def test_a_rule_that_looks_at_the_positions_on_the_way_makes_its_own_playouts(toys):
    config = dict(playouts=30, reward="weighted")
    searcher = seams.searcher_of("crossing", "uct", 60, config)
    searcher.search()
    assert searcher.buffers["reward"][2] > 1024  # weights of more than one position
    for policy in ("mast", "mast+uniform"):
        with pytest.raises(BadInput, match="weighted makes playouts of its own: give playout_pol"):
            seams.searcher_of("crossing", "uct", 60, dict(config, playout_policy=policy))


def test_win_draw_and_loss_cost_no_byte_more_than_16_bits_a_node():
    searcher = seams.searcher_of("crossing", "uct", 400, dict(playouts=10))
    kinds = {name: (kind, count) for name, kind, count in searcher.ledger.rows}
    assert kinds["node_points"] == ("H", 400)
    assert kinds["node_totals"][1] == kinds["reward"][1] == 0
