"""The tables, as SQLAlchemy sees them; `migrations` makes them, and a test keeps the two equal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

__all__ = [
    "Moment",
    "Ordering",
    "annotator",
    "answer",
    "api_token",
    "attempt",
    "audit",
    "batch",
    "exclusion",
    "invitation",
    "leader",
    "leader_session",
    "metadata",
    "question",
    "slot",
    "study",
    "wording",
]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

metadata = sa.MetaData()


class Moment(sa.TypeDecorator[datetime]):
    """A moment in UTC, kept as microseconds since 1970: the same on every database, and compared as a number."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> int | None:
        """To microseconds; a moment without time zone is a mistake of ours."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> datetime | None:
        """From microseconds."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Ordering(sa.TypeDecorator[list[int]]):
    """An order of options, kept as text: ``2,0,1``."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: list[int] | None, dialect: sa.Dialect) -> str | None:
        """To text."""
        return None if value is None else ",".join(map(str, value))

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> list[int] | None:
        """From text."""
        return None if value is None else [int(place) for place in value.split(",")]


def _json() -> sa.JSON:
    return sa.JSON(none_as_null=True)


def _key(name: str = "id") -> sa.Column[int]:
    # SQLite gives AUTOINCREMENT only to INTEGER; ids then never come back, so that "the last counts" holds.
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True, autoincrement=True)


def _to(target: str, *, nullable: bool = False, **kwargs: Any) -> sa.Column[int]:
    name = target.replace(".", "_")
    return sa.Column(name, sa.BigInteger(), sa.ForeignKey(target), nullable=nullable, **kwargs)


study = sa.Table(
    "study",
    metadata,
    sa.Column("id", sa.Integer(), sa.CheckConstraint("id = 1", name="one_study"), primary_key=True),
    sa.Column("name", sa.Text(), nullable=False),
    sa.Column("plan", _json(), nullable=False),
    sa.Column("version", sa.Integer(), nullable=False),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("salt", sa.Text(), nullable=False),
    sa.Column("created", Moment(), nullable=False),
)

question = sa.Table(
    "question",
    metadata,
    _key(),
    sa.Column("key", sa.Text(), nullable=False, unique=True),
    sa.Column("kind", sa.Text(), nullable=False),
    sa.Column("version", sa.Integer(), nullable=False),
    sa.Column("wanted", sa.Integer(), nullable=False),
    sa.Column("place", sa.BigInteger(), nullable=False),
    sa.Column("second_round", sa.Text(), nullable=False),
    sa.Column("origin", sa.Text(), nullable=False),
    sa.Column("retired", sa.Boolean(), nullable=False),
    sqlite_autoincrement=True,
)
sa.Index("question_kind", question.c.kind, question.c.place)

wording = sa.Table(
    "wording",
    metadata,
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
    sa.Column("version", sa.Integer(), primary_key=True),
    sa.Column("texts", _json(), nullable=False),
    sa.Column("expected", _json()),
    sa.Column("at", Moment(), nullable=False),
)

annotator = sa.Table(
    "annotator",
    metadata,
    _key(),
    sa.Column("pseudonym", sa.Text(), nullable=False, unique=True),
    sa.Column("source", sa.Text(), nullable=False),
    sa.Column("external_hash", sa.Text(), unique=True),
    sa.Column("platform", _json()),
    sa.Column("language", sa.Text()),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("reason", sa.Text()),
    sa.Column("session_hash", sa.Text(), unique=True),
    sa.Column("completion_code", sa.Text()),
    sa.Column("consented", Moment()),
    sa.Column("created", Moment(), nullable=False),
    sa.Column("seen", Moment(), nullable=False),
    sqlite_autoincrement=True,
)

batch = sa.Table(
    "batch",
    metadata,
    _key(),
    _to("annotator.id"),
    sa.Column("number", sa.Integer(), nullable=False),
    sa.Column("purpose", sa.Text(), nullable=False),
    sa.Column("round", sa.Integer(), nullable=False),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("size", sa.Integer(), nullable=False),
    sa.Column("answered", sa.Integer(), nullable=False),
    sa.Column("created", Moment(), nullable=False),
    sa.Column("touched", Moment(), nullable=False),
    sa.Column("expires", Moment(), nullable=False),
    sa.Column("sent", Moment()),
    sa.UniqueConstraint("annotator_id", "number", name="batch_number"),
    sqlite_autoincrement=True,
)
_OPEN = sa.text("state = 'open'")
sa.Index("one_open_batch", batch.c.annotator_id, unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
sa.Index("batch_expiry", batch.c.expires, sqlite_where=_OPEN, postgresql_where=_OPEN)

slot = sa.Table(
    "slot",
    metadata,
    _key(),
    _to("question.id"),
    sa.Column("round", sa.Text(), nullable=False),
    sa.Column("purpose", sa.Text(), nullable=False),
    sa.Column("state", sa.Text(), nullable=False),
    sa.Column("place", sa.BigInteger(), nullable=False),
    _to("annotator.id", nullable=True),
    _to("batch.id", nullable=True),
    sa.Column("position", sa.Integer()),
    sa.Column("version", sa.Integer()),
    sa.Column("ordering", Ordering()),
    sa.Column("answer_id", sa.BigInteger()),
    sa.Column("replaces", sa.BigInteger()),
    sa.UniqueConstraint("annotator_id", "question_id", "purpose", name="once_each"),
    sa.UniqueConstraint("batch_id", "position", name="slot_position"),
    sa.CheckConstraint("(state IN ('free', 'void')) = (annotator_id IS NULL)", name="held_by_someone"),
    sa.CheckConstraint("(state = 'done') = (answer_id IS NOT NULL)", name="done_is_answered"),
    sqlite_autoincrement=True,
)
_FREE = sa.text("state = 'free' AND purpose = 'work'")
sa.Index("slot_free", slot.c.place, slot.c.question_id, sqlite_where=_FREE, postgresql_where=_FREE)
sa.Index("slot_question", slot.c.question_id)

answer = sa.Table(
    "answer",
    metadata,
    _key(),
    _to("slot.id", index=True),
    _to("question.id"),
    sa.Column("version", sa.Integer(), nullable=False),
    _to("annotator.id"),
    _to("batch.id"),
    sa.Column("value", _json()),
    sa.Column("seconds", sa.Float(53)),
    sa.Column("at", Moment(), nullable=False, index=True),
    sa.Column("nonce", sa.Text(), nullable=False),
    sa.Column("withdrawn", sa.Boolean(), nullable=False),
    sa.UniqueConstraint("annotator_id", "nonce", name="form_once"),
    sqlite_autoincrement=True,
)

exclusion = sa.Table(
    "exclusion",
    metadata,
    _key(),
    _to("annotator.id", index=True),
    sa.Column("at", Moment(), nullable=False),
    sa.Column("by", sa.Text(), nullable=False),
    sa.Column("why", sa.Text(), nullable=False),
    sa.Column("state_before", sa.Text(), nullable=False),
    sa.Column("ended", Moment()),
    sqlite_autoincrement=True,
)

invitation = sa.Table(
    "invitation",
    metadata,
    _key(),
    sa.Column("token_hash", sa.Text(), nullable=False, unique=True),
    sa.Column("uses", sa.Integer()),
    sa.Column("used", sa.Integer(), nullable=False),
    sa.Column("note", sa.Text(), nullable=False),
    _to("annotator.id", nullable=True),
    sa.Column("created", Moment(), nullable=False),
    sa.Column("expires", Moment()),
    sa.Column("revoked", Moment()),
    sqlite_autoincrement=True,
)

leader = sa.Table(
    "leader",
    metadata,
    _key(),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    sa.Column("password_hash", sa.Text(), nullable=False),
    sa.Column("created", Moment(), nullable=False),
    sqlite_autoincrement=True,
)

leader_session = sa.Table(
    "leader_session",
    metadata,
    sa.Column("token_hash", sa.Text(), primary_key=True),
    sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), nullable=False),
    sa.Column("created", Moment(), nullable=False),
    sa.Column("expires", Moment(), nullable=False),
)

api_token = sa.Table(
    "api_token",
    metadata,
    _key(),
    sa.Column("token_hash", sa.Text(), nullable=False, unique=True),
    sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), nullable=False),
    sa.Column("note", sa.Text(), nullable=False),
    sa.Column("created", Moment(), nullable=False),
    sa.Column("expires", Moment()),
    sa.Column("revoked", Moment()),
    sqlite_autoincrement=True,
)

audit = sa.Table(
    "audit",
    metadata,
    _key(),
    sa.Column("at", Moment(), nullable=False),
    sa.Column("by", sa.Text(), nullable=False),
    sa.Column("what", sa.Text(), nullable=False),
    sa.Column("subject", sa.Text(), index=True),
    sa.Column("detail", _json(), nullable=False),
    sqlite_autoincrement=True,
)

attempt = sa.Table(
    "attempt",
    metadata,
    _key(),
    sa.Column("action", sa.Text(), nullable=False),
    sa.Column("who_hash", sa.Text(), nullable=False),
    sa.Column("at", Moment(), nullable=False),
    sa.Index("attempt_lookup", "action", "who_hash", "at"),
    sqlite_autoincrement=True,
)
