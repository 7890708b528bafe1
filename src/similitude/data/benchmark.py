"""Benchmark: items, gold, scale and provenance in one table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.distinct_ids import are_distinct
from similitude.data.frames import Tabular
from similitude.data.gold import GOLD_SCHEMA, Gold, GoldColumns
from similitude.data.item import ITEM_SCHEMA, Item, Items, update_by_rows, with_all_columns
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, GoldError, InputError

__all__ = ["BENCHMARK_SCHEMA", "Benchmark"]

BENCHMARK_SCHEMA = pl.Schema({**ITEM_SCHEMA, **GOLD_SCHEMA})
"""All columns of a benchmark: those of items, then those of gold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Benchmark(Shown, Tabular):
    """Items with gold on a scale.

    Build one with `Benchmark.from_columns` or by reading a file.

    Attributes:
        name: its name in tables.
        frame: one row per item, with the columns of `BENCHMARK_SCHEMA`.
        scale: the scale of the scores; None only if no item has a score and no scale was declared.
        licence: the terms under which the texts may be used, if known.
        provenance: where it comes from.
        judgements: raw best-worst judgements (`BEST_WORST_SCHEMA`), if any; ratings are columns of ``frame``.

    >>> import similitude as sim
    >>> pets = sim.Benchmark.from_columns("pets", left=["a cat", "a dog"], right=["one cat", "a car"], score=[4.5, 0.5])
    >>> len(pets), pets.gold.scores
    (2, array([4.5, 0.5]))
    """

    name: str
    frame: pl.DataFrame
    scale: Scale | None
    licence: str | None = None
    provenance: Provenance = field(default_factory=Provenance)
    judgements: pl.DataFrame | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "frame", with_all_columns(self.frame, BENCHMARK_SCHEMA))
        if self.frame.is_empty():
            raise InputError("no items", where=self.name, remedy="a benchmark needs at least one row")
        ids = self.frame["id"]
        if not are_distinct(ids):
            first = ids.filter(ids.is_duplicated())[0]
            raise InputError(f"more than one item has the id '{first}'", where=self.name, remedy="make ids unique")

    @classmethod
    def from_columns(
        cls, name: str = "unnamed", *, scale: str | Scale | tuple[float, float] | None = None, **columns: Any
    ) -> Benchmark:
        """A benchmark from columns such as ``left=[...], right=[...], score=[...]``, checked like the rows of a file.

        A score that is None or nan is missing.

        >>> from_lists = Benchmark.from_columns(left=["a b", "c"], right=["a c", "d"], score=[4, 0.5], scale="0..5")
        >>> from_lists
        <Benchmark 'unnamed': 2 items, scale 0..5 (declared)>

        Raises:
            ArgumentError: a column is not known, or columns have different lengths.
            InputError: a row is not valid.
        """
        unknown = set(columns) - set(BENCHMARK_SCHEMA)
        if unknown or not {"left", "right"} <= set(columns):
            known = ", ".join(BENCHMARK_SCHEMA.names())
            raise ArgumentError(
                f"cannot make items from the columns {', '.join(sorted(columns))}",
                remedy=f"give left and right; known: {known}",
            )
        # The readers lie above the nouns, so they are imported by name, when they are asked for.
        reader = import_module("similitude.data.reading.columns")
        made: Benchmark = reader.benchmark_of_columns(columns, name=name, scale=scale)
        return made

    def to_polars(self) -> pl.DataFrame:
        """One row per item, without empty columns, and with columns for the scale and other facts.

        `similitude.read` makes the same benchmark of it, but for best-worst judgements, which are another table:
        ``Benchmark.judgements``.
        """
        # The writers lie above the nouns, so they are imported by name, when they are asked for.
        table: pl.DataFrame = import_module("similitude.data.writing.benchmark").benchmark_table(self)
        return table

    def to_hf(self) -> Any:
        """The table of `to_polars` as a ``datasets.Dataset``, or a ``datasets.DatasetDict`` if items have splits.

        Raises:
            MissingExtraError: Hugging Face ``datasets`` is not installed.
        """
        return import_module("similitude.data.writing.huggingface").dataset_of_benchmark(self)

    def __repr__(self) -> str:
        scale = "no scale" if self.scale is None else f"scale {self.scale} ({self.scale.origin})"
        simulated = ", simulated judgements" if self.is_simulated else ""
        return f"<Benchmark '{self.name}': {len(self):,} items, {scale}{simulated}>"

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[tuple[Item, Gold]]:
        lists = [name for name, dtype in GOLD_SCHEMA.items() if isinstance(dtype, pl.List)]
        for item, row in zip(self.items, self.frame.select(GOLD_SCHEMA.names()).iter_rows(named=True), strict=True):
            yield item, Gold(scale=self.scale, **row | {name: tuple(row[name] or ()) for name in lists})

    @cached_property
    def items(self) -> Items:
        """The items, without gold."""
        return Items(self.frame)

    @cached_property
    def gold(self) -> GoldColumns:
        """The gold, as arrays."""
        return GoldColumns(self.frame.select(GOLD_SCHEMA.names()), self.scale)

    @property
    def is_simulated(self) -> bool:
        """Whether a model of annotators gave the judgements, not people."""
        return "simulated" in (self.provenance.judged_by or "").lower()

    @property
    def splits(self) -> list[str]:
        """The names of the splits, in order of appearance."""
        return self.frame["split"].drop_nulls().unique(maintain_order=True).to_list()

    @cached_property
    def fingerprint(self) -> str:
        """A hash of items, gold and scale, which does not depend on the file that they came from."""
        digest = hashlib.sha256(str(self.scale).encode())
        update_by_rows(digest, self.frame)
        return digest.hexdigest()

    def select(self, *, split: str | None = None, with_gold: bool = False) -> Benchmark:
        """Some of the items.

        Args:
            split: only the items of this split.
            with_gold: only the items whose score is known.

        Raises:
            ArgumentError: there is no such split; the message lists the splits.
            InputError: no item has a score.
        """
        frame = self.frame
        if split is not None:
            if split not in self.splits:
                splits = ", ".join(self.splits) or "none"
                raise ArgumentError(f"'{self.name}' has no split '{split}'", remedy=f"splits there: {splits}")
            frame = frame.filter(pl.col("split") == split)
        if with_gold:
            frame = frame.filter(pl.col("score").is_not_null())
            if frame.is_empty():
                raise self._without_gold()
        return self if frame.height == len(self) else replace(self, frame=frame)

    def _without_gold(self) -> InputError:
        """The error for a benchmark without scores: no column of the file was taken for them, or they are hidden."""
        readings = self.provenance.readings
        unused = [name for reading in readings for name in reading.unused]
        if self.frame["ratings"].null_count() < len(self):
            remedy = "make it of the ratings with 'similitude gold'"
            return InputError("no item has gold, but people's ratings are there", where=self.name, remedy=remedy)
        if not unused or any("score" in reading.columns for reading in readings):
            remedy = "use a split whose labels are not hidden, or data with a column of scores"
            return GoldError("no item has gold", where=self.name, remedy=remedy)
        what = f"no column was recognised as the score; columns that were not used: {', '.join(unused[:10])}"
        people = "; if these are the ratings of several people, 'similitude gold' makes gold of them"
        remedy = f"name it with --column score=NAME{people if len(unused) > 1 else ''}"
        return InputError(what, where=self.name, remedy=remedy)

    def take(self, positions: NDArray[np.intp]) -> Benchmark:
        """The items at these positions, in this order, with their gold."""
        return replace(self, frame=self.frame[positions])
