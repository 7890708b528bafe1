"""Leaders' decisions on questions, beside the answers."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError
