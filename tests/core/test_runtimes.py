"""One source, every runtime: the same trees, in 32 bits, and signed."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import picograve
import pytest
import searches_of
from conftest import needs_gcc
from picograve import TREE_SEARCHES
from picograve.settings import VARIANTS
from searches_of import variant_job

SOURCE = Path(picograve.__file__).parent
SUPPORT = Path(__file__).parents[1] / "support"
KERNEL_FILES = sorted(
    path.relative_to(SOURCE).as_posix()
    for path in SOURCE.rglob("*.py")
    if "@micropython.viper" in path.read_text()
)
POSITIONS = (
    ("go5", ""), ("go9", "E5 C3"), ("go13", "D4"), ("hex5", "C3"), ("hex11", ""),
    ("hex13", "G7 H6"), ("othello", "D3 C3"), ("ttt3", "B2"), ("ttt10", ""),
)  # fmt: skip

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

FRAY = dict(cut=10, battle="B-4,0 D-3,1 D-4,2 D-5,1 / B3,0 D3,-2 D4,-1")

# Searches without a tree of ours, playouts that know something, and switching.
OTHERS = [
    ["othello", "alphabeta", 500, "D3 C3", 7, dict(depth=4)],
    ["hex5", "alphabeta", 100, "C3", 7, dict(depth=3, positions=700)],
    ["hex5", "alphabeta", 100, "C3", 7, dict(depth=3, options=dict(swap=True))],
    ["hex4", "graver2", 40, "", 7, dict(playouts=150, options=dict(swap=True))],
    ["go5", "alphabeta", 100, "", 7, dict(depth=2)],
    ["ttt3", "alphabeta", 7, "B2", 7, dict(depth=9)],
    ["othello", "policy", None, "D3", 7, dict(playout_policy="WPC")],
    ["hex5", "policy", None, "C3", 7, dict(playout_policy="E")],
    ["go5", "policy", None, "", 7, dict(playout_policy="uniform")],
    ["othello", "uct", 40, "", 7, dict(playouts=40, playout_policy="all")],
    ["othello", "graver2", 40, "", 7, dict(playouts=40, playout_policy="top3+mast")],
    ["hex5", "rave", 40, "", 7, dict(playouts=40, playout_policy="all")],
    ["ttt4", "uctr", 40, "", 7, dict(playouts=40, playout_policy="E")],
    # Chess is slow on CPython: short playouts.
    ["chess", "alphabeta", 100, "e2e4", 7, dict(depth=2, options=dict(squares=True))],
    ["chess", "alphabeta", 100, "e2e4 d7d5", 7, dict(depth=1, quiet=2)],
    ["chess", "uct", 40, "e2e4 c7c5", 7, dict(playouts=40, options=dict(cut=30))],
    ["chess", "graver2", 20, "d2d4", 7, dict(playouts=40, options=dict(cut=30, draws=True))],
    [
        "chess",
        "grave",
        10,  # as many as the smallest heap holds, each with 3 kB of AMAF
        "e2a6",
        7,
        dict(playout_policy="reply", prior=100, playouts=60, options=dict(cut=12, fen=KIWIPETE)),
    ],
    [
        "chess",
        "uct",
        40,
        "",
        7,
        dict(
            reward="wp",
            playouts=60,
            options=dict(searches_of.ENDGAME, stalemates=True, blind=True),
        ),
    ],
    [
        "chess",
        "uctr",
        40,
        "",
        7,
        dict(playouts=12, playout_policy="MVV+PST+mast", options=dict(cut=20, fen=KIWIPETE)),
    ],
    # Joint moves without a list, in a battle that begins at once.
    ["cotg4", "uct", 40, "NNNK KNN", 7, dict(playouts=20, options=FRAY)],
    ["cotg4", "uctr", 40, "", 7, dict(playouts=20, root_policy="epsilon", options=FRAY)],
    ["cotg4", "uct", 40, "", 7, dict(playouts=20, reward="wp", options=FRAY)],
    ["cotg4", "uct", 40, "", 7, dict(playouts=9, playout_policy="NOKAV+Kiter", options=FRAY)],
    ["cotg8", "uctr2", 40, "", 7, dict(playouts=20, options=dict(cut=8, children="random"))],
    ["cotg16", "uct", 40, "", 7, dict(playouts=6, options=dict(cut=8, scatter=3, shields="full"))],
    ["cotg16", "policy", None, "", 7, dict(playout_policy="uniform")],
    ["cotg16", "policy", None, "", 7, dict(playout_policy="Kiter")],
    ["urts4", "uct", 40, "NK KN", 7, dict(playouts=40)],
    ["urts8", "uctr2", 40, "K N", 7, dict(playouts=40, options=dict(cut=40))],
    ["urts16", "tuned", 40, "", 7, dict(playouts=30, options=dict(cut=20))],
    ["urts4", "uctr", 20, "N N", 7, dict(playouts=40, options=dict(doubled=True, cut=50))],
    ["urts4", "uct", 40, "N N", 7, dict(playouts=40, reward="rb", options=dict(stale=True))],
    ["ttt3", "sarsa", 500, "", 7, dict(episodes=30)],
    ["ttt4", "qlearning", 100, "", 7, dict(episodes=30)],
]


# The variants of COMPARISON (settings.py), each on chess and on one other game, there in turns in
# one level and in two, and recycling; and their other settings.
NAMES = [name for name in VARIANTS if name != "none"]
PLACES = (
    ("go5", "uct", "C3"), ("hex5", "uctr2", ""), ("othello", "uct2", "D3"), ("ttt4", "uctr", ""),
)  # fmt: skip
OF_VARIANTS = [
    variant_job(*place, name) for place, name in zip(itertools.cycle(PLACES), NAMES, strict=False)
]
OF_VARIANTS += [
    variant_job("chess", "uct", "", name, playouts=40, options=searches_of.ENDGAME)
    for name in NAMES
]
OF_VARIANTS += [
    variant_job("urts4", "uct", "N K", name, playouts=40, options=dict(cut=40)) for name in NAMES
]
OF_VARIANTS += [
    variant_job("ttt4", "uct", "", name, **settings)
    for name, settings in (
        ("sr-cr", dict(root_policy="ucb-sqrt")),
        ("sr-cr", dict(root_epsilon=0)),
        ("voi", dict(reward="hp")),
        ("ucb1-tuned", dict(reward="sigmoid", steepness=0.1)),
        ("rqb", dict(bonus_by="variance", bonus_view="winner", root_policy="ucb-sqrt")),
        ("fap", dict(fap_lengths="linear", fap_factors="exponential", fap_segments=60)),
        ("fap", dict(fap_factors="exponential", fap_segments=5, final="visits")),
        ("wp", dict(wp_near=0.1, wp_far=0.5, wp_relative=True, wp_scaled=True)),
        ("wp", dict(wp_index=1, wp_near=2.0, wp_far=1.0, playout_limit=7)),
    )
]


def jobs_for(positions, playouts, nodes=40, **settings):
    return [
        [game, name, nodes, moves, 7, dict(settings, playouts=playouts)]
        for game, moves in positions
        for name in TREE_SEARCHES
    ]


def same_on_a_desktop(jobs):
    """The results, after a check that every runtime of a desktop has the same."""
    found = {runtime: searches_of.run(jobs, runtime) for runtime in searches_of.DESKTOP}
    for runtime, results in found.items():
        assert {result.pop("runtime") for result in results} == {runtime}
    for job, result, *others in zip(jobs, *found.values(), strict=True):
        assert others == [result] * len(others), job
    return found["numba"]


@pytest.mark.parametrize("preset", ["paper", "strong"])
def test_every_desktop_runtime_grows_the_same_tree_for_every_search_and_game(preset):
    others = OTHERS if preset == "paper" else []
    same_on_a_desktop(others + jobs_for(POSITIONS, playouts=60, preset=preset))


def test_every_desktop_runtime_grows_the_same_tree_for_every_variant():
    same_on_a_desktop(OF_VARIANTS)


def test_the_less_common_settings_are_the_same_on_all_too():
    settings = dict(
        sharing=False, explore=5, table_after=3, early_after=4, early_margin=0.1, reuse=True, bias=1
    )
    same_on_a_desktop(jobs_for((("go5", "C3"), ("ttt4", "")), playouts=300, share=0.3, **settings))


@needs_gcc
def test_sanitizers_have_nothing_to_say_of_any_search(tmp_path):
    """No word outside a buffer, no number outside 32 bits."""
    jobs = OTHERS + OF_VARIANTS + LONG_JOBS + jobs_for(POSITIONS, playouts=40, preset="paper")
    sanitized, plain = searches_of.run_sanitized(jobs, tmp_path), searches_of.run(jobs, "numba")
    assert [r["tree_hash"] for r in sanitized] == [r["tree_hash"] for r in plain]


ON_MICROPYTHON = """
import json, micropython, sys
sys.path.insert(0, sys.argv[1])
from picograve import Budget, Config, load, open_search

