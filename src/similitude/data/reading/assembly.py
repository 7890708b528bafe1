"""From checked drafts, of one file or of several, to one benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA, Benchmark, Provenance, Skipped
from similitude.data.item import with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.data.reading.drafts import Draft
from similitude.data.reading.problems import settle
from similitude.data.reading.row_checks import off_scale, repeated_ids
from similitude.data.reading.scales import settle_scale
from similitude.data.scale import Scale
from similitude.errors import InputError

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
    settled = settle_scale([part.draft for part in parts], scale)
    parts = [replace(part, draft=_checked(part.draft, settled.scale)) for part in parts]
    skipped = [record for part in parts for record in settle(part.draft.problems, on_error)]
    frames = [part.draft.frame.filter(pl.Series(part.draft.sound)) for part in parts]
    if not any(frame.height for frame in frames):
        raise _nothing_left(parts, skipped)
    frames, judgements, id_notes = _with_distinct_ids(parts, frames)
    facts = _Facts([part.draft for part in parts])
    notes = [note for part in parts for note in part.draft.notes]
    return Benchmark(
        name=name if named else facts.said("benchmark") or name,
        frame=pl.concat([with_all_columns(frame, BENCHMARK_SCHEMA) for frame in frames]),
        scale=settled.scale,
        licence=facts.said("licence"),
        provenance=Provenance(
            files=_distinct(file for part in parts for file in (part.draft.table.file, *part.draft.table.partners)),
            format=format,
            notes=_distinct([*notes, *settled.notes, *id_notes]),
            skipped=tuple(skipped),
            judged_by=facts.said("judged_by"),
            aggregation=facts.said("aggregation"),
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


def _nothing_left(parts: Sequence[FilePart], skipped: Sequence[Skipped]) -> InputError:
    files = ", ".join(_distinct(part.draft.table.file for part in parts))
    first = f"; the first: {skipped[0].where}: {skipped[0].why}" if skipped else ""
    return InputError(
        f"no row is left; {len(skipped):,} were skipped{first}",
        where=files,
        remedy="read without --on-error skip to see what is wrong, or name the format with --format",
    )


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


class _Facts:
    """What the files say of the whole benchmark, said once."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._drafts = drafts

    def said(self, name: str) -> str | None:
        return "; ".join(_distinct(draft.facts[name] for draft in self._drafts if name in draft.facts)) or None


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
