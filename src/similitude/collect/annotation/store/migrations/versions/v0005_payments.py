"""Decisions on payment, submissions of platforms, and signed links that were used.

Decisions are append-only for everyone who reaches the database. A withdrawal may blank the reason of one; what was
decided, how much, by whom and when stays.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from similitude.collect.annotation.store.migrations.versions import v0002_append_only as append_only

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PAYMENT_KEPT = ("id", "annotator_id", "submission_id", "kind", "cents", "currency", "by", "at")


def upgrade() -> None:
    """Make the tables, and the triggers of decisions."""
    op.add_column("annotator", sa.Column("invitation_id", sa.BigInteger()))
    _submission()
    _payment()
    op.create_table(
        "used_link",
        sa.Column("link_hash", sa.Text(), primary_key=True),
        _annotator(),
        sa.Column("expires", sa.BigInteger(), nullable=False),
    )
    make = append_only.sqlite_triggers if op.get_bind().dialect.name == "sqlite" else append_only.postgresql_triggers
    for statement in make("payment", PAYMENT_KEPT, "NEW.reason = ''"):
        op.execute(statement)


def downgrade() -> None:
    """Not offered: it would lose what was decided about people's pay."""
    raise NotImplementedError


def _annotator() -> sa.Column[int]:
    return sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), nullable=False)


def _submission() -> None:
    op.create_table(
        "submission",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        _annotator(),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("submission_hash", sa.Text(), unique=True),
        *(sa.Column(name, sa.Text()) for name in ("submission", "participant", "study", "code")),
        sa.Column("signed", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_submission_annotator_id", "submission", ["annotator_id"])


def _payment() -> None:
    op.create_table(
        "payment",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        _annotator(),
        sa.Column("submission_id", sa.BigInteger(), sa.ForeignKey("submission.id")),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("cents", sa.BigInteger()),
        sa.Column("currency", sa.Text()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_payment_annotator_id", "payment", ["annotator_id"])
