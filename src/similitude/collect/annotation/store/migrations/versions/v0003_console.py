"""Many studies on one server: who leads which, links by which people become leaders, and what was read of each."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.BigInteger()


def upgrade() -> None:
    """Make the tables of the console; in the database of one study they stay empty."""
    op.add_column("leader", sa.Column("admin", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "console",
        sa.Column("id", sa.Integer(), sa.CheckConstraint("id = 1", name="one_console"), primary_key=True),
        _text("salt"),
        _moment("created"),
    )
    op.create_table(
        "membership",
        sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("slug", sa.Text(), primary_key=True),
        _text("role"),
        _moment("created"),
    )
    op.create_index("membership_slug", "membership", ["slug"])
    op.create_table(
        "leader_invitation",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        sa.Column("token_hash", sa.Text(), nullable=False, unique=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        _text("slug", nullable=True),
        _text("role", nullable=True),
        _moment("created"),
        _moment("expires"),
        _moment("used", nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "shelved_study",
        sa.Column("slug", sa.Text(), primary_key=True),
        _text("stamp"),
        _text("problem"),
        _moment("at"),
    )


def downgrade() -> None:
    """Not offered: it would lose who leads which study."""
    raise NotImplementedError


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, MOMENT, nullable=nullable)