def run_locked(searcher):
    micropython.heap_lock()  # an allocation would raise MemoryError
    while searcher.run(100000):
        pass
    micropython.heap_unlock()

for game, name, nodes, moves, seed, settings in json.load(sys.stdin):
    game = load(game, **settings.pop("options", {}))
    searcher = open_search(game, Config(name, **settings), Budget(nodes=nodes), seed)
    searcher.set_position(moves.split())
    searcher.start()
    run_locked(searcher)
    print(searcher.result().tree_hash)
"""


@pytest.mark.parametrize("preset", ["paper", "strong"])
def test_micropython_grows_the_same_tree_and_allocates_nothing(preset, tmp_path, unix_port):
    """From the readable sources; test_kernel_build.py has what the build makes of them."""
    jobs = jobs_for(POSITIONS, playouts=90, preset=preset)
    jobs += OTHERS if preset == "paper" else OF_VARIANTS
    script = tmp_path / "on_micropython.py"
    script.write_text(ON_MICROPYTHON)
    answer = subprocess.run(
        [unix_port, "-X", "heapsize=4m", str(script), str(SOURCE.parent)],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    expected = [result["tree_hash"] for result in searches_of.run(jobs, "numba")]
    assert answer.stdout.split() == expected


# Count limits (20,000 visits) are passed by many playouts, whatever the board; the largest
# fractions by the smallest bias; the largest spread by the largest constant. The checker is slow:
# sanitizers look at most of these.
LONG = dict(playouts=21000, bias=0.001, exploration=2**0.5)
LONG_JOBS = [
    ["ttt3", "grave", 600, "", 1, dict(LONG, preset="paper")],
    ["ttt4", "graver", 300, "", 2, LONG],
    ["ttt3", "uct", 2000, "", 4, LONG],
    ["ttt3", "uctr2", 100, "", 5, dict(LONG, preset="paper")],
    ["ttt3", "tuned", 2000, "", 4, dict(playouts=21000)],
    ["ttt3", "uct", 2000, "", 4, dict(LONG, reward="rqb", steepness=0.1)],
    ["ttt3", "uct", 60, "", 4, dict(LONG, backup="fap", fap_lengths="linear",
                                    fap_factors="exponential")],
    ["ttt3", "uct", 60, "", 4, dict(LONG, backup="fap")],
    ["go5", "grave", 300, "", 6, dict(LONG, preset="paper")],
]  # fmt: skip
CHECKED = {
    "graver2, 21,000 playouts": [["ttt3", "graver2", 100, "", 3, LONG]],
    "all searches on Go 9x9 and 13x13": jobs_for(
        (("go9", ""), ("go13", "")), playouts=24, nodes=16, preset="paper"
    ),
    "all searches on Hex and Othello": jobs_for(
        (("hex11", ""), ("hex13", ""), ("othello", "")), playouts=24, nodes=16, preset="paper"
    ),
    "what is no tree search, and guided playouts": OTHERS,
    "variants": OF_VARIANTS,
    "all settings": jobs_for(
        (("go5", ""),), 400, sharing=False, explore=5, table_after=3, early_after=4, share=0.3
    ),
}


@pytest.mark.parametrize("what", CHECKED)
def test_nothing_leaves_32_bits(what):
    checked = searches_of.run(CHECKED[what], "cpython", "--checked")
    plain = searches_of.run(CHECKED[what], "numba")
    assert [r["tree_hash"] for r in checked] == [r["tree_hash"] for r in plain]


def test_the_checker_sees_an_overflow_and_a_negative_index(tmp_path):
    kernel = tmp_path / "picograve" / "wrong.py"
    kernel.parent.mkdir()
    kernel.write_text(
        "from picograve.kernel import micropython\n"
        "@micropython.viper\n"
        "def large(a: int) -> int:\n"
        "    a *= a\n"
        "    return a\n"
        "@micropython.viper\n"
        "def low(a):\n"
        "    return a[0 - 1]\n"
    )
    program = (
        "import int32_checker; int32_checker.install()\n"
        "import picograve; picograve.__path__.append(%r)\n"
        "from picograve.wrong import large, low\n"
        "assert large(46340) == 46340 ** 2\n"
        "for call in (lambda: large(46341), lambda: low([5])):\n"
        "    try: call()\n"
        "    except (OverflowError, IndexError) as error: print(error)\n"
    ) % str(kernel.parent)
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=SUPPORT,
        env={**os.environ, "PICOGRAVE_RUNTIME": "cpython"},
        capture_output=True,
        text=True,
    )
    assert answer.stdout == ("line 4: 2147488281 leaves 32 bits\nline 8: negative index -1\n"), (
        answer.stderr
    )


# What a game knows besides its rules, along one game: on every runtime.
KNOW = """
from picograve.kernel import allocate

