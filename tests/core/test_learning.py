"""SARSA and Q-learning: the update by hand, the table's limits, what is learned, everywhere.

Win rates are of fixed seeds: a run cannot fail by chance, only by a change of the learners.
"""

import os
import random
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import picograve
import pytest
import searches_of
from picograve import BadInput, Budget, Config, load, open_search
from picograve.baselines import episodes
from picograve.config import LEARNERS
from picograve.kernel import ITEM_BYTES
from picograve_host.rating import win_rate

SOURCE = Path(picograve.__file__).parent.parent
SUPPORT = Path(__file__).parents[1] / "support"
UNIT = 64  # a Q of 1 in the table


def learner_of(name, game="ttt3", nodes=4096, seed=1, **settings):
    return open_search(load(game), Config(name, **settings), Budget(nodes=nodes), seed)


def q_of(learner, move):
    """Q of a move (by number) in the learner's position."""
    learner.game.fingerprint(learner.buffers["root"], learner.buffers["position"])
    return (episodes.look_up(learner._buffers, move) - episodes.ZERO) / UNIT


def teach(learner, move, q):
    """One update of a move in the learner's position towards q."""
    q_of(learner, move)
    home, key = (int(learner.buffers["control"][i]) for i in (episodes.HOME, episodes.KEY))
    episodes.update(learner._buffers, home, key, episodes.ZERO + q * UNIT)


def known(learner):
    """All Q in the table, sorted."""
    pairs = zip(learner.buffers["pair_check"], learner.buffers["pair_value"], strict=True)
    return sorted((int(value) - episodes.ZERO) / UNIT for check, value in pairs if check)


def go_to(learner, moves):
    """The position after these moves, without forgetting."""
    learner.game.reset(learner.buffers["root"])
    learner.history = []
    for move in moves:
        learner.play(move)


def train(learner, player, count):
    """Learn as one player only; (wins, draws, losses) of the last 100 episodes, as TICTACTOE."""
    points = [
        episodes.play_episode(learner._buffers, learner._rules, player) for _ in range(count)
    ][-100:]
    return points.count(2), points.count(1), points.count(0)


def play_episode(learner, player):
    return episodes.play_episode(learner._buffers, learner._rules, player)


# --- the updates


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", LEARNERS)
def test_from_nothing_a_step_is_worth_minus_one_and_the_last_move_the_result(name, player):
    """alpha 0.5: half of -1 for each move but the last, half of 100, 0 or -100 for that."""
    seen = set()
    for seed in range(20):
        learner = learner_of(name, seed=seed)
        points = play_episode(learner, player)
        seen.add(points)
        found = known(learner)
        found.remove((-50, 0, 50)[points])
        assert set(found) == {-0.5}
        assert 1 <= len(found) <= 4
    assert seen == {0, 1, 2}


OPENING = "A1 B2 C3 A2".split()  # five squares are empty


def q_of_the_first_move(name, seed):
    """After one episode from OPENING, where three moves were known at each second turn.

    Their Q were 10, 20 and 30. The first move and the answer to it are random.
    """
    learner = learner_of(name, seed=seed, alpha=1, wander=1)
    learner.set_position(OPENING)
    learner.buffers["opening"][:] = learner.buffers["root"][:]
    empty = learner._list_playable()
    for first, answer in permutations(empty, 2):
        go_to(learner, [*OPENING, learner.game.text(first), learner.game.text(answer)])
        if not learner.is_over:
            for move, q in zip(sorted(learner._list_playable()), (10, 20, 30), strict=True):
                teach(learner, move, q)
    learner.buffers["control"][episodes.ALPHA] = 16384  # 0.5
    play_episode(learner, 0)
    go_to(learner, OPENING)
    (q,) = {q_of(learner, move) for move in empty} - {0}
    return q


def test_sarsa_learns_from_the_move_it_makes_next():
    """0.5 * (-1 + 0.9 * Q) for Q = 10, 20, 30."""
    found = {q_of_the_first_move("sarsa", seed) for seed in range(12)}
    assert {4, 8.5, 13} <= found <= {4, 8.5, 13, 50, -50}


def test_q_learning_learns_from_the_best_move_it_could_make_next():
    found = {q_of_the_first_move("qlearning", seed) for seed in range(12)}
    assert {13} <= found <= {13, 50, -50}


def test_an_update_goes_part_of_the_way_from_what_was_known():
    learner = learner_of("qlearning", alpha=0.25)
    for target, expected in ((100, 25), (100, 43.75), (-100, 7.8125), (0, 5.859375)):
        teach(learner, 4, target)
        assert abs(q_of(learner, 4) - expected) <= 1 / UNIT
    assert q_of(learner, 3) == 0


