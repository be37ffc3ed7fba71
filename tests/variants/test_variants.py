"""The variants that COMPARISON (settings.py) compares: each part against its formula in floats, and
what is refused. That they grow the same trees everywhere is in test_runtimes.py, whole trees of
UCB1-Tuned against a plain search in test_search.py.
"""

import math
from fractions import Fraction

import pytest
import seams
from picograve import BadInput, Budget, Config, Searcher, load, rng
from picograve.fixed import exp_minus, logistic
from picograve.mcts import search, tree
from picograve.mcts.backup import fap
from picograve.mcts.reward import wp
from picograve.mcts.root import voi
from picograve.mcts.select.ucb import log, square_root
from picograve.settings import VARIANTS
from picograve.value import WIDE
from tree_state import allocated_bytes, check

NAMES = [name for name in VARIANTS if name != "none"]
GAMES = ("go5", "hex5", "othello", "ttt4")


def searcher_of(game, name="uct", nodes=3000, seed=5, moves="", **settings):
    searcher = Searcher(load(game), Config(name, **settings), Budget(nodes=nodes), seed)
    searcher.set_position(moves.split())
    return searcher


# Functions in fixed point


def test_exponential_and_logistic_function_are_within_their_bounds():
    for x in range(0, 120000, 3):
        assert abs(exp_minus(x) - WIDE * math.exp(-x / 8192)) <= 1.1
    for x in range(-120000, 120000, 7):
        assert abs(logistic(x) - WIDE / (1 + math.exp(-x / 8192))) <= 2


def test_logarithm_and_square_root_are_within_their_bounds():
    for n in range(1, 32768):
        assert -0.00072 <= log(n) / 8192 - math.log(n) <= 0
    squares = [n * n + more for n in range(0, 46340, 91) for more in (-1, 0, 1)]
    for n in [*squares[1:], 2**31 - 1]:
        assert square_root(n) == math.isqrt(n)


def test_the_bound_of_a_logarithm_is_never_more_and_hardly_less():
    """Of every number of visits that a node may have, and one."""
    for n in range(2, 20002):
        bound, exact = voi.at_least(n, n.bit_length() - 1), log(n)
        assert exact - 0.02 * 8192 < bound <= exact


# Names


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_is_its_parts_and_each_can_be_set_besides(name):
    config = Config("uctr2", variant=name, playouts=50)
    parts = Config(config.search, **config.given)
    assert vars(parts) == vars(config)
    assert config.search == ("tunedr2" if name == "ucb1-tuned" else "uctr2")
    assert config.final == "mean" and config.playout_policy == "uniform"
    assert config.exploration == 1 or name == "ucb1-tuned"
    other = Config("uct", variant=name, playouts=50, final="visits")
    assert other.final == "visits"


def test_a_variant_is_refused_for_other_searches_and_other_names():
    with pytest.raises(BadInput, match="variant wp is for uct, uct2, uctr and uctr2, not graver2"):
        Config("graver2", variant="wp")
    with pytest.raises(BadInput, match="no variant called pw; there are none, uct, sr-cr"):
        Config("uct", variant="pw")
    with pytest.raises(BadInput, match="variant is a text, not 3"):
        Config("uct", variant=3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["uct", "uct2", "uctr", "uctr2"])
@pytest.mark.parametrize("game", GAMES)
def test_every_variant_keeps_its_pools_and_its_ledger_in_order(game, kind, name):
    searcher = searcher_of(game, kind, 30, variant=name, playouts=120)
    searcher.start()
    while searcher.run(1):
        check(searcher)
    assert searcher.result().playouts == 120
    assert allocated_bytes(searcher) == searcher.ledger.total_bytes


def test_plain_searches_have_no_array_of_the_variants():
    sizes = {row[0]: row[2] for row in searcher_of("go5", playouts=10).ledger.rows}
    assert sizes["node_totals"] == sizes["node_extra"] == sizes["reward"] == 0


# Choices


