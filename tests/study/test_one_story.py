"""The sentence, the letters, the ranks, `compare` and the intervals of differences say the same."""

import math
from itertools import combinations

import numpy as np
import pytest

import similitude as sim

ROUNDS = [
    # measures, options
    (["pearson", "spearman", "kendall"], {}),
    (["ndcg@5", "f1_low"], {}),
    (["pearson", "accuracy_low"], {"resamples": 199}),
    (["pearson", "accuracy_low"], {"test": "permutation", "resamples": 199}),
    (["pearson", "spearman"], {"test": "williams"}),
    (["pearson"], {"test": "steiger", "level": 0.8}),
]


def run_of(seed: int, measures: list[str], **options) -> sim.Run:
    """Systems some of which are nearly alike, so that many differences are near the border."""
    rng = np.random.default_rng(seed)
    gold, shared = rng.uniform(0, 5, 60), rng.normal(size=60)
    pairs = [(f"text {place}", f"other {place}", score) for place, score in enumerate(gold)]
    noise = rng.uniform(0.3, 1.6, rng.integers(2, 7))
    scores = {
        f"s{place}": np.clip(gold + size * (0.6 * shared + 0.8 * rng.normal(size=60)), 0, 5)
        for place, size in enumerate(noise)
    }
    return sim.run(pairs, scores, measures, **options)


@pytest.mark.parametrize(("measures", "options"), ROUNDS)
@pytest.mark.parametrize("seed", range(4))
def test_one_story(seed: int, measures: list[str], options: dict):
    made = run_of(seed, measures, **options)
    alpha = 1 - options.get("level", 0.95)
    for column, measure in enumerate(made.measures):
        letters = {name: set(made.confidence.ranks[row][column].letters) for row, name in enumerate(made.row_labels)}
        for one, other in combinations(made.row_labels, 2):
            found = made.compare(one, other)[str(measure)]
            if found.outcome == "undefined":  # a constant, on most measures
                continue
            is_sure = found.outcome in ("better", "worse")
            assert is_sure == (found.p_value <= alpha and found.difference != 0)
            assert is_sure == (not letters[one] & letters[other])
            low, high = found.interval
            assert is_sure == (low > 0 or high < 0), (measure, one, other, found)
            assert low <= found.difference <= high or options.get("resamples"), "a bootstrap interval may miss it"
        decision = made.decisions[column]
        best = max(
            (row for row in range(len(made.row_labels)) if not math.isnan(made.row_figures[row][column].value)),
            key=lambda row: made.row_figures[row][column].value * (1 if measure.higher_is_better else -1),
        )
        named = {made.row_labels[row] for row in decision.may_be_best}
        assert named == {name for name in made.row_labels if letters[name] & letters[made.row_labels[best]]}
    number, among = len(made.labels), len(made.decisions[0].may_be_best)
    if 1 < among < number:
        assert f"{among} of {number} systems are not significantly worse than the best" in made.conclusion.sentence


def test_a_baseline_changes_no_verdict():
    plain, against = run_of(1, ["pearson"]), run_of(1, ["pearson"], against="s0")
    for one in against.decisions[0].contrasts:
        found = plain.compare(plain.labels[one.system], "s0")["pearson"]
        assert (found.p_value, found.interval) == (one.p_value, one.interval[:2])
        assert found.outcome == one.verdict


def test_two_systems_are_tested_as_a_pair():
    """With two systems there is nothing to correct: the p-value is that of Williams' test."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=50)
    one, other = gold + rng.normal(size=50), gold + 1.2 * rng.normal(size=50)
    pairs = [(f"text {place}", f"other {place}", score) for place, score in enumerate(gold)]
    found = sim.run(pairs, {"one": one, "other": other}, ["pearson"], test="williams")
    from similitude.stats import williams_p_value

    expected = williams_p_value(
        *(float(np.corrcoef(*two)[0, 1]) for two in ((gold, one), (gold, other), (one, other))), 50
    )
    assert found.compare("one", "other").p_value == pytest.approx(expected, rel=1e-3)
