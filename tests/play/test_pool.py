"""The picture of the pool is the tree, whoever thinks; and a tree does not change by being watched.

The oracle is tree_state, which follows the tree's links from its root. A board's tree is that of a
desktop searcher with the same seed and as many playouts.
"""

import base64
import random

import pytest
import tree_state
from picograve import RUNTIME, Budget, Config, Searcher, load
from picograve.mcts.pool import NEW, OLDEST, STEP
from picograve_board.service import MOST_SHOWN, Service
from picograve_host.bench import watching as bench
from picograve_host.boards import registry
from picograve_host.play import pool as pages
from picograve_host.play import watching
from picograve_host.play.choices import Choices
from picograve_host.play.room import Room
from picograve_host.players.board import BoardPlayer
from picograve_host.players.desktop import DesktopPlayer
from picograve_host.players.pool import Pool

pytestmark = pytest.mark.xdist_group("play")

SEARCHES = [
    ("graver2", dict()),
    ("graver", dict()),
    ("grave", dict()),
    ("graver", dict(preset="strong", playouts=900)),  # swept, lean tables
    ("uctr2", dict()),
]


def as_cells(nodes, before, count):
    """What a picture shows of these nodes of a tree, of which `before` were there at the last look;
    None at the first one."""
    cells = [0] * count
    for node, (_, age, visits, name) in nodes.items():
        if node < count:
            cells[node] = STEP * (1 + int(age * (OLDEST + 1) + 1e-9)) + visits.bit_length()
            if before is not None and (node not in before or before[node][3] != name):
                cells[node] += NEW
    return cells


@pytest.mark.parametrize(("search", "settings"), SEARCHES)
def test_the_picture_of_the_pool_is_the_tree(search, settings):
    player = DesktopPlayer(load("go5"), Config(search, **settings), Budget(nodes=60), seed=3)
    assert player.open_pool()
    searcher, chance, before = player.searcher, random.Random(1), None
    searcher.start()
    while searcher.run(chance.randrange(1, 60)):
        nodes = tree_state.nodes(searcher)
        seen = player.pool()
        assert list(seen.cells) == as_cells(nodes, before, 60)
        kinds = {node: (pages.TOP, pages.SECOND)[level] for node, (level, *_) in nodes.items()}
        assert [kind & 3 for kind in pages.cells_of(seen)[::3]] == [
            kinds.get(node, 0) for node in range(60)
        ]
        before = nodes
    assert search == "grave" or searcher.result().nodes_recycled > 0
    unwatched = DesktopPlayer(player.game, player.config, player.budget, seed=3).search()
    assert searcher.tree_hash() == unwatched.tree_hash


def watch(name, game, config, budget):
    """Play a move on a board and compare each look; (looks, the board's thought, its last look)."""
    oracle = Searcher(game, config, budget, seed=3)
    oracle.start()
    looks, before = [], None

    def look(player, playouts):
        nonlocal before
        seen = player.pool()
        if seen:
            oracle.run(seen.playouts - sum(looks))
            looks.append(seen.playouts - sum(looks))
            nodes = tree_state.nodes(oracle)
            assert list(seen.cells) == as_cells(nodes, before, len(seen.cells))
            before = nodes

    with registry.open_board(name, print, game) as opened:
        player = BoardPlayer(opened.link, game, config, budget, seed=3)
        assert player.open_pool()
        heap = player.heap["heap_free"]
        thought = player.search(watch=look)
        look(player, thought.playouts)
        assert abs(thought.heap_free - heap) < 500  # as it was set up, whatever was looked at
        last = player._pool
    assert thought.tree_hash == oracle.tree_hash()
    return len(looks), thought, last


def test_the_picture_of_a_simulated_boards_pool_is_its_tree():
    config = Config("graver2", playouts_top=300, playouts_second=60)
    looks, thought, _ = watch("sim", load("go7"), config, Budget(nodes=60))
    assert looks > 0
    assert thought.nodes_recycled > 0


