"""The whole of it: intervals, tests and ranks of several systems on several measures."""

import json
import tracemalloc
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import Measure, catalogue, make_measure
from similitude.evaluate.significance import Confidence, confidence, resampler

FIVE = Scale(low=0, high=5)
USUAL = [
    make_measure(name) for name in ("pearson", "spearman", "kendall", "ndcg@10", "f1_low", "mae", "hmean(pearson, f1)")
]
METHODS, TESTS = ("bca", "percentile"), ("bootstrap", "permutation")


def made(items: int = 80, noise=(0.3, 0.8, 0.8, 2.0), seed: int = 0) -> Comparison:
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, items).round(1)
    predicted = gold + rng.normal(0, np.array(noise)[:, None], (len(noise), items))
    return Comparison.of_scores(gold, predicted, FIVE)


def rows_of(whole: Comparison, predicted: np.ndarray) -> Comparison:
    return Comparison.of_scores(whole.gold, predicted, FIVE)


def same(one, other, tolerance: float = 0.0) -> bool:
    ends = [np.array([[i[:2] for i in row] for row in each.intervals]) for each in (one, other)]
    close = all(
        np.allclose(a, b, atol=tolerance, rtol=0, equal_nan=True) for a, b in ((*ends,), (one.p_values, other.p_values))
    )
    return close and one.ranks == other.ranks


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.slow
def test_intervals_hold_figures_and_ranks_follow_them(method: str, test: str):
    whole = made()
    sure = confidence(whole, USUAL, method=method, test=test, resamples=400, seed=1)
    assert np.shape(sure.p_values) == (7, 4, 4)
    assert (len(sure.intervals), len(sure.intervals[0])) == (4, 7)
    for column, measure in enumerate(USUAL):
        for row, figure in enumerate(measure(whole)):
            low, high, _ = sure.intervals[row][column]
            assert low <= figure.value <= high
    pearson = [row[0] for row in sure.ranks]
    assert (pearson[0].best, pearson[0].worst, pearson[0].letters) == (1, 1, "a")
    assert (pearson[3].best, pearson[3].worst) == (4, 4)
    assert set(pearson[1].letters) & set(pearson[2].letters)
    mae = [row[5] for row in sure.ranks]
    assert (mae[0].best, mae[3].worst) == (1, 4)
    assert (mae[0].worst, mae[3].best) == (1, 4)


@pytest.mark.parametrize("test", TESTS)
def test_p_values_are_symmetric_and_between_0_and_1(test: str):
    p_values = confidence(made(), USUAL, test=test, resamples=200, method="percentile").p_values
    assert np.isnan(np.diagonal(p_values, axis1=1, axis2=2)).all()
    off = p_values[:, ~np.eye(4, dtype=bool)]
    assert ((off > 0) & (off <= 1)).all()
    assert (p_values.transpose(0, 2, 1)[:, ~np.eye(4, dtype=bool)] == off).all()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("name", [str(measure) for measure in catalogue()])
