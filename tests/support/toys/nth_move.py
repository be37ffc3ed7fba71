"""A kind of player that only the tests use: the n-th legal move, whatever it is."""

from picograve import Position
from picograve_host.players.thought import from_elsewhere


def open_player(data, game, seed, hashes, say):
    return NthMovePlayer(game, data["nth"])


def name_of(data):
    return "move %d" % data["nth"]


def describe(data, game):
    return "%s of those that are legal" % name_of(data)


def check(data, game):
    pass


class NthMovePlayer:
    config = ledger = mhz = None

    def __init__(self, game, place):
        self.game = game
        self.place = place
        self.where = "the tests"
        self.position = Position(game)

    @property
    def moves(self):
        return self.position.moves

    def new_game(self, seed):
        self.position = Position(self.game)

    def play(self, move):
        self.position.play(move)

    def search(self, seconds=None, watch=None):
        legal = self.position.legal_moves()
        return from_elsewhere(legal[self.place % len(legal)], 0.001)

    def close(self):
        pass
