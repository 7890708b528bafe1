"""Texts that an author deleted in the earlier study are deleted in the later one, where nobody has answered them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.plan.models import Follows
from similitude.collect.annotation.store.questions import CHUNK
from similitude.collect.annotation.store.stage_source import erased
from similitude.collect.annotation.store.tables import author, slot, stage_question, wording

__all__ = ["erase_texts"]


def erase_texts(connection: sa.Connection, source: sa.Connection, follows: Follows, now: datetime) -> int:
    """Delete the texts whose author deleted them and that nobody has answered; returns how many people hold still."""
    query = sa.select(stage_question.c.question_id, stage_question.c.source)
    rows = connection.execute(query.where(stage_question.c.state == "withdrawn")).all()
    left = erased(source, follows, [row.source for row in rows])
    ids = [row.question_id for row in rows if row.source in left]
    states = _slot_states(connection, ids)
    untouched = [each for each in ids if not states.get(each, set()) & {"held", "done"}]
    for question_id in untouched:
        _blank(connection, question_id)
    for chunk in _chunks(ids):
        connection.execute(sa.delete(author).where(author.c.question_id.in_(chunk)))
    for chunk in _chunks([each for each in ids if "held" not in states.get(each, set())]):
        done = sa.update(stage_question).where(stage_question.c.question_id.in_(chunk))
        connection.execute(done.values(state="erased", at=now))
    return sum("held" in states.get(each, set()) for each in ids)


def _slot_states(connection: sa.Connection, ids: Sequence[int]) -> dict[int, set[str]]:
    states: dict[int, set[str]] = {}
    for chunk in _chunks(ids):
        query = sa.select(slot.c.question_id, slot.c.state).where(slot.c.question_id.in_(chunk)).distinct()
        for question_id, state in connection.execute(query).all():
            states.setdefault(question_id, set()).add(state)
    return states


def _blank(connection: sa.Connection, question_id: int) -> None:
    mine = wording.c.question_id == question_id
    for row in connection.execute(sa.select(wording.c.version, wording.c.texts).where(mine)).all():
        texts = json.loads(json.dumps([{**item, "condition": ""} for item in row.texts]))
        connection.execute(sa.update(wording).where(mine, wording.c.version == row.version).values(texts=texts))


def _chunks(values: Sequence[int]) -> Iterator[Sequence[int]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