def test_two_systems_that_say_the_same_cannot_be_told_apart(name: str, test: str):
    rng = np.random.default_rng(0)
    whole = made(40, (0.8, 0.8))
    sigma = np.tile(rng.uniform(0.1, 1, 40), (2, 1))
    twins = replace(
        whole,
        predicted=np.tile(whole.predicted[0], (2, 1)),
        predicted_sigma=sigma,
        gold_sigma=rng.uniform(0.1, 1, 40),
        groups=np.arange(40) // 4,
        sources=Sources(np.arange(40) // 20, ("news", "forum")),
    )
    if "two labels" in make_measure(name).requires:
        twins = replace(twins, gold=np.where(twins.gold > 2.5, 5.0, 0.0), groups=None)
    sure = confidence(twins, [make_measure(name)], test=test, resamples=99)
    assert sure.p_values[0, 0, 1] == 1
    assert [rank.letters for (rank,) in sure.ranks] == ["a", "a"]
    assert sure.intervals[0][0][:2] == pytest.approx(sure.intervals[1][0][:2], abs=1e-9)
    assert np.isfinite(sure.intervals[0][0].low)


def test_the_same_seed_gives_the_same_and_another_something_else():
    first, again, other = (confidence(made(), USUAL[:2], resamples=100, seed=seed) for seed in (3, 3, 4))
    assert same(first, again)
    assert not same(first, other)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("groups", [None, np.arange(80) // 3])
def test_chunks_do_not_matter(monkeypatch, test: str, groups):
    whole = confidence(made(), USUAL, test=test, groups=groups, resamples=40)
    monkeypatch.setattr(resampler, "CHUNK_RESAMPLES", 7)
    assert same(confidence(made(), USUAL, test=test, groups=groups, resamples=40), whole, 1e-12)


def test_what_else_is_asked_for_does_not_matter():
    alone = confidence(made(), USUAL[1:2], method="percentile", resamples=100)
    among = confidence(made(), USUAL, method="percentile", test="permutation", resamples=100)
    for one, other in zip(alone.intervals, among.intervals, strict=True):
        assert one[0][:2] == pytest.approx(other[1][:2], abs=1e-12)


def test_row_order_matters_no_more_than_the_draw():
    whole, order = made(300), np.random.default_rng(5).permutation(300)
    shuffled = replace(whole, gold=whole.gold[order], predicted=whole.predicted[:, order])
    one, other = (confidence(each, USUAL[:2], resamples=2000) for each in (whole, shuffled))
    for a, b in zip(np.ravel(one.intervals), np.ravel(other.intervals), strict=True):
        assert a is None or a == pytest.approx(b, abs=0.01)
    assert one.ranks == other.ranks


def test_copies_in_groups_are_worth_no_more_than_the_originals():
    """Each of 50 items four times: drawing groups is drawing the originals; drawing items pretends to know more."""
    whole = made(50)
    copies = replace(whole, gold=np.repeat(whole.gold, 4), predicted=np.repeat(whole.predicted, 4, axis=1))
    measures = [make_measure("pearson"), make_measure("mae")]
    originals = confidence(whole, measures, resamples=500)
    grouped = confidence(copies, measures, resamples=500, groups=np.repeat(np.arange(50) * 7, 4))
    items = confidence(copies, measures, resamples=500)
    assert (originals.groups, grouped.groups) == (None, 50)
    for row in range(4):
        for column in range(2):
            expected, found, naive = (each.intervals[row][column] for each in (originals, grouped, items))
            assert found[:2] == pytest.approx(expected[:2], abs=1e-9)
            # a quarter of the variance, half the width
            assert (naive.high - naive.low) / (found.high - found.low) == pytest.approx(0.5, abs=0.12)
    assert grouped.p_values == pytest.approx(originals.p_values, nan_ok=True)


def test_swapping_whole_groups_is_more_careful():
    whole = made(40, (0.7, 0.9), seed=2)
    copies = replace(whole, gold=np.repeat(whole.gold, 5), predicted=np.repeat(whole.predicted, 5, axis=1))
    measures, groups = [make_measure("mae")], np.repeat(np.arange(40), 5)
    items = confidence(copies, measures, test="permutation", method="percentile", resamples=500)
    grouped = confidence(copies, measures, test="permutation", method="percentile", resamples=500, groups=groups)
    assert grouped.p_values[0, 0, 1] > 3 * items.p_values[0, 0, 1]


def test_many_systems_are_corrected_for():
    # five systems that say the same, one that does not: one comparison, as often as it is made
    whole = made(60, (0.6, 0.8), seed=1)
    crowd = rows_of(whole, np.vstack([whole.predicted, np.tile(whole.predicted[0], (4, 1))]))
    pair, many = (confidence(each, [make_measure("mae")], resamples=999) for each in (whole, crowd))
    assert 0.001 < pair.p_values[0, 0, 1] < 1 / 15
    assert many.p_values[0, 0, 1] == pytest.approx(pair.p_values[0, 0, 1], rel=0.01)
    others = rows_of(whole, np.vstack([whole.predicted, made(60, (0.8,) * 4, seed=2).predicted]))
    among = confidence(others, [make_measure("mae")], resamples=999)
    assert 2 * pair.p_values[0, 0, 1] < among.p_values[0, 0, 1]


def test_too_few_resamples_for_so_many_systems_are_noted():
    sure = confidence(made(40, (0.5,) * 8), [make_measure("pearson")], resamples=100, method="percentile")
    # 28 pairs: 28 / 101 > 0.05, and 28 / 0.05 = 560 would do
    assert sure.notes == ("100 resamples are too few to compare 8 systems: draw at least 560",)
    assert confidence(made(), USUAL[:1], resamples=200, method="percentile").notes == ()


def test_progress_is_told_a_few_dozen_times(monkeypatch):
    monkeypatch.setattr(resampler, "CHUNK_RESAMPLES", 5)
    calls = []
    confidence(made(), USUAL[:1], test="permutation", resamples=1000, progress=lambda *call: calls.append(call))
    assert 10 < len(calls) < 40
    assert {call[0] for call in calls} == {"resampling"}
    assert [call[1] for call in calls] == sorted({call[1] for call in calls})
    assert calls[-1][1:] == (2080, 2080)  # 1,000 resamples, 1,000 permutations, 80 items left out in turn


def test_the_record_is_plain():
    whole = made(60)
    constant = replace(
        whole, predicted=np.vstack([whole.predicted[:1], np.ones((1, 60))]), is_on_scale=np.ones(2, bool)
    )
    record = confidence(constant, USUAL, resamples=50, groups=np.arange(60) // 2).record()
    again = json.loads(json.dumps(record, allow_nan=False))
    assert again == record
    assert again["groups"] == 30
    assert again["intervals"][1][0] == {"low": None, "high": None, "reason": "all predictions are the same"}
    assert again["p_values"][0] == [[None, None], [None, None]]
    assert again["ranks"][1][0] == {"best": 0, "worst": 0, "letters": ""}
    assert again["ranks"][0][0] == {"best": 1, "worst": 1, "letters": "a"}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("method", METHODS)
def test_a_single_item_is_nothing_to_resample(method: str, test: str):
    one = Comparison.of_scores(np.array([1.0]), np.array([[2.0], [3.0]]), FIVE)
    sure = confidence(one, USUAL, method=method, test=test, resamples=20)
    assert sure.intervals[0][0].reason == "only 1 item"
    assert sure.intervals[0][5].reason == "only 1 item: there is nothing to resample"
    assert np.isnan(sure.p_values).all()
    assert sure.ranks[0][0] == (0, 0, "")
    assert sure.ranks[0][5] == (1, 2, "a")


def test_a_single_group_is_nothing_to_resample():
    sure = confidence(made(), USUAL, groups=np.zeros(80, dtype=int), resamples=20)
    assert {i.reason for row in sure.intervals for i in row} == {"only 1 group: there is nothing to resample"}
    assert sure.groups == 1


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("method", METHODS)
def test_three_items_give_reasons_and_no_crash(method: str, test: str):
    three = Comparison.of_scores(np.array([1.0, 2.0, 4.0]), np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]]), FIVE)
    sure = confidence(three, catalogue(), method=method, test=test, resamples=200)
    reasons = {str(m): [row[c].reason for row in sure.intervals] for c, m in enumerate(catalogue())}
    # all draws miss the first item, or hit nothing else, with probability 8/27 + 1/27: more than 10 %
    assert reasons["pearson"][0].startswith("the measure is undefined in ")
    assert reasons["pearson"][1] == "all predictions are the same"
    assert reasons["nlpd"][0] == "the system gives no standard deviation"
    assert sure.intervals[0][[str(m) for m in catalogue()].index("mae")].low >= 0


def test_resamples_of_a_perfect_system_are_all_alike_so_it_has_wilson_s_interval():
    # 30 of 30 agree: 30 / (30 + 1.96^2) = .8865 or more of others would, and 2 x .8865 - 1 is the correlation then
    gold = np.arange(1.0, 31.0)
    sure = confidence(Comparison.of_scores(gold, gold), [make_measure("spearman")], resamples=50)
    reason = "Wilson's interval: all resamples give the same figure"
    assert sure.intervals[0][0] == (pytest.approx(2 * 30 / (30 + 1.959964**2) - 1), 1.0, reason)


def test_resamples_without_a_figure_are_left_out_and_counted():
    # of 40 items four are low in gold, none for the system: recall is undefined where none of the four is drawn,
    # with probability (36/40)^40 = 1.5 %
    gold = np.append(np.full(36, 4.0), np.full(4, 1.0))
    made_up = Comparison.of_scores(gold, gold + np.random.default_rng(0).normal(0, 1, 40), FIVE)
    interval = confidence(made_up, [make_measure("recall_low")], resamples=1000, method="percentile").intervals[0][0]
    left_out = int(interval.reason.split()[2])
    assert 2 <= left_out <= 40
    assert interval.reason == f"left out {left_out} of 1,000 resamples in which the measure is undefined"
    assert np.isfinite(interval.low)


@dataclass(frozen=True, repr=False)
class Never(Measure):
    """A measure that is always undefined."""

    name: ClassVar[str] = "never"
    meaning: ClassVar[str] = "nothing"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "it always is"

    def values(self, comparison: Comparison) -> np.ndarray:
        return np.full(comparison.systems, np.nan)


@pytest.mark.parametrize("test", TESTS)
def test_a_measure_that_is_never_defined(test: str):
    sure = confidence(made(), [Never()], test=test, resamples=20)
    assert {row[0].reason for row in sure.intervals} == {"it always is"}
    assert np.isnan(sure.p_values).all()
    assert {row[0].letters for row in sure.ranks} == {""}


def test_no_measures_and_one_system():
    assert confidence(made(), [], resamples=10).p_values.shape == (0, 4, 4)
    sure = confidence(made(40, (0.5,)), USUAL[:1], resamples=50)
    assert sure.ranks[0][0] == (1, 1, "a")
    assert np.isnan(sure.p_values).all()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"level": 95.0}, "95 is not a confidence level; give one between 0 and 1"),
        ({"resamples": 0}, "cannot draw 0 resamples"),
        ({"method": "normal"}, "no method named 'normal'; known: auto, jackknife, bca, percentile"),
        ({"test": "t"}, "no test named 't'; known: auto, bootstrap, permutation, williams, steiger"),
        ({"groups": np.arange(3)}, "groups of 3 items for 80 items"),
    ],
)
def test_what_cannot_be_done_is_said(keywords: dict, message: str):
    with pytest.raises(ArgumentError, match=message):
        confidence(made(), USUAL[:1], **keywords)


