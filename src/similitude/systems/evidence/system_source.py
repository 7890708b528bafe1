"""Any system as a source of evidence: its features or its score, and components of its vectors."""

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


class _Output(NamedTuple):
    """The output of a system for some pairs."""

    compared: Comparisons
    vectors: PairVectors | None


class _FittedRows(NamedTuple):
    """Rows of pairs, identified by their fingerprint."""

    pairs: str
    rows: NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemSource:
    """A system's features or score of a pair, and principal components of its vectors.

    The score of a system with vectors is their cosine, whatever similarity it is set to.

    Attributes:
        compared: the names of the features; "cosine" or "score" if the system computes only that.
        standard: standardises them.
        components: principal components of the vectors, if the system has any.
        remembered: the rows of the items of the fit, which are usually needed next.
    """

    written: str
    system: System
    compared: tuple[str, ...]
    standard: Standardiser
    components: PairComponents | None
    remembered: _FittedRows | None = None

    @classmethod
    def fit(cls, written: str, items: Items, cache: VectorCache | None, listener: Listener | None) -> Self:
        """Fit on the system's output for these items."""
        system = make_source_system(written, cache, listener)
        distinct = distinct_pairs(items, _read(system))
        output = _output_of(system, distinct.items)
        vectors = None if output.vectors is None else PairVectors(*(side[distinct.places] for side in output.vectors))
        made = cls(
            written=written,
            system=system,
            compared=output.compared.names,
            standard=Standardiser.fit(output.compared.values[distinct.places]),
            components=None if vectors is None else PairComponents.fit(vectors),
        )
        return replace(made, remembered=_FittedRows(distinct.fingerprint, made._rows(output)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return (*self.compared, *(() if self.components is None else self.components.names))

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of features, and of components if there are any."""
        return (len(self.compared), *(() if self.components is None else (len(self.components.names),)))

    @property
    def reads(self) -> frozenset[str]:
        """Which of context and condition the system reads."""
        return self.system.reads

    def of(self, items: Items) -> NDArray[np.float64]:
        """Features as items x features.

        Raises:
            ArgumentError: the system has changed and computes other features.
        """
        if not len(items):
            return np.empty((0, len(self.names)))
        distinct = distinct_pairs(items, _read(self.system))
        if self.remembered is not None and self.remembered.pairs == distinct.fingerprint:
            return self.remembered.rows[distinct.places]
        return self._rows(_output_of(self.system, distinct.items))[distinct.places]

    def record(self) -> dict[str, Any]:
        """The name of the source and of its features; the rest is in `arrays`."""
        return {"source": self.written, "names": list(self.compared), "vectors": self.components is not None}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Standardisation and components."""
        return self.standard.arrays() | ({} if self.components is None else self.components.arrays())

    @classmethod
    def from_record(
        cls,
        record: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        cache: VectorCache | None,
        listener: Listener | None,
    ) -> Self:
        """Rebuild from `record` and `arrays`.

        Raises:
            KeyError: an entry is missing.
            ValueError: an entry does not fit.
            SimilitudeError: the system cannot be created.
        """
        written, compared = record["source"], tuple(map(str, record["names"]))
        system = make_source_system(written, cache, listener)
        if bool(record["vectors"]) != isinstance(system, EmbedsPairs):
            raise ValueError("another type of system")
        return cls(
            written=written,
            system=system,
            compared=compared,
            standard=Standardiser.from_arrays(arrays, len(compared)),
            components=PairComponents.from_arrays(arrays) if record["vectors"] else None,
        )

    def fingerprint(self) -> str | None:
        """The fingerprint of the system's model."""
        return fingerprint_of(self.system)

    def attached(self, cache: VectorCache | None, listener: Listener | None) -> Self:
        """The same source, whose system uses a cache and a listener."""
        return replace(self, system=attach_cache(self.system, cache, listener=listener))

    def _rows(self, output: _Output) -> NDArray[np.float64]:
        if output.compared.names != self.compared:
            raise ArgumentError(
                "it computes other features than in training",
                where=f"evidence '{self.written}'",
                remedy="use the model of the training, or train again",
            )
        blocks = [self.standard.apply(output.compared.values)]
        if self.components is not None and output.vectors is not None:
            blocks.append(self.components.apply(output.vectors))
        return np.concatenate(blocks, axis=1)


def make_source_system(written: str, cache: VectorCache | None = None, listener: Listener | None = None) -> System:
    """Create the named system, with a cache and a listener if it uses them.

    Raises:
        UnknownNameError: there is no such system; the message also mentions `overlap`.
        ArgumentError: the system must be fitted on texts first.
    """
    try:
        system = make_system(written)
    except UnknownNameError as error:
        if error.name == parse(written).name:
            error.remedy += f"; or {OVERLAP}, for character overlap"
        raise
    if isinstance(system, FitsTexts):
        raise ArgumentError(
            f"system '{system.identity}' must be fitted on a collection's texts and cannot be evidence",
            remedy=f"use {OVERLAP}, which also weighs by rarity, or another system",
        )
    return attach_cache(system, cache, listener=listener)


def _read(system: System) -> frozenset[str]:
    """The columns that may change the output; a system without vectors may read more than it declares."""
    return system.reads if isinstance(system, EmbedsPairs) else system.reads | {"language", "group"}


def _output_of(system: System, items: Items) -> _Output:
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
            remedy="a system must return one row per item",
        )
    return _Output(compared, vectors)


def _cosines(vectors: PairVectors) -> NDArray[np.float32]:
    """Cosines, the default score of encoders, from vectors that are already computed."""
    left = np.arange(len(vectors.left))
    cosines = paired_cosines(np.concatenate(vectors), left, left + len(left))
    left_filled, right_filled = (np.count_nonzero(side, axis=1) for side in vectors)
    return settle_empty(cosines, left_filled, right_filled).astype(np.float32)
