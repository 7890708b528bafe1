"""Anscombe's quartet: four systems with one Pearson, of which three are warned of."""

import numpy as np
import pytest
from scipy.stats import f as f_distribution

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import influence
from similitude.evaluate.diagnostics.influence import leave_one_out_pearson, pearson_warnings
from similitude.stats import pearson, spearman

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


def of_kind(kind, gold, predicted):
    found = pearson_warnings(Comparison.of_scores(np.asarray(gold, float), np.asarray(predicted, float)))
    return [warning for warning in found if warning.kind == kind]


def test_seven_items_are_too_few_to_warn():
    x, y = QUARTET["one point"]
    assert pearson_warnings(Comparison.of_scores(x[1:8], np.array(y)[1:8])) == []
    assert of_kind("outliers", x[:8], y[:8])


def test_the_second_system_is_named_by_its_place():
    x, y = QUARTET["one point"]
    both = Comparison.of_scores(x, np.array([x, y, np.ones(11)]))
    assert {warning.system for warning in pearson_warnings(both)} <= {0, 1}
    assert [warning.system for warning in pearson_warnings(both) if warning.items == (7,)] == [0, 1]


def test_one_in_a_hundred_items_may_be_left_out():
    """Of 200 items two lie far off; r without both is far higher, and they are named, the farther first."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=200)
    predicted = gold + rng.normal(0, 0.1, 200)
    predicted[[17, 90]] = gold[[17, 90]] - np.sign(gold[[17, 90]]) * [8, 6]
    (warning,) = of_kind("outliers", gold, predicted)
    assert set(warning.items) == {17, 90}
    rest = np.delete(np.arange(200), [17, 90])
    r, without = pearson(gold, predicted), pearson(gold[rest], predicted[rest])
    assert warning.words == f"Pearson is {r:.2f}, and without 2 items of 200 it is {without:.2f}"
    # of 140 items, one: a hundredth is rounded
    assert len(of_kind("outliers", gold[:140], predicted[:140])[0].items) == 1


def test_order_and_line_that_tell_different_stories():
    gold = np.arange(12.0)
    predicted = np.exp(gold)
    (warning,) = of_kind("ranks", gold, predicted)
    assert warning.words == (
        f"Pearson is {pearson(gold, predicted):.2f}, but Spearman, which depends on order alone, is 1.00"
    )
    assert of_kind("ranks", gold, gold**2) == []  # r is .96


def test_a_parabola_is_said_to_explain_more():
    """y = x^2 on -3..9: the line explains less than the parabola, which explains all."""
    gold = np.arange(-3.0, 10.0)
    (warning,) = of_kind("curvature", gold, gold**2)
    line = pearson(gold, gold**2) ** 2
    assert warning.words == f"the relation is curved: a line explains {line:.0%} of the variance, a parabola 100%"
    assert of_kind("curvature", np.repeat([0.0, 1.0], 6), np.arange(12.0) % 5) == []


def test_a_bend_that_could_be_chance_is_not_said():
    """The gain of a parabola is tested by F with 1 and n - 3 degrees of freedom, at one in a thousand."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(200):
        gold = rng.normal(size=12)
        predicted = gold + rng.normal(0, 1.5, 12)
        r = float(pearson(gold, predicted))
        design = np.stack([np.ones(12), gold, gold**2], axis=1)
        rest = predicted - design @ np.linalg.lstsq(design, predicted, rcond=None)[0]
        share = 1 - (rest @ rest) / ((predicted - predicted.mean()) @ (predicted - predicted.mean()))
        p = f_distribution.sf((share - r * r) * 9 / (1 - share), 1, 9)
        assert bool(of_kind("curvature", gold, predicted)) == (share - r * r > 0.05 and p < 0.001)
        found += share - r * r > 0.05
    assert found > 20


