"""Pseudonyms: annotators by numbers instead of names, the same in gold and in the answers behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements

__all__ = ["pseudonymised"]


def pseudonymised(benchmark: Benchmark, judgements: Judgements | None) -> tuple[Benchmark, Judgements | None]:
    """Both with annotators called a1, a2, ... in order of first appearance, answers first.

    Every column that names annotators is changed: of answers, also those that do not count and the decisions of
    leaders; of gold, the raters of ratings and the best-worst answers it keeps.
    """
    names = pl.concat([*_names_of_answers(judgements), *_names_of_gold(benchmark)])
    known = names.drop_nulls().unique(maintain_order=True)
    width = len(str(len(known)))
    called = pl.Series([f"a{number:0{width}}" for number in range(1, len(known) + 1)], dtype=pl.String)
    frame = benchmark.frame.with_columns(
        pl.col("raters").list.eval(pl.element().replace_strict(known, called, default=None, return_dtype=pl.String))
    )
    kept = benchmark.judgements
    gold = replace(benchmark, frame=frame, judgements=None if kept is None else _renamed(kept, known, called))
    if judgements is None:
        return gold, None
    answers = replace(
        judgements,
        frame=_renamed(judgements.frame, known, called),
        superseded=None if judgements.superseded is None else _renamed(judgements.superseded, known, called),
        adjudicated=None if judgements.adjudicated is None else _renamed(judgements.adjudicated, known, called),
    )
    return gold, answers


def _names_of_answers(judgements: Judgements | None) -> Iterable[pl.Series]:
    frames = () if judgements is None else (judgements.frame, judgements.superseded, judgements.adjudicated)
    yield pl.Series("annotator", [], dtype=pl.String)
    yield from (frame["annotator"] for frame in frames if frame is not None)


def _names_of_gold(benchmark: Benchmark) -> Iterable[pl.Series]:
    yield benchmark.frame["raters"].explode().alias("annotator")
    if benchmark.judgements is not None:
        yield benchmark.judgements["annotator"]


def _renamed(frame: pl.DataFrame, known: pl.Series, called: pl.Series) -> pl.DataFrame:
    renamed = pl.col("annotator").replace_strict(known, called, default=None, return_dtype=pl.String)
    return frame.with_columns(renamed)
