"""Resamples as weights against the same items written out, and scipy on them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from similitude.stats import (
    Ordering,
    discounts,
    levels_by_row,
    pearson_features,
    pearson_from_sums,
    weighted_kendall,
    weighted_normalised_gain,
    weighted_spearman,
    weighted_sums,
)


def levels(values):
    return levels_by_row(Ordering(np.asarray(values, dtype=float)))


def written_out(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.repeat(values, counts.astype(int), axis=-1)


def test_spearman_by_hand():
    # gold 1 2 3, system 1 3 2, the last item drawn twice: gold 1 2 3 3 has ranks 1 2 3.5 3.5, the system's 1 3 2 2
    # ranks 1 4 2.5 2.5; deviations from 2.5: -1.5 -.5 1 1 and -1.5 1.5 0 0; products 2.25 - .75 = 1.5, squares 4.5, 4.5
    weights = np.array([[1.0, 1.0, 2.0]])
    (gold,), rows = levels([1, 2, 3]), levels([[1, 3, 2]])
    assert weighted_spearman(weights, gold, rows)[0, 0] == pytest.approx(1.5 / 4.5, abs=1e-15)


def test_kendall_by_hand():
    # the same four: pairs 12 right, 13 14 right, 23 24 wrong, 34 tied on both sides: (3 - 2) / sqrt(5 * 5)
    weights = np.array([[1.0, 1.0, 2.0]])
    (gold,), rows = levels([1, 2, 3]), levels([[1, 3, 2]])
    assert weighted_kendall(weights, gold, rows)[0, 0] == pytest.approx(1 / 5, abs=1e-15)


def test_gain_by_hand():
    # gold 4 0 1, the first two tied for the system and drawn 1 and 2 times: their mean gain is 4/3, and nCG@2 collects
    # 2 * 4/3 of the best 4 + 1; nDCG@3 collects 4/3 (1 + 1 + 1/log2 3) of 4 + 1 + 0
    weights, gains = np.array([[1.0, 2.0, 1.0]]), np.array([4.0, 0.0, 1.0])
    rows, (ideal,) = [row.reversed() for row in levels([[2, 2, 1]])], levels(gains)
    found = weighted_normalised_gain(weights, gains, rows, ideal.reversed(), [2], discounted=False)
    assert found[0, 0] == pytest.approx(8 / 15, abs=1e-15)
    found = weighted_normalised_gain(weights, gains, rows, ideal.reversed(), [3], discounted=True)
    assert found[0, 0] == pytest.approx(4 / 3 * (2 + 1 / np.log2(3)) / 5, abs=1e-15)


def test_gain_is_undefined_where_nothing_can_be_gained():
    gains = np.array([0.0, 1.0])
    rows, (ideal,) = levels([[1, 2]]), levels(gains)
    found = weighted_normalised_gain(np.array([[2.0, 0.0]]), gains, rows, ideal.reversed(), [None], discounted=True)
    assert np.isnan(found).all()


CASES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        *(st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)),
        st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any),
    )
)


@settings(max_examples=150, deadline=None)
@given(CASES)
def test_rank_correlations_are_those_of_scipy_on_the_items_written_out(case):
    gold, system, counts = (np.array(part, dtype=float) for part in case)
    long = written_out(gold, counts), written_out(system, counts)
    (x,), y = levels(gold), levels([system])
    spearman, kendall = (f(counts[None], x, y)[0, 0] for f in (weighted_spearman, weighted_kendall))
    if any(np.ptp(side) == 0 for side in long):
        assert np.isnan(spearman)
        assert np.isnan(kendall)
    else:
        assert spearman == pytest.approx(scipy_stats.spearmanr(*long).statistic, abs=1e-12)
        assert kendall == pytest.approx(scipy_stats.kendalltau(*long).statistic, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(CASES, st.integers(1, 15))
def test_gain_without_ties_is_that_of_the_items_written_out(case, k):
    gold, _, counts = (np.array(part, dtype=float) for part in case)
    system = np.arange(gold.size, dtype=float)
    long = written_out(gold, counts)[::-1][:k]
    best = np.sort(written_out(gold, counts))[::-1][:k]
    worth = discounts(len(long))
    rows, (ideal,) = [row.reversed() for row in levels([system])], levels(gold)
    found = weighted_normalised_gain(counts[None], gold, rows, ideal.reversed(), [k], discounted=True)[0, 0]
    expected = long @ worth / (best @ worth) if best @ worth > 0 else np.nan
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_pearson_is_that_of_the_items_written_out():
    rng = np.random.default_rng(0)
    x, y, weights = rng.normal(size=20), rng.normal(5, 1, (3, 20)), rng.integers(0, 4, (6, 20)).astype(float)
    found = pearson_from_sums(weighted_sums(pearson_features(x, y), weights))
    for row in range(3):
        for resample, counts in enumerate(weights):
            expected = np.corrcoef(written_out(x, counts), written_out(y[row], counts))[0, 1]
            assert found[row, resample] == pytest.approx(expected, abs=1e-12)


def test_pearson_does_not_pretend_to_know_what_cancelled():
    x = np.array([1.0, 2.0, 3.0])
    only_one = np.array([[3.0, 0.0, 0.0]])
    assert np.isnan(pearson_from_sums(weighted_sums(pearson_features(x, x[None]), only_one))).all()


@pytest.mark.parametrize("exponent", [-1000, -600, 600, 1020])
def test_pearson_of_very_large_and_small_values_is_that_of_others(exponent: int):
    x, y = np.arange(5.0), np.array([[1.0, 0.5, 3.0, 2.0, 6.0]])
    weights = np.array([[1.0, 1, 1, 1, 1], [2.0, 0, 1, 1, 1]])
    one, other = (
        pearson_from_sums(weighted_sums(pearson_features(x, row), weights)) for row in (y, np.ldexp(y, exponent))
    )
    np.testing.assert_array_equal(one, other)


def test_the_layout_of_the_weights_does_not_matter():
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, (5, 30)).astype(float)
    (gold,), rows = levels(rng.normal(size=30)), levels(rng.normal(size=(2, 30)))
    other = np.asfortranarray(weights)
    assert (weighted_spearman(weights, gold, rows) == weighted_spearman(other, gold, rows)).all()
    assert (weighted_kendall(weights, gold, rows) == weighted_kendall(other, gold, rows)).all()


@pytest.mark.parametrize("turned", [False, True])
def test_sums_that_keep_a_millionth_of_their_squares_are_a_spread(turned: bool):
    def r(spread: float) -> float:
        """Means 100 and 0, the spread of one side, 1 for the other, and a mean product of 0.05."""
        one, other = (100.0, 1e4 + spread), (0.0, 1.0)
        (x, xx), (y, yy) = (other, one) if turned else (one, other)
        return float(pearson_from_sums(2 * np.array([1.0, x, y, xx, yy, 0.05])))

    assert r(0.02) == pytest.approx(0.05 / np.sqrt(0.02))
    assert np.isnan(r(0.005))


def test_each_row_is_centred_by_itself():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([[1e9 + 1, 1e9 + 3, 1e9 + 2], [1.0, 3.0, 2.0]])
    features = pearson_features(x, y)
    assert features[0].tolist() == features[1].tolist()
    assert features[0].tolist() == [[1, 1, 1], [-1, 0, 1], [-1, 1, 0], [1, 0, 1], [1, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize("number", [2, 3])
def test_kendall_of_the_same_and_of_the_opposite_order_is_exactly_one(number: int):
    """With rounding alone, 3 pairs would make 3 / sqrt(3) / sqrt(3) = 1.0000000000000002; 2 items make one pair."""
    (gold,), rows = levels(np.arange(number)), levels([np.arange(number), -np.arange(number)])
    assert weighted_kendall(np.ones((1, number)), gold, rows).tolist() == [[1.0], [-1.0]]


def test_pearson_stays_within_its_range():
    """With rounding alone, some of these would be 1.0000000000000002."""
    x = np.random.default_rng(0).normal(size=7)
    weights = np.random.default_rng(1).integers(1, 4, (500, 7)).astype(float)
    for slope in (3.0, -0.7):
        r = pearson_from_sums(weighted_sums(pearson_features(x, slope * x[None] + 0.1), weights))
        assert np.abs(r).max() == 1.0
        np.testing.assert_allclose(r, np.sign(slope), rtol=1e-12)


def test_a_gain_needs_something_to_be_gained():
    """Half a point is something; 0 is nothing, and -1 of it neither."""
    found = []
    for gains in ([0.0, 0.5], [-1.0, 0.0]):
        rows, (ideal,) = [row.reversed() for row in levels([[2, 1]])], levels(gains)
        arguments = (np.ones((1, 2)), np.array(gains), rows, ideal.reversed(), [1])
        found.append(weighted_normalised_gain(*arguments, discounted=False)[0, 0])
    assert found == pytest.approx([0.0, np.nan], nan_ok=True)


def few_draws() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gold and a system with ties, and resamples of different sizes."""
    weights = np.array([[1, 9, 0, 2, 1, 1], [1, 1, 1, 1, 0, 0], [3, 0, 7, 2, 2, 8]])
    return np.array([1.0, 1.0, 2.0, 3.0, 3.0, 4.0]), np.array([2.0, 1.0, 1.0, 1.0, 5.0, 4.0]), weights


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.uint8])
def test_resamples_are_computed_each_by_itself(kind):
    gold, system, weights = few_draws()
    long = [(written_out(gold, counts), written_out(system, counts)) for counts in weights]
    (x,), y = levels(gold), levels([system])
    spearman = weighted_spearman(weights.astype(kind), x, y)[0]
    assert spearman == pytest.approx([scipy_stats.spearmanr(*sides).statistic for sides in long], abs=1e-12)
    kendall = weighted_kendall(weights.astype(kind), x, y)[0]
    assert kendall == pytest.approx([scipy_stats.kendalltau(*sides).statistic for sides in long], abs=1e-12)


def test_gains_of_resamples_of_different_sizes():
    gold, _, weights = few_draws()
    rows, (ideal,) = [row.reversed() for row in levels([np.arange(6.0)[::-1]])], levels(gold)
    found = weighted_normalised_gain(weights, gold, rows, ideal.reversed(), [None], discounted=True)[0]
    for counts, gain in zip(weights, found, strict=True):
        drawn, worth = written_out(gold, counts), discounts(counts.sum())
        assert gain == pytest.approx(drawn @ worth / (np.sort(drawn)[::-1] @ worth), abs=1e-12)


@pytest.mark.parametrize("turn", [1, -1])
def test_spearman_stays_within_its_range(turn: int):
    """Cubes of a million draws have more digits than a double: with rounding alone, some would be beyond 1."""
    weights = np.random.default_rng(0).integers(1, 10**6, (500, 5)).astype(float)
    (gold,), rows = levels(np.arange(5.0)), levels([turn * np.arange(5.0)])
    rho = weighted_spearman(weights, gold, rows)
    assert np.abs(rho).max() == 1.0
    np.testing.assert_allclose(rho, turn, rtol=1e-9)
