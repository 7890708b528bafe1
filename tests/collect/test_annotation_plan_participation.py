"""The sections of a plan about those who answer: skip, breaks, survey, languages of the interface."""

import pytest
from pydantic import ValidationError

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.survey import Survey

QUESTION = {"id": "a", "kind": "text", "text": "Why?"}


def plan(**changes) -> StudyPlan:
    return StudyPlan.model_validate({"name": "x", "task": "rating", **changes})


def test_people_may_skip_comment_and_rest_by_default():
    made = plan()
    assert made.skip.allowed
    assert made.skip.again
    assert made.skip.limit is None
    assert made.comments
    assert (made.breaks.suggest, made.breaks.longest) == (30, 30)
    assert plan(**made.model_dump(mode="json", by_alias=True)) == made, "as the database keeps it"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"skip": {"reasons": ["boring"]}}, "unreadable"),
        ({"skip": {"reasons": []}}, "at least 1"),
        ({"skip": {"limit": -1}}, "greater than or equal to 0"),
        ({"breaks": {"longest": 0}}, "greater than 0"),
        ({"languages": ["tlh"]}, "does not speak 'tlh'; it speaks en, de, zh"),
        ({"survey": {"before": [{**QUESTION, "kind": "choice"}]}}, "two or more different options"),
        ({"survey": {"before": [{**QUESTION, "kind": "choice", "options": ["a", "a"]}]}}, "different options"),
        ({"survey": {"before": [{**QUESTION, "options": ["a", "b"]}]}}, "options has no meaning"),
        ({"survey": {"before": [{**QUESTION, "low": 1}]}}, "low has no meaning"),
        ({"survey": {"before": [{**QUESTION, "kind": "number", "low": 3, "high": 1}]}}, "is not below"),
        ({"survey": {"before": [{**QUESTION, "kind": "likert", "scale": {"step": 0.5}}]}}, "whole steps"),
        ({"survey": {"before": [{**QUESTION, "text": {"en": " "}}]}}, "the text is empty"),
        ({"survey": {"before": [{**QUESTION, "id": "1 2"}]}}, "pattern"),
        ({"survey": {"before": [QUESTION], "after": [QUESTION]}}, "two questions are called 'a'"),
        (
            {"survey": {"after": [{**QUESTION, "kind": "choice", "options": {"en": ["a", "b"], "de": ["c"]}}]}},
            "two or more",
        ),
        (
            {"survey": {"after": [{**QUESTION, "kind": "choice", "options": {"en": ["a", "b"], "de": list("cde")}}]}},
            "the same options",
        ),
    ],
)
def test_what_is_wrong_is_told(changes, told):
    with pytest.raises(ValidationError, match=told):
        plan(**changes)


def test_texts_in_the_readers_language_or_the_first():
    survey = Survey.model_validate(
        {
            "consent": {"de": "Wir fragen."},
            "before": [
                {
                    "id": "a",
                    "kind": "choice",
                    "text": {"en": "Which?", "de": "Welche?"},
                    "options": {"en": ["one", "two"], "de": ["eins", "zwei"]},
                }
            ],
        }
    )
    question = survey.before[0]
    assert (question.asked("de"), question.asked("zh")) == ("Welche?", "Which?")
    assert question.choices("de") == [("one", "eins"), ("two", "zwei")]
    assert question.choices("zh") == [("one", "one"), ("two", "two")]
    assert survey.said("en") == "Wir fragen."


def test_a_language_without_training_is_noted():
    from similitude.collect.annotation.plan.consistency import notes_on
    from similitude.collect.annotation.plan.work import Asked
    from similitude.collect.annotation.records import Question

    asked = [
        Asked(Question(key=f"{kind}{tag}", kind=kind, items=({"id": tag, "language": tag},)), "file")
        for kind, tags in {"work": ("de", "en"), "training": ("de",)}.items()
        for tag in tags
    ]
    notes = notes_on(plan(training={"questions": "t.jsonl"}), asked)
    assert "no training questions in 'en': people who read only that language get none" in notes