def test_memory_stays_bounded():
    """All resamples at once would be 8,000 x 2,000 x 8 bytes = 128 MB for the weights alone."""
    whole = made(2000, (0.5, 0.8))
    tracemalloc.start()
    confidence(whole, [make_measure("pearson"), make_measure("ndcg@10")], resamples=8000, method="percentile")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 70e6


def test_covariances_of_means_are_those_of_items_divided_by_their_number():
    whole = made(items=30, noise=(0.3, 0.8))
    losses = np.abs(whole.predicted - whole.gold)
    sure = confidence(whole, [make_measure("mae")])
    assert sure.units == 30
    assert np.allclose(sure.covariances[0], np.cov(losses) / 30, rtol=1e-9)
    drawn = confidence(whole, [make_measure("mae")], resamples=20_000)
    variances = np.diag(np.cov(losses)) / 30
    assert np.allclose(np.diag(drawn.covariances[0]), variances, rtol=0.03)  # without 30/29 it were 3.3 % less
    assert drawn.freedoms.tolist() == [[29, 29]]


def test_covariances_of_groups_are_those_of_their_sums():
    whole, groups = made(items=40, noise=(0.3, 0.8)), np.repeat(np.arange(10), 4)
    losses = np.abs(whole.predicted - whole.gold).reshape(2, 10, 4).mean(axis=-1)
    sure = confidence(whole, [make_measure("mae")], groups=groups)
    assert sure.units == 10
    assert np.allclose(sure.covariances[0], np.cov(losses) / 10, rtol=1e-9)


