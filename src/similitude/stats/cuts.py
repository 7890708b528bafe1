"""Cuts of scores into yes and no, and the cut that is best on the other folds, for many resamples at once.

A row of scores can be cut between any two neighbouring values. Counts of resamples are summed once per segment between
cuts, fold and label; every cut of every fold then follows from cumulative sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.ranks import Ordering
from similitude.stats.resamples import in_chunks
from similitude.stats.weighted_correlation import by_item

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["MOST_CUTS", "Counts", "Criterion", "Cuts", "FoldedCuts", "HeldOut", "best_cuts", "held_out_counts"]

MOST_CUTS = 1000
"""In resamples of more distinct scores, only about as many cuts are tried, equally many items apart."""
_ROUNDING = 1e-12
"""Scores that differ by less, relative to the largest, count as equal."""
_CELLS = 500_000
"""Segments x resamples that are worked on at a time, which keeps them in the processor's cache."""


class Counts(NamedTuple):
    """Weights of items on either side of cuts; all arrays broadcast.

    Attributes:
        hits: positive items above the cut.
        false: negative items above the cut.
        positives: all positive items.
        negatives: all negative items.
    """

    hits: Array
    false: Array
    positives: Array
    negatives: Array


Criterion = Callable[[Counts], Array]
"""How good a cut is; higher is better. It must not be nan."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where one row of scores can be cut, the highest cut (nothing above it) first.

    Attributes:
        segment: of each item, the number of cuts above it, minus one.
        upper: the lowest score above each cut; infinite for the first cut.
        lower: the highest score below each cut; minus infinity for the last one.
    """

    segment: Integers
    upper: Array
    lower: Array

    @classmethod
    def of(cls, scores: Array) -> Cuts:
        """The cuts between neighbouring values.

        >>> cuts = Cuts.of(np.array([0.2, 0.9, 0.2, 0.5]))
        >>> cuts.segment, cuts.upper, cuts.lower
        (array([2, 0, 2, 1]), array([inf, 0.9, 0.5, 0.2]), array([ 0.9,  0.5,  0.2, -inf]))
        """
        ordering = Ordering(np.negative(scores))
        falling = scores[ordering.order]
        starts = np.flatnonzero(np.diff(ordering.tie, prepend=-1))
        segment = np.empty(scores.size, dtype=np.intp)
        segment[ordering.order] = np.repeat(np.arange(starts.size), np.diff(starts, append=scores.size))
        ends = np.append(starts[1:], scores.size) - 1
        return cls(segment, np.append(np.inf, falling[ends]), np.append(falling[starts], -np.inf))

    @property
    def segments(self) -> int:
        """The number of segments, one less than the number of cuts."""
        return self.upper.size - 1

    @cached_property
    def thresholds(self) -> Array:
        """The score half-way across each cut."""
        return (self.upper + self.lower) / 2

    def thinned(self, is_positive: Booleans, most: int = MOST_CUTS) -> Cuts:
        """About so many cuts, equally many items apart, and those that may be best; all, if there are no more.

        Whatever is best of false and missed items lies at a corner of the convex hull of the ROC curve: between two
        blocks of the isotonic regression of labels on scores.

        >>> Cuts.of(np.arange(6.0)).thinned(np.array([0, 1, 1, 1, 1, 1]) > 0, 3).thresholds
        array([ inf,  3.5,  1.5,  0.5, -inf])
        """
        if self.segments <= most:
            return self
        from scipy.optimize import isotonic_regression

        sizes = np.bincount(self.segment, minlength=self.segments)
        shares = np.bincount(self.segment, is_positive, minlength=self.segments) / sizes
        corners = isotonic_regression(shares, weights=sizes, increasing=False).blocks[:-1]
        places = np.searchsorted(np.cumsum(sizes) - sizes, np.linspace(0, self.segment.size, most + 1)[:-1])
        kept = np.union1d(places[places < self.segments], corners)
        segment = np.searchsorted(kept, self.segment, side="right") - 1
        at = np.append(kept, self.segments)
        return Cuts(segment, self.upper[at], self.lower[at])

    def members(self, classes: Integers, number: int) -> csr_array:
        """The matrix that sums items into classes x segments.

        Args:
            classes: of each item, from 0.
            number: of classes.
        """
        from scipy.sparse import csr_array

        rows = classes * self.segments + self.segment
        shape = (number * self.segments, rows.size)
        return csr_array((np.ones(rows.size), (rows, np.arange(rows.size))), shape=shape)

    def sums(self, counts: Array, classes: Integers, number: int) -> Array:
        """Sums of the rows of items x resamples: classes x segments x resamples."""
        return np.asarray(self.members(classes, number) @ counts).reshape(number, self.segments, -1)

    def cut_at(self, thresholds: Array) -> Integers:
        """The last cut that has only scores above the threshold, by more than rounding, on its upper side."""
        room = _ROUNDING * np.abs(self.upper[1:]).max()
        places = np.searchsorted(-self.upper, -(thresholds + room)) - 1
        return np.asarray(np.clip(places, 0, self.segments))


class HeldOut(NamedTuple):
    """What cuts that were learned on the other folds do on the items of each fold.

    Attributes:
        counts: over the items of all folds, each fold cut by its own threshold; one value per resample.
        thresholds: folds x resamples: an item is above if its score is greater.
        is_learned: resamples in which every fold had positive and negative items to learn from.
    """

    counts: Counts
    thresholds: Array
    is_learned: Booleans


