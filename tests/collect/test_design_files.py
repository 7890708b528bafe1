import json

import polars as pl
import pytest

from similitude.collect.design import (
    BatchMix,
    Subjects,
    TupleRequest,
    effort_of,
    plan_best_worst,
    plan_ratings,
    presentation,
    read_design,
    read_subjects,
    write_design,
)
from similitude.errors import ArgumentError, InputError

IDS = Subjects.of_ids("ids", [f"i{n}" for n in range(30)])


@pytest.mark.parametrize(
    "design",
    [
        plan_best_worst(IDS, TupleRequest(), per_question=3, seed=5),
        plan_ratings(IDS, BatchMix(size=10, gold_share=0.1, repeat_share=0.1, repeat_distance=4), gold=["g"], seed=2),
    ],
    ids=["best-worst", "rating"],
)
def test_a_plan_comes_back_as_it_was_written(design, tmp_path):
    path = write_design(design, tmp_path / "plan.jsonl")
    back = read_design(path)
    assert back.frame.equals(design.frame)
    for name in ("task", "per_question", "seed", "repeat_distance", "judgements", "guarantees"):
        assert getattr(back, name) == getattr(design, name)
    assert presentation(back, "anna") == presentation(design, "anna")
    lines = path.read_text().splitlines()
    assert len(lines) == len(design)
    assert list(json.loads(lines[0])) == [
        "question", "kind", "items", "group", "stratum", "batch", "position", "repeats",
        "task", "per_question", "seed", "repeat_distance",
    ]  # fmt: skip


def test_guarantees_are_counted_from_the_file(tmp_path):
    path = tmp_path / "plan.jsonl"
    path.write_text(
        '{"question": "q1", "items": ["a", "b", "c"], "task": "best-worst"}\n'
        '{"question": "q2", "items": ["c", "b", "a"], "task": "best-worst"}\n'
    )
    found = read_design(path).guarantees
    assert found is not None
    assert found.repeated_tuples == 1
    assert not found.hold


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"items": ["a"], "task": "rating"}', "plan.jsonl, line 1: question: field required"),
        ('{"question": "q", "items": [], "task": "rating"}', "items: list should have at least 1 item"),
        ('{"question": "q", "items": ["a"], "task": "guess"}', "task: input should be 'best-worst', 'rating'"),
        ('{"question": "q", "items": ["a"], "task": "rating", "kind": "odd"}', "kind: input should be 'work', 'gold'"),
        ('{"question": "q", "items": ["a"], "task": "rating", "batch": 0}', "batch: input should be greater than"),
        ('{"question": "q"', "line 1, column"),
        ('{"question": "q", "items": ["a"], "task": "rating"}\n' * 2, "the question 'q' is in the plan twice"),
        ('{"question": "q", "items": ["a"], "task": "rating", "seed": 1}\n{"question": "r", "items": ["a"], '
         '"task": "rating", "seed": 2}', "lines differ in seed: '1', '2'"),
        ('{"question": "q", "items": ["a"], "task": "rating", "kind": "repeat", "repeats": "p"}', "the repeat 'q' is "
         "not in the batch of the question that it repeats"),
    ],
)  # fmt: skip
def test_bad_plans_are_refused(lines, message, tmp_path):
    path = tmp_path / "plan.jsonl"
    path.write_text(lines)
    with pytest.raises(InputError) as refusal:
        read_design(path)
    assert message in str(refusal.value)


def test_a_plan_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(ArgumentError, match="its folder does not exist"):
        write_design(plan_best_worst(IDS, TupleRequest()), tmp_path / "no" / "plan.jsonl")


def test_a_text_file_is_a_list_of_ids(tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text("one\n\n two \nthree\r\n")
    assert read_subjects(str(path)).ids == ["one", "two", "three"]
    path.write_text("one\ntwo\none\n")
    with pytest.raises(InputError, match="1 id more than once: 'one'"):
        read_subjects(str(path))


def test_a_benchmark_brings_what_pages_can_be_mixed_by():
    subjects = read_subjects("sample:dialogues")
    assert len(subjects) == 60
    assert set(subjects.column("turns")) == {"3", "5"}
    assert len(set(subjects.column("group"))) == 12
    with pytest.raises(ArgumentError, match="no column 'mood'; use one of turns, group, language"):
        subjects.column("mood")
    with pytest.raises(ArgumentError, match="60 items of 60 without split"):
        subjects.column("split")


def test_what_a_plan_asks_of_people():
    design = plan_best_worst(IDS, TupleRequest(), mix=BatchMix(size=20), per_question=3)
    # 60 questions x 3 = 180 judgements x 30 s = 1.5 h; x 12 = 18; a batch of 20 x 30 s = 10 min.
    effort = effort_of(design, seconds_per_question=30, pay_per_hour=12)
    assert (effort.judgements, effort.hours, effort.cost, effort.batch_minutes) == (180, 1.5, 18.0, 10.0)
    assert effort.sentences()[:2] == (
        "60 questions x 3 annotators = 180 judgements",
        "about 1.5 hours in all; the largest batch about 10 minutes",
    )
    assert effort_of(design).hours is None
    with pytest.raises(ArgumentError, match="pay by the hour says nothing"):
        effort_of(design, pay_per_hour=12)
    with pytest.raises(ArgumentError, match="seconds_per_question=0"):
        effort_of(design, seconds_per_question=0)


@pytest.mark.parametrize("bad", [{"per_question": 0}, {"frame": pl.DataFrame({"question": [], "items": []})}])
def test_a_plan_needs_questions_and_annotators(bad):
    design = plan_best_worst(IDS, TupleRequest())
    made = {"task": "best-worst", "frame": design.frame} | bad
    with pytest.raises((ArgumentError, InputError)):
        type(design)(**made)