@pytest.mark.parametrize(("ties", "first_moves"), [("first", {0}), ("random", set(range(9)))])
def test_equal_moves_are_taken_as_the_setting_says(ties, first_moves):
    chosen = set()
    for seed in range(60):
        learner = learner_of("sarsa", seed=seed, wander=0, ties=ties, episodes=0)
        chosen.add(learner.search().move)
    assert chosen == {load("ttt3").text(move) for move in first_moves}


# --- the table


def test_a_full_window_forgets_the_pair_closest_to_zero():
    learner = learner_of("qlearning", nodes=episodes.WINDOW, alpha=1)
    values = (50, -3, 20, -90, 2, -60, 7, -8)
    for move, q in enumerate(values):
        teach(learner, move, q)
    assert known(learner) == sorted(values)
    teach(learner, 8, -1)
    assert known(learner) == sorted({*values, -1} - {2})
    assert (q_of(learner, 8), q_of(learner, 4)) == (-1, 0)
    result = learner.result()
    assert (result.nodes_used, result.nodes_recycled) == (8, 1)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_table_far_too_small_keeps_its_bytes_and_still_beats_random(name):
    results = []
    for seed in range(5):
        learner = learner_of(name, nodes=256, seed=seed, ties="first")
        before = {key: id(buffer) for key, buffer in learner.buffers.items()}
        wins, draws, losses = train(learner, 0, 1000)
        results += [2] * wins + [1] * draws + [0] * losses
        result = learner.result()
        assert result.nodes_used <= 256
        assert result.nodes_used + result.nodes_recycled > 1000
        assert {key: id(buffer) for key, buffer in learner.buffers.items()} == before
        assert sum(b.nbytes for b in learner.buffers.values()) == result.bytes
    assert len(results) == 500
    assert win_rate(results).low > 0.75  # random against random: 0.65


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("game", ["ttt3", "ttt10", "go5"])
def test_allocation_follows_the_ledger_to_the_byte(game, name):
    learner = open_search(load(game), Config(name), Budget(bytes=30_001))
    ledger = learner.ledger
    for row, kind, count in ledger.rows:
        assert (len(learner.buffers[row]), learner.buffers[row].itemsize) == (
            count,
            ITEM_BYTES[kind],
        )
    assert len(learner.buffers) == len(ledger.rows)
    assert ledger.total_bytes <= 30_001 < ledger.total_bytes + 6
    assert ledger.nodes == len(learner.buffers["pair_check"])


def test_a_budget_too_small_names_the_smallest_that_works():
    game, config = load("ttt3"), Config("sarsa")
    with pytest.raises(BadInput) as refusal:
        Budget(bytes=100).ledger(game, config)
    smallest = int(str(refusal.value).split("at least ")[1].split()[0])
    assert Budget(bytes=smallest).ledger(game, config).total_bytes == smallest
    with pytest.raises(BadInput):
        Budget(bytes=smallest - 1).ledger(game, config)
    with pytest.raises(BadInput, match="8 to"):
        Budget(nodes=7).ledger(game, config)


def test_a_game_without_fingerprint_is_refused_in_a_line():
    game = load("ttt3")
    game.fingerprint = None
    with pytest.raises(BadInput, match=r"^sarsa learns by fingerprints, and ttt3 has none$"):
        open_search(game, Config("sarsa"), Budget())


# --- what is learned


def last_games(name, game, player, seeds, **settings):
    """Results of the last 100 of 1,000 episodes, some seeds together."""
    results = []
    for seed in range(seeds):
        learner = learner_of(name, game, 32768, seed, **settings)
        wins, draws, losses = train(learner, player, 1000)
        assert wins + draws + losses == 100
        results += [2] * wins + [1] * draws + [0] * losses
    return win_rate(results)


@pytest.mark.parametrize("ties", ["random", "first"])
@pytest.mark.parametrize("name", LEARNERS)
def test_3x3_is_learned_well_in_1000_episodes(name, ties):
    assert last_games(name, "ttt3", 0, seeds=5, ties=ties).low > 0.8


def test_with_the_first_of_equal_moves_a_10x10_board_is_won_more_often_than_lost():
    """It fills line after line; with random ties it meets no position twice and learns nothing."""
    assert last_games("qlearning", "ttt10", 0, seeds=3, ties="first").low > 0.65
    assert last_games("qlearning", "ttt10", 0, seeds=3, ties="random").high < 0.6


@pytest.mark.parametrize("name", LEARNERS)
def test_a_search_has_learned_for_both_sides(name):
    """Greedy then, against random: 0.65 and 0.35 are what random players get."""
    learner = learner_of(name, seed=3, episodes=4000, ties="first")
    learner.search()
    learner.buffers["control"][episodes.WANDER] = 0
    low = {}
    for side in (0, 1):
        low[side] = win_rate([game_against_random(learner, side, seed) for seed in range(200)]).low
    assert low[0] > 0.8
    assert low[1] > 0.6


