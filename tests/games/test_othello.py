"""Othello against OpenSpiel's `othello`, known counts of the tree, and a slow plain version.

OpenSpiel has the same rules and the same squares: its action is our code. The plain version
below works on a drawing of the board, knows neither lists nor a border, and is what the
heuristics and the bookkeeping of a state are checked against.
"""

import random
from itertools import pairwise

import pyspiel
import pytest
from game_play import (
    UNIFORM,
    all_moves,
    copied,
    legal_moves,
    listed_moves,
    mast_order,
    new_state,
    playout_of,
)
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from picograve import BadInput, Budget, Config, Searcher, load
from picograve.games import move_of, othello
from picograve.kernel import allocate

GAME = load("othello")
PASS = 0
MIXED, GREEDY = 26214, 0  # epsilon: looks at the order now and then, and always
# A smaller seed is no simpler example, so that shrinking would only take time.
EXAMPLES = settings(max_examples=100, deadline=None, derandomize=True, phases=[Phase.generate])

# The quarter of the published table, in hundredths.
WEIGHTS = ((100, -25, 10, 5), (-25, -25, 1, 1), (10, 1, 5, 2), (5, 1, 2, 1))


def play(state, move):
    GAME.rules[2](state, move)


def outcome(state):
    return GAME.rules[4](state)


def random_game(state, seed):
    """Play random moves to the end, yielding each."""
    choose = random.Random(seed).choice
    while choices := legal_moves(GAME, state):
        move = choose(choices)
        play(state, move)
        yield move


def random_position(seed, plies):
    state = new_state(GAME)
    for _ in zip(range(plies), random_game(state, seed), strict=False):
        pass
    return state


def discs(state):
    """The squares from A1 on, row by row from the top, as . X O."""
    rows = [line.split()[1:] for line in GAME.show(state).splitlines()[1:-1]]
    return "".join("".join(row) for row in rows)


def drawn_state(rows, turn=0):
    """The state that a drawing shows, as the kernels keep it."""
    board = "".join(rows)
    state = new_state(GAME)
    near = []
    for code, cell in enumerate(board):
        move = othello._ROW * (code // 8 + 1) + code % 8 + 1
        if cell == ".":
            is_near = any(board[beside] != "." for beside in neighbours(code))
            state[othello._CELL + move] = othello._NEAR if is_near else othello._FAR
            near += [move] * is_near
        else:
            state[othello._CELL + move] = " XO".index(cell)
    for i, move in enumerate(near):
        state[othello._LIST + i] = move
    state[othello._NEARS] = len(near)
    state[othello._DISCS + 1] = board.count("X")
    state[othello._DISCS + 2] = board.count("O")
    state[othello._TURN] = turn
    return state


# --- the plain version


DIRECTIONS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]


def ray(code, down, right):
    """The squares from a square on in one direction, without itself."""
    y, x = divmod(code, 8)
    found = []
    while 0 <= (y := y + down) < 8 and 0 <= (x := x + right) < 8:
        found.append(8 * y + x)
    return found


def neighbours(code):
    return [squares[0] for direction in DIRECTIONS if (squares := ray(code, *direction))]


def plain_flips(board, code, own):
    flips = []
    for direction in DIRECTIONS:
        line = []
        for square in ray(code, *direction):
            if board[square] == ".":
                break
            if board[square] == own:
                flips += line
                break
            line.append(square)
    return flips


def plain_play(board, code, own):
    if code == 64:
        return board
    changed = {code, *plain_flips(board, code, own)}
    return "".join(own if square in changed else cell for square, cell in enumerate(board))


def plain_mobility(board, own):
    return sum(board[code] == "." and bool(plain_flips(board, code, own)) for code in range(64))


def plain_weight(code):
    y, x = divmod(code, 8)
    return WEIGHTS[min(y, 7 - y)][min(x, 7 - x)]


def plain_values(board, own):
    """What each heuristic says of a board for a player, without our offsets."""
    other = "XO"[own == "X"]
    mobility = plain_mobility(board, own)
    return {
        "E": board.count(own) - board.count(other),
        "Mp": mobility,
        "Md": mobility - plain_mobility(board, other),
        "WPC": sum(plain_weight(code) for code in range(64) if board[code] == own)
        - sum(plain_weight(code) for code in range(64) if board[code] == other),
    }


# --- the rules


def perft(state, depth):
    if depth == 1:
        return len(listed_moves(GAME, state))
    count = 0
    for move in listed_moves(GAME, state):
        after = copied(GAME, state)
        play(after, move)
        count += perft(after, depth - 1)
    return count


def test_the_tree_has_the_known_number_of_positions():
    counts = [perft(new_state(GAME), depth) for depth in range(1, 8)]
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092]


