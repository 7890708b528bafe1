"""What two texts share by characters, as a source of evidence."""

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
"""How the source is written."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OverlapSource:
    """What two texts share, character by character; see `similitude.systems.evidence.overlap`.

    Attributes:
        frequencies: of characters and pairs of them, in the texts it was fitted on.
        standard: of its numbers.
        listener: hears how far it is.
    """

    frequencies: GramFrequencies
    standard: Standardiser
    listener: Listener | None = None

    written: ClassVar[str] = OVERLAP
    names: ClassVar[tuple[str, ...]] = (*COMPARISONS, *LENGTHS)
    widths: ClassVar[tuple[int, ...]] = (len(COMPARISONS), len(LENGTHS))

    @classmethod
    def fit(cls, items: Items, listener: Listener | None) -> Self:
        """Learn from the texts of these items."""
        frequencies = GramFrequencies.count(items.texts())
        return cls(
            frequencies=frequencies,
            standard=Standardiser.fit(_overlap(items, frequencies, listener)),
            listener=listener,
        )

    def of(self, items: Items) -> NDArray[np.float64]:
        """Items x numbers."""
        return self.standard.apply(_overlap(items, self.frequencies, self.listener))

    def record(self) -> dict[str, Any]:
        """How many texts were seen; the rest is in `arrays`."""
        return {"source": OVERLAP, "texts": self.frequencies.texts, "names": list(self.names)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Frequencies and standard."""
        return self.frequencies.arrays() | self.standard.arrays()

    @classmethod
    def from_record(
        cls, record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], listener: Listener | None
    ) -> Self:
        """Back from `record` and `arrays`.

        Raises:
            KeyError: something is missing.
            ValueError: something does not fit.
        """
        if tuple(record["names"]) != cls.names:
            raise ValueError("other numbers than this version has")
        frequencies = GramFrequencies.from_arrays(record["texts"], arrays)
        return cls(
            frequencies=frequencies, standard=Standardiser.from_arrays(arrays, len(cls.names)), listener=listener
        )

    def fingerprint(self) -> str | None:
        """It uses no model."""
        return None

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same with a listener."""
        return self if listener is None else replace(self, listener=listener)


def _overlap(items: Items, frequencies: GramFrequencies, listener: Listener | None) -> NDArray[np.float32]:
    distinct = distinct_pairs(items)
    compared = overlap(distinct.items.lefts, distinct.items.rights, frequencies, listener)
    return compared.values[distinct.places]
