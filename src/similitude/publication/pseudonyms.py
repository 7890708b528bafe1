"""Pseudonyms: annotators by numbers instead of names, the same in gold and in the answers behind it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.plural import counted
from similitude.data.provenance import Provenance

__all__ = ["pseudonymised"]

WIDE = "ratings-wide"
"""The layout of tables with a column for each rater."""


def pseudonymised(benchmark: Benchmark, judgements: Judgements | None) -> tuple[Benchmark, Judgements | None]:
    """Both with annotators called a1, a2, ... in order of first appearance, answers first.

    Every column that names annotators is changed: of answers, also those that do not count and the decisions of
    leaders; of gold, the raters of ratings and the best-worst answers it keeps. So is what the card tells of how files
    were read, where columns, files and notes may have people's names. Of a table with a column for each rater, columns
    that were not used may be people, too, and are only counted.
    """
    names = pl.concat([*_names_of_answers(judgements), *_names_of_gold(benchmark)])
    known = names.drop_nulls().unique(maintain_order=True)
    width = len(str(len(known)))
    called = pl.Series([f"a{number:0{width}}" for number in range(1, len(known) + 1)], dtype=pl.String)
    frame = benchmark.frame.with_columns(
        pl.col("raters").list.eval(pl.element().replace_strict(known, called, default=None, return_dtype=pl.String))
    )
    kept = None if benchmark.judgements is None else _renamed(benchmark.judgements, known, called)
    told = _retold(benchmark.provenance, dict(zip(known.to_list(), called.to_list(), strict=True)))
    gold = replace(benchmark, frame=frame, judgements=kept, provenance=told)
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


def _retold(provenance: Provenance, called: Mapping[str, str]) -> Provenance:
    """What is told of the files, with pseudonyms; names of one character and numbers tell nothing, and stay."""
    names = sorted((name for name in called if len(name) > 1 and not name.isdigit()), key=len, reverse=True)
    written = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in names) or '(?!)'})(?!\w)")

    def retell(text: str) -> str:
        return written.sub(lambda found: called[found[0]], unicodedata.normalize("NFC", text))

    def retell_all(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(retell(text) for text in texts)

    wide = {each.file for each in provenance.readings if each.layout == WIDE}
    readings = tuple(
        replace(
            each,
            file=retell(each.file),
            columns={ours: retell(theirs) for ours, theirs in each.columns.items()},
            unused=(counted(len(each.unused), "column"),)
            if each.file in wide and each.unused
            else retell_all(each.unused),
            details={name: retell(value) for name, value in each.details.items()},
        )
        for each in provenance.readings
    )
    return replace(
        provenance,
        files=retell_all(provenance.files),
        readings=readings,
        notes=retell_all(provenance.notes),
        warnings=retell_all(provenance.warnings),
        judged_by=None if provenance.judged_by is None else retell(provenance.judged_by),
    )
