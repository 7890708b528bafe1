"""The tables for SQLAlchemy. `migrations` makes them, and a test keeps the two equal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

__all__ = [
    "DERIVED",
    "Moment",
    "Ordering",
    "agreement_snapshot",
    "annotator",
    "annotator_person",
    "answer",
    "api_token",
    "attempt",
    "audit",
    "author",
    "batch",
    "bonus_line",
    "bonus_list",
    "console",
    "decision",
    "exclusion",
    "identity",
    "invitation",
    "leader",
    "leader_invitation",
    "leader_session",
    "membership",
    "metadata",
    "payment",
    "person",
    "pool_member",
    "pool_result",
    "question",
    "question_summary",
    "question_words",
    "registry",
    "shelved_study",
    "skip",
    "slot",
    "stage",
    "stage_question",
    "study",
    "submission",
    "summary_queue",
    "survey_answer",
    "used_link",
    "wording",
]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

DERIVED = {"derived": True}
"""Marks tables that can be computed again from the others; backups leave them out."""

metadata = sa.MetaData()


class Moment(sa.TypeDecorator[datetime]):
    """A time in UTC, kept as microseconds since 1970: the same on every database, and comparable as a number."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> int | None:
        """To microseconds; a time without a time zone raises."""
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


def _table(name: str, *parts: sa.schema.SchemaItem, key: bool = True, info: dict[str, Any] | None = None) -> sa.Table:
    """A table; with ``key``, its rows are numbered and no number is used twice."""
    # SQLite gives AUTOINCREMENT only to INTEGER; ids then never come back, so that "the last counts" holds.
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    own = [sa.Column("id", number, primary_key=True, autoincrement=True)] if key else []
    return sa.Table(name, metadata, *own, *parts, sqlite_autoincrement=key, info=info or {})


def _columns(kind: Any, *names: str, **options: Any) -> list[sa.Column[Any]]:
    """Columns of one type, which hold something in every row unless ``nullable`` says otherwise."""
    return [sa.Column(name, kind(), **{"nullable": False, **options}) for name in names]


def _json() -> sa.JSON:
    return sa.JSON(none_as_null=True)


def _to(target: str, *, nullable: bool = False, **options: Any) -> sa.Column[int]:
    """A reference: ``_to("slot.id")`` is the column ``slot_id``."""
    name = target.replace(".", "_")
    return sa.Column(name, sa.BigInteger(), sa.ForeignKey(target), nullable=nullable, **options)


def _to_leader() -> sa.Column[int]:
    return sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), nullable=False)


study = _table(
    "study",
    sa.Column("id", sa.Integer(), sa.CheckConstraint("id = 1", name="one_study"), primary_key=True),
    *_columns(sa.Text, "name", "state", "salt"),
    *_columns(_json, "plan"),
    *_columns(sa.Integer, "version"),
    *_columns(Moment, "created"),
    key=False,
)

question = _table(
    "question",
    *_columns(sa.Text, "key", unique=True),
    *_columns(sa.Text, "kind", "second_round", "origin"),
    *_columns(sa.Integer, "version", "wanted"),
    *_columns(sa.BigInteger, "place"),
    *_columns(sa.Boolean, "retired"),
    *_columns(sa.Text, "language", nullable=True),
)
sa.Index("question_kind", question.c.kind, question.c.place)
sa.Index("question_language", question.c.language)

wording = _table(
    "wording",
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
    sa.Column("version", sa.Integer(), primary_key=True),
    *_columns(_json, "texts"),
    *_columns(_json, "expected", nullable=True),
    *_columns(Moment, "at"),
    key=False,
)

annotator = _table(
    "annotator",
    *_columns(sa.Text, "pseudonym", unique=True),
    *_columns(sa.Text, "external_hash", "session_hash", unique=True, nullable=True),
    *_columns(sa.Text, "source", "state"),
    *_columns(sa.Text, "language", "reason", "completion_code", "person", nullable=True),
    *_columns(_json, "platform", nullable=True),
    *_columns(Moment, "consented", nullable=True),
    *_columns(Moment, "created", "seen"),
    *_columns(sa.BigInteger, "invitation_id", nullable=True),
    *_columns(_json, "reads", nullable=True),
    *_columns(Moment, "survey_before", "survey_after", nullable=True),
)

