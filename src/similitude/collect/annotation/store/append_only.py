"""Triggers that keep a table append-only: for migrations, on both kinds of database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["make_append_only"]


def make_append_only(op: Any, table: str, kept: Sequence[str], blanked: str) -> None:
    """Forbid every change of a table's rows but one: that ``blanked`` holds afterwards, with ``kept`` as before."""
    make = _sqlite if op.get_bind().dialect.name == "sqlite" else _postgresql
    for statement in make(table, kept, blanked):
        op.execute(statement)


def _allowed(kept: Sequence[str], blanked: str, same: str) -> str:
    return " AND ".join([*(f'NEW."{column}" {same} OLD."{column}"' for column in kept), blanked])


def _sqlite(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    allowed = _allowed(kept, blanked, "IS")
    return [
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE ON {table} WHEN NOT ({allowed}) {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
    ]


def _postgresql(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    allowed = _allowed(kept, blanked, "IS NOT DISTINCT FROM")
    return [
        f"""
        CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' THEN
                IF {allowed} THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_append_only()",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()",
    ]
