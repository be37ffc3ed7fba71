"""What the searches compute: counts, equivalences, slices, the backup, play on 3x3."""

import functools
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_search import NaiveSearch
from picograve import TREE_SEARCHES, Budget, Config, Searcher, load
from picograve.mcts import search
from tree_state import NONE, check

GAMES = ("go5", "go9", "ttt3", "ttt5")
TWO_LEVELS = [name for name in TREE_SEARCHES if name.endswith("2")]


def searcher_of(game, name, budget, seed=1, **settings):
    return Searcher(load(game), Config.tolerant(name, **settings), budget, seed)


def hash_of(*arguments, **settings):
    return searcher_of(*arguments, **settings).search().tree_hash


@pytest.mark.parametrize("name", TREE_SEARCHES)
@pytest.mark.parametrize("game", GAMES)
def test_slices_give_the_tree_of_one_go(game, name):
    whole = searcher_of(game, name, Budget(nodes=50), preset="paper", playouts=700)
    sliced = searcher_of(game, name, Budget(nodes=50), preset="paper", playouts=700)
    result = whole.search()
    sliced.start()
    sizes = random.Random(1)
    while sliced.run(sizes.randint(1, 60)):
        pass
    assert sliced.result() == result
    assert result.playouts == 700


@pytest.mark.parametrize("name", TREE_SEARCHES)
def test_a_searcher_starts_every_search_from_nothing(name):
    searcher = searcher_of("go5", name, Budget(nodes=40), playouts=300)
    assert searcher.search() == searcher.search()


@pytest.mark.parametrize("name", TREE_SEARCHES)
def test_another_seed_gives_another_tree(name):
    budget = Budget(nodes=40)
    hashes = {hash_of("go9", name, budget, seed=seed, playouts=300) for seed in range(5)}
    assert len(hashes) == 5


@settings(deadline=None, max_examples=40)
@given(
    nodes=st.integers(3, 200),
    percent=st.integers(1, 99),
    name=st.sampled_from(["grave2", "uct2"]),
)
def test_two_levels_make_the_papers_number_of_playouts(nodes, percent, name):
    share = percent / 100
    searcher = searcher_of("ttt3", name, Budget(nodes=nodes), share=share)
    ledger = searcher.ledger
    assert ledger.nodes_top + ledger.nodes_second == nodes
    assert searcher.search().playouts == ledger.nodes_top * ledger.nodes_second
    if nodes * percent % 100 == 0 and ledger.nodes_top >= 2:
        assert ledger.playouts == round((share - share**2) * nodes**2)