@pytest.mark.pico
def test_watching_an_emulated_pico_shows_its_tree_and_takes_a_fiftieth_of_its_time():
    config = Config("graver2", playouts_top=80, playouts_second=40)
    looks, _, last = watch("pico-emulated", load("go9"), config, Budget(nodes=120))
    assert looks > 1
    assert last.aside < 0.05 * last.microseconds


def test_a_pool_of_many_nodes_shows_the_first_ones_on_a_board():
    config = Config("uct", playouts=1500)
    looks, _, last = watch("sim", load("ttt5"), config, Budget(nodes=1000))
    assert looks > 0
    assert len(last.cells) == MOST_SHOWN < last.nodes


def test_a_board_shows_changes_only_and_not_while_that_takes_more_than_its_share():
    service = Service()
    setting = dict(game="go5", search="graver", config=dict(playouts=400), budget=dict(nodes=60))
    for request in (dict(do="setup", session="0", pool=True, **setting), dict(do="new", seed=3)):
        assert "error" not in service.answer(dict(request, of="0"))
    service.answer(dict(do="search", of="0"))
    pool = Pool(service.searcher.ledger, MOST_SHOWN)
    lengths = []
    while service.thinking:
        service.think()
        service.aside = service.price = 0  # as if looks took no time
        answer = service.answer(dict(do="look", of="0", seen=pool.look))
        changes = base64.b64decode(answer["cells"])
        pool.take(answer["look"], changes)
        lengths.append(len(changes))
        seen = [cell % NEW for cell in pool.cells]
        assert seen == as_cells(tree_state.nodes(service.searcher), None, 60)
    assert max(lengths) <= 60
    assert service.answer(dict(do="look", of="0", seen=pool.look))["cells"] == ""
    whole = service.answer(dict(do="look", of="0", seen=50))  # another's number
    assert (whole["look"], len(base64.b64decode(whole["cells"]))) == (1, 60)
    service.answer(dict(do="search", of="0"))
    service.aside = service.spent + 1  # more than its share
    assert service.answer(dict(do="look", of="0", seen=1)) == dict(thinking=True, playouts=0)


def test_a_search_without_a_tree_has_no_pool():
    assert not DesktopPlayer(load("ttt3"), Config("alphabeta"), Budget()).open_pool()


@pytest.mark.parametrize("watched", [False, True])
def test_nobody_looks_at_a_search_that_nobody_watches(watched, monkeypatch):
    monkeypatch.setattr(watching, "PAUSE", 0)
    heard = set()
    room = Room(Choices("ttt3"), lambda kind, _: heard.add(kind), lambda: watched)
    room.announce("new")
    room.handle(dict(do="new", game="ttt3", side="second", playouts=2000, bytes=20000))
    assert ({"live", "pool"} <= heard) == watched
    assert watched or not heard & {"live", "pool"}


def test_between_two_looks_a_board_says_how_many_playouts_it_has_made(monkeypatch):
    monkeypatch.setattr(watching, "PAUSE", 0)
    heard = []
    room = Room(choices := Choices("go9"), lambda kind, data: heard.append((kind, data)))
    choices.find_all()
    room.announce("new")
    wish = dict(game="go9", opponent="sim", side="second", playouts=30000, bytes=60000)
    room.handle(dict(wish, do="new"))
    room.close()
    kinds = [kind for kind, _ in heard if kind in ("live", "progress")]
    assert kinds.count("progress") > kinds.count("live") > 0
    made = [data["playouts"] for kind, data in heard if kind == "progress"]
    assert made == sorted(made) and set(made) - {0}


def test_the_cost_of_watching_is_measured_here_and_on_a_board(monkeypatch):
    monkeypatch.setattr(bench, "PLAYOUTS", {RUNTIME: 1000})
    monkeypatch.setattr(bench, "BOARD_PLAYOUTS", 1000)
    report = bench.run(1, "ttt3", ["sim"])
    assert [row["ratio"] > 0 for row in report["rows"]] == [True, True]
    assert bench.text(report).count("at least") == 2
