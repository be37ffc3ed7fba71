"""Players that are other programs, and the games of the lab that everybody plays in.

Oracles: GNU Go and gtp-rhino (Debian's packages gnugo and grhino; what needs them is skipped
where they are missing) and OpenSpiel's MCTSBot. Engines that misbehave are scripts that the
tests write.
"""

import gc
import os
import shlex
import shutil
import sys
import time
from collections import namedtuple

import pytest
from game_play import new_state, playout_of
from patience import LONG, SLOWNESS
from picograve import BadInput, Budget, Config, Position, load
from picograve_host.lab.play import games
from picograve_host.lab.play.games import play_games, seed_of
from picograve_host.match.game import play_game
from picograve_host.players import engine as engines
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.engine import EngineFailed, EnginePlayer
from picograve_host.players.openspiel import OpenSpielPlayer
from picograve_host.players.thought import thought_of
from test_gtp import GNUGO_OPTIONS, OURS, needs_gnugo

pytestmark = pytest.mark.usefixtures("commands_in_c")

RHINO = shutil.which("gtp-rhino", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
RHINO_COMMAND = "gtp-rhino --level=1 --book=0"
needs_rhino = pytest.mark.skipif(not RHINO, reason="gtp-rhino is missing: Debian's package grhino")
GNUGO_COMMAND = "gnugo %s {seed}" % " ".join(GNUGO_OPTIONS[:-1])
SMALL = dict(search="grave", nodes=30, playouts=60)

# An engine that passes. Its first argument is Python that may change the answer to a command;
# it sees `name`, the command's words `words` and the further arguments `sys.argv[2:]`.
ENGINE = """\
import sys, time
for line in sys.stdin:
    words = line.split()
    name, sign, answer = words[0], "=", ""
    if name == "genmove":
        answer = "pass"
    exec(sys.argv[1])
    print(sign, answer, "\\n", flush=True)
    if name == "quit":
        break
"""


@pytest.fixture
def engine(tmp_path):
    """A function that gives the command line of an engine; `behaviour` is Python."""
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)

    def command(behaviour="pass", *arguments):
        words = [sys.executable, "-S", "-E", script, behaviour, *arguments]
        return shlex.join(map(str, words))

    return command


@pytest.fixture(autouse=True)
def _nobody_waits_long_and_no_players_are_kept(monkeypatch):
    monkeypatch.setattr(engines, "PATIENCE", LONG)
    yield
    games._player.cache_clear()


@pytest.fixture
def players():
    """A function that builds an EnginePlayer, ended with the test."""
    built = []

    def build(command, game="go5"):
        built.append(EnginePlayer(load(game), command))
        return built[-1]

    yield build
    for player in built:
        player.close()


def search_of(game):
    return DesktopPlayer(load(game), Config("grave", playouts=60), Budget(nodes=30))


def game_of(first, second, game, seed=1):
    """Play a game: the first player's half points, and the moves."""
    referee = Position(load(game))
    first.new_game(seed)
    second.new_game(seed + 1)
    points = play_game([first, second], referee)
    moves = referee.moves
    for player in (first, second):
        assert [move.upper() for move in player.moves] == [move.upper() for move in moves]
    return points, moves


# --- engines


@needs_gnugo
@pytest.mark.parametrize("engine_is_first", [True, False])
def test_gnu_go_plays_whole_games_that_depend_on_the_seed_alone(players, engine_is_first):
    gnugo, search = players(GNUGO_COMMAND), search_of("go5")
    order = (gnugo, search) if engine_is_first else (search, gnugo)
    played = game_of(*order, "go5", seed=5)
    assert len(played[1]) > 8
    game_of(*order, "go5", seed=6)
    assert game_of(*order, "go5", seed=5) == played


@needs_gnugo
def test_gnu_go_at_9x9_has_our_board_and_komi(players):
    gnugo, search = players(GNUGO_COMMAND, "go9"), search_of("go9")
    points, moves = game_of(gnugo, search, "go9")
    assert len(moves) > 30
    score = gnugo.ask("final_score")
    assert score.startswith("B" if points == 2 else "W")
    assert score.endswith(".5")


