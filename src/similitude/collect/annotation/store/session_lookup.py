"""The annotator of a session and the study, by one statement."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.annotators import of_row
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.passwords import hashed
from similitude.collect.annotation.store.study_record import FACTS, StudyRecord, study_in, study_of
from similitude.collect.annotation.store.tables import annotator, study

__all__ = ["AtWork", "at_work", "at_work_in"]

_BY_SESSION = (
    sa.select(annotator, *FACTS)
    .join(study, sa.true())  # there is one study in a database
    .where(annotator.c.session_hash == sa.bindparam("session"))
)
_BY_SESSION_LOCKED = _BY_SESSION.with_for_update(of=annotator)


class AtWork(NamedTuple):
    """The study, and the annotator whose session it is; None if the session is unknown or over."""

    study: StudyRecord
    annotator: Annotator | None


def at_work(db: Database, session: str) -> AtWork:
    """The study and the annotator of a session.

    Raises:
        NotThere: the database is empty.
    """
    with reading(db) as connection:
        return at_work_in(db, connection, session)


def at_work_in(db: Database, connection: sa.Connection, session: str, *, lock: bool = False) -> AtWork:
    """As `at_work`, in an open transaction. ``lock`` keeps others from changing the annotator until it ends."""
    query = _BY_SESSION_LOCKED if lock else _BY_SESSION
    row = connection.execute(query, {"session": hashed(session)}).one_or_none() if session else None
    if row is None:
        return AtWork(study_in(db, connection), None)
    return AtWork(study_of(db, connection, row), of_row(row))
