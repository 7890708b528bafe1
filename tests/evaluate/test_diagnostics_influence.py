"""Anscombe's quartet: four systems with one Pearson, of which three are warned of."""

import numpy as np
import pytest

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics.influence import leave_one_out_pearson, pearson_warnings
from similitude.stats import pearson

# Anscombe (1973), Graphs in statistical analysis.
X = np.array([10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5])
QUARTET = {
    "line": (X, [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]),
    "parabola": (X, [9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74]),
    "outlier": (X, [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]),
    "one point": (np.array([8.0] * 7 + [19.0] + [8.0] * 3),
                  [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89]),
}  # fmt: skip


def warned(name):
    x, y = QUARTET[name]
    return pearson_warnings(Comparison.of_scores(x, np.array(y)))


def test_all_four_have_the_same_pearson():
    assert [float(pearson(x, np.array(y))) for x, y in QUARTET.values()] == pytest.approx([0.816] * 4, abs=1e-3)


def test_the_parabola_is_bent():
    assert "curvature" in {warning.kind for warning in warned("parabola")}
    assert "curvature" not in {warning.kind for warning in warned("line")}


def test_one_outlier_among_points_on_a_line_is_found():
    [warning] = [one for one in warned("outlier") if one.kind == "outliers"]
    assert warning.items == (2,)  # the point (13, 12.74)
    assert warning.words == "Pearson is 0.82, and without one item of 11 it is 1.00"


def test_one_point_that_makes_the_whole_correlation_is_found():
    [warning] = [one for one in warned("one point") if one.kind == "outliers"]
    assert warning.items == (7,)
    assert warning.words.endswith("it is undefined: the other items do not vary")


def test_leaving_one_out_from_sums_is_exact():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300) + 1000
    expected = [float(pearson(np.delete(x, i), np.delete(y, i))) for i in range(300)]
    np.testing.assert_allclose(leave_one_out_pearson(x, y), expected, atol=1e-10)


def test_an_ordinary_system_gets_no_warning():
    rng = np.random.default_rng(1)
    gold = rng.uniform(0, 5, 1000)
    assert pearson_warnings(Comparison.of_scores(gold, gold + rng.normal(0, 0.8, 1000))) == []


def test_two_heaps_are_told():
    rng = np.random.default_rng(2)
    gold = np.concatenate([rng.uniform(0, 1, 200), rng.uniform(4, 5, 200)])
    predicted = np.where(gold > 2.5, 4.5, 0.5) + rng.normal(0, 0.3, 400)
    [warning] = [one for one in pearson_warnings(Comparison.of_scores(gold, predicted)) if one.kind == "halves"]
    assert "two clusters" in warning.words


def test_too_few_items_say_nothing():
    assert pearson_warnings(Comparison.of_scores(np.arange(5.0), np.array([0, 0, 0, 0, 9.0]))) == []
