"""The first tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.BigInteger()
OPEN = sa.text("state = 'open'")
FREE = sa.text("state = 'free' AND purpose = 'work'")


def upgrade() -> None:
    """Make everything."""
    _study_and_questions()
    _annotators_and_batches()
    _slots_and_answers()
    _people_and_secrets()


def downgrade() -> None:
    """There is nothing before the first tables."""
    raise NotImplementedError


def _table(name: str, *columns: Any, key: bool = True) -> None:
    own = [sa.Column("id", KEY, primary_key=True, autoincrement=True)] if key else []
    op.create_table(name, *own, *columns, **({"sqlite_autoincrement": True} if key else {}))


def _text(name: str, *, nullable: bool = False, unique: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable, unique=unique)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, MOMENT, nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _to(table: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.BigInteger(), sa.ForeignKey(f"{table}.id"), nullable=nullable)


def _study_and_questions() -> None:
    _table(
        "study",
        sa.Column("id", sa.Integer(), sa.CheckConstraint("id = 1", name="one_study"), primary_key=True),
        _text("name"),
        sa.Column("plan", sa.JSON(), nullable=False),
        _number("version"),
        _text("state"),
        _text("salt"),
        _moment("created"),
        key=False,
    )
    _table(
        "question",
        _text("key", unique=True),
        _text("kind"),
        _number("version"),
        _number("wanted"),
        sa.Column("place", sa.BigInteger(), nullable=False),
        _text("second_round"),
        _text("origin"),
        sa.Column("retired", sa.Boolean(), nullable=False),
    )
    op.create_index("question_kind", "question", ["kind", "place"])
    _table(
        "wording",
        sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("expected", sa.JSON()),
        _moment("at"),
        key=False,
    )


def _annotators_and_batches() -> None:
    _table(
        "annotator",
        _text("pseudonym", unique=True),
        _text("source"),
        _text("external_hash", nullable=True, unique=True),
        sa.Column("platform", sa.JSON()),
        _text("language", nullable=True),
        _text("state"),
        _text("reason", nullable=True),
        _text("session_hash", nullable=True, unique=True),
        _text("completion_code", nullable=True),
        _moment("consented", nullable=True),
        _moment("created"),
        _moment("seen"),
    )
    _table(
        "batch",
        _to("annotator"),
        _number("number"),
        _text("purpose"),
        _number("round"),
        _text("state"),
        _number("size"),
        _number("answered"),
        _moment("created"),
        _moment("touched"),
        _moment("expires"),
        _moment("sent", nullable=True),
        sa.UniqueConstraint("annotator_id", "number", name="batch_number"),
    )
    where: dict[str, Any] = {"sqlite_where": OPEN, "postgresql_where": OPEN}
    op.create_index("one_open_batch", "batch", ["annotator_id"], unique=True, **where)
    op.create_index("batch_expiry", "batch", ["expires"], **where)
    _table(
        "exclusion",
        _to("annotator"),
        _moment("at"),
        _text("by"),
        _text("why"),
        _text("state_before"),
        _moment("ended", nullable=True),
    )
    op.create_index("ix_exclusion_annotator_id", "exclusion", ["annotator_id"])


def _slots_and_answers() -> None:
    _table(
        "slot",
        _to("question"),
        _text("round"),
        _text("purpose"),
        _text("state"),
        sa.Column("place", sa.BigInteger(), nullable=False),
        _to("annotator", nullable=True),
        _to("batch", nullable=True),
        _number("position", nullable=True),
        _number("version", nullable=True),
        sa.Column("ordering", sa.Text()),
        sa.Column("answer_id", sa.BigInteger()),
        sa.Column("replaces", sa.BigInteger()),
        sa.UniqueConstraint("annotator_id", "question_id", "purpose", name="once_each"),
        sa.UniqueConstraint("batch_id", "position", name="slot_position"),
        sa.CheckConstraint("(state IN ('free', 'void')) = (annotator_id IS NULL)", name="held_by_someone"),
        sa.CheckConstraint("(state = 'done') = (answer_id IS NOT NULL)", name="done_is_answered"),
    )
    op.create_index("slot_free", "slot", ["place", "question_id"], sqlite_where=FREE, postgresql_where=FREE)
    op.create_index("slot_question", "slot", ["question_id"])
    _table(
        "answer",
        _to("slot"),
        _to("question"),
        _number("version"),
        _to("annotator"),
        _to("batch"),
        sa.Column("value", sa.JSON()),
        sa.Column("seconds", sa.Float(53)),
        _moment("at"),
        _text("nonce"),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("annotator_id", "nonce", name="form_once"),
    )
    op.create_index("ix_answer_slot_id", "answer", ["slot_id"])
    op.create_index("ix_answer_at", "answer", ["at"])


def _people_and_secrets() -> None:
    _table(
        "invitation",
        _text("token_hash", unique=True),
        _number("uses", nullable=True),
        _number("used"),
        _text("note"),
        _to("annotator", nullable=True),
        _moment("created"),
        _moment("expires", nullable=True),
        _moment("revoked", nullable=True),
    )
    _table("leader", _text("name", unique=True), _text("password_hash"), _moment("created"))
    _table(
        "leader_session",
        sa.Column("token_hash", sa.Text(), primary_key=True),
        _leader(),
        _moment("created"),
        _moment("expires"),
        key=False,
    )
    _table(
        "api_token",
        _text("token_hash", unique=True),
        _leader(),
        _text("note"),
        _moment("created"),
        _moment("expires", nullable=True),
        _moment("revoked", nullable=True),
    )
    detail = sa.Column("detail", sa.JSON(), nullable=False)
    _table("audit", _moment("at"), _text("by"), _text("what"), _text("subject", nullable=True), detail)
    op.create_index("ix_audit_subject", "audit", ["subject"])
    _table("attempt", _text("action"), _text("who_hash"), _moment("at"))
    op.create_index("attempt_lookup", "attempt", ["action", "who_hash", "at"])


def _leader() -> sa.Column[int]:
    return sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), nullable=False)
