"""The page's server: games move for move as a Searcher plays them, and clients that mean harm.

Oracles: a Searcher with the same seed, python-chess for PGN.
"""

import asyncio
import contextlib
import io
import json
import random

import chess.pgn
import pytest
import sgfmill.sgf
from hostile_clients import fuzzed
from picograve import BadInput, Budget, Config, Position, load, open_search
from picograve_host.play import guard
from picograve_host.play.choices import Choices
from picograve_host.play.files import write
from picograve_host.play.room import Room
from picograve_host.play.server import Page, Server, _message
from picograve_host.play.shapes import grid_of, shape_of
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

pytestmark = pytest.mark.xdist_group("play")

HOST = "127.0.0.1:8000"
ORIGIN = "http://" + HOST
TOKEN = "token"
SMALL = dict(game="ttt3", preset="uniform", bytes=20000, playouts=60)


@pytest.fixture(scope="module")
def client():
    """A server with a game of tic-tac-toe."""
    server = Server(guard.Guard("127.0.0.1", 8000, TOKEN), SMALL)
    with TestClient(server.app, base_url=ORIGIN) as client:
        yield client


def talk(client, token=TOKEN, origin=ORIGIN, host=HOST):
    headers = dict(origin=origin) if origin else {}
    return client.websocket_connect("/%s/ws" % token, headers=dict(headers, host=host))


def hear(socket, kind, such=lambda data: True):
    """The next message of a kind, such as is asked for."""
    while True:
        message = socket.receive_json()
        if kind in message and such(message[kind]):
            return message[kind]


def room_with(**wish):
    """A room with a game under way, and all it publishes."""
    heard = []
    choices = Choices("ttt3")
    choices.find_all()
    room = Room(choices, lambda kind, data: heard.append((kind, data)))
    do(room, "new", **wish)
    return room, heard


def do(room, do, **message):
    room.announce(do)
    room.handle(dict(message, do=do))


GAMES = [
    ("ttt3", "graver", dict(playouts=60)),
    ("go5", "graver2", dict()),
    ("hex5", "graver", dict(playouts=60)),
    ("othello", "uctr", dict(playouts=30)),
    ("chess", "policy", dict()),
    ("cotg4", "uct", dict(playouts=20)),
]


@pytest.mark.parametrize(("name", "search", "sizes"), GAMES)
def test_a_game_to_its_end_is_move_for_move_that_of_a_searcher(name, search, sizes):
    given = dict(search=search, preset="uniform", **sizes)
    room, heard = room_with(game=name, seed=5, bytes=60000, side="first", **given)
    game = load(name)
    config, budget = Config(**given), Budget(bytes=60000)
    oracle = open_search(game, config, budget, 5)
    chance = random.Random(7)
    while not oracle.is_over and len(oracle.history) < 60:
        if oracle.turn == 0:
            move = chance.choice(oracle.legal_moves())
            do(room, "play", move=move)
        else:
            move = oracle.search().move
            assert room.moves[len(oracle.history)]["move"] == move
        oracle.play(move)
    assert [move["move"] for move in room.moves][: len(oracle.history)] == oracle.moves
    assert room.result == oracle.score()
    assert not [data for kind, data in heard if kind == "error"]


def test_undo_hint_switch_and_resign():
    room, heard = room_with(**SMALL)
    do(room, "play", move="B2")
    assert len(room.moves) == 2
    do(room, "hint")
    assert dict(heard)["hint"]["move"] in room.referee.legal_moves()
    do(room, "undo")
    assert room.moves == []
    assert room.player.moves == []
    do(room, "switch")
    assert len(room.moves) == 1
    do(room, "resign")
    assert room.result == "O resigns"


def test_a_hint_does_not_change_what_the_opponent_plays():
    plain, _ = room_with(**SMALL)
    helped, _ = room_with(**SMALL)
    do(helped, "hint")
    for room in (plain, helped):
        do(room, "play", move="B2")
    assert plain.moves[1]["thought"]["tree_hash"] == helped.moves[1]["thought"]["tree_hash"]


def test_a_hint_after_a_stop_is_as_well_thought_as_before_it():
    hints = []
    for before in ([], ["stop"]):
        room, heard = room_with(**{**SMALL, "playouts": 5000})
        for act in (*before, "hint"):
            do(room, act)
        hints.append(dict(heard)["hint"])
    assert hints[0] == hints[1]


