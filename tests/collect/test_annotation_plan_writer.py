"""Plans as TOML: reading what was written gives an equal plan; comments stay with their keys."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_strategies import TEXTS, models

from similitude.collect.annotation.plan.comments import comments_in
from similitude.collect.annotation.plan.models import ReadingPlan, SecondRound, StudyPlan
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.plan.writer import toml_of, write_plan
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Language
from similitude.errors import ArgumentError

points = st.dictionaries(st.sampled_from(["0", "1", "2.5", "5"]), TEXTS, max_size=4)
by_language = st.dictionaries(st.sampled_from(get_args(Language)), points, max_size=3)
scales = models(
    RatingScale, low=st.just(0), high=st.just(5), step=st.sampled_from([0.5, 1]), labels=points | by_language
)
plans = models(StudyPlan, scale=st.none() | scales)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def is_written(plan: StudyPlan) -> bool:
    """TOML has no word for None, so a second round with neither a spread nor items cannot be written."""
    return plan.second_round is None or (plan.second_round.spread, plan.second_round.items) != (None, None)


@relaxed
@given(plans.filter(is_written))
def test_reading_what_was_written_gives_an_equal_plan(plan: StudyPlan) -> None:
    text = toml_of(plan)
    again = StudyPlan.model_validate(tomllib.loads(text))
    assert again == plan
    assert toml_of(again) == text


@relaxed
@given(plans.filter(is_written))
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
    plan = StudyPlan(name="x", task="rating", second_round=SecondRound(spread=None))
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
        reading=ReadingPlan(columns={"left": "eins", "right": "zwei"}, separator=";"),
    )
    write_plan(plan, tmp_path / "study.toml")
    study = read_study(tmp_path / "study.toml")
    assert [question.items[0]["left"] for question in study.questions] == ["A cat", "A bird"]
    assert study.plan.reading == plan.reading
