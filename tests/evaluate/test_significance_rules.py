"""Pivots, steps and records of confidence, each by hand."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Figure, Measure, make_measure
from similitude.evaluate.significance import Confidence, confidence
from similitude.evaluate.significance.findings import Findings
from similitude.evaluate.significance.jackknife import Jackknife, _linked_error, _skewness
from similitude.evaluate.significance.plan import Plan
from similitude.evaluate.significance.resampler import Resampler, Steps
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import LinkPivot, SharePivot, Units

FIVE = Scale(low=0, high=5)


def jackknife(name: str, left_out: list[float], *, is_grouped: bool = False, error: float = 2.0) -> Jackknife:
    """Figures without units, for a system that is right on two items of four, and off by ``error`` on the others."""
    gold = np.array([0.0, 5.0, 1.0, 4.0])
    made = Comparison.of_scores(gold, gold + error * np.array([0, 0, 1, -1]), FIVE)
    (subject,) = subjects_of(made, [make_measure(name)])
    return Jackknife(subject, np.array([left_out]), is_grouped)


def with_figure(made: Jackknife, value: float) -> Jackknife:
    return replace(made, subject=replace(made.subject, figures=(Figure(value),)))


class Unknown(Measure):
    """Nothing is known of it but its range."""

    name, meaning = "unknown", ""

    def values(self, comparison):
        return np.full(comparison.systems, (self.low + self.high) / 2)


@pytest.mark.parametrize(
    ("low", "high", "sampling"),
    [(-1.0, 1.0, "fisher"), (0.0, 1.0, "logit"), (0.0, 2.0, "skewed"), (-1.0, 0.0, "skewed")],
)
def test_a_measure_of_which_nothing_is_known_varies_as_its_range_says(low: float, high: float, sampling: str):
    made = Comparison.of_scores(np.arange(4.0), np.arange(4.0), FIVE)
    (subject,) = subjects_of(made, [type("Ranged", (Unknown,), {"low": low, "high": high})()])
    assert Jackknife(subject, np.array([[0.4, 0.5, 0.6]]), False)._sampling == sampling
    assert jackknife("ndcg@2", [0.4, 0.5, 0.6])._sampling == "logit"
    assert jackknife("pearson", [0.4, 0.5, 0.6])._sampling == "fisher"
    plan = Plan(level=0.95, method="auto", test="auto", resamples=None, seed=0, systems=2)
    assert plan.method_of(subject.measure) == "bca"


def test_a_share_like_figure_at_its_end_or_that_never_changes_has_wilson_s_interval():
    inside = jackknife("ndcg", [0.5, 0.6, 0.7])
    assert isinstance(with_figure(inside, 0.6).pivots[0], LinkPivot)
    for value, left_out, share in (
        (1.0, [0.9, 1.0, 1.0], 1.0),
        (0.0, [0.1, 0.0, 0.0], 0.0),
        (0.6, [0.6, 0.6, 0.6], 0.6),
        (1.0 + 4e-16, [1.0, 1.0, 0.9], 1.0),
        (-1e-17, [0.0, 0.0, 0.1], 0.0),
    ):
        (pivot,) = with_figure(jackknife("ndcg", left_out), value).pivots
        assert isinstance(pivot, SharePivot)
        assert (pivot.share, pivot.trials) == (share, 3)


def test_a_figure_that_varies_symmetrically_is_taken_as_it_is():
    gold = np.array([0.0, 5.0, 1.0, 4.0])
    made = Comparison.of_scores(gold, gold + np.array([0, 0, 1, -1]), FIVE)
    sure = replace(made, predicted_sigma=np.full((1, 4), 0.5))
    (subject,) = subjects_of(sure, [make_measure("ece")])
    (pivot,) = Jackknife(subject, np.array([[0.2, 0.3, 0.4]]), False).pivots
    assert (pivot.link, pivot.error) == ("plain", pytest.approx(np.sqrt(2 * np.var([0.2, 0.3, 0.4]))))


def test_figures_that_are_all_the_same_have_no_skewness():
    assert _skewness(np.full(5, 0.7)) == 0.0
    # deviations from the mean: 1, 1, -2; the influence of units is opposed to the figures without them
    assert _skewness(np.array([0.0, 0.0, 3.0])) == pytest.approx((1 + 1 - 8) / 3 / 2**1.5)


def test_no_share_of_groups_has_as_many_trials_as_groups():
    """A share of 0 has no error by the formula, whatever leaving out a group says."""
    made = with_figure(jackknife("accuracy_low", [0.0, 0.1, 0.2], is_grouped=True), 0.0)
    (pivot,) = made.pivots
    assert (pivot.share, pivot.trials, pivot.freedom) == (0.0, 3, 2)


def test_the_error_on_the_scale_of_a_link():
    # the jackknife's standard error of three figures: sqrt(2 * their variance)
    inside = np.array([-0.2, 0.3, 0.4])
    expected = np.sqrt(2 * np.var(np.arctanh(inside)))
    assert _linked_error(0.2, inside, "fisher") == pytest.approx(expected)
    shares = np.array([0.2, 0.5, 0.8])  # logits -log 4, 0, log 4
    assert _linked_error(0.5, shares, "logit") == pytest.approx(np.sqrt(2 * 2 / 3) * np.log(4))


def error(changes: list[float]) -> float:
    """The jackknife's standard error of three figures."""
    return float(np.sqrt(2 * np.var(changes)))