def children_of(searcher, node):
    """{child: (visits, sum of values in wins, extra)}"""
    b = searcher.buffers
    found = {}
    child = int(b["node_child"][node])
    while child != tree._NONE:
        total = tree.value_of(searcher._tree, child) / searcher.scale
        extra = int(b["node_extra"][child]) if len(b["node_extra"]) else 0
        found[child] = int(b["node_visits"][child]), total, extra
        child = int(b["node_sibling"][child])
    return found


def choices(searcher, playouts):
    """At each playout from a complete root: its visits, weight, children, and the one chosen."""
    searcher.start()
    searcher.run(1)
    root = int(searcher.buffers["pools"][tree.ROOT])
    count = len(searcher.legal_moves())
    for _ in range(playouts):
        visits, weights = searcher.arrays("node_visits node_extra")
        before = int(visits[root]), int(weights[root]) if len(weights) else 0
        children = children_of(searcher, root)
        searcher.run(1)
        if len(children) == count:
            yield *before, children, int(searcher.buffers["path"][1])


def ucb(visits, child, reach=0):
    n, total, _ = child
    x = 0.5 + (total / n - 0.5) * 2**reach
    return x + math.sqrt(math.log(visits) / n)


SETTINGS = dict(variant="uct", playouts=1500)


@pytest.mark.parametrize(
    "reward, reach", [("sigmoid", 0), ("rb", 6), ("qb", 6), ("hp", 0), ("wp", 2)]
)
def test_uct_chooses_by_the_stretched_mean_of_a_reward(reward, reach):
    searcher = searcher_of("othello", reward=reward, **SETTINGS)
    seen = 0
    for visits, _, children, chosen in choices(searcher, 1000):
        scores = {k: ucb(visits, child, reach) for k, child in children.items()}
        assert scores[chosen] > max(scores.values()) - 0.001
        seen += 1
    assert seen > 900


def test_ucb_sqrt_explores_by_the_square_root_at_the_root():
    searcher = searcher_of("othello", root_policy="ucb-sqrt", **SETTINGS)
    for visits, _, children, chosen in choices(searcher, 1000):
        scores = {k: t / n + math.sqrt(math.sqrt(visits) / n) for k, (n, t, _) in children.items()}
        assert scores[chosen] > max(scores.values()) - 0.002


def test_voi_takes_the_child_whose_information_is_worth_most():
    searcher = searcher_of("ttt3", root_policy="voi", **SETTINGS)
    move = searcher.buffers["node_move"]
    for _, _, children, chosen in choices(searcher, 1200):
        x = {k: t / n for k, (n, t, _) in children.items()}
        first, second = sorted(x.values())[-1:-3:-1]
        best = max(x, key=lambda k: (x[k], children[k][0], -int(move[k])))
        worth = {}
        for k, (n, _, _) in children.items():
            share = second if k == best else 1 - first
            gap = first - second if k == best else first - x[k]
            worth[k] = math.log(max(share, 1e-9) / (n + 1)) - 2 * gap * gap * n
        assert worth[chosen] > max(worth.values()) - 0.05


def test_epsilon_takes_the_best_or_any_other_and_needs_no_complete_root():
    searcher = searcher_of("ttt4", variant="sr-cr", playouts=900)
    searcher.start()
    searcher.run(1)
    root = int(searcher.buffers["pools"][tree.ROOT])
    numbers = searcher.buffers["rng"].copy()
    created = []
    for _ in range(800):
        children = children_of(searcher, root)
        moves = {int(searcher.buffers["node_move"][k]): k for k in children}
        numbers[:] = searcher.buffers["rng"]
        expected = rng.draw(numbers, 16)
        if children:
            best = max(moves, key=lambda m: (_mean(children[moves[m]]), children[moves[m]][0], -m))
            expected = best
            if rng.draw(numbers, 32768) >= 0.75 * 32768:
                others = [move for move in range(16) if move != best]
                expected = others[rng.draw(numbers, 15)]
        searcher.run(1)
        assert int(searcher.buffers["node_move"][searcher.buffers["path"][1]]) == expected
        created.append(len(children))
    assert created[60] < 16 == created[-1]  # the last moves come late