def test_random_games_agree_with_openspiel():
    passes = 0
    outcomes = []
    for seed in range(150):
        state = new_state(GAME)
        oracle = pyspiel.load_game("othello").new_initial_state()
        for move in random_game(state, seed):
            oracle.apply_action(GAME.code(move))
            drawing = "".join(line[2:17] for line in str(oracle).splitlines()[2:10])
            assert discs(state) == drawing.replace(" ", "").upper().replace("-", ".")
            legal = legal_moves(GAME, state)
            assert sorted(listed_moves(GAME, state)) == legal
            if not oracle.is_terminal():
                assert state[0] == oracle.current_player()
            assert sorted(GAME.code(choice) for choice in legal) == oracle.legal_actions()
            passes += move == PASS
        assert oracle.is_terminal()
        assert outcome(state) == 1 + oracle.returns()[0]
        outcomes.append(outcome(state))
    assert passes > 50
    assert set(outcomes) == {0, 1, 2}


def test_passes_are_forced_and_never_two_in_a_row():
    for seed in range(100):
        state = new_state(GAME)
        moves = list(random_game(state, seed))
        assert len(moves) <= GAME.move_cap
        assert moves[0] != PASS and moves[-1] != PASS
        assert not any(a == b == PASS for a, b in pairwise(moves))


def searcher_at(moves):
    searcher = Searcher(GAME, Config("uct", playouts=50), Budget(nodes=50))
    searcher.set_position(moves.split())
    return searcher


def test_a_player_without_discs_has_lost():
    # The shortest of all games.
    searcher = searcher_at("E6 F4 E3 F6 G5 D6 E7 F5 C5")
    assert searcher.is_over
    assert outcome(searcher.buffers["root"]) == 2
    assert GAME.score(searcher.buffers["root"]) == "B+64"


@pytest.mark.parametrize("text", ["D4", "A1", "E3", "pass"])
def test_black_may_not_begin_like_this(text):
    with pytest.raises(BadInput, match="%s is not legal for black as move 1" % text):
        searcher_at(text)


def test_the_first_position_is_the_usual_one():
    assert GAME.show(new_state(GAME)).splitlines() == [
        "   A B C D E F G H",
        " 1 . . . . . . . .",
        " 2 . . . . . . . .",
        " 3 . . . . . . . .",
        " 4 . . . O X . . .",
        " 5 . . . X O . . .",
        " 6 . . . . . . . .",
        " 7 . . . . . . . .",
        " 8 . . . . . . . .",
        "   A B C D E F G H",
    ]
    assert {GAME.text(m) for m in listed_moves(GAME, new_state(GAME))} == {"D3", "C4", "F5", "E6"}


@pytest.mark.parametrize(
    ("black", "white", "result", "score"),
    [(33, 31, 2, "B+2"), (32, 32, 1, "draw"), (31, 33, 0, "W+2"), (0, 20, 0, "W+64")],
)
def test_more_discs_win(black, white, result, score):
    state = drawn_state("X" * black + "O" * white + "." * (64 - black - white))
    assert listed_moves(GAME, state) == []
    assert outcome(state) == result
    assert GAME.score(state) == score
    assert GAME.evaluate(state) == black - white


# --- what a state holds, recomputed from its discs


def check_bookkeeping(state):
    fresh = drawn_state(discs(state), state[othello._TURN])
    count = int(state[othello._NEARS])
    start, end = othello._LIST, othello._LIST + count
    assert sorted(state[start:end]) == sorted(fresh[start:end])
    assert bytes(state[:start]) == bytes(fresh[:start])


def test_bookkeeping_follows_every_move():
    for seed in range(20):
        state = new_state(GAME)
        check_bookkeeping(state)
        for _ in random_game(state, seed):
            check_bookkeeping(state)


def test_a_copy_is_the_whole_state_and_independent():
    state = random_position(1, 30)
    twin = copied(GAME, state)
    assert bytes(twin) == bytes(state)
    play(twin, listed_moves(GAME, twin)[0])
    assert bytes(twin) != bytes(state)
    check_bookkeeping(state)


# --- playouts


@EXAMPLES
@given(st.integers(0, 2**20), st.integers(0, 64), st.sampled_from((UNIFORM, MIXED, GREEDY)))
def test_playouts_play_legal_moves_until_nobody_can(seed, plies, epsilon):
    order = mast_order(GAME.name)
    start = random_position(seed, plies)
    end = copied(GAME, start)
    for move in playout_of(GAME, end, seed, order, epsilon):
        listed = listed_moves(GAME, start)
        assert move in listed
        if epsilon == GREEDY and move != PASS:
            half = int(start[0]) * GAME.code_count
            best = [int(choice) for choice in order[half : half + GAME.code_count]]
            assert move == next(choice for choice in best if choice in listed)
        play(start, move)
    assert listed_moves(GAME, start) == listed_moves(GAME, end) == []
    assert discs(end) == discs(start)
    check_bookkeeping(end)


def test_a_playout_begins_with_a_pass_where_one_is_forced():
    forced = 0
    for seed in range(40):
        state = new_state(GAME)
        for _ in random_game(state, seed):
            if listed_moves(GAME, state) == [PASS]:
                moves = playout_of(GAME, copied(GAME, state), seed)
                assert moves[0] == PASS and moves[1] != PASS
                forced += 1
    assert forced > 10


