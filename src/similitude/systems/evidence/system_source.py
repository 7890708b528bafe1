"""Any system as a source of evidence: all that it compares or else its score, and what its vectors tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import FitsTexts, Listener, System, VectorCache
from similitude.errors import ArgumentError, PredictionError, UnknownNameError
from similitude.registry import parse
from similitude.systems.attach_cache import attach_cache, fingerprint_of
from similitude.systems.catalogue import make_system
from similitude.systems.encoders.pair_features import Compares, Comparisons, EmbedsPairs, PairVectors
from similitude.systems.encoders.similarity import paired_cosines
from similitude.systems.evidence.blocks import PairComponents, Standardiser
from similitude.systems.evidence.distinct_pairs import distinct_pairs
from similitude.systems.evidence.overlap_source import OVERLAP
from similitude.systems.pairwise import settle_empty

__all__ = ["SystemSource", "make_source_system"]


class _Said(NamedTuple):
    """What a system says of pairs."""

    compared: Comparisons
    vectors: PairVectors | None


class _Remembered(NamedTuple):
    """Rows of pairs, known by their fingerprint."""

    pairs: str
    rows: NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemSource:
    """What a system says of a pair: all its comparisons or else its score, and what its vectors tell.

    The score of a system that gives vectors is their cosine, whatever similarity it is told to score by.

    Attributes:
        written: as the user wrote it.
        system: made from that.
        compared: names of the comparisons; "cosine" or "score" where there are none.
        standard: of those.
        components: of the vectors, where the system gives any.
        remembered: the rows of the items that it was fitted on, which most users want next.
    """

    written: str
    system: System
    compared: tuple[str, ...]
    standard: Standardiser
    components: PairComponents | None
    remembered: _Remembered | None = None

    @classmethod
    def fit(cls, written: str, items: Items, cache: VectorCache | None, listener: Listener | None) -> Self:
        """Learn from what the system says of these items."""
        system = make_source_system(written, cache, listener)
        distinct = distinct_pairs(items, _read(system))
        said = _said(system, distinct.items)
        vectors = None if said.vectors is None else PairVectors(*(side[distinct.places] for side in said.vectors))
        made = cls(
            written=written,
            system=system,
            compared=said.compared.names,
            standard=Standardiser.fit(said.compared.values[distinct.places]),
            components=None if vectors is None else PairComponents.fit(vectors),
        )
        return replace(made, remembered=_Remembered(distinct.fingerprint, made._rows(said)))

    @property
    def names(self) -> tuple[str, ...]:
        """Of its numbers."""
        return (*self.compared, *(() if self.components is None else self.components.names))

    @property
    def widths(self) -> tuple[int, ...]:
        """Of its comparisons or its score, and of the components."""
        return (len(self.compared), *(() if self.components is None else (len(self.components.names),)))

    def of(self, items: Items) -> NDArray[np.float64]:
        """Items x numbers.

        Raises:
            ArgumentError: the system has changed so much that its numbers are others.
        """
        if not len(items):
            return np.empty((0, len(self.names)))
        distinct = distinct_pairs(items, _read(self.system))
        if self.remembered is not None and self.remembered.pairs == distinct.fingerprint:
            return self.remembered.rows[distinct.places]
        return self._rows(_said(self.system, distinct.items))[distinct.places]

    def record(self) -> dict[str, Any]:
        """How it was written, and what it compares; the rest is in `arrays`."""
        return {"source": self.written, "names": list(self.compared), "vectors": self.components is not None}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Standard and components."""
        return self.standard.arrays() | ({} if self.components is None else self.components.arrays())

    @classmethod
    def from_record(
        cls,
        record: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        cache: VectorCache | None,
        listener: Listener | None,
    ) -> Self:
        """Back from `record` and `arrays`.

        Raises:
            KeyError: something is missing.
            ValueError: something does not fit.
            SimilitudeError: the system cannot be made.
        """
        written, compared = record["source"], tuple(map(str, record["names"]))
        system = make_source_system(written, cache, listener)
        if bool(record["vectors"]) != isinstance(system, EmbedsPairs):
            raise ValueError("another kind of system")
        return cls(
            written=written,
            system=system,
            compared=compared,
            standard=Standardiser.from_arrays(arrays, len(compared)),
            components=PairComponents.from_arrays(arrays) if record["vectors"] else None,
        )

    def fingerprint(self) -> str | None:
        """Of the system's model."""
        return fingerprint_of(self.system)

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same, its system with a cache and a listener."""
        return replace(self, system=attach_cache(self.system, cache, listener=listener))

    def _rows(self, said: _Said) -> NDArray[np.float64]:
        if said.compared.names != self.compared:
            raise ArgumentError(
                "it compares in other ways than in training",
                where=f"evidence '{self.written}'",
                remedy="name the model of the training, or train again",
            )
        blocks = [self.standard.apply(said.compared.values)]
        if self.components is not None and said.vectors is not None:
            blocks.append(self.components.apply(said.vectors))
        return np.concatenate(blocks, axis=1)


def make_source_system(written: str, cache: VectorCache | None = None, listener: Listener | None = None) -> System:
    """The system that is written, with a cache and a listener where it can use them.

    Raises:
        UnknownNameError: there is no such system; the message names `overlap` too.
        ArgumentError: the system would have to learn from texts first.
    """
    try:
        system = make_system(written)
    except UnknownNameError as error:
        if error.name == parse(written).name:
            error.remedy += f"; or {OVERLAP}, which compares characters"
        raise
    if isinstance(system, FitsTexts):
        raise ArgumentError(
            f"system '{system.identity}' learns from the texts of a collection and cannot be evidence",
            remedy=f"name {OVERLAP}, which weighs what is rare as well, or another system",
        )
    return attach_cache(system, cache, listener=listener)


def _read(system: System) -> frozenset[str]:
    """What may change an answer besides the two texts; to a system without vectors, perhaps more than it says."""
    return system.reads if isinstance(system, EmbedsPairs) else system.reads | {"language", "group"}


def _said(system: System, items: Items) -> _Said:
    vectors = system.pair_vectors(items) if isinstance(system, EmbedsPairs) else None
    if isinstance(system, Compares):
        compared = system.comparisons(items)
    elif vectors is not None:
        compared = Comparisons(("cosine",), _cosines(vectors)[:, None])
    else:
        compared = Comparisons(("score",), system.score(items).scores[:, None].astype(np.float32))
    if compared.values.shape != (len(items), len(compared.names)):
        raise PredictionError(
            f"{' x '.join(map(str, compared.values.shape))} numbers for {len(items)} items",
            where=str(system.identity),
            remedy="a system must return one row an item",
        )
    return _Said(compared, vectors)


def _cosines(vectors: PairVectors) -> NDArray[np.float32]:
    """What encoders score by default. From the vectors, so that texts are not encoded a second time."""
    left = np.arange(len(vectors.left))
    cosines = paired_cosines(np.concatenate(vectors), left, left + len(left))
    left_filled, right_filled = (np.count_nonzero(side, axis=1) for side in vectors)
    return settle_empty(cosines, left_filled, right_filled).astype(np.float32)
