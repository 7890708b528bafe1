"""Calibration out of fold: no mapping sees the gold of the item that it maps."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.data import Predictions, Scale
from similitude.evaluate.calibration import Calibration, calibration_on_split, calibration_out_of_fold, no_calibration
from similitude.evaluate.comparison import Calibrated, Comparison
from similitude.evaluate.measures import catalogue, make_measure
from similitude.evaluate.measures.resampled_comparison import drawn, hybrids
from similitude.stats import Units, bootstrap_weights

FIVE = Scale(low=0, high=5)


def sample(items=200, seed=0):
    """Gold, and one system that is right but for noise, with scores between .8 and 1."""
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, items)
    scores = 0.8 + 0.04 * np.clip(gold + rng.normal(0, 0.5, items), 0, 5)
    return gold, Predictions(scores), rng.permutation(items) % 5


def calibrated(gold, predictions, folds, asked="auto"):
    found = calibration_out_of_fold(asked, predictions, gold, folds, None)
    made = Comparison.of_scores(gold, np.stack([each.scores for each in predictions]), FIVE)
    return replace(made, calibrated=found.apply(predictions, gold, folds))


@pytest.mark.parametrize("asked", ["auto", "linear", "isotonic", "quantile"])
def test_the_gold_of_a_fold_does_not_move_its_scores(asked):
    gold, system, folds = sample()
    before = calibrated(gold, [system], folds, asked).calibrated.scores[0]
    changed = np.where(folds == 2, 5 - gold, gold)
    after = calibrated(changed, [system], folds, asked).calibrated.scores[0]
    np.testing.assert_array_equal(before[folds == 2], after[folds == 2])
    assert not np.allclose(before[folds != 2], after[folds != 2])


def test_each_fold_is_mapped_by_the_others():
    """Without fold 0, scores 1 and 2 have gold 2 and 4; 0 and 3 lie outside. Without fold 1, 0 and 3 have 1 and 5."""
    gold, folds = np.array([1.0, 2, 4, 5]), np.array([0, 1, 1, 0])
    found = calibrated(gold, [Predictions(np.array([0.0, 1, 2, 3]))], folds).calibrated
    assert found.scores[0] == pytest.approx([2, 1 + 4 / 3, 1 + 8 / 3, 4])


def test_scores_in_a_narrow_band_reach_the_borders():
    gold, system, folds = sample()
    made = calibrated(gold, [system], folds)
    f1 = make_measure("f1")
    assert f1.values(replace(made, calibrated=None))[0] == 0.0  # every score is below 1.5 on 0..5
    assert f1.values(made)[0] > 0.8


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "ndcg@10", "mae", "mse"])
def test_correlations_ranks_and_errors_do_not_see_it(name):
    gold, system, folds = sample()
    made = calibrated(gold, [system], folds)
    assert make_measure(name).values(made) == make_measure(name).values(replace(made, calibrated=None))


def test_errors_see_a_method_that_was_named():
    gold, system, folds = sample()
    made = calibrated(gold, [system], folds, "isotonic")
    expected = np.abs(made.calibrated.scores[0] - gold).mean()
    assert make_measure("mae").values(made)[0] == pytest.approx(expected)
    assert make_measure("pearson").values(made) == make_measure("pearson").values(replace(made, calibrated=None))


def test_a_line_carries_standard_deviations_and_steps_do_not():
    gold, system, folds = sample()
    unsure = [Predictions(system.scores, np.full(gold.size, 0.01))]
    given = Comparison.of_scores(gold, system.scores, FIVE)
    given = replace(given, predicted_sigma=np.full((1, gold.size), 0.01))
    line = calibration_out_of_fold("linear", unsure, gold, folds, None).apply(unsure, gold, folds)
    assert 0.15 < line.sigmas.min() <= line.sigmas.max() < 0.35  # the slope is about 1 / .04
    assert np.isfinite(make_measure("crps")(replace(given, calibrated=line))[0].value)
    steps = calibration_out_of_fold("isotonic", unsure, gold, folds, None).apply(unsure, gold, folds)
    assert steps.sigmas is None
    assert "no slope" in make_measure("crps")(replace(given, calibrated=steps))[0].reason
    usual = calibration_out_of_fold("auto", unsure, gold, folds, None).apply(unsure, gold, folds)
    assert make_measure("crps")(replace(given, calibrated=usual)) == make_measure("crps")(given)


def test_a_system_without_a_range_can_be_cut_after_calibration():
    gold, system, folds = sample()
    made = replace(calibrated(gold, [system], folds), is_on_scale=np.array([False]))
    assert np.isfinite(make_measure("f1")(made)[0].value)
    assert "without calibration" in make_measure("f1")(replace(made, calibrated=None))[0].reason
    assert "declares no range" in make_measure("mae")(made)[0].reason


BORDERED = [str(each) for each in catalogue() if "calibrated scale" in each.requires]


def test_every_measure_with_borders_is_calibrated():
    levels = [f"{kind}_{level}" for kind in ("accuracy", "precision", "recall", "f1") for level in ("low", "high")]
    others = ["accuracy_3bin", "f1_macro_3bin", "f1", "hmean(pearson, f1)", "macro_avg(f1_low, f1_high)"]
    assert sorted(BORDERED) == sorted([*levels, *others])


@pytest.mark.parametrize("name", [*BORDERED, "mean_over_sources(f1_low)"])
def test_resamples_and_swaps_take_calibrated_scores_along(name):
    """The weights of resamples, items written out, and swapped systems agree with plain arrays of calibrated scores."""
    from similitude.evaluate.comparison import Sources

    gold, system, folds = sample(60)
    _, noise, _ = sample(60, seed=1)
    made = calibrated(gold, [system, noise], folds)
    made = replace(made, sources=Sources(np.arange(60) % 2, ("a", "b")))
    plain = replace(Comparison.of_scores(gold, made.calibrated.scores, FIVE), sources=made.sources)
    if "pearson" in name:
        name = "f1"
    measure, weights = make_measure(name), bootstrap_weights(60, 5, np.random.default_rng(2))
    swaps = np.random.default_rng(3).integers(0, 2, (4, 60)).astype(float)
    np.testing.assert_allclose(measure.weighted_values(made, weights), measure.weighted_values(plain, weights))
    np.testing.assert_allclose(measure.swapped_values(made, swaps), measure.swapped_values(plain, swaps))
    np.testing.assert_allclose(measure.left_out(made, Units(60)), measure.left_out(plain, Units(60)))
    places = np.array([3, 3, 7, 20, 41, 50, 12])
    np.testing.assert_allclose(measure.values(drawn(made, places)), measure.values(drawn(plain, places)))
    (one,) = hybrids(made, 0, 1, swaps)
    assert one.calibrated.scores[0, 0] == made.calibrated.scores[int(swaps[0, 0]), 0]


def test_what_was_done_is_said():
    gold, system, folds = sample()
    assert calibration_out_of_fold("auto", [system], gold, folds, None).words == (
        "calibrated out of fold (quantile, 5 folds of 200 items)"
    )
    groups = np.arange(200) // 50
    few = calibration_out_of_fold("linear", [system], gold, groups, groups)
    assert few.words == "calibrated out of fold (linear, 4 folds of 4 groups)"
    assert (few.covers_errors, few.flags) == (True, ("--calibrate", "linear"))
    one = calibration_out_of_fold("auto", [system], gold, np.zeros(200, int), np.zeros(200, int))
    assert one.apply([system], gold, folds) is None
    assert one.words.startswith("uncalibrated (1 group: there is nothing else to fit a mapping on")
    assert no_calibration("so").flags == ("--calibrate", "none")
    split = calibration_on_split("auto", [system], gold, "dev")
    assert (split.words, split.flags) == ("calibrated on split 'dev' (quantile, 200 items)", ("--calibrate-on", "dev"))


def test_odd_systems_are_noted_by_name():
    gold, system, folds = sample()
    odd = [system, Predictions(np.ones(200)), Predictions(-system.scores)]
    found = calibration_out_of_fold("auto", odd, gold, folds, None)
    notes = list(found.notes(["good", "flat", "distance"]))
    assert [note.split(":")[0] for note in notes] == ["flat", "distance"]
    assert np.isfinite(found.apply(odd, gold, folds).scores).all()


def test_borders_in_the_units_of_a_system():
    """As many scores lie below the border as gold has below it."""
    gold, system, folds = sample(1000)
    found = calibration_out_of_fold("auto", [system], gold, folds, None)
    low, high = found.deployed(0, make_measure("hmean(f1, pearson)"), FIVE)
    assert (low.level, low.border, high.level, high.border) == ("low", 1.5, "high", 3.5)
    assert np.mean(system.scores < low.output) == pytest.approx(np.mean(gold < 1.5), abs=0.01)
    assert np.mean(system.scores > high.output) == pytest.approx(np.mean(gold > 3.5), abs=0.01)
    assert found.deployed(0, make_measure("pearson"), FIVE) == ()
    assert [each.border for each in found.deployed(0, make_measure("f1_low(border=4)"), FIVE)] == [4]
    assert [each.level for each in found.deployed(0, make_measure("f1_macro_3bin"), FIVE)] == ["low", "high"]
    assert no_calibration("so").deployed(0, make_measure("f1"), FIVE) == ()
    assert low.record() == {"level": "low", "border": 1.5, "threshold": low.output}
    assert low._replace(output=-np.inf).record()["threshold"] == "-inf"


def test_a_calibration_is_rebuilt_from_its_record():
    gold, system, folds = sample(400)
    for made in (
        calibration_out_of_fold("auto", [system], gold, folds, None),
        calibration_on_split("isotonic", [system], gold, "dev"),
        no_calibration("so"),
    ):
        again = Calibration.from_record(made.record())
        assert again.record() == made.record()
        before, after = (each.apply([system], gold, folds) for each in (made, again))
        assert (before is None) == (after is None)
        if before is not None:
            np.testing.assert_array_equal(before.scores, after.scores)
    assert calibration_out_of_fold("auto", [system], gold, folds, None).mappings[0].knots.size == 101


def test_what_a_calibration_says_when_nothing_was_fitted():
    assert no_calibration("so").record() == {
        "method": "none",
        "split": None,
        "folds": 0,
        "units": 0,
        "is_grouped": False,
        "covers_errors": False,
        "words": "uncalibrated (so)",
        "why_none": "so",
        "mappings": [],
    }
    assert no_calibration("so").manner == "uncalibrated (so)"
    one = calibration_out_of_fold("auto", [Predictions(np.array([0.5]))], np.array([2.0]), np.array([0]), None)
    assert one.words.startswith("uncalibrated (1 item: there is nothing else to fit a mapping on")


def test_a_method_by_name_covers_errors_on_a_split_too():
    gold, system, _ = sample()
    usual, named = (calibration_on_split(asked, [system], gold, "dev") for asked in ("auto", "isotonic"))
    assert (usual.covers_errors, named.covers_errors) == (False, True)
    assert named.flags == ("--calibrate", "isotonic", "--calibrate-on", "dev")
    assert (named.manner, named.folds, named.units) == ("calibrated on split 'dev' (isotonic)", 0, 200)


def test_a_fold_whose_line_would_fall_gets_no_standard_deviations():
    """Fold 0 is mapped by scores 2 and 3 with gold 5 and 4: they fall. Fold 1 by 0 and 1 with gold 1 and 3: slope 2."""
    gold, folds = np.array([1.0, 3, 5, 4]), np.array([0, 0, 1, 1])
    unsure = Predictions(np.array([0.0, 1, 2, 3]), np.full(4, 0.5))
    plain = Predictions(unsure.scores)
    found = calibration_out_of_fold("linear", [unsure, plain], gold, folds, None).apply([unsure, plain], gold, folds)
    assert found.scores.tolist() == [[4.5, 4.5, 5.0, 7.0]] * 2
    np.testing.assert_allclose(found.sigmas, [[np.nan, np.nan, 1.0, 1.0], [np.nan] * 4])


def test_calibrated_standard_deviations_go_where_scores_go():
    scores, sigmas = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    whole = Calibrated(scores, sigmas, True)
    assert whole.take(np.array([2, 0])).scores.tolist() == [[3, 1], [6, 4]]
    assert whole.take(np.array([2, 0])).sigmas.tolist() == [[0.3, 0.1], [0.6, 0.4]]
    assert whole.of_systems(np.array([1])).scores.tolist() == [[4, 5, 6]]
    assert whole.of_systems(np.array([1])).sigmas.tolist() == [[0.4, 0.5, 0.6]]
    made = replace(Comparison.of_scores(np.arange(3.0), scores, FIVE), calibrated=whole)
    (mixed,) = hybrids(made, 0, 1, np.array([[1.0, 0, 1], [0, 0, 0]]))
    assert mixed.calibrated.scores.tolist() == [[4, 2, 6], [1, 2, 3]]
    assert mixed.calibrated.sigmas.tolist() == [[0.4, 0.2, 0.6], [0.1, 0.2, 0.3]]


def test_calibrated_scores_are_on_the_scale_and_are_not_calibrated_again():
    scores = np.array([[1.0, 2, 3]])
    made = replace(Comparison.of_scores(np.arange(3.0), scores - 9, FIVE), calibrated=Calibrated(scores, None, True))
    seen = replace(made, is_on_scale=np.array([False])).for_borders
    assert (seen.predicted.tolist(), seen.is_on_scale.tolist()) == ([[1, 2, 3]], [True])
    assert seen.is_on_scale.dtype == np.bool_
    assert seen.calibrated is None
