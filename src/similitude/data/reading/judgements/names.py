"""Names of annotators, items and questions: stray white space and other Unicode forms do not make another name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from similitude.data.plural import counted
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.problems import excerpt

__all__ = ["case_warnings", "tidy_name", "tidy_names", "whole_numbers"]

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
HARD_SPACE = re.compile("[\u00a0\u2007\u202f]")
WHOLE = re.compile(r"^(\d+)\.0+$")
"""A whole number that was stored as a float, as pandas does where a column has gaps."""

JOINERS = "\u200c\u200d"
"""Part of the spelling inside a word, but not at its ends."""

NAMES: Mapping[str, str] = {"annotator": "annotator", "item": "item", "question": "question", "group": "group"}
"""Columns that name something, and what they name."""


def tidy_name(name: str) -> str:
    r"""The name without white space and invisible characters at its ends, in Unicode's composed form.

    >>> tidy_name("ann ") == tidy_name("ann\u00a0") == tidy_name("\ufeffann") == "ann"
    True
    >>> tidy_name("Rene\u0301") == "Ren\u00e9"
    True
    """
    plain = HARD_SPACE.sub(" ", INVISIBLE.sub("", name))
    return unicodedata.normalize("NFC", plain.strip().strip(JOINERS).strip())


def tidy_names(answers: Answers) -> Answers:
    """The answers with tidy names, and a note on how many names changed."""
    frame, notes = answers.frame, []
    for column, noun in NAMES.items():
        if column in frame.columns:
            changed = _changes(frame[column])
            frame = frame.with_columns(_renamed(column, changed)) if changed else frame
            notes += _notes(changed, noun, answers.table.file)
    items = answers.items
    if "items" in frame.columns:
        changed = _changes(frame["items"].explode()) | _changes(frame["best"]) | _changes(frame["worst"])
        if changed:
            several = pl.col("items").list.eval(pl.element().replace(changed))
            frame = frame.with_columns(_renamed("best", changed), _renamed("worst", changed), several)
            notes += _notes(changed, "item", answers.table.file)
    if items is not None and "id" in items.columns and (changed := _changes(items["id"])):
        items = items.with_columns(_renamed("id", changed))
    return replace(answers, frame=frame, items=items, notes=(*answers.notes, *notes))


def whole_numbers(parts: Sequence[Answers]) -> list[Answers]:
    """The answers with annotators and items as 1 where they are written both as 1 and as 1.0, and notes on that."""
    for column in ("annotator", "item"):
        written = {name for part in parts for name in _distinct(part, column)}
        both = {name: short.group(1) for name in written if (short := WHOLE.match(name)) and short.group(1) in written}
        parts = [_with_whole(part, column, both) for part in parts] if both else parts
    return list(parts)


def _distinct(part: Answers, column: str) -> list[str]:
    return part.frame[column].drop_nulls().unique().to_list() if column in part.frame.columns else []


def _with_whole(part: Answers, column: str, both: Mapping[str, str]) -> Answers:
    here = [name for name in _distinct(part, column) if name in both]
    if not here:
        return part
    renamed = replace(part, frame=part.frame.with_columns(pl.col(column).replace(both)))
    if column == "item" and part.items is not None and "id" in part.items.columns:
        renamed = replace(renamed, items=part.items.with_columns(pl.col("id").replace(both)))
    first = min(here)
    same = f"{excerpt(first)} and {excerpt(both[first])} are one {column}"
    return renamed.with_notes(f"{part.table.file}: {same}, as are {counted(len(here), column)} in all written so")


def case_warnings(frame: pl.DataFrame) -> Iterator[str]:
    """A warning for names of annotators that differ only in case; they stay different people."""
    for column in ("annotator", "item"):
        if column in frame.columns:
            yield from _same_but_case(frame[column].drop_nulls().unique(maintain_order=True).to_list(), column)


def _same_but_case(names: Iterable[str], noun: str) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            yield f"{noun}s {excerpt(other)} and {excerpt(name)} differ only in case; they are read as two {noun}s"


def _changes(names: pl.Series) -> dict[str, str]:
    """Names that are not tidy, to their tidy forms."""
    distinct = names.drop_nulls().unique(maintain_order=True).to_list()
    return {name: tidy for name in distinct if (tidy := tidy_name(name)) != name}


def _renamed(column: str, changed: Mapping[str, str]) -> pl.Expr:
    renamed = pl.col(column).replace(changed)
    return pl.when(renamed != "").then(renamed).alias(column)


def _notes(changed: Mapping[str, str], noun: str, file: str) -> list[str]:
    if not changed:
        return []
    old, new = next(iter(changed.items()))
    said = f"stray white space or another Unicode form in the names of {counted(len(changed), noun)}"
    return [f"{file}: {said} ({excerpt(old)} is read as {excerpt(new)})"]
