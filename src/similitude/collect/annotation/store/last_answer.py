"""The question of a batch that was answered or skipped last."""

from __future__ import annotations

import sqlalchemy as sa

from similitude.collect.annotation.store.batches import owned_batch
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.tables import answer, skip, slot

__all__ = ["last_settled"]


def last_settled(db: Database, annotator_id: int, batch_id: int) -> int | None:
    """The position of the question that an annotator answered or skipped last in a batch; None if there is none.

    Raises:
        NotThere: there is no such batch.
        NotYours: it belongs to somebody else.
    """
    given = [
        sa.select(slot.c.position, table.c.at, table.c.id)
        .join(slot, slot.c.id == table.c.slot_id)
        .where(table.c.batch_id == batch_id, table.c.annotator_id == annotator_id)
        .order_by(table.c.id.desc())
        .limit(1)
        for table in (answer, skip)
    ]
    with reading(db) as connection:
        owned_batch(connection, annotator_id, batch_id)
        rows = [row for query in given for row in connection.execute(query).all()]
    return max(rows, key=lambda row: row.at).position if rows else None
