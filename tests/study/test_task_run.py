"""One task alone, as a value."""

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError, PredictionError
from similitude.evaluate.tasks.pair_tasks import Deduplication
from similitude.study.task_run import achieved_task, run_task


def duplicates(pairs: int = 40) -> Deduplication:
    labels = np.arange(pairs) % 4 == 0
    items = Items.from_pairs([f"l{n}" for n in range(pairs)], [f"r{n}" for n in range(pairs)])
    return Deduplication(name="made", items=items, labels=labels.astype(np.intp), classes=("other", "same"))


def similarities(pairs: int = 40) -> np.ndarray:
    labels = np.arange(pairs) % 4 == 0
    noise = np.random.default_rng(0).normal(size=pairs)
    return np.stack([np.where(labels, 0.9, 0.75) + noise / 1000, labels + noise])


class Silent:
    """A system that has nothing to say of one pair."""

    def score(self, items):
        return [float("nan") if one.left == "l3" else 1.0 for one in items]


def test_chunks_do_not_change_resamples(monkeypatch):
    options = {"resamples": 30, "level": 0.9, "seed": 2}
    whole = achieved_task(duplicates(), similarities(), **options)
    told = []
    monkeypatch.setattr("similitude.study.task_run.CHUNK_CELLS", 40 * 7)
    parts = achieved_task(duplicates(), similarities(), **options, progress=lambda *words: told.append(words))
    np.testing.assert_array_equal(whole.resampled, parts.resampled)
    assert [words for words in told if words[0] == "resampling"] == [
        ("resampling", done, 30) for done in (7, 14, 21, 28, 30)
    ]


def test_the_perfect_system_is_told_apart_and_has_a_threshold():
    achieved = achieved_task(duplicates(200), similarities(200), resamples=300, level=0.95, seed=0)
    result = achieved.result
    assert result.outcome.values[0] == 1.0
    (deployed,) = result.thresholds[0].thresholds
    assert deployed.point.threshold == pytest.approx(0.825, abs=0.01)
    assert result.intervals[1].low < result.outcome.values[1] < result.intervals[1].high < 1


def test_a_system_that_gives_no_number_is_named():
    with pytest.raises(PredictionError, match="gave nan for pair 4"):
        run_task(duplicates(), [Silent()], resamples=0)


def test_no_system_and_one_twice_are_refused():
    with pytest.raises(ArgumentError, match="no system to run"):
        run_task(duplicates(), [])
    with pytest.raises(ArgumentError, match="named twice"):
        run_task("sample:related", ["jaro", "jaro"])
