"""The audit log: who did what when. It is append-only, and holds no secrets and no real identities."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import AuditEntry
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.tables import audit

__all__ = ["audit_log", "forget_subject", "record", "record_rarely"]


def record(
    connection: sa.Connection,
    what: str,
    *,
    now: datetime,
    by: str,
    detail: Mapping[str, Any] | None = None,
    subject: str | None = None,
) -> None:
    """Write an entry, in the transaction of the change itself."""
    entry = {"at": now, "by": by, "what": what, "subject": subject, "detail": dict(detail or {})}
    connection.execute(sa.insert(audit).values(entry))


def record_rarely(connection: sa.Connection, what: str, *, subject: str, now: datetime) -> None:
    """Write that a stranger did something to somebody, unless that was written within the last hour."""
    since = now - timedelta(hours=1)
    known = sa.select(audit.c.id).where(audit.c.subject == subject, audit.c.what == what, audit.c.at > since).limit(1)
    if connection.execute(known).first() is None:
        record(connection, what, now=now, by="visitor", subject=subject)


def forget_subject(connection: sa.Connection, subject: str) -> None:
    """Remove somebody who withdrew from the log; what was done stays."""
    about = audit.c.subject == subject
    connection.execute(sa.update(audit).where(about).values(subject=None, detail={}))


def audit_log(db: Database, *, limit: int = 200, before: datetime | None = None) -> list[AuditEntry]:
    """Entries of the log, newest first; ``before`` gives the next page."""
    query = sa.select(audit).order_by(audit.c.id.desc()).limit(limit)
    if before is not None:
        query = query.where(audit.c.at < before)
    with reading(db) as connection:
        return [
            AuditEntry(row.at, row.by, row.what, row.subject, row.detail) for row in connection.execute(query).all()
        ]
