"""`sim.design`: plans for items in any form."""

import json

import pandas as pd
import polars as pl
import pytest

import similitude as sim
from similitude.collect.design import TupleRequest, plan_best_worst, read_design, read_subjects
from similitude.errors import ArgumentError, InputError

IDS = [f"i{number}" for number in range(12)]
TEXTS = {"id": IDS, "left": [f"left {name}" for name in IDS], "right": [f"right {name}" for name in IDS]}


@pytest.mark.parametrize("data", [IDS, tuple(IDS), pl.Series(IDS), pd.Series(IDS), TEXTS, pd.DataFrame(TEXTS)])
def test_items_in_any_form_give_the_same_plan(data):
    planned = sim.design(data, size=3, factor=2, seed=4)
    same = plan_best_worst(read_subjects(IDS), TupleRequest(size=3, factor=2), seed=4)
    assert planned.frame.equals(same.frame)
    assert planned.guarantees.hold
    assert planned.guarantees.appearances_min == planned.guarantees.appearances_max == 6


def test_the_plan_is_that_of_the_command(tmp_path, capsys):
    from similitude.cli.app import run

    (tmp_path / "ids.txt").write_text("\n".join(IDS))
    run(["design", "best-worst", str(tmp_path / "ids.txt"), "--size", "4", "--out", str(tmp_path / "plan.jsonl")])
    planned = sim.design(IDS)
    assert read_design(tmp_path / "plan.jsonl").frame.equals(planned.frame)
    assert read_design(planned.save(tmp_path / "own.jsonl")).frame.equals(planned.frame)
    assert json.loads((tmp_path / "own.jsonl").read_text().splitlines()[0])["task"] == "best-worst"


def test_ratings_in_batches_with_gold_and_repeats():
    planned = sim.design(IDS, "rating", batch=6, gold=["g1", "g2"], gold_share=0.2, repeat_share=0.2, per_question=3)
    assert repr(planned) == "<Design: 18 rating questions in 3 batches about 14 items, 3 annotators each>"
    kinds = planned.to_polars().group_by("kind").len().sort("kind").rows()
    assert kinds == [("gold", 3), ("repeat", 3), ("work", 12)]
    assert sim.design(IDS, "rating").batches == 1
    assert planned.to_pandas().shape == (18, 8)


def test_repr_and_items_of_tuples():
    planned = sim.design(["a", "b", "c", "d"], size=2, tuples=2, per_question=1)
    assert repr(planned) == "<Design: 2 best-worst questions about 4 items, 1 annotator each>"
    assert sorted(planned.items) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"gold_share": 0.1}, "gold_share= would change nothing in a design of best-worst questions"),
        ({"kind": "rating", "size": 3}, r'size= would change nothing .* or give kind="best-worst"'),
        ({"tuples": 3, "factor": 2}, "tuples and factor both say how many"),
        ({"factor": "2"}, "factor='2' is not a number"),
        ({"per_question": 0}, "0 annotators per question"),
        ({"seed": -1}, "seed=-1 is not a whole number"),
    ],
)
def test_impossible_requests(options, what):
    with pytest.raises(ArgumentError, match=what):
        sim.design(IDS, **options)


def test_ids_must_be_given_once_and_not_be_empty():
    with pytest.raises(InputError, match="1 id more than once: 'a'"):
        sim.design(["a", "b", "a"])
    with pytest.raises(InputError, match="the id at position 1 is empty"):
        sim.design(["a", " ", "b"])
