"""From checked drafts, of one file or of several, to one benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA, Benchmark, Provenance
from similitude.data.item import with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.data.reading.drafts import Draft
from similitude.data.reading.facts import distinct, joined_fact
from similitude.data.reading.problems import nothing_left, settle
from similitude.data.reading.row_checks import off_scale, repeated_ids
from similitude.data.reading.scales import FileScores, settle_scale
from similitude.data.scale import Scale

__all__ = ["FilePart", "combine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePart:
    """One table on its way into a benchmark.

    Attributes:
        draft: the table in our columns.
        label: what to put before its ids where several tables use the same; short and unique.
    """

    draft: Draft
    label: str


def combine(
    parts: Sequence[FilePart], *, scale: Scale | None, on_error: str, name: str, named: bool, format: str
) -> Benchmark:
    """One benchmark of all sound rows.

    Args:
        parts: in the order in which they are to stand.
        scale: the scale that the user declared.
        on_error: "stop" or "skip".
        name: what to call it.
        named: whether the user said so; if not, the files' own name for it comes first.
        format: for the record.

    Raises:
        InputError: a row is bad and ``on_error`` is "stop", or no row is left.
        ScaleError: the parts stand on different scales.
    """
    settled = settle_scale([_file_scores(part.draft) for part in parts], scale)
    parts = [replace(part, draft=_checked(part.draft, settled.scale)) for part in parts]
    skipped = [record for part in parts for record in settle(part.draft.problems, on_error)]
    frames = [part.draft.frame.filter(pl.Series(part.draft.sound)) for part in parts]
    if not any(frame.height for frame in frames):
        raise nothing_left("row", distinct(part.draft.table.file for part in parts), skipped)
    frames, judgements, id_notes = _with_distinct_ids(parts, frames)
    facts = [part.draft.facts for part in parts]
    notes = [note for part in parts for note in part.draft.notes]
    return Benchmark(
        name=name if named else joined_fact(facts, "benchmark") or name,
        frame=pl.concat([with_all_columns(frame, BENCHMARK_SCHEMA) for frame in frames]),
        scale=settled.scale,
        licence=joined_fact(facts, "licence"),
        provenance=Provenance(
            files=distinct(file for part in parts for file in (part.draft.table.file, *part.draft.table.partners)),
            format=format,
            notes=distinct([*notes, *settled.notes, *id_notes]),
            skipped=tuple(skipped),
            judged_by=joined_fact(facts, "judged_by"),
            aggregation=joined_fact(facts, "aggregation"),
        ),
        judgements=judgements,
    )


def _checked(draft: Draft, scale: Scale | None) -> Draft:
    """The draft with the problems that only the scale, or all its rows together, bring to light."""
    if scale is not None:
        problems, mask = off_scale(draft.frame, draft.table, scale)
        draft = draft.with_problems(mask, problems)
    problems, mask = repeated_ids(draft.frame, draft.table, draft.sound)
    return draft.with_problems(mask, problems)


def _file_scores(draft: Draft) -> FileScores:
    frame = draft.frame.filter(pl.Series(draft.sound))
    scores = frame["score"].drop_nulls().to_numpy() if "score" in frame.columns else np.zeros(0)
    return FileScores(draft.table.file, draft.scale, scores)


def _with_distinct_ids(
    parts: Sequence[FilePart], frames: Sequence[pl.DataFrame]
) -> tuple[list[pl.DataFrame], pl.DataFrame | None, list[str]]:
    """The frames, their judgements, and a note where ids of several tables had to be told apart."""
    ids = pl.concat([frame["id"] for frame in frames])
    clash = len(parts) > 1 and ids.n_unique() < len(ids)
    renamed: list[pl.DataFrame] = []
    judgements: list[pl.DataFrame] = []
    for part, frame in zip(parts, frames, strict=True):
        prefix = f"{part.label}/" if clash else ""
        renamed.append(frame.with_columns(id=prefix + pl.col("id")))
        if part.draft.table.judgements is not None:
            judgements.append(_prefixed(part.draft.table.judgements, prefix))
    notes = [f"ids stand in more than one file; each is preceded by its file's: {renamed[0]['id'][0]}"] if clash else []
    return renamed, pl.concat(judgements) if judgements else None, notes


def _prefixed(judgements: pl.DataFrame, prefix: str) -> pl.DataFrame:
    names = (prefix + pl.col("best", "worst")).name.keep()
    items = pl.col("items").list.eval(prefix + pl.element())
    return judgements.with_columns(names, items).select(BEST_WORST_SCHEMA.names())
