"""What a source of evidence is, and making one from how it is written or from what was kept of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.registry import parse
from similitude.systems.attach_cache import fingerprint_of
from similitude.systems.evidence.overlap_source import OVERLAP, OverlapSource
from similitude.systems.evidence.system_source import SystemSource, make_source_system

__all__ = ["EvidenceSource", "fit_source", "identity_of", "model_of", "source_from_record"]


class EvidenceSource(Protocol):
    """One source, with what it learned."""

    @property
    def written(self) -> str:
        """As the user wrote it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of its numbers."""

    @property
    def widths(self) -> tuple[int, ...]:
        """Numbers of each of its blocks."""

    def of(self, items: Items) -> NDArray[np.float64]:
        """Items x numbers; each distinct pair is computed once."""
        ...

    def record(self) -> dict[str, Any]:
        """What rebuilds it, together with `arrays`."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What it learned, by name."""
        ...

    def fingerprint(self) -> str | None:
        """Changes with its model; None where there is none."""

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> EvidenceSource:
        """The same with a cache and a listener."""
        ...


def identity_of(written: str) -> str:
    """Equal for two ways of writing the same source.

    Raises:
        UnknownNameError: there is no such source.
        ArgumentError: it cannot be made as it is written.
    """
    return OVERLAP if _is_overlap(written) else str(make_source_system(written).identity)


def model_of(written: str) -> str | None:
    """The fingerprint of a source's model, before anything is learned; None where there is none."""
    return None if _is_overlap(written) else fingerprint_of(make_source_system(written))


def fit_source(written: str, items: Items, cache: VectorCache | None, listener: Listener | None) -> EvidenceSource:
    """The source that is written, fitted on these items."""
    if _is_overlap(written):
        return OverlapSource.fit(items, listener)
    return SystemSource.fit(written, items, cache, listener)


def source_from_record(
    record: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    cache: VectorCache | None,
    listener: Listener | None,
) -> EvidenceSource:
    """Back from what a source's ``record`` and ``arrays`` gave."""
    if _is_overlap(record["source"]):
        return OverlapSource.from_record(record, arrays, listener)
    return SystemSource.from_record(record, arrays, cache, listener)


def _is_overlap(written: str) -> bool:
    spec = parse(written)
    if spec.name.lower() != OVERLAP:
        return False
    if spec.arguments or spec.keywords or spec.at is not None:
        raise ArgumentError(f"cannot make '{written}'", remedy=f"{OVERLAP} takes no arguments")
    return True
