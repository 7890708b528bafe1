import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.stats import left_out_correlation as module
from similitude.stats.left_out_correlation import LeftOut, MeanLeftOut, pearson_left_out, spearman_left_out

PEERS = [(pearson_left_out, scipy_stats.pearsonr), (spearman_left_out, scipy_stats.spearmanr)]


def made(sizes, step, seed=0):
    rng = np.random.default_rng(seed)
    one = rng.normal(size=sum(sizes))
    other = one + rng.normal(size=one.size)
    return (np.round(side / step) * step for side in (one, other))


def by_peer(peer, one, other):
    return np.nan if np.ptp(one) == 0 or np.ptp(other) == 0 else peer(one, other).statistic


@pytest.mark.parametrize(("figure", "peer"), PEERS)
@pytest.mark.parametrize("step", [1.0, 1e-9])
def test_equals_correlations_of_rows_written_out(figure, peer, step, monkeypatch):
    monkeypatch.setattr(module, "PAIRS", 100)
    sizes = np.array([3, 8, 25, 4, 12])
    one, other = made(sizes, step)
    found, start = figure(one, other, sizes), 0
    for place, size in enumerate(sizes):
        x, y = one[start : start + size], other[start : start + size]
        assert found.whole[place] == pytest.approx(by_peer(peer, x, y), abs=1e-12, nan_ok=True)
        expected = [by_peer(peer, np.delete(x, row), np.delete(y, row)) for row in range(size)]
        assert found.without[start : start + size] == pytest.approx(expected, abs=1e-10, nan_ok=True)
        start += size


@pytest.mark.parametrize("figure", [pearson_left_out, spearman_left_out])
def test_constant_sides_are_undefined(figure):
    one = np.array([0.1, 0.1, 0.1, 1.0, 1.0, 2.0])
    other = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    found = figure(one, other, np.array([3, 3]))
    assert np.isnan(found.whole).tolist() == [True, False]
    assert np.isnan(found.without).tolist() == [True] * 3 + [False, False, True]


def test_small_spread_far_from_zero_is_a_spread():
    one, other = 1e6 + np.array([0.001, 0.002, 0.004]), np.array([1.0, 2.0, 4.0])
    assert pearson_left_out(one, other, np.array([3])).whole[0] == pytest.approx(1.0, abs=1e-6)


def test_in_long_segments_the_estimated_term_hardly_matters(monkeypatch):
    one, other = made([1500], 0.1)
    estimated = spearman_left_out(one, other, np.array([1500])).without
    monkeypatch.setattr(module, "COUNTED_UP_TO", 1500)
    exact = spearman_left_out(one, other, np.array([1500])).without
    assert np.abs(estimated - exact).max() > 0
    assert estimated.std() == pytest.approx(exact.std(), rel=0.01)


def test_mean_over_segments_without_each_unit():
    # Unit 2 occurs in both segments, unit 9 in none; without unit 1 the second segment is undefined.
    found = LeftOut(np.array([0.5, 0.9, np.nan]), np.array([0.4, 0.6, 0.2, np.nan, 0.7, 0.1]))
    mean = MeanLeftOut(10)
    mean.add(found, np.array([2, 3, 1]), np.array([0, 2, 2, 1, 3, 5]))
    assert mean.number == 2
    assert mean.value == pytest.approx(0.7)
    # 0: .4 and .9; 1: .5 alone; 2: .6 and .2; 3: .5 and .7; unit 5 is in an undefined segment only
    assert mean.without() == pytest.approx([0.65, 0.5, 0.4, 0.6])
    assert np.isnan(MeanLeftOut(3).value)


def test_blocks_add_up():
    sizes = np.array([5, 9, 6])
    one, other = made(sizes, 0.5)
    unit = np.concatenate([np.arange(size) for size in sizes])
    whole, parts = MeanLeftOut(9), MeanLeftOut(9)
    found = pearson_left_out(one, other, sizes)
    whole.add(found, sizes, unit)
    parts.add(LeftOut(found.whole[:1], found.without[:5]), sizes[:1], unit[:5])
    parts.add(LeftOut(found.whole[1:], found.without[5:]), sizes[1:], unit[5:])
    assert parts.value == pytest.approx(whole.value)
    assert parts.without() == pytest.approx(whole.without())


