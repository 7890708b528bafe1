"""Measures on two labels: by hand, against scikit-learn, wherever the scores lie, and where they are undefined."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from similitude.data import Scale
from similitude.errors import ArgumentError, UnknownNameError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import for_two_labels, has_two_labels, make_measure
from similitude.evaluate.significance import confidence

FIVE = Scale(low=0, high=5)
LEARNED = ("f1_binary", "accuracy", "mcc", "recall_at(precision=0.9)", "precision_at(recall=0.9)")


def separated(low: float = 0.75, high: float = 0.90, items: int = 40) -> Comparison:
    """A system that separates the labels perfectly, between ``low`` and ``high``."""
    gold, spread = (np.arange(items) % 4 == 0) * 1.0, np.random.default_rng(0).uniform(0, 0.04, items)
    return Comparison.of_scores(gold, np.where(gold == 1, high + spread, low - spread))


def noisy(items: int = 60, seed: int = 0) -> Comparison:
    rng = np.random.default_rng(seed)
    gold = (rng.random(items) < 0.4) * 1.0
    return Comparison.of_scores(gold, rng.normal(size=(2, items)) + 1.5 * gold)


def value(name: str, made: Comparison) -> float:
    return make_measure(name)(made)[0].value


@pytest.mark.parametrize("name", [*LEARNED, "auc", "average_precision"])
@pytest.mark.parametrize(("low", "high"), [(0.75, 0.90), (0.1, 0.25), (-7.0, -6.5), (0.2, 0.8)])
def test_a_perfect_separator_is_perfect_wherever_it_separates(name: str, low: float, high: float):
    assert value(name, separated(low, high)) == 1.0


def test_a_perfect_separator_costs_nothing():
    assert value("cost(false_positive=1, false_negative=5)", separated()) == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_f1_and_mcc_are_those_of_the_answers(seed: int):
    made = noisy(seed=seed)
    for name, expected in (("f1_binary", f1_score), ("mcc", matthews_corrcoef)):
        measure = make_measure(name)
        held_out = measure.held_out(made, 0, np.ones((1, 60)))
        said = made.predicted[0] > held_out.thresholds[made.fold_of_item, 0]
        assert value(name, made) == pytest.approx(expected(made.gold, said), abs=1e-12)


def test_accuracy_recall_precision_and_cost_by_hand():
    # Folds 0 and 1 hold the same: from the top 1 1 0 1 0 0 at 6 5 4 3 2 1. Each learns on the other.
    gold, scores = np.tile([1.0, 1, 0, 1, 0, 0], 2), np.tile([6.0, 5, 4, 3, 2, 1], 2)
    made = replace(Comparison.of_scores(gold, scores), folds=np.repeat([0, 1], 6))
    # accuracy: above 4.5 five of six are right, as above 2.5; the higher cut is taken: 1 positive of 3 is missed
    assert value("accuracy", made) == pytest.approx(5 / 6)
    assert value("recall_at(precision=0.9)", made) == pytest.approx(2 / 3)
    # precision 3/4 is reached above 2.5 with all three found
    assert value("recall_at(precision=0.75)", made) == 1.0
    assert value("precision_at(recall=0.9)", made) == pytest.approx(3 / 4)
    assert value("precision_at(recall=0.6)", made) == 1.0
    # cost: above 4.5 one missed (5 of 6 items); above 2.5 one false (1 of 6 items)
    assert value("cost(false_positive=1, false_negative=5)", made) == pytest.approx(1 / 6)
    assert value("cost(false_positive=5, false_negative=1)", made) == pytest.approx(1 / 6)
    # f1: above 2.5 2 * 3 / (4 + 3) is the best; mcc: 3 hits, 1 false, 0 missed, 2 right: 6 / sqrt(4 * 3 * 3 * 2)
    assert value("f1_binary", made) == pytest.approx(6 / 7)
    assert value("mcc", made) == pytest.approx(6 / np.sqrt(72))


def test_thresholds_are_learned_on_the_other_folds_not_on_the_items_themselves():
    # The labels say nothing; a threshold learned on the items themselves would do better than chance.
    rng = np.random.default_rng(1)
    gold = np.tile([0.0, 1.0], 100)
    figures = [value("accuracy", Comparison.of_scores(gold, rng.random(200))) for _ in range(40)]
    assert np.mean(figures) == pytest.approx(0.49, abs=0.02)


def test_five_folds_and_groups_stay_together():
    made = replace(noisy(), groups=np.arange(60) // 4)
    assert np.unique(made.fold_of_item).tolist() == [0, 1, 2, 3, 4]
    assert (made.fold_of_item.reshape(15, 4) == made.fold_of_item[::4, None]).all()


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([0, 0, 0, 0, 0], "0 positive items: a threshold cannot be learned"),
        ([1, 1, 1, 1, 1], "0 negative items: a threshold cannot be learned"),
        ([0, 0, 0, 0, 1], "1 positive item: a threshold cannot be learned"),
        ([1, 1, 1, 1, 0], "1 negative item: a threshold cannot be learned"),
        ([1, 1, 0], "1 negative item: a threshold cannot be learned"),
    ],
)
def test_too_few_of_a_label_is_said(gold: list[int], message: str):
    made = Comparison.of_scores(np.array(gold, dtype=float), np.arange(float(len(gold))))
    assert make_measure("f1_binary")(made)[0] == (pytest.approx(np.nan, nan_ok=True), message)


def test_two_positive_items_are_enough_and_both_in_one_group_are_not():
    gold = np.array([1.0, 1] + [0] * 8)
    made = Comparison.of_scores(gold, np.append([9.0, 8.9], np.arange(8.0) / 8))
    assert value("f1_binary", made) == 1.0
    grouped = replace(made, groups=np.array([0, 0, *range(1, 9)]))
    figure = make_measure("f1_binary")(grouped)[0]
    assert figure.reason == "2 positive items in one fold: a threshold cannot be learned"


@pytest.mark.parametrize(
    ("name", "label"), [("auc", "negative"), ("auc", "positive"), ("average_precision", "positive")]
)
def test_a_missing_label_is_said(name: str, label: str):
    gold = np.ones(4) if label == "negative" else np.zeros(4)
    assert make_measure(name)(Comparison.of_scores(gold, np.arange(4.0)))[0].reason == f"gold has no {label} item"


def test_folds_that_do_not_fit_each_other():
    # Fold 0 learns 5.5 from fold 1, so that both of its items are above; fold 1 learns 15.5, so that none is.
    gold, scores = np.array([0.0, 1, 0, 1]), np.array([14.0, 17.0, 4.0, 7.0])
    made = replace(Comparison.of_scores(gold, scores), folds=np.array([0, 0, 1, 1]))
    assert value("precision_at(recall=1)", made) == pytest.approx(1 / 2)
    # In fold 1 the negative item is on top, and no precision of 1 can be reached: fold 0 says yes to nothing.
    assert value("recall_at(precision=1)", replace(made, gold=np.array([0.0, 1, 1, 0]))) == 0.0


def test_graded_gold_has_no_labels_unless_a_border_makes_them():
    made = Comparison.of_scores(np.array([0.0, 1, 2, 3, 4, 5]), np.arange(6.0), FIVE)
    two = "not two labels; border= makes two of them, as in auc(border="
    assert make_measure("auc")(made)[0].reason == f"gold has 6 different scores, {two}3)"
    assert value("auc(border=2)", made) == 1.0
    # above 3: 4 and 5; the border itself is not above
    assert make_measure("auc(border=3)").is_positive(made).tolist() == [False] * 4 + [True] * 2
    assert make_measure("auc(border=5)")(made)[0].reason == "gold has no positive item with border 5"


def test_the_border_that_is_proposed_makes_two_labels():
    scores = np.arange(6.0)
    parts = Comparison.of_scores(np.array([0.0, 0.1, 0.3, 0.5, 0.7, 1]), scores, Scale(low=0, high=1))
    assert make_measure("auc")(parts)[0].reason.endswith("as in auc(border=0.6)")
    inner = Comparison.of_scores(np.array([1.0, 2, 1, 2, 2, 1]), scores, FIVE)
    assert make_measure("auc")(inner)[0].reason.startswith("gold is 1 or 2, not the ends of scale 0..5; border=")
    assert make_measure("auc")(inner)[0].reason.endswith("as in auc(border=1.5)")
    constant = Comparison.of_scores(np.full(6, 2.0), scores, FIVE)
    assert make_measure("auc")(constant)[0].reason == "all gold scores are the same"


def test_labels_may_be_the_ends_of_any_scale():
    gold, scores = np.array([1.0, 2, 1, 2, 2]), np.array([0.1, 0.9, 0.2, 0.8, 0.7])
    assert value("auc", Comparison.of_scores(gold, scores, Scale(low=1, high=2))) == 1.0
    assert value("auc", Comparison.of_scores(-gold + 2, scores, Scale(low=0, high=1))) == 0.0


@pytest.mark.parametrize(
    ("gold", "scale", "expected"),
    [
        ([0, 1], None, True),
        ([0, 1], Scale(low=0, high=1), True),
        ([0, 0], None, False),
        ([1, 1], None, False),
        ([0, 1, 0.5], None, False),
        ([0, 1, 0, 1, 1], FIVE, False),
        ([0, 5, 0, 5, 5], FIVE, True),
        ([0, 5, 0, 5], FIVE, False),
        ([1, 2, 1, 2, 1], Scale(low=1, high=2), True),
        ([-1, 1, 1, -1, 1], Scale(low=-1, high=1), True),
    ],
)
def test_two_labels_are_recognised(gold, scale, expected: bool):
    assert has_two_labels(np.array(gold, dtype=float), scale) is expected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("roc_auc", "auc"),
        ("AUROC", "auc"),
        ("ap", "average_precision"),
        ("pr_auc", "average_precision"),
        ("matthews", "mcc"),
        ("recall_at(0.95)", "recall_at(precision=0.95)"),
        ("cost(1, 5)", "cost(false_positive=1, false_negative=5)"),
        ("f1_binary(border=3)", "f1_binary(border=3)"),
    ],
)
def test_usual_names(written: str, meant: str):
    assert make_measure(written) == make_measure(meant)
    assert str(make_measure(written)) in (meant, meant.replace("border=3", "border=3.0"))


def test_near_misses_are_suggested():
    for written, meant in (("acuracy", "accuracy"), ("averageprecision", "average_precision"), ("roc_au", "roc_auc")):
        with pytest.raises(UnknownNameError, match=f"did you mean '{meant}'"):
            make_measure(written)


@pytest.mark.parametrize("written", ["recall_at(0)", "recall_at(1.1)", "precision_at(x)", "cost(0, 1)", "cost(1, -1)"])
def test_arguments_that_cannot_be(written: str):
    with pytest.raises(ArgumentError):
        make_measure(written)


def test_f1_is_at_a_learned_threshold_where_gold_has_two_labels():
    made = [str(for_two_labels(make_measure(name))) for name in ("f1", "hmean(f1, pearson)", "f1_low", "pearson")]
    assert made == ["f1_binary", "hmean(f1_binary, pearson)", "f1_low", "pearson"]
    assert str(for_two_labels(make_measure("mean_over_sources(f1)"))) == "mean_over_sources(f1_binary)"


def test_a_perfect_figure_has_an_interval():
    # Wilson's interval of 10 of 10 reaches down to 1 / (1 + 1.96^2 / 10) = .7225; F1 = 2s / (1 + s)
    sure = confidence(separated(), [make_measure("f1_binary"), make_measure("accuracy")])
    low, high, reason = sure.intervals[0][0]
    assert (low, high) == pytest.approx((2 * 0.722467 / 1.722467, 1.0), abs=1e-5)
    assert reason == "Wilson's interval: all resamples give the same figure"
    assert sure.intervals[0][1].low == pytest.approx(40 / (40 + 1.959964**2), abs=1e-5)
    assert sure.methods == ("bc", "bc")


def test_resamples_learn_their_own_thresholds():
    made = noisy()
    (distribution,) = make_measure("f1_binary").weighted_values(made, np.ones((1, 60)))[:1]
    assert distribution[0] == value("f1_binary", made)
    sure = confidence(made, [make_measure("f1_binary")], resamples=400)
    low, high, _ = sure.intervals[0][0]
    assert low < value("f1_binary", made) < high


def test_trials_behind_a_figure_are_counted_for_each_system():
    made = noisy()
    for name, trials in (("accuracy", [60, 60]), ("recall_at(precision=0.5)", [made.gold.sum()] * 2)):
        assert make_measure(name).shares(made).trials.tolist() == trials
