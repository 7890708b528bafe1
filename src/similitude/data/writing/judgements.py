"""Writing judgements so that reading gives back the same answers, items and scale.

Answers that do not count are written before those that do: the last answer of an annotator to a question counts. Every
row also states the facts about the whole: ``scale``, ``benchmark`` (the name), ``licence``, ``judged_by`` and
``categories``, as far as they are known. The items, if their texts are known, are written to ``<stem>.items.jsonl``
beside the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.reading.judgements import items_beside
from similitude.data.reading.judgements.categories import written_categories
from similitude.data.writing.atomic import write_atomically
from similitude.data.writing.benchmark import write
from similitude.data.writing.table import chosen_format, facts_of, with_facts

__all__ = ["JUDGEMENT_WRITERS", "judgement_table", "write_judgements"]

ALWAYS = ("question", "annotator", "round", "items", "best", "worst", "item", "value")
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv"}


def write_judgements(judgements: Judgements, path: str | Path, *, format: str | None = None) -> Path:
    """Write judgements, completely or not at all; return the path.

    An empty text is read back as null, and notes are not written.

    Args:
        judgements: what to write.
        path: a file.
        format: "jsonl" or "csv"; by default the one that belongs to the suffix.

    Raises:
        UnknownNameError: there is no such format.
        ArgumentError: no format belongs to the suffix, or the path cannot be written.
    """
    target = Path(path)
    name = chosen_format(target, format, SUFFIXES, JUDGEMENT_WRITERS, "format to write judgements")
    _write_items(judgements, items_beside(target))
    table = judgement_table(judgements)
    write_atomically(target, lambda draft: JUDGEMENT_WRITERS[name](table, draft))
    return target


def judgement_table(judgements: Judgements) -> pl.DataFrame:
    """One row per answer, with the facts about all of them, without empty columns.

    `similitude.read_judgements` takes it back.
    """
    facts = facts_of(judgements) | (
        {"categories": written_categories(judgements.categories)} if judgements.categories else {}
    )
    return with_facts(_rows(judgements), facts, ALWAYS)


def _rows(judgements: Judgements) -> pl.DataFrame:
    """All answers: those that do not count come first, because the last answer counts; categories are in words."""
    frame = judgements.frame
    if judgements.superseded is not None:
        frame = pl.concat([judgements.superseded, frame])
    if judgements.adjudicated is not None:
        frame = pl.concat([frame, judgements.adjudicated])
    if not judgements.categories:
        return frame
    words = pl.Series("value", judgements.categories, dtype=pl.String)
    return frame.with_columns(words.gather(frame["value"].cast(pl.Int64)))


def _write_items(judgements: Judgements, path: Path) -> None:
    """Write the items beside the answers, or delete those of an older file."""
    if judgements.items is None:
        path.unlink(missing_ok=True)
        return
    items = Benchmark(name=judgements.name, frame=judgements.items, scale=None, licence=judgements.licence)
    write(items, path)


def _save_csv(frame: pl.DataFrame, path: Path) -> None:
    """Write CSV; a tuple is written as numbered columns: item1, item2, and so on."""
    if "items" in frame.columns:
        numbers = range(max(frame["items"].list.len().to_list()))
        shown = [pl.col("items").list.get(at, null_on_oob=True).alias(f"item{at + 1}") for at in numbers]
        context = [name for name in ("question", "annotator", "round", "seconds") if name in frame.columns]
        frame = frame.select(*context, *shown, pl.exclude("items", *context))
    frame.write_csv(path)


JUDGEMENT_WRITERS: Mapping[str, Callable[[pl.DataFrame, Path], Any]] = {
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "csv": _save_csv,
}
"""The formats in which judgements can be written."""
