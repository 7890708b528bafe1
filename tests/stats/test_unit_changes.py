"""Influence of items on correlations, and correlations without units of items, against figures computed anew."""

import numpy as np
import pytest

from similitude.stats import Units, pearson, spearman
from similitude.stats.influence import pearson_influence, spearman_influence
from similitude.stats.unit_changes import pearson_changes, spearman_changes

NAN = np.nan


def weighted(x, y, weights, *, ranks: bool) -> float:
    """The correlation of a weighted sample, from its definition."""
    p = weights / weights.sum()
    if ranks:
        x, y = ((np.less.outer(side, side).T + 0.5 * np.equal.outer(side, side)) @ p for side in (x, y))
    x, y = x - p @ x, y - p @ y
    return float(p @ (x * y) / np.sqrt((p @ x**2) * (p @ y**2)))


def derivative(x, y, place: int, *, ranks: bool, step: float = 1e-6) -> float:
    n = x.size
    more = np.full(n, (1 - step) / n)
    more[place] += step
    return (weighted(x, y, more, ranks=ranks) - weighted(x, y, np.ones(n), ranks=ranks)) / step


@pytest.fixture
def rows():
    """Three rows of 30 items with ties."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, (3, 30)).astype(float)
    return x, x + rng.integers(0, 4, (3, 30))


@pytest.mark.parametrize(
    ("influence", "correlation", "ranks"), [(pearson_influence, pearson, False), (spearman_influence, spearman, True)]
)
def test_influence_is_the_derivative_by_weight(rows, influence, correlation, ranks):
    x, y = rows
    found = influence(x, y)
    assert found.figure == pytest.approx(correlation(x, y), abs=1e-12)
    for row in range(3):
        expected = [derivative(x[row], y[row], place, ranks=ranks) for place in range(30)]
        assert found.of_item[row] == pytest.approx(np.array(expected), abs=1e-5)
    assert found.of_item.mean(axis=1) == pytest.approx(np.zeros(3), abs=1e-12)


def test_missing_items_have_no_influence_and_change_none(rows):
    x, y = (side.copy() for side in rows)
    x[0, :4], y[0, 20], y[2, 7:25] = NAN, NAN, NAN
    found = spearman_influence(x, y)
    for row in range(3):
        there = ~np.isnan(x[row] + y[row])
        alone = spearman_influence(x[row, there], y[row, there])
        assert found.figure[row] == pytest.approx(float(alone.figure), abs=1e-12)
        assert found.of_item[row, there] == pytest.approx(alone.of_item, abs=1e-12)
        assert (found.of_item[row, ~there] == 0).all()


def test_a_constant_row_is_undefined_and_does_not_touch_the_others(rows):
    x, y = (side.copy() for side in rows)
    x[1], y[2] = 1.0, 2.0
    for influence in (spearman_influence, pearson_influence):
        found = influence(x, y)
        assert np.isnan(found.figure).tolist() == [False, True, True]
        assert np.isnan(found.of_item[1:]).all()
        assert found.of_item[0] == pytest.approx(influence(x[0], y[0]).of_item, abs=1e-12)


def left_out(correlation, x, y, unit) -> np.ndarray:
    """The change of the correlation of one row without each unit, computed anew."""
    there = ~np.isnan(x + y)
    whole = correlation(x[there], y[there])
    kept = [there & (unit != number) for number in range(unit.max() + 1)]
    return np.array([correlation(x[items], y[items]) - whole for items in kept])


@pytest.mark.parametrize("unit", [np.arange(30), np.arange(30) % 7, np.repeat(np.arange(3), [20, 1, 9])])
def test_pearson_without_each_unit_is_exact(rows, unit):
    x, y = (side.copy() for side in rows)
    x[0, :4], y[2, 25:] = NAN, NAN
    units = Units(30) if unit.max() == 29 else Units.of_groups(unit)
    found = pearson_changes(x, y, units)
    assert found.change.shape == (3, unit.max() + 1)
    for row in range(3):
        expected = left_out(pearson, x[row], y[row], unit)
        assert found.change[row] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("unit", [np.arange(400), np.arange(400) // 4])
def test_spearman_without_each_unit_is_right_to_first_order(unit):
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=(2, 400)), 1)
    y = np.round(x + rng.normal(size=(2, 400)), 1)
    y[1, :40] = NAN
    units = Units(400) if unit.max() == 399 else Units.of_groups(unit)
    found = spearman_changes(x, y, units)
    for row in range(2):
        expected = left_out(spearman, x[row], y[row], unit)
        apart = found.change[row] - expected
        assert np.corrcoef(found.change[row], expected)[0, 1] > 0.9995
        assert apart.std() < 0.02 * expected.std()
        assert found.change[row].std() == pytest.approx(expected.std(), rel=0.01)


def test_a_row_that_is_one_unit_has_no_figure_without_it():
    x, y = np.array([[1.0, 2.0, 3.0, NAN]]), np.array([[1.0, 3.0, 2.0, 4.0]])
    units = Units.of_groups(np.array([0, 0, 0, 1]))
    assert np.isnan(spearman_changes(x, y, units).change).tolist() == [[True, False]]
    assert np.isnan(pearson_changes(x, y, units).change).tolist() == [[True, False]]
    assert spearman_changes(x, y, units).change[0, 1] == 0
    assert pearson_changes(x, y, units).change[0, 1] == pytest.approx(0)


def test_figures_alone(rows):
    x, y = (side.copy() for side in rows)
    for changes, correlation in ((pearson_changes, pearson), (spearman_changes, spearman)):
        found = changes(x, y, None)
        assert found.figure == pytest.approx(correlation(x, y), abs=1e-12)
        assert found.change.shape == (3, 0)
    x[0, 0] = NAN
    for changes, correlation in ((pearson_changes, pearson), (spearman_changes, spearman)):
        found = changes(x, y, None)
        assert found.figure[0] == pytest.approx(float(correlation(x[0, 1:], y[0, 1:])), abs=1e-12)
        assert found.change.shape == (3, 0)


def test_rows_without_items_are_undefined():
    nothing = np.full((1, 3), NAN)
    for changes in (pearson_changes, spearman_changes):
        assert np.isnan(changes(nothing, nothing, Units(3)).figure).all()


def test_rounding_does_not_lead_beyond_one():
    x = np.random.default_rng(5).normal(size=(200, 17))
    for influence in (pearson_influence, spearman_influence):
        assert (influence(x, x).figure <= 1).all()
        assert (influence(x, -x).figure >= -1).all()


def test_infinite_scores_have_ranks():
    """Ranks 1, 2, 3 and 3, 1, 2: rho is 1 - 6 (4 + 1 + 1) / 24 = -1/2."""
    found = spearman_influence(np.array([-np.inf, 0.0, np.inf]), np.array([np.inf, 1.0, 2.0]))
    assert found.figure == pytest.approx(-0.5)
    rows = np.array([[-np.inf, 0.0, np.inf]]), np.array([[np.inf, 1.0, 2.0]])
    assert spearman_changes(*rows, None).figure == pytest.approx([-0.5])
    assert np.isfinite(spearman_changes(*rows, Units(3)).change).all()


def test_single_precision_is_standardised_in_double():
    x, y = np.random.default_rng(0).normal(size=(2, 50)).astype(np.float32)
    found = pearson_influence(x, y).figure
    assert abs(found - np.corrcoef(x.astype(np.float64), y.astype(np.float64))[0, 1]) < 1e-14


def test_pearson_is_as_exact_far_from_0_and_near_it(rows):
    """Sums of squares would cancel if rows were not centred, each around the mean of the items that are there."""
    x, y = (side.copy() for side in rows)
    y[2, 10:], unit = NAN, np.arange(30) % 7
    units = Units.of_groups(unit)
    expected = pearson_changes(x, y, units)
    for far in (x + np.array([[1e9], [-1e9], [3e9]]), 1e-9 * x):
        for found in (pearson_changes(far, y, units), pearson_changes(y, far, units)):
            assert found.figure == pytest.approx(expected.figure, abs=1e-6)
            assert found.change == pytest.approx(expected.change, abs=1e-6)


def test_one_item_alone_has_no_rho():
    """Without the first two items one is left; without the last, -(-.75) / 2 (see the example of influence values)."""
    found = spearman_changes(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]]), Units.of_groups(np.array([0, 0, 1])))
    assert found.change[0] == pytest.approx([NAN, 0.375], nan_ok=True)
