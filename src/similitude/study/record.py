"""The record of the benchmark that a run measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.provenance import FileReading, of_all

__all__ = ["BenchmarkRecord", "judgements_record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRecord:
    """Which data was measured.

    Attributes:
        fingerprint: hash of items, gold and scale.
        items_fingerprint: hash of the items alone, on which predictions depend.
        judged_by: who judged; says "simulated" where nobody did.
        warnings: what is likely to be wrong with the data.
        readings: how each file was understood.
        drawn_from: of how many items these were drawn at random; None if they are all.
    """

    name: str
    split: str | None
    items: int
    scale: str | None
    scale_origin: str | None
    fingerprint: str
    items_fingerprint: str
    judged_by: str | None
    licence: str | None
    files: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    readings: tuple[FileReading, ...] = ()
    drawn_from: int | None = None

    @classmethod
    def of(cls, benchmark: Benchmark, split: str | None) -> BenchmarkRecord:
        """Describe a benchmark."""
        scale = benchmark.scale
        return cls(
            name=benchmark.name,
            split=split,
            items=len(benchmark),
            scale=None if scale is None else str(scale),
            scale_origin=None if scale is None else scale.origin,
            fingerprint=benchmark.fingerprint,
            items_fingerprint=benchmark.items.fingerprint,
            judged_by=benchmark.provenance.judged_by,
            licence=benchmark.licence,
            files=benchmark.provenance.files,
            notes=benchmark.provenance.notes,
            warnings=benchmark.provenance.warnings,
            readings=benchmark.provenance.readings,
            drawn_from=benchmark.provenance.drawn_from,
        )

    @property
    def counted(self) -> str:
        """``600 of 1,500`` if items were drawn."""
        return of_all(self.items, self.drawn_from)

    @property
    def is_simulated(self) -> bool:
        """Whether the judgements come from a model of annotators."""
        return "simulated" in (self.judged_by or "").lower()


def judgements_record(judgements: Judgements) -> dict[str, Any]:
    """What was understood of judgements, as JSON types."""
    scale, source = judgements.scale, judgements.provenance
    return {
        "name": judgements.name,
        "kind": judgements.kind,
        "answers": len(judgements),
        "items": len(judgements.judged),
        "annotators": len(judgements.annotators) or None,
        "categories": list(judgements.categories),
        "scale": None if scale is None else str(scale),
        "scale_origin": None if scale is None else scale.origin,
        "superseded": 0 if judgements.superseded is None else judgements.superseded.height,
        "licence": judgements.licence,
        **{name: asdict(source)[name] for name in ("files", "notes", "warnings", "readings", "skipped", "judged_by")},
    }
