"""Studies that follow another one, the persons across studies, and qualification pools."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    for table in ("annotator", "invitation"):
        op.add_column(table, sa.Column("person", sa.Text(), nullable=True))
    _make_study_tables()
    _make_console_tables()


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError


def _make_study_tables() -> None:
    op.create_table(
        "annotator_person",
        sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), primary_key=True),
        sa.Column("person", sa.Text(), primary_key=True),
    )
    op.create_table(
        "stage",
        sa.Column("one", sa.Integer(), sa.CheckConstraint("one = 1", name="one_stage"), primary_key=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "stage_question",
        sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
        sa.Column("source", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_stage_question_source", "stage_question", ["source"])
    op.create_table(
        "author",
        sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
        sa.Column("person", sa.Text(), primary_key=True),
    )
    op.create_table(
        "pool_result",
        sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), primary_key=True),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("delivered", sa.Boolean(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def _make_console_tables() -> None:
    op.create_table(
        "registry",
        sa.Column("one", sa.Integer(), sa.CheckConstraint("one = 1", name="one_registry"), primary_key=True),
        sa.Column("salt", sa.Text(), nullable=False),
    )
    op.create_table(
        "person",
        sa.Column("code", sa.Text(), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "identity",
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("hash", sa.Text(), primary_key=True),
        sa.Column("person_code", sa.Text(), sa.ForeignKey("person.code"), nullable=False),
    )
    op.create_index("ix_identity_person_code", "identity", ["person_code"])
    op.create_table(
        "pool_member",
        sa.Column("pool", sa.Text(), primary_key=True),
        sa.Column("person_code", sa.Text(), sa.ForeignKey("person.code"), primary_key=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("study", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