def test_playouts_end_in_wins_of_both_and_in_draws():
    outcomes = set()
    for seed in range(300):
        state = new_state(GAME)
        playout_of(GAME, state, seed)
        outcomes.add(outcome(state))
    assert outcomes == {0, 1, 2}


def test_uniform_playouts_draw_all_legal_moves_alike():
    start = random_position(3, 20)
    legal = legal_moves(GAME, start)
    counts = dict.fromkeys(legal, 0)
    for seed in range(1000 * len(legal)):
        counts[playout_of(GAME, copied(GAME, start), seed)[0]] += 1
    assert 5 < len(legal) < start[othello._NEARS]  # some squares had to be refused
    # Five standard deviations of a count of 1000.
    assert all(abs(count - 1000) < 158 for count in counts.values())


# --- what is known about the game


def fingerprint(state):
    out = allocate("i", 2)
    GAME.fingerprint(state, out)
    assert min(out) >= 0
    return int(out[0]), int(out[1])


def test_a_fingerprint_is_one_for_each_position_and_player():
    known = {}
    visits = 0
    for seed in range(400):
        state = new_state(GAME)
        for _, _ in zip(range(12 + seed // 10), random_game(state, seed), strict=False):
            position = discs(state), int(state[0])
            assert known.setdefault(position, fingerprint(state)) == fingerprint(state)
            visits += 1
    assert len(known) < visits - 1000  # many came again, by the same or another way
    for half in (0, 1):
        assert len({both[half] for both in known.values()}) == len(known)


def test_a_fingerprint_does_not_tell_how_a_position_came_about():
    one, another = (searcher_at(moves).buffers["root"] for moves in ("C4 C3 D3", "D3 C3 C4"))
    assert discs(one) == discs(another)
    assert bytes(one) != bytes(another)  # their lists differ
    assert fingerprint(one) == fingerprint(another)


def test_a_fingerprint_tells_who_is_to_move():
    state = random_position(5, 10)
    twin = copied(GAME, state)
    play(twin, PASS)
    for one, another in zip(fingerprint(state), fingerprint(twin), strict=True):
        assert one != another


def appraisals(state, heuristic):
    """{move: its value} of all legal moves."""
    listed = listed_moves(GAME, state)
    moves = allocate("H", GAME.code_count)
    for i, move in enumerate(listed):
        moves[i] = move
    values = allocate("i", GAME.code_count)
    work = allocate("B", GAME.state_bytes)
    number = GAME.heuristics.index(heuristic)
    GAME.appraise(state, work, number, moves, len(listed), values)
    return {move: int(value) for move, value in zip(listed, values, strict=False)}


def test_the_heuristics_say_what_the_plain_version_does():
    offsets = {"E": 64, "Mp": 0, "Md": 64, "WPC": 876}
    passes = 0
    for seed in range(20):
        state = new_state(GAME)
        for ply, _ in enumerate(random_game(state, seed)):
            listed = listed_moves(GAME, state)
            if ply % 5 != seed % 5 and listed != [PASS]:
                continue
            board, own = discs(state), "XO"[state[0]]
            before = bytes(state)
            found = {name: appraisals(state, name) for name in GAME.heuristics}
            assert bytes(state) == before
            for move in listed:
                expected = plain_values(plain_play(board, GAME.code(move), own), own)
                for name, value in expected.items():
                    assert found[name][move] == offsets[name] + value >= 0
            assert GAME.evaluate(state) == plain_values(board, "X")["E"]
            passes += listed == [PASS]
    assert passes > 5


def test_the_weights_are_the_published_ones_in_every_corner():
    for code in range(64):
        state = drawn_state("." * code + "X" + "." * (63 - code))
        assert othello.weigh(state, 1) == plain_weight(code)
        assert othello.weigh(state, 2) == -plain_weight(code)


def test_the_worst_weighted_count_is_still_not_negative():
    board = "".join("O" if plain_weight(code) > 0 else "X" for code in range(64))
    assert othello.weigh(drawn_state(board), 1) == -othello._WPC_OFFSET


def test_every_strategy_is_uniform_or_a_heuristic():
    for _, names in GAME.strategies:
        assert set(names) <= {"uniform", *GAME.heuristics}


# --- texts and options


def test_moves_are_column_and_row_from_above_and_read_back():
    moves = all_moves(GAME)
    assert sorted(GAME.code(move) for move in moves) == list(range(GAME.code_count))
    texts = [x + y for y in "12345678" for x in "ABCDEFGH"]
    assert [GAME.text(move) for move in moves] == ["pass", *texts]
    for move in moves:
        assert move_of(GAME, GAME.text(move)) == move_of(GAME, GAME.text(move).lower()) == move
    for text in ("A0", "A9", "I1", "", "3D"):
        assert move_of(GAME, text) is None


@pytest.mark.parametrize("name", ["othello6", "othello10", "othello0"])
def test_other_sizes_are_refused(name):
    with pytest.raises(BadInput, match="Othello comes in sizes 8 to 8: othello, not " + name):
        load(name)


def test_the_size_may_be_left_out():
    assert load("othello").name == load("othello8").name == "othello"
