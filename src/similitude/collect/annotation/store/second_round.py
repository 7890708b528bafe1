"""The second round: more people answer questions that are listed or that the first round disagrees on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa

from similitude.collect.annotation.plan.models import SecondRound
from similitude.collect.annotation.store.questions import CHUNK, free_slot
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import annotator, answer, batch, question, slot

__all__ = ["catch_up", "open_second_rounds"]

T = TypeVar("T")


class _Asked(NamedTuple):
    """A question: its id, its place on the ring, its name."""

    id: int
    place: int
    key: str


def open_second_rounds(connection: sa.Connection, there: StudyRecord, batches: Sequence[int]) -> int:
    """Decide on the questions of batches that were just closed; returns how many were reopened.

    A question is decided once, when its last first-round judgement is in a closed batch. It is reopened for
    ``second_round.judgements`` more annotators if the spread of the first round is above ``second_round.spread`` or if
    ``second_round.items`` lists it; otherwise it is settled. Answers of excluded annotators do not count. With fewer
    than two answers left, a question that is not listed is settled.
    """
    if there.plan.second_round is None:
        return 0
    touched = sa.select(slot.c.question_id).where(
        slot.c.batch_id.in_(batches), slot.c.purpose == "work", slot.c.state.in_(["done", "skipped"])
    )
    return _decide(connection, there, _decidable(connection, question.c.id.in_(touched)))


def catch_up(connection: sa.Connection, there: StudyRecord) -> int:
    """Apply a changed plan to the questions; returns how many were reopened.

    Questions whose first round ended before the plan had a second are decided now. Settled questions that are now
    listed are reopened.
    """
    planned = there.plan.second_round
    if planned is None:
        return 0
    answered = sa.exists().where(
        slot.c.question_id == question.c.id, slot.c.purpose == "work", slot.c.round == "first", slot.c.state == "done"
    )
    waiting = sa.select(question.c.id).where(question.c.second_round == "undecided", ~question.c.retired, answered)
    ids = connection.execute(waiting.where(question.c.kind == "work").order_by(question.c.id)).scalars().all()
    opened = sum(_decide(connection, there, _decidable(connection, question.c.id.in_(chunk))) for chunk in _chunks(ids))
    columns = sa.select(question.c.id, question.c.place, question.c.key)
    settled = columns.where(question.c.second_round == "settled", ~question.c.retired).with_for_update()
    for chunk in _chunks(sorted(planned.listed)):
        listed = [_Asked(*row) for row in connection.execute(settled.where(question.c.key.in_(chunk))).all()]
        _settle(connection, listed, "opened")
        _ask_more(connection, planned, listed)
        opened += len(listed)
    return opened


def _decide(connection: sa.Connection, there: StudyRecord, questions: Sequence[_Asked]) -> int:
    planned = there.plan.second_round
    if planned is None or not questions:
        return 0
    spreads = _spreads(connection, there, questions)
    opened = [each for each in questions if _is_wanted(planned, each, spreads[each.id])]
    _settle(connection, [each for each in questions if each not in opened], "settled")
    _settle(connection, opened, "opened")
    _ask_more(connection, planned, opened)
    return len(opened)


def _is_wanted(planned: SecondRound, each: _Asked, spread: float) -> bool:
    return each.key in planned.listed or (planned.spread is not None and spread > planned.spread)


def _settle(connection: sa.Connection, questions: Sequence[_Asked], state: str) -> None:
    for chunk in _chunks([each.id for each in questions]):
        connection.execute(sa.update(question).where(question.c.id.in_(chunk)).values(second_round=state))


def _ask_more(connection: sa.Connection, planned: SecondRound, questions: Sequence[_Asked]) -> None:
    more = [free_slot(each.id, each.place, "second") for each in questions for _ in range(planned.judgements)]
    if more:
        connection.execute(sa.insert(slot), more)


def _decidable(connection: sa.Connection, among: sa.ColumnElement[bool]) -> list[_Asked]:
    """The undecided questions whose first round is completely in closed batches."""
    undecided = (
        sa.select(question.c.id, question.c.place, question.c.key)
        .where(among, question.c.second_round == "undecided")
        .order_by(question.c.id)
        .with_for_update()  # two that close a question's last two batches at once decide one after the other
    )
    candidates = [_Asked(*row) for row in connection.execute(undecided).all()]
    first = (slot.c.purpose == "work") & (slot.c.round == "first") & (slot.c.state != "void")
    still_open = (
        sa.select(slot.c.question_id)
        .join(batch, batch.c.id == slot.c.batch_id, isouter=True)
        .where(slot.c.question_id.in_([each.id for each in candidates]), first)
        .where(slot.c.state.not_in(["done", "skipped"]) | (batch.c.state == "open"))
    )
    waiting = set(connection.execute(still_open).scalars())
    return [each for each in candidates if each.id not in waiting]


def _spreads(connection: sa.Connection, there: StudyRecord, questions: Sequence[_Asked]) -> dict[int, float]:
    query = (
        sa.select(slot.c.question_id, answer.c.value)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .where(slot.c.question_id.in_([each.id for each in questions]))
        .where(slot.c.purpose == "work", slot.c.round == "first", annotator.c.state != "excluded")
    )
    given: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query).all():
        given[row.question_id].append(row.value)
    return {each.id: there.task.spread(given[each.id]) for each in questions}


def _chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
