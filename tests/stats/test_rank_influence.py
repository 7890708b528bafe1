"""Influence values of rank correlations, held against the definition."""

import numpy as np
import pytest

from similitude.stats.correlation import kendall, spearman
from similitude.stats.levels import Levels
from similitude.stats.rank_influence import (
    kendall_influence,
    kendall_shrinkage,
    right_minus_wrong,
    spearman_influence,
)
from similitude.stats.wavelet_matrix import smaller_in_prefix


def sides(kind: str, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    if kind != "no ties":
        x = np.round(x)
    if kind == "ties on both sides":
        y = np.round(y)
    return x, y


KINDS = ("no ties", "ties on one side", "ties on both sides")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("correlation", "influence"), [(spearman, spearman_influence), (kendall, kendall_influence)])
def test_influence_is_the_derivative_towards_one_item(correlation, influence, kind: str):
    """Every item 500 times, and one of them once more for each item: a share of 1/501 of the weight."""
    x, y = sides(kind)
    found = influence(Levels.of(x), Levels.of(y))
    assert found.mean() == pytest.approx(0, abs=1e-12)
    many = np.repeat(np.arange(40), 500)
    plain = correlation(x[many], y[many])
    for item in range(0, 40, 7):
        drawn = np.append(many, np.repeat(item, 40))
        assert (correlation(x[drawn], y[drawn]) - plain) * 501 == pytest.approx(found[item], abs=5e-3)


def test_three_items_by_hand():
    # ranks 1 2 3 and 1 3 2: rho = 1/2, tau = 1/3
    # tau: the items have 2, 0 and 0 right minus wrong, a third of it 2/3 0 0 with mean 2/9; no ties, 2/3 of all 9 pairs
    # (an item with itself included) are apart: 2 (2/3 - 2/9) / (2/3) = 4/3, 2 (0 - 2/9) / (2/3) = -2/3
    x, y = Levels.of(np.array([1.0, 2.0, 3.0])), Levels.of(np.array([1.0, 3.0, 2.0]))
    assert right_minus_wrong(x, y).tolist() == [2, 0, 0]
    assert kendall_influence(x, y) == pytest.approx([4 / 3, -2 / 3, -2 / 3])


@pytest.mark.parametrize("kind", KINDS)
def test_right_minus_wrong_counts_pairs(kind: str):
    x, y = sides(kind, 60)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    assert right_minus_wrong(Levels.of(x), Levels.of(y)).tolist() == signs.sum(axis=1).tolist()


@pytest.mark.parametrize("influence", [spearman_influence, kendall_influence])
def test_a_constant_side_has_no_influence_values(influence):
    constant, other = Levels.of(np.ones(5)), Levels.of(np.arange(5.0))
    assert np.isnan(influence(constant, other)).all()
    assert np.isnan(influence(other, constant)).all()


def test_the_spread_of_tau_is_found_where_tau_is_high_and_items_are_few():
    """The standard deviation of tau over samples, against the standard errors, shrunk and not."""
    rng, taus, plain, shrunk = np.random.default_rng(0), [], [], []
    for _ in range(1500):
        x = rng.normal(size=20)
        y = x + 0.3 * rng.normal(size=20)
        levels = Levels.of(x), Levels.of(y)
        taus.append(float(kendall(x, y)))
        found = kendall_influence(*levels)
        plain.append(np.square(found).sum() / (20 * 19))
        shrunk.append(plain[-1] * kendall_shrinkage(found, taus[-1]) ** 2)
    assert np.sqrt(np.mean(plain)) / np.std(taus) > 1.15
    assert np.sqrt(np.mean(shrunk)) / np.std(taus) == pytest.approx(1.06, abs=0.04)


def test_shrinkage_by_hand():
    # tau 1/3 of three items, influence 4/3 -2/3 -2/3: b = (16 + 4 + 4)/9 / 6 = 4/9, c = (1 - 1/9) / 9 = 8/81, c/b = 2/9
    assert kendall_shrinkage(np.array([4 / 3, -2 / 3, -2 / 3]), 1 / 3) == pytest.approx(1 / np.sqrt(11 / 9))
    assert kendall_shrinkage(np.zeros(4), 1.0) == 1


def test_smaller_values_in_prefixes_are_counted():
    rng = np.random.default_rng(0)
    values, lengths = rng.integers(0, 37, 200), rng.integers(0, 201, 200)
    expected = [int((values[:length] < value).sum()) for value, length in zip(values, lengths, strict=True)]
    assert smaller_in_prefix(values, lengths).tolist() == expected
    assert smaller_in_prefix(np.zeros(3, dtype=int), np.array([0, 1, 3])).tolist() == [0, 0, 0]
    assert smaller_in_prefix(np.zeros(0, dtype=int), np.zeros(0, dtype=int)).size == 0
