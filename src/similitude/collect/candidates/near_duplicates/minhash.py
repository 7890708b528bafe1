"""MinHash signatures of short texts: band keys that similar texts share, and one bit of each minimum.

The minima are computed here and not by a library, because shards hand on signatures as arrays. For a million short
texts that takes 14 s here on two busy cores. rensa takes 82 s, of which 42 s are for handing over lists of Python
integers, and datasketch about 300 s (``python benchmarks/candidates_duplicates.py --turns 1``, all in one run).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.near_duplicates.character_grams import ODD, Grams, Hashes, gram_hashes, mixed

__all__ = ["FORM", "SKETCH", "Banding", "signatures_of_forms"]

SLOTS: Final = 128
"""The most minima that are computed for each text."""

FOUND: Final = 0.98
"""The least chance that a pair exactly at the threshold shares a band."""

FORM: Final = 0
SKETCH: Final = slice(1, 3)
BANDS: Final = 3
"""The rows of signatures: a hash of the whole form, the sketch (one bit of each minimum), one key for each band."""

GRAMS_AT_A_TIME: Final = 1 << 17
"""N-grams that fit into the cache of a processor."""


@dataclass(frozen=True, slots=True)
class Banding:
    """How the minima are divided into bands.

    Two texts of Jaccard similarity J share all minima of a band with probability J ** rows, and so they share some
    band with probability 1 - (1 - J ** rows) ** bands.

    Attributes:
        bands: how many there are.
        rows: how many minima make up a band.
    """

    bands: int
    rows: int

    @classmethod
    def at(cls, similarity: float) -> Banding:
        """The bands of most rows that find a pair at this similarity with a chance of at least `FOUND`.

        >>> Banding.at(0.8)
        Banding(bands=18, rows=7)
        """
        every = (cls(SLOTS // rows, rows) for rows in range(SLOTS, 0, -1))
        return next((each for each in every if each.chance(similarity) >= FOUND), cls(SLOTS, 1))

    @property
    def slots(self) -> int:
        """How many minima there are."""
        return self.bands * self.rows

    def chance(self, similarity: float) -> float:
        """The probability that two texts of this similarity share a band."""
        return float(1 - (1 - similarity**self.rows) ** self.bands)


def signatures_of_forms(forms: pl.Series, characters: int, banding: Banding) -> Hashes:
    """The signatures of some texts, which depend on nothing but the texts.

    Args:
        forms: normalised texts.
        characters: the n of the n-grams.
        banding: how the minima are divided.

    Returns:
        One column for each text; the rows are `FORM`, `SKETCH`, and from `BANDS` on the bands.
    """
    distinct = forms.unique(maintain_order=True)
    if len(distinct) == len(forms):
        return _signatures(forms, characters, banding)
    numbers = distinct.to_frame("form").with_row_index("number")
    places = forms.to_frame("form").join(numbers, on="form", how="left", maintain_order="left")["number"]
    return _signatures(distinct, characters, banding)[:, places.to_numpy()]


def _signatures(forms: pl.Series, characters: int, banding: Banding) -> Hashes:
    grams = gram_hashes(forms, characters)
    made = np.empty((BANDS + banding.bands, len(forms)), dtype=np.uint64)
    for start, stop in _blocks(grams):
        first, last = grams.starts[start], grams.starts[stop]
        block = Grams(grams.hashes[first:last], grams.starts[start : stop + 1] - first)
        made[FORM, start:stop] = _whole(block)
        minima = _minima(block, banding.slots)
        made[SKETCH, start:stop] = _sketch(minima)
        made[BANDS:, start:stop] = _band_keys(minima, banding)
    return made


def _blocks(grams: Grams) -> Iterator[tuple[int, int]]:
    """Ranges of texts, each of about as many n-grams as fit into the cache, and of one text at least."""
    start, count = 0, len(grams.counts)
    while start < count:
        limit = grams.starts[start] + GRAMS_AT_A_TIME
        stop = max(start + 1, int(np.searchsorted(grams.starts, limit, side="right")) - 1)
        yield start, min(stop, count)
        start = min(stop, count)


def _whole(grams: Grams) -> Hashes:
    """A hash of all n-grams in their order, by which equal forms are known."""
    places = np.arange(len(grams.hashes), dtype=np.uint64)
    places -= np.repeat(grams.starts[:-1].astype(np.uint64), grams.counts)
    return np.add.reduceat(mixed(grams.hashes + (places + np.uint64(1)) * np.uint64(ODD)), grams.starts[:-1])


@lru_cache(maxsize=1)
def _multipliers() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """An odd factor and a summand for each minimum, the same on every machine."""
    stream = mixed(np.arange(1, 2 * SLOTS + 1, dtype=np.uint64) * np.uint64(ODD))
    words = (stream >> np.uint64(32)).astype(np.uint32)
    return words[:SLOTS] | np.uint32(1), words[SLOTS:]


def _minima(grams: Grams, slots: int) -> NDArray[np.uint32]:
    """The least of the n-grams of each text under each of several permutations."""
    factors, summands = _multipliers()
    words = (grams.hashes >> np.uint64(32)).astype(np.uint32)
    minima, permuted = np.empty((slots, len(grams.counts)), dtype=np.uint32), np.empty_like(words)
    for slot in range(slots):
        np.multiply(words, factors[slot], out=permuted)
        np.add(permuted, summands[slot], out=permuted)
        np.minimum.reduceat(permuted, grams.starts[:-1], out=minima[slot])
    return minima


def _sketch(minima: NDArray[np.uint32]) -> Hashes:
    """One well mixed bit of each minimum; bits without a minimum are 0."""
    bits = np.zeros((SLOTS, minima.shape[1]), dtype=np.uint8)
    bits[: len(minima)] = (minima * np.uint32(0x9E3779B1)) >> np.uint32(31)
    packed = np.ascontiguousarray(np.packbits(bits, axis=0, bitorder="little").T)
    return packed.view("<u8").T.astype(np.uint64)


def _band_keys(minima: NDArray[np.uint32], banding: Banding) -> Hashes:
    keys = np.zeros((banding.bands, minima.shape[1]), dtype=np.uint64)
    for row in range(banding.rows):
        keys *= np.uint64(ODD)
        keys += minima[row :: banding.rows]
    return mixed(keys)
