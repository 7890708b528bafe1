"""Evidence: the features of all sources, fitted on texts alone and never on gold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError, EstimationError
from similitude.systems.evidence.distinct_pairs import distinct_pairs
from similitude.systems.evidence.sources import EvidenceSource, fit_source, identity_of, source_from_record

__all__ = ["Evidence", "fit_evidence"]

VERSION = 1
"""Version of the stored format; evidence of another version must be learned again."""

MOST = 5.0
"""Features are clipped to this absolute value."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Fitted sources of evidence; see `fit_evidence`.

    Attributes:
        sources: the sources, in the order in which they were named.
    """

    sources: tuple[EvidenceSource, ...]

    @property
    def written(self) -> tuple[str, ...]:
        """The sources as the user wrote them."""
        return tuple(source.written for source in self.sources)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all features, in order."""
        return tuple(f"{source.written}: {name}" for source in self.sources for name in source.names)

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of features in each block, in order."""
        return tuple(width for source in self.sources for width in source.widths)

    @property
    def reads(self) -> frozenset[str]:
        """Which of context and condition the sources read."""
        return frozenset().union(*(source.reads for source in self.sources))

    def of(self, items: Items) -> NDArray[np.float32]:
        """Features as items x features, from -5 to 5.

        On the items of the fit, each feature has mean 0 and variance 1, or is constantly 0; of principal components,
        the largest has variance 1. Features do not depend on the order of an item's texts, nor on the other items,
        except for the last bits of an encoder's vectors.
        """
        rows = [np.empty((len(items), 0)), *(source.of(items) for source in self.sources)]
        return np.clip(np.concatenate(rows, axis=1), -MOST, MOST).astype(np.float32)

    def record(self) -> dict[str, Any]:
        """Everything but the arrays, ready for JSON."""
        return {
            "version": VERSION,
            "written": list(self.written),
            "sources": [source.record() for source in self.sources],
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name, for numpy's savez."""
        return {
            f"{_prefix(place)}{name}": array
            for place, source in enumerate(self.sources)
            for name, array in source.arrays().items()
        }

    @classmethod
    def from_record(
        cls,
        record: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        *,
        cache: VectorCache | None = None,
        listener: Listener | None = None,
    ) -> Self:
        """Rebuild from `record` and `arrays`; the latter may contain other arrays too.

        Raises:
            ArgumentError: they are damaged or from another version, or a system cannot be created any more.
        """
        if not isinstance(record, Mapping) or record.get("version") != VERSION:
            raise ArgumentError("the evidence was learned by another version of Similitude", remedy="train it again")
        try:
            sources = [
                source_from_record(part, _of_source(arrays, place), cache, listener)
                for place, part in enumerate(record["sources"])
            ]
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ArgumentError("the evidence is damaged", remedy="train it again") from None
        return cls(tuple(sources))

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same evidence, whose systems use this cache and this listener."""
        return replace(self, sources=tuple(source.attached(cache, listener) for source in self.sources))

    def fingerprint(self) -> str:
        """Hash of what was learned and of the models of the sources."""
        models = [source.fingerprint() for source in self.sources]
        digest = hashlib.sha256(json.dumps([self.record(), models], sort_keys=True).encode())
        for name, array in sorted(self.arrays().items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def fit_evidence(
    written: Sequence[str],
    items: Items,
    *,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Evidence:
    """Fit evidence on the texts of some items: document frequencies, means, principal components.

    A source is ``overlap``, the character overlap of two texts (two blocks: comparisons and lengths), or any system. A
    system that computes several features gives one block of them, an encoder the cosine of its vectors, any other
    system its score. A system with vectors adds a block of the first 48 principal components each of |u - v| and u * v.

    Args:
        written: the sources as a user writes them: ``overlap``, ``use``, ``token-match(FOLDER)``, ``jaccard``.
        items: the items to learn from; their gold is not used.
        cache: the cache of the systems' vectors.
        listener: is told about progress.

    Raises:
        UnknownNameError: there is no such source.
        ArgumentError: a source is named twice, or cannot be created.
        EstimationError: there are fewer than two distinct items.

    >>> items = Items.from_pairs(["a red car", "two dogs"], ["a red bus", "rain"])
    >>> evidence = fit_evidence(["overlap", "jaccard"], items)
    >>> evidence.widths, evidence.names[-1]
    ((17, 2, 1), 'jaccard: score')
    >>> evidence.of(items).shape
    (2, 20)
    """
    _refuse_twice(written)
    if len(distinct_pairs(items, ("context", "condition")).items) < 2:
        raise EstimationError("evidence needs at least two distinct items", remedy="give more items")
    return Evidence(tuple(fit_source(source, items, cache, listener) for source in written))


def _refuse_twice(written: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for source in written:
        identity = identity_of(source)
        if identity in seen:
            also = "" if seen[identity] == source else f", first as '{seen[identity]}'"
            raise ArgumentError(f"evidence '{source}' is named twice{also}", remedy="name each source once")
        seen[identity] = source


def _prefix(place: int) -> str:
    return f"evidence_{place}_"


def _of_source(arrays: Mapping[str, NDArray[Any]], place: int) -> dict[str, NDArray[Any]]:
    prefix = _prefix(place)
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