def score_of_rhino(referee):
    """The score of a game of Othello as rhino counts it: empty squares are the winner's."""
    board = referee.game.show(referee.buffers["root"])
    lead = board.count("X") - board.count("O")
    if lead == 0:
        return "0"
    empties = 64 - board.count("X") - board.count("O")
    return "%s+%d" % ("B" if lead > 0 else "W", abs(lead) + empties)


@needs_rhino
def test_rhino_plays_othello_to_the_end_and_is_never_told_to_pass(players, monkeypatch):
    rhino = players(RHINO_COMMAND, "othello")
    search = DesktopPlayer(load("othello"), Config("uct", playouts=20), Budget(nodes=20))
    told = []
    ask = rhino.ask
    monkeypatch.setattr(rhino, "ask", lambda command: told.append(command) or ask(command))
    referee = Position(load("othello"))
    passes = 0
    for seed in range(6):
        for order in ((search, rhino), (rhino, search)):
            _, moves = game_of(*order, "othello", seed)
            passes += moves.count("pass")
            referee.set_position(moves)
            assert ask("final_score") == score_of_rhino(referee)
    assert passes > 0
    assert not [command for command in told if "pass" in command or "komi" in command]


@needs_rhino
def test_rhino_follows_random_games_of_othello_with_passes_of_both(players):
    rhino = players(RHINO_COMMAND, "othello")
    game = load("othello")
    referee = Position(game)
    passes = set()
    for seed in range(20):
        rhino.new_game(seed)
        for ply, move in enumerate(playout_of(game, new_state(game), seed)):
            rhino.play(game.text(move))
            if game.text(move) == "pass":
                passes.add(ply % 2)
        referee.set_position(rhino.moves)
        assert referee.is_over
        assert rhino.ask("final_score") == score_of_rhino(referee)
    assert passes == {0, 1}


@needs_rhino
def test_rhinos_answers_to_a_first_move_are_always_the_same(players):
    search = DesktopPlayer(load("othello"), Config("uct", playouts=20), Budget(nodes=20))
    games = [game_of(search, players(RHINO_COMMAND, "othello"), "othello") for _ in range(2)]
    assert games[0] == games[1]


def test_an_engine_is_neither_told_of_forced_passes_nor_asked_for_them(players, engine, tmp_path):
    log = tmp_path / "log"
    player = players(engine("open(%r, 'a').write(line); answer = 'e3'" % str(log)), "othello")
    player.new_game(1)
    for move in "D3 C3 B3 B2 F5 A3 A1 C1".split():  # black cannot place a disc now
        player.play(move)
    assert player.search().move == "pass"
    player.play("pass")
    assert player.search().move == "E3"
    player.play("E3")
    player.close()
    assert log.read_text().splitlines() == [
        "boardsize 8", "clear_board", "play black D3", "play white C3", "play black B3",
        "play white B2", "play black F5", "play white A3", "play black A1", "play white C1",
        "genmove white", "quit",
    ]  # fmt: skip


def test_an_engine_for_hex_hears_and_says_swap_pieces(engine, tmp_path):
    log = tmp_path / "log"
    answers = "open(%r, 'a').write(line); answer = 'swap-pieces' if 'white' in line else 'f6'"
    player = EnginePlayer(load("hex11", swap=True), engine(answers % str(log)))
    player.new_game(1)
    player.play("C2")
    assert player.search().move == "swap"
    player.play("swap")
    assert player.search().move == "F6"
    player.new_game(2)
    player.play("C2")
    player.play("swap")
    player.close()
    assert log.read_text().splitlines() == [
        "boardsize 11", "clear_board", "play black C2", "genmove white", "genmove black",
        "boardsize 11", "clear_board", "play black C2", "play white swap-pieces", "quit",
    ]  # fmt: skip


@pytest.mark.parametrize("game", ["ttt3", "hex5", "othello"])
def test_our_own_engine_is_an_engine(players, game):
    command = [*OURS, "--game", game, "--search", "uct", "--playouts", "20", "--seed", "{seed}"]
    played = [game_of(players(shlex.join(command), game), search_of(game), game)]
    ours = DesktopPlayer(load(game), Config("uct", "strong", playouts=20), Budget())
    assert game_of(ours, search_of(game), game) == played[0]


