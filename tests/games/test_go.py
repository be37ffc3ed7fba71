"""Go against two oracles that others wrote: OpenSpiel's `go` and sgfmill's Board.

Neither shares code or data structures with the kernels. Where their rules differ from ours:
- OpenSpiel lists the moves that positional superko forbids and, once one is played, ends
  the game as a draw. So its legal moves are those of `legal`, and an early end of its game
  says that a position came again: just what Searcher.play has to refuse.
- sgfmill lets a suicide happen (the stone is gone afterwards) and only returns the point of
  a ko. So it tells which moves the rules forbid.

Random games here fill own eyes, too: that brings large captures, kos, suicide attempts and
repetitions. Every loop over such games counts what it is meant to meet, so that a check
that never took place fails. What the kernels keep up to date inside a state is recomputed
from the stones, the layout being taken from picograve.games.go.
"""

import random
from functools import cache
from itertools import zip_longest

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
from picograve import TREE_SEARCHES, BadInput, Budget, Config, Searcher, load, rng
from picograve.games import go, move_of
from picograve.kernel import allocate
from picograve.mcts.search import PLY
from sgfmill.boards import Board
from sgfmill.common import format_vertex

PASS = 0
SIZES = (5, 7, 9, 13)
# A smaller seed is no simpler example, so that shrinking would only take time.
EXAMPLES = settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])

# White adds a second stone (A1), black takes both (C1), and white, retaking one, would bring
# back the stones as they were after B3. No ko forbids it: black took two.
SEND_TWO = "E4 D3 C5 C4 A2 B1 B2 C2 C3 D1 B3 A1 C1"
RETURN_ONE = "B1"
# The same stones by another way, on which the retaking is new.
ANOTHER_WAY = "E4 D3 C5 C4 A2 B1 B2 C2 C3 A1 B3 D1 C1"


def random_game(game, state, seed, passes=True):
    """Play random legal moves to the end, yielding each; without passes, only forced ones."""
    _, _, play, _, _ = game.rules
    choose = random.Random(seed).choice
    while choices := legal_moves(game, state):
        if not passes and len(choices) > 1:
            choices.remove(PASS)
        move = choose(choices)
        play(state, move)
        yield move


def random_games(game, count):
    """(state, its game's moves) of so many games, every other one without needless passes."""
    for seed in range(count):
        state = new_state(game)
        yield state, random_game(game, state, seed, passes=seed % 2 == 0)


def random_position(game, seed, plies):
    """A state after so many random moves, or at the end of the game, and the moves."""
    state = new_state(game)
    return state, [
        move for _, move in zip(range(plies), random_game(game, state, seed, False), strict=False)
    ]


def drawn(text):
    """The points of a drawn board from A1 on, whoever drew it."""
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    rows = [line[1] for line in lines if line and line[0].isdigit()]
    return "".join(reversed(rows)).replace(" ", "").replace("+", ".")


def stones(game, state):
    return drawn(game.show(state))


def vertex(game, move):
    """Row and column from 0, None for a pass, as sgfmill has them."""
    return None if move == PASS else divmod(game.code(move), game.size)


def move_at(game, row, column):
    return move_of(game, format_vertex((row, column)))


# --- sgfmill


def board_stones(board):
    return "".join({None: ".", "b": "X", "w": "O"}[cell] for row in board.board for cell in row)


def games_beside_sgfmill(game, count):
    """(state, board, point of the ko or None) after every move of some random games."""
    for state, moves in random_games(game, count):
        board = Board(game.size)
        for ply, move in enumerate(moves):
            ko = board.play(*vertex(game, move), "bw"[ply % 2]) if move != PASS else None
            yield state, board, ko


