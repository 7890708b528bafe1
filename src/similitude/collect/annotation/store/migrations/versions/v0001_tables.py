"""All tables, with the triggers that keep answers append-only and summaries up to date.

Until the first release these are the tables of `similitude.collect.annotation.store.tables`. Whoever changes a table
after it writes them out here first, and the change in a migration of its own.

Triggers note every question whose answers, texts or state change in ``summary_queue``, in the transaction of the change
itself, so that no summary stays out of date, whoever writes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from similitude.collect.annotation.store.append_only import make_append_only
from similitude.collect.annotation.store.tables import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ANSWER_KEPT = ("id", "slot_id", "question_id", "version", "annotator_id", "batch_id", "at", "nonce")
APPEND_ONLY = {
    # table: (columns that stay, what a withdrawal or the removal of a person may do to a row)
    "answer": (ANSWER_KEPT, 'NEW.value IS NULL AND NEW.seconds IS NULL AND NEW."comment" IS NULL AND NEW.withdrawn'),
    "skip": ((*ANSWER_KEPT, "reason"), "NEW.note IS NULL AND NEW.seconds IS NULL AND NEW.withdrawn"),
    "survey_answer": (("id", "annotator_id", "part", "question", "at"), "NEW.value IS NULL AND NEW.withdrawn"),
    "audit": (("id", "at", "by", "what"), "NEW.subject IS NULL"),
    "payment": (("id", "annotator_id", "submission_id", "kind", "cents", "currency", "by", "at"), "NEW.reason = ''"),
    "decision": ((), "FALSE"),
    "bonus_line": ((), "FALSE"),
}
QUEUE = "INSERT INTO summary_queue (question_id)"
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
        f"{QUEUE} SELECT question_id FROM slot WHERE annotator_id = NEW.id AND state = 'done'",
    ),
}


def upgrade() -> None:
    """Make the tables and triggers."""
    metadata.create_all(op.get_bind())
    for table, (kept, blanked) in APPEND_ONLY.items():
        make_append_only(op, table, kept, blanked)
    (_sqlite if op.get_bind().dialect.name == "sqlite" else _postgresql)()


def downgrade() -> None:
    """Not offered: it would lose what people said."""
    raise NotImplementedError


def _sqlite() -> None:
    for name, (event, condition, statement) in NOTED.items():
        op.execute(f"CREATE TRIGGER {name} AFTER {event} {condition} BEGIN {statement}; END")
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
    op.execute("CREATE INDEX search_index ON question_words USING gin (array_to_tsvector(string_to_array(words, ' ')))")
