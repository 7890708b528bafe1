"""Columns that say what became of an answer: approved, rejected, returned, ignored."""

from __future__ import annotations

from collections.abc import Collection

from similitude.data.plural import agreeing
from similitude.data.reading.column_names import plain_name
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["refuse_rejected"]

STATUS = ("status", "state", "answer", "assignment_status", "assignment:status", "submission_status",
          "response_status", "approval", "approval_status", "review_status")  # fmt: skip
"""Names of such columns."""

REJECTED = ("rejected", "reject", "returned", "timed_out", "discarded", "discard", "ignored", "ignore", "skipped",
            "expired", "screened_out", "spam", "invalid", "cancelled", "survey_preview", "survey_test")  # fmt: skip
"""What Prolific, Toloka, Prodigy, Argilla and Qualtrics write there for answers that should not count."""


def refuse_rejected(table: RawTable, used: Collection[str]) -> None:
    """Check that no column which is not used says that some of the answers were rejected.

    Args:
        table: the rows that ``--where`` leaves.
        used: the columns that are used.

    Raises:
        InputError: one does.
    """
    for name in (each for each in table.columns if each not in used and plain_name(each) in STATUS):
        values = answer_texts(table.columns[name]).drop_nulls().str.strip_chars()
        counts: dict[str, int] = dict(values.value_counts(sort=True).rows())
        out = [value for value in counts if plain_name(value) in REJECTED]
        if not out:
            continue
        kept = [value for value in counts if value and value not in out]
        rows = agreeing(sum(counts[value] for value in out), "row", "is", "are")
        one = [f"--where '{name}={kept[0]}'"] if kept else []
        ways = " or ".join([*one, f"--where '{name}!={out[0]}'"])
        raise InputError(
            f"{rows} {' or '.join(out)} by column '{name}', which is not used",
            where=table.file,
            remedy=f"leave them out with {ways}; if they count, leave this column out of the file",
        )
