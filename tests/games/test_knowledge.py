"""What games know: replies of playouts, priors of moves, and the shapes of Go."""

import random
from collections import Counter

import pytest
from picograve import BadInput, Budget, Config, Position, Searcher, load, rng
from picograve.games import go
from picograve.kernel import allocate, constant
from picograve.knowledge.go import KNOWN
from picograve.mcts import search
from picograve_tools import draw_shapes

NONE = 65535
BLACK, WHITE = 1, 2
KNOWN_BUFFER = constant(KNOWN)
BESIDE = (-go._ROW, -1, 1, go._ROW)
DIAGONAL = (-go._ROW - 1, -go._ROW + 1, go._ROW - 1, go._ROW + 1)


def position(moves, game="go9"):
    board = Position(load(game))
    board.set_position(moves.split())
    return board


def random_positions(count, seed):
    dice = random.Random(seed)
    for _ in range(count):
        board = Position(load("go9"))
        for _ in range(dice.randrange(20, 90)):
            moves = [move for move in board.legal_moves() if move != "pass"]
            if moves:
                board.play(dice.choice(moves))
        yield board


def cell(state, point):
    return int(state[go._CELL + point])


def points_of(board):
    return [move for move in range(1, board.game.move_limit) if board.game.code(move) is not None]


def liberties_of(state, point):
    """Of the chain at a point, by a flood fill."""
    stones, liberties = [point], set()
    for stone in stones:
        for step in BESIDE:
            if cell(state, stone + step) == go._EMPTY:
                liberties.add(stone + step)
            elif cell(state, stone + step) == cell(state, point) and stone + step not in stones:
                stones.append(stone + step)
    return liberties


def test_the_only_liberty_of_a_chain_is_that_of_a_flood_fill():
    seen = 0
    for board in random_positions(60, 1):
        state = board.buffers["root"]
        for point in points_of(board):
            if cell(state, point) in (BLACK, WHITE):
                liberties = liberties_of(state, point)
                expected = min(liberties) if len(liberties) == 1 else 0
                assert go.only_liberty(state, int(state[go._HEAD + point])) == expected
                seen += expected != 0
    assert seen > 50


def test_a_chain_has_two_liberties_if_a_flood_fill_finds_two():
    seen = [0, 0]
    for board in random_positions(40, 4):
        state = board.buffers["root"]
        for point in points_of(board):
            if cell(state, point) in (BLACK, WHITE):
                count = len(liberties_of(state, point))
                if count > 1:
                    head = int(state[go._HEAD + point])
                    assert go.has_two(state, head) == (count == 2)
                    seen[count == 2] += 1
    assert min(seen) > 50


def test_a_move_has_room_if_it_captures_or_its_chain_then_has_two_liberties():
    seen = [0, 0]
    for board in random_positions(40, 2):
        state, work = board.buffers["root"], board.buffers["work"]
        copy, _, play, _, _ = board.game.rules
        for point in points_of(board):
            if cell(state, point) == go._EMPTY and board.game.legal(state, point):
                copy(work, state)
                play(work, point)
                captured = any(cell(state, p) and not cell(work, p) for p in points_of(board))
                expected = captured or len(liberties_of(work, point)) > 1
                assert go.has_room(state, point, int(state[0]) + 1) == expected
                seen[expected] += 1
    assert min(seen) > 50


def replies_to(moves, which, game="go9"):
    board = position(moves, game)
    numbers, found = allocate("i", 2), Counter()
    for seed in range(60):
        rng.start(numbers, seed)
        last = board.history[-1] if board.history else NONE
        move = board.game.reply(board.buffers["root"], numbers, which, last, KNOWN_BUFFER)
        found["none" if move == NONE else board.game.text(move)] += 1
    return found


@pytest.mark.parametrize("game,moves,answer", [
    ("go9", "E4 E5 D5 A1 F5", "E6"),  # white's stone at E5 is in atari: extend
    ("go9", "B1 J9 B2 A1", "A2"),  # black takes the stone that has just moved
    ("go9", "A1 A2 J9 B1", "none"),  # a stone that cannot be saved
    ("go9", "E5 C3", "none"),
    ("hex5", "B3 E1 C2 C3 A5 B2", "none"),  # what white took was no bridge
    ("hex5", "B3 E1 C1 B2", "C2"),  # B3 and C1: white is at B2, so black goes to C2
    ("othello", "D3", "none"),
])  # fmt: skip
def test_a_reply_answers_the_last_move(game, moves, answer):
    found = replies_to(moves, 1, game)
    assert found[answer] > 40
    assert set(found) <= {answer, "none"}


def test_of_several_answers_each_is_played_as_often_as_the_others():
    # F5 has put E5 into atari: black extends to E6, or takes D5 at its last liberty, C5.
    found = replies_to("E5 D5 D6 E4 D4 F5", 1)
    assert set(found) - {"none"} == {"C5", "E6"}
    assert min(found["C5"], found["E6"]) > 15


def test_nothing_is_answered_where_no_reply_is_wanted_and_where_there_is_no_last_move():
    assert set(replies_to("E4 E5 D5 A1 F5", 0)) == {"none"}
    assert set(replies_to("", 3)) == {"none"}
    assert set(replies_to("E4 pass", 3)) == {"none"}


