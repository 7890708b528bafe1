"""Tasks whose pairs come in groups, such as all pairs of one document: a group is never divided."""

from dataclasses import replace

import numpy as np
import pytest

import similitude as sim
from similitude.errors import InputError
from similitude.evaluate.tasks.pair_tasks import Related, TextReuse

GROUPS = ["a", "a", "b", "b", "c", "c", "d", "d"]
LABELS = np.array([0, 1, 0, 1, 0, 1, 1, 1])


def items(groups):
    texts = [f"text {place}" for place in range(len(LABELS))]
    columns = {} if groups is None else {"group": groups}
    return sim.Benchmark.from_columns(
        left=texts, right=texts[::-1], score=[0] * len(LABELS), scale="0..1", **columns
    ).items


def reuse(groups=GROUPS, **more):
    return TextReuse(name="made", items=items(groups), labels=LABELS, classes=("none", "copy"), **more)


def rng():
    return np.random.default_rng(0)


def test_groups_are_numbered_unless_every_pair_is_its_own():
    assert reuse().groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert reuse(groups=None).groups is None
    assert reuse(groups=list("abcdefgh")).groups is None
    none = replace(reuse(), items=items(GROUPS).take(np.arange(0)), labels=LABELS[:0])
    assert none.groups is None


def test_folds_do_not_divide_groups_and_say_so():
    task = reuse(notes=("a note",))
    folds = task._folds(rng())
    assert all(len(set(folds.of_member[place : place + 2])) == 1 for place in range(0, 8, 2))
    assert folds.notes[0] == "a note"
    found = task.outcome(np.vstack([LABELS, LABELS[::-1]]).astype(float), rng())
    assert found.groups.tolist() == task.groups.tolist()
    assert found.calibration == f"borders of classes learned out of fold ({folds.number} folds of 4 groups)"
    assert found.values[0] == 1
    alone = reuse(groups=None)
    words = alone.outcome(LABELS[None].astype(float), rng()).calibration
    assert words == "borders of classes learned out of fold (3 folds of 8 pairs)"
    assert alone.outcome(LABELS[None].astype(float), rng()).groups is None


def test_fixed_borders_keep_groups_and_notes():
    found = reuse(notes=("a note",)).outcome_on_range(np.array([[0.1, 0.9, 0.1, 0.9, 0.9, 0.9, 0.9, 0.9]]))
    assert found.groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert found.notes == ("a note",)
    assert found.values.tolist() == [7 / 8]


def test_yes_is_the_second_class():
    task = Related(name="made", items=items(GROUPS), labels=LABELS, classes=("no", "yes"))
    said = np.array([[0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.9, 0.4], [0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.1, 0.6]])
    assert task.outcome_on_range(said).values.tolist() == [7 / 8, 1 / 8]


def test_one_group_cannot_be_held_out_and_two_can():
    with pytest.raises(InputError, match=r"^made: all members share one group"):
        reuse(groups=["a"] * 8)._folds(rng())
    two = reuse(groups=["a"] * 4 + ["b"] * 4)._folds(rng())
    assert two.number == 2
    assert two.of_member.tolist() in ([0] * 4 + [1] * 4, [1] * 4 + [0] * 4)
