"""Answers to surveys: appended, the last one counts, and kept apart from judgements."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from similitude.collect.annotation.plan.survey import SurveyPart
from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.annotators import read_annotator
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.refusals import NotNow
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.store.tables import annotator, survey_answer
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError

__all__ = ["export_survey", "save_survey", "survey_answers", "survey_rows", "survey_tally"]

GONE = ("invited", "declined", "withdrawn")


def save_survey(
    db: Database, annotator_id: int, part: SurveyPart, values: Mapping[str, Any], *, now: datetime
) -> Annotator:
    """Save a page of a survey. An answer that has not changed is not written again.

    Args:
        db: the database.
        annotator_id: who answered.
        part: the page.
        values: checked answers by question; None where an optional question was left out.
        now: the moment.

    Raises:
        NotNow: they have not consented, or have left.
    """
    with writing(db) as connection:
        who = read_annotator(connection, annotator_id, lock=True)
        if who.state in GONE:
            raise NotNow("no_consent" if who.state == "invited" else "not_active", f"this annotator is {who.state}")
        before = _current(connection, annotator_id, part)
        rows = [
            {"annotator_id": who.id, "part": part, "question": name, "value": value, "at": now, "withdrawn": False}
            for name, value in values.items()
            if before.get(name) != value
        ]
        if rows:
            connection.execute(sa.insert(survey_answer), rows)
        done = {f"survey_{part}": now}
        connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(done))
        return read_annotator(connection, annotator_id)


def survey_answers(db: Database, annotator_id: int, part: SurveyPart) -> dict[str, Any]:
    """A person's own current answers, by question."""
    with reading(db) as connection:
        return _current(connection, annotator_id, part)


def _current(connection: sa.Connection, annotator_id: int, part: str) -> dict[str, Any]:
    mine = (survey_answer.c.annotator_id == annotator_id) & (survey_answer.c.part == part)
    query = sa.select(survey_answer.c.question, survey_answer.c.value).where(mine, ~survey_answer.c.withdrawn)
    return {row.question: row.value for row in connection.execute(query.order_by(survey_answer.c.id)).all()}


def survey_rows(db: Database, *, everything: bool = False) -> Iterator[dict[str, Any]]:
    """The answers to the survey, one row each, without previews and withdrawn people.

    Args:
        db: the database.
        everything: whether to include answers that were changed later, with ``current`` false.
    """
    last = sa.select(sa.func.max(survey_answer.c.id)).group_by(
        survey_answer.c.annotator_id, survey_answer.c.part, survey_answer.c.question
    )
    query = (
        sa.select(survey_answer, annotator.c.pseudonym)
        .join(annotator, annotator.c.id == survey_answer.c.annotator_id)
        .where(~survey_answer.c.withdrawn, annotator.c.source != "preview")
        .order_by(survey_answer.c.id)
    )
    with reading(db) as connection:
        current = set(connection.execute(last).scalars())
        for row in connection.execute(query).all():
            if everything or (row.id in current and row.value is not None):
                yield {
                    "annotator": row.pseudonym,
                    "part": row.part,
                    "question": row.question,
                    "value": row.value,
                    "at": row.at.astimezone(UTC).isoformat(),
                    "current": row.id in current,
                }


def export_survey(
    db: Database, path: Path | None, *, format: str | None, everything: bool = False, stream: IO[str]
) -> int:
    """Write the answers to the survey as JSON lines or CSV, to a file or a stream; returns how many.

    Raises:
        ArgumentError: the file's suffix does not say the format.
    """
    ending = format or ("jsonl" if path is None else path.suffix.lower().removeprefix("."))
    if ending not in ("jsonl", "csv"):
        raise ArgumentError(f"cannot write '{path}'", remedy="end it in .jsonl or .csv, or give --out-format")
    rows = list(survey_rows(db, everything=everything))
    lines = csv_lines(rows) if ending == "csv" else (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    text = "".join(lines)
    if path is None:
        stream.write(text)
    else:
        write_atomically(path, lambda draft: _write(draft, text))
    return len(rows)


def _write(draft: Path, text: str) -> None:
    with draft.open("w", encoding="utf-8", newline="") as file:
        file.write(text)


def survey_tally(db: Database) -> dict[str, dict[str, int]]:
    """How often each answer was given, by question; of free texts and numbers only how many there are."""
    counted: dict[str, dict[str, int]] = {}
    for row in survey_rows(db):
        chosen = row["value"] if isinstance(row["value"], list) else [row["value"]]
        answers = counted.setdefault(row["question"], {})
        for each in chosen:
            answers[str(each)] = answers.get(str(each), 0) + 1
    return counted
