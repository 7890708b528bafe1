"""Comments on questions, and the leader's list of skips and comments."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, Entry, Problem, Skipped
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.tables import annotator, answer, question, skip, slot, survey_answer
from similitude.collect.annotation.tasks.form_values import clean, has_bad_characters

__all__ = [
    "LONGEST_COMMENT",
    "Remark",
    "SkippedQuestion",
    "comment_problem",
    "forget_remarks",
    "kept_comment",
    "reasons_in",
    "remarks",
    "skipped_questions",
]

LONGEST_COMMENT = 1000
_REASONS = (
    sa.select(slot.c.position, skip.c.reason, skip.c.note)
    .join(skip, skip.c.slot_id == slot.c.id)
    .where(slot.c.batch_id == sa.bindparam("held"), slot.c.state == "skipped")
    .order_by(skip.c.id)
)


def kept_comment(written: str) -> str | None:
    """A comment as it is kept; None for an empty one."""
    return clean(written) or None


def comment_problem(entry: Entry) -> Problem | None:
    """What is wrong with the comment of a form, if anything."""
    text = clean(entry.comment)
    if len(text) > LONGEST_COMMENT:
        return Problem("comment", "too_long", {"limit": LONGEST_COMMENT}, entry.position)
    return Problem("comment", "bad_characters", {}, entry.position) if has_bad_characters(text) else None


def reasons_in(connection: sa.Connection, batch_id: int) -> dict[int, Skipped]:
    """Why the skipped questions of a batch were skipped, by position."""
    rows = connection.execute(_REASONS, {"held": batch_id}).all()
    return {row.position: Skipped(row.reason, row.note or "") for row in rows}


def forget_remarks(connection: sa.Connection, who: Annotator) -> None:
    """Delete what a person wrote beside their answers: notes on skips, the survey, and the languages they read."""
    blank = {"note": None, "seconds": None, "withdrawn": True}
    connection.execute(sa.update(skip).where(skip.c.annotator_id == who.id).values(blank))
    mine = survey_answer.c.annotator_id == who.id
    connection.execute(sa.update(survey_answer).where(mine).values(value=None, withdrawn=True))
    nothing = dict.fromkeys(("reads", "survey_before", "survey_after"))
    connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(nothing))


class Remark(NamedTuple):
    """A comment on a question."""

    question: str
    annotator: str
    comment: str


class SkippedQuestion(NamedTuple):
    """How often a question was skipped, by reason, and what people wrote about it."""

    question: str
    reasons: dict[str, int]
    notes: tuple[str, ...]

    @property
    def times(self) -> int:
        """How often it was skipped."""
        return sum(self.reasons.values())


def remarks(db: Database, *, most: int = 500) -> list[Remark]:
    """The comments on answers that count, newest first, without previews."""
    query = (
        sa.select(question.c.key, annotator.c.pseudonym, answer.c.comment)
        .select_from(answer)
        .join(slot, slot.c.answer_id == answer.c.id)
        .join(question, question.c.id == answer.c.question_id)
        .join(annotator, annotator.c.id == answer.c.annotator_id)
        .where(answer.c.comment.is_not(None), annotator.c.source != "preview")
        .order_by(answer.c.id.desc())
        .limit(most)
    )
    with reading(db) as connection:
        return [Remark(*row) for row in connection.execute(query).all()]


def skipped_questions(db: Database) -> list[SkippedQuestion]:
    """The skipped questions, those skipped most often first, without previews."""
    last = sa.select(sa.func.max(skip.c.id)).group_by(skip.c.slot_id)
    query = (
        sa.select(question.c.key, skip.c.reason, skip.c.note)
        .select_from(skip)
        .join(slot, slot.c.id == skip.c.slot_id)
        .join(question, question.c.id == skip.c.question_id)
        .join(annotator, annotator.c.id == skip.c.annotator_id)
        .where(skip.c.id.in_(last), slot.c.state == "skipped", annotator.c.source != "preview")
        .order_by(skip.c.id)
    )
    found: dict[str, SkippedQuestion] = {}
    with reading(db) as connection:
        for key, reason, note in connection.execute(query).all():
            before = found.get(key, SkippedQuestion(key, {}, ()))
            reasons = {**before.reasons, reason: before.reasons.get(reason, 0) + 1}
            found[key] = SkippedQuestion(key, reasons, (*before.notes, *([note] if note else [])))
    return sorted(found.values(), key=lambda each: -each.times)