def test_two_clusters_without_any_order_inside():
    low, high = np.arange(8.0), np.arange(100.0, 108.0)
    gold = np.concatenate([low, high])
    inside = np.array([3, 1, 4, 1, 5, 1, 2, 3.0])
    predicted = np.concatenate([inside, 50 + inside])
    (warning,) = of_kind("halves", gold, predicted)
    r, part = pearson(gold, predicted), pearson(low, inside)
    assert warning.words == (
        f"Pearson is {r:.2f} over all items, but {part:.2f} among those with low gold and {part:.2f} among those with "
        "high gold: it separates two clusters, and little within them"
    )
    assert of_kind("halves", gold[1:], predicted[1:]) == []  # seven on one side are too few
    assert of_kind("halves", gold, np.concatenate([low, 50 + inside])) == []  # one side is in order


def test_leaving_out_what_makes_the_rest_constant():
    x = np.zeros(100)
    x[3] = 1.0
    found = leave_one_out_pearson(x, np.arange(100.0))
    assert np.isnan(found[3])
    assert np.isfinite(np.delete(found, 3)).all()
    small = leave_one_out_pearson(x[:10], np.arange(10.0))
    assert np.isnan(small).tolist() == [False, False, False, True, *[False] * 6]


def kinds(x: np.ndarray, y: np.ndarray) -> set[str]:
    return {warning.kind for warning in pearson_warnings(Comparison.of_scores(x, y))}


def test_a_change_is_more_than_its_border(monkeypatch):
    x, y = QUARTET["outlier"][0], np.array(QUARTET["outlier"][1])
    r = float(pearson(x, y))
    change = abs(float(pearson(np.delete(x, 2), np.delete(y, 2))) - r)
    gap = abs(r - float(spearman(x, y)))
    for border, width, kind in (("FEW_CHANGE", change, "outliers"), ("RANK_GAP", gap, "ranks")):
        monkeypatch.setattr(influence, border, width)
        assert kind not in kinds(x, y)
        monkeypatch.setattr(influence, border, np.nextafter(width, 0))
        assert kind in kinds(x, y)


def test_a_curve_is_found_wherever_the_scale_begins():
    x, y = QUARTET["parabola"][0], np.array(QUARTET["parabola"][1])
    assert "curvature" in kinds(x + 1e7, y)
    assert "curvature" in kinds(x * 1e7, y)


@pytest.mark.parametrize("gold", [np.arange(12.0), np.arange(100.0), np.repeat([0.0, 1.0], 5)])
def test_a_system_that_repeats_gold_gets_no_warning(gold: np.ndarray):
    """No item changes r, in either direction."""
    assert pearson_warnings(Comparison.of_scores(gold, gold)) == []


def test_leaving_one_out_does_not_depend_on_units_and_is_exact_for_few_items():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 80))
    np.testing.assert_allclose(leave_one_out_pearson(x * 1e-9, y * 1e-9), leave_one_out_pearson(x, y), atol=1e-9)
    far = np.append(x[:63], 1e7)  # sums of squares of all 64 lose the others
    expected = float(pearson(x[:63], y[:63]))
    assert leave_one_out_pearson(far, y[:64])[63] == pytest.approx(expected, abs=1e-12)


def test_an_item_that_makes_the_correlation_is_named():
    """Twenty items in a cross have r = 0; with one far off it is near 1."""
    x, y = np.array([1.0, -1, 0, 0] * 5), np.array([0.0, 0, 1, -1] * 5)
    (warning,) = of_kind("outliers", np.append(x, 20), np.append(y, 20))
    assert warning.items == (20,)
    assert warning.words.endswith("without one item of 21 it is 0.00")


def test_items_that_cancel_each_other_are_not_left_out_together():
    """Of 200 items 30 makes r higher, and 60 makes it lower; two that push in the same direction are named."""
    rng = np.random.default_rng(6)
    gold = rng.normal(size=200)
    predicted = 0.5 * gold + rng.normal(0, 0.5, 200)
    for up, down in ((20.0, 8.0), (8.0, 20.0)):
        gold[[30, 60]], predicted[[30, 60]] = [up, down], [up, -down]
        (warning,) = of_kind("outliers", gold, predicted)
        assert len(warning.items) == 2
        assert warning.items[0] == (30 if up > down else 60)
        r, each = pearson(gold, predicted), leave_one_out_pearson(gold, predicted)
        assert len({bool(each[item] > r) for item in warning.items}) == 1
        rest = np.delete(np.arange(200), warning.items)
        assert warning.words.endswith(f"without 2 items of 200 it is {pearson(gold[rest], predicted[rest]):.2f}")


