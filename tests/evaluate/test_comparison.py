"""Gold beside predictions: what goes where."""

import numpy as np
import polars as pl

from similitude.data import Predictions, Scale
from similitude.data.gold import GoldColumns
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.rescaling import mapping_from_range

FIVE, UNIT = Scale(low=0, high=5), Scale(low=0, high=1)


def test_predictions_are_mapped_and_stacked_beside_gold():
    frame = pl.DataFrame({"id": ["a", "b"], "score": [1.0, 4.0], "sigma": [0.5, None], "ratings": [[0.0, 2.0], [4.0]]})
    gold = GoldColumns(frame, FIVE)
    predictions = [Predictions(np.array([0.2, 0.6]), np.array([0.1, 0.2])), Predictions(np.array([7.0, 9.0]))]
    mappings = [mapping_from_range(UNIT, FIVE), mapping_from_range(None, FIVE)]
    groups, sources = np.array([0, 0]), Sources(np.array([0, 1]), ("x", None))
    made = Comparison.of(gold, predictions, mappings, groups, sources)
    np.testing.assert_array_equal(made.gold, [1, 4])
    np.testing.assert_allclose(made.predicted, [[1, 3], [7, 9]])
    assert made.is_on_scale.tolist() == [True, False]
    assert (made.scale, made.systems) == (FIVE, 2)
    np.testing.assert_array_equal(made.gold_sigma, [0.5, np.nan])
    np.testing.assert_allclose(made.predicted_sigma, [[0.5, 1.0], [np.nan, np.nan]])
    values, items = made.ratings
    assert (values.tolist(), items.tolist()) == ([0, 2, 4], [0, 0, 1])
    assert made.groups is groups
    assert made.sources is sources
    assert made.ordering.ranks.tolist() == [[1, 2], [1, 2]]
    assert made.gold_ordering.ranks.tolist() == [1, 2]


def test_without_any_sigma_there_is_no_table_of_them():
    gold = GoldColumns(pl.DataFrame({"id": ["a"], "score": [1.0]}), None)
    made = Comparison.of(gold, [Predictions(np.array([2.0]))], [mapping_from_range(None, None)])
    assert made.predicted_sigma is None
    assert (made.gold_sigma, made.ratings, made.groups, made.sources, made.scale) == (None,) * 5


def test_plain_arrays_are_taken_as_on_the_scale():
    sources = Sources(np.array([0, 0]), ("x",))
    made = Comparison.of_scores([1, 2], [3, 4], FIVE, np.array([1, 2]), sources)
    assert made.gold.dtype == made.predicted.dtype == np.float64
    assert made.predicted.tolist() == [[3, 4]]
    assert made.is_on_scale.tolist() == [True]
    assert made.is_on_scale.dtype == bool
    assert made.groups.tolist() == [1, 2]
    assert (made.sources, made.scale) == (sources, FIVE)


def test_folds_are_handed_on_and_systems_chosen():
    gold = GoldColumns(pl.DataFrame({"id": ["a", "b"], "score": [1.0, 4.0]}), FIVE)
    predictions = [Predictions(np.array([0.2, 0.6])), Predictions(np.array([7.0, 9.0]))]
    mappings = [mapping_from_range(UNIT, FIVE), mapping_from_range(None, FIVE)]
    made = Comparison.of(gold, predictions, mappings, folds=np.array([3, 3]))
    assert made.fold_of_item.tolist() == [3, 3]
    assert made.of_systems([1]).is_on_scale.tolist() == [False]
    assert made.of_systems([1, 0]).predicted.tolist() == [[7, 9], [1, 3]]
    assert made.of_systems([]).systems == 0
