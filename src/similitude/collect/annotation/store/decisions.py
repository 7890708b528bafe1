"""Leaders' decisions: judgements of their own, beside people's answers and never in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.answer_records import Decision
from similitude.collect.annotation.records import Problem
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.refusals import Conflict, InvalidAnswer, NotThere
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import decision, question, wording
from similitude.data.judgements import ADJUDICATION

__all__ = [
    "decide",
    "decision_rows",
    "decisions_of",
    "has_decisions",
    "holding_decisions",
    "take_back_decision",
    "write_decisions",
]

LONGEST_REASON = 2000


def decide(db: Database, number: int, form: Mapping[str, str], *, reason: str, now: datetime, by: str) -> Decision:
    """Decide a question: a form as annotators send it, and why. Answers stay as they are.

    Raises:
        NotThere: there is no such question.
        InvalidAnswer: the form is not a valid answer, or there is no reason.
    """
    with writing(db) as connection:
        there = study_in(db, connection)
        asked = _asked(connection, number)
        value, problems = there.task.read(asked.texts, form)
        found = [*problems, *_reason_problems(reason)]
        if found or value is None:
            raise InvalidAnswer(found)
        return _append(connection, asked, dict(value), reason, now, by)


def take_back_decision(db: Database, number: int, *, reason: str, now: datetime, by: str) -> Decision:
    """Take back the decision that holds, with a reason; both stay in the history.

    Raises:
        NotThere: there is no such question.
        InvalidAnswer: there is no reason.
        Conflict: no decision holds.
    """
    with writing(db) as connection:
        asked = _asked(connection, number)
        if _reason_problems(reason):
            raise InvalidAnswer(_reason_problems(reason))
        if number not in holding_decisions(connection, [number]):
            raise Conflict("not_decided", f"question '{asked.key}' is not decided")
        return _append(connection, asked, None, reason, now, by)


def _asked(connection: sa.Connection, number: int) -> Any:
    same = (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version)
    query = sa.select(question.c.id, question.c.key, question.c.version, wording.c.texts).join(wording, same)
    # Two leaders who decide at once decide one after the other.
    row = connection.execute(query.where(question.c.id == number).with_for_update(of=question)).one_or_none()
    if row is None:
        raise NotThere("no_question", f"no question {number}")
    return row


def _reason_problems(reason: str) -> list[Problem]:
    if not reason.strip():
        return [Problem("reason", "missing")]
    return [Problem("reason", "too_long", {"limit": LONGEST_REASON})] if len(reason) > LONGEST_REASON else []


def _append(
    connection: sa.Connection, asked: Any, value: dict[str, Any] | None, reason: str, now: datetime, by: str
) -> Decision:
    made = Decision(value, reason.strip(), by, now, asked.version)
    connection.execute(sa.insert(decision).values({"question_id": asked.id, **made._asdict()}))
    what = "decided" if value is not None else "decision_taken_back"
    record(connection, what, now=now, by=by, subject=asked.key, detail={"reason": made.reason})
    return made


def _decision(row: Any) -> Decision:
    return Decision(row.value, row.reason, row.by, row.at, row.version)


def decisions_of(connection: sa.Connection, number: int) -> tuple[Decision, ...]:
    """The decisions on a question, oldest first."""
    query = sa.select(decision).where(decision.c.question_id == number).order_by(decision.c.id)
    return tuple(_decision(row) for row in connection.execute(query))


def holding_decisions(connection: sa.Connection, numbers: Sequence[int]) -> dict[int, Decision]:
    """The decision that holds on each of these questions, where there is one."""
    query = sa.select(decision).where(decision.c.question_id.in_(numbers)).order_by(decision.c.id)
    last = {row.question_id: _decision(row) for row in connection.execute(query)}
    return {number: made for number, made in last.items() if made.value is not None}


def has_decisions(connection: sa.Connection) -> bool:
    """Whether a leader ever decided."""
    return connection.execute(sa.select(decision.c.id).limit(1)).first() is not None


def decision_rows(
    connection: sa.Connection, there: StudyRecord, facts: Mapping[str, str], *, everything: bool
) -> Iterator[dict[str, Any]]:
    """Decisions as rows of an export, marked by their round and purpose: those that hold, or the whole history.

    A decision that takes another back has no value, so it is only in the log; those before it are not ``current``.
    """
    same = (wording.c.question_id == decision.c.question_id) & (wording.c.version == decision.c.version)
    query = (
        sa.select(decision, question.c.key, wording.c.texts)
        .join(question, question.c.id == decision.c.question_id)
        .join(wording, same)
        .order_by(decision.c.id)
    )
    rows = connection.execute(query).all()
    last = {row.question_id: row.id for row in rows}
    for row in rows:
        current = row.id == last[row.question_id]
        if row.value is not None and (current or everything):
            yield {
                "question": row.key,
                "annotator": f"leader:{row.by}",
                "round": ADJUDICATION,
                "seconds": None,
                **there.task.row(row.texts, row.value),
                "at": row.at.astimezone(UTC).isoformat(),
                "question_version": row.version,
                "purpose": ADJUDICATION,
                "batch": None,
                "position": None,
                **({"shown": None} if there.task.choice_fields else {}),
                "current": current,
                "excluded": False,
                "stopped": False,
                "comment": None,
                **facts,
                "reason": row.reason,
            }


def write_decisions(connection: sa.Connection, rows: Sequence[Mapping[str, Any]], *, now: datetime, by: str) -> None:
    """Write imported decisions: rows with the columns of the table, and ``current``.

    Exports have no rows for decisions that take another back, so one is added where the last is not current.
    """
    made = [{name: value for name, value in row.items() if name != "current"} for row in rows]
    last = {row["question_id"]: row for row in rows}
    void = {"value": None, "reason": "imported", "by": by, "at": now}
    made += [
        {"question_id": number, "version": row["version"], **void} for number, row in last.items() if not row["current"]
    ]
    if made:
        connection.execute(sa.insert(decision), made)
