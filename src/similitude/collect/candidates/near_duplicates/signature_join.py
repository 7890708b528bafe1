"""The join of signatures: texts that share a band are compared n-gram by n-gram, and of similar ones the first stays.

The result depends on the texts and their order alone, not on how they were divided into shards:

1. Of texts with equal forms, the first stays.
2. In every band, the texts with the same key are compared with the first of them, those that are not similar to it with
   the first of the rest, and so on.
3. Texts are taken in order; one that is similar to an earlier one that stays is dropped.
4. A text may stay although it was similar to the first of a band, because that one was dropped. Such texts are compared
   again with those that stay in their bands, until nothing is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.near_duplicates.character_grams import (
    Hashes,
    distinct,
    gram_hashes,
    jaccard_of_pairs,
)
from similitude.collect.candidates.near_duplicates.clusters import Clusters, Edges
from similitude.collect.candidates.near_duplicates.minhash import BANDS, FORM, SKETCH, Banding

__all__ = ["joined_signatures"]

Rows = NDArray[np.int64]
Forms = Callable[[Rows], pl.Series]
"""The forms of the texts at some rows."""

LEADERS: Final = 32
"""So many texts of a band that are not similar to each other are compared with the others."""

MARGIN: Final = 4.0
"""Pairs whose sketches differ by more than so many standard deviations from what the threshold leads to are not
compared n-gram by n-gram."""

SPARED: Final = 50
PAIRS_AT_A_TIME: Final = 1 << 17


class _Bucketed(NamedTuple):
    """The texts of one band that share their key with another: keys as numbers, ascending, and rows."""

    buckets: Rows
    rows: Rows


class _Pass(NamedTuple):
    """What one pass over all bands found."""

    similar: Edges
    spared: Edges
    compared: int
    uncompared: int


def joined_signatures(
    shards: Sequence[Hashes], forms: Forms, *, similarity: float, characters: int, banding: Banding
) -> Clusters:
    """The clusters of near-duplicates.

    Args:
        shards: signatures of consecutive texts, perhaps mapped from files.
        forms: the forms of the texts at some rows.
        similarity: the least Jaccard similarity of near-duplicates.
        characters: the n of the n-grams.
        banding: by which the signatures were made.
    """
    representatives, rows = _first_of_equals(_whole_row(shards, FORM))
    copies = representatives != np.arange(len(representatives))
    compare = _Comparison(shards, forms, similarity, characters, banding)
    dropped, spared, compared, uncompared = Edges.empty(), Edges.empty(), 0, 0
    again = rows if similarity < 1 else rows[:0]
    while len(again):
        found = _compared(shards, rows, again, banding, compare)
        spared, compared = _nearest(spared.joined(found.spared)), compared + found.compared
        uncompared += found.uncompared
        leaving = _leaving(found.similar)
        representatives[leaving.second] = leaving.first
        dropped = dropped.joined(leaving)
        rows = _without(rows, leaving.second)
        again = _without(distinct(found.similar.second), leaving.second)
    return Clusters(_roots(representatives), copies, dropped, spared, compared, uncompared)


def _without(rows: Rows, others: Rows) -> Rows:
    """The rows that are not among others."""
    return np.setdiff1d(rows, others, assume_unique=True)


def _whole_row(shards: Sequence[Hashes], row: int) -> Hashes:
    return np.concatenate([shard[row] for shard in shards])


def _first_of_equals(keys: Hashes) -> tuple[Rows, Rows]:
    """For each row the first with the same key, and the rows that are the first."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first[inverse].astype(np.int64), np.sort(first).astype(np.int64)


def _roots(representatives: Rows) -> Rows:
    """For each row the end of the chain of its representatives."""
    while True:
        further = representatives[representatives]
        if np.array_equal(further, representatives):
            return representatives
        representatives = further


class _Comparison:
    """Compares pairs: first by the sketches, then n-gram by n-gram."""

    def __init__(
        self, shards: Sequence[Hashes], forms: Forms, similarity: float, characters: int, banding: Banding
    ) -> None:
        self.sketches = np.stack([_whole_row(shards, row) for row in range(SKETCH.start, SKETCH.stop)])
        self.forms, self.similarity, self.characters = forms, similarity, characters
        self.most_different = _most_different(similarity, banding.slots)

    def __call__(self, first: Rows, second: Rows) -> Edges:
        """Those of the pairs whose sketches are alike, with their similarity."""
        parts = [
            self._compared(first[start : start + PAIRS_AT_A_TIME], second[start : start + PAIRS_AT_A_TIME])
            for start in range(0, len(first), PAIRS_AT_A_TIME)
        ]
        return Edges(*(np.concatenate(each) for each in zip(*parts, strict=True))) if parts else Edges.empty()

    def _compared(self, first: Rows, second: Rows) -> tuple[Rows, Rows, NDArray[np.float64]]:
        different = np.bitwise_count(self.sketches[:, first] ^ self.sketches[:, second]).sum(axis=0)
        alike = different <= self.most_different
        first, second = first[alike], second[alike]
        grams = gram_hashes(self.forms(np.concatenate([first, second])), self.characters)
        return first, second, jaccard_of_pairs(grams.slice(0, len(first)), grams.slice(len(first), 2 * len(first)))


