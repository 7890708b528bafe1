"""Skipped questions, comments, breaks and surveys."""

from __future__ import annotations

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError
