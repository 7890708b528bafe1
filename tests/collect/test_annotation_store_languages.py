"""Dealing by language: nobody gets what they do not read, and questions still get exactly their judgements."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store import (
    consent,
    enter_open,
    progress,
    put_study,
    question_languages,
    set_reads,
)
from similitude.collect.annotation.store.refusals import InvalidAnswer


def put(lab: Any, languages: dict[str, list[str | None]], **plan: Any) -> None:
    """A study whose questions of each kind are in these languages."""
    questions = tuple(
        Question(
            key=f"{kind}-{language or 'none'}-{number}",
            kind=kind,  # type: ignore[arg-type]
            items=(
                {"id": f"{kind}{number}", "left": "l", "right": "r", **({"language": language} if language else {})},
            ),
            expected=None if kind == "work" else {"value": 3.0},
        )
        for kind, tags in languages.items()
        for number, language in enumerate(tags)
    )
    whole = {"name": "study", "task": "rating", "judgements": 2, "access": {"open": True}, **plan}
    put_study(lab.db, Study(plan=StudyPlan.model_validate(whole), questions=questions), now=lab.now)


def reader(lab: Any, *languages: str) -> int:
    who = enter_open(lab.db, language="de", now=lab.now).annotator.id
    consent(lab.db, who, agreed=True, reads=languages or None, now=lab.now)
    return int(who)


def dealt(lab: Any, who: int) -> set[str]:
    """The languages of everything that somebody is dealt."""
    found = set()
    while (work := lab.work(who)).kind == "batch":
        found |= {question.key.split("-", 1)[1].rpartition("-")[0] for question in work.batch.questions}
        lab.answer_all(who, work.batch)
    return found


def test_people_get_the_languages_that_they_read(lab: Any) -> None:
    put(lab, {"work": ["de", "en", "ar-en", None, "de", "en"]}, judgements=3)
    assert question_languages(lab.db) == ["ar", "de", "en"]
    assert dealt(lab, reader(lab, "de")) == {"de", "none"}
    assert dealt(lab, reader(lab, "en", "ar")) == {"en", "ar-en", "none"}
    assert dealt(lab, reader(lab)) == {"de", "en", "ar-en", "none"}, "who was not asked gets everything"


def test_each_question_gets_exactly_its_judgements(lab: Any) -> None:
    put(lab, {"work": ["de", "en"] * 5}, judgements=2, batch={"questions": 3})
    for reads in (("de",), ("en",), ("de", "en"), ("de",), ("en",)):
        dealt(lab, reader(lab, *reads))
    given = Counter(row["question"] for row in lab.rows())
    assert set(given.values()) == {2}
    assert len(given) == 10


def test_those_without_work_in_their_languages_are_told_which_others_there_are(lab: Any) -> None:
    put(lab, {"work": ["de", "en", "en"]}, judgements=1)
    who = reader(lab, "de")
    dealt(lab, who)
    work = lab.work(who)
    assert (work.kind, work.elsewhere) == ("finished", ("en",))
    set_reads(lab.db, who, ["en", "de", "xx"], now=lab.now)
    assert dealt(lab, who) == {"en"}
    assert lab.work(who).elsewhere == ()
    with pytest.raises(InvalidAnswer):
        set_reads(lab.db, who, ["xx"], now=lab.now)


def test_what_others_hold_in_my_language_may_come_later(lab: Any) -> None:
    put(lab, {"work": ["de", "en"]}, judgements=1)
    holder, german, english = reader(lab, "de"), reader(lab, "de"), reader(lab, "en")
    lab.work(holder)
    assert lab.work(german).kind == "later"
    assert dealt(lab, english) == {"en"}
    assert lab.work(english).kind == "finished", "nobody holds anything that they could read"


def test_gold_and_repeats_are_in_the_same_languages(lab: Any) -> None:
    put(
        lab,
        {"work": ["de", "en"] * 6, "gold": ["de", "en"] * 4},
        batch={"questions": 6, "gold_share": 0.3, "repeat_share": 0.2},
        gold={"questions": "g", "stop_below": 0},
    )
    who = reader(lab, "de")
    assert dealt(lab, who) == {"de"}
    assert {row["purpose"] for row in lab.rows(everything=True)} == {"work", "gold", "repeat"}


def test_second_rounds_are_dealt_by_language_too(lab: Any) -> None:
    put(lab, {"work": ["de", "en"]}, judgements=2, second_round={"spread": 0.5, "judgements": 1})
    for value in (0, 5):
        who = reader(lab, "de", "en")
        lab.work_off(who, value)
    assert progress(lab.db, now=lab.now).second_round == 2
    assert dealt(lab, reader(lab, "en")) == {"en"}


def test_training_is_counted_in_the_languages_that_somebody_reads(lab: Any) -> None:
    training = {"questions": "t", "rounds": 2, "limit": 4}
    put(lab, {"work": ["de", "en"], "training": ["de", "de", "de", "en"]}, training=training)
    who = reader(lab, "de")
    for _ in range(2):
        work = lab.work(who)
        assert work.batch.purpose == "training"
        assert all("-de-" in question.key for question in work.batch.questions)
        lab.answer_all(who, work.batch)
    assert lab.work(who).batch.purpose == "work", "three German questions make two rounds of one"


def test_a_test_that_nobody_can_read_is_told_and_not_skipped(lab: Any) -> None:
    put(lab, {"work": ["de", "en"], "qualification": ["en"]}, qualification={"questions": "q"})
    who = reader(lab, "de")
    assert lab.work(who).kind == "unreadable"
    set_reads(lab.db, who, ["de", "en"], now=lab.now)
    assert lab.work(who).batch.purpose == "qualification"


def test_a_study_without_languages_is_dealt_as_before(lab: Any) -> None:
    put(lab, {"work": [None, None]})
    assert question_languages(lab.db) == []
    assert dealt(lab, reader(lab, "de")) == {"none"}


def test_a_corrected_language_counts_from_then_on(lab: Any) -> None:
    put(lab, {"work": ["en"]})
    german = reader(lab, "de")
    assert lab.work(german).kind == "finished"
    changed = Question(key="work-en-0", items=({"id": "work0", "left": "l", "right": "r", "language": "de"},))
    plan = StudyPlan.model_validate({"name": "study", "task": "rating", "access": {"open": True}})
    put_study(lab.db, Study(plan=plan, questions=(changed,)), now=lab.now)
    assert lab.work(german).kind == "batch"
