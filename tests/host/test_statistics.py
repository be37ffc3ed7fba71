"""Win rates, Elo and the sequential test, against values that others published.

Oracles: R's packages binom (binom.agresti.coull) and RSurveillance, C. R. Bilder and T. M.
Loughin, "Analysis of Categorical Data with R" (a difference), and the tests of fastchess, a
program for matches between chess engines.
"""

import random
from math import inf

import pytest
from picograve_host.rating import (
    EQUAL,
    PERHAPS_STRONGER,
    PERHAPS_WEAKER,
    STRONGER,
    WEAKER,
    Rate,
    Sprt,
    agresti_coull,
    difference,
    elo,
    games_to_decide,
    pair_variance,
    paired_rate,
    pairs_of,
    verdict,
    win_rate,
)


@pytest.mark.parametrize(
    "points,games,low,high",
    [
        (0, 10, -0.043354506, 0.3208873),
        (1, 10, -0.003941498, 0.4259677),
        (2, 10, 0.045887270, 0.5206324),
        (3, 10, 0.103338418, 0.6076747),
        (25, 200, 0.08558957, 0.1785444),
        (50, 200, 0.19489935, 0.31452332),
    ],
)
def test_the_interval_is_that_of_published_packages(points, games, low, high):
    centre, half = agresti_coull(points, games)
    assert (centre - half, centre + half) == pytest.approx((low, high), abs=1e-7)


def test_the_interval_of_a_difference_is_that_of_a_published_example():
    one, other = [2] * 251 + [0] * 34, [2] * 48 + [0] * 5
    low, high = -0.10353254, 0.07781192
    assert difference(one, other)[1:] == pytest.approx((low, high), abs=1e-7)
    assert difference(other, one)[1:] == pytest.approx((-high, -low), abs=1e-7)
    assert difference(one, other).rate == pytest.approx(251 / 285 - 48 / 53)


def test_a_difference_counts_draws_as_half_and_needs_games_of_both():
    assert difference([1] * 40, [2, 0] * 20) == difference([2, 0] * 20, [1] * 40)
    assert difference([2], [0]) == (1, pytest.approx(-0.421, abs=0.001), 1)
    assert difference([2], []) is None


def test_a_win_rate_counts_half_points():
    rate = win_rate([2] * 40 + [1] * 20 + [0] * 140)  # 50 points of 200
    assert rate == pytest.approx((0.25, 0.19489935, 0.31452332), abs=1e-7)


def test_a_win_rate_stays_within_0_and_1():
    assert win_rate([0] * 10) == (0, 0, pytest.approx(0.3208873, abs=1e-7))
    assert win_rate([2] * 10) == (1, pytest.approx(1 - 0.3208873, abs=1e-7), 1)


def test_no_games_have_no_win_rate():
    assert win_rate([]) is None


def test_elo_is_that_of_fastchess():
    assert elo((136 + 111 / 2) / (136 + 96 + 111)) == pytest.approx(40.70, abs=0.005)


def test_elo_of_three_quarters_is_190_point_8():
    assert elo(0.75) == pytest.approx(190.8, abs=0.05)


def test_elo_is_symmetric_and_without_bounds():
    assert elo(0.5) == 0
    for rate in (0.01, 0.3, 0.49):
        assert elo(rate) == pytest.approx(-elo(1 - rate))
    assert (elo(0), elo(1)) == (-inf, inf)


@pytest.mark.parametrize(
    "wins,losses,draws,elo0,elo1,ratio",
    [
        (21404, 21184, 40708, 0.5, 2.5, -1.57),
        (57433, 57030, 106593, 0, 2, -2.59),
    ],
)
def test_the_likelihood_ratio_is_that_of_fastchess(wins, losses, draws, elo0, elo1, ratio):
    sprt = Sprt(elo0, elo1)
    assert sprt.log_likelihood_ratio([losses, draws, wins]) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    "pairs,elo0,elo1,ratio",
    [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0, 2, -4.98),
    ],
)
def test_the_likelihood_ratio_of_pairs_is_that_of_fastchess(pairs, elo0, elo1, ratio):
    assert Sprt(elo0, elo1).log_likelihood_ratio(pairs) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize(
    "pairs,difference,error",
    [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ],
)
def test_the_interval_of_pairs_is_that_of_fastchess(pairs, difference, error):
    rate, low, high = map(elo, paired_rate(pairs))
    assert rate == pytest.approx(difference, abs=0.005)
    assert (high - low) / 2 == pytest.approx(error, rel=0.02)  # ours allows for few pairs


def test_games_are_paired_by_their_numbers_and_only_whole_pairs_count():
    numbered = [(0, 2), (1, 0), (2, 2), (3, None), (5, 0), (4, 1), (6, 2), (9, 2), (8, 2)]
    assert pairs_of(numbered) == [0, 1, 1, 0, 1]
    assert pairs_of([]) == [0] * 5
    assert paired_rate([0] * 5) is None


