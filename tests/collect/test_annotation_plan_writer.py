"""Plans as TOML: reading what was written gives an equal plan; comments stay with their keys."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from similitude.collect.annotation.plan import models
from similitude.collect.annotation.plan.comments import comments_in
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.plan.writer import toml_of, write_plan
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Language
from similitude.errors import ArgumentError

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
shares = st.floats(0, 0.4)
positive = st.floats(0.01, 1e9)
counts = st.integers(1, 500)
languages = st.sampled_from(get_args(Language))
by_language = st.dictionaries(languages, texts, max_size=3)
optional_texts = st.none() | texts


def parts(kind: type[BaseModel], **fields: Any) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({}, optional=fields).map(kind.model_validate)


reading = parts(
    models.ReadingPlan,
    format=texts, columns=st.dictionaries(texts, texts, max_size=5), encoding=texts, separator=texts,
    header=st.booleans(), decimal=st.sampled_from([".", ","]), missing=st.lists(texts, max_size=3).map(tuple),
    sheet=texts, on_error=st.sampled_from(["stop", "skip"]),
)  # fmt: skip
batches = parts(
    models.BatchPlan,
    questions=counts, minutes=positive, gold_share=shares, repeat_share=shares, per_page=st.integers(1, 20),
    most=st.none() | counts,
)  # fmt: skip
gold = st.fixed_dictionaries({"questions": texts}, optional={"stop_below": shares, "after": counts}).map(
    models.GoldPlan.model_validate
)
training = st.fixed_dictionaries(
    {"questions": texts},
    optional={"rounds": st.integers(1, 20), "limit": counts, "tolerance": positive, "pass": shares},
).map(models.TrainingPlan.model_validate)
qualification = st.fixed_dictionaries(
    {"questions": texts}, optional={"pass": shares, "tolerance": positive, "review": st.booleans()}
).map(models.QualificationPlan.model_validate)
second_round = parts(
    models.SecondRound, spread=positive, judgements=counts, items=texts | st.lists(texts, max_size=3).map(tuple)
)
access = parts(
    models.Access,
    open=st.booleans(),
    limit=st.none() | counts,
    prolific=st.none() | st.fixed_dictionaries({"completion_url": texts}, optional={"stopped_url": optional_texts}),
    mturk=st.none() | st.fixed_dictionaries({"sandbox": st.booleans()}),
)
values = st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | texts
examples = st.fixed_dictionaries(
    {"left": texts, "answer": st.dictionaries(texts, values | st.lists(values, max_size=3), max_size=4)},
    optional={
        "right": optional_texts, "context": st.lists(texts, max_size=3).map(tuple), "condition": optional_texts,
        "options": st.lists(texts, max_size=4).map(tuple), "why": texts, "language": st.none() | languages,
    },
).map(models.Example.model_validate)  # fmt: skip
labels = st.dictionaries(st.sampled_from(["0", "1", "2.5", "5"]), texts, max_size=4)
scales = st.fixed_dictionaries(
    {}, optional={"step": st.sampled_from([0.5, 1]), "labels": labels | st.dictionaries(languages, labels, max_size=3)}
).map(RatingScale.model_validate)

OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "items": optional_texts,
    "reading": reading,
    "questions": optional_texts,
    "judgements": st.integers(1, 1000),
    "languages": st.lists(languages, min_size=1, unique=True).map(tuple),
    "seed": st.integers(),
    "shuffle": st.booleans(),
    "tuple_size": st.integers(2, 9),
    "contact": optional_texts,
    "title": by_language,
    "guidelines": by_language,
    "consent": by_language,
    "example": st.lists(examples, max_size=2).map(tuple),
    "scale": st.none() | scales,
    "batch": batches,
    "gold": st.none() | gold,
    "training": st.none() | training,
    "qualification": st.none() | qualification,
    "second_round": st.none() | second_round,
    "access": access,
}
plans = st.fixed_dictionaries(
    {"name": st.just("a study"), "task": st.sampled_from(["rating", "best-worst", "mine(size=3)"])}, optional=OPTIONAL
).map(lambda fields: StudyPlan(**fields))


@settings(max_examples=80, deadline=None)
@given(plans)
def test_reading_what_was_written_gives_an_equal_plan(plan: StudyPlan) -> None:
    text = toml_of(plan)
    again = StudyPlan.model_validate(tomllib.loads(text))
    assert again == plan
    assert toml_of(again) == text


@settings(max_examples=30, deadline=None)
@given(plans)
def test_our_own_comments_come_back_where_they_were(plan: StudyPlan) -> None:
    text = toml_of(plan)
    assert toml_of(plan, comments=comments_in(text)) == text


MINE = '''\
# My study.
# Since May.

name = "mine"   # short
task = "rating"
items = "items.csv"
# not more, they cost
judgements = 7
languages = [
  "de",  # first
  "en",
]

# in one sitting
[batch]
minutes = 20 # "sharp" # really
questions = 5

[[example]]
left = "a # b"  # the first
right = """
# no comment"""
answer = { value = 1 }

[[example]]
left = "c"
right = "d"
answer = { value = 2 }
# of the second
why = "x"
# the end
'''


def test_comments_stay_with_their_keys() -> None:
    plan = StudyPlan.model_validate(tomllib.loads(MINE))
    changed = plan.model_copy(update={"judgements": 3})
    lines = toml_of(changed, comments=comments_in(MINE)).splitlines()
    assert lines[:2] == ["# My study.", "# Since May."]
    assert 'name = "mine"  # short' in lines
    at = lines.index("# not more, they cost")
    assert lines[at + 1].startswith("judgements = 3")
    assert lines[lines.index("# in one sitting") + 1] == "[batch]"
    assert 'minutes = 20  # "sharp" # really' in lines
    assert 'left = "a # b"  # the first' in lines
    assert lines[lines.index("# of the second") + 1] == 'why = "x"'
    assert lines[-1] == "# the end"


def test_what_toml_cannot_say_is_refused() -> None:
    plan = StudyPlan(name="x", task="rating", second_round=models.SecondRound(spread=None))
    with pytest.raises(ArgumentError, match="second_round has no TOML form"):
        toml_of(plan)


def test_a_design_keeps_its_number_of_judgements() -> None:
    by_design = StudyPlan(name="x", task="rating", items="i.csv", questions="plan.jsonl")
    assert "judgements" not in toml_of(by_design)
    assert "judgements = 5" in toml_of(StudyPlan(name="x", task="rating", questions="plan.jsonl", judgements=5))


def test_a_written_study_is_read_with_its_reading(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("eins;zwei\nA cat;A dog\nA bird;A fish\n")
    plan = StudyPlan(
        name="x",
        task="rating",
        items="items.csv",
        reading=models.ReadingPlan(columns={"left": "eins", "right": "zwei"}, separator=";"),
    )
    write_plan(plan, tmp_path / "study.toml")
    study = read_study(tmp_path / "study.toml")
    assert [question.items[0]["left"] for question in study.questions] == ["A cat", "A bird"]
    assert study.plan.reading == plan.reading
