"""Decisions: the systems that may be best, comparisons with a baseline, margins, effect sizes, and power."""

import numpy as np
import pytest

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import Decision, Evidence, confidence, decision_on
from similitude.stats import t_point, t_tail

FIVE = Scale(low=0, high=5)


def made(noise=(0.8, 0.8, 1.0, 2.0), items=150, seed=0) -> Comparison:
    rng = np.random.default_rng(seed)
    gold, shared = rng.uniform(0, 5, items), rng.normal(size=items)
    predicted = gold + np.array(noise)[:, None] * (0.6 * shared + 0.8 * rng.normal(size=(len(noise), items)))
    return Comparison.of_scores(gold, predicted, FIVE)


def evidence(whole: Comparison, name: str = "spearman", **options) -> Evidence:
    measure = make_measure(name)
    sure = confidence(whole, [measure], **options)
    values = np.array([figure.value for figure in measure(whole)])
    found = Evidence.of_confidence(sure, 0, values, higher_is_better=measure.higher_is_better)
    assert found is not None
    return found


def plain(values, errors=0.01, freedom=np.inf, **options) -> Evidence:
    """Figures with independent errors of the same size."""
    return Evidence.of_covariance(np.array(values), np.eye(len(values)) * errors**2, freedom, **options)


def contrast(decision: Decision, system: int):
    return next(one for one in decision.contrasts if one.system == system)


def test_two_systems_are_decided_by_the_p_value_of_the_pair():
    whole = made((0.8, 1.0), items=60)
    sure, found = confidence(whole, [make_measure("spearman")]), decision_on(evidence(whole), baseline=1)
    assert found.may_be_best == (0, 1)[: 1 + (sure.p_values[0, 0, 1] > 0.05)]
    assert contrast(found, 0).p_value == sure.p_values[0, 0, 1]
    assert sure.p_values[0, 0, 1] == pytest.approx(sure.single_p_values[0, 0, 1], rel=1e-3)
    low, high, _ = sure.differences[0][0][1]
    assert contrast(found, 0).interval[:2] == pytest.approx((low, high), abs=1e-5)


def test_low_figures_are_best_where_low_is_good():
    whole = made()
    found = decision_on(evidence(whole, "mae"), baseline=3)
    assert set(found.may_be_best) == {0, 1}
    assert [contrast(found, row).verdict for row in range(3)] == ["better"] * 3
    first = contrast(found, 0)
    losses = np.abs(whole.predicted - whole.gold).mean(axis=1)
    assert first.difference == pytest.approx(losses[0] - losses[3])
    assert first.interval.low < first.difference < first.interval.high < 0


def test_the_set_shrinks_to_the_best_and_says_what_it_would_take():
    # 3 standard errors of 0.01 are 3 / sqrt(2) = 2.12 of the difference: p = .034
    seen = plain([0.80, 0.77, 0.5], units=100)
    found = decision_on(seen)
    assert found.may_be_best == (0,)
    assert found.more_units is None
    assert seen.p_values[0, 1] == pytest.approx(2 * t_tail(3 / 2**0.5, np.inf), rel=0.02)
    close = decision_on(plain([0.80, 0.79, 0.5], units=100))
    assert close.may_be_best == (0, 1)
    # 1 / sqrt(2) standard errors have to become 1.96 + .84: 7.85 * 2 = 15.7 times as many
    assert close.more_units == pytest.approx(1500, abs=100)


def test_the_nearest_rival_needs_most():
    two, three = decision_on(plain([0.8, 0.79], units=100)), decision_on(plain([0.8, 0.79, 0.785], units=100))
    assert three.may_be_best == (0, 1, 2)
    # the same difference, but of three pairs: 2.34 + .84 standard errors instead of 1.96 + .84
    assert three.more_units == pytest.approx(two.more_units * (3.18 / 2.80) ** 2, rel=0.05)


def test_equal_figures_need_no_number():
    found = decision_on(plain([0.8, 0.8], units=100))
    assert found.may_be_best == (0, 1)
    assert found.more_units is None


def test_a_difference_of_next_to_nothing_gets_no_number():
    assert decision_on(plain([0.8, 0.8 - 1e-6], units=100)).more_units is None


def test_bystanders_that_are_decided_do_not_change_the_verdict_on_the_best():
    """p = .03 alone; so it stays among others of which all pairs differ clearly."""
    lead = 0.01 * 2**0.5 * float(t_point(0.015, np.inf))
    alone, among = plain([0.8 + lead, 0.8]), plain([0.8 + lead, 0.8, *np.linspace(0.1, 0.6, 6)])
    assert decision_on(alone).may_be_best == decision_on(among).may_be_best == (0,)
    assert among.p_values[0, 1] == pytest.approx(alone.p_values[0, 1], abs=0.002)


def test_a_baseline_has_the_p_values_of_all_pairs():
    """So that the verdict on a system is the same as its letters say."""
    error = 0.01 * 2**0.5
    whole = plain([0.8, 0.8 + 2.6 * error, 0.8 + 4 * error, *np.full(4, 0.801)])
    found = decision_on(whole, baseline=0)
    assert len(found.contrasts) == 6
    assert [contrast(found, row).p_value for row in range(1, 7)] == whole.p_values[1:, 0].tolist()
    assert [contrast(found, row).verdict for row in range(1, 7)] == ["undecided", "better", *["undecided"] * 4]


def test_intervals_are_for_all_pairs_together():
    found = decision_on(plain([0.8, 0.81, 0.82, 0.83], freedom=20.0), baseline=0)
    for one in found.contrasts:
        reach = 3.96 * 0.01  # Tukey's studentised range, four systems, 20 degrees of freedom
        assert one.difference - one.interval.low == pytest.approx(reach, abs=3e-4)
        assert one.interval.high - one.difference == pytest.approx(reach, abs=3e-4)


def test_an_interval_does_not_contradict_the_step_down_test():
    """The last of three pairs is decided at the last step only; its interval at the first step would hold 0."""
    error = 0.01 * 2**0.5
    found = decision_on(plain([0.8, 0.8 + 9 * error, 0.8 + 2.1 * error]), baseline=0)
    second = contrast(found, 2)
    assert second.verdict == "better"
    assert second.interval.low == pytest.approx((2.1 - 1.96) * error, rel=0.02)
    worse = decision_on(plain([0.8, 0.8 - 9 * error, 0.8 - 2.1 * error]), baseline=0)
    assert contrast(worse, 2).verdict == "worse"
    assert contrast(worse, 2).interval.high == pytest.approx(-(2.1 - 1.96) * error, rel=0.02)


def test_margins():
    """Differences of 0, -1 and -3 standard errors; the margin is 3 of them."""
    error = 0.01 * 2**0.5
    found = decision_on(plain([0.8, 0.8, 0.8 - error, 0.8 - 3 * error, 0.8 + 9 * error]), baseline=0, margin=3 * error)
    one, two, three, four = (contrast(found, row) for row in (1, 2, 3, 4))
    assert (one.is_not_worse(0.95), one.is_equivalent(0.95)) == (True, True)
    assert one.equivalent_p_value == pytest.approx(4 * t_tail(3.0, np.inf), rel=1e-3)  # Holm over four
    assert one.not_worse_p_value < one.equivalent_p_value
    assert not two.is_equivalent(0.95)
    assert two.not_worse_p_value == pytest.approx(0.04, abs=0.015)  # 2 standard errors; the last of the family but one
    assert not three.is_not_worse(0.95)
    assert three.not_worse_p_value == pytest.approx(0.5, abs=0.01)
    assert four.is_not_worse(0.95)
    assert not four.is_equivalent(0.95)
    assert decision_on(plain([0.8, 0.8]), baseline=0).contrasts[0].is_not_worse(0.95) is None


def test_a_margin_uses_the_side_of_the_interval_that_it_is_on():
    """A correlation near 1 can be lower by more than it can be higher."""
    whole = evidence(made((0.2, 0.25), items=30), "pearson")
    below, above = (error[1, 0] for error in whole.errors)
    assert below != pytest.approx(above, rel=0.01)
    lead = whole.leads[1, 0]
    expected = t_tail((lead + 0.02) / below, whole.pair_freedoms[1, 0])
    found = decision_on(whole, baseline=0, margin=0.02)
    assert contrast(found, 1).not_worse_p_value == pytest.approx(expected, rel=1e-3)


def test_without_a_baseline_the_margin_is_to_the_best():
    error = 0.01 * 2**0.5
    found = decision_on(plain([0.8, 0.8 - error, 0.8 - 6 * error]), margin=4 * error)
    assert found.near_best == (0, 1)
    assert found.near_best_p_values[2] == pytest.approx(t_tail(-2.0, np.inf), abs=0.02)
    assert found.near_best_p_values[1] == pytest.approx(t_tail(3.0, np.inf), rel=1.2)
    assert decision_on(plain([0.8, 0.79]), baseline=0, margin=1.0).near_best == ()