def test_pairs_that_are_even_narrow_the_interval_and_pairs_that_agree_widen_it():
    even, apart = paired_rate([5, 0, 40, 0, 5]), paired_rate([25, 0, 0, 0, 25])
    alone = win_rate([2, 0] * 50)
    assert alone.low < even.low and even.high < alone.high
    assert apart.low < alone.low and alone.high < apart.high
    assert paired_rate([0, 0, 0, 0, 10]) == win_rate([2] * 20)


@pytest.mark.parametrize(
    "shares", [(25, 0, 50, 0, 25), (8, 0, 84, 0, 8), (40, 0, 20, 0, 40), (5, 20, 40, 25, 10)]
)
def test_the_interval_of_pairs_holds_the_truth_in_about_19_cases_of_20(shares):
    chance = random.Random(1)
    truth = sum(total * share for total, share in enumerate(shares)) / 400
    held = 0
    for _ in range(1000):
        sums = chance.choices(range(5), shares, k=50)
        rate = paired_rate([sums.count(total) for total in range(5)])
        held += rate.low <= truth <= rate.high
    assert 930 <= held <= 980


def test_as_many_games_as_were_said_to_be_needed_decide():
    variance = pair_variance([250, 0, 500, 0, 250])
    games = games_to_decide(0.5, 0.456, variance)
    assert 450 <= games <= 510  # z^2 p q / d^2 = 496 for independent ones
    for more, decided in ((1.1, True), (0.9, False)):
        pairs = games * more / 2
        rate = paired_rate([pairs / 4, 0, pairs / 2, 0, pairs / 4])
        assert (rate.low > 0.456) == decided
    assert games_to_decide(0.5, 0.5, variance) is None


def test_the_bound_is_that_of_fastchess():
    assert Sprt(0, 5, error=0.05).bound == pytest.approx(2.94, abs=0.005)


def test_the_likelihood_ratio_is_symmetric():
    sprt = Sprt(-20, 20)
    for counts in ([7, 3, 2], [7, 1, 3, 5, 2]):
        turned = sprt.log_likelihood_ratio(counts[::-1])
        assert sprt.log_likelihood_ratio(counts) == pytest.approx(-turned)
    assert sprt.log_likelihood_ratio([0] * 5) == 0


def drawn_results(seed, difference, games, draws=0.2):
    """Half points of a player that is `difference` Elo stronger."""
    mean = 1 / (1 + 10 ** (-difference / 400))
    win = mean - draws / 2
    return random.Random(seed).choices((2, 1, 0), weights=(win, draws, 1 - win - draws), k=games)


def test_a_decision_stays_whatever_comes_later():
    sprt = Sprt(-50, 50)
    results = drawn_results(1, 100, 500)
    games, accepted = sprt.decided_after(results)
    assert accepted == 50
    assert 1 < games < 500
    assert games % 2 == 0
    assert sprt.decided_after(results[: games - 1]) is None
    for later in ([], [0] * 500, [2] * 500, [None]):
        assert sprt.decided_after(results[:games] + later) == (games, 50)


def test_a_weak_player_is_found_weak():
    assert Sprt(-50, 50).decided_after(drawn_results(1, -100, 500))[1] == -50


def test_pairs_with_a_failed_game_count_as_games_but_tell_nothing():
    sprt = Sprt(-50, 50)
    results = drawn_results(2, 100, 500)
    games, accepted = sprt.decided_after(results)
    with_failures = []
    for place in range(0, 500, 2):
        with_failures += [None, 0, *results[place : place + 2]]
    assert sprt.decided_after(with_failures) == (2 * games, accepted)
    assert sprt.decided_after([None] * 500) is None


def test_too_few_games_decide_nothing():
    assert Sprt(-20, 20).decided_after([]) is None
    assert Sprt(-20, 20).decided_after([2, 0, 1, 2]) is None


@pytest.mark.parametrize(
    "elo0,elo1,draws", [(-40, 40, 0.2), (0, 100, 0), (0, 100, 0.2), (-100, 100, 0)]
)
def test_the_test_errs_in_about_one_match_of_twenty_at_most(elo0, elo1, draws):
    sprt = Sprt(elo0, elo1)
    matches = [sprt.decided_after(drawn_results(seed, elo0, 900, draws)) for seed in range(600)]
    assert None not in matches
    assert 0 < sum(accepted == elo1 for _, accepted in matches) <= 38  # 30, and 1.5 deviations


@pytest.mark.parametrize(
    "rate,answer",
    [
        (Rate(0.47, 0.43, 0.51), EQUAL),
        (Rate(0.46, 0.30, 0.62), EQUAL),  # the ends belong to the interval
        (Rate(0.54, 0.38, 0.70), EQUAL),
        (Rate(0.45, 0.41, 0.49), PERHAPS_WEAKER),
        (Rate(0.40, 0.36, 0.46), PERHAPS_WEAKER),
        (Rate(0.40, 0.36, 0.44), WEAKER),
        (Rate(0.55, 0.51, 0.59), PERHAPS_STRONGER),
        (Rate(0.60, 0.54, 0.64), PERHAPS_STRONGER),
        (Rate(0.60, 0.56, 0.64), STRONGER),
    ],
)
def test_a_rate_is_judged_beside_the_baseline_against_itself(rate, answer):
    assert verdict(rate, Rate(0.50, 0.46, 0.54)) == answer
