"""Import of an export of the same study into a database without answers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from similitude.collect.annotation.plan.participation import REASONS
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.decisions import write_decisions
from similitude.collect.annotation.store.import_rows import Imported, write_rows
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.remarks import LONGEST_COMMENT
from similitude.collect.annotation.store.spreadsheets import read_csv
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import answer, question, wording
from similitude.data.judgements import ADJUDICATION
from similitude.errors import InputError

__all__ = ["import_rows", "parse_export", "read_export"]

PURPOSES = ("work", "gold", "repeat", "training", "qualification")
ROUNDS = ("first", "second")
LONGEST_NAME = 200

T = TypeVar("T")


def read_export(path: str | Path) -> list[dict[str, Any]]:
    """The rows of an exported file, JSONL or CSV.

    Raises:
        InputError: the file is not valid JSONL or CSV.
    """
    source = Path(path)
    try:
        text = source.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=source.name, remedy="give an export in UTF-8") from None
    return parse_export(text, source.suffix.lower(), source.name)


def parse_export(text: str, suffix: str, where: str) -> list[dict[str, Any]]:
    """The rows of an export's text: CSV for the suffix ".csv", else JSONL."""
    if suffix == ".csv":
        try:
            return read_csv(text)
        except (ValueError, KeyError) as error:
            remedy = "import a file that `similitude annotate export --all` wrote"
            raise InputError(f"a cell cannot be read: {error}", where=where, remedy=remedy) from None
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError as error:
            raise InputError(
                f"not JSON: {error}", where=f"{where}:{number}", remedy="write one object per line"
            ) from None
        if row is not None and not isinstance(row, dict):
            raise InputError("not a JSON object", where=f"{where}:{number}", remedy="write one object per line")
        rows += [] if row is None else [row]
    return rows


def import_rows(
    db: Database, rows: Iterable[Mapping[str, Any]], *, where: str = "import", now: datetime, by: str
) -> int:
    """Import rows into a study with the same questions and no answers; a new export gives the same rows.

    Annotators keep their pseudonyms, but cannot log in. Judgements beyond the number wanted are kept too, and so are
    leaders' decisions.

    Returns:
        The number of answers and decisions.

    Raises:
        InputError: a row does not fit the study; nothing is imported.
        Conflict: the study already has answers.
    """
    with writing(db) as connection:
        there = study_in(db, connection)
        if connection.execute(sa.select(answer.c.id).limit(1)).first() is not None:
            raise Conflict("not_empty", "the study already has answers", remedy="import into a new database")
        known = _questions(connection)
        placed = [(row, f"{where}:{number}") for number, row in enumerate(rows, start=1)]
        decided = [_checked(there, known, *each, _decision) for each in placed if _is_decision(each[0])]
        checked = [_checked(there, known, *each, _imported) for each in placed if not _is_decision(each[0])]
        write_rows(connection, there, checked, by=by, now=now)
        write_decisions(connection, decided, now=now, by=by)
        detail = {"answers": len(checked), **({"decisions": len(decided)} if decided else {}), "from": where}
        record(connection, "imported", now=now, by=by, detail=detail)
    return len(checked) + len(decided)


def _is_decision(row: Mapping[str, Any]) -> bool:
    return row.get("round") == ADJUDICATION


def _questions(connection: sa.Connection) -> dict[str, list[Any]]:
    """The wordings of every question by key, oldest first."""
    query = (
        sa.select(question.c.id, question.c.key, question.c.kind, wording.c.version, wording.c.texts)
        .join(wording, wording.c.question_id == question.c.id)
        .order_by(wording.c.version)
    )
    found: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.key].append(row)
    return found


