"""Chess against published counts of its tree, and python-chess, which others wrote.

What a state keeps besides the board (lists of pieces, who gives check, where en passant is
legal) is worked out again from its FEN.
"""

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import chess as oracle
import picograve
import pytest
from game_play import UNIFORM, copied, new_state
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from picograve import BadInput, Budget, Config, Position, Searcher, load, open_search, rng
from picograve.games import chess, move_of
from picograve.kernel import allocate
from picograve.mcts import search

GAME = load("chess")
SOURCE = Path(picograve.__file__).parents[1]
NONE = 65535
MIXED, GREEDY = 26214, 0  # epsilon: looks at the order now and then, and always
# A smaller seed is no simpler example, so that shrinking would only take time.
EXAMPLES = settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# The usual positions and their counts (chessprogramming.org, "Perft Results").
PERFT = {
    "start": (chess.START, [20, 400, 8902, 197281, 4865609]),
    "kiwipete": (KIWIPETE, [48, 2039, 97862, 4085603]),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
    "position 4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9467, 422333],
    ),
    "position 5": (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [44, 1486, 62379, 2103487],
    ),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2079, 89890, 3894594],
    ),
}
# The most moves that a position has: N. Petrovic, 1964.
PETROVIC = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


def listed_moves(state):
    _, moves, _, _, _ = GAME.rules
    out = allocate("H", GAME.most_moves)
    return [int(move) for move in out[: moves(state, out)]]


def texts(state):
    return sorted(map(GAME.text, listed_moves(state)))


def play(state, move):
    GAME.rules[2](state, move if isinstance(move, int) else GAME.find(move))


def outcome(state):
    return GAME.rules[4](state)


def at(fen, **options):
    return new_state(load("chess", fen=fen, **options))


def random_game(seed, fen=chess.START):
    """(state, board) after each move of a random game: ours and python-chess's.

    It ends before our clock stands still, which counts to 255."""
    rand = random.Random(seed)
    state, board = at(fen), oracle.Board(fen)
    yield state, board
    while (moves := texts(state)) and board.halfmove_clock < 255:
        text = rand.choice(moves)
        play(state, text)
        board.push_uci(text)
        yield state, board


def random_position(seed, plies):
    for state, _ in zip(random_game(seed), range(plies), strict=False):
        found = state[0]
    return found


# --- the rules

COUNT = """
from picograve.kernel import allocate

def perft(game, state, depth):
    copy, moves, play, _, _ = game.rules
    out = allocate("H", game.most_moves)
    count = moves(state, out)
    if depth == 1:
        return count
    total, after = 0, allocate("B", game.state_bytes)
    for i in range(count):
        copy(after, state)
        play(after, int(out[i]))
        total += perft(game, after, depth - 1)
    return total
"""
exec(COUNT)
COUNT_ALL = (
    COUNT
    + """
import json, sys
from picograve import load
for fen, depth in json.load(sys.stdin):
    game = load("chess", fen=fen)
    state = allocate("B", game.state_bytes)
    game.reset(state)
    print(perft(game, state, depth))
"""
)


@pytest.mark.parametrize("name", PERFT)
def test_the_tree_has_the_published_number_of_positions(name):
    fen, counts = PERFT[name]
    found = [perft(GAME, at(fen), depth) for depth in range(1, len(counts) + 1)]  # noqa: F821
    assert found == counts


