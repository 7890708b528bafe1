"""Reader of the corpus of plagiarised short answers: answer files, an original per task, a table of categories.

Reference: Clough and Stevenson (2011), Developing a corpus of plagiarised short answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError
from similitude.evaluate.tasks.pair_tasks import TextReuse
from similitude.evaluate.tasks.reading.classes import order_classes
from similitude.evaluate.tasks.reading.kind import TaskSource
from similitude.evaluate.tasks.reading.rows import TaskRows, places_of, read_rows, refuse
from similitude.paths import holdings

__all__ = ["LAYOUT", "is_corpus", "read_short_answers"]

LAYOUT = (
    "a folder with one answer per file (g0pA_taska.txt), one original per task (orig_taska.txt) "
    "and a table with File and Category (the corpus of plagiarised short answers)"
)
ORIGINAL = "orig_"
COLUMNS = {"id": ("file", "filename", "name"), "label": ("category", "label", "class")}
SHEETS = (".xls", ".xlsx", ".ods")
SECOND_ENCODING = "cp1252"


def is_corpus(source: TaskSource) -> bool:
    """Whether a folder or a subfolder holds files whose names start with ``orig_``."""
    return source.is_folder and any(name.startswith(ORIGINAL) for name in _documents(source.path))


def read_short_answers(source: TaskSource) -> TextReuse:
    """Pair each answer with the original of its task. Files that are not UTF-8 are read as cp1252, with a note.

    Raises:
        InputError: the table, an answer or an original is missing or invalid.
    """
    answers = _without_originals(read_rows(_categories(source), COLUMNS, None, source.reading))
    places_of(answers)
    files = _documents(source.path)
    refuse(_missing(answers, files, source.path))
    ordered = order_classes(answers, source.classes)
    texts = _Texts(files, source.reading.encoding)
    lefts = [texts.read(name) for name in answers["id"]]
    rights = [texts.read(_original_of(name)) for name in answers["id"]]
    frame = pl.DataFrame({"id": list(answers["id"]), "left": lefts, "right": rights})
    return TextReuse(
        name=source.name,
        items=Items(with_all_columns(frame, ITEM_SCHEMA)),
        labels=ordered.labels,
        classes=ordered.classes,
        notes=(*answers.table.notes, *texts.notes(), *_unlisted(files, answers)),
    )


class _Texts:
    """Documents by file name, each read once, with those in another encoding."""

    def __init__(self, files: dict[str, Path], encoding: str) -> None:
        self._files, self._encoding = files, encoding
        self._read: dict[str, str] = {}
        self._others: list[str] = []

    def read(self, name: str) -> str:
        if name not in self._read:
            self._read[name] = self._decoded(name).replace("\r\n", "\n").strip()
        return self._read[name]

    def notes(self) -> list[str]:
        count = len(self._others)
        which = f"{count} {'file was' if count == 1 else 'files were'}"
        names = listing(sorted(self._others), 5)
        return [f"{which} not {self._encoding.upper()} and read as {SECOND_ENCODING}: {names}"] if count else []

    def _decoded(self, name: str) -> str:
        try:
            return load_document(self._files[name], self._encoding)
        except InputError:
            text = load_document(self._files[name], SECOND_ENCODING)  # an empty file raises the same error again
            self._others.append(name)
            return text


def _documents(folder: Path) -> dict[str, Path]:
    """Text files in a folder or its subfolders, by file name."""
    return {file.name: file for file in (*sorted(folder.glob("*/*.txt")), *sorted(folder.glob("*.txt")))}


def _categories(source: TaskSource) -> Path:
    """The table of answers and their categories."""
    named = source.find("categories")
    tables = [file for file in sorted(source.path.iterdir()) if file.suffix.lower() in (".csv", ".tsv")]
    found = named or next((file for file in tables if source.has_columns(file, *COLUMNS.values())), None)
    if found is not None:
        return found
    sheet = next((file.name for file in sorted(source.path.iterdir()) if file.suffix.lower() in SHEETS), None)
    if sheet is not None:
        what = f"the categories are in a spreadsheet, {sheet}"
        raise FormatError(what, where=str(source.path), remedy="save the sheet with File and Category as CSV beside it")
    what = f"there is no table with the columns File and Category; it holds {holdings(source.path)}"
    raise InputError(what, where=str(source.path), remedy="add categories.csv, with one row per answer")


def _without_originals(rows: TaskRows) -> TaskRows:
    """Drop the originals, which the published table lists in their own category."""
    kept = [row for row, name in enumerate(rows["id"]) if not name.startswith(ORIGINAL)]
    table = rows.table
    chosen = RawTable(
        file=table.file,
        columns={name: [column[row] for row in kept] for name, column in table.columns.items()},
        starts=table.starts[kept],
        ends=table.ends[kept],
        notes=table.notes,
    )
    columns = {name: [texts[row] for row in kept] for name, texts in rows.columns.items()}
    return TaskRows(table=chosen, columns=columns, theirs=rows.theirs)


def _original_of(answer: str) -> str:
    """The original that an answer is compared with: the one with the same name ending.

    >>> _original_of("g0pA_taska.txt")
    'orig_taska.txt'
    """
    return ORIGINAL + answer.rpartition("_")[2]


def _missing(answers: TaskRows, files: Iterable[str], folder: Path) -> Iterator[RowProblem]:
    there = frozenset(files)
    for row, name in enumerate(answers["id"]):
        if name not in there:
            what = f"there is no file {excerpt(name)} in {folder.name}"
            yield answers.table.problem(row, what, "add the file, or remove the row")
        elif _original_of(name) not in there:
            what = f"there is no original {excerpt(_original_of(name))} for {excerpt(name)}"
            yield answers.table.problem(row, what, "add the file that the answer is compared with")


def _unlisted(files: Iterable[str], answers: TaskRows) -> list[str]:
    listed: Sequence[str] = answers["id"]
    others = sorted({name for name in files if not name.startswith(ORIGINAL)} - set(listed))
    return [f"not in {answers.file} and not used: {listing(others, 5)}"] if others else []