class FoldedCuts:
    """The cuts of one row of scores whose items have labels and folds.

    Args:
        cuts: of the scores.
        is_positive: the label of each item.
        folds: the fold of each item, from 0.
    """

    def __init__(self, cuts: Cuts, is_positive: Booleans, folds: Integers) -> None:
        self._cuts, self._fewer, self._folds = cuts, cuts.thinned(is_positive), int(folds.max()) + 1
        self._classes = folds + self._folds * is_positive
        self._last: tuple[Array, Array] | None = None

    def held_out(self, weights: Array, criterion: Criterion) -> HeldOut:
        """The counts of items cut by the thresholds that are best on the other folds, in each resample.

        The items as they are, each once, are cut at every distinct score; resamples at about `MOST_CUTS`, if there are
        more (see `Cuts.thinned`).

        Args:
            weights: resamples x items, how often each resample holds each item.
            criterion: which cut is best.
        """
        cuts = self._cuts if len(weights) == 1 and (weights == 1).all() else self._fewer
        size = max(1, _CELLS // cuts.segments)
        if len(weights) <= size:
            return _held_out(cuts, self._remembered_sums(cuts, weights), criterion)
        chunks = in_chunks(len(weights), size)
        parts = [_held_out(cuts, self._sums(cuts, weights[first:last]), criterion) for first, last in chunks]
        return HeldOut(
            Counts(*(np.concatenate(each) for each in zip(*(part.counts for part in parts), strict=True))),
            np.concatenate([part.thresholds for part in parts], axis=1),
            np.concatenate([part.is_learned for part in parts]),
        )

    def _remembered_sums(self, cuts: Cuts, weights: Array) -> Array:
        """The sums of the weights that came last are kept, since several measures ask for the same."""
        if self._last is None or self._last[0] is not weights:
            self._last = weights, self._sums(cuts, weights)
        return self._last[1]

    def _sums(self, cuts: Cuts, weights: Array) -> Array:
        """Labels x folds x segments x resamples."""
        sums = cuts.sums(by_item(weights), self._classes, 2 * self._folds)
        return sums.reshape(2, self._folds, cuts.segments, -1)


def held_out_counts(
    cuts: Cuts, is_positive: Booleans, folds: Integers, weights: Array, criterion: Criterion
) -> HeldOut:
    """`FoldedCuts.held_out` for one use.

    >>> cuts, labels, folds = Cuts.of(np.array([1.0, 2, 3, 4])), np.array([0, 0, 1, 1]) > 0, np.array([0, 1, 1, 0])
    >>> found = held_out_counts(cuts, labels, folds, np.ones((1, 4)), lambda counts: counts.hits - counts.false)
    >>> found.thresholds.ravel(), found.counts.hits, found.counts.false
    (array([2.5, 2.5]), array([2.]), array([0.]))
    """
    return FoldedCuts(cuts, is_positive, folds).held_out(weights, criterion)


def best_cuts(cuts: Cuts, counts: Counts, criterion: Criterion) -> tuple[Integers, Array]:
    """The best cut of each resample, and its threshold.

    Of equally good cuts, the highest. The threshold lies half-way between the lowest item above and the highest item
    below that the resample holds.

    Args:
        cuts: of one row of scores.
        counts: hits and false items above every cut: cuts x resamples.
        criterion: which cut is best.
    """
    best = criterion(counts).argmax(axis=0)
    above = counts.hits + counts.false
    reached = np.take_along_axis(above, best[None], axis=0)
    below = np.count_nonzero(above <= reached, axis=0) - 1
    with np.errstate(invalid="ignore"):  # infinity - infinity in an empty resample, whose threshold nobody uses
        thresholds = (cuts.upper[best] + cuts.lower[below]) / 2
        return cuts.cut_at(thresholds), thresholds


def _held_out(cuts: Cuts, sums: Array, criterion: Criterion) -> HeldOut:
    """From sums of labels x folds x segments x resamples."""
    whole = _above(sums.sum(axis=1))
    every = np.arange(sums.shape[-1])
    hits, false, is_learned = np.zeros(every.size), np.zeros(every.size), np.ones(every.size, dtype=np.bool_)
    thresholds = np.full((sums.shape[1], every.size), np.nan)
    for fold in range(sums.shape[1]):
        learned = whole - _above(sums[:, fold])
        totals = learned[:, -1]
        is_empty = (whole[:, -1] - totals).sum(axis=0) == 0
        can_learn = (totals > 0).all(axis=0)
        is_learned &= can_learn | is_empty
        at, found = best_cuts(cuts, Counts(learned[1], learned[0], totals[1], totals[0]), criterion)
        hits += whole[1, at, every] - learned[1, at, every]
        false += whole[0, at, every] - learned[0, at, every]
        thresholds[fold] = np.where(can_learn & ~is_empty, found, np.nan)
    return HeldOut(Counts(hits, false, whole[1, -1], whole[0, -1]), thresholds, is_learned)


def _above(sums: Array) -> Array:
    """Labels x cuts x resamples: the sums above each cut, from labels x segments x resamples."""
    found = np.zeros((sums.shape[0], sums.shape[1] + 1, sums.shape[2]))
    np.cumsum(sums, axis=1, out=found[:, 1:])
    return found