def test_a_hint_that_takes_long_says_so_and_can_be_stopped():
    heard = []

    def hear_and_stop(kind, data):
        heard.append((kind, data))
        if kind == "state" and data["thinking"]:
            room.announce("stop")

    choices = Choices("ttt3")
    room = Room(choices, hear_and_stop)
    do(room, "new", game="ttt3", preset="uniform", bytes=20000, playouts=10**7)
    heard.clear()
    do(room, "hint")
    assert [kind for kind, _ in heard] == ["note", "state", "note", "hint", "state"]
    assert "hint" in heard[0][1] and heard[2][1] == ""
    assert room.moves == []


def test_a_search_ends_at_once_when_the_game_changes():
    room, _ = room_with(game="go9", preset="uniform", bytes=60000, playouts=10**7)
    room.announce("play")
    room.announce("undo")  # comes while it would think
    room.handle(dict(do="play", move="E5"))
    assert len(room.moves) == 1
    room.handle(dict(do="undo"))
    assert room.moves == []


def test_a_click_that_was_meant_for_another_position_plays_nothing():
    room, heard = room_with(**SMALL)
    game = room.state()["number"]
    do(room, "play", move="B2", at=[game, 0])
    do(room, "play", move=room.referee.legal_moves()[0], at=[game, 0])  # a second, hasty click
    assert len(room.moves) == 2
    do(room, "new", **SMALL)
    do(room, "play", move="B2", at=[game, 0])
    assert room.moves == []
    assert "changed" in dict(heard)["error"]


def test_a_click_on_the_first_game_counts_as_soon_as_it_is_shown():
    server = Server(guard.Guard("127.0.0.1", 8000, TOKEN), SMALL)
    with TestClient(server.app, base_url=ORIGIN) as client, talk(client) as socket:
        hear(socket, "state", lambda state: state and not state["thinking"])
        socket.send_json(dict(do="play", move="B2"))
        assert hear(socket, "state", lambda state: len(state["moves"]) == 2)


def test_other_games_are_offered_before_a_search_makes_the_first_move():
    server = Server(guard.Guard("127.0.0.1", 8000, TOKEN), dict(SMALL, side="second"))
    with TestClient(server.app, base_url=ORIGIN) as client, talk(client) as socket:
        kinds = []
        while True:
            (message,) = socket.receive_json().items()
            kinds.append(message[0])
            if message[0] == "state" and message[1]["moves"]:
                break
    assert "offer" in kinds


def test_a_slow_page_gets_the_latest_of_each_kind_in_the_order_it_was_said():
    sent = []

    class Socket:
        async def send_text(self, text):
            sent.append(json.loads(text))

    async def read_late():
        page = Page(Socket())
        for kind, data in (("state", 1), ("live", 2), ("state", 3)):
            page.put(kind, data)
        sending = asyncio.create_task(page.send_all())
        while len(sent) < 2:
            await asyncio.sleep(0)
        sending.cancel()

    asyncio.run(read_late())
    assert sent == [{"live": 2}, {"state": 3}]


def test_who_is_out_of_time_loses():
    room, _ = room_with(minutes=0.1, **SMALL)
    room._used[0] = 6.0
    do(room, "flag")
    assert room.result == "X is out of time"


def test_a_page_is_not_offered_files_programs_or_memory_without_end():
    room, heard = room_with(**SMALL)
    bad = [dict(game="nim.py"), dict(game="../x.py"), dict(opponent="/dev/null"), dict(bytes=2**40)]
    bad += [dict(search="gtp:sh"), dict(playouts=True), dict(seed="1"), dict(preset=["x"])]
    bad += [dict(komi="1"), dict(seconds=float("nan"))]
    for wish in bad:
        heard.clear()
        do(room, "new", **{**SMALL, **wish})
        assert "error" in dict(heard), wish


def test_a_search_too_large_for_its_board_leaves_the_game_as_it_is():
    room, heard = room_with(**SMALL)
    do(room, "play", move="B2")
    do(room, "new", game="go9", opponent="sim", search="graver2", preset="uniform", bytes=150000)
    assert "fewer" in dict(heard)["error"]
    assert len(room.moves) == 2


def test_shapes_are_found_from_what_a_game_shows():
    found = {name: shape_of(load(name)) for name in "go5 hex5 othello ttt3 chess cotg4".split()}
    assert list(found.values()) == "points hexagons cells cells pieces words".split()
    assert grid_of(str(Position(load("hex3")))).rows == [1, 2, 3]