def test_without_the_only_segment_there_is_no_mean():
    mean = MeanLeftOut(2)
    mean.add(LeftOut(np.array([0.5]), np.array([np.nan, 0.4])), np.array([2]), np.array([0, 1]))
    assert mean.without() == pytest.approx([np.nan, 0.4], nan_ok=True)


@pytest.mark.parametrize("figure", [pearson_left_out, spearman_left_out])
def test_two_rows_correlate_fully_and_one_row_not_at_all(figure):
    one, other = np.array([1.0, 2.0, 5.0, 7.0, 3.0]), np.array([3.0, 5.0, 2.0, 3.0, 4.0])
    found = figure(one, other, np.array([2, 1, 2]))
    assert found.whole == pytest.approx([1.0, np.nan, -1.0], nan_ok=True)
    assert np.isnan(found.without).all()


def test_where_sides_are_independent_the_estimated_rows_above_are_exact(monkeypatch):
    # Every pair of three values once. Above 1, with half of the ties and itself, are 2.5 of 3 values, above 2 1.5.
    one, other = np.repeat([1.0, 2.0, 3.0], 3), np.tile([1.0, 2.0, 3.0], 3)
    segments = module._Segments.of(np.array([9]))
    ranks = [module._Ranks(side, segments).rank for side in (one, other)]
    counted = module._above_on_both(one, other, *ranks, segments)
    monkeypatch.setattr(module, "COUNTED_UP_TO", 8)
    estimated = module._above_on_both(one, other, *ranks, segments)
    expected = np.outer([2.5, 1.5, 0.5], [2.5, 1.5, 0.5]).ravel()
    assert estimated == pytest.approx(expected)
    assert counted == pytest.approx(expected - 0.25)  # less the row itself
    monkeypatch.setattr(module, "COUNTED_UP_TO", 9)
    assert module._above_on_both(one, other, *ranks, segments) == pytest.approx(counted)


def test_a_constant_that_cannot_be_written_exactly_is_constant():
    # The mean of three times 1,000,000.1 may be off by rounding, which is no spread.
    constants = 1e6 * np.arange(1, 41) + 0.1
    found = pearson_left_out(np.repeat(constants, 3), np.tile([1.0, 2.0, 4.0], 40), np.full(40, 3))
    assert np.isnan(found.whole).all()
    assert np.isnan(found.without).all()


def test_a_segment_that_is_undefined_does_not_count_for_its_units():
    mean = MeanLeftOut(2)
    found = LeftOut(np.array([0.5, np.nan]), np.array([0.4, 0.6, 0.3, np.nan]))
    mean.add(found, np.array([2, 2]), np.array([0, 1, 0, 1]))
    assert mean.without() == pytest.approx([0.4, 0.6])


def test_correlations_stay_within_their_range():
    """With rounding alone, some of these would be 1.0000000000000002."""
    one = np.random.default_rng(0).normal(size=3500)
    for slope in (3.0, -0.7):
        found = pearson_left_out(one, slope * one + 0.1, np.full(500, 7))
        assert np.abs(np.concatenate(found)).max() == 1.0


def test_rows_above_are_counted_in_segments_of_up_to_200_rows():
    """Without a row, rho is exactly what scipy says in a segment of 200 rows, and nearly in one of 201."""
    for size, is_exact in ((200, True), (201, False)):
        one, other = made([size], 0.1)
        found = spearman_left_out(one, other, np.array([size])).without
        first = scipy_stats.spearmanr(one[1:], other[1:]).statistic
        assert (abs(found[0] - first) < 1e-12) == is_exact
        assert found[0] == pytest.approx(first, abs=1e-4)
