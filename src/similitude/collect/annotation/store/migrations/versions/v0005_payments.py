"""Decisions on payment, platform ids and verified entry."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError
