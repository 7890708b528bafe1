"""What invitations and API tokens share: they are listed newest first, and can be revoked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.refusals import NotThere

__all__ = ["grant_facts", "newest_first", "revoke"]

FACTS = ("id", "note", "created", "expires", "revoked")


def newest_first(db: Database, query: sa.Select[Any], table: sa.Table) -> Sequence[Any]:
    """The rows of a query over one of the tables, newest first."""
    with reading(db) as connection:
        return connection.execute(query.order_by(table.c.id.desc())).all()


def revoke(db: Database, table: sa.Table, row_id: int, kind: str, *, now: datetime, by: str) -> None:
    """Mark a row as revoked, once, and write that to the audit log.

    Args:
        db: the database.
        table: the table of invitations or of tokens.
        row_id: the row's id.
        kind: "invitation" or "token", for messages and the log.
        now: the time.
        by: who revokes.

    Raises:
        NotThere: there is no such row.
    """
    with writing(db) as connection:
        if connection.execute(sa.select(table.c.id).where(table.c.id == row_id)).first() is None:
            raise NotThere(f"no_{kind}", f"no {kind} {row_id}")
        valid = (table.c.id == row_id) & table.c.revoked.is_(None)
        connection.execute(sa.update(table).where(valid).values(revoked=now))
        record(connection, f"{kind}_revoked", now=now, by=by, detail={kind: row_id})


def grant_facts(row: Any) -> dict[str, Any]:
    """The columns that both tables have."""
    return {name: getattr(row, name) for name in FACTS}
