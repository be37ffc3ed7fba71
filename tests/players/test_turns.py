"""Who moves is what the position says: in a game whose players may move twice in a row, too."""

import re
import sys

import pytest
from picograve import Budget, Config, Position, load
from picograve_host.lab.play import games
from picograve_host.match.game import play_game
from picograve_host.match.records import sgf_of
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.engine import EnginePlayer
from picograve_host.players.thought import thought_of
from picograve_host.protocols.gtp import Engine
from toys import again  # who leaves a multiple of four stones moves again


def stones(count):
    game = again.Game(count)
    game.name, game.given = "stones", {}
    return game


class Scripted:
    """Plays these moves, each with its own idea of how it stands."""

    def __init__(self, *script):
        self.script = list(script)
        self.seen = []

    def search(self, seconds, watch):
        move, percent = self.script.pop(0)
        return thought_of(move=move, points=percent, weight=1, scale=100, microseconds=0)

    def play(self, move):
        self.seen.append(move)


def test_the_player_whose_turn_it_is_is_asked():
    left = Scripted(("take2", 50), ("take1", 50), ("take3", 50))
    right = Scripted(("take3", 50), ("take1", 50))
    turns = []
    game = stones(10)
    points = play_game([left, right], Position(game), on_move=lambda turn, *_: turns.append(turn))
    assert turns == [0, 0, 1, 1, 0]
    assert points == 2
    assert left.seen == right.seen == ["take2", "take1", "take3", "take1", "take3"]


@pytest.mark.parametrize(
    "rights,points,length",
    [
        ([100, 100], 0, 4),  # left gives up at its third search: both agree twice
        ([100, 50], 2, 5),
    ],
)
def test_a_player_that_moves_twice_gives_up_by_its_own_searches(rights, points, length):
    left = Scripted(("take2", 0), ("take1", 0), ("take3", 0))
    right = Scripted(("take3", rights[0]), ("take1", rights[1]))
    referee = Position(stones(10))
    assert play_game([left, right], referee, resign=0.01) == points
    assert len(referee.moves) == length


def test_the_lab_counts_the_moves_of_each_player(monkeypatch):
    monkeypatch.setattr(games, "game_of", lambda text: stones(12))
    monkeypatch.setattr(games, "fingerprint_of", lambda match: "")  # finds games by their names
    player = dict(search="uct", nodes=30, playouts=30)
    match = dict(game=dict(name="stones"), player=player, opponent=player, seed=1)
    for number in range(6):
        games._player.cache_clear()
        games._referee.cache_clear()
        (record,) = games.play_games(match, [number])
        referee = Position(stones(12))
        moves = [0, 0]
        for move in record["moves"].split():
            moves[referee.turn] += 1
            referee.play(move)
        seats = ["player", "opponent"] if number % 2 == 0 else ["opponent", "player"]
        assert [record[seat + "_moves"] for seat in seats] == moves
    games._player.cache_clear()
    games._referee.cache_clear()


def test_gtp_and_engines_know_whose_turn_it_is():
    game = stones(10)
    engine = Engine(DesktopPlayer(game, Config("uct", playouts=20), Budget()), "1")
    player = EnginePlayer(game, sys.executable)
    for moves, colour in ((["take2"], "black"), (["take2", "take1"], "white")):
        engine.referee.set_position(moves)
        player.referee.set_position(moves)
        assert engine._turn() == player._colour() == colour


def test_sgf_says_who_moved():
    figures = dict(seat="board", value=0.5, playouts=1, bytes=1)
    moves = [
        dict(figures, turn=turn, move=move) for turn, move in ((0, "A1"), (0, "B1"), (1, "C1"))
    ]
    text = sgf_of(load("go5"), ("one", "two"), None, moves).decode()
    assert re.findall(r"\b([BW])\[..\]", text) == ["B", "B", "W"]