@pytest.mark.parametrize(("size", "games"), [(5, 40), (7, 30), (9, 20), (13, 4)])
def test_captures_and_kos_agree_with_sgfmill(size, games):
    game = load("go%d" % size)
    kos = large_captures = empty_before = 0
    for state, board, ko in games_beside_sgfmill(game, games):
        position = stones(game, state)
        assert position == board_stones(board)
        assert state[go._KO] == (move_at(game, *ko) if ko else 0)
        kos += ko is not None
        large_captures += position.count(".") > empty_before
        empty_before = position.count(".")
    assert kos > 3
    assert large_captures > 20


def sgfmill_allows(board, row, column, colour):
    if board.get(row, column) is not None:
        return False
    trial = board.copy()
    trial.play(row, column, colour)
    return trial.get(row, column) is not None


@pytest.mark.parametrize(("size", "games"), [(5, 30), (7, 16), (9, 8)])
def test_only_suicide_and_the_point_of_a_ko_are_illegal(size, games):
    game = load("go%d" % size)
    kos = suicides = 0
    for state, board, ko in games_beside_sgfmill(game, games):
        if go.over(state):
            continue
        allowed = {
            (row, column)
            for row, column in board.board_points
            if sgfmill_allows(board, row, column, "bw"[state[go._TURN]])
        }
        legal = {vertex(game, move) for move in legal_moves(game, state)}
        assert legal == (allowed - {ko}) | {None}
        kos += ko in allowed
        suicides += board_stones(board).count(".") - len(allowed)
    assert kos > 3
    assert suicides > 50


@pytest.mark.parametrize("size", SIZES)
def test_area_and_score_agree_with_sgfmill(size):
    game = load("go%d" % size, komi=0.5)
    _, _, _, _, outcome = game.rules
    winners = set()
    for state, board, _ in games_beside_sgfmill(game, 4):
        lead = board.area_score() - 0.5
        assert game.score(state) == "%s+%g" % ("B" if lead > 0 else "W", abs(lead))
        assert outcome(state) == (2 if lead > 0 else 0)
        winners.add(lead > 0)
    assert winners == {True, False}


def test_area_agrees_with_sgfmill_after_playouts():
    for size in go.SIZES:
        game = load("go%d" % size)
        for seed in range(12):
            state, _ = random_position(game, seed, size * seed)
            playout_of(game, state, seed)
            points = [(move, vertex(game, move)) for move in all_moves(game) if move != PASS]
            board = Board(size)
            every_chain_breathes = board.apply_setup(
                [point for move, point in points if state[go._CELL + move] == 1],
                [point for move, point in points if state[go._CELL + move] == 2],
                [],
            )
            assert every_chain_breathes
            assert go.area(state) == board.area_score()


def test_every_point_has_the_owner_that_the_area_counts():
    neutral = 0
    for seed in range(40):
        game = load("go7")
        state, _ = random_position(game, seed, 2 * seed)
        counts = [1] * game.size**2  # what is there already stays
        game.owners(state, counts)
        assert {count - 1 for count in counts} <= {0, 1, 2}
        assert sum(count - 2 for count in counts) == go.area(state)
        neutral += counts.count(2)
        for move in all_moves(game):
            if move != PASS and state[go._CELL + move]:
                assert counts[game.code(move)] == (3 if state[go._CELL + move] == 1 else 1)
    assert neutral


# --- OpenSpiel


def openspiel(game, komi=7.5, cap=None):
    cap = cap or game.move_cap
    parameters = {"board_size": game.size, "komi": float(komi), "max_game_length": cap}
    return pyspiel.load_game("go", parameters).new_initial_state()


@pytest.mark.parametrize(("size", "games"), [(5, 300), (7, 60), (9, 30), (13, 6)])
def test_games_agree_with_openspiel_until_a_position_repeats(size, games):
    outcomes = []
    repetitions = 0
    for number in range(games):
        komi = number % 4 / 2
        game = load("go%d" % size, komi=komi)
        _, _, _, _, outcome = game.rules
        state = new_state(game)
        oracle = openspiel(game, komi)
        seen = {stones(game, state)}
        for move in random_game(game, state, number, passes=number % 2 == 0):
            oracle.apply_action(game.code(move))
            position = stones(game, state)
            assert position == drawn(str(oracle))
            if move != PASS and position in seen:
                assert oracle.is_terminal()
                repetitions += 1
                break
            seen.add(position)
            assert [game.code(move) for move in legal_moves(game, state)] == sorted(
                oracle.legal_actions(), key=lambda code: (code + 1) % game.code_count
            )
        else:
            assert oracle.is_terminal()
            assert outcome(state) == 1 + oracle.returns()[0]
            outcomes.append(outcome(state))
    assert {0, 2} <= set(outcomes)
    if size == 5:
        assert 1 in outcomes
        assert repetitions > 5


