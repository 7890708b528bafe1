"""Studies of one server, the leaders of each, and the people who work on several studies."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError
