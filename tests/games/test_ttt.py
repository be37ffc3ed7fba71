"""Tic-tac-toe against OpenSpiel: its `tic_tac_toe` for 3x3 and its `mnk` for every size.

With k = N on an NxN board a line of `mnk` is just a full row, column or main diagonal, so
the two games are one. What the kernels keep up to date inside a state (marks in each line,
list of empty squares) is recomputed from the marks, the layout being taken from
picograve.games.ttt. On 3x3 the whole tree is walked through the kernels: its number of
games and its value are known.
"""

import random
from functools import cache

import pyspiel
import pytest
from game_play import (
    UNIFORM,
    copied,
    legal_moves,
    listed_moves,
    mast_order,
    new_state,
    playout_of,
)
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from picograve import BadInput, load
from picograve.games import move_of, ttt
from picograve.kernel import allocate

# Epsilon of playouts that look at the order now and then, and always.
MIXED, GREEDY = 26214, 0
# A smaller seed is no simpler example, so that shrinking would only take time.
EXAMPLES = settings(max_examples=100, deadline=None, derandomize=True, phases=[Phase.generate])


def random_game(game, state, seed):
    """Play random moves to the end, yielding each."""
    _, _, play, _, _ = game.rules
    choose = random.Random(seed).choice
    while choices := legal_moves(game, state):
        move = choose(choices)
        play(state, move)
        yield move


def random_position(game, seed, plies):
    state = new_state(game)
    for _ in zip(range(plies), random_game(game, state, seed), strict=False):
        pass
    return state


def marks(game, state):
    """The squares from A1 on; `show` draws the last row first."""
    rows = [line.split()[1:] for line in game.show(state).splitlines()[1:-1]]
    return "".join("".join(row) for row in reversed(rows))


# --- OpenSpiel


def check_game(game, oracle, state, moves):
    """Play moves on both; the first player's half points at the end."""
    _, _, _, _, outcome = game.rules
    for move in moves:
        assert sorted(listed_moves(game, state)) == legal_moves(game, state)
        oracle.apply_action(move)
        assert marks(game, state) == str(oracle).replace("\n", "").upper()
        assert legal_moves(game, state) == oracle.legal_actions()
    assert oracle.is_terminal()
    assert outcome(state) == 1 + oracle.returns()[0]
    assert game.score(state) == ("O wins", "draw", "X wins")[outcome(state)]
    return outcome(state)


def test_games_on_3x3_agree_with_openspiel():
    game = load("ttt3")
    outcomes = set()
    for seed in range(200):
        state = new_state(game)
        oracle = pyspiel.load_game("tic_tac_toe").new_initial_state()
        outcomes.add(check_game(game, oracle, state, random_game(game, state, seed)))
    assert outcomes == {0, 1, 2}


@pytest.mark.parametrize("size", ttt.SIZES)
def test_random_games_agree_with_openspiel(size):
    game = load("ttt%d" % size)
    parameters = dict.fromkeys("mnk", size)
    outcomes = []
    for seed in range(20):
        state = new_state(game)
        oracle = pyspiel.load_game("mnk", parameters).new_initial_state()
        outcomes.append(check_game(game, oracle, state, random_game(game, state, seed)))
    assert 1 in outcomes


def lines_of(size):
    """Every winning line in the order of the state's counters, as sets of squares."""
    side = range(size)
    rows = [{size * y + x for x in side} for y in side]
    columns = [{size * y + x for y in side} for x in side]
    rising = {size * i + i for i in side}
    falling = {size * i + size - 1 - i for i in side}
    return [*rows, *columns, rising, falling]


def scattered(size, count, line, rand):
    """So many squares off a line that are no line themselves."""
    squares = sorted(set(range(size * size)) - line)
    while (chosen := set(rand.sample(squares, count))) in lines_of(size):
        pass
    return sorted(chosen)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("size", ttt.SIZES)