def test_an_engine_is_told_size_komi_and_every_move_but_its_own(players, engine, tmp_path):
    log = tmp_path / "log"
    behaviour = (
        "open(%r, 'a').write(line); count = globals().get('count', 0) + (name == 'genmove'); "
        "answer = answer and 'pass c3 b2'.split()[count]" % str(log)
    )
    player = EnginePlayer(load("go5", komi=2.5), engine(behaviour))
    player.new_game(1)
    assert player.search().move == "C3"
    player.play("C3")
    player.play("pass")
    player.search()
    player.play("D4")  # not what it answered
    player.close()
    assert log.read_text().splitlines() == [
        "boardsize 5", "clear_board", "komi 2.5", "genmove black", "play white pass",
        "genmove black", "play black D4", "quit",
    ]  # fmt: skip


def test_seed_and_size_are_filled_into_the_command_and_nothing_else(players, engine):
    player = players(engine("answer = ' '.join(sys.argv[2:])", "{seed}", "{size}", "{x}"))
    player.new_game(17)
    assert player.ask("name") == "17 5 {x}"


def test_an_engine_starts_again_for_a_seed_and_only_then(players, engine):
    seeded, plain = players(engine("", "{seed}")), players(engine(""))
    for player, same in ((seeded, False), (plain, True)):
        player.new_game(1)
        process = player.process
        player.new_game(2)
        assert (player.process is process) == same
        assert (process.poll() is None) == same


def test_lines_before_an_answer_and_odd_bytes_are_passed_over(players, engine):
    noise = "sys.stdout.flush(); sys.stdout.buffer.write(b'\\n hm \\xff\\n\\n')"
    player = players(engine(noise))
    player.new_game(1)
    assert player.search().move == "pass"


@pytest.mark.parametrize(
    "behaviour,hint",
    [
        ("if name == 'genmove': sys.exit()", "ended at `genmove white`"),
        ("if name == 'genmove': sign, answer = '?', 'no idea'", "`genmove white` with [?] no idea"),
        ("if name == 'play': sign, answer = '?', 'illegal move'", "`play black .*illegal move"),
        ("if name == 'genmove': time.sleep(6000)", "not answered `genmove white`"),
        ("if name == 'genmove': print('= C3', flush=True); time.sleep(6000)", "not answered"),
        ("while name == 'genmove': time.sleep(0.01); print('hm', flush=True)", "not answered"),
        ("if name == 'komi': sys.exit()", "ended at `komi 7.5`"),
    ],
)
def test_an_engine_that_does_not_play_on_is_a_failure(
    players, engine, monkeypatch, behaviour, hint
):
    monkeypatch.setattr(engines, "QUIT_PATIENCE", 0.1)
    player = players(engine(behaviour))
    search = search_of("go5")
    if "sleep" in behaviour:
        player.new_game(1)  # starts it, which takes its time
        monkeypatch.setattr(engines, "PATIENCE", 0.5 * SLOWNESS)
    with pytest.raises(EngineFailed, match=hint):
        game_of(search, player, "go5")
    process = player.process
    player.close()
    assert process.poll() is not None


@pytest.mark.parametrize(
    "flood",
    [
        "sys.stdout.write('=' + 'x' * 10**6)",  # no end of a line
        "sys.stdout.write('= x\\n')",  # no end of an answer
        "sys.stdout.write('= x\\n\\n')",  # answers that nobody asked for
    ],
)
def test_an_engine_that_never_stops_talking_is_a_failure_and_takes_no_memory(
    players, engine, monkeypatch, flood
):
    monkeypatch.setattr(engines, "QUIT_PATIENCE", 0.1)
    monkeypatch.setattr(engines, "MOST_ANSWERS", 100)
    player = players(engine("while name == 'genmove': " + flood))
    player.new_game(1)
    player.tell("genmove black")
    player.tell("genmove white")
    with pytest.raises(EngineFailed, match="more than anybody wants to hear"):
        while player.hear("genmove"):
            time.sleep(0.001)


def test_what_an_engine_says_cannot_steer_a_terminal(players, engine):
    player = players(
        engine("sign, answer = ('?', '\\x1b[2J\\x07') if name == 'komi' else ('=', '')")
    )
    with pytest.raises(EngineFailed) as failed:
        player.new_game(1)
    assert str(failed.value).isprintable() and str(failed.value).endswith("? ?[2J?")


