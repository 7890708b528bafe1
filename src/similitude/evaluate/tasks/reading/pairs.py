"""Readers of labelled pairs: text reuse, related, deduplication; from one table, or a table of ids and one of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.reading.column_names import ALIASES, belong_together
from similitude.data.reading.format import GENERAL
from similitude.data.reading.problems import excerpt
from similitude.data.reading.rival_columns import rival_pairs
from similitude.data.reading.source import BenchmarkSource
from similitude.errors import ColumnError, InputError
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.pair_tasks import Deduplication, Related, TextReuse
from similitude.evaluate.tasks.reading import classes, short_answers
from similitude.evaluate.tasks.reading.kind import TaskKind, TaskSource
from similitude.evaluate.tasks.reading.rows import TaskRows, places_of, read_rows, refuse
from similitude.stats.arrays import Integers

__all__ = ["deduplication", "read_labelled_pairs", "related", "text_reuse"]

LABELS = ("label", "class", "category", "related", "is_related", "duplicate", "is_duplicate", "gold")
COLUMNS = {"left": ALIASES["left"], "right": ALIASES["right"], "label": LABELS}
TEXTS = {"id": ALIASES["id"], "text": ("text", "document", "article", "answer")}
OPTIONAL = {"id": ALIASES["id"], "group": ALIASES["group"]}

TABLE = "a table with left, right and label (CSV, TSV, JSONL)"
BY_ID = "a folder with pairs.csv (left, right, label), and texts.csv (id, text) where left and right are ids"


class LabelledPairs(NamedTuple):
    """The content of every task on pairs."""

    items: Items
    labels: Integers
    classes: tuple[str, ...]
    notes: tuple[str, ...]


def text_reuse() -> TaskKind:
    """Pairs in ordered classes, from no reuse to near copy."""
    return TaskKind(
        name=TextReuse.kind,
        priority=GENERAL,
        summary="classify each pair into ordered classes, from no reuse to near copy",
        layouts=(TABLE, BY_ID, short_answers.LAYOUT),
        fits=lambda source: short_answers.is_corpus(source) or _is_reuse(_labels(source)),
        read=_read_text_reuse,
        has_classes=True,
    )


def related() -> TaskKind:
    """Pairs that are related or not."""
    return _two_classes(Related.kind, "decide whether each pair is related", "related", classes.RELATED, _read_related)


def deduplication() -> TaskKind:
    """Pairs that are duplicates or not."""
    summary = "find the pairs that are duplicates"
    return _two_classes(Deduplication.kind, summary, "duplicate", classes.DUPLICATE, _read_deduplication)


def _two_classes(
    name: str, summary: str, column: str, ladder: classes.Ladder, read: Callable[[TaskSource], Task]
) -> TaskKind:
    return TaskKind(
        name=name,
        priority=GENERAL,
        summary=summary,
        layouts=(TABLE, BY_ID),
        fits=lambda source: _is_called(source, column) or _is_on(ladder, source),
        read=read,
        has_classes=True,
    )


def read_labelled_pairs(source: TaskSource) -> LabelledPairs:
    """The pairs of a table, or of a folder with a table of ids and one of texts.

    Raises:
        InputError: a file or a row is invalid.
    """
    rows = read_rows(source.need("pairs"), COLUMNS, OPTIONAL, source.reading)
    file = source.find("texts")
    if file is None and not {"left", "right"} <= set(source.reading.columns):
        _refuse_rivals(rows)
    ordered = classes.order_classes(rows, source.classes)
    lefts, rights = (rows["left"], rows["right"]) if file is None else _texts_by_id(rows, file, source.reading)
    notes = rows.table.notes + _repetition(rows, lefts, rights, ordered.labels)
    return LabelledPairs(_items(rows, lefts, rights), ordered.labels, ordered.classes, notes)


def _refuse_rivals(rows: TaskRows) -> None:
    """Check that only two columns can be the texts.

    Raises:
        ColumnError: two others have usual names for texts too, and differ; or the two do not belong together.
    """
    mine = rows.theirs["left"], rows.theirs["right"]
    pairs = [mine, *rival_pairs(rows.table.columns, rows.theirs)]
    if len(pairs) > 1:
        what = f"several pairs of columns can be the texts: {'; '.join(map(', '.join, pairs))}"
        remedy = "name the two that you mean: --column left=NAME --column right=NAME"
        raise ColumnError(what, where=rows.file, remedy=remedy)
    if not belong_together(*mine):
        what = f"columns '{mine[0]}' and '{mine[1]}' are not known to belong together"
        raise ColumnError(
            what, where=rows.file, remedy="name the columns of texts: --column left=NAME --column right=NAME"
        )


def _read_text_reuse(source: TaskSource) -> TextReuse:
    if short_answers.is_corpus(source):
        return short_answers.read_short_answers(source)
    return TextReuse(name=source.name, **read_labelled_pairs(source)._asdict())


def _read_related(source: TaskSource) -> Related:
    return Related(name=source.name, **_of_two_classes(source, "related has two: unrelated and related")._asdict())


def _read_deduplication(source: TaskSource) -> Deduplication:
    pairs = _of_two_classes(source, "deduplication has two: different and duplicate")
    return Deduplication(name=source.name, **pairs._asdict())


def _of_two_classes(source: TaskSource, remedy: str) -> LabelledPairs:
    pairs = read_labelled_pairs(source)
    if len(pairs.classes) != 2:
        what = f"{len(pairs.classes)} classes ({', '.join(pairs.classes)})"
        raise InputError(what, where=source.need("pairs").name, remedy=f"{remedy}; more are read as text-reuse")
    return pairs


def _labels(source: TaskSource) -> Sequence[str]:
    """The labels of a table of pairs; empty if it is not one."""
    file = source.main("pairs")
    found = None if file is None or not source.has_columns(file, *COLUMNS.values()) else file
    return () if found is None else read_rows(found, COLUMNS, None, source.reading)["label"]


def _is_reuse(labels: Sequence[str]) -> bool:
    return bool(labels) and (classes.is_on(classes.REUSE, labels) or len(set(labels)) > 2)


def _is_on(ladder: classes.Ladder, source: TaskSource) -> bool:
    labels = _labels(source)
    return bool(labels) and classes.is_on(ladder, labels)


def _is_called(source: TaskSource, name: str) -> bool:
    """Whether the label column of the pairs has this name."""
    return source.has_columns(source.main("pairs"), COLUMNS["left"], COLUMNS["right"], (name, f"is_{name}"))


def _texts_by_id(rows: TaskRows, file: Path, reading: BenchmarkSource) -> tuple[list[str], list[str]]:
    texts = read_rows(file, TEXTS, None, reading)
    places = places_of(texts)
    refuse(
        rows.table.problem(row, f"there is no text {excerpt(rows[side][row])} in {texts.file}", "add it there")
        for side in ("left", "right")
        for row in range(len(rows))
        if rows[side][row] not in places
    )
    lefts, rights = ([texts["text"][places[name]] for name in rows[side]] for side in ("left", "right"))
    return lefts, rights


def _items(rows: TaskRows, lefts: Sequence[str], rights: Sequence[str]) -> Items:
    columns: dict[str, Sequence[str | None]] = {"left": lefts, "right": rights}
    if "group" in rows:
        columns["group"] = [name or None for name in rows["group"]]
    if "id" not in rows or not all(rows["id"]):
        numbers = Items.from_pairs(lefts, rights).ids
        return Items(with_all_columns(pl.DataFrame({"id": numbers, **columns}), ITEM_SCHEMA))
    places_of(rows)  # refuses repeated ids
    return Items(with_all_columns(pl.DataFrame({"id": list(rows["id"]), **columns}), ITEM_SCHEMA))


def _repetition(rows: TaskRows, lefts: Sequence[str], rights: Sequence[str], labels: Integers) -> tuple[str, ...]:
    """A note if pairs repeat, and so may be both trained on and tested.

    Raises:
        InputError: a pair repeats with another class.
    """
    first: dict[tuple[str, str], int] = {}
    again = [row for row, pair in enumerate(zip(lefts, rights, strict=True)) if first.setdefault(pair, row) != row]
    earlier = {row: first[lefts[row], rights[row]] for row in again}
    refuse(
        rows.table.problem(
            row, f"the pair has another label on {rows.table.where(before)}", "keep one of them, with the right label"
        )
        for row, before in earlier.items()
        if labels[row] != labels[before]
    )
    return (f"{rows.file}: {len(again)} pairs are repeated",) if again else ()