def test_integer_komi_gives_draws_and_half_points_decide_as_in_openspiel():
    draws = 0
    for seed in range(30):
        state, played = random_position(load("go5"), seed, 30)
        lead = go.area(state)
        if lead < 1:
            continue
        for komi, result in ((lead - 0.5, "B+0.5"), (lead, "draw"), (lead + 0.5, "W+0.5")):
            game = load("go5", komi=komi)
            _, _, play, _, outcome = game.rules
            state = new_state(game)
            oracle = openspiel(game, komi)
            for move in [*played, PASS, PASS]:
                play(state, move)
                oracle.apply_action(game.code(move))
            assert game.score(state) == result
            assert outcome(state) == 1 + oracle.returns()[0]
            draws += outcome(state) == 1
    assert draws > 3


# --- superko, which is the searcher's


def searcher_of(game, search="uct", playouts=1, **settings):
    # As many nodes as playouts: UCT then gives every root move one.
    config = Config(search, playouts=playouts, **settings)
    return Searcher(game, config, Budget(nodes=max(playouts, 3)))


@cache
def repetitions(count=300):
    """(moves so far, moves that would repeat a position) in random 5x5 games, as texts."""
    game = load("go5")
    texts = {game.code(move): game.text(move) for move in all_moves(game)}
    found = []
    for seed in range(count):
        # Without OpenSpiel's cap and after a stone, only a repetition ends its game.
        oracle = openspiel(game, cap=10 * game.move_cap)
        choose = random.Random(seed).choice
        while not oracle.is_terminal() and len(oracle.history()) < game.move_cap:
            *points, no_point = oracle.legal_actions()
            repeating = [code for code in points if oracle.child(code).is_terminal()]
            if repeating:
                played = [texts[code] for code in oracle.history()]
                found.append((played, {texts[code] for code in repeating}))
            free = [code for code in points if code not in repeating]
            oracle.apply_action(choose(free or [no_point]))
    assert len(found) > 10
    return found


def test_searcher_refuses_just_what_openspiel_calls_a_repetition():
    game = load("go5")
    searcher = searcher_of(game)
    for played, forbidden in repetitions():
        searcher.set_position(played)  # none of these is a repetition
        for text in forbidden:
            assert game.legal(searcher.buffers["root"], move_of(game, text))
            with pytest.raises(BadInput, match="not legal"):
                searcher.play(text)


def test_search_looks_at_every_listed_move_but_repetitions():
    game = load("go5")
    searcher = searcher_of(game, playouts=100)
    for played, forbidden in repetitions():
        searcher.set_position(played)
        listed = {game.text(move) for move in listed_moves(game, searcher.buffers["root"])}
        assert set(searcher.search().visits) == listed - forbidden


def test_superko_forbids_by_history_what_the_stones_allow():
    game = load("go5")
    searcher = searcher_of(game)
    searcher.set_position(ANOTHER_WAY.split())
    position = stones(game, searcher.buffers["root"])
    searcher.play(RETURN_ONE)

    searcher.set_position(SEND_TWO.split())
    assert stones(game, searcher.buffers["root"]) == position
    assert game.legal(searcher.buffers["root"], move_of(game, RETURN_ONE))
    with pytest.raises(BadInput, match="B1 is not legal for white as move 14"):
        searcher.play(RETURN_ONE)
    assert stones(game, searcher.buffers["root"]) == position


