"""Always yes, always no and the mean of gold stand beside the systems, and no choice is made that they beat."""

import json

import numpy as np
import pytest

import similitude as sim

TASK = {"cardinality": "1:1", "information": "classification"}


def labelled(seed: int = 0, items: int = 120, share: float = 0.49, signal: float = 0.0):
    """Pairs with labels, and two systems: noise, and noise with a signal."""
    rng = np.random.default_rng(seed)
    gold = (rng.random(items) < share).astype(float)
    pairs = [(f"text {place}", f"other {place}", score) for place, score in enumerate(gold)]
    return pairs, {"noise": rng.normal(size=items), "signal": gold * signal + rng.normal(size=items)}, gold


def test_they_stand_in_the_tables_of_two_labels():
    pairs, systems, gold = labelled()
    run = sim.run(pairs, systems, ["f1_binary", "accuracy", "mcc", "auc"], resamples=0)
    share = gold.mean()
    assert run["always yes", "f1_binary"] == pytest.approx(2 * share / (1 + share))
    assert run["always no", "f1_binary"] == 0
    assert run["always yes", "accuracy"] == pytest.approx(share)
    assert run["always no", "accuracy"] == pytest.approx(1 - share)
    assert run["always yes", "mcc"] == 0
    assert np.isnan(run["always yes", "auc"].value)
    assert "has no auc" in run["always yes", "auc"].reason
    rows = {(row["system"], row["measure"]): row["value"] for row in run.rows()}
    assert rows["always yes", "accuracy"] == pytest.approx(share)
    assert "always yes" in str(run)
    assert "always no" in str(run)


def test_their_intervals_and_tests_are_those_of_the_run():
    pairs, systems, _ = labelled(signal=3.0)
    run = sim.run(pairs, systems, ["f1_binary"], resamples=199)
    found = run.compare("signal", "always yes")
    assert found.measures[0].outcome == "better"
    assert found.interval[0] > 0
    assert run["always yes", "f1_binary"].low < run["always yes", "f1_binary"] < run["always yes", "f1_binary"].high
    assert "always yes" not in run.conclusion.sentence.partition(";")[2]


def test_the_sentence_says_when_nothing_is_better():
    pairs, systems, gold = labelled()
    value = 2 * gold.mean() / (1 + gold.mean())
    run = sim.run(pairs, systems, ["f1_binary"], resamples=199)
    assert run.conclusion.sentence.endswith(f"no system is significantly better than always yes ({value:.3f})")
    untested = sim.run(pairs, {"noise": systems["noise"]}, ["f1_binary"], resamples=0)
    if untested["noise", "f1_binary"] < value:
        assert untested.conclusion.sentence.endswith(f"no system is better than always yes ({value:.3f})")


def test_no_system_is_recommended_that_always_yes_beats():
    pairs, systems, gold = labelled()
    choice = sim.choose(pairs, systems, **TASK, resamples=199)
    value = 2 * gold.mean() / (1 + gold.mean())
    said = choice.decision()
    assert said.startswith(
        f"For your task: no system is significantly better than always yes ({value:.3f}) by f1_binary."
    )
    assert "Deploy it" not in said
    assert not choice.is_advised
    assert choice.record()["over_trivial"].startswith("no system is significantly better")
    better = sim.choose(*labelled(signal=4.0)[:2], **TASK, resamples=199)
    assert better.is_advised
    assert better.decision().startswith("For your task: signal (f1_binary ")
    assert "Deploy it with a threshold of" in better.decision()


def test_an_infinite_threshold_is_never_a_number():
    """Where misses cost 50 times as much, the best threshold of noise is below all scores."""
    pairs, systems, _ = labelled(seed=2)
    choice = sim.choose(pairs, systems, **TASK, criterion="cost(1,50)", resamples=99)
    assert np.isinf(choice.deployed.point.threshold)
    assert "always yes, which needs no system" in choice.decision()
    assert "inf" not in choice.decision()
    record = json.loads(json.dumps(choice.record(), allow_nan=False))
    assert record["threshold"]["threshold"] is None
    assert record["threshold"]["says"] == "always"


def test_a_target_that_always_yes_misses_gives_it_no_figure():
    pairs, systems, _ = labelled()
    run = sim.run(pairs, systems, ["recall_at(precision=0.9)", "precision_at(recall=0.9)"], resamples=0)
    assert "does not reach" in run["always yes", "recall_at(precision=0.9)"].reason
    assert run["always yes", "precision_at(recall=0.9)"] > 0.4
    assert "does not reach" in run["always no", "precision_at(recall=0.9)"].reason


def test_the_mean_of_gold_stands_beside_errors():
    rng = np.random.default_rng(4)
    gold = rng.uniform(0, 5, 100)
    pairs = [(f"text {place}", f"other {place}", score) for place, score in enumerate(gold)]
    run = sim.run(pairs, ["levenshtein", "length-ratio"], ["mae", "pearson", "spearman"])
    means = np.abs(gold - gold.mean()).mean()
    assert run["the mean", "mae"] == pytest.approx(means, rel=0.05), "the mean of the other folds"
    assert run["the mean", "mae"].value != means, "which has not seen the item"
    assert np.isnan(run["the mean", "pearson"].value), "no correlation, though means of folds differ a little"
    assert "no system is significantly better than the mean" in run.conclusion.sentence
    assert not sim.run(pairs, ["levenshtein"], ["pearson"]).trivial


def test_a_border_on_graded_gold_has_them_too():
    rng = np.random.default_rng(4)
    gold = rng.uniform(0, 5, 100)
    pairs = [(f"text {place}", f"other {place}", score) for place, score in enumerate(gold)]
    run = sim.run(pairs, ["levenshtein"], ["accuracy(border=3)"], resamples=0)
    assert run["always no", "accuracy(border=3)"] == pytest.approx(np.mean(gold <= 3))


@pytest.mark.parametrize(
    "options", [{"test": "permutation", "resamples": 199}, {"interval": "jackknife"}, {"level": 0.9, "resamples": 199}]
)
def test_every_test_compares_with_them(options):
    pairs, systems, _ = labelled(signal=4.0, items=60)
    run = sim.run(pairs, {"signal": systems["signal"]}, ["accuracy"], **options)
    assert run.compare("signal", "always no").measures[0].outcome == "better"


def test_they_are_saved(tmp_path):
    pairs, systems, _ = labelled()
    run = sim.run(pairs, systems, ["f1_binary"], out=tmp_path, resamples=99)
    back = sim.load_run(tmp_path)
    assert [one.record() for one in back.trivial] == [one.record() for one in run.trivial]
    assert back.conclusion == run.conclusion
    assert back.compare("noise", "always yes").to_dict() == run.compare("noise", "always yes").to_dict()


def test_tables_of_thresholds_have_them(tmp_path):
    pairs, systems, _ = labelled()
    run = sim.run(pairs, systems, ["f1_binary", "mcc"], resamples=50)
    for ending in ("md", "tex", "html"):
        text = run.report(tmp_path / f"run.{ending}").read_text(encoding="utf-8")
        assert text.count("always yes") >= 2, "in the ranking and in the table of thresholds"
        assert "always no" in text
