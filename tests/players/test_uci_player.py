"""Chess programs that speak UCI as players: a scripted one, and Debian's stockfish where it is."""

import shutil
import sys

import pytest
from picograve import BadInput, Position, load
from picograve_host.match.game import play_game
from picograve_host.players import uci
from picograve_host.players.engine import EngineFailed
from picograve_host.players.factory import open_player
from picograve_host.players.uci import UciPlayer, parts_of

# Plays its answers one after the other and writes what it hears to a file.
SCRIPT = """
import sys
answers = iter(%r)
with open(%r, "a") as log:
    for line in map(str.strip, sys.stdin):
        print(line, file=log, flush=True)
        if line == "uci":
            print("id name toy\\noption name Level type spin\\nuciok", flush=True)
        elif line == "isready":
            print("readyok", flush=True)
        elif line.startswith("go"):
            print("info depth 1\\nbestmove", next(answers), flush=True)
        elif line == "quit":
            break
"""


@pytest.fixture
def toy(tmp_path):
    """A function: a player that answers so, and a function that tells what it has heard."""
    players = []

    def make(*answers, more="", game=None):
        log = tmp_path / "heard.txt"
        script = tmp_path / "toy.py"
        script.write_text(SCRIPT % (answers, str(log)))
        player = UciPlayer(game or load("chess"), "%s %s%s" % (sys.executable, script, more))
        players.append(player)
        player.new_game(7)
        return player, lambda: log.read_text().splitlines()

    yield make
    for player in players:
        player.close()


def test_is_told_the_game_its_options_and_how_long_to_think(toy):
    player, heard = toy("e7e5 ponder g1f3", more="; Level = 3; go nodes 5")
    player.play("e2e4")
    assert player.search().move == "e7e5"
    assert heard() == [
        "uci", "setoption name Level value 3", "ucinewgame", "isready",
        "position startpos moves e2e4", "go nodes 5",
    ]  # fmt: skip
    assert player.where == sys.executable


def test_begins_where_the_game_does(toy):
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    player, heard = toy("e2e4", game=load("chess", fen=fen))
    assert player.search().move == "e2e4"
    assert "position fen %s moves" % fen in heard()
    assert heard()[-1] == uci.USUAL


def test_a_new_game_is_told_and_goes_on_in_the_same_process(toy):
    player, heard = toy("e2e4", "d2d4")
    player.play(player.search().move)
    process = player.process
    player.new_game(8)
    assert player.process is process
    assert player.search().move == "d2d4"
    assert heard().count("ucinewgame") == 2


@pytest.mark.parametrize("answer", ["e2e5", "(none)", ""])
def test_a_move_that_is_none_ends_the_game(toy, answer):
    player, _ = toy(answer)
    with pytest.raises(EngineFailed, match="answers `go movetime 1000` with bestmove"):
        player.search()


def test_a_program_that_ends_is_named(toy):
    player, _ = toy()  # which has no answer left
    with pytest.raises(EngineFailed, match="ended at `go movetime 1000`"):
        player.search()


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("go9", sys.executable, "programs that speak UCI play chess, not go9"),
        ("chess", "no-such-engine; go nodes 5", "no program no-such-engine here"),
        ("chess", sys.executable + "; faster", "NAME=VALUE and go ..., not faster"),
    ],
)
def test_what_cannot_play_is_refused_beforehand(game, text, words):
    with pytest.raises(BadInput, match=words):
        uci.check({"uci": text}, load(game))
    with pytest.raises(BadInput, match=words):
        UciPlayer(load(game), text)


def test_parts_may_have_spaces():
    expected = "stockfish", {"Skill Level": "0", "Hash": "1"}, "go nodes 50"
    assert parts_of("stockfish ; Skill Level=0; Hash = 1 ;go nodes 50") == expected


@pytest.mark.skipif(not shutil.which("stockfish", path="/usr/games:/usr/bin"), reason="stockfish")
def test_stockfish_mates_random_moves():
    game = load("chess")
    data = (
        {"uci": "stockfish; Hash=1; go nodes 200"},
        {"search": "policy", "playout_policy": "uniform"},
    )
    players = [open_player(each, game, 1) for each in data]
    for player in players:
        player.new_game(1)
    try:
        assert play_game(players, Position(game)) == 2
    finally:
        for player in players:
            player.close()