def know(game):
    state, work = allocate("B", game.state_bytes), allocate("B", game.state_bytes)
    moves, values = allocate("H", game.code_count), allocate("i", game.code_count)
    priors, known = allocate("H", game.move_limit), allocate("B", len(game.known))
    hashes = allocate("i", 2)
    for place, byte in enumerate(game.known):
        known[place] = byte
    game.reset(state)
    told, last = [], 65535
    for _ in range(120):  # a game of chess is long
        count = game.rules[1](state, moves)
        if count == 0:
            break
        told.append([int(game.evaluate(state)), count])
        told.append([int(game.bound(state, player)) for player in (0, 1)])
        game.fingerprint(state, hashes)
        told.append([int(number) for number in hashes])
        for heuristic in range(len(game.heuristics)):
            game.appraise(state, work, heuristic, moves, count, values)
            told.append([int(values[i]) for i in range(count)])
        for move in range(game.move_limit):
            if game.codes is None and game.code(move) is not None:
                told.append(int(game.legal(state, move)))
        if game.reply:
            hashes[0], hashes[1] = 1 + count, 2 + len(told)
            for kind in range(len(game.replies)):
                told.append(int(game.reply(state, hashes, 1 << kind, last, known)))
        if game.prior:
            which = (1 << len(game.priors)) - 1
            game.prior(state, which, last, moves, moves, count, known, priors)
            told.append([int(priors[moves[i]]) for i in range(count)])
        last = int(moves[count * len(told) % 7 % count])
        game.rules[2](state, last)
    return told
