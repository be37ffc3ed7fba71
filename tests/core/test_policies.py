"""Playout policies: guided by a heuristic, switched between, and players that are nothing else."""

import random
from math import log, sqrt

import pytest
from game_play import copied, listed_moves, new_state
from picograve import BadInput, Budget, Config, Searcher, load, open_search
from picograve.kernel import allocate
from picograve.mcts import search
from picograve.mcts.playout import switching as strategies
from test_go import RETURN_ONE, SEND_TWO

GAMES = ("othello", "hex5", "ttt4")


def searcher_of(game, policy, playouts=50, seed=1, name="uct", **settings):
    config = Config(name, playouts=playouts, playout_policy=policy, **settings)
    return Searcher(load(game), config, Budget(nodes=100), seed)


def appraised(game, state, heuristic):
    """{move: its value} by a heuristic."""
    moves = listed_moves(game, state)
    out, values = allocate("H", game.code_count), allocate("i", game.code_count)
    for place, move in enumerate(moves):
        out[place] = move
    game.appraise(state, new_state(game), heuristic, out, len(moves), values)
    return dict(zip(moves, map(int, values), strict=False))


@pytest.mark.parametrize(
    ("game", "heuristic"),
    [(game, name) for game in GAMES for name in load(game).heuristics],
)
def test_a_guided_playout_takes_a_best_move_at_every_step(game, heuristic):
    searcher = searcher_of(game, heuristic)
    game = searcher.game
    _, _, play, _, _ = game.rules
    place = game.heuristics.index(heuristic)
    for _ in range(3):
        searcher.sample(1)
        length = int(searcher.buffers["control"][search.LENGTH])
        state = new_state(game)
        for note in searcher.buffers["trace"][:length]:
            move = int(note) & 32767
            values = appraised(game, state, place)
            assert values[int(move)] == max(values.values())
            play(state, int(move))
        assert listed_moves(game, state) == []


def test_ties_of_a_heuristic_are_broken_at_random():
    # In Hex every move leaves the same mobility.
    searcher = searcher_of("hex5", "Mp")
    first = set()
    for _ in range(200):
        searcher.sample(1)
        first.add(int(searcher.buffers["trace"][0]) & 32767)
    assert len(first) == 25


@pytest.mark.parametrize("name", ["uct", "grave", "graver2", "rave"])
def test_every_tree_search_takes_guided_playouts(name):
    searcher = searcher_of("othello", "WPC", name=name)
    result = searcher.search()
    assert result.playouts == 50
    searcher.play(result.move)
    assert result.choices is None


def test_a_switching_search_counts_what_it_chose():
    result = searcher_of("othello", "top3", playouts=90).search()
    assert list(result.choices) == ["Mp", "Md", "WPC"]
    assert sum(result.choices.values()) == 90
    assert min(result.choices.values()) >= 10


def test_sets_and_single_policies_can_be_joined():
    searcher = searcher_of("hex5", "top3+mast", playouts=60)
    assert searcher.policies == ("Mp", "Md", "E", "mast")
    result = searcher.search()
    assert sum(result.choices.values()) == 60
    assert searcher.ledger.total_bytes > searcher_of("hex5", "top3").ledger.total_bytes


def test_the_next_search_starts_counting_at_zero():
    searcher = searcher_of("othello", "uniform+E", playouts=40)
    searcher.search()
    assert sum(searcher.search().choices.values()) == 40


def ucb1(times, points, b):
    n = sum(times)
    return [p / 2 / t + b * sqrt(log(n) / t) for t, p in zip(times, points, strict=True)]


