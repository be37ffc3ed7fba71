"""Matches on the page: the games of `picograve match`, with pause and step.

Oracle: match.game.play_game with players of the same seeds.
"""

import json
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from picograve import Position, load
from picograve_host.cli import main
from picograve_host.match.game import play_game
from picograve_host.play import guard
from picograve_host.play.pairing import Pairing
from picograve_host.play.room import Room
from picograve_host.play.server import Server
from picograve_host.players.factory import open_player
from starlette.testclient import TestClient
from terminal import COMMAND
from test_server import ORIGIN, TOKEN, do, hear, talk

pytestmark = pytest.mark.xdist_group("play")

SMALL = dict(search="uct", preset="uniform", bytes=20000, playouts=60)
LARGE = dict(search="grave", preset="uniform", bytes=60000, playouts=200)
SEED = 7


def pairing_of(name, resign=0):
    return Pairing(load(name), [SMALL, LARGE], SEED, None, resign)


@pytest.mark.parametrize(("name", "resign"), [("ttt3", 0), ("go5", 0), ("hex5", 0.3)])
def test_games_are_move_for_move_those_of_a_match(name, resign):
    room = Room(pairing_of(name, resign), lambda kind, data: None)
    game = load(name)
    for index in range(2):
        do(room, "new")
        datas = [SMALL, LARGE] if index == 0 else [LARGE, SMALL]
        seeds = [SEED + 2 * index, SEED + 2 * index + 1]
        players = [open_player(data, game) for data in datas]
        for player, seed in zip(players, seeds if index == 0 else seeds[::-1], strict=True):
            player.new_game(seed)
        referee = Position(game)
        play_game(players, referee, resign=resign)
        assert [move["move"] for move in room.moves] == referee.moves
        assert room.result == (referee.score() or "%s resigns" % referee.to_move)


def test_a_pool_in_a_match_says_whose_it_is():
    heard = []
    room = Room(pairing_of("ttt3"), lambda kind, data: heard.append((kind, data)))
    do(room, "new")
    owners = [data["owner"] for kind, data in heard if kind == "pool"]
    assert owners == [room.choice.game.players[move["turn"]] for move in room.moves]


@pytest.fixture
def client():
    server = Server(guard.Guard("127.0.0.1", 8000, TOKEN), {}, pairing_of("go5"))
    with TestClient(server.app, base_url=ORIGIN) as client:
        yield client


def test_a_match_begins_when_it_is_seen_and_can_be_paused_stepped_and_gone_on(client):
    with talk(client) as socket:
        assert hear(socket, "offer") == dict(match=True)
        first = hear(socket, "state")
        assert first["seats"] == []
        assert ["uct in" in first["rivals"][0], "grave in" in first["rivals"][1]] == [True, True]
        socket.send_json(dict(do="pause"))
        paused = hear(socket, "state", lambda state: state["paused"] and not state["thinking"])
        for ply in (1, 2):
            socket.send_json(dict(do="step"))
            moved = len(paused["moves"]) + ply
            hear(socket, "state", lambda state, moved=moved: len(state["moves"]) == moved)
        socket.send_json(dict(do="switch"))
        assert "two searches" in hear(socket, "error")
        with talk(client) as other:
            assert hear(other, "seat") is False
            other.send_json(dict(do="go"))
            assert "watching" in hear(other, "error")
        socket.send_json(dict(do="go"))
        hear(socket, "state", lambda state: state["result"])
        socket.send_json(dict(do="new"))
        second = hear(socket, "state", lambda state: not state["result"])
        assert "grave in" in second["rivals"][0]  # the colours alternate


def test_a_match_that_nobody_sees_ends_with_its_server():
    server = Server(guard.Guard("127.0.0.1", 8000, TOKEN), {}, pairing_of("go5"))
    with TestClient(server.app, base_url=ORIGIN):
        pass
    assert server._room.choice is None or server._room.moves == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", "x"], "no --out"),
        (["--games", "2"], "no --games"),
        (["--opponent", "gtp:gnugo"], "not other programs"),
        (["--board-bytes", "10"], "bytes"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(options, said, capsys):
    small = "match --watch --no-browser --game ttt3 --board desktop".split()
    assert main([*small, *options]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


def test_a_port_that_is_taken_is_a_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for command in ("match --watch --board desktop --game ttt3", "play --game ttt3"):
            assert main([*command.split(), "--no-browser", "--port", port]) == 2
            assert capsys.readouterr().err.count("\n") == 1


def test_the_command_serves_its_page_until_it_is_interrupted():
    command = "match --watch --no-browser --json --game ttt3 --board desktop".split()
    with subprocess.Popen([*COMMAND, *command], stdout=subprocess.PIPE, text=True) as process:
        url = json.loads(process.stdout.readline())["url"]
        with urllib.request.urlopen(url) as page:
            assert b"picograve" in page.read()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(url.rpartition("/")[0][:-1])
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