def test_othello_takes_a_corner_when_it_can():
    dice, taken = random.Random(1), 0
    for _ in range(30):
        board = Position(load("othello"))
        while not board.is_over:
            numbers = allocate("i", 2)
            rng.start(numbers, dice.randrange(1000))
            move = board.game.reply(board.buffers["root"], numbers, 1, NONE, KNOWN_BUFFER)
            legal = {text.lower() for text in board.legal_moves()} & {"a1", "a8", "h1", "h8"}
            assert (move == NONE) == (not legal)
            if legal:
                assert board.game.text(move).lower() in legal
                taken += 1
            board.play(dice.choice(board.legal_moves()))
    assert taken > 10


@pytest.mark.parametrize("game", ["go5", "hex5", "othello"])
def test_pick_takes_every_move_as_often_as_any_other(game):
    board = position("C3 C4" if game != "othello" else "D3", game)
    numbers, found = allocate("i", 2), Counter()
    rng.start(numbers, 1)
    listed = [
        move for move in board._listed() if game == "othello" or board.game.text(move) != "pass"
    ]
    for _ in range(300 * len(listed)):
        found[board.game.pick(board.buffers["root"], numbers, 0)] += 1
    assert set(found) == set(listed)
    assert all(230 < count < 370 for count in found.values())


def test_the_table_of_shapes_is_what_the_drawings_give():
    assert draw_shapes.table() == KNOWN


def test_a_shape_on_the_board_is_known_if_it_was_drawn():
    good, seen = set(draw_shapes.good_shapes()), [0, 0]
    for board in random_positions(20, 3):
        state = board.buffers["root"]
        for point in points_of(board):
            shape = tuple(cell(state, point + step) for step in BESIDE + DIAGONAL)
            assert go.is_shape(state, point, KNOWN_BUFFER) == (shape in good)
            seen[shape in good] += 1
    assert min(seen) > 200


def test_a_shapely_reply_is_a_hane_where_two_stones_touch():
    found = replies_to("E5 E6", 2)
    assert set(found) - {"none"} == {"D5", "D6", "F5", "F6"}
    assert found["none"] < 20
    assert set(replies_to("E5 G7", 2)) == {"none"}


def prior_of(moves, text, priors="all"):
    """(visits, points) that a move has beforehand."""
    config = Config("grave", prior=10, priors=priors, playouts=10)
    searcher = Searcher(load("go9"), config, Budget(nodes=12))
    searcher.set_position(moves.split())
    searcher.start()
    searcher.run(2)
    board, which = searcher.game, int(searcher.buffers["control"][search.PRIORS])
    listed, out = searcher.buffers["moves"], searcher.buffers["priors"]
    count = board.rules[1](searcher.buffers["root"], listed)
    board.prior(
        searcher.buffers["root"], which, searcher.history[-1], listed, listed, count,
        KNOWN_BUFFER, out,
    )  # fmt: skip
    move = next(
        m for m in range(board.move_limit) if board.code(m) is not None and board.text(m) == text
    )
    return divmod(int(out[move]), 256)


def test_priors_say_what_they_are_called():
    assert prior_of("A1 A9 B2 A2", "A3", "captures") == (10, 20)
    assert prior_of("E4 E5 D5 A1 F5", "E6", "escapes") == (10, 20)
    assert prior_of("E5 C3", "C4", "near") == (8, 16)
    assert prior_of("E5 C3", "D4", "near") == (6, 12)
    assert prior_of("E5 C3", "C5", "near") == (2, 4)
    assert prior_of("B1 J9 A2 J8 A9 H1", "A1", "atari")[1] == 0
    assert prior_of("E5 E4 A9", "F5", "threats") == (0, 0)
    assert prior_of("E5 E4 A9 D5 A8", "F5", "threats") == (6, 12)
    assert prior_of("E5 C3", "G7", "all") == (0, 0)
    assert prior_of("E5 C3", "pass", "all") == (10, 0)


def test_an_unknown_reply_or_prior_is_refused_with_those_there_are():
    for kind, settings in (
        ("replies", dict(playout_policy="reply", replies="ladders")),
        ("priors", dict(prior=5, priors="captures+ladders")),
    ):
        with pytest.raises(BadInput, match="%s on go9 are one of all, none, .*, not" % kind):
            Searcher(load("go9"), Config("grave", playouts=10, **settings), Budget(nodes=12))


@pytest.mark.parametrize("game,span", [("go5", 0.6), ("hex5", 1)])
def test_a_search_may_leave_it_to_the_game_which_moves_amaf_learns_from(game, span):
    hashes = set()
    for given in (0, span):
        config = Config("grave", playouts=200, amaf_span=given)
        hashes.add(Searcher(load(game), config, Budget(nodes=200)).search().tree_hash)
    assert len(hashes) == 1


def test_replies_are_uniform_playouts_where_a_game_has_none():
    hashes = set()
    for policy in ("uniform", "reply"):
        config = Config("graver", playout_policy=policy, playouts=200)
        hashes.add(Searcher(load("ttt3"), config, Budget(nodes=40)).search().tree_hash)
    assert len(hashes) == 1


def test_playouts_that_reply_are_games_by_the_rules():
    searcher = Searcher(
        load("go7"), Config("grave", playout_policy="reply", mercy=False), Budget(nodes=9)
    )
    searcher.start()
    for seed in range(30):
        rng.start(searcher.buffers["rng"], seed)
        searcher.sample(1)
        board = Position(searcher.game)
        length = int(searcher.buffers["control"][search.LENGTH])
        for note in searcher.buffers["trace"][:length]:
            assert (int(note) >> 15) == board.turn
            board._make(int(note) & 32767)
        assert board.is_over
