"""Summaries of questions: their number of answers, disagreement and state, which lists are sorted and filtered by.

Saving an answer does not wait for its summary: a trigger notes the question in ``summary_queue``, and `refresh` works
the queue off, some questions at a time. What a refresh read and what it writes are one: rows of the queue that somebody
else has worked off meanwhile undo it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from similitude.collect.annotation.answer_records import QuestionState
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.search_words import index_words
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import (
    EPOCH,
    annotator,
    answer,
    decision,
    question,
    question_summary,
    question_words,
    slot,
    summary_queue,
    wording,
)

__all__ = ["UNDEFINED", "counting_answers", "question_state", "queued", "refresh", "stale"]

CHUNK = 200
"""Questions summarised at once: a few milliseconds in which nobody else can write to SQLite."""
MOST_NOTES = 200_000
"""Notes read at once; those of one question are worked off together."""
MOST_COUNTED = 1000
"""More notes are not counted, which would take longer than a page should."""
LIST = 5000
"""Numbers in one list of a statement."""
UNDEFINED = -1.0
"""The disagreement of a question with fewer than two answers, or of a task that cannot compare them."""


class _Due(NamedTuple):
    """The rows that are due for some questions."""

    summaries: list[dict[str, Any]]
    words: list[dict[str, Any]]


def stale(db: Database) -> int:
    """How many notes the queue has, up to `MOST_COUNTED`."""
    with reading(db) as connection:
        return queued(connection)


def queued(connection: sa.Connection) -> int:
    """The same in an open transaction."""
    some = sa.select(summary_queue.c.id).limit(MOST_COUNTED).subquery()
    return int(connection.execute(sa.select(sa.func.count()).select_from(some)).scalar_one())


def refresh(db: Database, *, chunk: int = CHUNK) -> int:
    """Work off the notes that the queue has now, some questions at a time; returns how many. 0: all is up to date."""
    noted = _noted(db)
    questions = list(noted)
    for start in range(0, len(questions), chunk):
        _refresh_some(db, {each: noted[each] for each in questions[start : start + chunk]})
    return sum(map(len, noted.values()))


def _noted(db: Database) -> dict[int, list[int]]:
    """The oldest notes of the queue, by question."""
    found: dict[int, list[int]] = defaultdict(list)
    with reading(db) as connection:
        for row in connection.execute(sa.select(summary_queue).order_by(summary_queue.c.id).limit(MOST_NOTES)):
            found[row.question_id].append(row.id)
    return found


def _refresh_some(db: Database, noted: Mapping[int, Sequence[int]]) -> None:
    with reading(db) as connection:
        due = _due(connection, study_in(db, connection), sorted(noted))
    notes = [note for those in noted.values() for note in those]
    with writing(db) as connection:
        if _deleted(connection, notes) == len(notes):
            _put(connection, question_summary, due.summaries)
            _put(connection, question_words, due.words)
        else:  # somebody else was here: what we read may be older than what they wrote
            connection.execute(sa.insert(summary_queue), [{"question_id": number} for number in noted])


def _deleted(connection: sa.Connection, notes: Sequence[int]) -> int:
    parts = (notes[start : start + LIST] for start in range(0, len(notes), LIST))
    return sum(
        connection.execute(sa.delete(summary_queue).where(summary_queue.c.id.in_(part))).rowcount for part in parts
    )


def _due(connection: sa.Connection, there: StudyRecord, ids: Sequence[int]) -> _Due:
    known = sa.select(question, question_summary.c.version.label("summarised"))
    known = known.join(question_summary, question_summary.c.question_id == question.c.id, isouter=True)
    asked = connection.execute(known.where(question.c.id.in_(ids))).all()
    texts = _texts(connection, ids)
    given, wanting, decided = counting_answers(connection, ids), _wanting(connection, ids), _decided(connection, ids)
    summaries = [
        _summary(there, row, texts[row.id], given[row.id], row.id in wanting, row.id in decided) for row in asked
    ]
    words = [
        {"question_id": row.id, "words": index_words(row.key, texts[row.id])}
        for row in asked
        if row.summarised != row.version
    ]
    return _Due(summaries, words)


def _summary(
    there: StudyRecord, row: Any, items: Sequence[Mapping[str, Any]], given: Sequence[Any], wanting: bool, decided: bool
) -> dict[str, Any]:
    spread = there.task.spread([each.value for each in given])
    return {
        "question_id": row.id,
        "version": row.version,
        "answers": len(given),
        "kind": row.kind,
        "state": question_state(row, wanting=wanting),
        "language": items[0].get("language"),
        "item_group": items[0].get("group"),
        "disagreement": UNDEFINED if math.isnan(spread) else spread,
        "last_at": max((each.at for each in given), default=EPOCH),
        "decided": decided,
    }


def question_state(row: Any, *, wanting: bool) -> QuestionState:
    """The state of a question; ``wanting``: it has slots without an answer."""
    if row.retired:
        return "retired"
    if not wanting:
        return "complete"
    return "second" if row.second_round == "opened" else "open"


def _texts(connection: sa.Connection, ids: Sequence[int]) -> dict[int, Any]:
    same = (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version)
    query = sa.select(question.c.id, wording.c.texts).join(wording, same).where(question.c.id.in_(ids))
    return {row.id: row.texts for row in connection.execute(query)}


def counting_answers(connection: sa.Connection, ids: Sequence[int]) -> dict[int, list[Any]]:
    """The answers that count, by question: the last of everybody who is not excluded, without repeats and previews."""
    query = (
        sa.select(slot.c.question_id, answer.c.value, answer.c.at)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .join(question, question.c.id == slot.c.question_id)
        .where(slot.c.question_id.in_(ids), slot.c.purpose == question.c.kind)
        .where(annotator.c.state != "excluded", annotator.c.source != "preview")
        .order_by(answer.c.id)
    )
    found: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.question_id].append(row)
    return found


def _wanting(connection: sa.Connection, ids: Sequence[int]) -> set[int]:
    open_ones = (slot.c.purpose == "work") & slot.c.state.in_(["free", "held"])
    query = sa.select(slot.c.question_id).where(slot.c.question_id.in_(ids), open_ones).distinct()
    return set(connection.execute(query).scalars())


def _decided(connection: sa.Connection, ids: Sequence[int]) -> set[int]:
    last = sa.select(sa.func.max(decision.c.id)).where(decision.c.question_id.in_(ids)).group_by(decision.c.question_id)
    query = sa.select(decision).where(decision.c.id.in_(last))
    return {row.question_id for row in connection.execute(query) if row.value is not None}


def _put(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or replace those with the same key."""
    if not rows:
        return
    insert: Any = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    made = insert(table)
    changed = {column.name: made.excluded[column.name] for column in table.columns if not column.primary_key}
    connection.execute(made.on_conflict_do_update(index_elements=["question_id"], set_=changed), list(rows))
