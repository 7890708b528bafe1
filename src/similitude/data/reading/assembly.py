"""One benchmark from the drafts of one or several files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA, Benchmark
from similitude.data.distinct_ids import are_distinct
from similitude.data.item import with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.data.provenance import FileReading, Provenance
from similitude.data.reading.drafts import Draft
from similitude.data.reading.facts import distinct, joined_fact
from similitude.data.reading.problems import nothing_left, settle
from similitude.data.reading.row_checks import off_scale, repeated_ids
from similitude.data.reading.scales import FileScores, settle_scale
from similitude.data.reading.tables import rows_where
from similitude.data.scale import Scale

__all__ = ["FilePart", "combine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePart:
    """One table that becomes part of a benchmark.

    Attributes:
        draft: the table in our columns.
        label: a short, unique prefix for its ids, used if several tables have the same ids.
        format: the name of its format.
    """

    draft: Draft
    label: str
    format: str

    def reading(self) -> FileReading:
        """How the table was understood."""
        table = self.draft.table
        return FileReading(
            file=table.file,
            container=table.container,
            layout=self.format,
            rows=len(table) + table.rowless(),
            kept=int(self.draft.sound.sum()),
            columns=self.draft.columns,
            unused=self.draft.unused,
            details=table.details,
            missing=self.draft.missing,
        )


def combine(parts: Sequence[FilePart], *, scale: Scale | None, on_error: str, name: str, named: bool) -> Benchmark:
    """The benchmark of all sound rows.

    Args:
        parts: the tables, in order.
        scale: the scale that the user declared.
        on_error: "stop" or "skip".
        name: the name of the benchmark.
        named: whether the user gave the name; if not, a name that the files state comes first.

    Raises:
        InputError: a row is bad and ``on_error`` is "stop", or no row is left.
        ScaleError: the parts have different scales.
    """
    settled = settle_scale([_file_scores(part.draft) for part in parts], scale)
    parts = [replace(part, draft=_checked(part.draft, settled.scale)) for part in parts]
    skipped = [record for part in parts for record in settle(part.draft.problems, on_error)]
    frames = [rows_where(part.draft.frame, part.draft.sound) for part in parts]
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
            format=", ".join(distinct(part.format for part in parts)),
            notes=distinct([*notes, *settled.notes, *id_notes]),
            warnings=distinct(warning for part in parts for warning in part.draft.warnings),
            readings=tuple(part.reading() for part in parts),
            skipped=tuple(skipped),
            judged_by=joined_fact(facts, "judged_by"),
            aggregation=joined_fact(facts, "aggregation"),
        ),
        judgements=judgements,
    )


def _checked(draft: Draft, scale: Scale | None) -> Draft:
    """The draft with the problems that need the scale, or all rows, to be found."""
    if scale is not None:
        problems, mask = off_scale(draft.frame, draft.table, scale)
        draft = draft.with_problems(mask, problems)
    problems, mask = repeated_ids(draft.frame, draft.table, draft.sound)
    return draft.with_problems(mask, problems)


def _file_scores(draft: Draft) -> FileScores:
    frame = rows_where(draft.frame, draft.sound)
    scores = frame["score"].drop_nulls().to_numpy() if "score" in frame.columns else np.zeros(0)
    return FileScores(draft.table.file, draft.scale, scores)


def _with_distinct_ids(
    parts: Sequence[FilePart], frames: Sequence[pl.DataFrame]
) -> tuple[list[pl.DataFrame], pl.DataFrame | None, list[str]]:
    """The frames with distinct ids, their judgements, and a note if ids were changed."""
    clash = len(parts) > 1 and not are_distinct(pl.concat([frame["id"] for frame in frames]))
    renamed: list[pl.DataFrame] = []
    judgements: list[pl.DataFrame] = []
    for part, frame in zip(parts, frames, strict=True):
        prefix = f"{part.label}/" if clash else ""
        renamed.append(frame.with_columns(id=prefix + pl.col("id")) if clash else frame)
        if part.draft.table.judgements is not None:
            judgements.append(_prefixed(part.draft.table.judgements, prefix))
    notes = [f"files share ids, so each id begins with the name of its file: {renamed[0]['id'][0]}"] if clash else []
    return renamed, pl.concat(judgements) if judgements else None, notes


def _prefixed(judgements: pl.DataFrame, prefix: str) -> pl.DataFrame:
    names = (prefix + pl.col("best", "worst")).name.keep()
    items = pl.col("items").list.eval(prefix + pl.element())
    return judgements.with_columns(names, items).select(BEST_WORST_SCHEMA.names())
