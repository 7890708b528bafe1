"""Sources of evidence, and how they are created from their names or from a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import Listener, System, VectorCache
from similitude.errors import ArgumentError
from similitude.registry import parse
from similitude.systems.attach_cache import fingerprint_of
from similitude.systems.evidence.overlap_source import OVERLAP, OverlapSource
from similitude.systems.evidence.system_source import SystemSource, make_source_system

__all__ = ["EvidenceSource", "fit_source", "identity_of", "model_of", "source_from_record", "system_of"]


class EvidenceSource(Protocol):
    """A fitted source of evidence."""

    @property
    def written(self) -> str:
        """The source as the user wrote it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its features."""

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of features in each of its blocks."""

    @property
    def reads(self) -> frozenset[str]:
        """Which of context and condition it reads."""
        ...

    def of(self, items: Items) -> NDArray[np.float64]:
        """Features as items x features; each distinct pair is computed once."""
        ...

    def record(self) -> dict[str, Any]:
        """Everything but the arrays, ready for JSON."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name."""
        ...

    def fingerprint(self) -> str | None:
        """The fingerprint of its model; None if it has none."""

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> EvidenceSource:
        """The same source with a cache and a listener."""
        ...


def identity_of(written: str) -> str:
    """The canonical name of a source, equal for two spellings of it.

    Raises:
        UnknownNameError: there is no such source.
        ArgumentError: it cannot be created.
    """
    system = system_of(written)
    return OVERLAP if system is None else str(system.identity)


def model_of(written: str) -> str | None:
    """The fingerprint of a source's model, before anything is learned; None if it has none."""
    system = system_of(written)
    return None if system is None else fingerprint_of(system)


def system_of(written: str) -> System | None:
    """The system of a source; None for overlap, which is none.

    Raises:
        UnknownNameError: there is no such source.
        ArgumentError: it cannot be created.
    """
    return None if _is_overlap(written) else make_source_system(written)


def fit_source(written: str, items: Items, cache: VectorCache | None, listener: Listener | None) -> EvidenceSource:
    """Fit the named source on these items."""
    if _is_overlap(written):
        return OverlapSource.fit(items, listener)
    return SystemSource.fit(written, items, cache, listener)


def source_from_record(
    record: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    cache: VectorCache | None,
    listener: Listener | None,
) -> EvidenceSource:
    """Rebuild a source from its ``record`` and ``arrays``."""
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
