"""Sessions of leaders that can be listed, second factors, and scopes of API tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; sessions and tokens from before keep what they may do."""
    op.add_column("leader", sa.Column("totp_key", sa.Text()))
    op.add_column("leader", sa.Column("totp_waiting", sa.Text()))
    op.add_column("leader", sa.Column("totp_step", sa.BigInteger()))
    op.add_column("leader", sa.Column("recovery", sa.JSON()))
    op.add_column("leader_session", sa.Column("seen", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("leader_session", sa.Column("agent", sa.Text(), nullable=False, server_default=""))
    op.add_column("leader_session", sa.Column("proven", sa.Boolean(), nullable=False, server_default=sa.true()))
    everything = "read,export,people,manage"
    op.add_column("api_token", sa.Column("scopes", sa.Text(), nullable=False, server_default=everything))
    op.add_column("api_token", sa.Column("slug", sa.Text()))


def downgrade() -> None:
    """Not offered: it would switch off second factors."""
    raise NotImplementedError
