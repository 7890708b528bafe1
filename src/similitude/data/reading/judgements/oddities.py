"""Unusual answers, which are kept and counted in notes."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.judgements import Kind
from similitude.data.plural import agreeing

__all__ = ["oddities"]

ITEMS = pl.col("items")


def oddities(frame: pl.DataFrame, kind: Kind) -> tuple[str, ...]:
    """One note for each kind of unusual answer.

    Args:
        frame: the answers that count, with a question in every row.
        kind: the kind of the answers.
    """
    return tuple(_best_worst(frame) if kind == "best-worst" else _ratings(frame))


def _best_worst(frame: pl.DataFrame) -> Iterator[str]:
    same, repeated = frame.select(
        (pl.col("best") == pl.col("worst")).sum().alias("same"), (ITEMS.list.n_unique() < ITEMS.list.len()).sum()
    ).row(0)
    if same:
        yield f"{agreeing(same, 'answer', 'names', 'name')} one item both best and worst"
    if repeated:
        yield f"{agreeing(repeated, 'answer', 'is', 'are')} about a tuple that repeats an item; each occurrence counts"
    sizes = frame["items"].list.len().unique().sort().to_list()
    if len(sizes) > 1:
        yield f"tuples have {sizes[0]} to {sizes[-1]} items"
    if frame["annotator"].null_count():
        yield "annotators are not named; equal rows are taken to come from different people"
    yield from _spread(frame, "question", "tuple")


def _ratings(frame: pl.DataFrame) -> Iterator[str]:
    refused = int((~frame["applies"].fill_null(value=True)).sum())
    if refused:
        yield f"{agreeing(refused, 'answer', 'says', 'say')} that the question does not apply, without a rating"
    if frame["annotator"].null_count():
        yield "annotators are not named; equal rows are taken to come from different people"
    yield from _spread(frame, "item", "item")


def _spread(frame: pl.DataFrame, column: str, what: str) -> Iterator[str]:
    counts = frame.group_by(column).len()["len"]
    fewest, most = int(counts.min() or 0), int(counts.max() or 0)  # type: ignore[arg-type]
    if fewest < most:
        yield f"{fewest:,} to {most:,} answers for each {what}"