"""
TELL = (
    KNOW
    + """
import json, sys
from picograve import load
print(json.dumps(know(load(sys.argv[1]))))
"""
)


@pytest.mark.parametrize("game", ["go5", "hex7", "othello", "chess", "ttt10"])
def test_what_a_game_knows_is_the_same_on_every_runtime_and_in_32_bits(game, tmp_path, unix_port):
    def told(*command, **setting):
        answer = subprocess.run(
            [*command, game],
            cwd=SUPPORT,
            env={**os.environ, **setting},
            capture_output=True,
            text=True,
        )
        assert answer.returncode == 0, answer.stdout + answer.stderr
        return json.loads(answer.stdout)

    checked = "import int32_checker; int32_checker.install()\n" + TELL
    script = tmp_path / "tell.py"
    script.write_text("import sys; sys.path.insert(0, %r)\n" % str(SOURCE.parent) + TELL)
    reference = told(sys.executable, "-c", checked, PICOGRAVE_RUNTIME="cpython")
    assert len(reference) > 500
    for runtime in set(searches_of.DESKTOP) - {"cpython"}:
        assert told(sys.executable, "-c", TELL, PICOGRAVE_RUNTIME=runtime) == reference, runtime
    assert told(unix_port, "-X", "heapsize=4m", str(script)) == reference


SIGNED = (
    KNOW
    + """