def _checked(
    there: StudyRecord,
    known: Mapping[str, Sequence[Any]],
    row: Mapping[str, Any],
    where: str,
    make: Callable[[StudyRecord, Sequence[Any], Mapping[str, Any]], T],
) -> T:
    key = row.get("question")
    if not isinstance(key, str) or key not in known:
        raise InputError(
            f"no question '{key}' in this study", where=where, remedy="import it into the study that it came from"
        )
    try:
        return make(there, known[key], row)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"the row cannot be read: {error}",
            where=where,
            remedy="import a file that `similitude annotate export --all` wrote",
        ) from None


def _decision(there: StudyRecord, wordings: Sequence[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    version = int(row.get("question_version") or 1)
    asked = next((each for each in wordings if each.version == version), wordings[0])
    value = there.task.answer_of(row)
    _check_value(there, asked.texts, value)
    return {
        "question_id": asked.id,
        "version": asked.version,
        "value": value,
        "reason": str(row.get("reason") or ""),
        "by": _name(row["annotator"]).removeprefix("leader:"),
        "at": _moment(row.get("at")),
        "current": _truth(row, "current", default=True),
    }


def _imported(there: StudyRecord, wordings: Sequence[Any], row: Mapping[str, Any]) -> Imported:
    version = int(row.get("question_version") or 1)
    asked = next((each for each in wordings if each.version == version), wordings[0])
    skipped = None if row.get("skipped") is None else _one_of(row["skipped"], REASONS)
    value = {} if skipped else there.task.answer_of(row)
    if not skipped:
        _check_value(there, asked.texts, value)
    return Imported(
        question=asked.id,
        annotator=_name(row["annotator"]),
        round=_one_of(row.get("round") or "first", ROUNDS),
        purpose=_one_of(row.get("purpose") or "work", PURPOSES),
        version=version,
        batch=int(row.get("batch") or 1),
        position=int(row.get("position") or 0),
        value=value,
        seconds=None if row.get("seconds") is None else float(row["seconds"]),
        at=_moment(row.get("at")),
        ordering=_ordering(asked.texts, row.get("shown")),
        current=_truth(row, "current", default=True),
        excluded=_truth(row, "excluded", default=False),
        stopped=_truth(row, "stopped", default=False),
        comment=_comment(row.get("comment")),
        skipped=skipped,
    )


def _check_value(there: StudyRecord, texts: Any, value: Mapping[str, Any]) -> None:
    task = there.task
    if task.checkable:
        again, problems = task.read(texts, task.form(value))
        if problems:
            raise ValueError(f"{problems[0].field}: {problems[0].key}")
    else:  # what was written freely is not judged again: the guidelines may have changed since
        again = dict.fromkeys(task.fields, "")
    if again is None or any(value.get(field) is None and again[field] is not None for field in task.fields):
        raise ValueError("the answer is not complete")


def _name(written: Any) -> str:
    if not isinstance(written, str) or not 0 < len(written) <= LONGEST_NAME or not written.isprintable():
        raise ValueError("no annotator")
    return written


def _comment(written: Any) -> str | None:
    if written is not None and (not isinstance(written, str) or len(written) > LONGEST_COMMENT):
        raise ValueError("the comment is no text, or too long")
    return written or None


def _one_of(written: Any, choices: Sequence[str]) -> str:
    if written not in choices:
        raise ValueError(f"'{written}' is not one of {', '.join(choices)}")
    return str(written)


def _moment(written: Any) -> datetime:
    if written is None:
        return datetime(1970, 1, 1, tzinfo=UTC)
    moment = datetime.fromisoformat(written)
    if moment.tzinfo is None:
        raise ValueError(f"'{written}' has no time zone")
    return moment


def _ordering(texts: Any, shown: Any) -> list[int] | None:
    if not shown:
        return None
    ids = [item["id"] for item in texts]
    ordering = [ids.index(each) for each in shown]
    if sorted(ordering) != list(range(len(ids))):
        raise ValueError("the options shown are not those of the question")
    return None if ordering == list(range(len(ids))) else ordering


def _truth(row: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = row.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ValueError(f"{name} is neither true nor false")
    return value
