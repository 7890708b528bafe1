"""Counting with weights gives, for every measure, what writing the drawn items out gives."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from comparisons import EVERY, comparison, comparison_for

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure, make_measure
from similitude.stats import Units, bootstrap_weights, jackknife_blocks, jackknife_weights


def made_of_parts(name: str) -> bool:
    return hasattr(EVERY[name], "first") or hasattr(EVERY[name], "part")


def of_items(items: int, rng: np.random.Generator) -> np.ndarray:
    return bootstrap_weights(items, 30, rng)


def of_groups(items: int, rng: np.random.Generator) -> np.ndarray:
    units = Units.of_groups(rng.integers(0, items // 3, items))
    return units.over_items(bootstrap_weights(units.number, 30, rng))


def of_shared_groups(items: int, rng: np.random.Generator) -> np.ndarray:
    units = Units.of_groups(np.arange(items) // 5)
    return units.over_items(bootstrap_weights(units.number, 30, rng))


def of_jackknife(items: int, rng: np.random.Generator) -> np.ndarray:
    return jackknife_weights(jackknife_blocks(items, rng), 0, items)


DRAWS = (of_items, of_groups, of_shared_groups, of_jackknife)


@pytest.mark.parametrize("name", EVERY)
def test_weights_give_what_the_items_written_out_give(name: str):
    made = comparison_for(name)
    weights = np.concatenate([draw(40, np.random.default_rng(1)) for draw in DRAWS])
    fast = EVERY[name].weighted_values(made, weights)
    assert fast.shape == (4, len(weights))
    np.testing.assert_allclose(fast, Measure.weighted_values(EVERY[name], made, weights), atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", EVERY)
def test_few_items_where_resamples_are_often_undefined(name: str):
    """Eight items: many resamples are constant, hold no low pair, no rated item, or no human sigma."""
    made = comparison_for(name, items=8)
    weights = bootstrap_weights(8, 150, np.random.default_rng(2))
    weights[:4] = 8 * np.eye(8)[[0, 2, 4, 5]]
    slow = Measure.weighted_values(EVERY[name], made, weights)
    np.testing.assert_allclose(EVERY[name].weighted_values(made, weights), slow, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", EVERY)
def test_every_item_once_gives_the_figure_itself(name: str):
    made = comparison_for(name)
    expected = [figure.value for figure in EVERY[name](made)]
    assert EVERY[name].weighted_values(made, np.ones((1, 40)))[:, 0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_swapping_nothing_or_everything(name: str):
    made = comparison_for(name)
    figures = np.array([figure.value for figure in EVERY[name](made)])
    swapped = EVERY[name].swapped_values(made, np.stack([np.zeros(40), np.ones(40)]))
    assert swapped.shape == (4, 4, 2)
    assert swapped[:, :, 0] == pytest.approx(np.broadcast_to(figures[:, None], (4, 4)), abs=1e-9)
    assert swapped[:, :, 1] == pytest.approx(np.broadcast_to(figures, (4, 4)), abs=1e-9)


@pytest.mark.parametrize(
    "name", [name for name in EVERY if "spearman" not in name and "sigma" not in name and not made_of_parts(name)]
)
def test_swapped_sums_are_those_of_swapped_predictions(name: str):
    made = comparison_for(name)
    swaps = np.random.default_rng(3).integers(0, 2, (20, 40)).astype(float)
    slow = Measure.swapped_values(EVERY[name], made, swaps)
    np.testing.assert_allclose(EVERY[name].swapped_values(made, swaps), slow, atol=1e-9, rtol=0)


def test_a_combination_is_made_of_its_swapped_parts():
    made, swaps = comparison(), np.random.default_rng(3).integers(0, 2, (20, 40)).astype(float)
    first, second = (make_measure(name).swapped_values(made, swaps) for name in ("pearson", "f1_low"))
    both = make_measure("macro_avg(pearson, f1_low)").swapped_values(made, swaps)
    np.testing.assert_allclose(both, (first + second) / 2, atol=1e-12)


@pytest.mark.parametrize(
    "name",
    ["pearson", "spearman", "kendall", "ndcg@10", "choice_accuracy", "group_ndcg", "sigma_pearson", "sigma_spearman"],
)
def test_what_is_swapped_does_not_depend_on_a_system_s_own_scale(name: str):
    made, swaps = comparison(), np.random.default_rng(4).integers(0, 2, (20, 40)).astype(float)
    stretch = np.array([[1.0], [100.0], [0.01], [7.0]])
    other = replace(made, predicted=made.predicted * stretch + stretch, predicted_sigma=made.predicted_sigma * stretch)
    expected = make_measure(name).swapped_values(made, swaps)
    np.testing.assert_allclose(make_measure(name).swapped_values(other, swaps), expected, atol=1e-9, rtol=0)


@dataclass(frozen=True, repr=False)
class MedianError(Measure):
    """A measure of somebody else's, that knows nothing of weights and gives one number for all systems of a kind."""

    name: ClassVar[str] = "median_error"
    meaning: ClassVar[str] = "median absolute error"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf
    higher_is_better: ClassVar[bool] = False

    def values(self, comparison: Comparison) -> np.ndarray:
        return np.median(np.abs(comparison.predicted - comparison.gold), axis=-1)


def test_a_measure_that_knows_nothing_of_weights():
    # errors 0, 1, 4; drawn 1, 0, 2 times: 0, 4, 4, of which the median is 4; drawn 2, 1, 0 times: 0
    made = Comparison.of_scores(np.zeros(3), np.array([0.0, 1.0, 4.0]))
    weights = np.array([[1.0, 0.0, 2.0], [2.0, 1.0, 0.0]])
    assert MedianError().weighted_values(made, weights).tolist() == [[4.0, 0.0]]


def test_a_resample_far_from_the_rest_keeps_its_digits():
    """Without the outlier what is left is a millionth of its size; sums alone would not know the correlation."""
    rng = np.random.default_rng(5)
    gold = np.append(rng.normal(0, 1, 30), 1e7)
    made = Comparison.of_scores(gold, np.append(gold[:-1] + rng.normal(0, 1, 30), 1e7))
    weights = np.ones((1, 31))
    weights[0, 30] = 0
    expected = np.corrcoef(gold[:-1], made.predicted[0, :-1])[0, 1]
    assert make_measure("pearson").weighted_values(made, weights)[0, 0] == pytest.approx(expected, abs=1e-9)


def test_constant_predictions_are_undefined_in_every_resample():
    made = Comparison.of_scores(np.arange(6.0), np.full((1, 6), 0.1))
    weights = bootstrap_weights(6, 20, np.random.default_rng(0))
    for name in ("pearson", "spearman", "kendall"):
        assert np.isnan(make_measure(name).weighted_values(made, weights)).all()