def test_what_a_pair_would_be_alone_is_kept_beside_holm_s_correction():
    whole = made(items=60, noise=(0.8, 0.9, 1.0))
    sure = confidence(whole, [make_measure("pearson")])
    for one, other in ((0, 1), (0, 2), (1, 2)):
        alone = confidence(whole.of_systems(np.array([one, other])), [make_measure("pearson")])
        assert sure.single_p_values[0, one, other] == pytest.approx(alone.p_values[0, 0, 1], rel=1e-9)
        assert sure.p_values[0, one, other] > sure.single_p_values[0, other, one]


def test_covariances_and_freedoms_survive_json():
    whole = made(items=40, noise=(0.5, 1.0))
    sure = confidence(whole, [make_measure("spearman"), make_measure("accuracy_low")])
    assert sure.freedoms[1].tolist() == [np.inf, np.inf]  # shares of independent items
    back = Confidence.from_record(json.loads(json.dumps(sure.record())))
    assert back.units == 40
    assert np.array_equal(back.covariances, sure.covariances)
    assert np.array_equal(back.freedoms, sure.freedoms)
    assert np.array_equal(back.single_p_values, sure.single_p_values, equal_nan=True)


def test_runs_of_earlier_versions_have_no_covariances():
    record = confidence(made(items=40), [make_measure("spearman")]).record()
    for name in ("units", "covariances", "freedoms", "single_p_values"):
        del record[name]
    back = Confidence.from_record(record)
    assert back.units == 0
    assert back.covariances.shape == (1, 4, 4)
    assert np.isnan(back.covariances).all()
    assert back.freedoms.shape == (1, 4)
