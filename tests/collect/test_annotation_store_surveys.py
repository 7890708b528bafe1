"""Surveys in the store: append-only, apart from judgements, deleted with a withdrawal."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from similitude.collect.annotation.store import save_survey, survey_answers, survey_rows, survey_tally, withdraw
from similitude.collect.annotation.store.refusals import NotNow

SURVEY = {
    "before": [{"id": "age", "kind": "age", "text": "How old are you?"}],
    "after": [{"id": "job", "kind": "choices", "text": "Which?", "options": ["a", "b"]}],
}


def test_the_last_answer_counts_and_none_is_lost(lab: Any) -> None:
    lab.study(1, survey=SURVEY)
    who = lab.annotator()
    save_survey(lab.db, who, "before", {"age": "18-24"}, now=lab.now)
    save_survey(lab.db, who, "before", {"age": "18-24"}, now=lab.now)
    saved = save_survey(lab.db, who, "before", {"age": "25-34"}, now=lab.later(minutes=1))
    assert saved.survey_before == lab.now
    assert survey_answers(lab.db, who, "before") == {"age": "25-34"}
    assert [row["value"] for row in survey_rows(lab.db)] == ["25-34"]
    everything = [(row["value"], row["current"]) for row in survey_rows(lab.db, everything=True)]
    assert everything == [("18-24", False), ("25-34", True)], "the same answer again is not written again"


def test_an_answer_that_is_taken_back_counts_no_more(lab: Any) -> None:
    lab.study(1, survey=SURVEY)
    who = lab.annotator()
    save_survey(lab.db, who, "after", {"job": ["a", "b"]}, now=lab.now)
    assert survey_tally(lab.db) == {"job": {"a": 1, "b": 1}}
    save_survey(lab.db, who, "after", {"job": None}, now=lab.now)
    assert list(survey_rows(lab.db)) == []


def test_judgements_and_surveys_are_exported_apart(lab: Any) -> None:
    lab.study(1, survey=SURVEY)
    who = lab.annotator()
    save_survey(lab.db, who, "before", {"age": "65+"}, now=lab.now)
    lab.work_off(who)
    assert "65+" not in str(lab.rows(everything=True))
    assert "value" in next(survey_rows(lab.db))
    assert {"item", "batch", "position"}.isdisjoint(next(survey_rows(lab.db)))


def test_nobody_changes_what_was_said_and_withdrawal_deletes_it(lab: Any) -> None:
    lab.study(1, survey=SURVEY)
    who, other = lab.annotator(), lab.annotator()
    for each in (who, other):
        save_survey(lab.db, each, "before", {"age": "18-24"}, now=lab.now)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), lab.db.engine.begin() as connection:
        connection.execute(sa.text("UPDATE survey_answer SET part = 'after'"))
    withdraw(lab.db, who, now=lab.now)
    assert [row["annotator"] for row in survey_rows(lab.db, everything=True)] == [lab.pseudonym(other)]
    assert survey_answers(lab.db, who, "before") == {}
    with pytest.raises(NotNow):
        save_survey(lab.db, who, "before", {"age": "18-24"}, now=lab.now)


def test_no_survey_before_consent(lab: Any) -> None:
    lab.study(1, survey=SURVEY)
    with pytest.raises(NotNow):
        save_survey(lab.db, lab.annotator(agreed=False), "before", {"age": "18-24"}, now=lab.now)