@pytest.mark.parametrize("search", TREE_SEARCHES)
def test_no_search_visits_a_repetition_at_the_root(search):
    searcher = searcher_of(load("go5"), search, playouts=600)
    searcher.set_position(SEND_TWO.split())
    assert RETURN_ONE not in searcher.search().visits


@pytest.mark.parametrize("search", [name for name in TREE_SEARCHES if name.endswith("2")])
def test_no_playout_of_the_second_level_begins_with_a_repetition(search):
    # The first iteration of the top level ends at the root: the second begins there.
    searcher = searcher_of(load("go5"), search, playouts=100)
    searcher.set_position(SEND_TWO.split())
    searcher.start()
    forbidden = move_of(searcher.game, RETURN_ONE)
    while searcher.run(1):
        if searcher.buffers["control"][PLY]:  # else the playout itself chose the first move
            assert searcher.buffers["trace"][0] & 32767 != forbidden


def test_search_visits_the_same_move_where_it_repeats_nothing():
    searcher = searcher_of(load("go5"), playouts=600)
    searcher.set_position(ANOTHER_WAY.split())
    assert RETURN_ONE in searcher.search().visits


@pytest.mark.parametrize("search", ["grave", "graver", "uct", "uctr"])
def test_a_kept_tree_does_not_bring_a_repetition_back(search):
    # The search before C1 looks at B1 as an answer, where no ban holds.
    searcher = searcher_of(load("go5", komi=0.5), search, playouts=600, reuse=True)
    *before, last = SEND_TWO.split()
    searcher.set_position(before)
    searcher.search()
    searcher.play(last)
    assert RETURN_ONE not in searcher.search().visits


def test_a_search_of_one_playout_returns_no_repetition():
    # One playout makes no child of the root: the result is any move, but a legal one.
    searcher = searcher_of(load("go5"))
    for played, forbidden in repetitions():
        searcher.set_position(played)
        assert searcher.search().move not in forbidden


def test_key_is_one_for_each_arrangement_of_the_stones():
    keys = {}
    for size in (5, 9):
        game = load("go%d" % size)
        for state, moves in random_games(game, 20):
            for _ in moves:
                assert keys.setdefault(stones(game, state), game.key(state)) == game.key(state)
    assert len(keys) > 1500
    assert len(set(keys.values())) == len(keys)


def test_key_tells_colourings_of_the_same_points_apart():
    # So many that half of the key's bits would not do.
    game = load("go5")
    state = new_state(game)
    rand = random.Random(1)
    keys = {}
    for _ in range(3000):
        for move in all_moves(game)[1:]:
            state[go._CELL + move] = rand.randint(1, 2)
        keys[stones(game, state)] = game.key(state)
    assert len(keys) > 2990
    assert len(set(keys.values())) == len(keys)


# --- what a state holds, recomputed from its stones


def sides(point):
    return (point - go._ROW, point - 1, point + 1, point + go._ROW)


def chains_of(cells, points):
    """The chains as sets of points."""
    left = {point for point in points if cells[point] != go._EMPTY}
    while left:
        chain, grown = set(), {left.pop()}
        while grown:
            chain |= grown
            grown = {
                side
                for point in grown
                for side in sides(point)
                if cells[side] == cells[point] and side not in chain
            }
        left -= chain
        yield chain


