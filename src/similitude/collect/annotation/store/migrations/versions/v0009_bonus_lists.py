"""Numbered lists of bonuses: what each held stays known, whatever becomes due later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from similitude.collect.annotation.store.append_only import make_append_only

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables; the lines of a list never change."""
    op.create_table(
        "bonus_list",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("kind", "state", "by")),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "bonus_line",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        sa.Column("bonus_list_id", sa.BigInteger(), sa.ForeignKey("bonus_list.id"), nullable=False),
        sa.Column("payment_id", sa.BigInteger(), sa.ForeignKey("payment.id"), nullable=False),
        sa.Column("submission_id", sa.BigInteger(), sa.ForeignKey("submission.id")),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bonus_line_bonus_list_id", "bonus_line", ["bonus_list_id"])
    make_append_only(op, "bonus_line", (), "FALSE")


def downgrade() -> None:
    """Not offered: it would lose what was handed over."""
    raise NotImplementedError
