"""Children of the Galaxy: the rules against a slow version of them, and figures of the paper's.

`cd tests/support; python -m skirmish.fleets 1000` compares as many games of each size.
"""

import random

import pytest
from picograve import BadInput, Budget, Config, Position, load, open_search
from picograve.kernel import allocate
from picograve.rng import start
from skirmish import fleets

SIZES = (4, 8, 16)


@pytest.mark.parametrize("size, games", [(4, 8), (8, 4), (16, 2)])
def test_random_games_are_those_of_the_slow_rules(size, games):
    for number in range(games):
        fleets.compare(load("cotg%d" % size), random.Random(number))


@pytest.mark.parametrize("size", SIZES)
def test_battles_at_the_edge_and_around_the_sun_are_those_of_the_slow_rules(size):
    for number in range(4):
        dice = random.Random(number)
        battle = fleets.any_battle(size, dice)
        shields = "full" if number % 2 else "coded"
        fleets.compare(load("cotg%d" % size, battle=battle, shields=shields, limit=60), dice)


# Of 300, 200 and 100 random games from the start: mean turns, and the share that the first player
# won, as a study of the program has measured; and three standard errors of the difference from
# our 400.
MEASURED = {4: (44.7, 0.73), 8: (50.0, 0.77), 16: (53.5, 0.33)}
NOISE = {4: (3.3, 0.11), 8: (3.4, 0.12), 16: (4.5, 0.16)}


@pytest.mark.parametrize("size", SIZES)
def test_random_games_are_as_long_and_as_often_won_as_measured(size):
    game = load("cotg%d" % size)
    copy, moves, _, playout, outcome = game.rules
    root, work = allocate("B", game.state_bytes), allocate("B", game.state_bytes)
    trace, numbers = allocate("H", game.move_cap), allocate("i", 2)
    game.reset(root)
    start(numbers, 1)
    turns, points = 0, []
    for _ in range(400):
        copy(work, root)
        turns += playout(work, numbers, trace, 0, trace, 65536)
        points.append(outcome(work))
        assert moves(work, trace) == 0
    assert 1 not in points  # none is cut, hence there are no draws
    for ours, theirs, noise in zip(
        (turns / 400, points.count(2) / 400), MEASURED[size], NOISE[size], strict=True
    ):
        assert abs(ours - theirs) < noise


def test_until_a_foe_is_in_range_both_scripts_do_the_same():
    for first, second in (("NNNN", "KKKK"), ("KNNN", "NNKN")):
        positions = [Position(load("cotg4")) for _ in range(2)]
        positions[0].play(first)
        positions[1].play(second)
        assert str(positions[0]) == str(positions[1])


def test_shields_collapse_as_coded_or_stay():
    for shields, expected in (("coded", [6, 8, 8, 6, 8, 8]), ("full", [600, 800, 800] * 2)):
        game = load("cotg4", shields=shields)
        position = Position(game)
        position.play("NNNN")
        assert game.ship(position.buffers["root"], 1, 0)[5] == expected
        assert game.ship(position.buffers["root"], 0, 0)[5] == [600, 800, 800] * 2


def test_a_move_is_a_letter_for_each_ship_that_is_left():
    game = load("cotg4")
    assert [game.text(move) for move in (0, 1, 8, 15)] == ["NNNN", "NNNK", "KNNN", "KKKK"]
    assert [game.find(text) for text in ("nnnk", "k", "kn", "nkx", "", "nnnnn")] == [
        1, 1, 2, None, None, None,
    ]  # fmt: skip
    position = Position(load("cotg4", battle="B-4,0 D-4,1 / D4,0"))
    assert len(position.legal_moves()) == 4
    with pytest.raises(BadInput, match="KNN is not legal for first"):
        position.play("KNN")


def test_the_larger_sum_of_hulls_wins_at_the_limit_and_a_cut_playout_is_a_draw():
    game = load("cotg4", battle="B-40,0 B-41,0 / B40,0", limit=2, cut=1)
    position = Position(game)
    copy, _, _, playout, outcome = game.rules
    work, numbers = allocate("B", game.state_bytes), allocate("i", 2)
    copy(work, position.buffers["root"])
    start(numbers, 1)
    assert playout(work, numbers, work, 0, work, 65536) == 1
    assert outcome(work) == 1
    for move in ("NN", "N"):
        position.play(move)
    assert position.is_over
    assert position.score() == "first wins, hulls 40.0 to 20.0"


def test_evaluation_and_bound_are_hulls_in_tenths():
    game = load("cotg4", battle="B-40,0 D-41,0 / B40,0")
    state = Position(game).buffers["root"]
    assert game.evaluate(state) == 100
    assert [game.bound(state, player) for player in (0, 1)] == [300, 200]


