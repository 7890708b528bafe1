"""Character overlap as a source of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import Listener, VectorCache
from similitude.systems.evidence.blocks import Standardiser
from similitude.systems.evidence.distinct_pairs import distinct_pairs
from similitude.systems.evidence.grams import GramFrequencies
from similitude.systems.evidence.overlap import COMPARISONS, LENGTHS, overlap

__all__ = ["OVERLAP", "OverlapSource"]

OVERLAP = "overlap"
"""The name of the source."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OverlapSource:
    """Character overlap of two texts; see `similitude.systems.evidence.overlap`.

    Attributes:
        frequencies: document frequencies in the texts of the fit.
        standard: standardises the features.
        listener: is told about progress.
    """

    frequencies: GramFrequencies
    standard: Standardiser
    listener: Listener | None = None

    written: ClassVar[str] = OVERLAP
    names: ClassVar[tuple[str, ...]] = (*COMPARISONS, *LENGTHS)
    widths: ClassVar[tuple[int, ...]] = (len(COMPARISONS), len(LENGTHS))
    reads: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def fit(cls, items: Items, listener: Listener | None) -> Self:
        """Fit on the texts of these items."""
        frequencies = GramFrequencies.count(items.texts())
        return cls(
            frequencies=frequencies,
            standard=Standardiser.fit(_overlap(items, frequencies, listener)),
            listener=listener,
        )

    def of(self, items: Items) -> NDArray[np.float64]:
        """Features as items x features."""
        return self.standard.apply(_overlap(items, self.frequencies, self.listener))

    def record(self) -> dict[str, Any]:
        """The number of texts of the fit; the rest is in `arrays`."""
        return {"source": OVERLAP, "texts": self.frequencies.texts, "names": list(self.names)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Frequencies and standardisation."""
        return self.frequencies.arrays() | self.standard.arrays()

    @classmethod
    def from_record(
        cls, record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], listener: Listener | None
    ) -> Self:
        """Rebuild from `record` and `arrays`.

        Raises:
            KeyError: an entry is missing.
            ValueError: an entry does not fit.
        """
        if tuple(record["names"]) != cls.names:
            raise ValueError("other features than in this version")
        frequencies = GramFrequencies.from_arrays(record["texts"], arrays)
        return cls(
            frequencies=frequencies, standard=Standardiser.from_arrays(arrays, len(cls.names)), listener=listener
        )

    def fingerprint(self) -> str | None:
        """None: there is no model."""
        return None

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same source with a listener."""
        return self if listener is None else replace(self, listener=listener)


def _overlap(items: Items, frequencies: GramFrequencies, listener: Listener | None) -> NDArray[np.float32]:
    distinct = distinct_pairs(items)
    compared = overlap(distinct.items.lefts, distinct.items.rights, frequencies, listener)
    return compared.values[distinct.places]
