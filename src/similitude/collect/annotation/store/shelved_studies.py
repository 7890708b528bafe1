"""What the console knows of each study's files: which state of them was read, and what was wrong with it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.tables import shelved_study

__all__ = ["FileReading", "note_reading", "read_files"]


class FileReading(NamedTuple):
    """The state of the files that was read last, and what was wrong with them; ``problem`` is empty if nothing was."""

    stamp: str
    problem: str
    at: datetime


def read_files(console: Database, slug: str) -> FileReading | None:
    """What was read last of a study's files; None if they were never read."""
    query = sa.select(shelved_study.c.stamp, shelved_study.c.problem, shelved_study.c.at)
    with reading(console) as connection:
        row = connection.execute(query.where(shelved_study.c.slug == slug)).one_or_none()
    return None if row is None else FileReading(*row)


def note_reading(console: Database, slug: str, stamp: str, problem: str, *, now: datetime) -> None:
    """Remember which state of the files was read, and what was wrong with it."""
    with writing(console) as connection:
        mine = shelved_study.c.slug == slug
        connection.execute(sa.delete(shelved_study).where(mine))
        connection.execute(sa.insert(shelved_study).values(slug=slug, stamp=stamp, problem=problem, at=now))
