"""The items that were judged, from a benchmark or from the files of judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.provenance import Provenance
from similitude.data.reading.judgements.answer_checks import unknown_items
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.names import tidy_name

__all__ = ["KnownItems", "items_beside", "own_items", "rename_by_text"]


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
    """The judged items whose texts the files contain, and notes about missing and contradictory texts."""
    frames = [with_all_columns(part.items, ITEM_SCHEMA) for part in parts if part.items is not None]
    if not frames:
        return None, ()
    shown = pl.concat(frames).unique(["id", "left", "right"], keep="first", maintain_order=True)
    shown = shown.filter(pl.col("id").is_in(list(ids)))
    known = shown.unique("id", keep="first", maintain_order=True)
    lacking = len(ids) - known.height
    notes = [f"the texts of {lacking:,} of {len(ids):,} items are not known"] if lacking else []
    twice = shown.group_by("id").len().filter(pl.col("len") > 1).height
    notes += [f"{twice:,} ids have more than one pair of texts; the first is kept"] if twice else []
    return (known if known.height else None), tuple(notes)


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