batch = _table(
    "batch",
    _to("annotator.id"),
    *_columns(sa.Integer, "number", "round", "size", "answered"),
    *_columns(sa.Text, "purpose", "state"),
    *_columns(Moment, "created", "touched", "expires"),
    *_columns(Moment, "sent", "paused", "fresh", nullable=True),
    sa.Column("rested", sa.Float(53), nullable=False, server_default="0"),
    sa.Column("pace", sa.Float(53)),
    sa.UniqueConstraint("annotator_id", "number", name="batch_number"),
)
_OPEN = sa.text("state = 'open'")
sa.Index("one_open_batch", batch.c.annotator_id, unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
sa.Index("batch_expiry", batch.c.expires, sqlite_where=_OPEN, postgresql_where=_OPEN)

slot = _table(
    "slot",
    _to("question.id"),
    _to("annotator.id", nullable=True),
    _to("batch.id", nullable=True),
    *_columns(sa.Text, "round", "purpose", "state"),
    *_columns(sa.BigInteger, "place"),
    *_columns(sa.BigInteger, "answer_id", "replaces", nullable=True),
    *_columns(sa.Integer, "position", "version", nullable=True),
    *_columns(Ordering, "ordering", nullable=True),
    sa.UniqueConstraint("annotator_id", "question_id", "purpose", name="once_each"),
    sa.UniqueConstraint("batch_id", "position", name="slot_position"),
    sa.CheckConstraint("(state IN ('free', 'void')) = (annotator_id IS NULL)", name="held_by_someone"),
    sa.CheckConstraint("(state = 'done') = (answer_id IS NOT NULL)", name="done_is_answered"),
)
_FREE = sa.text("state = 'free' AND purpose = 'work'")
sa.Index("slot_free", slot.c.place, slot.c.question_id, sqlite_where=_FREE, postgresql_where=_FREE)
sa.Index("slot_question", slot.c.question_id)

answer = _table(
    "answer",
    _to("slot.id", index=True),
    _to("question.id"),
    _to("annotator.id"),
    _to("batch.id"),
    *_columns(sa.Integer, "version"),
    *_columns(_json, "value", nullable=True),
    sa.Column("seconds", sa.Float(53)),
    *_columns(Moment, "at", index=True),
    *_columns(sa.Text, "nonce"),
    *_columns(sa.Boolean, "withdrawn"),
    *_columns(sa.Text, "comment", nullable=True),
    sa.UniqueConstraint("annotator_id", "nonce", name="form_once"),
)

skip = _table(
    "skip",
    _to("slot.id", index=True),
    _to("question.id"),
    _to("annotator.id"),
    _to("batch.id"),
    *_columns(sa.Integer, "version"),
    *_columns(sa.Text, "reason"),
    *_columns(sa.Text, "note", nullable=True),
    sa.Column("seconds", sa.Float(53)),
    *_columns(Moment, "at"),
    *_columns(sa.Text, "nonce"),
    *_columns(sa.Boolean, "withdrawn"),
    sa.UniqueConstraint("annotator_id", "nonce", name="skip_once"),
)

survey_answer = _table(
    "survey_answer",
    _to("annotator.id", index=True),
    *_columns(sa.Text, "part", "question"),
    *_columns(_json, "value", nullable=True),
    *_columns(Moment, "at"),
    *_columns(sa.Boolean, "withdrawn"),
)

exclusion = _table(
    "exclusion",
    _to("annotator.id", index=True),
    *_columns(Moment, "at"),
    *_columns(Moment, "ended", nullable=True),
    *_columns(sa.Text, "by", "why", "state_before"),
)

invitation = _table(
    "invitation",
    *_columns(sa.Text, "token_hash", unique=True),
    *_columns(sa.Integer, "uses", nullable=True),
    *_columns(sa.Integer, "used"),
    *_columns(sa.Text, "note"),
    _to("annotator.id", nullable=True),
    *_columns(sa.Text, "person", nullable=True),
    *_columns(Moment, "created"),
    *_columns(Moment, "expires", "revoked", nullable=True),
)

submission = _table(
    "submission",
    _to("annotator.id", index=True),
    *_columns(sa.Text, "platform"),
    *_columns(sa.Text, "submission_hash", nullable=True, unique=True),
    *_columns(sa.Text, "submission", "participant", "study", "code", nullable=True),
    *_columns(sa.Boolean, "signed"),
    *_columns(Moment, "created"),
)

payment = _table(
    "payment",
    _to("annotator.id", index=True),
    _to("submission.id", nullable=True),
    *_columns(sa.Text, "kind"),
    *_columns(sa.BigInteger, "cents", nullable=True),
    *_columns(sa.Text, "currency", nullable=True),
    *_columns(sa.Text, "reason", "by"),
    *_columns(Moment, "at"),
)

bonus_list = _table(
    "bonus_list",
    *_columns(sa.Text, "kind", "state", "by"),
    *_columns(Moment, "at"),
)

bonus_line = _table(
    "bonus_line",
    _to("bonus_list.id", index=True),
    _to("payment.id"),
    _to("submission.id", nullable=True),
    *_columns(sa.BigInteger, "cents"),
)
"""One bonus on a list: the decision that states it, and the cents of it that the list hands over."""

used_link = _table(
    "used_link",
    sa.Column("link_hash", sa.Text(), primary_key=True),
    _to("annotator.id"),
    *_columns(Moment, "expires"),
    key=False,
)

leader = _table(
    "leader",
    *_columns(sa.Text, "name", unique=True),
    *_columns(sa.Text, "password_hash"),
    *_columns(Moment, "created"),
    *_columns(sa.Boolean, "admin", server_default=sa.false()),
    *_columns(sa.Text, "totp_key", "totp_waiting", nullable=True),
    *_columns(sa.BigInteger, "totp_step", nullable=True),
    *_columns(_json, "recovery", nullable=True),
)

leader_session = _table(
    "leader_session",
    sa.Column("token_hash", sa.Text(), primary_key=True),
    _to_leader(),
    *_columns(Moment, "created", "expires"),
    *_columns(Moment, "seen", server_default="0"),
    *_columns(sa.Text, "agent", server_default=""),
    *_columns(sa.Boolean, "proven", server_default=sa.true()),
    key=False,
)

api_token = _table(
    "api_token",
    *_columns(sa.Text, "token_hash", unique=True),
    _to_leader(),
    *_columns(sa.Text, "note"),
    *_columns(Moment, "created"),
    *_columns(Moment, "expires", "revoked", nullable=True),
    *_columns(sa.Text, "scopes", server_default="read,export,people,manage"),
    *_columns(sa.Text, "slug", nullable=True),
)

audit = _table(
    "audit",
    *_columns(Moment, "at"),
    *_columns(sa.Text, "by", "what"),
    *_columns(sa.Text, "subject", nullable=True, index=True),
    *_columns(_json, "detail"),
)

attempt = _table(
    "attempt",
    *_columns(sa.Text, "action", "who_hash"),
    *_columns(Moment, "at"),
    sa.Index("attempt_lookup", "action", "who_hash", "at"),
)

decision = _table(
    "decision",
    _to("question.id", index=True),
    *_columns(sa.Integer, "version"),
    *_columns(_json, "value", nullable=True),
    *_columns(sa.Text, "reason", "by"),
    *_columns(Moment, "at"),
)
"""A leader's own judgement of a question; without a value, it takes back the one before."""

question_summary = _table(
    "question_summary",
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True, autoincrement=False),
    *_columns(sa.Integer, "version", "answers"),
    *_columns(sa.Text, "kind", "state"),
    *_columns(sa.Text, "language", "item_group", nullable=True),
    sa.Column("disagreement", sa.Float(53), nullable=False),
    *_columns(Moment, "last_at"),
    *_columns(sa.Boolean, "decided"),
    sa.Index("summary_order", "kind", "question_id"),
    sa.Index("summary_disagreement", "kind", "disagreement", "question_id"),
    sa.Index("summary_time", "kind", "last_at", "question_id"),
    sa.Index("summary_group", "item_group"),
    key=False,
    info=DERIVED,
)
"""What lists of questions are sorted and filtered by. ``disagreement`` is -1 where it is undefined."""

