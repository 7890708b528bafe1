"""Thresholds to deploy, their intervals and curves."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import similitude as sim
from similitude.evaluate import deployed_thresholds as places
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.deployed_thresholds import deployed_thresholds, threshold_measures
from similitude.evaluate.measures import make_measure
from similitude.evaluate.operating_points import DeployedThreshold, OperatingPoint, SystemThresholds
from similitude.stats import Interval


def made(items: int = 60, seed: int = 0) -> Comparison:
    rng = np.random.default_rng(seed)
    gold = (rng.random(items) < 0.4) * 1.0
    return Comparison.of_scores(gold, np.stack([rng.normal(size=items) + 2 * gold, np.full(items, 0.5)]))


def found(names: tuple[str, ...], comparison: Comparison, resamples: int = 0) -> tuple[SystemThresholds, ...]:
    return deployed_thresholds(comparison, [make_measure(name) for name in names], resamples=resamples)


def test_the_threshold_is_learned_on_all_items():
    gold, scores = np.array([0.0, 0, 0, 1, 1, 1]), np.array([0.60, 0.70, 0.75, 0.90, 0.95, 0.97])
    (one,) = found(("f1_binary",), Comparison.of_scores(gold, scores))
    (deployed,) = one.thresholds
    assert deployed.point.threshold == pytest.approx(0.825)
    assert deployed.interval is None
    assert len(deployed.folds) == 5
    assert all(0.75 <= fold <= 0.90 for fold in deployed.folds)


def test_the_point_is_what_held_out_items_get():
    comparison = made()
    one, _ = found(("f1_binary", "accuracy"), comparison)
    figures = [make_measure(each.measure)(comparison)[0].value for each in one.thresholds]
    assert [one.thresholds[0].point.f1, one.thresholds[1].point.accuracy] == pytest.approx(figures)


def test_the_curve_by_hand():
    # Thresholds from the top: nothing; 3 (a hit); 2 (one false); 1 (second hit).
    gold, scores = np.array([1.0, 0, 1, 0]), np.array([3.0, 2.0, 1.0, 0.0])
    comparison = replace(Comparison.of_scores(gold, scores), folds=np.array([0, 0, 1, 1]))
    (one,) = found(("cost(1, 5)",), comparison)
    assert [point.threshold for point in one.curve] == [math.inf, 2.5, 1.5, 0.5, -math.inf]
    assert [point.recall for point in one.curve] == [0, 0.5, 0.5, 1, 1]
    assert [point.precision for point in one.curve[1:]] == pytest.approx([1, 1 / 2, 2 / 3, 1 / 2])
    assert math.isnan(one.curve[0].precision)
    assert [point.accuracy for point in one.curve] == [0.5, 0.75, 0.5, 0.75, 0.5]
    assert one.figures == (pytest.approx((10 / 4, 5 / 4, 6 / 4, 1 / 4, 2 / 4)),)


def test_a_long_curve_is_thinned_and_keeps_its_ends_and_the_threshold_to_deploy():
    one, constant = found(("mcc",), made(500))
    assert 101 <= len(one.curve) <= 102
    assert one.thresholds[0].point.threshold in [point.threshold for point in one.curve]
    assert (one.curve[0].threshold, one.curve[-1].threshold) == (math.inf, -math.inf)
    assert len(constant.curve) == 2


@pytest.mark.parametrize("is_separated", [False, True])
def test_the_threshold_to_deploy_is_the_best_of_all_whatever_the_number_of_scores(is_separated: bool):
    rng = np.random.default_rng(3)
    gold = (rng.random(2500) < 0.37) * 1.0
    scores = 10 * gold + rng.random(2500) if is_separated else gold + 1.2 * rng.normal(size=2500)
    numbers = [str(place) for place in range(2500)]
    data = sim.Benchmark.from_columns(left=numbers, right=numbers, score=gold, scale="0..1")
    run = sim.run(data, [sim.system(scores, name="mine")], ["accuracy", "f1"], resamples=100, quiet=True)
    descending = gold[np.argsort(-scores)]
    hits, said = np.append(0, np.cumsum(descending)), np.arange(2501)
    best = (hits + (gold.size - gold.sum()) - (said - hits)).max() / gold.size, (2 * hits / (said + gold.sum())).max()
    for place, (figure, deployed) in enumerate(zip(best, run.thresholds[0].thresholds, strict=True)):
        yes = scores > deployed.point.threshold
        reached = ((yes == gold).mean(), 2 * (yes * gold).sum() / (yes.sum() + gold.sum()))
        assert reached[place] == pytest.approx(figure, abs=1e-12)
        assert deployed.point.threshold in [point.threshold for point in run.thresholds[0].curve]
        assert deployed.interval.low <= deployed.point.threshold <= deployed.interval.high
        assert not is_separated or run.figures[0][place].value == pytest.approx(1.0)


def test_a_system_that_says_the_same_of_all_needs_no_threshold():
    _, constant = found(("f1_binary", "accuracy"), made(), resamples=50)
    assert [each.point.threshold for each in constant.thresholds] == [-math.inf, math.inf]


def test_intervals_hold_the_threshold_and_are_seeded():
    one, _ = found(("f1_binary",), made(200), resamples=200)
    interval = one.thresholds[0].interval
    assert interval.low < one.thresholds[0].point.threshold < interval.high
    again, _ = found(("f1_binary",), made(200), resamples=200)
    assert again.record() == one.record()
    wide = deployed_thresholds(made(200), [make_measure("f1_binary")], resamples=200, level=0.99)[0].thresholds[0]
    assert wide.interval.high - wide.interval.low > interval.high - interval.low


def test_whole_groups_are_drawn():
    # Positive items score 1 in group 0 and 5 in group 1. Without group 0 it is half-way from 0 to 5.
    gold = np.tile([0.0, 1.0], 20)
    scores, groups = gold * np.repeat([1.0, 5.0], 20), np.repeat([0, 1], 20)
    grouped = replace(Comparison.of_scores(gold, scores), groups=groups, folds=np.arange(40) // 2 % 5)
    (one,) = found(("accuracy",), grouped, resamples=300)
    assert one.thresholds[0].interval[:2] == (0.5, 2.5)
    (single,) = found(("accuracy",), replace(grouped, groups=None), resamples=300)
    assert single.thresholds[0].interval[:2] == (0.5, 0.5)


def test_records_are_json_and_come_back():
    for each in found(("f1_binary", "cost(1, 5)", "recall_at(0.99)"), made(), resamples=50):
        record = json.loads(json.dumps(each.record(), allow_nan=False))
        again = SystemThresholds.from_record(record)
        assert again.record() == each.record()
        assert [one.point.threshold for one in again.thresholds] == [one.point.threshold for one in each.thresholds]
        assert [one.threshold for one in again.curve] == [one.threshold for one in each.curve]


def test_measures_inside_combinations_are_found_once():
    measures = [make_measure(name) for name in ("pearson", "hmean(f1_binary, auc)", "f1_binary", "mcc")]
    assert [str(each) for each in threshold_measures(measures)] == ["f1_binary", "mcc"]


def test_no_threshold_without_labels_or_without_such_a_measure():
    graded = Comparison.of_scores(np.linspace(0, 1, 20), np.arange(20.0))
    assert found(("f1_binary",), graded) == ()
    assert len(found(("f1_binary(border=0.5)",), graded)) == 1
    assert found(("auc",), made()) == ()
    assert found(("f1_binary",), Comparison.of_scores(np.eye(6)[0], np.arange(6.0))) == ()


def test_thresholds_are_resampled_in_pieces(monkeypatch):
    calls: list[tuple[str, int, int]] = []
    comparison, measures = made(20), [make_measure("f1_binary")]
    deployed_thresholds(comparison, measures, resamples=300, progress=lambda *call: calls.append(call))
    assert calls == [("thresholds", 250, 300), ("thresholds", 300, 300)]
    intervals = set()
    for cells, ends in ((19, [1, 2, 3]), (59, [2, 3]), (60, [3])):
        calls.clear()
        monkeypatch.setattr(places, "_CELLS", cells)
        few = deployed_thresholds(comparison, measures, resamples=3, progress=lambda *call: calls.append(call))
        assert [done for _, done, _ in calls] == ends
        intervals.add(few[0].thresholds[0].interval)
    assert len(intervals) == 1  # the same, whatever the pieces


def deployed(threshold: float, recall: float, interval: Interval | None = None, folds=()) -> DeployedThreshold:
    point = OperatingPoint(threshold, 0.5, recall, 0.6, 0.7, 0.2)
    return DeployedThreshold(measure="f1_binary", point=point, interval=interval, folds=folds)


@pytest.mark.parametrize(
    ("threshold", "written", "says"), [(0.25, 0.25, None), (math.inf, None, "never"), (-math.inf, None, "always")]
)
def test_a_threshold_in_writing(threshold: float, written: float | None, says: str | None):
    made = deployed(threshold, 0.5, Interval(-math.inf, 0.75), (0.125, math.nan, math.inf))
    assert made.record() == {
        "measure": "f1_binary",
        "threshold": written,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.6,
        "accuracy": 0.7,
        "mcc": 0.2,
        "says": says,
        "low": "-inf",
        "high": 0.75,
        "folds": [0.125, None, "inf"],
    }
    back = DeployedThreshold.from_record(made.record())
    assert (back.point, back.interval) == (made.point, Interval(-math.inf, 0.75))
    assert back.folds[::2] == (0.125, math.inf)
    assert math.isnan(back.folds[1])
    assert DeployedThreshold.from_record(deployed(threshold, 0.5).record()).interval is None


@pytest.mark.parametrize(("recall", "threshold"), [(1.0, -math.inf), (0.0, math.inf)])
def test_an_infinite_threshold_of_a_curve_is_known_by_the_recall(recall: float, threshold: float):
    point = OperatingPoint(threshold, math.nan, recall, 0.0, 0.5, 0.0)
    assert point.record()["threshold"] is None
    assert point.record()["precision"] is None
    back = OperatingPoint.from_record(point.record())
    assert back.threshold == threshold
    assert math.isnan(back.precision)


def test_a_curve_in_writing():
    points = (OperatingPoint(math.inf, math.nan, 0.0, 0.0, 0.5, 0.0), OperatingPoint(0.5, 1.0, 0.5, 2 / 3, 0.75, 0.5))
    made = SystemThresholds(thresholds=(deployed(0.5, 0.5),), curve=points, figures=((math.nan, 0.5),))
    record = made.record()
    assert [point["figures"] for point in record["curve"]] == [{"f1_binary": None}, {"f1_binary": 0.5}]
    back = SystemThresholds.from_record(record)
    assert math.isnan(back.figures[0][0])
    assert back.figures[0][1] == 0.5
    assert back.curve[1] == points[1]


def test_resamples_that_lack_a_label_do_not_count():
    # of 10 thresholds, the middle 80 %: from the first to the ninth by the inverse of the distribution function
    drawn = np.array([np.nan, *range(1, 11), np.nan])
    assert places._interval(drawn, 0.8)[:2] == (1.0, 9.0)
    assert places._interval(drawn, 0.79)[:2] == (2.0, 9.0)
    cuts = made(8).cuts[0]
    counts = places._counts(cuts, np.arange(8) < 4, np.array([[1.0, 1, 0]] * 4 + [[1.0, 0, 1]] * 4))
    assert counts.positives.tolist() == [4, 4, 0]
    assert counts.negatives.tolist() == [4, 0, 4]
    assert np.isnan(places._learned(cuts, counts, make_measure("accuracy"))).tolist() == [False, True, True]


def test_one_group_has_no_interval_and_no_more_resamples_are_drawn_than_help():
    one_group = replace(made(20), groups=np.zeros(20, dtype=int), folds=np.arange(20) % 5)
    assert found(("f1_binary",), one_group, resamples=50)[0].thresholds[0].interval is None
    two_groups = replace(one_group, groups=np.arange(20) % 2)
    assert found(("f1_binary",), two_groups, resamples=50)[0].thresholds[0].interval is not None
    calls: list[tuple[str, int, int]] = []
    measures = [make_measure("f1_binary")]
    deployed_thresholds(made(20), measures, resamples=5000, progress=lambda *call: calls.append(call))
    assert calls[-1] == ("thresholds", 1000, 1000)


def test_measures_that_are_parts_alone_are_found():
    measures = [make_measure(name) for name in ("hmean(mcc, hmean(auc, f1_binary))", "accuracy", "hmean(auc, mcc)")]
    assert [str(each) for each in threshold_measures(measures)] == ["mcc", "f1_binary", "accuracy"]


def test_no_threshold_where_negative_items_lie_in_one_fold():
    assert found(("f1_binary",), Comparison.of_scores(1 - np.eye(6)[0], np.arange(6.0))) == ()


def test_one_item_of_each_label_is_enough_to_learn():
    # the positive item is the highest, the negative one the lowest
    cuts = Comparison.of_scores(np.array([0.0, 1]), np.array([2.0, 5.0])).cuts[0]
    counts = places._counts(cuts, np.array([False, True]), np.ones((2, 1)))
    assert places._learned(cuts, counts, make_measure("accuracy")).tolist() == [3.5]


def test_resamples_have_a_stream_of_their_own(monkeypatch):
    """Saved runs can be repeated: the stream is the fourth of the seed, after those of intervals and tests."""
    drawn, seeds = places.stats.bootstrap_weights, []

    def draw(units: int, resamples: int, rng: np.random.Generator) -> np.ndarray:
        seeds.append(rng.bit_generator.seed_seq)
        return drawn(units, resamples, rng)

    monkeypatch.setattr(places.stats, "bootstrap_weights", draw)
    measures = [make_measure("f1_binary")]
    deployed_thresholds(made(20), measures, resamples=2)
    deployed_thresholds(made(20), measures, resamples=2, seed=7)
    assert [(each.entropy, each.spawn_key) for each in seeds] == [(0, (3,)), (7, (3,))]


@pytest.mark.parametrize("items", [2, 98, 100, 101, 150, 300])
def test_a_short_curve_has_every_cut(items: int):
    gold = np.arange(items) % 2 * 1.0
    (one,) = found(("mcc(border=0.5)",), Comparison.of_scores(gold, np.arange(float(items)))) or (None,)
    if items == 2:
        assert one is None  # each label in one fold
    else:
        assert min(items + 1, 101) <= len(one.curve) <= min(items + 1, 102)
