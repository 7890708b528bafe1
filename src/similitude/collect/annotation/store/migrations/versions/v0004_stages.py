"""Studies that follow another one, and qualification pools."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError
