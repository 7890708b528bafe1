import numpy as np
import polars as pl
import pytest
from scipy.stats import pearsonr, spearmanr

import similitude as sim
from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.ceiling import human_ceiling, reliability_interval
from similitude.gold.reliability.score_reliability import ScoreReliability
from similitude.stats import Units, jackknife_interval


def of_matrix(values) -> Judgements:
    """Raters x items, nan where a rating is missing."""
    rater, item = np.nonzero(np.isfinite(values))
    names, ids = [f"r{n}" for n in rater], [f"i{n}" for n in item]
    frame = pl.DataFrame({"annotator": names, "item": ids, "value": values[rater, item]})
    return Judgements(name="made", frame=frame, scale=Scale(low=0, high=5))


def test_one_rater_against_the_rest_by_hand():
    # x 1 2 3 against (y + z) / 2 = 1.5 3.5 4, which is 3 + (-1.5, 0.5, 1): (1.5 + 1) / sqrt(2 * 3.5)
    # y 1 3 2 against (x + z) / 2 = 1.5 3 4.5, which is 3 + (-1.5, 0, 1.5): 1.5 / sqrt(2 * 4.5)
    # z 2 4 6 against (x + y) / 2 = 1 2.5 2.5, which is 2 + (-1, 0.5, 0.5): (2 + 1) / sqrt(8 * 1.5)
    values = np.array([[1.0, 2, 3], [1, 3, 2], [2, 4, 6]])
    expected = [2.5 / np.sqrt(7), 0.5, np.sqrt(3) / 2]
    found = human_ceiling(of_matrix(values), least_items=3, resampling=NO_INTERVALS)
    assert found.annotators["pearson"].to_list() == pytest.approx(expected)
    assert found.annotators["items"].to_list() == [3, 3, 3]
    assert found.pearson.one_person.value == pytest.approx(np.mean(expected))
    assert np.isnan(found.pearson.one_person.low)
    # ranks: x 123 against 123 -> 1; y 132 against 123 -> 0.5; z 123 against 1, 2.5, 2.5 -> sqrt(3) / 2
    assert found.spearman.one_person.value == pytest.approx((1 + 0.5 + np.sqrt(3) / 2) / 3)


def test_its_words_are_not_those_of_every_item():
    assert len(repr(human_ceiling(of_matrix(np.random.default_rng(0).uniform(0, 5, (3, 400)))))) < 2500


def test_theory_on_simulated_raters():
    # truth ~ N(0, 1), noise ~ N(0, 0.8^2), 9 raters: r of one with 8 others is 1 / sqrt(1.64 * (1 + 0.64 / 8)),
    # another panel has 1 / (1 + 0.64 / 9), and a perfect system reaches its root; Spearman of normals is 6/pi asin(r/2)
    rng = np.random.default_rng(7)
    values = rng.normal(0, 1, 1500) + rng.normal(0, 0.8, (9, 1500))
    found = human_ceiling(of_matrix(values))
    one, panel = 1 / np.sqrt(1.64 * 1.08), 1 / (1 + 0.64 / 9)
    for ceiling, expected in (
        (found.pearson, (one, panel, np.sqrt(panel))),
        (found.spearman, tuple(6 / np.pi * np.arcsin(r / 2) for r in (one, panel, np.sqrt(panel)))),
    ):
        for estimate, value in zip((ceiling.one_person, ceiling.panel, ceiling.perfect), expected, strict=True):
            assert estimate.low < estimate.value < estimate.high
            assert estimate.value == pytest.approx(value, abs=0.01)
            assert estimate.high - estimate.low < 0.04
    assert found.pearson.perfect.value == pytest.approx(np.sqrt(found.pearson.panel.value), abs=1e-12)
    assert found.pearson.perfect.low == pytest.approx(np.sqrt(found.pearson.panel.low), abs=1e-12)


LABELS = {"binary": (0.3,), "three levels": (-0.5, 0.8), "Likert": (-1.5, -0.5, 0.5, 1.5)}


@pytest.mark.parametrize("raters", [2, 5, 30])
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("named", [True, False])
def test_coarse_labels_have_the_ceilings_of_a_real_second_panel(labels, raters, named):
    """Spearman's rho of two panels that rate the same 1,500 items, people who differ in leniency among them.

    benchmarks/ceiling.py repeats it with standard errors.
    """
    rng = np.random.default_rng([raters, len(labels)])
    truth = rng.normal(size=1500)
    leniency = 0.2 * rng.normal(size=(2, raters, 1 if named else 1500))
    one, other = np.digitize(truth + leniency + 0.8 * rng.normal(size=(2, raters, 1500)), LABELS[labels])
    system = truth + rng.normal(size=1500)
    rows = {"item": np.tile(np.arange(1500).astype(str), raters), "value": one.ravel().astype(float)}
    who = {"annotator": np.repeat(np.arange(raters), 1500).astype(str)} if named else {}
    judgements = sim.read_judgements(pl.DataFrame(rows | who))
    ceiling = sim.agreement.human_ceiling(judgements).spearman
    gold = one.mean(axis=0)
    assert ceiling.panel.value == pytest.approx(spearmanr(gold, other.mean(axis=0)).statistic, abs=0.05)
    assert ceiling.perfect.value == pytest.approx(spearmanr(gold, truth).statistic, abs=0.02)
    assert not ceiling.one_person.value > ceiling.panel.value
    corrected = spearmanr(gold, system).statistic / ceiling.perfect.value
    assert corrected == pytest.approx(spearmanr(truth, system).statistic, abs=0.04)


def test_a_panel_below_one_person_is_not_shown():
    """Two people for each item, half of them very strict: one person is consistent, a panel is not."""
    rng = np.random.default_rng(2)
    truth, rows = rng.normal(size=300), []
    for item in range(300):
        for rater in rng.choice(20, 2, replace=False):
            rows.append((f"r{rater}", f"i{item}", truth[item] + 8 * (rater % 2) + 0.1 * rng.normal()))
    frame = pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row")
    found = sim.agreement.human_ceiling(sim.read_judgements(frame)).pearson
    assert found.one_person.is_defined
    assert "another panel would be below one person" in found.panel.reason
    assert "another panel would be below one person" in found.perfect.reason


def test_intervals_are_those_of_resampled_items():
    rng = np.random.default_rng(3)
    values = rng.normal(0, 1, 150) + rng.normal(0, 1, (4, 150))
    found = human_ceiling(of_matrix(values), resampling=Resampling(level=0.9))
    drawn = [
        human_ceiling(of_matrix(values[:, rng.integers(0, 150, 150)]), resampling=NO_INTERVALS) for _ in range(200)
    ]
    for name in ("one_person", "panel"):
        for kind in ("pearson", "spearman"):
            spread = np.std([getattr(getattr(each, kind), name).value for each in drawn])
            estimate = getattr(getattr(found, kind), name)
            assert estimate.high - estimate.low == pytest.approx(2 * 1.655 * spread, rel=0.2)


def test_raters_without_a_common_item_leave_the_interval_of_one_person_narrower_with_more_raters():
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 1, 80)
    widths = []
    for raters in (2, 8):
        estimate = human_ceiling(of_matrix(truth + rng.normal(0, 1, (raters, 80)))).pearson.one_person
        widths.append(estimate.high - estimate.low)
    assert widths[1] < widths[0]


def test_an_odd_number_of_ratings_and_gaps():
    # five raters of twenty an item: halves of two and three, carried to five
    rng = np.random.default_rng(8)
    values = rng.normal(0, 1, 2000) + rng.normal(0, 1, (20, 2000))
    values[rng.permuted(np.tile(np.arange(20) >= 5, (2000, 1)), axis=1).T] = np.nan
    found = human_ceiling(of_matrix(values), resampling=NO_INTERVALS)
    assert found.pearson.perfect.value == pytest.approx(1 / np.sqrt(1 + 1 / 5), abs=0.01)
    assert found.spearman.panel.value == pytest.approx(6 / np.pi * np.arcsin(1 / 1.2 / 2), abs=0.02)


def test_annotators_with_few_shared_items_are_left_out():
    values = np.full((4, 30), np.nan)
    values[:2] = np.random.default_rng(0).uniform(0, 5, (2, 30))
    values[2, :9] = np.arange(9) % 5
    values[3, :10] = np.arange(10) % 5
    found = human_ceiling(of_matrix(values), resampling=NO_INTERVALS)
    assert found.left_out == 1
    assert found.annotators["annotator"].to_list() == ["r0", "r1", "r3"]


def test_only_the_items_that_are_asked_for_count():
    values = np.random.default_rng(0).uniform(0, 5, (3, 40))
    some = human_ceiling(of_matrix(values), items=[f"i{n}" for n in range(25)])
    alone = human_ceiling(of_matrix(values[:, :25]))
    assert some.pearson == alone.pearson
    assert some.spearman == alone.spearman
    assert some.annotators["items"].to_list() == [25, 25, 25]


def test_one_annotator_has_no_ceiling():
    found = human_ceiling(of_matrix(np.arange(12.0)[None] % 5))
    assert found.pearson.one_person.reason == "no annotator shares enough items with others"
    assert found.pearson.panel.reason == "no item has two ratings: there is nothing to compare"
    assert found.spearman.perfect.reason == "no item has two ratings: there is nothing to compare"
    assert found.annotators.is_empty()


def test_constant_answers_are_undefined_not_zero():
    found = human_ceiling(of_matrix(np.full((3, 12), 2.0)), resampling=NO_INTERVALS)
    assert np.isnan(found.pearson.one_person.value)
    assert "gives all items the same score" in found.pearson.one_person.reason
    assert found.pearson.panel.reason == "every item has the same score"
    assert found.spearman.perfect.reason == "every item has the same score"


def test_gold_below_its_noise_has_no_perfect_system():
    # means 0 and 0 and 1: variance 1/3; noise of each mean (2^2 / 2) / 2 = 1: reliability 1 - 1 / (1/3) = -2
    values = np.array([[-1.0, -1, 0], [1, 1, 2]])
    frame = of_matrix(values).frame.with_columns(annotator=None)
    found = human_ceiling(Judgements(name="made", frame=frame, scale=Scale(low=-1, high=5)), resampling=NO_INTERVALS)
    assert found.pearson.panel.value == pytest.approx(-2)
    assert "gold is not reliable at all" in found.pearson.perfect.reason


def test_ratings_that_never_differ_have_a_ceiling_of_one_without_an_interval():
    found = human_ceiling(of_matrix(np.tile(np.arange(12.0) % 5, (3, 1))))
    for ceiling in (found.pearson, found.spearman):
        assert ceiling.panel.value == ceiling.perfect.value == 1
        assert np.isnan(ceiling.panel.low)
        assert ceiling.panel.reason == "no interval: gold has no noise"
        assert ceiling.one_person.value == pytest.approx(1)


def test_a_constant_annotator_is_left_out_of_the_mean():
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 5, (3, 20))
    values[2] = 3.0
    found = human_ceiling(of_matrix(values))
    known = found.annotators["pearson"].to_numpy()
    assert np.isnan(known[2])
    assert found.pearson.one_person.value == pytest.approx(known[:2].mean())
    assert found.pearson.one_person.low < found.pearson.one_person.value < found.pearson.one_person.high


def test_best_worst_answers_without_names_have_a_panel_but_no_one_person():
    rows = {"items": [list("abc"), list("bcd")] * 3, "best": list("ababbc"), "worst": list("cdcdcd")}
    found = human_ceiling(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=NO_INTERVALS).pearson
    assert found.one_person.reason == "annotators are not named: figures about people need the column 'annotator'"
    assert 0 < found.panel.value <= 1


def test_best_worst_ceiling_recovers_careful_and_careless_annotators():
    rng = np.random.default_rng(5)
    ids = [f"i{n}" for n in range(40)]
    truth = dict(zip(ids, rng.uniform(0, 1, 40), strict=True))
    tuples = {f"q{n}": rng.choice(ids, 4, replace=False).tolist() for n in range(80)}
    careful = Annotators(np.zeros(6), np.full(6, 0.02))
    careless = Annotators(np.zeros(6), np.full(6, 0.8))
    ceilings = []
    for pool in (careful, careless):
        frame = judge_best_worst(tuples, truth, pool, per_tuple=6, rng=rng)
        ceilings.append(human_ceiling(Judgements(name="made", frame=frame)).pearson)
    high, low = ceilings
    assert high.one_person.value > 0.9 > 0.6 > low.one_person.value
    assert high.perfect.value > 0.99 > low.perfect.value
    assert low.perfect.value > low.panel.value > low.one_person.value  # gold from all is better than one person


def test_each_annotator_has_both_correlations_with_the_rest():
    """x against the mean of y and z, over four items that all rated."""
    values = {"x": [1.0, 2.0, 3.0, 5.0], "y": [1.0, 3.0, 2.0, 4.0], "z": [2.0, 2.0, 4.0, 3.0]}
    rows = [(who, f"i{n}", value) for who, given in values.items() for n, value in enumerate(given)]
    frame = pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row")
    found = human_ceiling(Judgements(name="made", frame=frame), least_items=4, resampling=NO_INTERVALS)
    assert found.annotators.columns == ["annotator", "items", "pearson", "spearman"]
    for who, items, r, rho in found.annotators.iter_rows():
        rest = np.mean([given for other, given in values.items() if other != who], axis=0)
        assert items == 4
        assert (r, rho) == pytest.approx(
            (pearsonr(values[who], rest).statistic, spearmanr(values[who], rest).statistic)
        )
    fewer = human_ceiling(Judgements(name="made", frame=frame.head(11)), least_items=4, resampling=NO_INTERVALS)
    assert (fewer.annotators["annotator"].to_list(), fewer.left_out) == (["x", "y"], 1)


def test_no_interval_where_gold_has_no_noise_without_some_item():
    without = np.array([1.0, 0.88, 0.91, 0.86, 0.9])
    found = reliability_interval(ScoreReliability(value=0.9, without=without), Units(5), 0.9)
    assert np.isnan([found.low, found.high]).all()
    assert found.reason is not None
    without[0] = 0.95
    found = reliability_interval(ScoreReliability(value=0.9, without=without), Units(5), 0.9)
    expected = jackknife_interval(np.log(0.1), np.log(1 - without), 0.9)
    assert (found.low, found.high) == pytest.approx((1 - np.exp(expected.high), 1 - np.exp(expected.low)))