def test_near_best_is_the_same_with_all_systems_as_controls():
    """The shortcut that leaves out systems which cannot matter changes nothing."""
    from similitude.stats import many_to_one_p_values

    whole = evidence(made((0.8, 0.85, 0.9, 1.0, 1.2, 2.0)))
    statistics = whole.not_worse(0.02)
    rows = [many_to_one_p_values(statistics[:, row], row, whole.reference) for row in range(6)]
    found = decision_on(whole, margin=0.02)
    assert [found.near_best_p_values[row] for row in whole.known] == pytest.approx(np.nanmax(rows, axis=0), abs=1e-12)


def test_cohen_s_q_and_d_z():
    whole = made((0.5, 1.0), items=80)
    for name in ("pearson", "spearman"):
        one, other = make_measure(name).values(whole)
        effect = decision_on(evidence(whole, name), baseline=1, measure=make_measure(name)).contrasts[0].effect
        assert effect.name == "q"
        assert effect.value == pytest.approx(np.arctanh(one) - np.arctanh(other))
    losses = np.abs(whole.predicted - whole.gold)
    apart = losses[0] - losses[1]
    effect = decision_on(evidence(whole, "mae"), baseline=1, measure=make_measure("mae")).contrasts[0].effect
    assert effect.name == "d_z"
    assert effect.value == pytest.approx(apart.mean() / apart.std(ddof=1))
    for name in ("kendall", "f1_low"):
        found = decision_on(evidence(whole, name), baseline=1, measure=make_measure(name))
        assert found.contrasts[0].effect is None


def test_systems_without_a_figure_are_left_aside():
    whole = made((0.8, 1.0, 1.0), items=80)
    predicted = whole.predicted.copy()
    predicted[1] = 2.0  # constant: no correlation
    found = decision_on(evidence(Comparison.of_scores(whole.gold, predicted, FIVE)), baseline=0)
    assert 1 not in found.may_be_best
    assert [one.system for one in found.contrasts] == [2]
    none = decision_on(evidence(Comparison.of_scores(whole.gold, predicted, FIVE)), baseline=1)
    assert none.contrasts == ()


def test_equal_predictions_are_never_told_apart():
    whole = made((0.8, 0.8, 1.5), items=80)
    predicted = whole.predicted.copy()
    predicted[1] = predicted[0]
    found = decision_on(evidence(Comparison.of_scores(whole.gold, predicted, FIVE)), baseline=0, margin=0.001)
    assert found.may_be_best == (0, 1)
    one = contrast(found, 1)
    assert (one.verdict, one.difference, one.p_value, one.more_units) == ("undecided", 0, 1, None)
    assert one.is_equivalent(0.95)


def test_floors_of_resampled_p_values_are_marked():
    found = decision_on(evidence(made((0.3, 2.0), items=60), resamples=199), baseline=1)
    one = contrast(found, 0)
    assert one.is_floor
    assert one.p_value == pytest.approx(1 / 200, rel=1e-3)
    assert one.record(0.95)["is_floor"] is True


@pytest.mark.parametrize(
    "options", [{"test": "permutation", "resamples": 300}, {"test": "williams"}, {"method": "bca"}]
)
def test_other_tests_decide_too(options):
    found = decision_on(evidence(made((0.5, 0.5, 2.0)), "pearson", **options), baseline=2)
    assert set(found.may_be_best) == {0, 1}
    assert [one.verdict for one in found.contrasts] == ["better", "better"]


def test_evidence_of_a_covariance_is_student_s_t():
    found = plain([0.8, 0.7], errors=0.05, freedom=10.0, level=0.9)
    reach = t_point(0.05, 10) * 0.05 * 2**0.5
    assert found.single_p_values[0, 1] == pytest.approx(2 * t_tail(0.1 / (0.05 * 2**0.5), 10))
    assert (found.lows[0, 1], found.highs[0, 1]) == pytest.approx((0.1 - reach, 0.1 + reach), abs=1e-6)
    assert found.errors[0][1, 0] == pytest.approx(0.05 * 2**0.5)
    assert found.statistics[0, 1] == pytest.approx(0.1 / (0.05 * 2**0.5))


def test_a_decision_has_a_record_that_json_takes():
    import json

    found = decision_on(evidence(made()), baseline=3, margin=0.02, measure=make_measure("spearman"))
    plain_record = json.loads(json.dumps(found.record(["a", "b", "c", "d"]), allow_nan=False))
    assert plain_record["against"] == "d"
    assert plain_record["contrasts"][0]["system"] in "ab"
    assert plain_record["contrasts"][0]["effect"]["name"] == "q"
    assert plain_record["contrasts"][0]["is_not_worse"] is True