def test_a_file_that_is_no_program_is_a_failure(players, tmp_path):
    file = tmp_path / "engine"
    file.write_bytes(b"\x7fELF no program")
    file.chmod(0o755)
    with pytest.raises(EngineFailed, match="cannot be started"):
        players(str(file)).new_game(1)


@pytest.mark.parametrize("answer", ["resign", "RESIGN"])
def test_an_engine_that_resigns_loses(players, engine, answer):
    player = players(engine("answer = answer and %r" % answer))
    search = search_of("go5")
    referee = Position(load("go5"))
    for order, points in (((player, search), 0), ((search, player), 2)):
        for seat in order:
            seat.new_game(1)
        assert play_game(order, referee) == points
        assert not referee.is_over


@pytest.mark.parametrize("answer", ["E5", "Z99", "", "two words"])
def test_an_engine_cannot_play_what_the_referee_does_not_allow(players, engine, answer):
    player = players(engine("answer = answer and %r" % answer))
    referee = Position(load("go5"))
    player.new_game(1)
    with pytest.raises((EngineFailed, BadInput)):
        play_game([player, player], referee)  # E5 twice


@pytest.mark.parametrize(
    "command,hint",
    [
        ("no-such-engine --mode gtp", "no program no-such-engine here"),
        ("", "no program"),
        ("gnugo 'open", "quotation"),
    ],
)
def test_an_engine_that_cannot_be_is_refused_in_one_line(monkeypatch, command, hint):
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    with pytest.raises(BadInput, match=hint) as refusal:
        EnginePlayer(load("go5"), command)
    assert "\n" not in str(refusal.value)
    del refusal
    gc.collect()
    assert complaints == []


@pytest.mark.parametrize(
    "behaviour", ["", "if name == 'quit': sys.exit(1)", "if name == 'quit': time.sleep(6000)"]
)
def test_no_engine_is_left_behind(players, engine, monkeypatch, behaviour):
    monkeypatch.setattr(engines, "QUIT_PATIENCE", 0.2)
    player = players(engine(behaviour))
    player.new_game(1)
    process = player.process
    player.close()
    assert process.poll() is not None
    player.close()  # twice is no harm


def test_an_engine_ends_with_its_player(engine):
    player = EnginePlayer(load("go5"), engine())
    player.new_game(1)
    process = player.process
    del player
    gc.collect()
    assert process.poll() is not None


# --- OpenSpiel


@pytest.mark.parametrize("game", ["go5", "ttt3", "ttt5", "hex5", "othello"])
def test_openspiel_plays_whole_games_that_depend_on_the_seed_alone(game):
    pytest.importorskip("pyspiel")
    theirs, ours = OpenSpielPlayer(load(game), 30), search_of(game)
    played = [game_of(theirs, ours, game, seed) for seed in (1, 2)]
    assert played[0] != played[1]
    assert game_of(theirs, ours, game, 1) == played[0]
    other_way = game_of(ours, theirs, game, 1)
    assert game_of(ours, theirs, game, 1) == other_way


def test_openspiel_repeats_no_position():
    pytest.importorskip("pyspiel")
    player = OpenSpielPlayer(load("go5"), 30)
    player.new_game(1)
    for move in "E4 D3 C5 C4 A2 B1 B2 C2 C3 D1 B3 A1 C1".split():  # white's B1 would repeat
        player.play(move)
    actions = {text: action for action, text in player.texts.items()}
    Node = namedtuple("Node", ("action", "explore_count", "total_reward"))

    class Bot:
        """Likes B1 best, then A5."""

        def mcts_search(self, state):
            self.children = [
                Node(actions[move], visits, 0.0)
                for move, visits in (("pass", 3), ("B1", 20), ("A5", 7))
            ]
            return self

    player.bot = Bot()
    assert player.search().move == "A5"


def test_openspiel_swaps_as_we_do():
    pytest.importorskip("pyspiel")
    player = OpenSpielPlayer(load("hex5", swap=True), 30)
    player.new_game(1)
    player.play("D1")
    player.play("swap")
    assert "o" in str(player.state).splitlines()[3]  # D1 mirrored is A4
    assert player.texts.keys() == set(range(26))
    assert player.search().move != "A4"


