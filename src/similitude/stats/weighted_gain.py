"""Cumulative gain of many resamples at once, with expected values inside ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.gain import worth_of_places
from similitude.stats.levels import Levels, Members
from similitude.stats.weighted_correlation import by_item

__all__ = ["weighted_normalised_gain"]


def weighted_normalised_gain(
    weights: Array, gains: Array, rows: Sequence[Levels], ideal: Levels, cuts: Sequence[int | None], *, discounted: bool
) -> Array:
    """The gain in the first k places divided by the best possible gain: rows x resamples, averaged over the cuts.

    A level at places i to j of a resample collects its mean gain times the weight of these places. The loop stops when
    all resamples have filled k places, after little more than k items. nan in resamples whose best gain is not above 0.

    Args:
        weights: how often each resample holds each item.
        gains: one per item.
        rows: each system's items, best first.
        ideal: the items in descending order of gain.
        cuts: the numbers of places; None for all places.
        discounted: whether to discount later places.
    """
    counts = by_item(weights)
    shares = np.zeros((len(rows), counts.shape[1]))
    places = int(counts.sum(axis=0).max())
    for cut in cuts:
        worth = worth_of_places(places, cut, discounted=discounted)
        best = _collected(counts, gains, ideal, worth)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares += [np.where(best > 0, _collected(counts, gains, row, worth) / best, np.nan) for row in rows]
    return shares / len(cuts)


def _collected(counts: Array, gains: Array, levels: Levels, worth: Array) -> Array:
    """The gain of each resample in this order."""
    filled, held, total = (np.zeros(counts.shape[1]) for _ in range(3))
    last = worth.size - 1
    for members in levels.members:
        drawn, mean = _drawn_and_mean(counts, gains, members)
        filled += drawn
        np.minimum(filled, last, out=filled)
        reached = worth[filled.astype(np.intp)]
        total += mean * (reached - held)
        held = reached
        if filled.min() >= last:
            break
    return total


def _drawn_and_mean(counts: Array, gains: Array, members: Members) -> tuple[Array, Array | float]:
    """The draws of a level, and its mean gain over the draws (arbitrary where there are none)."""
    drawn = counts[members]
    if isinstance(members, int):
        return drawn, float(gains[members])
    often = drawn.sum(axis=0)
    return often, (gains[members] @ drawn) / np.maximum(often, 1.0)
