import numpy as np
import pytest

from similitude.data import Predictions, Scale
from similitude.evaluate.rescaling import Rescaling, SortedPairs, fit_mapping, mapping_from_range

UNIT, FIVE = Scale(low=0, high=1), Scale(low=0, high=5)


def fitted(kind, scores, gold):
    return fit_mapping(kind, SortedPairs.of(np.asarray(scores, float), np.asarray(gold, float)), "on dev")


def mapped(kind, scores, gold, given):
    return fitted(kind, scores, gold).apply(Predictions(np.asarray(given, float))).scores


def test_linear_from_the_declared_range():
    mapping = mapping_from_range(Scale(low=-1, high=1), Scale(low=1, high=5))
    straight = mapping.apply(Predictions(np.array([-1.0, 0.0, 1.0, 1.5]), np.array([0.1, 0.1, 0.2, 0.2])))
    assert straight.scores.tolist() == [1, 3, 5, 6]
    assert straight.sigmas == pytest.approx([0.2, 0.2, 0.4, 0.4])
    assert mapping.description == "linear from -1..1 to 1..5"


def test_no_range_means_not_on_the_scale():
    mapping = mapping_from_range(None, FIVE)
    assert not mapping.reaches_scale
    assert mapping.apply(Predictions(np.array([7.0]))).scores.tolist() == [7.0]


def test_fitted_line_recovers_the_truth():
    rng = np.random.default_rng(0)
    predicted = rng.uniform(0, 1, 500)
    gold = 1 + 3 * predicted + rng.normal(0, 0.1, 500)
    mapping = fitted("linear", predicted, gold)
    assert mapping.apply(Predictions(np.array([0.0, 1.0]))).scores == pytest.approx([1, 4], abs=0.05)
    assert mapping.description == "on dev"


def test_isotonic_rises_and_fits_a_curve_that_a_line_cannot():
    rng = np.random.default_rng(1)
    predicted = rng.uniform(0, 1, 2000).round(2)  # many ties
    gold = 5 * predicted**4 + rng.normal(0, 0.1, 2000)
    assert (np.diff(mapped("isotonic", predicted, gold, np.linspace(-0.2, 1.2, 50))) >= 0).all()
    isotonic, linear = (mapped(kind, predicted, gold, predicted) for kind in ("isotonic", "linear"))
    assert np.abs(isotonic - gold).mean() < np.abs(linear - gold).mean() / 2


def test_isotonic_agrees_with_scikit_learn():
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(2)
    predicted, gold = rng.uniform(0, 1, 300).round(1), rng.uniform(0, 5, 300)
    ours = mapped("isotonic", predicted, gold, predicted)
    assert ours == pytest.approx(IsotonicRegression().fit(predicted, gold).predict(predicted), abs=1e-9)


@pytest.mark.parametrize(("kind", "middle"), [("linear", 2.0), ("isotonic", 2.0), ("quantile", 1.0)])
def test_constant_scores_are_mapped_to_the_middle_and_noted(kind, middle):
    """Gold 0, 1, 5: the mean is 2, the median 1."""
    found = fitted(kind, [3, 3, 3], [5, 0, 1])
    assert found.apply(Predictions(np.array([0.0, 3.0, 9.0]))).scores.tolist() == [middle] * 3
    assert found.note == f"its scores are all the same, so that every item is mapped to {middle:g}"


@pytest.mark.parametrize("kind", ["linear", "isotonic"])
def test_falling_scores_are_not_turned_around(kind):
    found = fitted(kind, [1, 2, 3, 4], [4, 3, 2, 1])
    assert found.apply(Predictions(np.array([1.0, 4.0, 9.0]))).scores == pytest.approx([2.5] * 3)
    assert (
        found.note == "its scores fall as gold rises (Pearson -1.00), so that no rising mapping fits; is it a distance?"
    )


def test_falling_scores_are_noted_if_it_is_no_chance():
    """r * sqrt(n) of four items must be -2 or below; the quantiles are matched all the same."""
    found = fitted("quantile", [1, 2, 3, 4], [4, 3, 2, 1])
    assert found.values.tolist() == [1, 2, 3, 4]
    assert "quantiles are matched in rising order" in found.note
    assert fitted("quantile", [1, 2, 3, 4], [4, 2, 3, 1]).note is None  # r = -.8, * 2 = -1.6
    assert fitted("quantile", [1, 2, 3, 4], [2, 2, 2, 2]).note is None


def test_quantiles_are_matched_with_ties_in_the_middle_of_their_places():
    """Scores .1 .1 .1 .9 have places 0 to 3: ties are at place 1, where sorted gold 0 1 3 4 has 1; .9 is at 3."""
    found = fitted("quantile", [0.1, 0.9, 0.1, 0.1], [4, 0, 3, 1])
    assert found.knots.tolist() == [0.1, 0.9]
    assert found.values.tolist() == [1.0, 4.0]
    assert mapped("quantile", [0.1, 0.9, 0.1, 0.1], [4, 0, 3, 1], [0, 0.5, 1]) == pytest.approx([1.0, 2.5, 4.0])
    assert mapped("quantile", [1, 1, 2, 2], [0, 1, 2, 3], [1, 2]).tolist() == [0.5, 2.5]


