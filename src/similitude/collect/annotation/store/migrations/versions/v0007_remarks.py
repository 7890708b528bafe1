"""Skipped questions, comments, breaks, the languages that people read, and surveys."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from similitude.collect.annotation.store.append_only import make_append_only, remake_append_only
from similitude.collect.annotation.text_languages import needed_languages

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ANSWER_KEPT = ("id", "slot_id", "question_id", "version", "annotator_id", "batch_id", "at", "nonce")
SKIP_KEPT = (*ANSWER_KEPT, "reason")
SURVEY_KEPT = ("id", "annotator_id", "part", "question", "at")


def upgrade() -> None:
    """Make the columns, the tables and their triggers."""
    _columns()
    _skips()
    _surveys()
    blank = 'NEW.value IS NULL AND NEW.seconds IS NULL AND NEW."comment" IS NULL AND NEW.withdrawn'
    remake_append_only(op, "answer", ANSWER_KEPT, blank)
    make_append_only(op, "skip", SKIP_KEPT, "NEW.note IS NULL AND NEW.seconds IS NULL AND NEW.withdrawn")
    make_append_only(op, "survey_answer", SURVEY_KEPT, "NEW.value IS NULL AND NEW.withdrawn")
    _say_languages(op.get_bind())


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError


def _columns() -> None:
    op.add_column("answer", sa.Column("comment", sa.Text(), nullable=True))
    op.add_column("question", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("annotator", sa.Column("reads", sa.JSON(), nullable=True))
    for name in ("survey_before", "survey_after"):
        op.add_column("annotator", sa.Column(name, sa.BigInteger(), nullable=True))
    for name in ("paused", "fresh"):
        op.add_column("batch", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("batch", sa.Column("rested", sa.Float(53), nullable=False, server_default="0"))
    op.add_column("batch", sa.Column("pace", sa.Float(53), nullable=True))
    op.create_index("question_language", "question", ["language"])


def _skips() -> None:
    op.create_table(
        "skip",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        sa.Column("slot_id", sa.BigInteger(), sa.ForeignKey("slot.id"), nullable=False),
        sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), nullable=False),
        sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), nullable=False),
        sa.Column("batch_id", sa.BigInteger(), sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("seconds", sa.Float(53), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("annotator_id", "nonce", name="skip_once"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_skip_slot_id", "skip", ["slot_id"])


def _surveys() -> None:
    op.create_table(
        "survey_answer",
        sa.Column("id", KEY, primary_key=True, autoincrement=True),
        sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_survey_answer_annotator_id", "survey_answer", ["annotator_id"])


def _say_languages(connection: sa.Connection) -> None:
    """Give the questions that are there the languages of their items."""
    rows = connection.execute(
        sa.text(
            "SELECT question.id, wording.texts FROM question JOIN wording "
            "ON wording.question_id = question.id AND wording.version = question.version"
        )
    ).all()
    known: list[dict[str, Any]] = []
    for row in rows:
        texts = json.loads(row.texts) if isinstance(row.texts, str) else row.texts
        known.append({"id": row.id, "language": needed_languages(texts)})
    spoken = [each for each in known if each["language"] is not None]
    if spoken:
        connection.execute(sa.text("UPDATE question SET language = :language WHERE id = :id"), spoken)