def _mean(child):
    return Fraction(child[1]).limit_denominator(2) / child[0]


def test_a_full_pool_leaves_epsilon_its_best_child():
    searcher = searcher_of("ttt5", nodes=10, variant="sr-cr", playouts=500)
    assert sum(searcher.search().visits.values()) >= 490


def test_the_final_move_is_the_best_mean_or_the_most_visited():
    by_mean = searcher_of("go5", variant="sr-cr", playouts=900)
    result = by_mean.search()
    values = {child.move: child.value for child in by_mean.root_moves()}
    assert values[result.move] == max(values.values()) == result.value
    by_visits = searcher_of("go5", variant="sr-cr", playouts=900, final="visits").search()
    assert by_visits.tree_hash == result.tree_hash
    assert by_visits.visits[by_visits.move] == max(by_visits.visits.values())


# Rewards


def replayed(searcher):
    """The positions of the last playout, from its leaf on, by the game's rules."""
    _, _, play, _, _ = searcher.game.rules
    control, trace, root = searcher.arrays("control trace root")
    state = root.copy()
    states = []
    for ply in range(int(control[search.LENGTH]) + 1):
        if ply >= control[search.PLY]:
            states.append(state.copy())
        if ply < control[search.LENGTH]:
            play(state, int(trace[ply]) & 32767)
    return states


def values_of(searcher, playouts):
    """Playout by playout: what it was worth by the reward, -1 to 1, and its positions."""
    searcher.start()
    for _ in range(playouts):
        searcher.run(1)
        yield int(searcher.buffers["reward"][0]) / (WIDE / 2) - 1, replayed(searcher)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("k", [0.01, 0.3, 100])
def test_sigmoid_is_the_logistic_curve_of_the_last_positions_evaluation(game, k):
    searcher = searcher_of(game, reward="sigmoid", steepness=k, playouts=150)
    for value, states in values_of(searcher, 150):
        lead = searcher.game.evaluate(states[-1])
        assert abs(value - math.tanh(k * lead / 2)) < 0.002


class Bonus:
    """Lists of what was measured, as the paper words it."""

    def __init__(self, k, by_variance):
        self.k, self.by_variance = k, by_variance
        self.measured, self.won = [], []

    def of(self, measure, won):
        n, result = len(self.measured), 0
        mean = sum(self.measured) / n if n else 0
        s = math.sqrt(sum((m - mean) ** 2 for m in self.measured) / (n - 1)) if n > 1 else 0
        if s > 0:
            products = [w * m for w, m in zip(self.won, self.measured, strict=True)]
            centre = sum(products) / n
            cov = (
                sum((p - centre) * (m - mean) for p, m in zip(products, self.measured, strict=True))
                / n
            )
            alpha = abs(cov) / (s * s if self.by_variance else s)
            result = alpha * math.tanh(self.k * (measure - mean) / s / 2)
        self.measured.append(measure)
        self.won.append(won)
        return result


@pytest.mark.parametrize("by, reach", [("deviation", 6), ("variance", 3)])
@pytest.mark.parametrize("view", ["first", "winner"])
@pytest.mark.parametrize("rule", ["rb", "qb", "rqb"])
@pytest.mark.parametrize("game", GAMES)
def test_bonuses_follow_length_and_quality_of_the_playouts_before(game, rule, view, by, reach):
    views = {} if rule == "rb" else dict(bonus_view=view)
    settings = dict(reward=rule, steepness=1.0, bonus_by=by, playouts=300, **views)
    searcher = searcher_of(game, **settings)
    length, quality = Bonus(1, by == "variance"), Bonus(1, by == "variance")
    kinds = searcher.game
    largest = max(kinds.bound(searcher.buffers["root"], player) for player in (0, 1))
    for value, states in values_of(searcher, 300):
        won = kinds.rules[4](states[-1]) - 1
        expected = won
        if rule != "qb":
            moves = int(searcher.buffers["control"][search.LENGTH])
            expected += expected * length.of(-moves, won == 1)
        if rule != "rb":
            lead = 240 * kinds.evaluate(states[-1]) // largest / 240
            lead = -lead if view == "winner" and won < 0 else lead
            expected += expected * quality.of(lead, won == 1)
        expected = max(-(2**reach), min(2**reach, expected))
        assert value * 2**reach == pytest.approx(expected, abs=0.03, rel=0.01)


