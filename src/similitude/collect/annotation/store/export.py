"""Export of answers as judgements, in the order in which they were given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.decisions import decision_rows, has_decisions
from similitude.collect.annotation.store.judgement_table import item_table, rated_scale
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, batch, question, skip, slot, wording
from similitude.data.counted_work import WorkCounter
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError

__all__ = ["export_csv", "export_jsonl", "export_rows", "rows_in", "write_export"]

CHUNK = 1000


def export_rows(
    db: Database, *, everything: bool = False, listener: Listener | None = None
) -> Iterator[dict[str, Any]]:
    """Answers as rows of judgements, from one moment of the database.

    Args:
        db: the database.
        listener: is told how many answers are read.
        everything: False gives the answers that count, for `similitude gold`: the last answer to each work question,
        without excluded annotators. True adds gold, repeats, training and qualification, answers that were changed
        later (``current`` is false), excluded annotators, and skipped questions: rows without an answer, with the
        reason in ``skipped`` and the person's words in ``comment``. Neither has previews or withdrawn answers. Both end
        with the leaders' decisions, whose round and purpose are "adjudication": those that hold, or all.

    Yields:
        question, annotator, round, seconds; the task's columns (items, best, worst | item, value, applies | group,
        alike, differ); then at, question_version, purpose, batch, position, shown (the order of options), current,
        excluded, stopped, comment, scale and benchmark (the study's name).
    """
    with reading(db) as connection:
        yield from rows_in(connection, study_in(db, connection), everything=everything, listener=listener)


def rows_in(
    connection: sa.Connection, there: StudyRecord, *, everything: bool, listener: Listener | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of an export, in an open transaction."""
    query = _query()
    if not everything:
        counts = (answer.c.id == slot.c.answer_id) & (slot.c.purpose == "work") & (annotator.c.state != "excluded")
        query = query.where(counts)
    total = connection.scalar(query.with_only_columns(sa.func.count()).order_by(None)) if listener else 0
    counter = WorkCounter(listener, "reading answers", total or 0)
    texts: dict[tuple[int, int], Any] = {}
    # Every row has the columns of all, so that a header is complete.
    reason = {"reason": None} if has_decisions(connection) else {}
    for part in connection.execute(query.execution_options(yield_per=CHUNK)).partitions():
        _learn(connection, texts, part)
        for row in part:
            skipped = {"skipped": None} if everything else {}
            yield {**_row(there, row, texts[row.question_id, row.version]), **skipped, **reason}
        counter.add(len(part))
    if everything:
        yield from _skips(connection, there, texts)
    yield from decision_rows(connection, there, _facts(there), everything=everything)


def _skips(
    connection: sa.Connection, there: StudyRecord, texts: dict[tuple[int, int], Any]
) -> Iterator[dict[str, Any]]:
    """A row for every skip: all that an answer's row has, but no answer."""
    rows = connection.execute(_skip_query()).all()
    last = {row.slot_id: row.id for row in rows}
    _learn(connection, texts, rows)
    for row in rows:
        items = texts[row.question_id, row.version]
        about = {"items": [each["id"] for each in items]} if there.task.several_items else {"item": items[0]["id"]}
        nothing = {**about, **dict.fromkeys(there.task.fields)}
        is_current = row.slot_state == "skipped" and last[row.slot_id] == row.id
        yield {**_common(there, row, items, nothing, is_current), "comment": row.note, "skipped": row.reason}


def _skip_query() -> sa.Select[Any]:
    return (
        sa.select(
            skip.c.id,
            skip.c.slot_id,
            skip.c.question_id,
            skip.c.version,
            skip.c.reason,
            skip.c.note,
            skip.c.seconds,
            skip.c.at,
            slot.c.round,
            slot.c.purpose,
            slot.c.position,
            slot.c.ordering,
            slot.c.state.label("slot_state"),
            question.c.key,
            annotator.c.pseudonym,
            annotator.c.state,
            batch.c.number,
        )
        .select_from(skip)
        .join(slot, slot.c.id == skip.c.slot_id)
        .join(question, question.c.id == skip.c.question_id)
        .join(annotator, annotator.c.id == skip.c.annotator_id)
        .join(batch, batch.c.id == skip.c.batch_id)
        .where(~skip.c.withdrawn, annotator.c.source != "preview", slot.c.annotator_id == skip.c.annotator_id)
        .order_by(skip.c.id)
    )


def _query() -> sa.Select[Any]:
    return (
        sa.select(
            answer.c.id,
            answer.c.question_id,
            answer.c.version,
            answer.c.value,
            answer.c.seconds,
            answer.c.comment,
            answer.c.at,
            slot.c.round,
            slot.c.purpose,
            slot.c.position,
            slot.c.ordering,
            slot.c.answer_id,
            question.c.key,
            annotator.c.pseudonym,
            annotator.c.state,
            batch.c.number,
        )
        .select_from(answer)
        .join(slot, slot.c.id == answer.c.slot_id)
        .join(question, question.c.id == answer.c.question_id)
        .join(annotator, annotator.c.id == answer.c.annotator_id)
        .join(batch, batch.c.id == answer.c.batch_id)
        .where(~answer.c.withdrawn, annotator.c.source != "preview", slot.c.annotator_id == answer.c.annotator_id)
        .order_by(answer.c.id)
    )


def _learn(connection: sa.Connection, texts: dict[tuple[int, int], Any], rows: Sequence[Any]) -> None:
    """Add the items of these rows' questions, as worded then, or as first worded if an import had another version."""
    wanted = {(row.question_id, row.version) for row in rows} - set(texts)
    if not wanted:
        return
    query = sa.select(wording.c.question_id, wording.c.version, wording.c.texts)
    query = query.where(wording.c.question_id.in_({place[0] for place in wanted})).order_by(wording.c.version.desc())
    found = {(row.question_id, row.version): row.texts for row in connection.execute(query).all()}
    first = {place[0]: worded for place, worded in found.items()}
    texts.update({place: found.get(place, first[place[0]]) for place in wanted})


def _row(there: StudyRecord, row: Any, texts: Any) -> dict[str, Any]:
    is_current = row.id == row.answer_id
    return {**_common(there, row, texts, there.task.row(texts, row.value), is_current), "comment": row.comment}


def _common(there: StudyRecord, row: Any, texts: Any, given: Mapping[str, Any], is_current: bool) -> dict[str, Any]:
    """The columns of answers and skips."""
    options = there.task.shown(texts, row.ordering).options
    return {
        "question": row.key,
        "annotator": row.pseudonym,
        "round": row.round,
        "seconds": row.seconds,
        **given,
        "at": row.at.astimezone(UTC).isoformat(),
        "question_version": row.version,
        "purpose": row.purpose,
        "batch": row.number,
        "position": row.position,
        **({"shown": [option.id for option in options]} if options else {}),
        "current": is_current,
        "excluded": row.state == "excluded",
        "stopped": row.state == "stopped",
        **_facts(there),
    }


def _facts(there: StudyRecord) -> dict[str, str]:
    """The columns that are the same in every row, so that a file says what it is."""
    scale = rated_scale(there)
    return {**({} if scale is None else {"scale": str(scale)}), "benchmark": there.plan.name}


def export_jsonl(db: Database, *, everything: bool = False, listener: Listener | None = None) -> Iterator[str]:
    """The export as lines of JSON."""
    for row in export_rows(db, everything=everything, listener=listener):
        yield json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


def export_csv(db: Database, *, everything: bool = False, listener: Listener | None = None) -> Iterator[str]:
    """The export as lines of CSV, safe to open in a spreadsheet; `read_export` undoes the guard."""
    yield from csv_lines(export_rows(db, everything=everything, listener=listener))


WRITERS = {".jsonl": export_jsonl, ".csv": export_csv}


def write_export(
    db: Database,
    path: str | Path,
    *,
    format: str | None = None,
    everything: bool = False,
    listener: Listener | None = None,
) -> int:
    """Write the export to a file, all or nothing; returns the number of answers.

    The texts of the items go to ``NAME.items.jsonl`` beside it, where `similitude gold` finds them.

    Raises:
        ArgumentError: the suffix is neither .jsonl nor .csv, or the file cannot be written.
    """
    target = Path(path)
    lines = WRITERS.get(f".{format}" if format else target.suffix.lower())
    if lines is None:
        raise ArgumentError(f"cannot write '{target.name}'", remedy="end it in .jsonl or .csv, or give --format")
    count = 0

    def save(draft: Path) -> None:
        nonlocal count
        with draft.open("w", encoding="utf-8", newline="") as file:
            for line in lines(db, everything=everything, listener=listener):
                file.write(line)
                count += 1

    write_atomically(target, save)
    with reading(db) as connection:
        write_atomically(target.with_name(f"{target.stem}.items.jsonl"), item_table(connection).write_ndjson)
    return max(0, count - 1) if lines is export_csv else count