def test_a_page_gets_the_game_and_plays(client):
    with talk(client) as socket:
        assert hear(socket, "seat") is True
        hear(socket, "offer")
        socket.send_json(dict(SMALL, do="new"))
        hear(socket, "state", lambda state: state["moves"] == [])
        socket.send_json(dict(do="play", move="B2"))
        state = hear(socket, "state", lambda state: len(state["moves"]) == 2)
        assert state["picture"]["cells"][1][1] == "X"
        with talk(client) as other:
            assert hear(other, "seat") is False
            other.send_json(dict(do="play", move="A1"))
            assert "watching" in hear(other, "error")
            other.send_json(dict(do="look", ply=0))
            assert hear(other, "look")["ply"] == 0


def test_the_next_page_gets_the_seat_when_the_first_one_goes(client):
    with contextlib.ExitStack() as going:
        first = going.enter_context(talk(client))
        assert hear(first, "seat", bool)
        with talk(client) as other:
            assert hear(other, "seat") is False
            going.close()
            assert hear(other, "seat") is True


@pytest.mark.parametrize(
    "wrong",
    [
        dict(token="guess"),
        dict(origin=None),
        dict(origin="http://evil.example"),
        dict(origin="null"),
        dict(origin="http://evil.example:8000", host="evil.example:8000"),
        dict(origin="http://127.0.0.1:9", host="127.0.0.1:9"),
    ],
)
def test_other_pages_are_refused(client, wrong):
    with pytest.raises(WebSocketDisconnect), talk(client, **wrong):
        pass


def test_files_need_the_token_and_stay_in_their_folder(client):
    assert client.get("/token/").status_code == 200
    assert client.get("/token/main.js").headers["content-type"].startswith("text/javascript")
    for path in ("/", "/x/", "/token/../room.py", "/token/%2e%2e/room.py", "/token/__init__.py"):
        assert client.get(path).status_code == 404
    assert client.get("/token/", headers=dict(host="evil.example:8000")).status_code == 404
    assert "default-src 'none'" in client.get("/token/").headers["content-security-policy"]


def test_thousands_of_fuzzed_messages_break_nothing():
    room, heard = room_with(**SMALL)
    chance = random.Random(11)
    for _ in range(3000):
        message = _message(fuzzed(chance))
        act = message.get("do")
        if act in ("look", "record"):
            with contextlib.suppress(BadInput):
                room.answer(message)
        elif isinstance(act, str):
            room.announce(act)
            room.handle(message)
        if len(heard) > 100:
            heard.clear()
    do(room, "new", **SMALL)
    do(room, "play", move="A1")
    assert len(room.moves) == 2


def test_who_sends_too_much_is_cut_and_others_are_served(client):
    for flood in (["x" * (guard.MOST_BYTES + 1)], ["{}"] * (3 * guard.BURST)):
        with talk(client) as socket, pytest.raises(WebSocketDisconnect):
            for text in flood:
                socket.send_text(text)
            while True:
                socket.receive_json()
    with talk(client) as socket:
        assert hear(socket, "seat") is True


def test_more_pages_than_allowed_are_refused(client):
    with contextlib.ExitStack() as stack:
        for _ in range(guard.MOST_PAGES):
            stack.enter_context(talk(client))
        with pytest.raises(WebSocketDisconnect), talk(client):
            pass


def test_chess_is_saved_as_pgn_that_others_read():
    game = load("chess")
    position, chance, moves = Position(game), random.Random(4), []
    while not position.is_over and len(moves) < 120:
        move = chance.choice(position.legal_moves())
        moves.append(dict(move=move, turn=position.turn, thought=None))
        position.play(move)
    text = write("pgn", game, ["you", 'a "board"'], moves, "white resigns")
    read = chess.pgn.read_game(io.StringIO(text))
    assert not read.errors
    assert [move.uci() for move in read.mainline_moves()] == [move["move"] for move in moves]
    assert read.headers["Result"] == "0-1"


def test_go_is_saved_as_sgf_that_others_read():
    room, _ = room_with(game="go5", preset="uniform", bytes=60000, playouts=50)
    do(room, "play", move="C3")
    do(room, "resign")
    record = sgfmill.sgf.Sgf_game.from_string(
        write("sgf", room.choice.game, ["you", "it"], room.moves, room.result)
    )
    assert record.get_winner() == "w"
    assert len(record.get_main_sequence()) == 3