question_words = _table(
    "question_words",
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True, autoincrement=False),
    *_columns(sa.Text, "words"),
    key=False,
    info=DERIVED,
)

summary_queue = _table("summary_queue", *_columns(sa.BigInteger, "question_id"), info=DERIVED)
"""Questions whose summary is out of date; triggers write it."""

agreement_snapshot = _table(
    "agreement_snapshot",
    *_columns(Moment, "moment", "made"),
    *_columns(sa.Text, "basis"),
    *_columns(_json, "figures"),
    sa.UniqueConstraint("moment", "basis", name="one_snapshot"),
    info=DERIVED,
)
"""Figures of agreement on the answers up to a moment; ``basis`` says which answers counted."""

console = _table(
    "console",
    sa.Column("id", sa.Integer(), sa.CheckConstraint("id = 1", name="one_console"), primary_key=True),
    *_columns(sa.Text, "salt"),
    *_columns(Moment, "created"),
    key=False,
)

membership = _table(
    "membership",
    sa.Column("leader_id", sa.BigInteger(), sa.ForeignKey("leader.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("slug", sa.Text(), primary_key=True),
    *_columns(sa.Text, "role"),
    *_columns(Moment, "created"),
    sa.Index("membership_slug", "slug"),
    key=False,
)

leader_invitation = _table(
    "leader_invitation",
    *_columns(sa.Text, "token_hash", unique=True),
    *_columns(sa.Boolean, "admin"),
    *_columns(sa.Text, "slug", "role", nullable=True),
    *_columns(Moment, "created", "expires"),
    *_columns(Moment, "used", nullable=True),
)

shelved_study = _table(
    "shelved_study",
    sa.Column("slug", sa.Text(), primary_key=True),
    *_columns(sa.Text, "stamp", "problem"),
    *_columns(Moment, "at"),
    key=False,
)

# Of a study: who its annotators are across studies, and what it took from the study that it follows.

annotator_person = _table(
    "annotator_person",
    sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), primary_key=True),
    sa.Column("person", sa.Text(), primary_key=True),
    key=False,
)