@pytest.mark.parametrize(("runtime", "depth"), [("cpython", 3), ("c", 3), ("micropython", 3)])
def test_other_runtimes_count_the_same(runtime, depth, tmp_path, request):
    command, environment = [sys.executable, "-c", COUNT_ALL], {"PICOGRAVE_RUNTIME": runtime}
    if runtime == "micropython":
        script = tmp_path / "count.py"
        script.write_text("import sys; sys.path.insert(0, %r)\n" % str(SOURCE) + COUNT_ALL)
        command = [request.getfixturevalue("unix_port"), "-X", "heapsize=4m", str(script)]
    answer = subprocess.run(
        command,
        input=json.dumps([[fen, depth] for fen, _ in PERFT.values()]),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert list(map(int, answer.stdout.split())) == [n[depth - 1] for _, n in PERFT.values()]


def test_random_games_agree_with_python_chess():
    ends = set()
    for seed in range(40):
        for state, board in random_game(seed):
            assert GAME.fen_of(state) == board.fen()
            if state[chess._COUNT] + state[chess._COUNT + 1] > 2:
                assert texts(state) == sorted(move.uci() for move in board.legal_moves)
            checkers = list(board.checkers())
            checker = int(state[chess._CHECKER])
            if len(checkers) == 1:
                assert checkers == [(checker + (checker & 7)) >> 1]
            else:
                assert checker == (chess._DOUBLE if checkers else chess._NOWHERE)
        if not texts(state):
            assert outcome(state) == {"1-0": 2, "0-1": 0}.get(board.result(), 1)
            ends.add(GAME.score(state))
    assert {"white mates", "black mates", "draw by stalemate"} <= ends


def test_legal_is_what_is_listed_and_nothing_else():
    for seed in range(6):
        for ply, (state, _) in enumerate(random_game(seed)):
            if ply % 25 == seed:
                listed = set(listed_moves(state))
                legal = {m for m in range(GAME.move_limit) if GAME.legal(state, m)}
                assert legal == listed


@pytest.mark.parametrize(
    ("fen", "refused"),
    [
        # En passant would open the rank, the file of a bishop's line, or leave the check.
        ("8/8/8/K2pP2q/8/8/8/7k w - d6 0 1", "e5d6"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e4d3"),
        ("7k/1b6/8/3pP3/8/5K2/8/8 w - d6 0 1", None),
        # Castling out of, through and into check; past a piece; with a lost right.
        ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("6r1/1k6/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("6k1/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"),
        ("6k1/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1"),
        # The king does not hide the squares behind it.
        ("4r1k1/8/8/8/8/8/4K3/8 w - - 0 1", "e2e1"),
    ],
)
def test_moves_that_only_look_legal(fen, refused):
    state = at(fen)
    assert texts(state) == sorted(move.uci() for move in oracle.Board(fen).legal_moves)
    assert refused not in texts(state)


def test_a_rook_on_b1_does_not_stop_long_castling_by_its_attack():
    assert "e1c1" in texts(at("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1"))


def test_a_position_with_the_most_moves_fits_its_list():
    assert len(texts(at(PETROVIC))) == GAME.most_moves == 218


def test_a_copy_is_the_whole_state_and_independent():
    state = random_position(1, 30)
    twin = copied(GAME, state)
    assert bytes(twin) == bytes(state)
    play(twin, listed_moves(twin)[0])
    assert bytes(twin) != bytes(state)


def bookkeeping(state):
    """What does not depend on how a position came about."""
    cells = bytes(cell & 15 for cell in bytes(state)[chess._CELL :])
    lists = []
    for colour in (0, 1):
        start = chess._LIST + 16 * colour
        squares = [int(p) for p in state[start : start + state[chess._COUNT + colour]]]
        places = [int(state[chess._CELL + p]) >> 4 for p in squares]
        assert places == list(range(len(squares)))
        heavy = [int(state[chess._CELL + p]) & 7 > chess._KNIGHT for p in squares]
        assert heavy == sorted(heavy, reverse=True)
        lists.append((squares[0], sorted(squares)))
    return bytes(state)[: chess._LEFT], cells, lists


def test_bookkeeping_follows_every_move():
    for seed in range(10):
        for state, _ in random_game(seed):
            assert bookkeeping(state) == bookkeeping(at(GAME.fen_of(state)))


# --- playouts


def playout_of(game, state, seed, order=None, epsilon=UNIFORM):
    """Play a state out; its notes."""
    _, _, _, playout, _ = game.rules
    numbers = allocate("i", 2)
    rng.start(numbers, seed)
    trace = allocate("H", game.move_cap + 1)
    trace[0] = 12345
    order = allocate("H", 0) if order is None else order
    length = playout(state, numbers, trace, 1, order, epsilon)
    assert trace[0] == 12345
    return [int(note) for note in trace[1:length]]


def code_of(state, move):
    moves, out = allocate("H", 1), allocate("H", 1)
    moves[0] = move
    GAME.codes(state, moves, 1, out)
    return int(out[0])


def test_a_code_is_the_kind_of_piece_and_its_target():
    state = at("6k1/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    codes = {text: code_of(state, GAME.find(text)) for text in texts(state)}
    assert codes["a7a8q"] == codes["a7a8n"] == 0 * 64 + 56
    assert codes["e1g1"] == 5 * 64 + 6
    assert codes["h1h8"] == 3 * 64 + 63
    assert max(codes.values()) < GAME.code_count == 384


def shuffled_order(seed):
    rand = random.Random(seed)
    order = allocate("H", 2 * GAME.code_count)
    for place in (0, 1):
        for i, code in enumerate(rand.sample(range(GAME.code_count), GAME.code_count)):
            order[place * GAME.code_count + i] = code
    return order


@EXAMPLES
@given(st.integers(0, 2**20), st.integers(1, 120), st.sampled_from((UNIFORM, MIXED, GREEDY)))
def test_playouts_play_legal_moves_to_the_end_or_the_cut(seed, plies, epsilon):
    order = shuffled_order(seed)
    start = random_position(seed, plies)
    end = copied(GAME, start)
    notes = playout_of(GAME, end, seed, order, epsilon)
    assert len(notes) <= 100 and listed_moves(end) == []
    states = [start]  # where the notes may have led: several moves can have one code
    for note in notes[:40]:
        half = (note >> 15) * GAME.code_count
        best = [int(code) for code in order[half : half + GAME.code_count]]
        after = {}
        for state in states:
            assert note >> 15 == state[0]
            codes = {move: code_of(state, move) for move in listed_moves(state)}
            if epsilon == GREEDY and note & 32767 != min(codes.values(), key=best.index):
                continue
            for move in codes:
                if codes[move] == note & 32767:
                    twin = copied(GAME, state)
                    play(twin, move)
                    after[bookkeeping(twin)[1]] = twin
        states = list(after.values())[:20]
        assert states
    if len(notes) < 40:
        assert bookkeeping(end)[1] in [bookkeeping(state)[1] for state in states]


def test_a_playout_is_cut_where_the_option_says():
    for cut in (1, 7, 300):
        game = load("chess", cut=cut)
        lengths = {len(playout_of(game, new_state(game), seed)) for seed in range(20)}
        assert max(lengths) == cut
    with pytest.raises(BadInput, match="cut must be 1 to 1000 moves, not 0"):
        load("chess", cut=0)


@pytest.mark.parametrize("option", ["draws", "squares", "stalemates", "blind"])
def test_a_switch_is_on_or_off(option):
    with pytest.raises(BadInput, match=option + " must be true or false, not maybe"):
        load("chess", **{option: "maybe"})


def test_playouts_from_the_start_end_as_the_paper_says():
    # 3.9 % mates within 100 plies, mean length 98.7; five standard deviations of 4000.
    ends = []
    for seed in range(4000):
        state = new_state(GAME)
        ends.append((len(playout_of(GAME, state, seed)), outcome(state)))
    mates = sum(result != 1 for _, result in ends)
    assert abs(mates / 4000 - 0.039) < 5 * (0.039 * 0.961 / 4000) ** 0.5
    assert 98 < sum(length for length, _ in ends) / 4000 < 99.3


@pytest.mark.parametrize(
    "fen",
    [
        chess.START,
        KIWIPETE,
        PERFT["position 5"][0],
        "3q4/4P1P1/7k/8/8/8/8/K2QQ3 w - - 0 1",  # promotions, and two queens
        "4k3/8/8/8/4r3/8/3P1P2/R3K2R w KQ - 0 1",  # in check
    ],
)
def test_every_legal_move_is_picked_equally_often(fen):
    state = at(fen)
    counts = dict.fromkeys(listed_moves(state), 0)
    numbers = allocate("i", 2)
    rng.start(numbers, 5)
    for _ in range(2000 * len(counts)):
        counts[GAME.pick(state, numbers, 0)] += 1
    # Five standard deviations of a count of 2000, and what a number of 16 bits makes uneven.
    assert all(abs(count - 2000) < 5 * 2000**0.5 + 10 for count in counts.values())


@pytest.mark.parametrize("policy", ["uniform", "mast", "MVV", "PST"])
def test_playouts_of_every_policy_are_cut(policy):
    config = Config("uct", playouts=20, playout_policy=policy)
    searcher = Searcher(load("chess", cut=9), config, Budget(nodes=20))
    searcher.sample(1)
    assert searcher.buffers["control"][search.LENGTH] == 9


# --- what is known about the game


def plain_material(board, colour):
    worth = {1: 100, 2: 300, 3: 320, 4: 500, 5: 900, 6: 0}
    total = 0
    for piece in board.piece_map().values():
        total += worth[piece.piece_type] * (1 if piece.color == colour else -1)
    return total


def test_the_evaluation_is_the_papers_material_and_1200_for_a_mated_king():
    mates = 0
    for seed in range(20):
        for state, board in random_game(seed):
            expected = plain_material(board, oracle.WHITE)
            if board.is_checkmate():
                expected += 1200 if board.turn == oracle.BLACK else -1200
                mates += 1
            assert GAME.evaluate(state) == expected
    assert mates


def test_the_evaluation_stays_below_the_contracts_10000():
    assert GAME.evaluate(at("QQQQQQQQ/Q7/8/BB6/NN6/RR6/8/k1K5 b - - 0 1")) == 9999
    assert GAME.evaluate(at("qqqqqqqq/q7/8/bb6/nn6/rr6/8/K1k5 w - - 0 1")) == -9999


def test_places_count_alike_for_both_sides():
    game = load("chess", squares=True)
    for seed in range(5):
        for state, board in random_game(seed):
            one = new_state(load("chess", squares=True, fen=GAME.fen_of(state)))
            other = new_state(load("chess", squares=True, fen=board.mirror().fen()))
            assert game.evaluate(one) == -game.evaluate(other)


def appraisals(state, heuristic):
    """{text: value} of all legal moves."""
    listed = listed_moves(state)
    moves, values = allocate("H", GAME.most_moves), allocate("i", GAME.most_moves)
    for i, move in enumerate(listed):
        moves[i] = move
    work = allocate("B", GAME.state_bytes)
    GAME.appraise(state, work, GAME.heuristics.index(heuristic), moves, len(listed), values)
    return {GAME.text(move): int(value) for move, value in zip(listed, values, strict=False)}


def test_captures_come_first_the_best_prey_by_the_least_hunter():
    values = appraisals(at("k7/3q4/2P1N3/5r2/4P3/8/8/3QK3 w - - 0 1"), "MVV")
    best = sorted(values, key=lambda text: -values[text])
    assert best[:3] == ["c6d7", "d1d7", "e4f5"]
    assert set(map(values.get, best[3:])) == {0}
    values = appraisals(at("7k/8/8/3pP3/8/8/8/7K w - d6 0 1"), "MVV")
    assert max(values, key=values.get) == "e5d6"
    values = appraisals(at("3r3k/4P3/8/8/8/8/8/7K w - - 0 1"), "MVV")
    assert max(values, key=values.get) == "e7d8q"


def test_no_appraisal_is_negative():
    for fen in (chess.START, KIWIPETE, "qqqqqqqq/q7/8/bb6/nn6/rr6/8/K1k5 w - - 0 1"):
        for name in GAME.heuristics:
            assert min(appraisals(at(fen), name).values(), default=0) >= 0


def fingerprint(state):
    out = allocate("i", 2)
    GAME.fingerprint(state, out)
    assert min(out) >= 0
    return int(out[0]), int(out[1])


def test_a_fingerprint_is_one_for_each_position():
    known = {}
    for seed in range(40):
        for state, board in random_game(seed):
            position = board.fen().rsplit(" ", 2)[0]
            assert known.setdefault(position, fingerprint(state)) == fingerprint(state)
    for half in (0, 1):
        assert len({both[half] for both in known.values()}) > 0.999 * len(known)
    assert len(set(known.values())) == len(known)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"),
    ],
)
def test_a_fingerprint_tells_rights_and_turn(one, other):
    assert all(a != b for a, b in zip(fingerprint(at(one)), fingerprint(at(other)), strict=True))


@pytest.mark.parametrize("name", ["uct", "grave", "alphabeta"])
@pytest.mark.parametrize(
    ("fen", "mates"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", {"a1a8"}),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", {"g1g7"}),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", {"a8a1"}),
    ],
)
def test_searches_find_a_mate_in_one(name, fen, mates):
    config = Config("alphabeta", depth=2) if name == "alphabeta" else Config(name, playouts=2000)
    searcher = open_search(load("chess", fen=fen), config, Budget(nodes=500))
    assert searcher.search().move in mates


# --- what it replies, and what it thinks of moves beforehand

MATES, RETAKES, CAPTURES, PROMOTIONS = 1, 2, 4, 8
KNOWN = allocate("B", 1)


def reply_to(state, which, last=NONE, seed=1):
    """The text of the reply, or None; the state must be as it was."""
    numbers, before = allocate("i", 2), bytes(state)
    rng.start(numbers, seed)
    move = GAME.reply(state, numbers, which, last, KNOWN)
    assert bytes(state) == before
    return None if move == NONE else GAME.text(move)


def rank_of(board, square):
    """Of the piece there: 1 for a pawn to 6 for a king, bishops being as good as knights."""
    kind = board.piece_type_at(square)
    return 2 if kind == oracle.BISHOP else kind


def pays(board, move):
    """Whether a capture takes as much as it risks, or cannot be taken back."""
    if board.is_en_passant(move) or rank_of(board, move.to_square) >= rank_of(
        board, move.from_square
    ):
        return True
    after = board.copy(stack=False)
    after.set_piece_at(move.to_square, after.remove_piece_at(move.from_square))
    return not after.attackers(not board.turn, move.to_square)


def takers(board, square):
    """The legal captures there; those of a pawn that reaches the last rank make queens."""
    return [
        move
        for move in board.legal_moves
        if move.to_square == square and move.promotion in (None, oracle.QUEEN)
    ]


def checks_by_itself(board, move):
    """Whether the piece that moves gives check, alone, and is no pawn."""
    kind = board.piece_type_at(move.from_square)
    board.push(move)
    checkers = list(board.checkers())
    board.pop()
    return kind not in (oracle.PAWN, oracle.KING) and checkers == [move.to_square]


def test_a_reply_mates_where_a_piece_can_by_itself():
    mates = 0
    for seed in range(30):
        for state, board in random_game(seed):
            if board.is_check() or not listed_moves(state):
                assert reply_to(state, MATES) is None
                continue
            reply, found = reply_to(state, MATES), set()
            for move in board.legal_moves:
                if board.gives_check(move) and checks_by_itself(board, move):
                    board.push(move)
                    if board.is_checkmate():
                        found.add(move.uci())
                    board.pop()
            if reply not in found:  # a check from behind it may help: then it is missed, or mates
                assert not found or reply is not None
                if reply is not None:
                    board.push_uci(reply)
                    assert board.is_checkmate()
                    board.pop()
            mates += len(found) > 0
    assert mates > 20


def test_a_reply_takes_what_has_just_moved_by_the_least_piece_if_that_pays():
    seen = [0, 0]
    for seed in range(12):
        for state, board in random_game(seed):
            if not board.move_stack or not listed_moves(state):
                continue
            last = board.peek()
            captures = takers(board, last.to_square)
            reply = reply_to(state, RETAKES, GAME.find(last.uci()))
            seen[reply is not None] += 1
            if reply is None:
                best = min(captures, key=lambda m: board.piece_type_at(m.from_square), default=None)
                assert best is None or not pays(board, best)
            else:
                move = oracle.Move.from_uci(reply)
                assert move in captures and pays(board, move)
                kinds = [board.piece_type_at(other.from_square) for other in captures]
                assert board.piece_type_at(move.from_square) == min(kinds)
    assert min(seen) > 100


def test_a_reply_takes_a_piece_drawn_by_chance_only_if_that_pays():
    taken = 0
    for seed in range(12):
        for ply, (state, board) in enumerate(random_game(seed)):
            reply = reply_to(state, CAPTURES, seed=ply)
            if reply is not None:
                move = oracle.Move.from_uci(reply)
                assert move in board.legal_moves and board.is_capture(move) and pays(board, move)
                taken += 1
    assert taken > 100
    state = at("k7/8/8/3q1r2/4P3/8/8/K7 w - - 0 1")
    assert {reply_to(state, CAPTURES, seed=seed) for seed in range(40)} == {"e4d5", "e4f5"}


@pytest.mark.parametrize(
    ("fen", "which", "last", "answer"),
    [
        ("3k4/8/8/3p4/4P3/8/8/3QK3 w - - 0 1", RETAKES, "d7d5", "e4d5"),
        ("3k4/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", RETAKES, "d7d5", None),  # guarded
        ("3k4/8/8/3p4/8/8/8/3QK3 w - - 0 1", RETAKES, "d7d5", "d1d5"),
        ("3k4/8/2p5/3n4/8/1B6/8/4K3 w - - 0 1", RETAKES, "f6d5", "b3d5"),  # as good as it
        ("4r1k1/8/8/3p4/4N3/8/2N5/4K3 w - - 0 1", RETAKES, "d7d5", None),
        ("4r1k1/8/8/3p4/4N3/2N5/8/4K3 w - - 0 1", RETAKES, "d7d5", "c3d5"),  # the other is pinned
        ("3r3k/4P3/8/8/8/8/8/7K w - - 0 1", RETAKES, "d1d8", "e7d8q"),
        ("7k/4P3/8/8/8/8/8/7K w - - 0 1", PROMOTIONS, None, "e7e8q"),
        ("4r2k/4P3/8/8/8/8/8/7K w - - 0 1", PROMOTIONS, None, None),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", MATES, None, "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", RETAKES + CAPTURES + PROMOTIONS, "h8g8", None),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 0, None, None),
        ("r5k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", MATES, None, "a1a8"),
        ("r5k1/r4ppp/8/8/8/8/8/R3K3 w - - 0 1", MATES, None, None),
    ],
)
def test_a_reply_is_what_it_is_called(fen, which, last, answer):
    last = NONE if last is None else GAME.find(last)
    assert reply_to(at(fen), which, last) == answer


def test_nothing_is_replied_when_the_game_is_over():
    fen = "7k/8/8/8/8/8/5R2/4K3 w - - 100 90"
    assert reply_to(at(fen, draws=True), 15, GAME.find("g8h8")) is None
    assert reply_to(at("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), 15, GAME.find("g1g7")) is None


def priors_of(state, *names):
    """{text: (visits, points)} of all legal moves."""
    listed = listed_moves(state)
    moves, places = allocate("H", GAME.most_moves), allocate("H", GAME.most_moves)
    out, before = allocate("H", GAME.most_moves), bytes(state)
    for i, move in enumerate(listed):
        moves[i], places[i] = move, len(listed) - 1 - i  # wherever a tree wants them
    which = sum(1 << GAME.priors.index(name) for name in names)
    GAME.prior(state, which, NONE, moves, places, len(listed), KNOWN, out)
    assert bytes(state) == before
    worths = [divmod(int(out[len(listed) - 1 - i]), 256) for i in range(len(listed))]
    return dict(zip(map(GAME.text, listed), worths, strict=True))


def hangs(board, move, square):
    """Whether the piece that moves is lost on that square, by who attacks and guards it."""
    if board.piece_type_at(move.from_square) == oracle.KING:
        return False
    without = board.copy(stack=False)
    without.remove_piece_at(move.from_square)
    attackers = without.attackers(not board.turn, square)
    ranks = [rank_of(board, attacker) for attacker in attackers]
    if not ranks:
        return False
    return min(ranks) < rank_of(board, move.from_square) or not without.attackers(
        board.turn, square
    )


def test_priors_are_what_python_chess_makes_of_their_names():
    seen = dict.fromkeys(("won", "lost", "gift", "escape", "check", "queen"), 0)
    for seed in range(8):
        for state, board in random_game(seed):
            if not listed_moves(state):
                continue
            found = {name: priors_of(state, name) for name in GAME.priors}
            for move in board.legal_moves:
                text = move.uci()
                capture = board.is_capture(move)
                lost = not pays(board, move) if capture else hangs(board, move, move.to_square)
                prey = 1 if board.is_en_passant(move) else board.piece_type_at(move.to_square)
                visits = 4 + 2 * prey if capture else 0
                won = (visits, 2 * visits)
                assert found["captures"][text] == ((10, 0) if capture and lost else won)
                assert found["gifts"][text] == ((10, 0) if lost and not capture else (0, 0))
                flees = not lost and hangs(board, move, move.from_square)
                assert found["escapes"][text] == ((6, 12) if flees else (0, 0))
                if not (move.promotion or board.is_castling(move) or board.is_en_passant(move)):
                    check = not lost and board.gives_check(move)
                    assert found["checks"][text] == ((4, 8) if check else (0, 0))
                    seen["check"] += check
                queen = (0, 0) if lost else (12, 24)
                worth = {None: (0, 0), oracle.QUEEN: queen}.get(move.promotion, (10, 0))
                assert found["promotions"][text] == worth
                seen["won"] += capture and not lost
                seen["lost"] += capture and lost
                seen["gift"] += lost and not capture
                seen["escape"] += flees
                seen["queen"] += worth == (12, 24)
    assert min(seen.values()) > 5


def test_all_priors_together_are_their_sum():
    for state, _ in random_game(3):
        each = [priors_of(state, name) for name in GAME.priors]
        for text, (visits, points) in priors_of(state, *GAME.priors).items():
            assert visits == sum(found[text][0] for found in each) < 128
            assert points == sum(found[text][1] for found in each)


# --- real games


def position_after(moves, fen=chess.START, **options):
    position = Position(load("chess", fen=fen, **options))
    position.set_position(moves.split())
    return position


@pytest.mark.parametrize(
    ("fen", "moves", "score", "points"),
    [
        (chess.START, "f2f3 e7e5 g2g4 d8h4", "black mates", 0),
        (chess.START, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "white mates", 2),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "draw by stalemate", 1),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "g6g5", "draw by the 50-move rule", 1),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", "g1g7", "white mates", 2),
        ("7k/8/8/8/8/8/6p1/6K1 w - - 0 1", "g1g2", "draw by insufficient material", 1),
        (chess.START, "b1c3 b8c6 c3b1 c6b8 " * 2, "draw by threefold repetition", 1),
    ],
)
def test_a_real_game_ends(fen, moves, score, points):
    position = position_after(moves, fen)
    assert position.is_over
    assert (position.score(), position.points) == (score, points)
    assert position.is_draw == (points == 1)
    assert position.legal_moves() == []
    with pytest.raises(BadInput, match="the game is over; a2a3 cannot be played"):
        position.play("a2a3")
    searcher = open_search(position.game, Config("uct", playouts=9), Budget(nodes=9))
    searcher.set_position(moves.split())
    with pytest.raises(BadInput, match="the game is over"):
        searcher.search()


@pytest.mark.parametrize(
    ("fen", "moves", "third"),
    [
        # At first both could still castle, after the first move black.
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "e1e2 e8e7 e2e1 e7e8 " * 2 + "e1e2", "e8e7"),
        # At first a pawn could be taken in passing.
        ("k7/8/8/8/5p2/8/4P3/K7 w - - 0 1", "e2e4 " + "a8b8 a1b1 b8a8 b1a1 " * 2, "a8b8"),
    ],
)
def test_a_position_is_another_if_other_moves_were_possible(fen, moves, third):
    position = position_after(moves, fen)
    assert not position.is_over
    position.play(third)
    assert position.score() == "draw by threefold repetition"