def test_no_unit_counts_for_more_than_reaching_the_end_does_to_first_order():
    # Fisher's z: (1 - .5) / (1 - .5^2) = 2/3 upwards, (1 + .5) / (1 - .5^2) = 2 downwards
    near = np.arctanh([0.4, 0.6]) - np.arctanh(0.5)
    assert _linked_error(0.5, np.array([0.4, 0.6, 1.0]), "fisher") == pytest.approx(error([*near, 2 / 3]))
    assert _linked_error(0.5, np.array([-1.0, 0.6, 0.5]), "fisher") == pytest.approx(error([-2.0, near[1], 0.0]))
    # the logit: .8 / (.2 x .8) = 5 upwards, .2 / (.2 x .8) = 1.25 downwards
    down, up = np.log(4 / 9), np.log(12 / 7)  # logit .1 - logit .2, logit .3 - logit .2
    assert _linked_error(0.2, np.array([0.1, 0.3, 1.0]), "logit") == pytest.approx(error([down, up, 5.0]))
    assert _linked_error(0.2, np.array([0.0, 0.3, 0.2]), "logit") == pytest.approx(error([-1.25, up, 0.0]))


@pytest.mark.parametrize("link", ["fisher", "logit"])
def test_how_near_to_its_end_a_figure_comes_without_one_unit_hardly_matters(link):
    """A unit that holds all that a figure lacks: rounding decides whether it is 1 without the unit, or 1 - 1e-16."""
    others = np.full(40, 0.999 - 1e-5)
    found = [_linked_error(0.999, np.append(others, 1 - lack), link) for lack in (0.0, 1e-16, 1e-9, 1e-5)]
    assert found == pytest.approx([found[0]] * 4, rel=0.02)


@pytest.mark.parametrize(("is_grouped", "units"), [(True, "groups"), (False, "items")])
def test_units_are_called_by_their_name(is_grouped: bool, units: str):
    nan = np.nan
    low, high, reason = jackknife("pearson", [0.5, nan, nan, 0.6], is_grouped=is_grouped).interval(0, 0.95)
    assert np.isnan([low, high]).all()
    assert reason == f"without 2 of 4 {units} the measure is undefined"
    few = jackknife("pearson", [nan, *np.linspace(0.4, 0.6, 9)], is_grouped=is_grouped)  # 9 of 10 are just enough
    assert few.interval(0, 0.95).reason == f"without 1 of the {units} the measure is undefined"
    flat = jackknife("pearson", [0.5] * 4, is_grouped=is_grouped).interval(0, 0.95)
    assert flat.reason == f"the figure is the same whichever of the {units} is left out"
    assert jackknife("pearson", [0.5, 0.6, 0.7], is_grouped=is_grouped).interval(0, 0.95).reason is None


def test_two_figures_are_the_fewest():
    assert jackknife("pearson", [0.5, np.nan]).pivots == [None]
    (pivot,) = jackknife("pearson", [0.5, 0.6]).pivots
    assert isinstance(pivot, LinkPivot)
    assert pivot.link == "fisher"


def share_pivot(left_out: list[float], *, is_grouped: bool = True) -> SharePivot:
    """Accuracy for low pairs is 3/4: gold 1 is predicted as 3, which is not low."""
    (pivot,) = jackknife("accuracy_low", left_out, is_grouped=is_grouped).pivots
    assert isinstance(pivot, SharePivot)
    assert pivot.share == 0.75
    return pivot


