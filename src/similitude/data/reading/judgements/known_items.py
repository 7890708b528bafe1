"""The items that were judged, from a benchmark or from the files of judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.provenance import Provenance
from similitude.data.reading.facts import distinct
from similitude.data.reading.judgements.answer_checks import unknown_items
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.names import tidy_name
from similitude.data.reading.problems import excerpt
from similitude.errors import InputError

__all__ = ["KnownItems", "items_beside", "own_items", "refuse_several_texts", "rename_by_text"]

SIDES = ("left", "right")
SHOWN = (*SIDES, "context", "condition")
"""What an item shows: its id stands for all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownItems:
    """The only items that answers may be about.

    Attributes:
        name: the name of the benchmark that has these items.
        frame: the items, with the columns of `ITEM_SCHEMA`.
        licence: the licence of the texts.
        provenance: how the file of the items was read.
    """

    name: str
    frame: pl.DataFrame
    licence: str | None = None
    provenance: Provenance = field(default_factory=Provenance)

    @classmethod
    def of(cls, benchmark: Benchmark) -> KnownItems:
        """The items of a benchmark."""
        frame = benchmark.frame.select(ITEM_SCHEMA.names())
        return cls(name=benchmark.name, frame=frame, licence=benchmark.licence, provenance=benchmark.provenance)

    def fitted(self, answers: Answers) -> Answers:
        """The answers with the ids of these items; answers about other items are marked as bad."""
        untidy = {tidy: name for name in self.frame["id"].to_list() if (tidy := tidy_name(name)) != name}
        named = rename_by_text(
            replace(answers, frame=_renamed(answers.frame, untidy)) if untidy else answers, self.frame
        )
        return unknown_items(replace(named, items=None), self.frame["id"], self.name)

    def judged(self, ids: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...]]:
        """The items that were judged, and a note if some were not."""
        judged = self.frame.filter(pl.col("id").is_in(list(ids)))
        idle = self.frame.height - judged.height
        return judged, ((f"{idle:,} of {self.frame.height:,} items of '{self.name}' were not judged",) if idle else ())


def items_beside(path: Path) -> Path:
    """The path of the items that belong to a file of judgements: ``answers.items.jsonl`` for ``answers.csv``."""
    return path.with_name(f"{path.stem}.items.jsonl")


def own_items(parts: Sequence[Answers], ids: Sequence[str]) -> tuple[pl.DataFrame | None, tuple[str, ...]]:
    """The judged items whose texts the files contain, and a note about missing texts."""
    frames = [with_all_columns(part.items, ITEM_SCHEMA) for part in parts if part.items is not None]
    if not frames:
        return None, ()
    known = pl.concat(frames).unique("id", keep="first", maintain_order=True).filter(pl.col("id").is_in(list(ids)))
    lacking = len(ids) - known.height
    notes = [f"the texts of {lacking:,} of {len(ids):,} items are not known"] if lacking else []
    return (known if known.height else None), tuple(notes)


def refuse_several_texts(parts: Sequence[Answers]) -> None:
    """Check that no id names several items.

    Raises:
        InputError: answers about other texts, or under another condition, have the same id.
    """
    frames = [with_all_columns(part.items, ITEM_SCHEMA) for part in parts if part.items is not None]
    if not frames:
        return
    shown = pl.concat(frames).select("id", *SHOWN)
    either = [pl.min_horizontal(SIDES).alias("left"), pl.max_horizontal(SIDES).alias("right")]  # sides may change
    shown = shown.with_columns(either).with_columns(pl.col("context").list.join("\x1f")).unique(maintain_order=True)
    twice = shown.filter(pl.col("id").is_duplicated() & pl.col("id").is_not_null())
    if twice.is_empty():
        return
    first = twice.filter(pl.col("id") == twice["id"][0])
    other = next(name for name in SHOWN if first[name].n_unique() > 1)
    both = " and ".join(excerpt(text) for text in first[other].unique(maintain_order=True).to_list()[:2])
    what = f"item {excerpt(first['id'][0])} has several texts: {both} ({twice['id'].n_unique():,} such ids)"
    remedy = "name the column of the items with --column item=NAME, or name them after their texts with --column item="
    raise InputError(what, where=", ".join(distinct(part.table.file for part in parts)), remedy=remedy)


def rename_by_text(answers: Answers, items: pl.DataFrame) -> Answers:
    """The answers with the ids that a benchmark gives to their texts."""
    if answers.items is None:
        return answers
    texts = items.select("left", "right", theirs="id").unique(["left", "right"], keep="first", maintain_order=True)
    strange = answers.items.unique("id").join(items, on="id", how="anti").join(texts, on=["left", "right"])
    if strange.is_empty():
        return answers
    ids = dict(zip(strange["id"].to_list(), strange["theirs"].to_list(), strict=True))
    return replace(answers, frame=_renamed(answers.frame, ids))


def _renamed(frame: pl.DataFrame, ids: dict[str, str]) -> pl.DataFrame:
    one = [pl.col(name).replace(ids) for name in ("best", "worst", "item") if name in frame.columns]
    several = [pl.col("items").list.eval(pl.element().replace(ids))] if "items" in frame.columns else []
    return frame.with_columns(*one, *several)