def test_a_move_taken_back_takes_the_draw_back():
    position = position_after("b1c3 b8c6 c3b1 c6b8 " * 2)
    assert position.is_over
    position.undo()
    assert not position.is_over


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", True),  # dark squares both
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", False),
        ("4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", False),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3NK1N1 w - - 0 1", False),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", False),
    ],
)
def test_too_little_material_is_what_python_chess_says(fen, dead):
    assert oracle.Board(fen).is_insufficient_material() == dead
    assert Position(load("chess", fen=fen)).is_over == dead


def test_random_real_games_end_when_python_chess_says():
    ends = set()
    for seed in range(60):
        rand = random.Random(seed)
        position, board = Position(GAME), oracle.Board()
        while not position.is_over:
            text = rand.choice(position.legal_moves())
            position.play(text)
            board.push_uci(text)
            assert position.is_over == (board.is_game_over() or board.is_fifty_moves()
                                        or board.is_repetition(3))  # fmt: skip
        ends.add(position.score())
    assert {"draw by the 50-move rule", "draw by insufficient material", "white mates"} <= ends


def test_a_search_looks_at_draws_by_rule_only_if_asked():
    fen = "7k/8/8/8/8/8/5R2/4K3 w - - 100 90"
    assert listed_moves(at(fen)) != []
    assert listed_moves(at(fen, draws=True)) == []
    assert load("chess", draws=True).score(at(fen, draws=True)) == "draw by the 50-move rule"
    dead = "7k/8/8/8/8/8/5N2/4K3 w - - 0 90"
    assert listed_moves(at(dead)) != []
    assert listed_moves(at(dead, draws=True)) == []
    assert outcome(at(dead, draws=True)) == 1