import sys
from numba.core.dispatcher import Dispatcher
from numba_types import types_in
from picograve import TREE_SEARCHES, Budget, Config, Searcher, load, open_search
from picograve.settings import VARIANTS
for game in (load("go5"), load("hex4", swap=True), load("othello"), load("chess"), load("ttt3")):
    for name in TREE_SEARCHES if game.name in ("go5", "ttt3") else ("uct", "graver2"):
        settings = dict(preset="paper", playouts=60, explore=5, early_after=3, reuse=True)
        searcher = Searcher(game, Config.tolerant(name, **settings), Budget(nodes=20))
        searcher.play(searcher.search().move)
        searcher.search()
        searcher.sample(2)
    for name in ("graver", "raver2"):
        settings = dict(playouts=90, reuse=True, table_after=2, wide_tables=1)
        searcher = Searcher(game, Config(name, "strong", **settings), Budget(nodes=20, tables=3))
        searcher.play(searcher.search().move)
        searcher.search()
    for name in VARIANTS if game.name == "ttt3" else ("wp",):  # compiling takes minutes
        settings = dict(variant=name, playouts=60)
        if name == "uct":
            settings["root_policy"] = "ucb-sqrt"
        if name == "fap":
            settings.update(fap_factors="exponential", fap_lengths="linear", fap_segments=60)
        Searcher(game, Config("uctr", **settings), Budget(nodes=20)).search()
    know(game)
    open_search(game, Config("alphabeta", depth=3), Budget(nodes=20)).search()
    open_search(game, Config("policy"), Budget()).search()
    for heuristic in game.heuristics:
        config = Config("uct", playouts=30, playout_policy="mast+uniform+" + heuristic)
        Searcher(game, config, Budget(nodes=20)).search()
        open_search(game, Config("policy", playout_policy=heuristic), Budget()).search()
    if game.verdict:
        Searcher(game, Config("uct", playouts=9), Budget(nodes=9)).set_position(["e2e4"])
    if game.name == "ttt3":
        for name in ("sarsa", "qlearning"):
            open_search(game, Config(name, episodes=20), Budget(nodes=50)).search()
    if game.key:  # a position with a move that superko forbids
        searcher.set_position("E4 D3 C5 C4 A2 B1 B2 C2 C3 D1 B3 A1 C1".split())
        searcher.search()
for children in ("nested", "random"):
    game = load("cotg4", children=children, battle="B-4,0 / D3,0")
    for settings in (dict(variant="sr-cr"), dict(variant="wp"), dict(playout_policy="Kiter")):
        searcher = Searcher(game, Config("uct", playouts=30, **settings), Budget(nodes=20))
        searcher.play(searcher.search().move)
    open_search(game, Config("policy", playout_policy="uniform"), Budget()).search()
searcher.score()
game.evaluate(searcher.buffers["root"]), game.bound(searcher.buffers["root"], 0)
KERNELS = [
    (module.__name__, name, kernel)
    for module in [m for name, m in sys.modules.items() if name.startswith("picograve.")]
    for name, kernel in vars(module).items()
    if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == module.__name__
]
seen = set()
while True:  # finding the types of a kernel compiles or loads those that it calls
    found = {(*which, arguments) for which in KERNELS for arguments in which[2].overloads} - seen
    if not found:
        break
    seen |= found
    for module, name, kernel, arguments in found:
        for variable, kind in types_in(kernel, arguments).items():
            if str(kind) in ("uint64", "uint32", "float64", "float32"):
                print(module, name, variable, kind)
for module, name, kernel in KERNELS:
    if name not in ("int", "ptr8", "ptr16", "ptr32"):
        assert kernel.overloads, "%s was never compiled" % name