def test_the_papers_headline_setting_makes_12800_playouts_in_160_nodes():
    searcher = searcher_of("go9", "graver2", Budget(nodes=160), preset="paper")
    assert (searcher.ledger.nodes_top, searcher.ledger.nodes_second) == (80, 80)
    result = searcher.search()
    assert result.playouts == 12800
    assert result.nodes_used == 160


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", ["grave", "uct"])
def test_recycling_two_levels_with_ratio_one_is_two_levels(game, policy):
    budget = Budget(nodes=60)
    ratio_one = dict(preset="paper", playouts_top=30, playouts_second=30)
    assert hash_of(game, policy + "r2", budget, **ratio_one) == hash_of(
        game, policy + "2", budget, **ratio_one
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", ["grave", "uct"])
def test_recycling_with_enough_nodes_is_no_recycling(game, policy):
    setting = dict(preset="paper", playouts=800)
    plain = hash_of(game, policy, Budget(nodes=800), **setting)
    assert hash_of(game, policy + "r", Budget(nodes=800), **setting) == plain
    assert hash_of(game, policy + "r", Budget(nodes=1000), **setting) == plain
    assert hash_of("go9", policy + "r", Budget(nodes=100), **setting) != plain


def test_forward_sharing_changes_the_search_of_the_second_level_only_for_grave():
    budget = Budget(nodes=100)
    assert hash_of("go9", "grave2", budget) != hash_of("go9", "grave2", budget, sharing=False)
    assert hash_of("go9", "uct2", budget) == hash_of("go9", "uct2", budget, sharing=False)


def test_without_forward_sharing_the_second_level_ignores_what_the_top_learned():
    """The second level of the first iteration knows nothing from above either way."""
    budget = Budget(nodes=60)
    first = dict(playouts_top=1, playouts_second=25)  # the threshold: 25 visits
    alone = searcher_of("go9", "grave2", budget, sharing=False, **first)
    assert hash_of("go9", "grave2", budget, **first) == alone.search().tree_hash


@pytest.mark.parametrize("where", ["top", "second", "both"])
def test_recycling_happens_where_it_is_asked_for(where):
    searcher = searcher_of(
        "go9", "graver2", Budget(nodes=40), recycling=where, playouts_top=60, playouts_second=60
    )
    searcher.search()
    from picograve.mcts import tree

    pools = searcher.buffers["pools"]
    assert (pools[tree._RECYCLED] > 0) == (where != "second")
    assert (pools[tree._LEVEL + tree._RECYCLED] > 0) == (where != "top")


def early_searcher(after):
    """X has all but won: two in a row and the move."""
    early = dict(early_after=after, early_margin=0.05, playouts_top=60, playouts_second=40)
    searcher = searcher_of("ttt3", "graver2", Budget(nodes=80), **early)
    searcher.set_position("A1 B2 A2 C2".split())
    return searcher


def test_early_stops_save_the_playouts_they_report():
    searcher = early_searcher(after=8)
    result = searcher.search()
    check(searcher)
    assert result.move == "A3"
    assert result.playouts_saved > 500
    assert result.playouts + result.playouts_saved == 60 * 40
    assert early_searcher(after=0).search().playouts_saved == 0


def test_no_search_stops_early_where_both_sides_win():
    early = dict(early_after=1, early_margin=0, playouts_top=60, playouts_second=40)
    searcher = searcher_of("go9", "graver2", Budget(nodes=80), **early)
    searcher.start()
    before = 0
    while searcher.run(1):
        control = searcher.buffers["control"]
        if control[search.SAVED] > before:  # then all its playouts had one winner
            leaf = int(searcher.buffers["path"][control[search.TOP_NODES] - 1])
            points = int(searcher.buffers["node_points"][leaf])
            assert points in (0, 2 * int(searcher.buffers["node_visits"][leaf]))
        before = int(control[search.SAVED])
    assert before > 0


@pytest.mark.parametrize("name", ["grave", "graver", "grave2", "graver2"])
def test_fewer_tables_than_nodes_cost_fewer_bytes_and_still_search(name):
    full = searcher_of("go9", name, Budget(nodes=100), playouts=1000)
    lean = searcher_of("go9", name, Budget(nodes=100, tables=20), playouts=1000, table_after=4)
    assert full.ledger.total_bytes - lean.ledger.total_bytes == 80 * 656
    assert lean.search().playouts == 1000
    check(lean)


@pytest.mark.parametrize("game", ["go5", "go7", "ttt3", "ttt4"])
@pytest.mark.parametrize(
    "name,settings",
    [
        ("grave", dict(playouts=700)),
        ("grave", dict(playouts=400, ref=3, bias=0.1)),
        ("grave", dict(playouts=500, amaf_span=0.5)),
        ("grave", dict(playouts=500, hope=20)),
        ("grave2", dict(playouts_top=20, playouts_second=40)),
        ("grave2", dict(playouts_top=20, playouts_second=40, sharing=False)),
        ("grave2", dict(playouts_top=60, playouts_second=9, ref=12)),
        ("hrave", dict(playouts=500)),
        ("hrave2", dict(playouts_top=40, playouts_second=20)),
        ("hrave2", dict(playouts_top=40, playouts_second=20, sharing=False)),
        ("uct", dict(playouts=500)),
        ("uct2", dict(playouts_top=40, playouts_second=20)),
        ("tuned", dict(playouts=500)),
        ("tuned2", dict(playouts_top=40, playouts_second=20)),
        ("rave", dict(playouts=500)),
        ("rave", dict(playouts=500, rave_k=20)),
        ("rave", dict(playouts=500, exploration=0)),
        ("rave2", dict(playouts_top=40, playouts_second=20)),
        ("rave2", dict(playouts_top=40, playouts_second=20, amaf_span=0.75)),
    ],
)
def test_the_search_visits_what_the_papers_words_say(game, name, settings):
    seed = 5
    searcher = searcher_of(game, name, Budget(nodes=1500), seed=seed, **settings)
    result = searcher.search()
    naive = NaiveSearch(
        searcher.game,
        name.rstrip("2"),
        seed=seed,
        bias=Fraction(1, round(1 / searcher.config.bias)),
        ref=searcher.config.ref,
        sharing=searcher.config.sharing,
        rave_k=searcher.config.rave_k,
        exploration=searcher.config.exploration > 0,
        amaf_span=searcher.config.amaf_span,
        hope=searcher.config.hope,
    )
    root = naive.run(searcher.ledger.playouts_top, settings.get("playouts_second"))
    text = searcher.game.text
    assert result.visits == {text(move): child.visits for move, child in root.children.items()}


class Backup:
    """Visits, points and AMAF of every node, kept in dictionaries as the paper words it.

    Follows a searcher playout by playout: reads the path and the moves, and credits each
    node of the path with the result and, for each colour, the set of moves after it.
    """

    def __init__(self, searcher):
        self.searcher = searcher
        self.visits, self.points, self.amaf = {}, {}, {}
        self.state = searcher.buffers["root"].copy()

    def follow(self):
        b, game = self.searcher.buffers, self.searcher.game
        copy, moves, play, _, outcome = game.rules
        control = b["control"]
        copy(self.state, b["root"])
        players, codes = [], []
        room = b["moves"].copy()
        while moves(self.state, room):
            move = int(b["trace"][len(codes)]) & 32767
            players.append(int(self.state[0]))
            codes.append(game.code(move))
            play(self.state, move)
        half_points = (outcome(self.state), 2 - outcome(self.state))
        first = int(b["root"][0])
        for i in range(control[search.NODES]):
            ply = i
            if i >= control[search.TOP_NODES]:
                ply = control[search.TOP_PLY] + i - control[search.TOP_NODES]
            self.credit(int(b["path"][i]), ply, first, players, codes, half_points)

    def credit(self, node, ply, first, players, codes, half_points):
        if self.searcher.buffers["node_visits"][node] == 1:  # new, or the place of a recycled one
            self.visits[node], self.points[node], self.amaf[node] = 0, 0, {}
        mover = (first + ply + 1) % 2  # who moved into the node
        self.visits[node] += 1
        self.points[node] += half_points[mover]
        for entry in set(zip(players[ply:], codes[ply:], strict=True)):
            visits, points = self.amaf[node].get(entry, (0, 0))
            self.amaf[node][entry] = (visits + 1, points + half_points[entry[0]])

    def compare(self, node):
        b, count = self.searcher.buffers, self.searcher.game.code_count
        assert b["node_visits"][node] == self.visits[node]
        assert b["node_points"][node] == self.points[node]
        table = int(b["node_table"][node])
        if table != NONE:
            entries = b["amaf"][table * 2 * count : (table + 1) * 2 * count].reshape(2, count)
            for player in range(2):
                for code in range(count):
                    expected = self.amaf[node].get((player, code), (0, 0))
                    assert divmod(entries[player, code], 65536) == expected


@pytest.mark.parametrize("name", TREE_SEARCHES)
@pytest.mark.parametrize("game,moves", [("go5", ""), ("go5", "C3"), ("ttt3", "B2")])
def test_the_backup_counts_what_the_paper_says(game, moves, name):
    searcher = searcher_of(game, name, Budget(nodes=30), preset="paper", playouts=150)
    searcher.set_position(moves.split())
    searcher.start()
    backup = Backup(searcher)
    while searcher.run(1):
        backup.follow()
        path = searcher.buffers["path"][: searcher.buffers["control"][search.NODES]]
        for node in path:
            backup.compare(int(node))


def test_a_reused_tree_goes_on_from_the_moves_played():
    searcher = searcher_of("ttt3", "uct", Budget(nodes=3000), playouts=1000, reuse=True)
    result = searcher.search()
    searcher.play(result.move)
    kept = result.visits[result.move]
    replies = searcher.search()
    assert sum(replies.visits.values()) >= kept + 999


def test_mast_is_remembered_between_turns_with_the_given_weight():
    stats = {}
    for decay in (0, 0.2, 1):
        searcher = searcher_of("go5", "grave", Budget(nodes=300), preset="paper", decay=decay)
        searcher.search()
        before = searcher.buffers["mast_stats"].copy()
        searcher.play("C3")
        searcher.start()
        after = searcher.buffers["mast_stats"]
        stats[decay] = (before, after.copy())
    for decay, (before, after) in stats.items():
        learned = before[0::2].astype(int) - 2  # visits without the prior of 2
        assert (after[0::2] - 2 == (learned * decay).astype(int)).all()


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@functools.cache
def minimax(board):
    """1, 0 or -1 for the player to move on a 3x3 board of X, O and dots."""
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return -1
    return max((-minimax(after) for after in successors(board)), default=0)


def successors(board):
    mark = "XO"[(9 - board.count(".")) % 2]
    return [board[:i] + mark + board[i + 1 :] for i in range(9) if board[i] == "."]


# Enough playouts: GRAVE alone never tries what AMAF calls bad, so it explores one in eight
# visits here; two levels want a top level deep enough to see a fork, so a small second one.
ENOUGH = {
    1: dict(budget=Budget(nodes=12000), playouts=10000, explore=8),
    2: dict(budget=Budget(nodes=3000), playouts_top=2500, playouts_second=8, share=0.02, explore=8),
}


@pytest.mark.parametrize("name", TREE_SEARCHES)
def test_enough_playouts_never_lose_on_3x3(name):
    setting = dict(ENOUGH[1 + name.endswith("2")])
    if name.startswith("hrave") and name.endswith("2"):
        setting["sharing"] = False  # what the top level's root knows is of no use deep below it
    searcher = searcher_of("ttt3", name, setting.pop("budget"), **setting)
    for game in range(24):
        assert play_against_minimax(searcher, game, side=game % 2) >= 1


def test_grave_without_exploration_can_overlook_a_move_for_good():
    """A finding, not a wish: the paper's GRAVE does not converge on 3x3 (see host/results)."""
    searcher = searcher_of("ttt3", "grave", Budget(nodes=10000), preset="paper", playouts=10000)
    lost = [play_against_minimax(searcher, game, side=game % 2) == 0 for game in range(60)]
    assert 0 < sum(lost) < 10


def play_against_minimax(searcher, seed, side):
    """Half points of the searcher against a perfect player that varies its moves."""
    choices = random.Random(seed)
    searcher.seed = seed
    searcher.new_game()
    board = "." * 9
    while not searcher.is_over:
        if len(searcher.moves) % 2 == side:
            searcher.play(searcher.search().move)
        else:
            value = max(-minimax(after) for after in successors(board))
            after = choices.choice([b for b in successors(board) if -minimax(b) == value])
            place = next(i for i in range(9) if after[i] != board[i])
            searcher.play(searcher.game.text(place))
        marks = ["."] * 9
        for i, move in enumerate(searcher.history):
            marks[move] = "XO"[i % 2]
        board = "".join(marks)
    _, _, _, _, outcome = searcher.game.rules
    half_points = outcome(searcher.buffers["root"])
    return half_points if side == 0 else 2 - half_points