def test_hp_divides_by_the_bound_of_each_nodes_own_position(toys):
    searcher = seams.searcher_of("crossing", "uct", 400, dict(playouts=300, reward="hp"))
    _, moves, play, _, _ = searcher.game.rules
    game, listed = searcher.game, searcher.buffers["moves"].copy()
    searcher.start()
    sums = {}
    bounds = set()
    for _ in range(300):
        searcher.run(1)
        control, path, work = searcher.arrays("control path work")
        lead = int(work[7]) - int(work[8])
        state = searcher.buffers["root"].copy()
        mover = 1
        for i in range(int(control[search.NODES])):
            node = int(path[i])
            if i:
                mover = int(state[0])
                moves(state, listed)
                play(state, int(listed[searcher.buffers["node_move"][node]]))
            bound = game.bound(state, 0 if lead > 0 else 1)
            bounds.add(bound)
            share = max(-1, min(1, lead / bound)) * (1 if mover == 0 else -1)
            sums[node] = sums.get(node, 0) + (1 + share) / 2
    assert len(bounds) > 4
    for node, total in sums.items():
        visits = int(searcher.buffers["node_visits"][node])
        assert abs(tree.value_of(searcher._tree, node) / WIDE - total) <= visits / WIDE


def weight(base, power):
    return min(base**-power, 10000)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "settings",
    [
        dict(),
        dict(wp_index=1),
        dict(wp_relative=True),
        dict(wp_near=0.1, wp_far=0.5),
        dict(wp_near=1.0, wp_far=2.0, playout_limit=6),
    ],
)
def test_wp_is_the_weighted_mean_of_every_second_position(game, settings):
    searcher = searcher_of(game, reward="wp", playouts=120, **settings)
    config, evaluate = searcher.config, searcher.game.evaluate
    largest = max(searcher.game.bound(searcher.buffers["root"], player) for player in (0, 1))
    for value, states in values_of(searcher, 120):
        seen = states[1 : (config.playout_limit or len(states)) + 1 : 2] or states
        first, last = config.wp_index, 1 - config.wp_index
        weights = [
            weight(config.wp_near, i + first) + weight(config.wp_far, len(seen) - 1 - i + last)
            for i in range(len(seen))
        ]
        mean = sum(w * evaluate(s) for w, s in zip(weights, seen, strict=True)) / sum(weights)
        mean -= evaluate(states[0]) if config.wp_relative else 0
        assert abs(2 * value - max(-2, min(2, mean / largest))) < 0.003


def test_wp_weighs_the_first_position_most_and_by_the_papers_index_the_last():
    def shares(index):
        near, far = wp.weights(10.0, index), wp.weights(10.0, 1 - index)
        total = sum(near) + sum(far)
        return near[0] / total, far[0] / total

    assert shares(0) == pytest.approx((0.818, 0.082), abs=0.001)
    assert shares(1) == pytest.approx((0.082, 0.818), abs=0.001)


# FAP


def segment(t, playouts, segments, lengths):
    if lengths == "linear":
        return (t - 1) // (playouts // segments) + 1
    least = 2**segments - 1
    return 1 + sum(Fraction(playouts * 2**i, least) <= t for i in range(1, segments + 1))


