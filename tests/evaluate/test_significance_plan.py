"""What is computed for which measure, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import Evidence, confidence, enough_resamples, needed_units
from similitude.evaluate.significance.plan import Plan
from similitude.evaluate.significance.tested_measure import subjects_of

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
        words = f"{resamples} resamples are too few to compare {systems} systems: draw at least {enough}"
        assert notes == (words,)


def test_without_a_resampled_test_no_number_is_too_small():
    assert confidence(pair(8), [MAE]).notes == ()
    assert confidence(pair(8), [PEARSON], test="williams", resamples=5).notes == ()


def refused(is_grouped: bool = False, **changes) -> str:
    with pytest.raises(ArgumentError) as caught:
        plan(**changes).check([PEARSON, MAE], is_grouped=is_grouped)
    return str(caught.value)


def test_what_is_refused_says_what_to_do():
    for level in (0, 1):
        assert f"{level} is not a confidence level" in refused(level=level)
    assert "give one between 0 and 1, such as 0.95" in refused(level=1)
    assert "cannot draw 0 resamples" in refused(resamples=0)
    assert "draw 1,000 or more" in refused(resamples=0)
    assert "no method named 'odd'" in refused(method="odd")
    assert "known: auto, jackknife, bca, percentile" in refused(method="odd")
    assert "no test named 'odd'" in refused(test="odd")
    assert "known: auto, bootstrap, permutation, williams, steiger" in refused(test="odd")
    for test, name in (("williams", "Williams' test"), ("steiger", "Steiger's test")):
        assert f"{name} takes items as independent, but items share groups" in refused(is_grouped=True, test=test)
        assert f"{name} compares correlations; no correlation: mae" in refused(test=test)
        plan(test=test).check([PEARSON], is_grouped=False)
    plan(test="permutation").check([PEARSON, MAE], is_grouped=True)


def test_tests_made_for_pearson_are_approximate_on_ranks():
    measures = [PEARSON, make_measure("spearman")]
    note = "Williams' test is made for Pearson's r: on spearman it is approximate"
    assert plan(test="williams").notes(subjects_of(pair(), measures)) == (note,)
    assert plan(test="williams").notes(subjects_of(pair(), [PEARSON])) == ()
    assert plan().notes(subjects_of(pair(), measures)) == ()


def test_resamples_are_enough_from_the_border_on():
    # three systems, three pairs: 3 / (n + 1) is at most 1/8 from n = 23 on; ceil(3 * 8) = 24 are asked for
    (subject,) = subjects_of(pair(3), [PEARSON])
    assert plan(level=0.875, resamples=23, systems=3).notes([subject]) == ()
    few = "22 resamples are too few to compare 3 systems: draw at least 24"
    assert plan(level=0.875, resamples=22, systems=3).notes([subject]) == (few,)
    assert plan(level=0.875, resamples=1, systems=1).notes(subjects_of(pair(1), [PEARSON])) == ()


def test_too_few_resamples_are_counted_by_the_measure_with_most_systems():
    """Three systems have three pairs: 3 / 60 is not above .05, 3 / 59 is. MAE has two systems, Pearson three."""
    whole = pair(3)
    off = replace(whole, is_on_scale=np.array([True, True, False]))
    subjects = subjects_of(off, [MAE, PEARSON])
    for test in ("bootstrap", "permutation"):
        assert plan(test=test, resamples=59, systems=3).notes(subjects) == ()
        (note,) = plan(test=test, resamples=58, systems=3).notes(subjects)
        assert note == "58 resamples are too few to compare 3 systems: draw at least 60"
    assert plan(resamples=None).notes(subjects) == ()


@pytest.mark.parametrize(("more", "said"), [(0.0, None), (0.5, 1), (1.0, 1), (100_000.0, 100_000), (100_001.0, None)])
def test_at_most_a_thousand_times_the_units_are_asked_for(monkeypatch, more: float, said: int | None):
    found = Evidence.of_covariance(np.array([0.8, 0.7]), np.eye(2), 10.0, units=100)
    monkeypatch.setattr(needed_units.stats, "units_for_power", lambda *_: 100 + more)
    assert needed_units.more_units(found, 0, [1]) == said
