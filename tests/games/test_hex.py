"""Hex against OpenSpiel's `hex`, with and without swap, and distances against Dijkstra.

OpenSpiel's actions are our codes, its swap included, and it swaps as we do: the stone is
mirrored. It knows the winner by labels that spread from the edges, we by a walk. Distances
are checked against Dijkstra's algorithm with a heap, on a graph made from coordinates. What
the kernels keep up to date inside a state is recomputed from the stones, the layout being
taken from picograve.games.hex.
"""

import heapq
import random
from collections import Counter
from math import inf

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
from picograve import TREE_SEARCHES, BadInput, Budget, Config, Searcher, load
from picograve.games import hex as hex_game
from picograve.games import move_of
from picograve.kernel import allocate

# Epsilon of playouts that look at the order now and then, and always.
MIXED, GREEDY = 26214, 0
# A smaller seed is no simpler example, so that shrinking would only take time.
EXAMPLES = settings(max_examples=100, deadline=None, derandomize=True, phases=[Phase.generate])
BEYOND_REACH = 200  # distance of a player who cannot connect any more
STONES = {"X": "xyzX", "O": "opqO"}  # OpenSpiel's letters also tell what a stone reaches


def played(game, texts):
    """The state after these moves."""
    _, _, play, _, _ = game.rules
    state = new_state(game)
    for text in texts.split():
        play(state, move_of(game, text))
    return state


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


def unfinished_position(game, seed):
    """A position after some random moves that nobody has won."""
    state = new_state(game)
    before = copied(game, state)
    plies = random.Random(seed).randrange(game.move_cap)
    for _ in zip(range(plies), random_game(game, state, seed), strict=False):
        if not legal_moves(game, state):
            return before
        before = copied(game, state)
    return before


def stones(game, state):
    """The cells from A1 on, row by row."""
    rows = [line.split()[1:-1] for line in game.show(state).splitlines()[1:-1]]
    return "".join("".join(row) for row in rows)


# --- OpenSpiel


def oracle_stones(oracle):
    names = {letter: stone for stone, letters in STONES.items() for letter in letters}
    return "".join(names.get(letter, ".") for letter in str(oracle).split())


def check_against_openspiel(game, seed):
    """One random game on both; the first player's half points and the moves."""
    _, _, _, _, outcome = game.rules
    parameters = {"board_size": game.size, "swap": bool(game.swap)}
    oracle = pyspiel.load_game("hex", parameters).new_initial_state()
    state = new_state(game)
    moves = []
    for move in random_game(game, state, seed):
        oracle.apply_action(game.code(move))
        moves.append(game.text(move))
        assert stones(game, state) == oracle_stones(oracle)
        legal = legal_moves(game, state)
        assert sorted(map(game.code, legal)) == oracle.legal_actions()
        assert sorted(listed_moves(game, state)) == legal
        assert bool(legal) != oracle.is_terminal()
        if legal:
            assert state[0] == oracle.current_player()
    assert outcome(state) == 1 + oracle.returns()[0]
    assert game.score(state) == {0: "white wins", 2: "black wins"}[outcome(state)]
    return outcome(state), moves


