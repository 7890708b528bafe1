"""What is computed for which measure, and what is refused."""

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import confidence, enough_resamples
from similitude.evaluate.significance.plan import Plan

PEARSON, CUT, MAE = (make_measure(name) for name in ("pearson", "ndcg@10", "mae"))


def plan(**changes) -> Plan:
    usual = {"level": 0.95, "method": "auto", "test": "auto", "resamples": None, "seed": 0, "systems": 2}
    return Plan(**(usual | changes))


def pair(systems: int = 2) -> Comparison:
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, 30)
    return Comparison.of_scores(gold, gold + rng.normal(0, 1, (systems, 30)), Scale(low=0, high=5))


def test_the_number_of_resamples():
    assert plan().number == 2000
    assert plan(resamples=7).number == 7
    # 15 systems have 105 pairs: twice 105 / .05
    assert plan(systems=15).number == 4200
    assert enough_resamples(15, 0.9) == 2100
    assert [enough_resamples(systems) for systems in (1, 10, 11)] == [2000, 2000, 2200]


@pytest.mark.parametrize(
    ("changes", "methods"),
    [
        ({}, ("jackknife", "percentile")),
        ({"resamples": 100}, ("bca", "percentile")),
        ({"method": "jackknife"}, ("jackknife", "jackknife")),
        ({"method": "jackknife", "resamples": 100}, ("jackknife", "jackknife")),
        ({"method": "bca"}, ("bca", "bca")),
        ({"method": "percentile"}, ("percentile", "percentile")),
    ],
)
def test_methods(changes: dict, methods: tuple[str, str]):
    assert (plan(**changes).method_of(PEARSON), plan(**changes).method_of(CUT)) == methods


def test_tests_go_with_methods_unless_one_is_named():
    assert (plan().test_of(PEARSON), plan().test_of(CUT)) == ("jackknife", "bootstrap")
    assert plan(method="bca").test_of(PEARSON) == "bootstrap"
    assert plan(method="jackknife").test_of(CUT) == "jackknife"
    for name in ("bootstrap", "permutation", "williams", "steiger"):
        assert plan(test=name).test_of(PEARSON) == name


def test_what_is_drawn_at_random():
    assert not plan().is_bootstrapped(PEARSON)
    assert plan().is_bootstrapped(CUT)
    assert plan(method="bca", test="williams").is_bootstrapped(PEARSON)
    assert plan(test="bootstrap").is_bootstrapped(PEARSON)
    assert not plan(test="permutation").is_bootstrapped(PEARSON)
    assert plan(test="permutation").is_resampled([PEARSON])
    assert not plan().is_resampled([PEARSON, MAE])
    assert plan().is_resampled([PEARSON, CUT])


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.5])
def test_levels_are_between_0_and_1(level: float):
    with pytest.raises(ArgumentError, match="is not a confidence level; give one between 0 and 1"):
        plan(level=level).check([PEARSON], is_grouped=False)
    plan(level=0.001).check([PEARSON], is_grouped=False)


def test_one_resample_is_the_least():
    plan(resamples=1).check([PEARSON], is_grouped=False)
    with pytest.raises(ArgumentError, match="cannot draw 0 resamples; draw 1,000 or more"):
        plan(resamples=0).check([PEARSON], is_grouped=False)


def test_correlations_alone_can_be_tested_as_correlations():
    for name in ("pearson", "spearman", "sigma_pearson", "sigma_spearman"):
        plan(test="steiger").check([make_measure(name)], is_grouped=False)
    for name in ("kendall", "mae", "hmean(pearson, f1)", "mean_over_sources(pearson)"):
        with pytest.raises(ArgumentError, match="Steiger's test compares correlations; no correlation: "):
            plan(test="steiger").check([PEARSON, make_measure(name)], is_grouped=False)
    with pytest.raises(ArgumentError, match="Williams' test takes items as independent"):
        plan(test="williams").check([PEARSON], is_grouped=True)
    plan(test="bootstrap").check([make_measure("mae")], is_grouped=True)


@pytest.mark.parametrize(
    ("systems", "resamples", "enough"),
    # 1 pair: 1 / 20 is just enough for 5 %; 3 pairs: 3 / 60 is
    [(2, 18, 20), (2, 19, None), (3, 58, 60), (3, 59, None), (1, 5, None)],
)
def test_too_few_resamples_are_noted(systems: int, resamples: int, enough: int | None):
    notes = confidence(pair(systems), [MAE], resamples=resamples).notes
    if enough is None:
        assert notes == ()
    else:
        words = f"{resamples} resamples are too few to tell any of {systems} systems apart: draw at least {enough}"
        assert notes == (words,)


def test_without_a_resampled_test_no_number_is_too_small():
    assert confidence(pair(8), [MAE]).notes == ()
    assert confidence(pair(8), [PEARSON], test="williams", resamples=5).notes == ()
