"""Types: mypy, a part of `make lint`, reads this file; what it cannot see is run here."""

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import picograve
import picograve_host
import pytest
from picograve import load
from picograve.baselines import alphabeta, learning, policy
from picograve.position import Thinker
from picograve_host.examples import nim
from picograve_host.lab.play.workers import ClusterPool, LocalPool, Pool
from picograve_host.players import engine, openspiel, search
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.engine import EnginePlayer
from picograve_host.players.kinds import KindModule
from picograve_host.players.openspiel import OpenSpielPlayer
from picograve_host.players.protocol import Player, SearchPlayer
from picograve_tools import mpy

PROTOCOLS = Path(picograve.__file__).parent / "protocols.pyi"

if TYPE_CHECKING:
    from picograve.games import chess, cotg, go, othello, ttt
    from picograve.games import hex as hex_
    from picograve.protocols import Game

    def players(a: DesktopPlayer, b: BoardPlayer, c: EnginePlayer, d: OpenSpielPlayer):
        all_are: list[Player] = [a, b, c, d]
        searches: list[SearchPlayer] = [a, b]
        return all_are, searches

    kinds: list[KindModule] = [engine, openspiel, search]

    def pools(a: LocalPool, b: ClusterPool) -> list[Pool]:
        return [a, b]

    def thinkers(
        a: picograve.Searcher, b: alphabeta.Searcher, c: learning.Searcher, d: policy.Searcher
    ) -> list[Thinker]:
        return [a, b, c, d]

    def games(
        a: go.Game, b: hex_.Game, c: othello.Game, d: ttt.Game, e: nim.Game, f: chess.Game,
        g: cotg.Game,
    ) -> list[Game]:  # fmt: skip
        return [a, b, c, d, e, f, g]

    def settings() -> list[picograve.Config]:
        return [
            picograve.Config("uct", playouts=30, exploration=0.5),
            picograve.Config("uct", playout=30),  # type: ignore[call-arg]
            picograve.Config("uct", playouts="30"),  # type: ignore[arg-type]
        ]


HOST = Path(picograve_host.__file__).parent
KERNELS = "examples/nim.py"  # viper's types are not Python's
UNTYPED = "Checker"  # takes the buffers of any game, as its kernels do


def public_functions(body):
    """Functions of a module or class that others may call."""
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name != UNTYPED:
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def is_hinted(function):
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += filter(None, (arguments.vararg, arguments.kwarg))
    hints = [
        function.returns,
        *(name.annotation for name in named if name.arg not in ("self", "cls")),
    ]
    return None not in hints


def test_every_public_function_of_the_host_has_types():
    files = [file for file in sorted(HOST.rglob("*.py")) if file != HOST / KERNELS]
    assert [
        "%s:%d %s" % (file.relative_to(HOST), function.lineno, function.name)
        for file in files
        for function in public_functions(ast.parse(file.read_text()).body)
        if not is_hinted(function)
    ] == []


def members(of):
    """The names that a protocol of the core lists."""
    classes = [
        node for node in ast.parse(PROTOCOLS.read_text()).body if isinstance(node, ast.ClassDef)
    ]
    (protocol,) = [node for node in classes if node.name == of]
    return [node.name for node in protocol.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize(
    "name", ["go9", "hex11", "othello", "chess", "ttt3", "cotg8", nim.__file__]
)
def test_a_game_has_what_the_protocol_lists(name):
    game = load(name)
    assert [member for member in members("Game") if not hasattr(game, member)] == []


def test_what_is_for_type_checkers_does_not_reach_a_chip(tmp_path):
    mpy.build("armv6m", tmp_path)
    built = list(tmp_path.rglob("*.mpy"))
    assert built
    for file in built:
        assert b"typing" not in file.read_bytes(), file
        assert b"TYPE_CHECKING" not in file.read_bytes(), file
