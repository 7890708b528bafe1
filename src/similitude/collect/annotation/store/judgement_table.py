"""The answers that count as one table of judgements, for the functions of `similitude reliability`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
import sqlalchemy as sa
from numpy.typing import NDArray

from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, question, slot, wording
from similitude.data.judgements import Judgements
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale

__all__ = ["TimedJudgements", "item_table", "judgements", "rated_scale", "timed_judgements"]

CHUNK = 5000


class TimedJudgements(NamedTuple):
    """Judgements in the order of time, with the moment of each (microseconds since 1970) and its number."""

    judgements: Judgements
    moments: NDArray[np.int64]
    numbers: NDArray[np.int64]


def judgements(db: Database) -> Judgements | None:
    """The answers that count so far, without leaders' decisions.

    None if there are none yet, or if there are no figures of agreement for the task.
    """
    timed = timed_judgements(db)
    return None if timed is None else timed.judgements


def timed_judgements(db: Database) -> TimedJudgements | None:
    """The same with their times."""
    with reading(db) as connection:
        there = study_in(db, connection)
        if there.task.judgement_kind is None:
            return None
        rows, moments, numbers = _rows(connection, there)
        items = item_table(connection)
    if not rows:
        return None
    made = Judgements(
        name=there.plan.name,
        frame=pl.DataFrame(rows, infer_schema_length=None),
        scale=rated_scale(there),
        items=items,
        provenance=Provenance(judged_by="annotators"),
    )
    return TimedJudgements(made, np.array(moments, dtype=np.int64), np.array(numbers, dtype=np.int64))


def _rows(connection: sa.Connection, there: StudyRecord) -> tuple[list[dict[str, Any]], list[int], list[int]]:
    query = (
        sa.select(answer.c.id, answer.c.question_id, answer.c.version, answer.c.value, answer.c.seconds, slot.c.round)
        .add_columns(question.c.key, annotator.c.pseudonym, sa.type_coerce(answer.c.at, sa.BigInteger()).label("at"))
        .select_from(answer)
        .join(slot, slot.c.id == answer.c.slot_id)
        .join(question, question.c.id == answer.c.question_id)
        .join(annotator, annotator.c.id == answer.c.annotator_id)
        .where(slot.c.answer_id == answer.c.id, slot.c.purpose == "work", slot.c.annotator_id == answer.c.annotator_id)
        .where(annotator.c.state != "excluded", annotator.c.source != "preview", ~answer.c.withdrawn)
        .order_by(answer.c.id)
    )
    texts = _texts(connection)
    rows, moments, numbers = [], [], []
    for row in connection.execute(query.execution_options(yield_per=CHUNK)):
        worded = texts.get((row.question_id, row.version)) or texts[row.question_id, 1]
        asked = {"question": row.key, "annotator": row.pseudonym, "round": row.round, "seconds": row.seconds}
        rows.append({**asked, **there.task.row(worded, row.value)})
        moments.append(row.at)
        numbers.append(row.id)
    return rows, moments, numbers


def _texts(connection: sa.Connection) -> dict[tuple[int, int], Any]:
    """The items of every wording of questions that are work."""
    query = sa.select(wording.c.question_id, wording.c.version, wording.c.texts)
    query = query.join(question, question.c.id == wording.c.question_id).where(question.c.kind == "work")
    found = connection.execute(query.execution_options(yield_per=CHUNK))
    return {(row.question_id, row.version): row.texts for row in found}


def rated_scale(there: StudyRecord) -> Scale | None:
    """The scale of a study's ratings."""
    ends = there.task.scale
    return None if ends is None else Scale(low=ends.low, high=ends.high)


def item_table(connection: sa.Connection) -> pl.DataFrame:
    """The items of all work questions as they are asked now."""
    same = (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version)
    query = sa.select(wording.c.texts).join(question, same).where(question.c.kind == "work").order_by(question.c.id)
    unique = {item["id"]: item for row in connection.execute(query).scalars() for item in row}
    return pl.DataFrame(list(unique.values()), infer_schema_length=None)
