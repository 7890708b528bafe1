"""Evidence: all numbers of all sources, learned from texts alone and never from gold."""

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
"""Of what is kept. Another number: what was learned means something else, and must be learned again."""

MOST = 5.0
"""No number is farther from 0."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Sources of evidence, with what they learned; see `fit_evidence`.

    Attributes:
        sources: in the order in which they were named.
    """

    sources: tuple[EvidenceSource, ...]

    @property
    def written(self) -> tuple[str, ...]:
        """The sources, as the user wrote them."""
        return tuple(source.written for source in self.sources)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all numbers, in order."""
        return tuple(f"{source.written}: {name}" for source in self.sources for name in source.names)

    @property
    def widths(self) -> tuple[int, ...]:
        """Numbers of each block, in order; together as many as there are names."""
        return tuple(width for source in self.sources for width in source.widths)

    def of(self, items: Items) -> NDArray[np.float32]:
        """Items x numbers, from -5 to 5.

        On the items that it was fitted on each number has mean 0 and variance 1, or is 0 throughout; of principal
        components the largest has variance 1. Nothing changes when an item's texts change places, and an item's row
        does not depend on the others, beyond what the vectors of its encoder do in their last bits.
        """
        rows = [np.empty((len(items), 0)), *(source.of(items) for source in self.sources)]
        return np.clip(np.concatenate(rows, axis=1), -MOST, MOST).astype(np.float32)

    def record(self) -> dict[str, Any]:
        """What rebuilds it, together with `arrays`; plain JSON."""
        return {
            "version": VERSION,
            "written": list(self.written),
            "sources": [source.record() for source in self.sources],
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned, by name, for numpy's savez."""
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
        """Back from `record` and `arrays`; other arrays may be among them.

        Raises:
            ArgumentError: they are damaged or from another version, or a system cannot be made any more.
        """
        if not isinstance(record, Mapping) or record.get("version") != VERSION:
            raise ArgumentError("evidence that another version of Similitude learned", remedy="train it again")
        try:
            kept = [
                source_from_record(part, _of_source(arrays, place), cache, listener)
                for place, part in enumerate(record["sources"])
            ]
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ArgumentError("evidence that is damaged", remedy="train it again") from None
        return cls(tuple(kept))

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same, its systems looking into this cache before they compute, and telling this listener."""
        return replace(self, sources=tuple(source.attached(cache, listener) for source in self.sources))

    def fingerprint(self) -> str:
        """Changes with what was learned and with the models of the sources."""
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
    """Learn what evidence needs from the texts of some items: how rare characters are, centres, components.

    A source is ``overlap``, what two texts share character by character (two blocks: comparisons and lengths), or any
    system. A system that compares in several ways gives one block of all its comparisons, an encoder one of the cosine
    of its vectors, any other one of its score. A system that gives vectors adds a block of the first 48 principal
    components of |u - v| and of u * v each.

    Args:
        written: the sources, each as a user writes it: ``overlap``, ``use``, ``token-match(FOLDER)``, ``jaccard``.
        items: to learn from; their gold is not seen.
        cache: where systems keep their vectors.
        listener: hears how far it is.

    Raises:
        UnknownNameError: there is no such source.
        ArgumentError: a source is named twice, or cannot be made as it is written.
        EstimationError: there are fewer than two different items.

    >>> items = Items.from_pairs(["a red car", "two dogs"], ["a red bus", "rain"])
    >>> evidence = fit_evidence(["overlap", "jaccard"], items)
    >>> evidence.widths, evidence.names[-1]
    ((17, 2, 1), 'jaccard: score')
    >>> evidence.of(items).shape
    (2, 20)
    """
    _refuse_twice(written)
    if len(distinct_pairs(items, ("context", "condition")).items) < 2:
        raise EstimationError("evidence learns from at least two different items", remedy="give more items")
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
