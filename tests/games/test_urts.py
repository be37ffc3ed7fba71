"""Skirmishes against a slow model of their rules (skirmish/model.py), and what a search may know.

PICOGRAVE_BATTLES is how many games of each size are compared with the model; 1,000 were, once.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from game_play import copied, new_state, playout_of
from picograve import BadInput, Budget, Config, load, open_search, rng
from picograve.games import urts
from picograve.kernel import allocate
from picograve.settings import VARIANTS
from picograve_host.battles import read

SUPPORT = Path(__file__).parents[1] / "support"
FEW = {4: 20, 8: 8, 16: 2}  # games that are compared usually


def battles(*words):
    """What the script says of battles, on the fastest runtime there is to start."""
    runtime = "c" if shutil.which("gcc") else "cpython"
    answer = subprocess.run(
        [sys.executable, "-m", "skirmish.battles", *map(str, words)],
        cwd=SUPPORT,
        env={**os.environ, "PICOGRAVE_RUNTIME": runtime},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def play(game, state, *texts):
    _, moves, play, _, _ = game.rules
    for text in texts:
        move = game.find(text.lower())
        assert move < moves(state, state)
        play(state, move)


@pytest.mark.parametrize("size", FEW)
def test_random_battles_searches_and_playouts_are_those_of_the_slow_model(size):
    games = int(os.environ.get("PICOGRAVE_BATTLES", FEW[size]))
    compared = battles("compare", size, games)
    assert compared["real"] > 8 * games


# Of 300, 200 and 100 random games of another program of the same rules: share that is over before
# tick 1,000, mean ticks, ticks with a decision a side; first damage and hit points left after 100
# ticks, which hardly depend on chance. There one side was served after the other.
MEASURED = {
    4: (300, 152, 596, 7.6, 45, 21.0),
    8: (200, 141, 677, 42, 93, 62.0),
    16: (100, 91, 552, 102, 37, 98.4),
}


@pytest.mark.parametrize("size", MEASURED)
def test_served_one_after_the_other_random_scripts_end_as_another_program_measured(size):
    theirs, over, ticks, decisions, damage, left = MEASURED[size]
    games = 20 if size == 16 else 60
    found = battles("served", size, games)
    spread = (1 / games + 1 / theirs) ** 0.5
    assert abs(found["over"] / games - over / theirs) < 3 * 0.5 * spread
    assert abs(found["ticks"] - ticks) < 3 * 400 * spread
    assert abs(found["decisions"] - decisions) < 3 * decisions * spread
    assert found["first_damage"] == damage
    assert abs(found["left_at_100"] - left) < 0.02 * left


def test_a_search_sees_neither_the_orders_nor_the_scripts_of_the_enemy():
    game = load("urts4")
    seen = set()
    for orders in ("N", "KKKK", "NKN"):
        state = new_state(game)
        play(game, state, orders)
        assert state[0] == 1
        state[urts._COINS] = 1  # stirred by the move
        copy = copied(game, state)
        assert game.show(copy) == game.show(state)
        seen.add(bytes(copy))
    assert len(seen) == 1
    play(game, state, "N", "N")
    scripts = [int(state[urts._UNITS + urts._RECORD * i + urts._SCRIPT]) for i in range(8)]
    copy = copied(game, state)
    enemy = slice(4, 8) if copy[0] == 0 else slice(0, 4)
    seen = [int(copy[urts._UNITS + urts._RECORD * i + urts._SCRIPT]) for i in range(8)]
    assert any(scripts[enemy]) and not any(seen[enemy])


def test_no_tree_is_kept_where_something_is_hidden():
    hashes = []
    for reuse in (False, True):
        config = Config("uct", playouts=100, reuse=reuse)
        searcher = open_search(load("urts4"), config, Budget(nodes=100), 1)
        searcher.search()
        searcher.play("N")
        hashes.append(searcher.search().tree_hash)
    assert hashes[0] == hashes[1]


def test_the_searching_player_decides_first_and_the_enemy_sees_it():
    game = load("urts4")
    state = new_state(game)
    play(game, state, "N")
    view = copied(game, state)
    assert (view[0], view[urts._SEARCHER]) == (1, 1)
    play(game, view, "N")
    assert view[0] == 0
    assert urts.idle(view, 0) == 4 and urts.idle(view, 1) == 0


def test_a_playout_is_random_moves_from_where_it_begins():
    game = load("urts8", cut=300)
    _, moves, play_move, _, _ = game.rules
    for seed in range(5):
        state, twin = new_state(game), new_state(game)
        numbers = allocate("i", 2)
        rng.start(numbers, seed)
        game.begin(twin)
        length = 0
        while count := moves(twin, twin):
            play_move(twin, rng.draw(numbers, count))
            length += 1
        assert len(playout_of(game, state, seed)) == length > 10
        assert bytes(state) == bytes(twin)


def test_a_playout_ends_after_cut_ticks_and_is_a_draw():
    for cut in (1, 30):
        game = load("urts4", cut=cut)
        state = new_state(game)
        playout_of(game, state, 3)
        assert urts.is_over(state)
        assert state[urts._TIME] == cut
        assert game.rules[4](state) == 1


def test_nobody_left_is_a_draw_and_in_a_search_a_loss_of_who_searches():
    game = load("urts4", battle="3 H0,0 / H0,1")
    state = new_state(game)
    view = copied(game, state)
    play(game, state, "N", "N")
    play(game, view, "N", "N")
    assert game.score(state) == "draw, hit points 0 to 0"
    assert game.rules[4](state) == 1
    assert game.rules[4](view) == 0


def test_who_falls_in_a_tick_still_strikes_in_it():
    game = load("urts4", battle="5 L0,0 H3,3 / H0,1")
    state = new_state(game)
    play(game, state, "N", "N")
    assert (urts.strength(state, 0), urts.strength(state, 1)) == (4, 2)


def test_two_that_start_into_one_cell_leave_it_to_a_coin():
    found = set()
    for coins in range(20):
        game = load("urts4", battle="5 L0,0 / H2,0", coins=coins)
        state = new_state(game)
        play(game, state, "N", "N")
        units = [urts._UNITS, urts._UNITS + 4 * urts._RECORD]
        found.add(tuple(int(state[unit + urts._X]) for unit in units))
    assert found >= {(1, 2), (2, 3)}  # and where one then goes around the other


def test_moves_are_a_letter_for_each_unit_that_decides():
    game = load("urts4")
    assert [game.text(move) for move in (0, 1, 5, 15)] == ["N", "K", "KNK", "KKKK"]
    assert [game.find(text) for text in ("n", "nnnn", "knk", "knkn")] == [0, 0, 5, 5]
    assert [game.find(text) for text in ("", "a", "nnnnn", "5")] == [None] * 4


def test_the_picture_says_who_decides_for_which_units_and_what_others_do():
    game = load("urts4")
    state = new_state(game)
    *board, sums, deciding = game.show(state).splitlines()
    assert len(board) == 14
    assert board[5] == "  4 H4" + 11 * "  ." + " l4"
    assert sums == "tick 0, hit points 16 to 16"
    assert deciding == "blue decides for L4 0,8, L4 3,7, H4 2,5, H4 0,4"
    play(game, state, "N", "N")
    assert "hits" in game.show(state) or "moves" in game.show(state)


def test_a_battle_of_ones_own_is_a_line():
    game = load("urts8", battle="6 L0,0 H1,0 / H5,5")
    state = new_state(game)
    assert [urts.strength(state, player) for player in (0, 1)] == [8, 4]
    assert game.state_bytes == 17 + 18 * 8 + 2 * 4 * 8 + 2 * 36
    assert "decides for L4 0,0, H4 1,0" in game.show(state)
    turned = new_state(load("urts4", battle="6 L0,0"))
    assert turned[urts._UNITS + 4 * urts._RECORD + urts._X] == 6


@pytest.mark.parametrize(
    ("battle", "hint"),
    [
        ("", "it starts with the cells in a row, 3 to 30"),
        ("2 L0,0", "it starts with the cells in a row, 3 to 30"),
        ("9 X1,1", "a unit is L or H and its place, such as L0,8, not X1,1"),
        ("9 L1", "a unit is L or H and its place, such as L0,8, not L1"),
        ("9 L1,1 / L2,2 / L3,3", "there are two sides, one / between them"),
        ("9 L1,1 /", "a side has 1 to 4 units, not 0"),
        ("9 L0,0 L1,0 L2,0 L3,0 L4,0", "a side has 1 to 4 units, not 5"),
        ("9 L9,0", "9,0 is not on a map of 9 x 9 cells"),
        ("9 L4,4", "two units are at 4,4"),
    ],
)
def test_a_battle_that_cannot_be_is_refused_with_the_reason(battle, hint):
    with pytest.raises(BadInput, match=hint):
        load("urts4", battle=battle or " ")


def test_a_scattered_battle_is_the_same_for_a_seed_and_for_both_sides():
    for size in (4, 8, 16):
        texts = [load("urts%d" % size, scatter=seed).battle for seed in (1, 1, 2)]
        assert texts[0] == texts[1] != texts[2]
        game = load("urts%d" % size, scatter=1)
        state = new_state(game)
        assert [urts.strength(state, player) for player in (0, 1)] == [4 * size] * 2
        assert texts[0].count("L") == texts[0].count("H") == size // 2
        playout_of(game, state, 1)


def test_units_are_scattered_or_in_a_battle():
    with pytest.raises(BadInput, match="scattered or in a battle, not both"):
        load("urts4", scatter=1, battle="9 L0,0")
    with pytest.raises(BadInput, match="scatter is a seed"):
        load("urts4", scatter=-1)


def test_a_size_between_is_refused_with_those_there_are():
    with pytest.raises(BadInput, match="Skirmish comes in sizes 4, 8, 16: urts4, not urts5"):
        load("urts5")


def test_options_out_of_range_are_refused():
    for option in (dict(cut=0), dict(cut=1001), dict(coins=65536)):
        with pytest.raises(BadInput, match="must be"):
            load("urts4", **option)


def actions(state):
    return [int(state[urts._UNITS + urts._RECORD * i + urts._ACTION]) for i in range(8)]


def stop(state):
    """All units drop what they do."""
    for i in range(8):
        unit = urts._UNITS + urts._RECORD * i
        action = int(state[unit + urts._ACTION])
        if urts._MOVE <= action < urts._ATTACK:
            urts.leave(state, urts.ahead(urts.place(state, unit), action - urts._MOVE))
        state[unit + urts._ACTION] = state[unit + urts._LEFT] = 0


def test_doubled_turns_half_of_the_moves_that_ran_at_the_leaf_into_waits():
    moves = waits = 0
    for coins in range(60):
        game = load("urts4", doubled=True, coins=coins)
        view = copied(game, new_state(game))
        play(game, view, "N", "N")  # to the first unit whose script is over
        twin = copied(game, view)
        game.begin(view)
        for state in (view, twin):
            stop(state)
            urts.ask(state)
            urts.issue_all(state)
        for usual, doubled in zip(actions(twin), actions(view), strict=True):
            assert doubled in (usual, urts._WAIT)
            moves += urts._MOVE <= usual < urts._ATTACK
            waits += usual != doubled
    assert moves > 100
    assert 0.4 < waits / moves < 0.6


def test_stale_starts_a_playout_with_the_scripts_of_the_one_before():
    game = load("urts4", stale=True)
    usual = load("urts4")
    assert game.state_bytes == usual.state_bytes + 25
    work = new_state(game)
    view = copied(game, new_state(game))
    playout_of(game, work, 1)  # keeps its last scripts behind the scratch
    last = [int(work[urts._UNITS + urts._RECORD * i + urts._SCRIPT]) for i in range(8)]
    assert any(last)
    game.rules[0](work, view)
    game.begin(work)
    now = [int(work[urts._UNITS + urts._RECORD * i + urts._SCRIPT]) for i in range(8)]
    gone = [script for script, kept in zip(last, now, strict=True) if script != kept]
    assert any(now) and not any(gone)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_searches_a_skirmish(variant):
    config = Config("uct", variant=variant, playouts=60)
    searcher = open_search(load("urts4", cut=40), config, Budget(nodes=60), 3)
    for _ in range(3):
        result = searcher.search()
        assert result.playouts == 60
        searcher.play(result.move)


@pytest.mark.parametrize("script, letters", [("NOKAV", "N"), ("Kiter", "KKKK")])
def test_a_script_alone_is_a_player(script, letters):
    searcher = open_search(load("urts4"), Config("policy", playout_policy=script), Budget())
    for _ in range(2):
        move = searcher.search().move
        assert move == letters
        searcher.play(move)


def test_a_battle_can_come_from_a_file(tmp_path):
    file = tmp_path / "battle.toml"
    file.write_text('map = 13\nfirst = [["L", 0, 8], ["H", 2, 5]]\nsecond = [["L", 5, 5]]\n')
    assert load("urts4", battle=read(str(file))).battle == "13 L0,8 H2,5 / L5,5"


@pytest.mark.parametrize("option", ["doubled", "stale"])
def test_a_switch_is_on_or_off(option):
    with pytest.raises(BadInput, match=option + " must be true or false, not 2"):
        load("urts4", **{option: 2})
