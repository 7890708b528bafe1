"""Snapshots of agreement: what was computed of the answers up to a moment is kept, so that it is computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.tables import agreement_snapshot

__all__ = ["keep_snapshot", "kept_snapshots"]


def kept_snapshots(db: Database, moments: Sequence[datetime]) -> dict[tuple[datetime, str], Mapping[str, Any]]:
    """The figures kept for these moments, by moment and basis."""
    query = sa.select(agreement_snapshot).where(agreement_snapshot.c.moment.in_(moments))
    with reading(db) as connection:
        return {(row.moment, row.basis): row.figures for row in connection.execute(query)}


def keep_snapshot(db: Database, moment: datetime, basis: str, figures: Mapping[str, Any], *, now: datetime) -> None:
    """Keep figures of a moment; those of the same basis that are there already stay."""
    insert: Any = postgresql.insert if db.dialect == "postgresql" else sqlite.insert
    row = {"moment": moment, "basis": basis, "figures": dict(figures), "made": now}
    with writing(db) as connection:
        connection.execute(insert(agreement_snapshot).values(row).on_conflict_do_nothing())