def test_switching_follows_ucb1():
    numbers = random.Random(1)
    for _ in range(300):
        count = numbers.randint(2, 5)
        times = [numbers.randint(1, 3000) for _ in range(count)]
        points = [numbers.randint(0, 2 * t) for t in times]
        b = numbers.choice([0.5, 1, 4])
        values = ucb1(times, points, b)
        switching = allocate("i", 4 * count)
        for place in range(count):
            switching[4 * place + 1] = times[place]
            switching[4 * place + 2] = points[place]
        chosen = strategies.switch(switching, count, round(256 * b)) // 4
        assert values[chosen] > max(values) - 0.002


def test_switching_by_hand():
    # Means 1/2 and 3/4 after 4 and 12 of 16 playouts: 0.5 + 4 * sqrt(2.7726 / 4) = 3.830 and
    # 0.75 + 4 * sqrt(2.7726 / 12) = 2.673; with b = 0.1 it is 0.583 and 0.798.
    switching = allocate("i", 8)
    for place, value in enumerate((0, 4, 4, 4, 1, 12, 18, 12)):
        switching[place] = value
    assert strategies.switch(switching, 2, 4 * 256) == 0
    assert strategies.switch(switching, 2, 26) == 4


def test_a_policy_never_tried_comes_first():
    switching = allocate("i", 12)
    for place, value in enumerate((0, 5, 10, 5, 1, 5, 10, 5, 2, 0, 0, 0)):
        switching[place] = value
    assert strategies.switch(switching, 3, 1024) == 8


def test_counts_are_halved_in_time_and_choices_are_not():
    switching = allocate("i", 8)
    for number in range(30000):
        strategies.credit(switching, 2, 4 * (number % 2), 1)
    assert switching[1] + switching[5] < 20000
    assert switching[3] + switching[7] == 30000
    assert abs(switching[2] / switching[1] - 1) < 0.01


def test_the_winner_of_two_policies_is_chosen_more_often():
    switching = allocate("i", 8)
    for _ in range(2000):
        place = strategies.switch(switching, 2, 256)
        strategies.credit(switching, 2, place, 2 if place else 0)
    assert switching[7] > 5 * switching[3]


@pytest.mark.parametrize("policy", ["best", "E+", "E+E", "top3+Mp", ""])
def test_an_unknown_or_doubled_policy_is_refused_with_those_there_are(policy):
    with pytest.raises(
        BadInput, match=r"playout_policy on othello is one of uniform, mast, reply, E, "
    ):
        searcher_of("othello", policy)


def test_go_has_no_heuristics_and_says_so():
    with pytest.raises(BadInput, match=r"playout_policy on go9 is one of uniform, mast, reply, or"):
        searcher_of("go9", "E")


# Players without a tree.


def policy_player(game, policy="uniform", seed=1, moves=()):
    player = open_search(load(game), Config("policy", playout_policy=policy), Budget(), seed)
    player.set_position(moves)
    return player


def test_a_random_player_plays_every_move_about_as_often():
    player = policy_player("othello")
    moves = []
    for seed in range(400):
        player.seed = seed
        moves.append(player.search().move)
    assert {moves.count(move) for move in set(moves)} <= set(range(70, 131))
    assert len(set(moves)) == 4


def test_a_greedy_player_takes_the_most_discs():
    moves = "D3 C3 C4 C5".split()
    player = policy_player("othello", "E", moves=moves)
    game, state = player.game, copied(player.game, player.buffers["root"])
    values = appraised(game, state, 0)
    best = {game.text(move) for move, value in values.items() if value == max(values.values())}
    for seed in range(10):
        player.seed = seed
        assert player.search().move in best


def test_a_random_player_of_go_keeps_superko():
    player = policy_player("go5", moves=SEND_TWO.split())
    moves = set()
    for seed in range(200):
        player.seed = seed
        moves.add(player.search().move)
    assert len(moves) > 5
    assert RETURN_ONE not in moves


@pytest.mark.parametrize("policy", ["mast", "top3"])
def test_a_player_without_a_tree_has_one_policy_that_needs_none(policy):
    with pytest.raises(BadInput, match="policy takes one playout_policy"):
        policy_player("othello", policy)