def test_every_line_wins_with_its_last_mark_as_in_openspiel(size, player):
    # Random games on large boards hardly ever end by a line.
    game = load("ttt%d" % size)
    _, _, play, _, outcome = game.rules
    rand = random.Random(size)
    for line in lines_of(size):
        winner = rand.sample(sorted(line), size)
        loser = scattered(size, size - 1 + player, line, rand)
        first, second = (winner, loser) if player == 0 else (loser, winner)
        state = new_state(game)
        oracle = pyspiel.load_game("mnk", dict.fromkeys("mnk", size)).new_initial_state()
        for ply in range(2 * size - 1 + player):
            assert legal_moves(game, state) == oracle.legal_actions() != []
            move = (first, second)[ply % 2][ply // 2]
            play(state, move)
            oracle.apply_action(move)
        assert oracle.returns()[player] == 1
        assert outcome(state) == 2 - 2 * player
        assert listed_moves(game, state) == legal_moves(game, state) == []


# --- what a state holds, recomputed from its marks


def check_bookkeeping(game, state):
    cells = [int(cell) for cell in state[ttt._CELL : ttt._CELL + game.size**2]]
    empty = {square for square, cell in enumerate(cells) if cell == 0}
    count = int(state[ttt._EMPTIES])
    squares = [int(square) for square in state[ttt._LIST : ttt._LIST + count]]
    assert count == len(empty)
    assert set(squares) == empty
    assert all(squares[state[ttt._PLACE + square]] == square for square in empty)
    winner = 0
    for player in (0, 1):
        for number, line in enumerate(lines_of(game.size)):
            held = sum(cells[square] == player + 1 for square in line)
            assert state[ttt._LINES + ttt._PER_PLAYER * player + number] == held
            if held == game.size:
                winner = player + 1
    assert state[ttt._WINNER] == winner
    assert state[ttt._TURN] == (game.size**2 - count) % 2


@pytest.mark.parametrize("size", ttt.SIZES)
def test_bookkeeping_follows_every_move(size):
    game = load("ttt%d" % size)
    for seed in range(3):
        state = new_state(game)
        check_bookkeeping(game, state)
        for _ in random_game(game, state, seed):
            check_bookkeeping(game, state)


def test_a_copy_is_the_whole_state_and_independent():
    game = load("ttt10")
    state = random_position(game, 1, 40)
    twin = copied(game, state)
    assert bytes(twin) == bytes(state)
    _, _, play, _, _ = game.rules
    play(twin, listed_moves(game, twin)[0])
    assert bytes(twin) != bytes(state)
    check_bookkeeping(game, state)


# --- playouts


@EXAMPLES
@given(
    st.sampled_from(ttt.SIZES),
    st.integers(0, 2**20),
    st.floats(0, 1),
    st.sampled_from((UNIFORM, MIXED, GREEDY)),
)
def test_playouts_play_legal_moves_until_the_first_win(size, seed, part, epsilon):
    game = load("ttt%d" % size)
    _, _, play, _, _ = game.rules
    order = mast_order(game.name)
    start = random_position(game, seed, int(part * game.move_cap))
    end = copied(game, start)
    for move in playout_of(game, end, seed, order, epsilon):
        assert game.legal(start, move)  # also: nobody has won yet
        if epsilon == GREEDY:
            half = int(start[ttt._TURN]) * game.code_count
            best = [int(choice) for choice in order[half : half + game.code_count]]
            assert move == next(choice for choice in best if game.legal(start, choice))
        play(start, move)
    assert legal_moves(game, start) == listed_moves(game, end) == []
    assert marks(game, end) == marks(game, start)
    check_bookkeeping(game, end)


@pytest.mark.parametrize("size", ttt.SIZES)
def test_playouts_end_in_wins_of_both_and_in_draws(size):
    # Uniform play on a large board hardly ever fills a line; with an order to repeat it does.
    game = load("ttt%d" % size)
    _, _, _, _, outcome = game.rules
    order = mast_order(game.name)
    outcomes = set()
    for seed in range(3000):
        state = new_state(game)
        playout_of(game, state, seed, order, MIXED if seed % 2 else UNIFORM)
        outcomes.add(outcome(state))
    assert outcomes == {0, 1, 2}


def test_uniform_playouts_draw_all_empty_squares_alike():
    game = load("ttt4")
    start = random_position(game, 3, 6)
    squares = listed_moves(game, start)
    counts = dict.fromkeys(squares, 0)
    order = allocate("H", 0)
    for seed in range(1000 * len(squares)):
        counts[playout_of(game, copied(game, start), seed, order, UNIFORM)[0]] += 1
    assert len(squares) == 10
    # Five standard deviations of a count of 1000.
    assert all(abs(count - 1000) < 158 for count in counts.values())


# --- 3x3 as a whole


@cache
def solved():
    """{marks: (value for X in half points, games that end 0, 1, 2)} of every 3x3 position."""
    game = load("ttt3")
    _, _, play, _, outcome = game.rules
    table = {}

    def solve(state):
        position = marks(game, state)
        if position not in table:
            results = []
            for move in listed_moves(game, state):
                after = copied(game, state)
                play(after, move)
                results.append(solve(after))
            if results:
                best = max if position.count("X") == position.count("O") else min
                value = best(value for value, _ in results)
                games = tuple(map(sum, zip(*(games for _, games in results), strict=True)))
            else:
                value = outcome(state)
                games = tuple(int(value == end) for end in range(3))
            table[position] = value, games
        return table[position]

    solve(new_state(game))
    return table


def test_3x3_has_the_known_number_of_games_and_positions():
    _, (lost, drawn, won) = solved()["........."]
    assert (won, lost, drawn) == (131184, 77904, 46080)
    assert won + lost + drawn == 255168
    assert len(solved()) == 5478


@pytest.mark.parametrize(
    ("opening", "drawing_replies"),
    [
        ("", "A1 A2 A3 B1 B2 B3 C1 C2 C3"),
        ("A1", "B2"),
        ("B2", "A1 A3 C1 C3"),
        ("B1", "A1 B2 B3 C1"),
    ],
)
def test_3x3_is_a_draw_that_only_the_known_replies_keep(opening, drawing_replies):
    game = load("ttt3")
    _, _, play, _, _ = game.rules
    state = new_state(game)
    if opening:
        play(state, move_of(game, opening))
    values = {}
    for move in listed_moves(game, state):
        after = copied(game, state)
        play(after, move)
        values[game.text(move)], _ = solved()[marks(game, after)]
    value, _ = solved()[marks(game, state)]
    assert value == 1
    assert sorted(text for text, value in values.items() if value == 1) == drawing_replies.split()


# --- what is known about positions


def state_after(game, texts):
    _, _, play, _, _ = game.rules
    state = new_state(game)
    for text in texts.split():
        play(state, move_of(game, text))
    return state


def fingerprint_of(game, state):
    out = allocate("i", 2)
    game.fingerprint(state, out)
    return int(out[0]), int(out[1])


def test_fingerprints_are_the_same_by_any_order_of_moves_and_differ_otherwise():
    game = load("ttt3")
    found = {}
    for seed in range(2000):
        state = new_state(game)
        for _ in random_game(game, state, seed):
            position = marks(game, state)
            assert found.setdefault(position, fingerprint_of(game, state)) == fingerprint_of(
                game, state
            )
    assert len(found) > 3000
    for half in (0, 1):
        assert len({fingerprint[half] for fingerprint in found.values()}) == len(found)


def test_a_fingerprint_tells_who_is_to_move():
    game = load("ttt4")
    state = state_after(game, "A1 B2")
    before = fingerprint_of(game, state)
    state[ttt._TURN] = 1
    assert fingerprint_of(game, state)[0] != before[0]
    assert fingerprint_of(game, state)[1] != before[1]


def plain_evaluation(game, state):
    """By the marks alone."""
    cells, total = marks(game, state), 0
    for line in lines_of(game.size):
        held = [cells[square] for square in line]
        if "O" not in held:
            total += (held.count("X") + 1) ** 2
        if "X" not in held:
            total -= (held.count("O") + 1) ** 2
    return total


@pytest.mark.parametrize("size", ttt.SIZES)
def test_evaluation_is_the_difference_of_open_lines_by_their_marks(size):
    game = load("ttt%d" % size)
    for seed in range(5):
        state = new_state(game)
        assert game.evaluate(state) == 0
        for _ in random_game(game, state, seed):
            assert game.evaluate(state) == plain_evaluation(game, state)


def appraised(game, state):
    """{text of a move: what E gives it}"""
    moves, values = allocate("H", game.code_count), allocate("i", game.code_count)
    _, list_moves, _, _, _ = game.rules
    count = list_moves(state, moves)
    game.appraise(state, new_state(game), game.heuristics.index("E"), moves, count, values)
    return {game.text(int(move)): int(values[i]) for i, move in enumerate(moves[:count])}


@pytest.mark.parametrize("size", ttt.SIZES)
def test_e_is_the_movers_evaluation_of_the_position_after_a_move(size):
    game = load("ttt%d" % size)
    _, _, play, _, _ = game.rules
    for plies in range(2 * size - 3):
        state = random_position(game, plies, plies)
        before = bytes(state)
        values = appraised(game, state)
        assert bytes(state) == before
        for text, value in values.items():
            after = copied(game, state)
            play(after, move_of(game, text))
            evaluation = plain_evaluation(game, after)
            assert value == 10000 + (evaluation if plies % 2 == 0 else -evaluation) >= 0


@pytest.mark.parametrize("opening", ["", "A3 "])
def test_e_takes_a_win_before_everything_else(opening):
    game = load("ttt3")
    values = appraised(game, state_after(game, opening + "A1 C3 B1 C2"))
    assert [text for text in values if values[text] == max(values.values())] == ["C1"]


# --- texts and options


@pytest.mark.parametrize("size", ttt.SIZES)
def test_moves_are_column_and_row_from_below_and_read_back(size):
    game = load("ttt%d" % size)
    assert [game.code(move) for move in range(game.move_limit)] == list(range(game.code_count))
    texts = ["ABCDEFGHIJ"[x] + str(y + 1) for y in range(size) for x in range(size)]
    assert [game.text(move) for move in range(game.move_limit)] == texts
    for move, text in enumerate(texts):
        assert move_of(game, text) == move_of(game, text.lower()) == move
    for text in ("A0", "A%d" % (size + 1), "ABCDEFGHIJK"[size] + "1", "", "pass"):
        assert move_of(game, text) is None


def test_a_board_is_drawn_with_its_first_row_below():
    game = load("ttt3")
    _, _, play, _, _ = game.rules
    state = new_state(game)
    for text in ("A1", "C1", "B3"):
        play(state, move_of(game, text))
    assert game.show(state).splitlines() == [
        "   A B C",
        " 3 . X .",
        " 2 . . .",
        " 1 X . O",
        "   A B C",
    ]


@pytest.mark.parametrize("name", ["ttt2", "ttt11", "ttt0"])
def test_sizes_outside_3_to_10_are_refused(name):
    with pytest.raises(BadInput, match="sizes 3 to 10"):
        load(name)
