"""The items to judge: those of a benchmark, or a plain list of ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from similitude.collect.design.plural import named_few
from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.errors import ArgumentError, InputError

__all__ = ["COLUMNS", "ItemData", "Subjects", "read_subjects"]

ItemData = BenchmarkData | Sequence[str]
"""What `read_subjects` takes."""

COLUMNS = ("turns", "group", "language", "domain", "source", "split")
"""Columns that pages can be mixed by; ``turns`` is the length of the dialogue."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Subjects:
    """Items without their texts.

    Attributes:
        name: the name of the data.
        frame: one row per item: id, condition, and the columns of `COLUMNS`; unknown values are null.
        only_ids: whether only the ids are known.
        notes: what the reader decided or skipped.
    """

    name: str
    frame: pl.DataFrame
    only_ids: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of_benchmark(cls, benchmark: Benchmark) -> Subjects:
        """The items of a benchmark."""
        turns = pl.col("context").list.len().cast(pl.String).alias("turns")
        left_out = (f"skipped: {skipped.where}: {skipped.why}" for skipped in benchmark.provenance.skipped)
        return cls(
            name=benchmark.name,
            frame=benchmark.frame.select("id", "condition", turns, *COLUMNS[1:]),
            notes=(*benchmark.provenance.notes, *left_out),
        )

    @classmethod
    def of_ids(cls, name: str, ids: Sequence[str]) -> Subjects:
        """Items of which only the ids are known."""
        empty = [pl.lit(None, dtype=pl.String).alias(column) for column in ("condition", *COLUMNS)]
        frame = pl.DataFrame({"id": list(ids)}, schema={"id": pl.String()}).with_columns(empty)
        return cls(name=name, frame=frame, only_ids=True)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def ids(self) -> list[str]:
        """The ids, in order."""
        return self.frame["id"].to_list()

    def column(self, name: str) -> list[str]:
        """The values of a column, one for every item.

        Raises:
            ArgumentError: there is no such column, or an item has no value in it.
        """
        if name not in self.frame.columns:
            raise ArgumentError(f"no column '{name}'", where=self.name, remedy=f"use one of {', '.join(COLUMNS)}")
        without = self.frame.filter(pl.col(name).is_null())["id"].to_list()
        if without:
            there = [one for one in COLUMNS if self.frame[one].null_count() == 0]
            what = f"{counted(len(without), 'item')} of {len(self):,} without {name}: {named_few(without)}"
            remedy = f"columns in which every item has a value: {', '.join(there) or 'none'}"
            raise ArgumentError(what, where=self.name, remedy=remedy)
        return self.frame[name].to_list()


def read_subjects(data: ItemData, **options: Any) -> Subjects:
    """Read the items to judge.

    Args:
        data: what `open_benchmark` takes, a list or column of ids, or a .txt file with one id per line; blank lines are
            skipped. SemEval's STS.input.NAME.txt is a benchmark.
        options: for `open_benchmark`; if a format is named, a .txt file is read as a benchmark too.

    Raises:
        InputError: the file is invalid, or an id occurs twice.
    """
    ids = _listed_ids(data)
    if ids is not None:
        return Subjects.of_ids("items", _once_each(ids, "items"))
    path = Path(data) if isinstance(data, str | Path) else Path()
    if path.suffix.lower() == ".txt" and not path.name.startswith("STS.") and options.get("format") is None:
        return Subjects.of_ids(path.name, _read_ids(path, options.get("encoding", "utf-8")))
    return Subjects.of_benchmark(open_benchmark(data, **options))


def _listed_ids(data: Any) -> list[str] | None:
    """The ids in a list, a set in order, or a column of a table; None if this is something else.

    Raises:
        InputError: an id is empty.
    """
    if isinstance(data, str | Path | Benchmark) or not isinstance(data, Sequence | pl.Series) | hasattr(data, "dtype"):
        return None
    values = list(data)
    if not values or not all(isinstance(value, str | int) and not isinstance(value, bool) for value in values):
        return None
    ids = [str(value).strip() for value in values]
    if not all(ids):
        raise InputError(f"the id at position {ids.index('')} is empty", remedy="give every item an id")
    return ids


def _read_ids(path: Path, encoding: str) -> list[str]:
    from similitude.data.reading.problems import settle
    from similitude.data.reading.text_decoder import load_text

    text = load_text(path, encoding)
    settle(text.problems, "stop")
    return _once_each([line.strip() for line in text.lines if line.strip()], path.name)


def _once_each(ids: list[str], where: str) -> list[str]:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        what = f"{counted(len(twice), 'id')} more than once: {named_few(twice)}"
        raise InputError(what, where=where, remedy="give each id once, in a file one per line")
    return ids
