import numpy as np
import pytest

from similitude.data import Predictions, Scale
from similitude.errors import ArgumentError
from similitude.evaluate.rescaling import Rescaling, fit_mapping, mapping_from_range

UNIT, FIVE = Scale(low=0, high=1), Scale(low=0, high=5)


def test_linear_from_the_declared_range():
    mapping = mapping_from_range(Scale(low=-1, high=1), Scale(low=1, high=5))
    mapped = mapping.apply(Predictions(np.array([-1.0, 0.0, 1.0, 1.5]), np.array([0.1, 0.1, 0.2, 0.2])))
    assert mapped.scores.tolist() == [1, 3, 5, 6]
    assert mapped.sigmas == pytest.approx([0.2, 0.2, 0.4, 0.4])
    assert mapping.description == "linear from -1..1 to 1..5"


def test_no_range_means_not_on_the_scale():
    mapping = mapping_from_range(None, FIVE)
    assert not mapping.reaches_scale
    assert mapping.apply(Predictions(np.array([7.0]))).scores.tolist() == [7.0]


def test_fitted_line_recovers_the_truth():
    rng = np.random.default_rng(0)
    predicted = rng.uniform(0, 1, 500)
    gold = 1 + 3 * predicted + rng.normal(0, 0.1, 500)
    mapping = fit_mapping("linear", predicted, gold, fitted_on="split 'dev'")
    assert mapping.apply(Predictions(np.array([0.0, 1.0]))).scores == pytest.approx([1, 4], abs=0.05)
    assert mapping.description == "linear mapping fitted on split 'dev' (500 items)"


def test_isotonic_rises_and_fits_a_curve_that_a_line_cannot():
    rng = np.random.default_rng(1)
    predicted = rng.uniform(0, 1, 2000).round(2)  # many ties
    gold = 5 * predicted**4 + rng.normal(0, 0.1, 2000)
    isotonic = fit_mapping("isotonic", predicted, gold, fitted_on="dev")
    grid = np.linspace(-0.2, 1.2, 50)
    fitted = isotonic.apply(Predictions(grid)).scores
    assert (np.diff(fitted) >= 0).all()
    linear = fit_mapping("linear", predicted, gold, fitted_on="dev").apply(Predictions(predicted)).scores
    assert np.abs(isotonic.apply(Predictions(predicted)).scores - gold).mean() < np.abs(linear - gold).mean() / 2


def test_isotonic_agrees_with_scikit_learn():
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(2)
    predicted, gold = rng.uniform(0, 1, 300).round(1), rng.uniform(0, 5, 300)
    ours = fit_mapping("isotonic", predicted, gold, fitted_on="dev").apply(Predictions(predicted)).scores
    assert ours == pytest.approx(IsotonicRegression().fit(predicted, gold).predict(predicted), abs=1e-9)


def test_constant_predictions_cannot_be_fitted():
    with pytest.raises(ArgumentError, match="all the same"):
        fit_mapping("linear", np.ones(3), np.arange(3.0), fitted_on="dev")


def test_a_mapping_is_rebuilt_from_its_record():
    for mapping in (
        mapping_from_range(UNIT, FIVE),
        fit_mapping("isotonic", np.array([1.0, 2.0, 3.0]), np.array([0.0, 2.0, 1.0]), fitted_on="dev"),
    ):
        record = mapping.record()
        assert list(record) == ["description", "knots", "values", "extends"]
        again = Rescaling.from_record(record)
        assert (again.description, again.extends) == (mapping.description, mapping.extends)
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
    mapped = mapping_from_range(UNIT, Scale(low=1, high=5)).apply(given)
    np.testing.assert_allclose(mapped.samples, [[2.0, 4.0]])
    np.testing.assert_array_equal(mapped.invalid, given.invalid)
    steps = fit_mapping("isotonic", np.array([0.0, 1.0]), np.array([2.0, 4.0]), fitted_on="dev").apply(given)
    assert steps.scores.tolist() == [3.0]
    np.testing.assert_array_equal(steps.invalid, given.invalid)
    assert steps.sigmas is None


def test_an_isotonic_mapping_pools_by_size():
    """At 1: 4 and 4 and 4; at 2: 0. Falling, so pooled: (12 + 0) / 4."""
    fitted = fit_mapping("isotonic", np.array([1.0, 1.0, 1.0, 2.0]), np.array([4.0, 4.0, 4.0, 0.0]), fitted_on="dev")
    np.testing.assert_allclose(fitted.values, [3.0, 3.0])
    assert fitted.description == "isotonic mapping fitted on dev (4 items)"
    with pytest.raises(
        ArgumentError, match="cannot fit a isotonic mapping on dev: the system's scores are all the same"
    ):
        fit_mapping("isotonic", np.array([1.0, 1.0]), np.array([4.0, 5.0]), fitted_on="dev")