def test_trials_of_a_share_in_groups():
    # .75 * .25 / variance; the variance of three figures by the jackknife: 2 * (.2^2 + .2^2) / 3
    found = share_pivot([0.55, 0.75, 0.95])
    assert (found.trials, found.freedom) == (pytest.approx(0.1875 / (0.16 / 3)), 2)
    # no more than were made: four
    assert share_pivot([0.74, 0.75, 0.76]).trials == 4
    # the variance is not known: as many as groups
    assert share_pivot([0.75, 0.75, 0.75]).trials == 3
    assert share_pivot([0.75, np.nan, np.nan]).trials == 3
    # items are the trials
    alone = share_pivot([0.55, 0.75, 0.95], is_grouped=False)
    assert (alone.trials, alone.freedom) == (4, np.inf)


def test_a_share_at_its_end_has_no_more_trials_than_groups():
    (pivot,) = jackknife("accuracy_low", [0.9, 1.0, 0.8], is_grouped=True, error=0.0).pivots
    assert (pivot.share, pivot.trials, pivot.freedom) == (1.0, 3, 2)


def test_errors_that_vary_together():
    gold = np.array([0.0, 5.0, 1.0, 4.0])
    made = Comparison.of_scores(gold, np.stack([gold + np.array([0, 1, 1, 0]), gold + np.array([1, 0, 1, 0])]), FIVE)
    (subject,) = subjects_of(made, [make_measure("mae")])
    # centred: -1 0 1 and -1 1 0: 1 / 2; a column that one system lacks does not count
    left_out = np.array([[1.0, 2, 3] * 4 + [np.nan], [1, 3, 2] * 4 + [9]])
    assert Jackknife(subject, left_out, False)._correlations == pytest.approx(np.array([[1, 0.5], [0.5, 1]]))
    # a system that is undefined too often counts for nothing, and takes no column from others; one may not vary
    assert Jackknife(subject, left_out[:, 11:], False)._correlations.tolist() == [[0, 0], [0, 1]]
    flat = np.array([[1.0, 2.0], [3.0, 3.0]])
    assert Jackknife(subject, flat, False)._correlations == pytest.approx(np.array([[1, 0], [0, 0]]))


def test_progress_is_told_each_24th():
    calls: list[tuple[str, int, int]] = []
    steps = Steps(lambda *call: calls.append(call), 49)
    for more in (1, 1, 1, 2, 1, 40, 2, 1):
        steps.take(more)
    # 49 / 24 is above 2: at 3, 6, 46 and the end
    assert [done for _, done, _ in calls] == [3, 6, 46, 49]
    assert calls[0] == ("resampling", 3, 49)
    even: list[int] = []
    steps = Steps(lambda _, done, __: even.append(done), 48)
    for _ in range(48):
        steps.take(1)
    assert even == list(range(2, 49, 2))


def test_one_unit_tells_nothing():
    made = Comparison.of_scores(np.array([1.0]), np.array([[2.0], [3.0]]), FIVE)
    plan = Plan(level=0.95, method="auto", test="auto", resamples=None, seed=0, systems=2)
    for units, name in ((Units(1), "item"), (Units.of_groups(np.array([0])), "group")):
        found = Findings.of(plan, subjects_of(made, [make_measure("mae"), make_measure("pearson")]), units)
        reason = f"only 1 {name}: there is nothing to resample"
        assert [one.reason for one in found.figures[0]] == [reason] * 2
        assert found.figures[1][0].reason != reason  # the measure's own
        assert [[one.reason for one in row] for row in found.pairs[0].differences] == [[reason] * 2] * 2
        assert found.p_values[0].is_floor.dtype == np.bool_
        assert (found.p_values[0].values.shape, found.p_values[1].values.shape) == ((2, 2), (2, 2))
        assert np.isnan(found.p_values[0].values).all()


def test_unknown_p_values_come_back_from_a_record():
    gold = np.array([1.0, 2.0, 4.0, 3.0])
    made = Comparison.of_scores(gold, np.stack([gold + np.array([0, 1, 0, 1]), np.ones(4)]))
    sure = confidence(made, [make_measure("pearson")])
    record = sure.record()
    assert record["p_values"][0][0][1] is None
    back = Confidence.from_record(record)
    assert back.p_values.dtype == np.float64
    assert np.isnan(back.p_values[0, 0, 1])
    assert back.record() == record
    earlier = {
        name: value for name, value in record.items() if name not in ("methods", "tests", "differences", "is_floor")
    }
    old = Confidence.from_record(earlier)
    assert (old.methods, old.tests, old.differences) == (("auto",), ("auto",), ())
    assert old.is_floor.tolist() == [[[False, False], [False, False]]]


def test_each_purpose_has_its_own_random_numbers():
    first = [Resampler([], Units(4), 4, seed)._rng(purpose).random() for seed in (0, 1) for purpose in range(3)]
    assert len(set(first)) == 6
    assert Resampler([], Units(4), 4, 1)._rng(2).random() == first[-1]