def test_openspiel_gets_our_komi_and_length_of_games():
    pytest.importorskip("pyspiel")
    parameters = OpenSpielPlayer(load("go7", komi=2.5), 30).theirs.get_parameters()
    assert parameters == dict(board_size=7, komi=2.5, max_game_length=147, handicap=0)


def test_openspiels_player_refuses_what_it_does_not_know(monkeypatch):
    pytest.importorskip("pyspiel")
    with pytest.raises(BadInput, match="does not know chess8"):
        OpenSpielPlayer(namedtuple("Game", "name file")("chess8", None), 30)
    with pytest.raises(BadInput, match="2 simulations or more, not 1"):
        OpenSpielPlayer(load("ttt3"), 1)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadInput, match="OpenSpiel is missing: pip install"):
        OpenSpielPlayer(load("ttt3"), 30)


# --- resigning


class Fixed:
    """A player that fills the board from A1 on and always has the same opinion."""

    def __init__(self, *values):
        self.values = values

    def new_game(self, seed):
        self.moves, self.searches = [], 0

    def play(self, move):
        self.moves.append(move)

    def search(self, seconds=None, watch=None):
        row, column = divmod(len(self.moves), 5)
        value = self.values[self.searches % len(self.values)]
        self.searches += 1
        return thought_of(
            move="ABCDE"[column] + str(row + 1), points=value, weight=1, scale=1, microseconds=0
        )


@pytest.mark.parametrize(
    "first,second,points,length",
    [
        ([0.0], [1.0], 0, 4),  # the first gives up at its third search
        ([1.0], [0.0], 2, 3),  # the second at its second
        ([0.01], [0.99], 0, 4),
        ([0.02], [1.0], None, None),
        ([0.0], [0.98], None, None),
        ([0.0], [0.5], None, None),
        ([0.5], [0.0], None, None),
        ([0.0], [0.0], None, None),
        ([0.0, 0.5], [1.0], None, None),  # never twice running
        ([0.0], [1.0, 0.5], None, None),
        ([0.5, 0.5, 0.0, 0.0], [1.0], 0, 6),
    ],
)
def test_a_player_gives_up_where_both_agree_twice(first, second, points, length):
    players = [Fixed(*first), Fixed(*second)]
    referee = Position(load("ttt5"))
    for player in players:
        player.new_game(1)
    to_the_end = play_game(players, referee)
    full_length = len(referee.moves)
    assert referee.is_over
    for player in players:
        player.new_game(1)
    answer = play_game(players, referee, resign=0.01)
    expected = (to_the_end, full_length) if points is None else (points, length)
    assert (answer, len(referee.moves)) == expected


# --- the games of the lab


def match_of(player=SMALL, opponent=SMALL, game="ttt3", **settings):
    return dict(game=dict(name=game), player=player, opponent=opponent, seed=1, **settings)


def without_seconds(records):
    return [
        {key: value for key, value in record.items() if not key.endswith("seconds")}
        for record in records
    ]


MATCHES = [
    match_of(dict(SMALL, search="graver2", nodes=20), game="go5", resign=0.01),
    match_of(dict(SMALL, playout_policy="uniform"), dict(search="uct", nodes=20, playouts=50)),
    match_of(game="ttt5"),
]


@pytest.mark.parametrize("match", MATCHES)
def test_a_game_depends_on_its_match_and_number_alone(match):
    records = without_seconds(play_games(match, range(4)))
    assert [record["number"] for record in records] == [0, 1, 2, 3]
    assert len({record["moves"] for record in records}) == 4
    for other in MATCHES:
        play_games(other, [7])
    assert without_seconds(play_games(match, [2, 0, 3, 1])) == [
        records[number] for number in (2, 0, 3, 1)
    ]
    games._player.cache_clear()
    games._referee.cache_clear()
    assert without_seconds(play_games(match, [3])) == records[3:]


def test_openspiels_games_depend_on_their_match_and_number_alone():
    pytest.importorskip("pyspiel")
    match = match_of(dict(openspiel=30), game="go5")
    records = without_seconds(play_games(match, range(3)))
    assert all("error" not in record for record in records)
    assert without_seconds(play_games(match, [2, 1])) == [records[2], records[1]]


