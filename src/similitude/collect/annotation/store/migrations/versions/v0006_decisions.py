"""Leaders' decisions on questions, beside the answers; summaries of questions, which lists are sorted and searched by.

Triggers note every question whose answers, texts or state change in ``summary_queue``, in the transaction of the change
itself, so that no summary stays out of date, whoever writes. Decisions are append-only.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.BigInteger()
QUEUE = "INSERT INTO summary_queue (question_id)"
OF_PERSON = f"{QUEUE} SELECT question_id FROM slot WHERE annotator_id = NEW.id AND state = 'done'"
OPEN_BEFORE, OPEN_AFTER = (f"{row}.state IN ('free', 'held')" for row in ("OLD", "NEW"))
NOTED = {
    # name: (event, condition, statement)
    "slot_summary": (
        "UPDATE OF state, answer_id ON slot",
        f"WHEN (COALESCE(OLD.answer_id, 0) <> COALESCE(NEW.answer_id, 0) OR ({OPEN_BEFORE}) <> ({OPEN_AFTER}))",
        f"{QUEUE} VALUES (NEW.question_id)",
    ),
    "slot_opened_summary": (
        "INSERT ON slot",
        "WHEN (NEW.replaces IS NOT NULL)",  # other slots open with a change of their question
        f"{QUEUE} VALUES (NEW.question_id)",
    ),
    "wording_summary": ("INSERT ON wording", "", f"{QUEUE} VALUES (NEW.question_id)"),
    "decision_summary": ("INSERT ON decision", "", f"{QUEUE} VALUES (NEW.question_id)"),
    "question_summary_changed": (
        "UPDATE OF version, wanted, retired, second_round ON question",
        "",
        f"{QUEUE} VALUES (NEW.id)",
    ),
    "annotator_summary": (
        "UPDATE OF state ON annotator",
        "WHEN ((OLD.state = 'excluded') <> (NEW.state = 'excluded'))",
        OF_PERSON,
    ),
}


def upgrade() -> None:
    """Make the tables and triggers, and have everything that is there summarised."""
    _decisions()
    _summaries()
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgresql()
    op.execute(f"{QUEUE} SELECT id FROM question ORDER BY id")


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError


def _id() -> sa.Column[int]:
    return sa.Column("id", KEY, primary_key=True, autoincrement=True)


def _question(*, key: bool = False) -> sa.Column[int]:
    reference = sa.ForeignKey("question.id")
    if key:
        return sa.Column("question_id", sa.BigInteger(), reference, primary_key=True, autoincrement=False)
    return sa.Column("question_id", sa.BigInteger(), reference, nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name: str) -> sa.Column[int]:
    return sa.Column(name, MOMENT, nullable=False)


def _decisions() -> None:
    op.create_table(
        "decision",
        _id(),
        _question(),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON()),
        _text("reason"),
        _text("by"),
        _moment("at"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_decision_question_id", "decision", ["question_id"])


def _summaries() -> None:
    op.create_table(
        "question_summary",
        _question(key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        _text("kind"),
        _text("state"),
        _text("language", nullable=True),
        _text("item_group", nullable=True),
        sa.Column("disagreement", sa.Float(53), nullable=False),
        _moment("last_at"),
        sa.Column("decided", sa.Boolean(), nullable=False),
    )
    op.create_index("summary_order", "question_summary", ["kind", "question_id"])
    op.create_index("summary_disagreement", "question_summary", ["kind", "disagreement", "question_id"])
    op.create_index("summary_time", "question_summary", ["kind", "last_at", "question_id"])
    op.create_index("summary_group", "question_summary", ["item_group"])
    op.create_table("question_words", _question(key=True), _text("words"))
    queued = sa.Column("question_id", sa.BigInteger(), nullable=False)
    op.create_table("summary_queue", _id(), queued, sqlite_autoincrement=True)
    op.create_table(
        "agreement_snapshot",
        _id(),
        _moment("moment"),
        _moment("made"),
        _text("basis"),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.UniqueConstraint("moment", "basis", name="one_snapshot"),
        sqlite_autoincrement=True,
    )


def _sqlite() -> None:
    for name, (event, condition, statement) in NOTED.items():
        op.execute(f"CREATE TRIGGER {name} AFTER {event} {condition} BEGIN {statement}; END")
    refuse = "BEGIN SELECT RAISE(ABORT, 'decision is append-only'); END"
    op.execute(f"CREATE TRIGGER decision_no_change BEFORE UPDATE ON decision {refuse}")
    op.execute(f"CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision {refuse}")
    if op.get_bind().execute(sa.text("SELECT sqlite_compileoption_used('ENABLE_FTS5')")).scalar():
        _full_text()


def _full_text() -> None:
    """An index of ``question_words``, which holds the texts once; three triggers keep it equal."""
    old = "INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', OLD.question_id, OLD.words);"
    new = "INSERT INTO search_index (rowid, words) VALUES (NEW.question_id, NEW.words);"
    op.execute(
        "CREATE VIRTUAL TABLE search_index USING fts5 "
        "(words, content='question_words', content_rowid='question_id', tokenize='ascii', detail='none')"
    )
    op.execute(f"CREATE TRIGGER search_new AFTER INSERT ON question_words BEGIN {new} END")
    op.execute(f"CREATE TRIGGER search_gone AFTER DELETE ON question_words BEGIN {old} END")
    op.execute(f"CREATE TRIGGER search_changed AFTER UPDATE ON question_words BEGIN {old} {new} END")


def _postgresql() -> None:
    for name, (event, condition, statement) in NOTED.items():
        body = f"BEGIN {statement}; RETURN NULL; END"
        op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
        op.execute(f"CREATE TRIGGER {name} AFTER {event} FOR EACH ROW {condition} EXECUTE FUNCTION {name}()")
    op.execute(
        """
        CREATE FUNCTION decision_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'decision is append-only' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """
    )
    for event, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        name = "decision_no_change" if each == "ROW" else "decision_no_truncate"
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {event} ON decision FOR EACH {each} EXECUTE FUNCTION decision_append_only()"
        )
    op.execute("CREATE INDEX search_index ON question_words USING gin (array_to_tsvector(string_to_array(words, ' ')))")
