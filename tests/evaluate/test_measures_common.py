"""What holds for every measure, in one table."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError, UnknownNameError
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import catalogue, make_measure
from similitude.testing import check_measure

FIVE = Scale(low=0, high=5)
EVERY = {str(measure): measure for measure in catalogue()}
BINARY = {name for name, measure in EVERY.items() if "two labels" in measure.requires}
UP_TO_LINEAR = {
    "pearson",
    "spearman",
    "kendall",
    "ncg",
    "ndcg",
    "ncg@avgrank",
    "ndcg@avgrank",
    "choice_accuracy",
    "group_ndcg",
    "sigma_pearson",
    "sigma_spearman",
    *BINARY,
}


def comparison(seed: int = 0, systems: int = 3, items: int = 60, order=None) -> Comparison:
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, items).round(1)
    predicted = np.clip(gold + rng.normal(0, 1, (systems, items)), 0, 5).round(1)
    human, sigma = rng.uniform(0.1, 1, items), rng.uniform(0.1, 1, (systems, items))
    raters = np.repeat(np.arange(items), 3)
    ratings = np.clip(gold[raters] + rng.normal(0, 0.5, items * 3), 0, 5)
    order = np.arange(items) if order is None else order
    place = np.argsort(order)
    return Comparison(
        gold=gold[order],
        predicted=predicted[:, order],
        scale=FIVE,
        is_on_scale=np.ones(systems, bool),
        gold_sigma=human[order],
        predicted_sigma=sigma[:, order],
        ratings=(ratings, place[raters]),
        groups=order // 4,
        sources=Sources(order // 20, ("a", "b", "c")),
    )


def comparison_for(name: str) -> Comparison:
    """Graded gold, or two labels for a measure that needs them."""
    whole = comparison()
    return replace(whole, gold=np.where(whole.gold > 3, 5.0, 0.0)) if name in BINARY else whole


@pytest.mark.parametrize("name", EVERY)
def test_keeps_the_contracts_of_every_measure(name: str):
    check_measure(name)


@pytest.mark.parametrize("name", EVERY)
def test_gold_itself_is_never_beaten(name: str):
    """A system that predicts gold exactly does at least as well as a noisy one."""
    whole = comparison_for(name)
    rows = np.stack([whole.gold, whole.predicted[0]])
    sigma = np.stack([whole.gold_sigma, np.full_like(whole.gold_sigma, 0.5)])
    if name.startswith(("nlpd", "ece", "crps")):
        sigma[0] = 0.5  # a forecast is judged with its spread: let only the means differ
    both = Comparison(
        gold=whole.gold,
        predicted=rows,
        scale=FIVE,
        is_on_scale=np.ones(2, bool),
        gold_sigma=whole.gold_sigma,
        predicted_sigma=sigma,
        ratings=whole.ratings,
        groups=whole.groups,
    )
    perfect, noisy = EVERY[name](both)
    if name.startswith("ece") or noisy.reason:
        return  # calibration does not reward being right; constant sigmas have no correlation
    better = perfect.value - noisy.value if EVERY[name].higher_is_better else noisy.value - perfect.value
    assert better >= -1e-12


@pytest.mark.parametrize("name", sorted(UP_TO_LINEAR))
def test_stretching_predictions_does_not_matter(name: str):
    whole = comparison_for(name)
    stretched = Comparison(
        gold=whole.gold,
        predicted=whole.predicted * 7 - 3,
        scale=FIVE,
        is_on_scale=np.ones(3, bool),
        gold_sigma=whole.gold_sigma,
        predicted_sigma=whole.predicted_sigma * 7,
        groups=whole.groups,
    )
    expected = [figure.value for figure in EVERY[name](whole)]
    assert [figure.value for figure in EVERY[name](stretched)] == pytest.approx(expected, abs=1e-12)


def test_two_places_can_be_tied_and_the_result_is_the_mean_over_orders():
    # items with gold 4 and 0 are tied at the top: nCG@1 is 4/4 or 0/4, each with probability 1/2
    made = Comparison.of_scores(np.array([4.0, 0.0, 1.0]), np.array([2.0, 2.0, 1.0]))
    assert make_measure("ncg@1")(made)[0].value == 0.5
    assert make_measure("ncg@1(ties=stable)")(made)[0].value == 1.0


def test_dissimilar_first():
    # gains 5 - gold = 5, 4, 0; lowest scores first the system ranks gold 1, 0, 5: DCG@2 = 4 + 5, ideal 5 + 4
    made = Comparison.of_scores(np.array([0.0, 1.0, 5.0]), np.array([2.0, 1.0, 3.0]), FIVE)
    assert make_measure("ndcg@2(reverse=true)")(made)[0].value == 1.0
    assert make_measure("ndcg@1(reverse=true)")(made)[0].value == 4 / 5


def test_own_border():
    made = Comparison.of_scores(np.array([4.2, 3.8]), np.array([4.5, 4.5]), FIVE)
    assert make_measure("precision_high(border=4)")(made)[0].value == 0.5


@pytest.mark.parametrize(
    "written", ["ndcg@0", "ndcg@x", "pearson@3", "hmean(pearson)", "hmean(pearson, mae)", "f1_low(border=x)"]
)
def test_measures_that_cannot_be(written: str):
    with pytest.raises(ArgumentError):
        make_measure(written)


def test_unknown_measure_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'kendall'"):
        make_measure("kendal")
    with pytest.raises(UnknownNameError, match="did you mean 'spearman'"):
        make_measure("hmean(pearson, sperman)")
