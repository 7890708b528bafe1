"""The second round: questions on which the first raters lie far apart are put to more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.questions import free_slot
from similitude.collect.annotation.store.studies import StudyRecord
from similitude.collect.annotation.store.tables import annotator, answer, batch, question, slot

__all__ = ["open_second_rounds"]


def open_second_rounds(connection: sa.Connection, there: StudyRecord, batches: Sequence[int]) -> int:
    """Decide on the questions of batches that were just closed; how many were reopened.

    A question is decided once, when its last first-round judgement is in a closed batch: it is reopened for
    ``second_round.judgements`` more raters where the spread of the first round is above ``second_round.spread``, and
    settled otherwise. Answers of excluded annotators do not count; with fewer than two left it is settled.
    """
    planned = there.plan.second_round
    if planned is None:
        return 0
    spreads = _spreads(connection, there, _decidable(connection, batches))
    opened = {row: spread > planned.spread for row, spread in spreads.items()}
    for row, opens in opened.items():
        state = "opened" if opens else "settled"
        connection.execute(sa.update(question).where(question.c.id == row[0]).values(second_round=state))
    more = [
        free_slot(question_id, place, "second")
        for (question_id, place), opens in opened.items()
        for _ in range(planned.judgements if opens else 0)
    ]
    if more:
        connection.execute(sa.insert(slot), more)
    return sum(opened.values())


def _decidable(connection: sa.Connection, batches: Sequence[int]) -> list[tuple[int, int]]:
    """Undecided questions answered in these batches whose first round is all in closed batches."""
    touched = sa.select(slot.c.question_id).where(
        slot.c.batch_id.in_(batches), slot.c.purpose == "work", slot.c.state == "done"
    )
    undecided = (
        sa.select(question.c.id, question.c.place)
        .where(question.c.id.in_(touched), question.c.second_round == "undecided")
        .order_by(question.c.id)
        .with_for_update()  # two that close a question's last two batches at once decide one after the other
    )
    candidates = connection.execute(undecided).all()
    first = (slot.c.purpose == "work") & (slot.c.round == "first") & (slot.c.state != "void")
    still_open = (
        sa.select(slot.c.question_id)
        .join(batch, batch.c.id == slot.c.batch_id, isouter=True)
        .where(slot.c.question_id.in_([row.id for row in candidates]), first)
        .where((slot.c.state != "done") | (batch.c.state == "open"))
    )
    waiting = set(connection.execute(still_open).scalars())
    return [(row.id, row.place) for row in candidates if row.id not in waiting]


def _spreads(
    connection: sa.Connection, there: StudyRecord, questions: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    if not questions:
        return {}
    query = (
        sa.select(slot.c.question_id, answer.c.value)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .where(slot.c.question_id.in_([question_id for question_id, _ in questions]))
        .where(slot.c.purpose == "work", slot.c.round == "first", annotator.c.state != "excluded")
    )
    given: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query).all():
        given[row.question_id].append(row.value)
    return {each: there.task.spread(given[each[0]]) for each in questions}
