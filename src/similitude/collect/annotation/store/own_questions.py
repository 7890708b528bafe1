"""Never one's own: nobody judges what they wrote or had part in, in whichever study and under whichever name."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.batch_expiry import close_batches, open_batch_of
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import annotator_person, author, slot, stage

__all__ = ["give_back_own", "more_may_come", "wrote_it"]


def wrote_it(annotator_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Whether an annotator is one of the authors of the question of a slot."""
    return sa.exists().where(
        author.c.question_id == slot.c.question_id,
        author.c.person == annotator_person.c.person,
        annotator_person.c.annotator_id == annotator_id,
    )


def give_back_own(connection: sa.Connection, there: StudyRecord, annotator_id: int) -> bool:
    """Close the batch of an annotator who turns out to be an author of a question in it; returns whether."""
    held = open_batch_of(connection, annotator_id)
    if held is None:
        return False
    mine = wrote_it(sa.literal(annotator_id))
    own = sa.select(slot.c.id).where(slot.c.batch_id == held, slot.c.state == "held", mine)
    if connection.execute(own.limit(1)).first() is None:
        return False
    close_batches(connection, there, [held])
    return True


def more_may_come(connection: sa.Connection, there: StudyRecord) -> bool:
    """Whether the study follows one that may still give questions."""
    if there.plan.follows is None:
        return False
    state = connection.execute(sa.select(stage.c.state)).scalar_one_or_none()
    return state not in ENDED