def check_bookkeeping(game, state):
    cells, libs, heads, nexts, sizes, empties, places = (
        [int(value) for value in state[field : field + go._PITCH]]
        for field in (
            go._CELL, go._LIBS, go._HEAD, go._NEXT, go._STONES, go._LIST, go._PLACE,
        )
    )  # fmt: skip
    points = [move for move in all_moves(game) if move != PASS]
    empty = {point for point in points if cells[point] == go._EMPTY}

    assert state[go._EMPTIES] == len(empty)
    assert set(empties[: len(empty)]) == empty
    assert all(empties[places[point]] == point for point in empty)
    for point in empty:
        assert heads[point] == point
        assert libs[point] == sum(cells[side] == go._EMPTY for side in sides(point))
    for chain in chains_of(cells, points):
        (head,) = {heads[point] for point in chain}
        assert head in chain
        assert sizes[head] == len(chain)
        assert libs[head] == sum(
            cells[side] == go._EMPTY for point in chain for side in sides(point)
        )
        assert libs[head] > 0
        ring = [nexts[head]]
        while ring[-1] != head:
            assert len(ring) < len(chain)
            ring.append(nexts[ring[-1]])
        assert set(ring) == chain
    for point in set(range(go._PITCH)) - set(points):
        assert cells[point] == go._BORDER
        assert heads[point] == point
        beside = [side for side in sides(point) if side in points]
        assert libs[point] == 4 - sum(cells[side] != go._EMPTY for side in beside)


@pytest.mark.parametrize("size", SIZES)
def test_bookkeeping_follows_every_move(size):
    game = load("go%d" % size)
    for state, moves in random_games(game, 2):
        check_bookkeeping(game, state)
        for _ in moves:
            check_bookkeeping(game, state)


@EXAMPLES
@given(st.sampled_from(go.SIZES), st.integers(0, 2**20), st.floats(0, 1), st.integers(0, 2))
def test_bookkeeping_survives_playouts_scoring_and_further_moves(size, seed, part, kind):
    game = load("go%d" % size)
    _, _, _, _, outcome = game.rules
    state, _ = random_position(game, seed, int(part * game.move_cap))
    epsilon = (UNIFORM, 26214, 0)[kind]
    playout_of(game, state, seed, mast_order(game.name), epsilon)
    check_bookkeeping(game, state)
    outcome(state)
    check_bookkeeping(game, state)
    # A search plays on from no finished game, but this shows that all fields still work.
    state[go._PASSES] = 0
    state[go._LEFT_LOW] = 20
    for move, _ in zip(random_game(game, state, seed), range(15), strict=False):
        check_bookkeeping(game, state)
        assert move == PASS or state[go._CELL + move] != go._EMPTY


def test_a_copy_is_the_whole_state_and_independent():
    game = load("go7")
    _, _, play, _, _ = game.rules
    state, _ = random_position(game, 1, 30)
    twin = copied(game, state)
    assert bytes(twin) == bytes(state)
    play(twin, listed_moves(game, twin)[0])
    assert bytes(twin) != bytes(state)
    check_bookkeeping(game, state)


# --- moves and playouts