def _most_different(similarity: float, slots: int) -> float:
    """The most bits in which sketches may differ: a bit differs if the minima do, and then by chance."""
    differ = (1 - similarity) / 2
    return slots * differ + MARGIN * float(np.sqrt(slots * differ * (1 - differ)))


def _compared(shards: Sequence[Hashes], rows: Rows, again: Rows, banding: Banding, compare: _Comparison) -> _Pass:
    """All pairs that share a band, as far as they are compared; only bands with one of the rows ``again``."""
    bands = [_bucketed(_whole_row(shards, BANDS + band), rows, again) for band in range(banding.bands)]
    similar, spared, compared = Edges.empty(), Edges.empty(), 0
    for _ in range(LEADERS):
        bands = [band for band in bands if len(band.rows)]
        if not bands:
            break
        leads = [_leaders(band) for band in bands]
        edges = compare(*_distinct_pairs(leads, bands))
        compared += len(edges)
        close = edges.similarity >= compare.similarity
        similar, spared = similar.joined(edges.take(close)), _nearest(spared.joined(edges.take(~close)))
        bands = [_rest(band, lead, edges.take(close)) for band, lead in zip(bands, leads, strict=True)]
    return _Pass(_distinct(similar), spared, compared, sum(len(band.rows) for band in bands))


def _bucketed(every: Hashes, rows: Rows, again: Rows) -> _Bucketed:
    keys = every[rows]
    if len(again) < len(rows):
        shared = pl.Series(keys).is_in(pl.Series(every[again]).implode()).to_numpy()
        keys, rows = keys[shared], rows[shared]
    shared = pl.Series(keys).is_duplicated().to_numpy()
    keys, rows = keys[shared], rows[shared]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    return _Bucketed(np.cumsum(np.concatenate([[0], keys[1:] != keys[:-1]])[: len(keys)]), rows[order])


def _leaders(band: _Bucketed) -> Rows:
    """The first row of the bucket of each row."""
    starts = np.flatnonzero(np.concatenate([[True], band.buckets[1:] != band.buckets[:-1]]))
    return np.repeat(band.rows[starts], np.diff(np.append(starts, len(band.rows))))


def _distinct_pairs(leads: Sequence[Rows], bands: Sequence[_Bucketed]) -> tuple[Rows, Rows]:
    """The pairs of a leader and another text, over all bands, each once."""
    first, second = np.concatenate(leads), np.concatenate([band.rows for band in bands])
    codes = distinct(_codes(first, second)[first != second])
    return codes >> 32, codes & 0xFFFFFFFF


def _codes(first: Rows, second: Rows) -> Rows:
    """One number for each pair of rows."""
    return (first << 32) | second


def _rest(band: _Bucketed, leads: Rows, similar: Edges) -> _Bucketed:
    """The texts of a band that are neither leaders nor similar to theirs, without those that are left alone."""
    known = np.sort(_codes(similar.first, similar.second))
    codes = _codes(leads, band.rows)
    places = np.minimum(np.searchsorted(known, codes), max(len(known) - 1, 0))
    settled = (leads == band.rows) | ((known[places] == codes) if len(known) else False)
    buckets, rows = band.buckets[~settled], band.rows[~settled]
    together = np.bincount(buckets, minlength=1)[buckets] > 1
    return _Bucketed(buckets[together], rows[together])


def _distinct(edges: Edges) -> Edges:
    _, first = np.unique(_codes(edges.first, edges.second), return_index=True)
    return edges.take(first)


def _nearest(edges: Edges) -> Edges:
    """The pairs with the highest similarity, each once."""
    edges = _distinct(edges)
    return edges.take(np.lexsort((edges.second, edges.first, -edges.similarity))[:SPARED])


def _leaving(similar: Edges) -> Edges:
    """The texts that are dropped, each with the most similar of the earlier texts that stay."""
    order = np.lexsort((similar.first, similar.second))
    stays = dict.fromkeys(np.union1d(similar.first, similar.second).tolist(), True)
    for first, second in zip(similar.first[order].tolist(), similar.second[order].tolist(), strict=True):
        if stays[first]:
            stays[second] = False
    keeps = np.fromiter((stays[row] for row in similar.first.tolist()), dtype=np.bool_, count=len(similar))
    kept = similar.take(keeps)
    best = kept.take(np.lexsort((kept.first, -kept.similarity, kept.second)))
    return best.take(np.unique(best.second, return_index=True)[1])