def test_a_search_takes_a_stalemate_for_a_win_only_if_asked():
    fen = "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1"
    assert outcome(at(fen)) == 1
    assert outcome(at(fen, stalemates=True)) == 2
    assert outcome(at(oracle.Board(fen).mirror().fen(), stalemates=True)) == 0
    assert outcome(at(KIWIPETE, stalemates=True)) == 1
    found = {}
    for wins in (False, True):
        game = load("chess", fen="7k/7P/8/6K1/8/8/8/8 w - - 0 1", stalemates=wins, cut=1)
        found[wins] = open_search(game, Config("uct", playouts=300), Budget(nodes=100)).search()
    assert found[True].move == "g5g6"
    assert found[True].tree_hash != found[False].tree_hash


def test_a_real_game_that_ends_in_a_stalemate_is_a_draw_whatever_a_search_thinks():
    position = position_after("g6f7", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", stalemates=True)
    assert (position.score(), position.points) == ("draw by stalemate", 1)


def test_the_evaluation_sees_no_mate_that_a_playout_has_led_to_if_asked():
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    for blind, begun, worth in (
        (False, False, 1400), (False, True, 1400), (True, False, 1400), (True, True, 200),
    ):  # fmt: skip
        state = at(fen, blind=blind)
        if begun:
            GAME.begin(state)
        play(state, "a1a8")
        assert GAME.evaluate(state) == worth
    state = at(fen, blind=True)  # a mate that is a leaf of the tree
    play(state, "a1a8")
    GAME.begin(state)
    assert GAME.evaluate(state) == 1400


def test_two_bare_kings_are_always_a_draw():
    state = at("7k/8/8/8/8/8/8/4K3 w - - 0 1")
    assert listed_moves(state) == []
    assert outcome(state) == 1


# --- texts


def test_moves_are_written_as_uci_does_and_read_back():
    assert GAME.text(GAME.find("e2e4")) == "e2e4"
    for state, _ in random_game(3):
        for move in listed_moves(state):
            assert move_of(GAME, GAME.text(move)) == move_of(GAME, GAME.text(move).upper()) == move
    for text in ("", "e2", "e2e9", "i2e4", "e7e8k", "e2e4qq", "0000", "e4", "pass"):
        assert move_of(GAME, text) is None


def test_algebraic_notation_is_what_python_chess_writes():
    for fen in (KIWIPETE, PERFT["position 4"][0], PERFT["position 5"][0], PETROVIC):
        for seed in range(2):
            for (state, board), _ in zip(random_game(seed, fen), range(30), strict=False):
                for move in listed_moves(state)[::3]:
                    san = board.san(oracle.Move.from_uci(GAME.text(move)))
                    assert GAME.san(state, move) == san
                    assert GAME.read(state, san) == move
    state = at("6k1/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert GAME.text(GAME.read(state, "0-0-0")) == "e1c1"
    assert GAME.text(GAME.read(state, "a8Q+!")) == "a7a8q"
    assert GAME.text(GAME.read(state, "e1g1")) == "e1g1"
    assert GAME.read(state, "Nf3") is None


def test_the_board_is_drawn_with_whites_pieces_in_capitals_and_below():
    assert GAME.show(new_state(GAME)).splitlines() == [
        "  a b c d e f g h",
        "8 r n b q k b n r",
        "7 p p p p p p p p",
        "6 . . . . . . . .",
        "5 . . . . . . . .",
        "4 . . . . . . . .",
        "3 . . . . . . . .",
        "2 P P P P P P P P",
        "1 R N B Q K B N R",
        "  a b c d e f g h",
    ]


def test_fen_goes_in_and_out():
    for fen in (chess.START, *(fen for fen, _ in PERFT.values()), PETROVIC):
        assert load("chess", fen=fen).fen_of(at(fen)) == fen
    game = load("chess", fen="4k3/8/8/8/8/8/8/4K2R b K -")
    assert game.fen_of(new_state(game)) == "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    game = load("chess", fen="4k3/8/8/8/8/8/8/4K2R b K - 7 30")
    state = new_state(game)
    for text in ("e8e7", "h1h7"):
        play(state, text)
    assert game.fen_of(state) == "8/4k2R/8/8/8/8/8/4K3 b - - 9 31"


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("", "FEN has six parts"),
        (17, "FEN has six parts"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "white has 2 kings"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks of 8 squares, not 56 squares"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", r"8 ranks of 8 squares \(4K2\)"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", r"8 ranks of 8 squares \(4K4\)"),
        ("4k3/8/8/8/x7/8/8/4K3 w - - 0 1", "no piece is called x"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on the first or last rank"),
        ("4k3/pppppppp/8/8/8/8/8/1qq1K3 b - - 0 1", "black has more pieces than eight pawns"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b is to move, not x"),
        ("4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "castling K needs R on h1"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling is some of KQkq, or -, not KK"),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "castling is some of KQkq, or -, not H"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "en passant is a square of rank 6, or -, not e3"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "numbers up to 9999, not -1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "numbers up to 9999, not x"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "white is to move and could take the king"),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "white is to move and could take the king"),
    ],
)
def test_a_broken_fen_is_refused_with_what_is_wrong(fen, fault):
    with pytest.raises(BadInput, match="no position of chess: .*" + fault) as refused:
        load("chess", fen=fen)
    assert "\n" not in str(refused.value)


def test_ten_thousand_damaged_fens_are_refused_or_can_be_played():
    rand = random.Random(15)
    good = [fen for fen, _ in PERFT.values()]
    letters = "pnbrqkPNBRQK12345678/ -wabKQ0é\n"
    refused = 0
    for _ in range(10000):
        fen = list(rand.choice(good))
        for _ in range(rand.randrange(1, 5)):
            place = rand.randrange(len(fen))
            fen[place : place + rand.randrange(2)] = rand.choice(letters) * rand.randrange(3)
        try:
            game = load("chess", fen="".join(fen))
        except BadInput as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        state = new_state(game)
        board = oracle.Board(game.fen_of(state))
        assert game.fen_of(state) == board.fen()
        assert texts(state) == sorted(move.uci() for move in board.legal_moves)
    assert 2000 < refused < 9900


def test_a_state_is_small():
    assert GAME.state_bytes == 171


def test_no_move_of_a_list_comes_twice():
    for state, _ in random_game(8):
        listed = sorted(listed_moves(state))
        assert all(a != b for a, b in pairwise(listed))
