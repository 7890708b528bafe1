import numpy as np
import pytest

from similitude.data import Predictions, Scale
from similitude.errors import ArgumentError
from similitude.evaluate.rescaling import fit_mapping, mapping_from_range

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