def game_against_random(learner, side, seed):
    """Half points of a learner that keeps what it knows."""
    choose = random.Random(seed).choice
    _, _, _, _, outcome = learner.game.rules
    go_to(learner, [])
    while not learner.is_over:
        if learner.buffers["root"][0] == side:
            learner.play(learner.search().move)
        else:
            learner.play(learner.game.text(choose(learner._list_playable())))
    points = outcome(learner.buffers["root"])
    return 2 - points if side else points


# --- a search


@pytest.mark.parametrize("name", LEARNERS)
def test_slices_learn_the_same_as_one_go(name):
    whole = learner_of(name, nodes=200, episodes=300).search()
    sliced = learner_of(name, nodes=200, episodes=300)
    sliced.start()
    steps = 1
    while made := sliced.run(steps):
        assert made <= steps
        sliced.result()
        steps = steps % 7 + 1
    assert sliced.result() == whole
    assert whole.playouts == 600


def test_only_the_first_search_of_a_game_learns():
    learner = learner_of("qlearning", episodes=50)
    first = learner.search()
    assert first.playouts == learner.ledger.playouts == 100
    again = learner.search()
    assert again == first._replace(playouts=0)
    learner.play(first.move)
    assert learner.search().tree_hash == first.tree_hash
    learner.new_game()
    assert learner.search() == first


def test_a_move_is_random_as_often_as_wander_says():
    learner = learner_of("qlearning", episodes=500, ties="first")
    learner.search()
    best = learner.game.text(learner._root_moves()[0][0])
    moves = []
    for seed in range(1000):
        learner.seed = seed
        moves.append(learner.result(whole=False).move)
    # 0.1 of the moves, of which one in nine is the best one: five standard deviations.
    assert abs(sum(move != best for move in moves) - 1000 * 0.1 * 8 / 9) < 45


def test_values_are_q_between_loss_and_win():
    learner = learner_of("sarsa", alpha=1, wander=0, episodes=0)
    for move, q in ((2, 100), (5, 50), (7, -100), (8, -150)):
        teach(learner, move, q)
    ranked = learner._root_moves()
    values = {move: points / (2 * weight) for move, weight, points in ranked}
    assert [move for move, _, _ in ranked] == [2, 5, 0, 1, 3, 4, 6, 7, 8]
    assert (values[2], values[5], values[0], values[7], values[8]) == (1, 0.75, 0.5, 0, 0)
    result = learner.search()
    assert (result.move, result.value) == (learner.game.text(2), 1)


# --- every runtime

ANYWHERE = """
import sys
sys.path[:0] = sys.argv[1:]
if len(sys.argv) > 2:
    import int32_checker
    int32_checker.install()
from picograve import Budget, Config, load, open_search
try:
    from micropython import heap_lock, heap_unlock
except ImportError:
    def heap_lock(): pass
    heap_unlock = heap_lock
def run_locked(searcher, steps):
    heap_lock()  # an allocation would raise MemoryError
    made = searcher.run(steps)
    heap_unlock()
    return made
JOBS = (
    ("ttt3", 500, 300, "random"),
    ("ttt3", 99, 300, "first"),
    ("ttt5", 999, 40, "first"),
    ("go5", 99, 10, "random"),
)
for game, nodes, episodes, ties in JOBS:
    for name in ("sarsa", "qlearning"):
        config = Config(name, episodes=episodes, wander=0.3, ties=ties)
        searcher = open_search(load(game), config, Budget(nodes=nodes), 5)
        searcher.start()
        made = run_locked(searcher, 2 * episodes)
        result = searcher.result()
        print(game, made, result.move, result.nodes_used, result.nodes_recycled, result.tree_hash)
"""


def run_anywhere(program, *folders, **environment):
    answer = subprocess.run(
        [*program, *map(str, folders)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout.splitlines()


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "anywhere.py"
    path.write_text(ANYWHERE)
    return str(path)


def test_every_desktop_runtime_learns_the_same_inside_32_bits(script):
    python = [sys.executable, script]
    fast = run_anywhere(python, SOURCE, PICOGRAVE_RUNTIME="numba")
    checked = run_anywhere(python, SOURCE, SUPPORT, PICOGRAVE_RUNTIME="cpython")
    assert fast == checked
    if "c" in searches_of.DESKTOP:
        assert run_anywhere(python, SOURCE, PICOGRAVE_RUNTIME="c") == fast
    assert fast[0] != fast[1]  # SARSA, Q-learning
    assert len(fast) == 8


def test_micropython_learns_the_same_and_allocates_nothing(script, unix_port):
    found = run_anywhere([unix_port, "-X", "heapsize=4m", script], SOURCE)
    assert found == run_anywhere([sys.executable, script], SOURCE, PICOGRAVE_RUNTIME="numba")