@pytest.mark.parametrize("lengths", ["linear", "exponential"])
@pytest.mark.parametrize("segments", [5, 10, 100])
def test_fap_counts_a_playout_as_often_as_its_segment_says(segments, lengths):
    settings = dict(fap_segments=segments, fap_lengths=lengths)
    searcher = searcher_of("ttt4", variant="fap", playouts=1000, **settings)
    searcher.start()
    total = 0
    for t in range(1, 1001):
        searcher.run(1)
        total += segment(t, 1000, segments, lengths)
        root = int(searcher.buffers["pools"][tree.ROOT])
        assert int(searcher.buffers["node_extra"][root]) == total
    if lengths == "exponential":  # the means of COMPARISON's setting
        assert total / 1000 == pytest.approx({5: 4.03, 10: 9.01, 100: 99.0}[segments], abs=0.03)


@pytest.mark.parametrize("factors", ["linear", "exponential"])
@pytest.mark.parametrize("segments", [4, 10])
def test_fap_chooses_by_weighted_counts(segments, factors):
    settings = dict(fap_segments=segments, fap_factors=factors, fap_lengths="linear")
    searcher = searcher_of("othello", variant="fap", playouts=1000, **settings)
    totals, seen, before = searcher.buffers["node_totals"], 0, {}
    for _, weighed, children, chosen in choices(searcher, 999):
        if before:  # the sums as they were
            scores = {
                k: before[k] / (2 * w) + math.sqrt(math.log(weighed) / w)
                for k, (_, _, w) in children.items()
            }
            assert scores[chosen] > max(scores.values()) - 0.002
        before = {k: int(totals[k]) for k in children}
        seen += 1
    assert seen > 900


def test_halving_all_weights_leaves_no_mean_above_a_win():
    settings = dict(fap_segments=50, fap_factors="exponential", fap_lengths="linear")
    searcher = searcher_of("ttt3", variant="fap", playouts=1000, **settings)
    kept = searcher.buffers["reward"]
    searcher.start()
    playouts = 0
    while searcher.run(1):
        playouts += 1
        if playouts % 10 == 0:
            check(searcher)
        root = int(searcher.buffers["pools"][tree.ROOT])
        assert searcher.buffers["node_totals"][root] <= 2 * searcher.buffers["node_extra"][root]
    assert int(kept[fap._HALVINGS]) == 49 - 14


# What is refused


def test_what_a_variant_needs_and_lacks_is_refused_by_name(toys, monkeypatch):
    with pytest.raises(BadInput, match="backup fap must know the number of playouts: give playout"):
        searcher_of("ttt3", variant="fap")
    with pytest.raises(BadInput, match="backup fap is for uct, uct2, uctr and uctr2, not tuned"):
        Budget().ledger(load("ttt3"), Config.tolerant("tuned", backup="fap", playouts=9))
    with pytest.raises(BadInput, match="backup fap counts wins, draws and losses: leave out rewar"):
        searcher_of("ttt3", variant="fap", playouts=9, reward="hp")
    with pytest.raises(
        BadInput, match="reward rb goes beyond a loss and a win: use it with uct, n"
    ):
        searcher_of("ttt3", "grave", reward="rb")
    with pytest.raises(BadInput, match=r"reward wp goes .*: root_policy voi cannot use it"):
        searcher_of("ttt3", variant="wp", root_policy="voi")
    with pytest.raises(
        BadInput, match="reward wp makes playouts of its own: give playout_policy u"
    ):
        searcher_of("ttt3", variant="wp", playout_policy="mast")
    from toys import again

    monkeypatch.setattr(again.Game, "evaluate", None)
    for name in ("sigmoid", "qb", "rqb", "hp", "wp"):
        with pytest.raises(BadInput, match="reward %s needs a game that can evaluate, wh" % name):
            seams.searcher_of("again", "uct", 60, dict(variant=name))


def test_settings_of_parts_that_are_not_there_are_refused():
    with pytest.raises(BadInput, match="uct does not use root_epsilon, which is for root policy e"):
        Config("uct", root_epsilon=0.5)
    with pytest.raises(BadInput, match="uct does not use wp_near, which is for reward wp"):
        Config("uct", wp_near=2.0)