stage = _table(
    "stage",
    sa.Column("one", sa.Integer(), sa.CheckConstraint("one = 1", name="one_stage"), primary_key=True),
    *_columns(sa.Text, "state", "mark"),
    *_columns(Moment, "at"),
    key=False,
)

stage_question = _table(
    "stage_question",
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
    *_columns(sa.BigInteger, "source", index=True),
    *_columns(sa.Text, "state"),
    *_columns(Moment, "at"),
    key=False,
)

author = _table(
    "author",
    sa.Column("question_id", sa.BigInteger(), sa.ForeignKey("question.id"), primary_key=True),
    sa.Column("person", sa.Text(), primary_key=True),
    key=False,
)

pool_result = _table(
    "pool_result",
    sa.Column("annotator_id", sa.BigInteger(), sa.ForeignKey("annotator.id"), primary_key=True),
    *_columns(sa.Boolean, "passed", "delivered"),
    *_columns(sa.Text, "by"),
    *_columns(Moment, "at"),
    key=False,
)

# Of a console: persons across its studies, and qualification pools.

registry = _table(
    "registry",
    sa.Column("one", sa.Integer(), sa.CheckConstraint("one = 1", name="one_registry"), primary_key=True),
    *_columns(sa.Text, "salt"),
    key=False,
)

person = _table(
    "person",
    sa.Column("code", sa.Text(), primary_key=True),
    *_columns(Moment, "created"),
    key=False,
)

identity = _table(
    "identity",
    sa.Column("kind", sa.Text(), primary_key=True),
    sa.Column("hash", sa.Text(), primary_key=True),
    sa.Column("person_code", sa.Text(), sa.ForeignKey("person.code"), nullable=False, index=True),
    key=False,
)

pool_member = _table(
    "pool_member",
    sa.Column("pool", sa.Text(), primary_key=True),
    sa.Column("person_code", sa.Text(), sa.ForeignKey("person.code"), primary_key=True),
    *_columns(sa.Text, "state", "study", "by", "why"),
    *_columns(Moment, "at"),
    key=False,
)
