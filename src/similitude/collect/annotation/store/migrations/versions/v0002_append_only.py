"""Answers and audit entries are append-only for everyone who reaches the database, not only for this program.

An answer's content may be blanked, which a withdrawal does; an audit entry may lose its subject. Nothing else about
them can be changed, and neither can be deleted.
"""

from __future__ import annotations

from collections.abc import Sequence

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ANSWER_KEPT = ("id", "slot_id", "question_id", "version", "annotator_id", "batch_id", "at", "nonce")
AUDIT_KEPT = ("id", "at", "by", "what")
TABLES = {
    "answer": (ANSWER_KEPT, "NEW.value IS NULL AND NEW.seconds IS NULL AND NEW.withdrawn"),
    "audit": (AUDIT_KEPT, "NEW.subject IS NULL"),
}


def upgrade() -> None:
    """Make the triggers."""
    make = sqlite_triggers if op.get_bind().dialect.name == "sqlite" else postgresql_triggers
    for table, (kept, blanked) in TABLES.items():
        for statement in make(table, kept, blanked):
            op.execute(statement)


def downgrade() -> None:
    """Not offered: it would open the answers to change."""
    raise NotImplementedError


def _allowed(kept: Sequence[str], blanked: str, same: str) -> str:
    return " AND ".join([*(f'NEW."{column}" {same} OLD."{column}"' for column in kept), blanked])


def sqlite_triggers(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    """The statements that refuse changes and deletions of a table on SQLite."""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    allowed = _allowed(kept, blanked, "IS")
    return [
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE ON {table} WHEN NOT ({allowed}) {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
    ]


def postgresql_triggers(table: str, kept: Sequence[str], blanked: str) -> list[str]:
    """The statements that refuse changes and deletions of a table on PostgreSQL."""
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