@pytest.mark.parametrize("size", hex_game.SIZES)
def test_random_games_agree_with_openspiel(size):
    game = load("hex%d" % size)
    outcomes = {check_against_openspiel(game, seed)[0] for seed in range(120 // size)}
    assert outcomes == {0, 2}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_random_games_with_swap_agree_with_openspiel(size):
    game = load("hex%d" % size, swap=True)
    games = [check_against_openspiel(game, seed) for seed in range(150)]
    assert {outcome for outcome, _ in games} == {0, 2}
    assert {moves.index("swap") for _, moves in games if "swap" in moves} == {1}


@pytest.mark.parametrize("size", hex_game.SIZES)
def test_a_full_board_has_exactly_one_winner(size):
    state = new_state(load("hex%d" % size))
    cells = [int(cell) for cell in state[hex_game._LIST : hex_game._LIST + size * size]]
    rand = random.Random(size)
    winners = Counter()
    for _ in range(300):
        colours = [1, 2] * (len(cells) // 2) + [rand.randint(1, 2)]
        rand.shuffle(colours)
        for cell, colour in zip(cells, colours, strict=False):
            state[hex_game._CELL + cell] = colour
        black, white = hex_game.connects(state, 1), hex_game.connects(state, 2)
        assert black + white == 1
        winners[black] += 1
    assert min(winners.values()) > 50


# --- swap


def test_swap_mirrors_the_stone_and_gives_it_to_white():
    game = load("hex5", swap=True)
    state = played(game, "B4 swap")
    assert state[hex_game._TURN] == 0
    assert stones(game, state) == stones(game, played(load("hex5"), "E5 D2")).replace("X", ".")
    assert move_of(game, "swap") not in legal_moves(game, state)
    assert sorted(listed_moves(game, state)) == legal_moves(game, state)
    assert len(legal_moves(game, state)) == 24
    check_bookkeeping(game, state)


def test_a_swapped_stone_of_the_long_diagonal_stays_where_it_is():
    game = load("hex11", swap=True)
    state = played(game, "F6 swap")
    assert stones(game, state).index("O") == 60
    assert stones(game, state).count(".") == 120


def test_swap_is_white_s_first_move_or_none():
    game = load("hex4", swap=True)
    swap = move_of(game, "swap")
    for texts, allowed in (("", 0), ("A1", 1), ("A1 B1", 0), ("A1 B1 C1", 0), ("A1 swap", 0)):
        state = played(game, texts)
        assert game.legal(state, swap) == allowed
        assert (swap in listed_moves(game, state)) == bool(allowed)


def test_without_the_option_there_is_no_swap():
    game = load("hex4")
    assert move_of(game, "swap") is None
    assert game.code_count == 16
    assert load("hex4", swap=True).code_count == 17
    assert len(listed_moves(game, played(game, "A1"))) == 15
    searcher = Searcher(game, Config("uct"), Budget(nodes=10))
    searcher.play("A1")
    with pytest.raises(BadInput, match="no move"):
        searcher.play("swap")


def test_a_search_finds_that_the_centre_is_worth_a_swap():
    # Black wins from the centre of 3x3, so only the swap is left to white.
    searcher = Searcher(load("hex3", swap=True), Config("uct", playouts=3000), Budget(nodes=3000))
    searcher.play("B2")
    assert searcher.search().move == "swap"


# --- what a state holds, recomputed from its stones


def check_bookkeeping(game, state):
    empty = {
        move
        for move in range(1, game.move_limit)
        if game.code(move) is not None and state[hex_game._CELL + move] == 0
    }
    count = int(state[hex_game._EMPTIES])
    cells = [int(cell) for cell in state[hex_game._LIST : hex_game._LIST + count]]
    assert count == len(empty)
    assert set(cells) == empty
    assert all(cells[state[hex_game._PLACE + cell]] == cell for cell in empty)
    distances = [slow_distance(game, state, colour) for colour in "XO"]
    assert state[hex_game._WINNER] == (distances.index(0) + 1 if 0 in distances else 0)


@pytest.mark.parametrize("size", hex_game.SIZES)
def test_bookkeeping_follows_every_move(size):
    game = load("hex%d" % size, swap=size % 2 == 0)
    for seed in range(2):
        state = new_state(game)
        check_bookkeeping(game, state)
        for _ in random_game(game, state, seed):
            check_bookkeeping(game, state)


def test_a_copy_is_all_but_scratch_and_independent():
    game = load("hex13")
    _, _, play, _, _ = game.rules
    state = random_position(game, 1, 60)
    twin = copied(game, state)
    assert bytes(twin)[: hex_game._COPIED] == bytes(state)[: hex_game._COPIED]
    play(twin, listed_moves(game, twin)[0])
    assert bytes(twin)[: hex_game._COPIED] != bytes(state)[: hex_game._COPIED]
    check_bookkeeping(game, state)


# --- playouts


@EXAMPLES
@given(
    st.sampled_from(hex_game.SIZES),
    st.booleans(),
    st.integers(0, 2**20),
    st.floats(0, 1),
    st.sampled_from((UNIFORM, MIXED, GREEDY)),
)
def test_playouts_play_legal_moves_until_the_first_connection(size, swap, seed, part, epsilon):
    game = load("hex%d" % size, swap=swap)
    _, _, play, _, outcome = game.rules
    order = order_of(game, seed)
    start = random_position(game, seed, int(part * part * game.move_cap))
    end = copied(game, start)
    for move in playout_of(game, end, seed, order, epsilon):
        assert game.legal(start, move)  # also: nobody has won yet
        if epsilon == GREEDY:
            half = int(start[hex_game._TURN]) * game.code_count
            best = [int(choice) for choice in order[half : half + game.code_count]]
            assert move == next(choice for choice in best if game.legal(start, choice))
        play(start, move)
    assert legal_moves(game, start) == listed_moves(game, end) == []
    assert stones(game, end) == stones(game, start)
    assert outcome(end) == outcome(start)
    assert end[hex_game._TURN] == start[hex_game._TURN]
    check_bookkeeping(game, end)


def order_of(game, seed):
    """Both players' moves, each in an order of its own."""
    moves = [move for move in range(game.move_limit) if game.code(move) is not None]
    order = allocate("H", 2 * game.code_count)
    for player in range(2):
        random.Random(seed + player).shuffle(moves)
        for i, move in enumerate(moves):
            order[player * game.code_count + i] = move
    return order


@pytest.mark.parametrize("epsilon", [UNIFORM, MIXED])
def test_playouts_are_won_by_both_and_end_at_any_length(epsilon):
    game = load("hex5")
    _, _, _, _, outcome = game.rules
    outcomes, lengths = set(), set()
    for seed in range(2000):
        state = new_state(game)
        lengths.add(len(playout_of(game, state, seed, mast_order("hex5"), epsilon)))
        outcomes.add(outcome(state))
    assert outcomes == {0, 2}
    assert lengths >= set(range(11, 26))


def counts_of_first_moves(game, start, each):
    """How often every move began a uniform playout."""
    counts = dict.fromkeys(listed_moves(game, start), 0)
    for seed in range(each * len(counts)):
        counts[playout_of(game, copied(game, start), seed)[0]] += 1
    return counts


@pytest.mark.parametrize("texts", ["", "A1 B2 C3 A2 C2 B1"])
def test_uniform_playouts_draw_all_empty_cells_alike(texts):
    game = load("hex4")
    counts = counts_of_first_moves(game, played(game, texts), 1000)
    assert len(counts) == 16 - len(texts.split())
    # Five standard deviations of a count of 1000.
    assert all(abs(count - 1000) < 158 for count in counts.values())


def test_uniform_playouts_swap_as_often_as_they_play_any_cell():
    game = load("hex3", swap=True)
    counts = counts_of_first_moves(game, played(game, "B2"), 1000)
    assert len(counts) == 9
    assert all(abs(count - 1000) < 158 for count in counts.values())


def test_uniform_playouts_are_as_long_and_as_often_won_as_games_of_random_moves():
    # Five standard errors between the mean lengths of 3000 games; results vary less.
    game = load("hex4")
    _, _, _, _, outcome = game.rules
    results = [[], []]
    for seed in range(3000):
        state = new_state(game)
        results[0].append((len(playout_of(game, state, seed)), outcome(state)))
        state = new_state(game)
        results[1].append((len(list(random_game(game, state, seed))), outcome(state)))
    (lengths, points), (known_lengths, known_points) = (zip(*part, strict=True) for part in results)
    assert abs(sum(lengths) - sum(known_lengths)) < 0.29 * 3000
    assert abs(sum(points) - sum(known_points)) < 0.29 * 3000


def test_a_playout_of_a_finished_game_adds_nothing():
    game = load("hex3")
    state = played(game, "A1 B1 A2 B2 A3")
    assert game.score(state) == "black wins"
    before = bytes(state)
    assert playout_of(game, state, 1) == []
    assert bytes(state) == before


# --- fingerprints


def fingerprint(game, state):
    out = allocate("i", 2)
    game.fingerprint(state, out)
    return int(out[0]), int(out[1])


def test_transpositions_have_one_fingerprint_and_other_positions_another():
    game = load("hex6", swap=True)
    known = {}
    for seed in range(100):
        state = new_state(game)
        for _ in random_game(game, state, seed):
            position = stones(game, state), int(state[hex_game._TURN])
            assert known.setdefault(position, fingerprint(game, state)) == fingerprint(game, state)
    assert len(known) > 2000
    for half in range(2):
        assert len({pair[half] for pair in known.values()}) == len(known)
    assert all(0 <= half < 2**31 for pair in known.values() for half in pair)
    one, other = played(game, "A1 B2 C3 D4"), played(game, "C3 D4 A1 B2")
    assert fingerprint(game, one) == fingerprint(game, other)


def test_the_player_to_move_is_part_of_the_fingerprint():
    game = load("hex5")
    state = played(game, "C3")
    before = fingerprint(game, state)
    state[hex_game._TURN] = 0
    assert fingerprint(game, state) != before


# --- distances


def slow_distance(game, state, colour):
    """Dijkstra: the fewest cells to add, BEYOND_REACH if the other has connected."""
    position = stones(game, state)
    last = game.size - 1

    def price(y, x):
        return {colour: 0, ".": 1}.get(position[y * game.size + x], inf)

    along = range(game.size)
    starts = [(0, i) if colour == "X" else (i, 0) for i in along]
    queue = [(price(*cell), *cell) for cell in starts]
    heapq.heapify(queue)
    done = set()
    while queue:
        far, y, x = heapq.heappop(queue)
        if far == inf:
            break
        if (y if colour == "X" else x) == last:
            return far
        if (y, x) in done:
            continue
        done.add((y, x))
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            if 0 <= y + down <= last and 0 <= x + right <= last:
                cell = y + down, x + right
                heapq.heappush(queue, (far + price(*cell), *cell))
    return BEYOND_REACH


@EXAMPLES
@given(st.sampled_from(hex_game.SIZES), st.integers(0, 2**20))
def test_evaluation_is_the_difference_of_dijkstra_s_distances(size, seed):
    game = load("hex%d" % size)
    state = unfinished_position(game, seed)
    twin = copied(game, state)
    black, white = (slow_distance(game, state, colour) for colour in "XO")
    assert game.evaluate(state) == white - black
    assert abs(white - black) < 10000
    assert bytes(state)[: hex_game._COPIED] == bytes(twin)[: hex_game._COPIED]


def test_evaluation_of_a_winding_way_is_within_the_limit():
    # White's walls leave black one way, up and down the whole board.
    game = load("hex13")
    state = new_state(game)
    for y in range(2, 13, 2):
        for x in range(1, 14):
            if x != (13 if y % 4 == 2 else 1):
                state[hex_game._CELL + hex_game._ROW * y + x] = 2
    black, white = (slow_distance(game, state, colour) for colour in "XO")
    assert black > 60
    assert game.evaluate(state) == white - black
    assert abs(white - black) < 10000


def appraised(game, state, heuristic):
    """{move: worth of the position after it}"""
    moves = listed_moves(game, state)
    out = allocate("H", len(moves))
    values = allocate("i", len(moves))
    for i, move in enumerate(moves):
        out[i] = move
    work = allocate("B", game.state_bytes)
    place = game.heuristics.index(heuristic)
    game.appraise(state, work, place, out, len(moves), values)
    return dict(zip(moves, map(int, values), strict=True))


def check_appraisal(game, state):
    _, _, play, _, _ = game.rules
    before = bytes(state)[: hex_game._COPIED]
    values = appraised(game, state, "E")
    assert bytes(state)[: hex_game._COPIED] == before
    own, other = "XO" if state[hex_game._TURN] == 0 else "OX"
    for move, value in values.items():
        after = copied(game, state)
        play(after, move)
        lead = slow_distance(game, after, other) - slow_distance(game, after, own)
        assert value == BEYOND_REACH + lead >= 0, game.text(move)
    return values


@settings(EXAMPLES, max_examples=50)
@given(st.sampled_from((3, 5, 6, 8)), st.booleans(), st.integers(0, 2**20))
def test_appraisal_by_distance_agrees_with_dijkstra_after_every_move(size, swap, seed):
    game = load("hex%d" % size, swap=swap)
    check_appraisal(game, unfinished_position(game, seed))


def test_appraisal_by_distance_on_the_largest_board_and_after_the_first_stone():
    check_appraisal(load("hex13"), unfinished_position(load("hex13"), 4))
    game = load("hex5", swap=True)
    values = check_appraisal(game, played(game, "C3"))
    assert move_of(game, "swap") in values


def test_a_winning_move_is_appraised_highest():
    game = load("hex3")
    values = appraised(game, played(game, "B1 C1 B2 A1"), "E")
    best = max(values.values())
    assert {game.text(move) for move in values if values[move] == best} == {"A3", "B3"}


@pytest.mark.parametrize("heuristic", ["Mp", "Md"])
def test_mobility_knows_no_better_move(heuristic):
    game = load("hex4")
    state = random_position(game, 2, 5)
    expected = 10 if heuristic == "Mp" else 0
    assert set(appraised(game, state, heuristic).values()) == {expected}


def test_strategies_name_policies_that_exist():
    game = load("hex11")
    for _, names in game.strategies:
        assert set(names) <= {"uniform", *game.heuristics}


# --- texts and options


@pytest.mark.parametrize("size", hex_game.SIZES)
def test_moves_are_column_and_row_from_the_top_and_read_back(size):
    game = load("hex%d" % size, swap=True)
    moves = sorted(
        (game.code(move), move) for move in range(game.move_limit) if game.code(move) is not None
    )
    assert [code for code, _ in moves] == list(range(game.code_count))
    texts = ["ABCDEFGHIJKLM"[x] + str(y + 1) for y in range(size) for x in range(size)]
    assert [game.text(move) for _, move in moves] == [*texts, "swap"]
    for code, move in moves:
        text = game.text(move)
        assert move_of(game, text) == move_of(game, text.lower()) == move, code
    for text in ("A0", "A%d" % (size + 1), "ABCDEFGHIJKLMN"[size] + "1", "", "pass"):
        assert move_of(game, text) is None


def test_a_board_is_drawn_as_a_rhombus():
    game = load("hex11")
    state = played(game, "F6 G5 C1 K11 A2 A10")
    assert game.show(state).splitlines() == [
        "  A B C D E F G H I J K",
        " 1 . . X . . . . . . . . 1",
        "  2 X . . . . . . . . . . 2",
        "   3 . . . . . . . . . . . 3",
        "    4 . . . . . . . . . . . 4",
        "     5 . . . . . . O . . . . 5",
        "      6 . . . . . X . . . . . 6",
        "       7 . . . . . . . . . . . 7",
        "        8 . . . . . . . . . . . 8",
        "         9 . . . . . . . . . . . 9",
        "         10 O . . . . . . . . . . 10",
        "          11 . . . . . . . . . . O 11",
        "              A B C D E F G H I J K",
    ]


def test_black_connects_top_and_bottom_and_white_left_and_right():
    game = load("hex3")
    assert game.score(played(game, "C1 A1 B2 A2 A3")) == "black wins"
    assert game.score(played(game, "A1 C1 A2 B2 C3 A3")) == "white wins"
    assert game.score(played(game, "A1 B2 C3")) == "nobody has won"
    assert load("hex").name == "hex11"


@pytest.mark.parametrize("name", ["hex2", "hex14", "hex0"])
def test_sizes_outside_3_to_13_are_refused(name):
    with pytest.raises(BadInput, match="sizes 3 to 13"):
        load(name)


def test_options_that_hex_does_not_have_are_refused():
    with pytest.raises(BadInput, match="no option komi"):
        load("hex11", komi=7.5)
    with pytest.raises(BadInput, match="swap must be true or false, not maybe"):
        load("hex11", swap="maybe")


# --- searches


@pytest.mark.parametrize("search", TREE_SEARCHES)
@pytest.mark.parametrize("swap", [False, True])
def test_every_search_plays_a_whole_game(search, swap):
    game = load("hex4", swap=swap)
    searcher = Searcher(game, Config(search, "paper", playouts=60), Budget(nodes=30))
    while not searcher.is_over:
        searcher.play(searcher.search().move)
    assert game.score(searcher.buffers["root"]) in ("black wins", "white wins")


@pytest.mark.parametrize("swap", [False, True])
def test_moves_taken_back_leave_the_evaluation_of_the_position_before(swap):
    """Also over a swap, by a stone on the diagonal and by others, from any later position."""
    game = load("hex4", swap=swap)
    for seed in range(40):
        state = new_state(game)
        trace, values = allocate("H", game.move_cap), [game.evaluate(state)]
        for ply, move in enumerate(random_game(game, state, seed)):
            trace[ply] = int(move) + 32768 * (1 - int(state[hex_game._TURN]))
            values.append(game.evaluate(state))
        shown, choose = len(values) - 1, random.Random(seed)
        while shown:
            wanted = choose.randrange(max(shown - 3, 0), shown + 1)
            game.take_back(state, trace, shown, wanted)
            assert game.evaluate(state) == values[wanted]
            shown = wanted
