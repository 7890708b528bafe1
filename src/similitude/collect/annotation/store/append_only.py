"""Triggers that keep a table append-only: for migrations, on both kinds of database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["make_append_only", "remake_append_only"]


def make_append_only(op: Any, table: str, kept: Sequence[str], blanked: str) -> None:
    """Forbid every change of a table's rows but one: that ``blanked`` holds afterwards, with ``kept`` as before."""
    make = _sqlite if _is_sqlite(op) else _postgresql
    for statement in make(table, kept, blanked):
        op.execute(statement)


def remake_append_only(op: Any, table: str, kept: Sequence[str], blanked: str) -> None:
    """Replace the rule of a table that has one already."""
    if not _is_sqlite(op):
        op.execute(_function(table, kept, blanked))
        return
    op.execute(f"DROP TRIGGER {table}_no_change")
    op.execute(_sqlite(table, kept, blanked)[0])


def _is_sqlite(op: Any) -> bool:
    return bool(op.get_bind().dialect.name == "sqlite")


def _allowed(kept: Sequence[str], blanked: str, same: str) -> str:
    return " AND ".join([*(f'NEW."{column}" {same} OLD."{column}"' for column in kept), blanked])


def _sqlite(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    allowed = _allowed(kept, blanked, "IS")
    return [
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE ON {table} WHEN NOT ({allowed}) {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
    ]


def _function(table: str, kept: Sequence[str], blanked: str) -> str:
    allowed = _allowed(kept, blanked, "IS NOT DISTINCT FROM")
    return f"""
        CREATE OR REPLACE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' THEN
                IF {allowed} THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """


def _postgresql(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    return [
        _function(table, kept, blanked),
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_append_only()",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()",
    ]