"""
)


def test_numba_computes_in_signed_integers_only():
    """An unsigned intermediate wraps below zero; a float is slow and not on every chip."""
    assert signed(SIGNED) == ""


def test_an_unsigned_value_in_a_kernel_is_noticed_when_it_comes_from_the_cache_too(tmp_path):
    """Two loaded values meet. In the cache there is only machine code."""
    (tmp_path / "wrong.py").write_text(
        "from picograve.kernel import allocate, micropython, ptr8\n"
        "from numba_types import types_in\n"
        "@micropython.viper\n"
        "def difference(a: ptr8) -> int:\n"
        "    d = a[0] - a[1]\n"
        "    return int(d)\n"
        "difference(allocate('B', 2))\n"
        "((arguments, _),) = difference.overloads.items()\n"
        "print(types_in(difference, arguments)['d'], sum(difference.stats.cache_hits.values()))\n"
    )
    program = "import sys; sys.path.insert(0, %r); import wrong" % str(tmp_path)
    assert [signed(program) for _ in range(2)] == ["uint64 0\n", "uint64 1\n"]


def signed(program):
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=SUPPORT,
        env={**os.environ, "PICOGRAVE_RUNTIME": "numba"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_one_cached_search_serves_two_games():
    """Whatever game came first when the cache was written, whatever comes first now."""
    jobs = [
        [game, name, 40, "", 7, dict(playouts=100)]
        for game in ("go5", "ttt4")
        for name in ("uct", "graver2")
    ]
    expected = [result["tree_hash"] for result in searches_of.run(jobs, "cpython")]
    for order in (1, -1):
        results = searches_of.run(jobs[::order], "numba")
        assert [result["tree_hash"] for result in results[::order]] == expected
        assert searches_of.run(jobs[::order], "numba", "--cache") == [1, 0]


def test_a_changed_kernel_is_not_taken_from_the_cache_of_its_callers(tmp_path):
    """Numba itself looks at a caller's own file only."""
    package = tmp_path / "picograve"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    setting = dict(PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    jobs = [["ttt3", "sarsa", 50, "", 1, dict(episodes=30)]]  # its kernels call `draw`
    before = searches_of.run(jobs, "numba", **setting)[0]
    rng = package / "rng.py"
    text = rng.read_text()
    assert "18000" in text
    rng.write_text(text.replace("18000", "18030"))
    after = searches_of.run(jobs, "numba", **setting)[0]
    assert after["tree_hash"] != before["tree_hash"]
    assert after["tree_hash"] == searches_of.run(jobs, "cpython", **setting)[0]["tree_hash"]


def test_all_kernel_files_are_known():
    assert KERNEL_FILES == [
        "baselines/episodes.py", "baselines/lookahead.py", "fixed.py",
        "games/chess.py", "games/cotg.py", "games/go.py", "games/hex.py", "games/othello.py",
        "games/ttt.py", "games/urts.py", "kernel.py",
        "mcts/backup/fap.py", "mcts/lean.py", "mcts/means.py",
        "mcts/playout/guided.py", "mcts/playout/mast.py", "mcts/playout/reply.py",
        "mcts/playout/scripted.py", "mcts/playout/switching.py", "mcts/playout/uniform.py",
        "mcts/pool.py", "mcts/reward/bonus.py",
        "mcts/reward/hp.py", "mcts/reward/outcome.py", "mcts/reward/qb.py", "mcts/reward/rb.py",
        "mcts/reward/rqb.py", "mcts/reward/sigmoid.py", "mcts/reward/totals.py",
        "mcts/reward/wp.py", "mcts/root/epsilon.py", "mcts/root/ucb_sqrt.py", "mcts/root/voi.py",
        "mcts/search.py",
        "mcts/select/grave.py", "mcts/select/hrave.py", "mcts/select/least.py",
        "mcts/select/rave.py", "mcts/select/ucb.py", "mcts/select/ucb1_tuned.py",
        "mcts/select/uct.py", "mcts/sweep.py",
        "mcts/tree.py", "rng.py",
    ]  # fmt: skip
