"""Previews of a study, which end when it opens or gets another task: their answers never counted."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.departure import withdraw
from similitude.collect.annotation.store.tables import annotator

__all__ = ["end_previews"]


def end_previews(db: Database, *, now: datetime, by: str) -> int:
    """End all previews, and delete what was answered in them.

    Returns:
        How many there were.
    """
    query = sa.select(annotator.c.id).where(annotator.c.source == "preview", annotator.c.state != "withdrawn")
    with reading(db) as connection:
        found = [int(row.id) for row in connection.execute(query)]
    for each in found:
        withdraw(db, each, now=now, by=by)
    return len(found)