def test_a_picture_shows_the_ships_and_what_they_have():
    lines = str(Position(load("cotg4", battle="B-3,1 D-2,-1 / D3,-1"))).splitlines()
    assert lines[:3] == [
        "D . * * . d",
        " . * * * .",
        "B . * * . .",
    ]
    assert lines[3] == (
        "first   1 B hull 20.0 at  -3,  1 facing 0, shields 6.00 8.00 8.00 6.00 8.00 8.00"
    )


def test_scattered_ships_are_mirrored_and_depend_on_the_seed():
    texts = [str(Position(load("cotg8", scatter=seed))) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    game = load("cotg8", scatter=5)
    state = Position(game).buffers["root"]
    for i in range(8):
        letter, q, r = game.ship(state, 0, i)[:3]
        assert game.ship(state, 1, i)[:3] == (letter, -q, -r)
        assert letter == "BD"[i // 4]
        assert abs(q + 14) <= 6 and abs(r) <= 6


@pytest.mark.parametrize(
    "options, fault",
    [
        (dict(battle="B0,1"), "0,1 is in the sun"),
        (dict(battle="B67,0"), "67,0 is not on the map"),
        (dict(battle="B40,40"), "40,40 is not on the map"),
        (dict(battle="B5,0 D5,0"), "two ships are at 5,0"),
        (dict(battle="B5,0 / D5,0"), "two ships are at 5,0"),
        (dict(battle="B1,5 B2,5 B3,5 B4,5 B5,5"), "a side has 1 to 4 ships, not 5"),
        (dict(battle="B1,5 /"), "a side has 1 to 4 ships, not 0"),
        (dict(battle="B1,5/B3,5/B4,5"), "there are two sides, not 3"),
        (dict(battle="C1,5"), "write ships as B-11,2"),
        (dict(battle="B1"), "write ships as B-11,2"),
        (dict(battle=7), "write ships as B-11,2"),
        (dict(shields="none"), "shields are coded or full, not none"),
        (dict(children="all"), "children are nested or random, not all"),
        (dict(cut=0), "cut must be 1 to 1000 turns, not 0"),
        (dict(limit=1001), "limit must be 1 to 1000 turns, not 1001"),
        (dict(scatter=-1), "scatter is a seed"),
        (dict(scatter=1, battle="B5,0"), "not both"),
    ],
)
def test_what_is_no_battle_is_refused_in_words(options, fault):
    with pytest.raises(BadInput, match=fault):
        load("cotg4", **options)


def tried_at_root(**options):
    game = load("cotg16", **options)
    searcher = open_search(game, Config("uct", playouts=65), Budget(nodes=100))
    searcher.search()
    return [game.find(child.move.lower()) for child in searcher.root_moves()]


def test_children_are_tried_by_the_last_ships_first_or_in_any_order():
    nested = tried_at_root()
    assert len(set(nested)) == 64
    assert len({move >> 6 for move in nested}) == 1  # ten ships keep their scripts
    assert len({move >> 6 for move in tried_at_root(children="random")}) > 50


@pytest.mark.parametrize("variant", ["sr-cr", "voi", "hp", "wp", "rqb", "fap"])
@pytest.mark.parametrize("children", ["nested", "random"])
def test_variants_search_it(variant, children):
    game = load("cotg4", children=children)
    searcher = open_search(game, Config("uct", variant=variant, playouts=100), Budget(nodes=100))
    result = searcher.search()
    assert result.playouts == 100
    assert sum(result.visits.values()) >= 99


@pytest.mark.parametrize("script, letter", [("NOKAV", "N"), ("Kiter", "K")])
def test_a_script_alone_is_a_player(script, letter):
    config = Config("policy", playout_policy=script)
    searcher = open_search(load("cotg16"), config, Budget())
    for _ in range(2):
        move = searcher.search().move
        assert move == 16 * letter
        searcher.play(move)
    fewer = open_search(load("cotg4", battle="B-4,0 D-4,1 / D4,0"), config, Budget())
    assert fewer.search().move == "NN" + 2 * letter
    fewer.play(fewer.search().move)


def test_random_scripts_are_a_player():
    searcher = open_search(load("cotg16"), Config("policy", playout_policy="uniform"), Budget())
    played = set()
    for _ in range(6):
        played.add(searcher.search().move)
        searcher.play("N" * 16)
    assert len(played) == 6


def test_playouts_follow_a_script_or_switch_between_two():
    for policy in ("Kiter", "NOKAV+Kiter"):
        config = Config("uct", playouts=60, playout_policy=policy)
        result = open_search(load("cotg4"), config, Budget(nodes=60)).search()
        assert result.playouts == 60