def test_sorted_pairs_of_some_items_are_those_of_the_items_alone():
    rng = np.random.default_rng(4)
    scores, gold, chosen = (
        rng.integers(0, 9, 40).astype(float),
        rng.integers(0, 5, 40).astype(float),
        rng.random(40) < 0.6,
    )
    part, alone = SortedPairs.of(scores, gold).only(chosen), SortedPairs.of(scores[chosen], gold[chosen])
    np.testing.assert_array_equal(part.scores, alone.scores)
    np.testing.assert_array_equal(part.gold, alone.gold)
    np.testing.assert_array_equal(part.by_size, alone.by_size)


def test_the_output_at_a_border():
    """Values 1 2 2 3 at knots 10 20 30 40: 2 is reached at 20 and left at 30; 2.5 lies half-way to 40."""
    steps = Rescaling("", np.array([10.0, 20, 30, 40]), np.array([1.0, 2, 2, 3]), extends=False)
    assert (steps.output_at(2.0), steps.output_at(2.0, "right")) == (20.0, 30.0)
    assert (steps.output_at(2.5), steps.output_at(2.5, "right")) == (35.0, 35.0)
    assert (steps.output_at(1.0), steps.output_at(0.5), steps.output_at(3.5)) == (-np.inf, -np.inf, np.inf)
    assert (steps.output_at(1.0, "right"), steps.output_at(3.0, "right")) == (10.0, np.inf)
    assert mapping_from_range(UNIT, FIVE).output_at(6.0) == pytest.approx(1.2)


def test_a_thinned_mapping_keeps_its_ends():
    found = Rescaling("", np.arange(10.0), np.arange(10.0) ** 2, extends=False)
    assert found.thinned(10) is found
    assert found.thinned(4).knots.tolist() == [0, 3, 6, 9]
    assert found.thinned(4).values.tolist() == [0, 9, 36, 81]


def test_a_mapping_is_rebuilt_from_its_record():
    for mapping in (
        mapping_from_range(UNIT, FIVE),
        fitted("isotonic", [1, 2, 3], [0, 2, 1]),
        fitted("quantile", [1, 1], [0, 2]),
    ):
        record = mapping.record()
        assert list(record) == ["description", "knots", "values", "extends", "note"]
        again = Rescaling.from_record(record)
        assert (again.description, again.extends, again.note) == (mapping.description, mapping.extends, mapping.note)
        np.testing.assert_array_equal(again.knots, mapping.knots)
        np.testing.assert_array_equal(again.values, mapping.values)
        assert again.knots.dtype == again.values.dtype == np.float64


def test_why_a_system_is_not_on_the_scale():
    assert mapping_from_range(None, FIVE).description == "not on the gold scale: the system declares no range"
    assert mapping_from_range(UNIT, None).description == "not on the gold scale: the gold scale is unknown"
    assert mapping_from_range(FIVE, Scale(low=0, high=5)).description == "already on 0..5"
    unmapped = mapping_from_range(None, FIVE)
    assert (unmapped.knots.size, unmapped.values.size, unmapped.extends) == (0, 0, True)


def test_samples_and_what_is_invalid_are_mapped_too():
    given = Predictions(np.array([0.5]), np.array([0.1]), np.array([[0.25, 0.75]]), np.array([True]))
    straight = mapping_from_range(UNIT, Scale(low=1, high=5)).apply(given)
    np.testing.assert_allclose(straight.samples, [[2.0, 4.0]])
    np.testing.assert_array_equal(straight.invalid, given.invalid)
    steps = fitted("isotonic", [0, 1], [2, 4]).apply(given)
    assert steps.scores.tolist() == [3.0]
    np.testing.assert_array_equal(steps.invalid, given.invalid)
    assert steps.sigmas is None


def test_an_isotonic_mapping_pools_by_size():
    """At 1: 4 and 4 and 4; at 2: 0. Falling, so pooled: (12 + 0) / 4."""
    assert fitted("isotonic", [1, 1, 1, 2], [4, 4, 4, 0]).values == pytest.approx([3.0, 3.0])


def test_mappings_of_the_first_version_have_no_note():
    assert Rescaling.from_record({"description": "", "knots": [0], "values": [1], "extends": False}).note is None


def test_a_line_has_its_knots_at_the_lowest_and_the_highest_score():
    """The best line through (1, 0), (2, 1), (2, 1) and through (1, 0), (1, 0), (2, 1) has slope 1."""
    for scores, gold in (([1, 2, 2], [0, 1, 1]), ([1, 1, 2], [0, 0, 1])):
        found = fitted("linear", scores, gold)
        assert found.knots.tolist() == [1, 2]
        assert found.values == pytest.approx([0, 1])


def test_a_line_that_neither_rises_nor_falls_is_a_step():
    """Gold 1 0 1 has slope 0, exactly; a slope of 1/2 is a line."""
    flat = fitted("linear", [1, 2, 3], [1, 0, 1])
    assert (flat.extends, flat.values.tolist()) == (False, [2 / 3, 2 / 3])
    assert flat.apply(Predictions(np.array([9.0]), np.array([0.5]))).sigmas is None
    assert (flat.output_at(1.0), flat.output_at(0.5)) == (np.inf, -np.inf)
    rising = fitted("linear", [0, 2], [0, 1])
    assert rising.extends
    assert rising.apply(Predictions(np.array([1.0, 4.0]))).scores == pytest.approx([0.5, 2.0])


def test_falling_scores_are_noted_however_narrow_gold_is():
    assert "Pearson -1.00" in fitted("quantile", [1, 2, 3, 4], [0.4, 0.3, 0.2, 0.1]).note