def test_of_equally_influential_items_the_first_are_named():
    rng = np.random.default_rng(7)
    gold, predicted = (np.concatenate([rng.normal(size=280), np.full(20, far)]) for far in (4.0, -4.0))
    gold[:280] += predicted[:280]
    order = rng.permutation(300)
    (warning,) = of_kind("outliers", gold[order], predicted[order])
    assert warning.items == tuple(np.flatnonzero(order >= 280)[:3].tolist())


def test_three_levels_of_gold_can_be_bent():
    gold = np.repeat([0.0, 1.0, 2.0], 5)
    (warning,) = of_kind("curvature", gold, np.repeat([0.0, 5.0, 1.0], 5) + np.tile([-0.1, 0.1, 0, 0.2, -0.2], 3))
    assert "the relation is curved" in warning.words


def test_how_sure_a_bend_is(monkeypatch):
    """F of the gain with 1 and n - 3 degrees of freedom, from the residuals of a line and of a parabola."""
    rng = np.random.default_rng(8)
    gold = np.linspace(-1, 2, 15)
    predicted = gold**2 + rng.normal(0, 0.4, 15)
    line, parabola = (
        float(((predicted - np.polyval(np.polyfit(gold, predicted, power), gold)) ** 2).sum()) for power in (1, 2)
    )
    p = f_distribution.sf((line - parabola) / (parabola / 12), 1, 12)
    whole = float(((predicted - predicted.mean()) ** 2).sum())
    monkeypatch.setattr(influence, "BENT_P", p * (1 + 1e-6))
    (warning,) = of_kind("curvature", gold, predicted)
    assert warning.words == (
        f"the relation is curved: a line explains {1 - line / whole:.0%} of the variance, "
        f"a parabola {1 - parabola / whole:.0%}"
    )
    monkeypatch.setattr(influence, "BENT_P", p * (1 - 1e-6))
    assert of_kind("curvature", gold, predicted) == []


def test_a_bend_at_its_borders_is_not_said(monkeypatch):
    """A parabola around its middle: a line explains nothing, the parabola all, and p is 0."""
    gold = np.arange(-8.0, 9.0)
    assert of_kind("curvature", gold, gold**2)
    monkeypatch.setattr(influence, "BENT_GAIN", 1.0)
    assert of_kind("curvature", gold, gold**2) == []
    monkeypatch.setattr(influence, "BENT_GAIN", np.nextafter(1.0, 0))
    assert of_kind("curvature", gold, gold**2)
    monkeypatch.setattr(influence, "BENT_P", 0.0)
    assert of_kind("curvature", gold, gold**2) == []


def test_halves_of_gold():
    low, high = np.arange(8.0), np.arange(100.0, 108.0)
    gold, inside = np.concatenate([low, high]), np.array([3, 1, 4, 1, 5, 1, 2, 3.0])
    predicted = np.concatenate([inside, 50 + inside])
    assert of_kind("halves", gold[:-1], predicted[:-1]) == []  # seven above the median, which is the eighth
    # with a ninth in the middle, the lower half has nine
    gold, predicted = np.insert(gold, 8, 8.0), np.insert(predicted, 8, 1.0)
    (warning,) = of_kind("halves", gold, predicted)
    said = f"but {pearson(gold[:9], predicted[:9]):.2f} among those with low gold and {pearson(low, inside):.2f} among"
    assert said in warning.words


def test_half_of_the_whole_correlation_is_enough(monkeypatch):
    low, high = np.arange(8.0), np.arange(30.0, 38.0)
    gold, inside = np.concatenate([low, high]), np.array([0, 3, 1, 6, 0, 6, 2, 6.0])
    predicted = np.concatenate([inside, 12 + inside])
    r, part = float(pearson(gold, predicted)), float(pearson(low, inside))
    assert 0.5 * r < part < 0.5 / r
    assert of_kind("halves", gold, predicted) == []
    even = np.array([1, 2, 3, 4, 4, 3, 2, 1.0])
    monkeypatch.setattr(influence, "HALVES", 0.0)
    assert of_kind("halves", gold, np.concatenate([even, 12 + even])) == []  # 0 is not below 0