def is_own_eye(position, size, row, column, own):
    """Whether a point has own stones on all sides and no false diagonals."""

    def on_board(steps):
        at = [(row + down, column + right) for down, right in steps]
        return [position[y * size + x] for y, x in at if 0 <= y < size and 0 <= x < size]

    beside = on_board([(-1, 0), (0, -1), (0, 1), (1, 0)])
    corners = on_board([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    lost = sum(cell not in (own, ".") for cell in corners)
    return set(beside) == {own} and lost <= (1 if len(corners) == 4 else 0)


@pytest.mark.parametrize(("size", "games"), [(5, 20), (7, 10), (9, 6), (13, 2)])
def test_moves_are_the_legal_ones_without_own_eyes(size, games):
    game = load("go%d" % size)
    eyes_met = 0
    for state, moves in random_games(game, games):
        for _ in moves:
            listed = listed_moves(game, state)
            legal = legal_moves(game, state)
            position = stones(game, state)
            eyes = {
                move
                for move in legal
                if move != PASS
                and is_own_eye(position, size, *vertex(game, move), "XO"[state[go._TURN]])
            }
            assert len(listed) == len(set(listed))
            assert set(listed) == set(legal) - eyes
            eyes_met += len(eyes)
    assert eyes_met > 50


@pytest.mark.parametrize(
    ("white", "is_eye"),
    [
        ("", True),
        ("B2", True),  # one diagonal of four is not enough
        ("B2 D2", False),
        ("B2 D4", False),
        ("B4 D4", False),
        ("D2 D4", False),
    ],
)
def test_two_diagonals_make_an_eye_false(white, is_eye):
    game = load("go5")
    searcher = searcher_of(game)
    for black, answer in zip_longest(("C2", "B3", "D3", "C4"), white.split(), fillvalue="pass"):
        searcher.play(black)
        searcher.play(answer)
    root = searcher.buffers["root"]
    eye = move_of(game, "C3")
    assert game.legal(root, eye)
    assert (eye not in listed_moves(game, root)) == is_eye


@pytest.mark.parametrize(("corner", "is_eye"), [("pass", True), ("B2", False)])
def test_one_diagonal_makes_an_eye_at_the_edge_false(corner, is_eye):
    game = load("go5")
    searcher = searcher_of(game)
    for text in ("A2", corner, "B1", "E5"):
        searcher.play(text)
    eye = move_of(game, "A1")
    assert (eye not in listed_moves(game, searcher.buffers["root"])) == is_eye


def replay(game, state, moves, expected=None):
    """Play a playout's moves by the rules; expected(state, listed) names the only choice."""
    _, _, play, _, _ = game.rules
    for move in moves:
        listed = listed_moves(game, state)
        if move == PASS:
            assert listed == [PASS]
        else:
            assert move in listed
            assert game.legal(state, move)
        if expected:
            assert move == expected(state, listed)
        play(state, move)


def check_playout(game, seed, part, order, epsilon, expected=None):
    start, before = random_position(game, seed, int(part * game.move_cap))
    end = copied(game, start)
    moves = playout_of(game, end, seed, order, epsilon)
    replay(game, start, moves, expected)
    whole = before + moves
    assert whole[-2:] == [PASS, PASS] or len(whole) == game.move_cap
    assert listed_moves(game, end) == []
    header_and_stones = go._CELL + go._PITCH
    assert bytes(end[:header_and_stones]) == bytes(start[:header_and_stones])


@EXAMPLES
@given(st.sampled_from(go.SIZES), st.integers(0, 2**20), st.floats(0, 1))
def test_uniform_playouts_play_listed_moves_to_the_end(size, seed, part):
    game = load("go%d" % size)
    check_playout(game, seed, part, None, UNIFORM)


@EXAMPLES
@given(st.sampled_from(go.SIZES), st.integers(0, 2**20), st.floats(0, 1), st.integers(1, 65535))
def test_mast_playouts_play_listed_moves_to_the_end(size, seed, part, epsilon):
    game = load("go%d" % size)
    check_playout(game, seed, part, mast_order(game.name), epsilon)


@EXAMPLES
@given(st.sampled_from(go.SIZES), st.integers(0, 2**20), st.floats(0, 1))
def test_greedy_playouts_play_the_first_listed_move_of_the_order(size, seed, part):
    game = load("go%d" % size)
    order = mast_order(game.name)

    def first(state, listed):
        half = int(state[go._TURN]) * game.code_count
        best = [int(move) for move in order[half : half + game.code_count]]
        return next((move for move in best if move in listed and move != PASS), PASS)

    check_playout(game, seed, part, order, 0, first)


def test_uniform_playouts_draw_all_listed_moves_alike():
    game = load("go5")
    copy, _, _, playout, _ = game.rules
    start, _ = random_position(game, 7, 40)
    listed = listed_moves(game, start)
    numbers = allocate("i", 2)
    rng.start(numbers, 1)
    trace = allocate("H", game.move_cap)
    order = allocate("H", 0)
    work = allocate("B", game.state_bytes)
    counts = dict.fromkeys(listed, 0)
    draws = 2000 * (len(listed) - 1)
    for _ in range(draws):
        copy(work, start)
        playout(work, numbers, trace, 0, order, UNIFORM)
        counts[int(trace[0]) & 32767] += 1
    assert 5 < len(listed) < start[go._EMPTIES]  # some empty points had to be refused
    assert counts.pop(PASS) == 0
    # Five standard deviations of a count of 2000.
    assert all(abs(count - 2000) < 225 for count in counts.values())


# --- the end of a game


def assert_over(game, state):
    assert legal_moves(game, state) == []
    assert listed_moves(game, state) == []
    assert playout_of(game, state, 1) == []


@pytest.mark.parametrize("size", SIZES)
def test_two_passes_end_the_game_and_one_does_not(size):
    game = load("go%d" % size)
    _, _, play, _, _ = game.rules
    state = new_state(game)
    for move in (PASS, move_of(game, "C3"), PASS):
        play(state, move)
        assert PASS in listed_moves(game, state)
    play(state, PASS)
    assert_over(game, state)


@pytest.mark.parametrize("size", SIZES)
def test_the_cap_ends_the_game(size):
    game = load("go%d" % size)
    capped = 0
    for seed in range(3):
        state = new_state(game)
        played = list(random_game(game, state, seed, passes=False))
        assert len(played) == 3 * size * size or played[-2:] == [PASS, PASS]
        assert_over(game, state)
        capped += played[-2:] != [PASS, PASS]
    assert capped
    assert game.move_cap == 3 * size * size


def test_searcher_plays_nothing_once_the_game_is_over():
    searcher = searcher_of(load("go5"))
    searcher.set_position(["pass", "pass"])
    for attempt in (searcher.search, lambda: searcher.play("C3")):
        with pytest.raises(BadInput, match="the game is over"):
            attempt()


# --- what is known about positions


def fingerprint_of(game, state):
    out = allocate("i", 2)
    game.fingerprint(state, out)
    return int(out[0]), int(out[1])


def test_fingerprints_are_one_for_stones_turn_ko_and_passes():
    game = load("go5")
    found = {}
    for state, moves in random_games(game, 200):
        for _ in moves:
            position = (
                stones(game, state),
                *(int(state[field]) for field in (go._TURN, go._KO, go._PASSES)),
            )
            assert found.setdefault(position, fingerprint_of(game, state)) == fingerprint_of(
                game, state
            )
    assert any(ko for _, _, ko, _ in found)
    assert any(passes == 1 for _, _, _, passes in found)
    assert len(found) > 5000
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("komi", [0, 7.5])
def test_evaluation_is_the_score_if_the_game_ended_here(komi):
    game = load("go7", komi=komi)
    for state, moves in random_games(game, 4):
        for _ in moves:
            score = game.score(state)
            lead = 0 if score == "draw" else float(score[2:]) * (1 if score[0] == "B" else -1)
            assert game.evaluate(state) == 2 * lead


# --- texts and options


@pytest.mark.parametrize("size", go.SIZES)
def test_moves_are_written_as_gtp_does_and_read_back(size):
    game = load("go%d" % size)
    moves = all_moves(game)
    assert sorted(game.code(move) for move in moves) == list(range(game.code_count))
    for move in moves:
        text = game.text(move)
        assert text == format_vertex(vertex(game, move))
        assert move_of(game, text) == move_of(game, text.lower()) == move
        assert move_of(game, text.upper()) == move
    for text in ("I5", "A0", "A%d" % (size + 1), "", "5A", format_vertex((0, size))):
        assert move_of(game, text) is None


@pytest.mark.parametrize("komi", [7.25, -0.5, 128, 1e9, float("inf"), float("nan")])
def test_komi_that_a_state_cannot_hold_is_refused(komi):
    with pytest.raises(BadInput, match=r"komi must be a multiple of 0\.5"):
        load("go9", komi=komi)


@pytest.mark.parametrize("komi", [0, 0.5, 6, 7.5, 127.5])
def test_komi_goes_to_white(komi):
    game = load("go9", komi=komi)
    assert game.score(new_state(game)) == ("W+%g" % komi if komi else "draw")


@pytest.mark.parametrize("name", ["go4", "go14", "go0"])
def test_sizes_outside_5_to_13_are_refused(name):
    with pytest.raises(BadInput, match="sizes 5 to 13"):
        load(name)
