"""Character n-grams of normalised texts as 64-bit hashes, and their Jaccard similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.inspect.checks.text_keys import normalised

__all__ = ["Grams", "Hashes", "compared_forms", "distinct", "gram_hashes", "jaccard_of_pairs", "mixed"]

Hashes = NDArray[np.uint64]
Number = TypeVar("Number", np.uint64, np.int64)

TURN: Final = "\n"
"""What separates the turns of a dialogue when it is compared as a whole."""

ODD: Final = 0x9E3779B97F4A7C15
PAIR_BITS: Final = 20
PAIRS_AT_A_TIME: Final = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The n-grams of some texts, one after the other.

    Attributes:
        hashes: of all n-grams; n-grams that occur twice in a text are there twice.
        starts: where the n-grams of each text begin, and at the end how many there are.
    """

    hashes: Hashes
    starts: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many n-grams each text has."""
        return np.diff(self.starts)

    def slice(self, start: int, stop: int) -> Grams:
        """The n-grams of the texts from one position up to another."""
        starts = self.starts[start : stop + 1]
        return Grams(self.hashes[starts[0] : starts[-1]], starts - starts[0])


def compared_forms(frame: pl.DataFrame) -> pl.Series:
    """What of each text is compared: its normal form, for a dialogue that of all turns.

    Normal form means Unicode NFKC, case folded, without invisible characters, with one space between words.

    Args:
        frame: with columns ``text`` and ``context``.
    """
    whole = pl.coalesce(pl.col("context").list.join(TURN, ignore_nulls=True), "text")
    return normalised(frame.select(whole.alias("text")).to_series())


def gram_hashes(forms: pl.Series, characters: int) -> Grams:
    """The n-grams of each form with a space before and after it; at least one for each.

    Args:
        forms: normalised texts.
        characters: the n of the n-grams, 2 or more.
    """
    padded = forms.to_frame("form").select(pl.format(" {} ", "form").str.pad_end(characters)).to_series()
    codes = np.frombuffer("".join(padded.to_list()).encode("utf-32-le"), dtype=np.uint32)
    lengths = padded.str.len_chars().to_numpy().astype(np.int64)
    windows = len(codes) - characters + 1
    hashes = np.zeros(max(windows, 0), dtype=np.uint64)
    for offset in range(characters):
        hashes *= np.uint64(ODD)
        hashes += codes[offset : offset + windows]
    whole = np.ones(len(hashes), dtype=np.bool_)
    ends = np.cumsum(lengths)[:-1]
    for offset in range(1, characters):
        whole[ends - offset] = False
    return Grams(mixed(hashes[whole]), np.concatenate([[0], np.cumsum(lengths - characters + 1)]))


def mixed(hashes: Hashes) -> Hashes:
    """The hashes with all bits mixed, in place (the last steps of SplitMix64)."""
    hashes ^= hashes >> np.uint64(30)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(27)
    hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(31)
    return hashes


def jaccard_of_pairs(left: Grams, right: Grams) -> NDArray[np.float64]:
    """The Jaccard similarity of the sets of n-grams, of each text of ``left`` with the text at its side.

    >>> import polars as pl
    >>> both = gram_hashes(pl.Series(["ab"]), 2), gram_hashes(pl.Series(["abb"]), 2)
    >>> float(jaccard_of_pairs(*both)[0])  # " a", "ab", "b " of " a", "ab", "bb", "b "
    0.75
    """
    count = len(left.counts)
    parts = [
        _jaccard(left.slice(start, start + PAIRS_AT_A_TIME), right.slice(start, start + PAIRS_AT_A_TIME))
        for start in range(0, count, PAIRS_AT_A_TIME)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _jaccard(left: Grams, right: Grams) -> NDArray[np.float64]:
    mine, theirs = distinct(_within_pairs(left)), distinct(_within_pairs(right))
    both = np.sort(np.concatenate([mine, theirs]))
    shared = both[1:][both[1:] == both[:-1]]
    alone, others, together = (_by_pair(keys, len(left.counts)) for keys in (mine, theirs, shared))
    return together / (alone + others - together)


def _by_pair(keys: Hashes, pairs: int) -> NDArray[np.int64]:
    """How many keys each pair has."""
    return np.bincount((keys >> np.uint64(64 - PAIR_BITS)).astype(np.int64), minlength=pairs)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Each value once, ascending; several times as fast as `numpy.unique`, which hashes."""
    ordered: NDArray[Number] = np.sort(values)
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    found: NDArray[Number] = ordered[differs[: len(ordered)]]
    return found


def _within_pairs(grams: Grams) -> Hashes:
    """The n-grams as keys that differ between pairs: the number of the pair in the first bits, the hash in the rest."""
    pairs = np.repeat(np.arange(len(grams.counts), dtype=np.uint64), grams.counts)
    return (pairs << np.uint64(64 - PAIR_BITS)) | (grams.hashes >> np.uint64(PAIR_BITS))
