"""Players: whoever can be asked for a move of a game.

Another program (engines.EnginePlayer, openspiel_player.OpenSpielPlayer) has

    game                     what it plays
    where                    what thinks, in words: "numba", "sim (MicroPython 1.25.0 ...)"
    moves                    the moves of the game so far, as texts
    new_game(seed)           the first position; nothing remembered
    play(move)               a move as text
    search(seconds, watch)   thinks about the position: a Thought. It ends after the
                             ledger's playouts, or after `seconds`, or when watch(player,
                             playouts), called every few playouts, returns True

A search on this desktop (DesktopPlayer, here) or on a board over serial (board.BoardPlayer)
also has

    config, ledger           how it plays, and every byte of it
    seed                     of its random numbers
    set_game(game)           another game, or the same with another komi; from its start
    set_position(moves)      the position after these moves; cheap where it goes on
    root_moves()             (text, visits, value) of the moves considered, best first;
                             also while it thinks
"""

import time
from collections import namedtuple

from picograve import RUNTIME, TREE_SEARCHES, Position, open_search, position_rows
from picograve.config import LEARNERS

# What a search counts as its playouts.
STEPS = {"alphabeta": "positions", "policy": "moves", **dict.fromkeys(LEARNERS, "episodes")}
STEPS |= dict.fromkeys(TREE_SEARCHES, "playouts")
SLICE = 256  # playouts between two looks at the clock: a few milliseconds

Thought = namedtuple(
    "Thought",
    (
        "move",  # text of the most visited move
        "value",  # its mean result for the player to move, 0 to 1
        "playouts",
        "playouts_saved",  # by stopping second-level searches early
        "seconds",  # of thinking, by the player's own clock
        "nodes_used",
        "nodes_recycled",
        "bytes",  # of the ledger
        "tree_hash",  # None from a DesktopPlayer without `hashes`
        "heap_used",  # bytes; None on a desktop, which has no such limit
        "heap_free",
        "heap_largest",  # largest free block
        "choices",  # {playout policy: playouts}, where a search switches between several
        "depth",  # plies that alpha-beta looked ahead
    ),
    defaults=(None, None, None, None, None),
)


class DesktopPlayer:
    where = RUNTIME

    def __init__(self, game, config, budget, seed=1, hashes=True):
        self.hashes = hashes  # whether a Thought holds the tree's hash, 3 % of the time
        self.config = config
        self.budget = budget
        self.seed = seed
        self.set_game(game)

    def set_game(self, game):
        self.searcher = open_search(game, self.config, self.budget, self.seed)
        self.game = game
        self.ledger = self.searcher.ledger
        self.searcher.start()
        self.searcher.run(0)  # compiles, or loads what was compiled, before any clock runs

    @property
    def moves(self):
        return [self.game.text(move) for move in self.searcher.moves]

    def new_game(self, seed):
        self.seed = self.searcher.seed = seed
        self.searcher.new_game()

    def play(self, move):
        self.searcher.play(move)

    def set_position(self, moves):
        catch_up(self, moves)

    def search(self, seconds=None, watch=None):
        searcher = self.searcher
        slice_ = SLICE if seconds or watch else self.ledger.playouts
        began = time.perf_counter()
        playouts = 0
        searcher.start()
        while made := searcher.run(slice_):
            playouts += made
            if seconds and time.perf_counter() - began >= seconds:
                break
            if watch and watch(self, playouts):
                break
        spent = time.perf_counter() - began
        figures = searcher.result(self.hashes)._asdict()
        del figures["visits"]
        return Thought(seconds=spent, **figures)

    def root_moves(self):
        return [
            (self.game.text(move), weight, points / (2 * weight) if weight else 0.5)
            for move, weight, points in self.searcher.root_moves()
        ]


def referee_of(game):
    """A position that knows the rules."""
    referee = Position(game, position_rows(game))
    referee.new_game()
    return referee


def catch_up(player, moves):
    """Bring a player to the position after `moves`: go on from where it is if that leads there."""
    moves = [move.upper() for move in moves]
    done = [move.upper() for move in player.moves]
    if done != moves[: len(done)]:
        player.new_game(player.seed)
        done = []
    for move in moves[len(done) :]:
        player.play(move)