def test_a_record_tells_the_game():
    match = match_of(dict(SMALL, playouts=40), game="go5")
    (record,) = play_games(match, [1])
    referee = Position(load("go5"))
    referee.set_position(record["moves"].split())
    assert referee.is_over
    assert record["result"] == referee.game.score(referee.buffers["root"])
    assert record["half_points"] == (2 if record["result"].startswith("W") else 0)
    moves = len(record["moves"].split())
    assert len(record["values"].split()) == moves
    assert record["opponent_moves"] == (moves + 1) // 2  # it was first
    assert record["player_playouts"] == 40 * (moves // 2)
    assert record["opponent_playouts"] == 60 * ((moves + 1) // 2)
    assert 0 < record["player_nodes_used"] <= 30


def test_a_pair_of_games_has_the_same_seeds_and_the_colours_changed(monkeypatch):
    seen = []

    def first_wins(players, referee, **_):
        seen.append([(player.searcher.config.search, player.seed) for player in players])
        referee.new_game()
        return 2

    monkeypatch.setattr(games, "play_game", first_wins)
    match = match_of(dict(SMALL, search="uct"))
    records = play_games(match, range(4))
    assert [record["half_points"] for record in records] == [2, 0, 2, 0]
    assert [seats[0][0] for seats in seen] == ["uct", "grave", "uct", "grave"]
    assert seen[1] == seen[0][::-1]
    assert seen[3] == seen[2][::-1]
    assert len({seed for seats in seen for _, seed in seats}) == 4


def test_seeds_differ_by_match_pair_and_seat():
    seeds = {
        seed_of(match, number, seat)
        for match in (*MATCHES, dict(MATCHES[0], seed=2))
        for number in range(0, 20, 2)
        for seat in games.SEATS
    }
    assert len(seeds) == 80
    assert seed_of(MATCHES[0], 6, "player") == seed_of(MATCHES[0], 7, "player")


def test_a_game_that_is_given_up_is_recorded_with_its_winner():
    match = match_of(
        dict(search="grave", nodes=300, playouts=300),
        dict(search="grave", nodes=2, playouts=2),
        game="go5",
        resign=0.05,
    )
    records = play_games(match, range(6))
    resigned = [record for record in records if record["result"] == "resigned"]
    assert resigned
    for record in resigned:
        mover = len(record["moves"].split()) % 2  # who gives up: 0 is the first
        loser = games.SEATS[(mover + record["number"]) % 2]
        assert record["half_points"] == (0 if loser == "player" else 2)
    del match["resign"]
    full = play_games(match, range(6))
    assert all(record["result"] != "resigned" for record in full)


def test_a_game_that_fails_is_recorded_and_the_next_is_played(engine, tmp_path):
    bad = tmp_path / "bad"
    dies = "if sys.argv[2] in open(sys.argv[3]).read().split() and name == 'genmove': sys.exit()"
    match = match_of(dict(gtp=engine(dies, "{seed}", bad)), game="go5")
    bad.write_text("%d %d" % (seed_of(match, 0, "player"), seed_of(match, 4, "player")))
    records = play_games(match, [0, 2, 3, 4, 6])
    assert [record["number"] for record in records if "error" in record] == [0, 4]
    assert records[0].keys() == {"number", "error"}
    assert records[0]["error"].startswith("EngineFailed: ")
    assert records[0]["error"].endswith("ended at `genmove black`")
    assert [record["half_points"] for record in records if "error" not in record] == [0, 0, 0]


def test_an_engine_that_resigns_in_the_lab_loses(engine):
    match = match_of(dict(gtp=engine("answer = answer and 'resign'")), game="go5")
    records = play_games(match, range(2))
    assert [record["half_points"] for record in records] == [0, 0]
    assert [record["result"] for record in records] == ["resigned"] * 2
    assert [len(record["moves"].split()) for record in records] == [0, 1]


def test_a_missing_engine_fails_its_games_alone():
    records = play_games(match_of(dict(gtp="no-such-engine"), game="go5"), [0])
    assert records[0]["error"].startswith("BadInput: no program no-such-engine here")
    assert "error" not in play_games(match_of(), [0])[0]
