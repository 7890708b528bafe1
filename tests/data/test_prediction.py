import numpy as np
import pytest

from similitude.data import Predictions
from similitude.errors import PredictionError


def test_all_columns_follow_their_items():
    whole = Predictions(
        np.array([1.0, 2.0, 3.0]),
        np.array([0.1, 0.2, 0.3]),
        np.array([[1.0, 1.5], [2.0, np.nan], [3.0, 3.5]]),
        np.array([0.0, 0.5, 0.0]),
    )
    some = whole.take(np.array([2, 1]))
    assert some.scores.tolist() == [3, 2]
    assert some.sigmas.tolist() == [0.3, 0.2]
    assert some.samples[0].tolist() == [3, 3.5]
    assert some.invalid.tolist() == [0, 0.5]


@pytest.mark.parametrize("name", ["sigmas", "samples", "invalid"])
def test_a_column_of_another_length_is_refused(name):
    with pytest.raises(PredictionError, match="2 scores but 3"):
        Predictions(np.zeros(2), **{name: np.zeros(3)})
