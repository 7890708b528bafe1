"""Groups and scales in tasks on labelled pairs: folds keep groups together, and answers without calibration."""

import numpy as np
import pytest

from similitude.errors import InputError
from similitude.evaluate.tasks.classifiers import make_folds
from similitude.evaluate.tasks.outcome import RangeTask
from similitude.evaluate.tasks.reading import open_task, read_task
from similitude.stats.folds import named_folds
from similitude.study.task_run import run_task

CLASSES = ("none", "light", "copy")


def table(tmp_path, classes, groups, name="label"):
    rows = [f"left {n},right {n},{each},{group}" for n, (each, group) in enumerate(zip(classes, groups, strict=True))]
    (tmp_path / "pairs.csv").write_text(f"left,right,{name},group\n" + "\n".join(rows) + "\n")
    return tmp_path / "pairs.csv"


def test_folds_keep_groups_together():
    classes = np.arange(60) % 3
    groups = [f"g{n // 6}" for n in range(60)]
    folds = make_folds(classes, CLASSES, np.random.default_rng(0), "here", groups=groups)
    assert folds.number == 10
    assert (folds.of_member.reshape(-1, 6) == folds.of_member[::6, None]).all()
    few = make_folds(classes, CLASSES, np.random.default_rng(0), "here", groups=[f"g{n // 20}" for n in range(60)])
    assert (few.number, few.notes) == (3, ("3 folds: there are 3 groups",))
    with pytest.raises(InputError, match="all members share one group"):
        make_folds(classes, CLASSES, np.random.default_rng(0), "here", groups=["g"] * 60)


def test_a_column_of_groups_is_read_and_drawn_as_one(tmp_path):
    classes = [("different", "duplicate")[n % 2] for n in range(40)]
    task = read_task(table(tmp_path, classes, [f"g{n // 4}" for n in range(40)], "duplicate"), kind="deduplication")
    assert task.groups.tolist() == [n // 4 for n in range(40)]
    scores = np.linspace(0, 1, 40)[None]
    found = task.outcome(scores, np.random.default_rng(0))
    assert found.groups.tolist() == task.groups.tolist()
    assert found.calibration == "threshold learned out of fold (5 folds of 10 groups)"
    assert (found.comparison.fold_of_item.reshape(-1, 4) == found.comparison.fold_of_item[::4, None]).all()
    run = run_task(task, ["levenshtein", "length-ratio"], resamples=20)
    assert run.record()["task"]["groups"] == 10


def test_without_shared_groups_nothing_changes(tmp_path):
    classes = [("different", "duplicate")[n % 2] for n in range(40)]
    alone = read_task(table(tmp_path, classes, [f"g{n}" for n in range(40)], "duplicate"), kind="deduplication")
    assert alone.groups is None
    blank = read_task(table(tmp_path, classes, [""] * 40, "duplicate"), kind="deduplication")
    assert blank.groups is None
    found = alone.outcome(np.linspace(0, 1, 40)[None], np.random.default_rng(0))
    assert found.calibration == "threshold learned out of fold (5 folds of 40 pairs)"
    assert run_task(alone, ["levenshtein"], resamples=0).record()["task"]["groups"] is None


def test_answers_on_the_declared_range_by_hand(tmp_path):
    """Four classes on 0..1 have borders at .25, .5 and .75; 1 is in the last, and below 0 counts as the first."""
    classes = ["none", "none", "heavy", "light", "copy", "copy", "heavy", "light"]
    task = read_task(table(tmp_path, classes, range(8)), kind="text-reuse")
    said = np.array([[-0.1, 0.25, 0.49, 0.5, 0.75, 1.0, 0.9, 0.1]])
    found = task.outcome_on_range(said)
    assert found.values == pytest.approx([5 / 8])
    assert found.calibration == "uncalibrated: the range that each system declares, in 4 equal parts"


def test_yes_above_the_middle_by_hand(tmp_path):
    """Yes to .51 and .9, no to .5: one hit, one false alarm, one miss: F1 = 2 / 4."""
    classes = ["duplicate", "different", "duplicate", "different"]
    task = read_task(table(tmp_path, classes, range(4), "duplicate"), kind="deduplication")
    found = task.outcome_on_range(np.array([[0.51, 0.9, 0.5, 0.2]]))
    assert found.values == pytest.approx([0.5])
    related = read_task(table(tmp_path, ["related", "unrelated"] * 2, range(4), "related"), kind="related")
    assert related.outcome_on_range(np.array([[0.51, 0.9, 0.5, 0.2]])).values == pytest.approx([0.5])  # 2 of 4 right
    # without the miss 2 / 3, and with two misses for one hit 2 / 4; a system that says yes to all has 4 / 6
    drawn = task.outcome_on_range(np.array([[0.51, 0.9, 0.5, 0.2], [0.9] * 4])).resampled(
        np.array([[1, 1, 0, 2], [1.0, 0, 2, 1], [1, 1, 1, 1]])
    )
    assert drawn == pytest.approx(np.array([[2 / 3, 2 / 4, 2 / 4], [2 / 5, 6 / 7, 4 / 6]]))


def test_which_tasks_have_a_scale():
    kinds = ("text-reuse", "related", "deduplication", "find-related", "intent")
    assert [isinstance(open_task(f"sample:{kind}"), RangeTask) for kind in kinds] == [True, True, True, False, False]


def test_folds_are_dealt_by_the_names_of_groups_whatever_the_order(tmp_path):
    classes = [("different", "duplicate")[n % 2] for n in range(40)]
    groups = [f"g{n // 2}" for n in range(40)]
    folds = []
    for step in (1, -1):
        task = read_task(table(tmp_path, classes[::step], groups[::step], "duplicate"), kind="deduplication")
        found = task.outcome(np.linspace(0, 1, 40)[None], np.random.default_rng(0))
        folds.append(found.comparison.fold_of_item[::step])
    np.testing.assert_array_equal(*folds)
    np.testing.assert_array_equal(folds[0], named_folds(np.arange(40) % 2 * 1.0, groups, 5))
