"""What an earlier study gives to the study that follows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan.models import Follows
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store.questions import CHUNK
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import (
    annotator,
    annotator_person,
    answer,
    audit,
    author,
    batch,
    question,
    slot,
    study,
    wording,
)

__all__ = ["Taken", "authors_of", "erased", "final_results", "mark_of", "taken_questions"]

FIELDS = ("alike", "differ")
CARRIED = ("left", "right", "context", "language", "domain", "split")
"""The columns of a pair that its conditions inherit."""
GONE = ("excluded", "withdrawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A result of the earlier study: its number there, its questions here, and the persons who had part in it."""

    source: int
    questions: tuple[Question, ...]
    persons: frozenset[str]


def mark_of(connection: sa.Connection) -> str:
    """A text that changes whenever the results of a study may have changed; cheap, whatever the size of the study.

    It tells closed batches, late answers, exclusions and withdrawals (which are logged), and people who became known
    by another name. Nothing reopens a batch, so the newest batch and the number of open ones tell every closing.
    """
    known = sa.func.count() - sa.func.count(sa.distinct(annotator_person.c.annotator_id))
    parts = (
        sa.select(study.c.state),
        sa.select(study.c.version),
        sa.select(sa.func.max(batch.c.id)),
        sa.select(sa.func.count()).select_from(batch).where(batch.c.state == "open"),
        sa.select(sa.func.max(answer.c.id)),
        sa.select(sa.func.max(audit.c.id)),
        sa.select(known),
    )
    return " ".join(str(connection.execute(part).scalar()) for part in parts)


def final_results(
    connection: sa.Connection, there: StudyRecord, follows: Follows, among: Sequence[int] | None = None
) -> set[int]:
    """The numbers of the results that are final: answers for written conditions, questions for judged items.

    ``among`` looks at these alone.
    """
    found: set[int] = set()
    for chunk in [None] if among is None else _chunks(among):
        if follows.takes == "conditions":
            query = _final_answers() if chunk is None else _final_answers().where(answer.c.id.in_(chunk))
            found.update(connection.execute(query).scalars())
        else:
            found.update(_judged(connection, there, follows, chunk))
    return found


def taken_questions(
    connection: sa.Connection, there: StudyRecord, follows: Follows, sources: Sequence[int]
) -> list[Taken]:
    """These results as questions for the study that follows."""
    make = _written if follows.takes == "conditions" else _items
    people = authors_of(connection, follows, sources)
    made: list[Taken] = []
    for chunk in _chunks(sorted(sources)):
        for source, questions in make(connection, there, chunk).items():
            made.append(Taken(source=source, questions=questions, persons=frozenset(people.get(source, ()))))
    return made


def authors_of(connection: sa.Connection, follows: Follows, sources: Sequence[int]) -> dict[int, set[str]]:
    """The persons who had part in each result: who wrote a condition; who judged an item, and who wrote it before."""
    column = answer.c.id if follows.takes == "conditions" else answer.c.question_id
    people: dict[int, set[str]] = defaultdict(set)
    for chunk in _chunks(sorted(sources)):
        query = (
            sa.select(column, annotator_person.c.person)
            .select_from(answer)
            .join(annotator_person, annotator_person.c.annotator_id == answer.c.annotator_id)
            .where(column.in_(chunk))
        )
        rows = list(connection.execute(query).all())
        if follows.takes != "conditions":
            before = sa.select(author.c.question_id, author.c.person).where(author.c.question_id.in_(chunk))
            rows += connection.execute(before).all()
        for source, person in rows:
            people[source].add(person)
    return people


def erased(connection: sa.Connection, follows: Follows, sources: Sequence[int]) -> set[int]:
    """Those of these results whose author deleted their data."""
    if follows.takes != "conditions":
        return set()
    query = sa.select(answer.c.id).where(answer.c.withdrawn)
    return {
        found
        for chunk in _chunks(sorted(sources))
        for found in connection.execute(query.where(answer.c.id.in_(chunk))).scalars()
    }


def _final_answers() -> sa.Select[Any]:
    """The last answers to work questions in closed batches, which nobody can change any more."""
    return (
        sa.select(answer.c.id)
        .select_from(slot)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(batch, batch.c.id == slot.c.batch_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .where(slot.c.purpose == "work", slot.c.state == "done", batch.c.state != "open", ~answer.c.withdrawn)
        .where(annotator.c.state.not_in(GONE))
    )


def _judged(
    connection: sa.Connection, there: StudyRecord, follows: Follows, among: Sequence[int] | None
) -> Iterator[int]:
    """Questions that have all their judgements and are accepted or contentious."""
    work = (slot.c.purpose == "work") & (slot.c.state != "void")
    if among is not None:
        work &= slot.c.question_id.in_(among)
    unfinished = (
        sa.select(slot.c.question_id)
        .join(batch, batch.c.id == slot.c.batch_id, isouter=True)
        .where(work, (slot.c.state != "done") | (batch.c.state == "open"))
    )
    query = (
        sa.select(slot.c.question_id, answer.c.value)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .join(question, question.c.id == slot.c.question_id)
        .where(work, ~question.c.retired, annotator.c.state.not_in(GONE))
    )
    waiting = set(connection.execute(unfinished).scalars())
    given: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        if row.question_id not in waiting:
            given[row.question_id].append(row.value)
    for question_id, values in given.items():
        is_taken = is_accepted(values) if follows.takes == "accepted" else there.task.spread(values) > follows.spread
        if is_taken:
            yield question_id


def is_accepted(values: Sequence[Mapping[str, Any]]) -> bool:
    """Whether no more than half of these answers say that the condition does not apply.

    >>> is_accepted([{"applies": True}, {"applies": False}]), is_accepted([{"applies": False}])
    (True, False)
    """
    return 2 * sum(not value["applies"] for value in values) <= len(values)


def _written(connection: sa.Connection, there: StudyRecord, ids: Sequence[int]) -> dict[int, tuple[Question, ...]]:
    same = (wording.c.question_id == answer.c.question_id) & (wording.c.version == answer.c.version)
    query = sa.select(answer.c.id, answer.c.value, wording.c.texts).join(wording, same).where(answer.c.id.in_(ids))
    rows = connection.execute(query.order_by(answer.c.id)).all()
    return {row.id: _two_questions(row.id, row.texts[0], row.value) for row in rows}


def _two_questions(number: int, pair: Mapping[str, Any], value: Mapping[str, Any]) -> tuple[Question, ...]:
    """The two conditions of one answer, each an item named after the pair and the answer."""
    group = pair.get("group") or pair["id"]
    shared = {name: pair[name] for name in CARRIED if pair.get(name) is not None} | {"group": group}
    items = [
        {"id": f"{group}.{number}.{field}", **shared, "condition": value[field], "kind": field} for field in FIELDS
    ]
    return tuple(Question(key=str(item["id"]), items=(item,)) for item in items)


def _items(connection: sa.Connection, there: StudyRecord, ids: Sequence[int]) -> dict[int, tuple[Question, ...]]:
    same = (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version)
    query = sa.select(question.c.id, wording.c.texts).join(wording, same).where(question.c.id.in_(ids))
    rows = connection.execute(query.order_by(question.c.id)).all()
    return {row.id: (Question(key=row.texts[0]["id"], items=(row.texts[0],)),) for row in rows}


def _chunks(values: Sequence[int]) -> Iterator[Sequence[int]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
