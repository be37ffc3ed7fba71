"""A player that is OpenSpiel's MCTSBot (C++, through its Python package): a peer by others.

Plain UCT with random playouts, a search tree without limit. Moves need no table: OpenSpiel's
actions are our codes in every game. OpenSpiel lets a player repeat a position of
Go, which ends its game without a winner; here such moves are left out.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from picograve import BadInput
from picograve.games import move_of

from picograve_host.players.thought import Thought, from_elsewhere
from picograve_host.words import number

if TYPE_CHECKING:
    from picograve_host.players.protocol import Watch

UCT_C = 2**0.5  # for results from -1 to 1: the paper's sqrt(2)/2 for 0 to 1


def open_player(
    data: dict[str, Any], game: Any, seed: int, hashes: bool, say: Callable[[str], object]
) -> "OpenSpielPlayer":
    return OpenSpielPlayer(game, data["openspiel"])


def name_of(data: dict[str, Any]) -> str:
    return "OpenSpiel's MCTSBot"


def describe(data: dict[str, Any], game: Any) -> str:
    return "%s with %s simulations per move" % (name_of(data), number(data["openspiel"]))


def check(data: dict[str, Any], game: Any) -> None:
    _package()
    named(game)


def _package():
    try:
        import pyspiel
    except ImportError:
        raise BadInput("OpenSpiel is missing: pip install 'picograve[bench]'") from None
    return pyspiel


class OpenSpielPlayer:
    where = "OpenSpiel"
    config = ledger = mhz = None

    def __init__(self, game: Any, simulations: int) -> None:  # a game that has codes
        pyspiel = _package()
        if simulations < 2:
            raise BadInput("OpenSpiel's player takes 2 simulations or more, not %d" % simulations)
        self.pyspiel = pyspiel
        self.game = game
        self.simulations = simulations
        self.theirs = pyspiel.load_game(*named(game))
        self.texts = {
            game.code(move): game.text(move)
            for move in range(game.move_limit)
            if game.code(move) is not None
        }

    def new_game(self, seed: int) -> None:
        self.seed = seed
        self.moves: list[str] = []
        self.state = self.theirs.new_initial_state()
        self.bot = mcts_bot(self.pyspiel, self.theirs, self.simulations, seed)

    def play(self, move: str) -> None:
        self.state.apply_action(self.game.code(move_of(self.game, move)))
        self.moves.append(move)

    def search(self, seconds: float | None = None, watch: "Watch | None" = None) -> Thought:
        began = time.perf_counter()
        root = self.bot.mcts_search(self.state)
        children = [child for child in root.children if not self._repeats(child.action)]
        best = max(children, key=lambda child: (child.explore_count, child.total_reward))
        spent = time.perf_counter() - began
        return from_elsewhere(self.texts[best.action], spent, self.simulations)

    def close(self) -> None:
        pass

    def _repeats(self, action):
        """Whether this brings back a position: a stone that ends a game and nobody wins."""
        if not self.game.key or self.texts[action] == "pass":
            return False
        child = self.state.child(action)
        return child.is_terminal() and child.returns()[0] == 0


def mcts_bot(pyspiel: Any, game: Any, simulations: int, seed: int) -> Any:
    """OpenSpiel's own player of a game of its own."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    # No limit on memory, no solver, not verbose.
    return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, -1, False, seed, False)


def named(game: Any) -> tuple[str, dict[str, Any]]:
    """Name and parameters of a game of ours in OpenSpiel."""
    if game.file:
        raise BadInput("OpenSpiel's player does not know %s" % game.file.name)
    if game.name.startswith("go"):
        return "go", dict(board_size=game.size, komi=game.komi, max_game_length=game.move_cap)
    if game.name.startswith("ttt"):
        return "mnk", dict.fromkeys("mnk", game.size)
    if game.name.startswith("hex"):
        return "hex", dict(board_size=game.size, swap=bool(game.swap))
    if game.name == "othello":
        return "othello", {}
    raise BadInput("OpenSpiel's player does not know %s" % game.name)
