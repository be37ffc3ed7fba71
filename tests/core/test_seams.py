"""The seams of the core hold: games and parts that are not in the product work in every search,
and grow the same trees on every runtime.
"""

import itertools
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import picograve
import pytest
import seams
from conftest import needs_gcc
from picograve import BadInput, Budget, Config, load, open_search
from picograve.mcts import tree

SUPPORT = Path(seams.__file__).parent


def searched(*job, seed=7):
    searcher = seams.searcher_of(*job, seed=seed)
    return searcher, searcher.search()


def hashes(*command, **environment):
    answer = subprocess.run(
        command, cwd=SUPPORT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout.split()


# Numba compiles the toys for half a minute: in one process.
with_reference = pytest.mark.xdist_group("toys")


@cache
def reference():
    return hashes(sys.executable, "seams.py", PICOGRAVE_RUNTIME="numba")


@with_reference
@needs_gcc
def test_toys_grow_the_same_trees_in_c():
    assert hashes(sys.executable, "seams.py", PICOGRAVE_RUNTIME="c") == reference()


@with_reference
def test_toys_grow_the_same_trees_on_numba_and_cpython_and_in_32_bits():
    checked = hashes(sys.executable, "seams.py", "--checked", PICOGRAVE_RUNTIME="cpython")
    assert len(checked) == len(seams.JOBS)
    assert checked == reference()


@with_reference
def test_toys_grow_the_same_trees_on_micropython_and_allocate_nothing(unix_port):
    core = str(Path(picograve.__file__).parents[1])
    assert hashes(unix_port, "-X", "heapsize=4m", "seams.py", core, ".") == reference()


# Who moves


def wins(stones, memo={}):  # noqa: B006
    """Whether the player to move wins the toy `again`, by going through all games."""
    if stones not in memo:
        memo[stones] = any(wins_by(stones, take) for take in (1, 2, 3) if take <= stones)
    return memo[stones]


def wins_by(stones, take):
    left = stones - take
    return left == 0 or (wins(left) if left % 4 == 0 else not wins(left))


@pytest.mark.parametrize("search", ["uct", "uctr", "uct2", "graver2", "rave", "alphabeta"])
@pytest.mark.parametrize("moves", ["", "take2", "take3", "take2 take3", "take2 take1 take2"])
def test_a_player_who_moves_twice_in_a_row_is_understood_by_every_search(search, moves):
    settings = dict(depth=14) if search == "alphabeta" else dict(playouts=20000)
    if search == "graver2":
        settings["explore"] = 4
    searcher = seams.searcher_of("again", search, 2000, settings)
    for move in moves.split():
        searcher.play(move)
    stones = int(searcher.buffers["root"][1])
    if wins(stones):
        assert wins_by(stones, int(searcher.search().move[-1]))
    else:
        assert searcher.search().value < 0.5


def test_the_value_of_a_node_is_that_of_who_moved_there():
    searcher, _ = searched("again", "uct", 2000, dict(playouts=20000))
    values = {child.move: child.value for child in searcher.root_moves()}
    assert wins_by(14, 1) and not wins_by(14, 2)  # after which left moves again
    assert values["take1"] > 0.6 > values["take2"]


# Moves and their codes


def test_moves_may_have_tens_of_thousands_of_numbers_without_a_table_of_them():
    searcher = seams.searcher_of("crossing", "graver2", 60, dict(playouts=400), "0-1 25-26 20-23")
    searcher.search()
    numbers = [_number(child) for child in searcher.root_moves()]
    assert max(numbers) > 40000  # more than 15 bits hold
    assert all(searcher.game.legal(searcher.buffers["root"], number) for number in numbers)
    sizes = {name: count for name, _, count in searcher.ledger.rows}
    assert searcher.game.move_limit == 64000
    assert sizes["codes"] == searcher.game.most_moves == 12
    assert max(sizes[name] for name in ("marks", "moves", "places", "code_of")) < 20


def test_moves_that_share_a_code_have_nodes_of_their_own():
    searcher, _ = searched("crossing", "grave", 500, dict(playouts=500, explore=2))
    assert len(searcher.root_moves()) == 12
    assert all(searcher.game.legal(searcher.buffers["root"], _number(m)) for m in
               searcher.root_moves())  # fmt: skip


def _number(child):
    square, to = child.move.split("-")
    return 1600 * int(square) + int(to)


@pytest.mark.parametrize("search", ["uct", "graver2"])
def test_a_game_without_a_table_of_codes_is_played_to_its_end(search):
    searcher = seams.searcher_of("crossing", search, 60, dict(playouts=200, reuse=True))
    while not searcher.is_over:
        result = searcher.search()
        assert searcher.principal_variation()[0] == result.move
        searcher.play(result.move)
    assert searcher.winner in searcher.game.players


def test_searches_that_need_codes_are_refused_by_name():
    for search in ("grave", "raver2"):
        with pytest.raises(BadInput, match="%s needs moves with codes: plain has none" % search):
            seams.searcher_of("plain", search, 60, {})
    with pytest.raises(
        BadInput, match="playout_policy on plain is one of uniform, reply, or several"
    ):
        seams.searcher_of("plain", "uct", 60, dict(playout_policy="mast"))


@pytest.fixture(params=["places", "plain"])
def returning(request, monkeypatch):
    """Crossing with a rule of repetition, with codes and without."""
    from toys import plain, returning

    if request.param == "plain":
        for name, value in dict(codes=None, code_count=0, rules=plain.Game.rules).items():
            monkeypatch.setattr(returning.Game, name, value)
    return "returning"


@pytest.mark.parametrize("reuse", [False, True])
def test_moves_that_repeat_a_position_are_never_tried_and_the_others_keep_their_names(
    returning, reuse
):
    searcher = seams.searcher_of(returning, "uct", 2000, dict(playouts=1500, reuse=reuse))
    banned = 0
    for move in seams.RETURNED.split():
        result = searcher.search()
        allowed = searcher.legal_moves()
        banned += 12 - len(allowed)
        children = {child.move: child.visits for child in searcher.root_moves()}
        assert set(children) == set(result.visits) == set(allowed)
        assert result.move in allowed
        assert searcher.principal_variation()[0] == result.move
        searcher.play(move)
    searcher.search()
    assert {child.move for child in searcher.root_moves()} == set(searcher.legal_moves())
    assert len(searcher.legal_moves()) < 8
    assert banned > 0


def test_a_game_that_forbids_repetitions_and_lists_no_moves_is_refused(monkeypatch):
    from toys import joint

    monkeypatch.setattr(joint.Game, "key", joint.outcome)
    with pytest.raises(BadInput, match="joint forbids repetitions, so it must list its moves"):
        seams.searcher_of("joint", "uct", 60, {})


# Many moves


def test_65536_moves_are_tried_one_by_one_in_any_order_without_a_list():
    searcher, result = searched("joint", "uct", 2000, dict(playouts=1500))
    tried = [int(child.move) for child in searcher.root_moves()]
    assert len(set(tried)) == len(tried) == 1499
    assert all(0 <= move < 65536 for move in tried)
    halves = sum(move >= 32768 for move in tried)
    assert 600 < halves < 900  # no part of the moves is preferred
    assert result.bytes < 60000


def test_all_of_a_few_unlisted_moves_are_tried_before_any_is_repeated(monkeypatch):
    from toys import joint

    searcher = seams.searcher_of("joint", "uct", 300, dict(playouts=200))
    searcher.start()
    pools = searcher.buffers["pools"]
    searcher.run(1)  # the root
    choices = []
    from picograve.mcts.select import least

    root = int(pools[tree.ROOT])
    for _ in range(5):
        choice = least.least(searcher._buffers, root, 5, 3)
        assert choice >= 65536
        choices.append(choice - 65536)
        tree.add(searcher._tree, 0, root, choice - 65536)
    assert choices == [3, 4, 0, 1, 2]
    assert least.least(searcher._buffers, root, 5, 3) < 65536
    assert joint.Game.lists is False


def test_what_needs_a_list_of_moves_refuses_a_game_without_one():
    with pytest.raises(BadInput, match="needs a game"):
        seams.searcher_of("joint", "alphabeta", None, {})


def test_a_player_by_policy_needs_no_list():
    searcher = seams.searcher_of("joint", "policy", None, dict(playout_policy="uniform"))
    played = []
    while not searcher.is_over:
        played.append(int(searcher.search().move))
        searcher.play(str(played[-1]))
    assert len(set(played)) == 4 and max(played) > 255


# Choice, playout, reward


def test_a_choice_of_ones_own_is_a_file_and_a_line_and_works_in_all_memories(toys):
    for search, level in itertools.product(("greedy", "greedyr"), ("", "2")):
        searcher, result = searched("again", search + level, 40, dict(playouts=300))
        assert result.playouts == 300
        assert sum(child.visits for child in searcher.root_moves()) >= 250


def test_a_playout_policy_of_ones_own_plays_and_learns(toys):
    searcher, _ = searched("again", "uct", 60, dict(playouts=100, playout_policy="lowest"))
    playouts, length, points = (int(value) for value in searcher.buffers["learned"])
    assert playouts == 100
    assert 300 < length < 1300
    assert 0 <= points <= 200
    switched, result = searched(
        "again", "uct", 60, dict(playouts=100, playout_policy="lowest+uniform")
    )
    assert set(result.choices) == {"lowest", "uniform"}
    assert int(switched.buffers["learned"][0]) == 100  # it learns from all


def test_a_ledger_says_whether_a_search_depends_on_those_before_it(toys):
    def learns(search, **settings):
        return Budget().ledger(load("ttt3"), Config(search, **settings)).learns

    assert learns("uct", playout_policy="lowest") and learns("uct", playout_policy="E+mast")
    assert not learns("uct", playout_policy="E") and not learns("alphabeta")


def test_policies_share_scratch_of_the_larger_size_and_nothing_that_is_kept(toys, monkeypatch):
    from toys import lowest

    def rows_of(names):
        config = Config("uct", playouts=30, playout_policy=names)
        searcher = open_search(load("ttt3"), config, Budget(nodes=30))
        searcher.search()
        return {name: count for name, _, count in searcher.ledger.rows}

    assert rows_of("lowest+E")["values"] == rows_of("E+lowest")["values"] == 9
    monkeypatch.setattr(lowest, "rows", lambda game: {"values": 3, "learned": 3})
    assert rows_of("lowest+E")["values"] == rows_of("E+lowest")["values"] == 9
    monkeypatch.setattr(lowest, "rows", lambda game: {"mast_stats": 3})
    with pytest.raises(BadInput, match="two playout policies keep mast_stats: leave one"):
        rows_of("mast+lowest")
    monkeypatch.setattr(lowest, "rows", lambda game: {"mine": 3})
    with pytest.raises(
        BadInput, match="no buffer called mine for a playout policy; there are trial"
    ):
        rows_of("lowest")


def test_a_reward_that_needs_what_a_game_lacks_is_refused_by_name(toys, monkeypatch):
    from toys import crossing

    monkeypatch.setattr(crossing.Game, "evaluate", None)
    with pytest.raises(BadInput, match="reward degrees needs a game that can evaluate"):
        seams.searcher_of("crossing", "uct", 60, dict(reward="degrees"))
