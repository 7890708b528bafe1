"""Resampled comparisons: items repeated as often as drawn, predictions swapped between systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from similitude.evaluate.comparison import Calibrated, Comparison
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.ranks import average_ranks
from similitude.stats.resamples import in_chunks

__all__ = ["Swapped", "comparable", "drawn", "hybrids"]

Positions = Integers
Swapped = Literal["scores", "standardised", "ranks"]
"""What a permutation test swaps between two systems: predictions as they are, z-scores, or ranks."""

_CELLS = 1_000_000
"""The largest number of predictions in one comparison of hybrids."""


def drawn(comparison: Comparison, positions: Positions) -> Comparison:
    """The items at these positions, repetitions included, with their ratings, groups and sources."""
    human, sigma = comparison.gold_sigma, comparison.predicted_sigma
    groups, sources = comparison.groups, comparison.sources
    return replace(
        comparison,
        gold=comparison.gold[positions],
        predicted=comparison.predicted[:, positions],
        gold_sigma=None if human is None else human[positions],
        predicted_sigma=None if sigma is None else sigma[:, positions],
        ratings=None if comparison.ratings is None else _drawn_ratings(comparison, *comparison.ratings, positions),
        groups=None if groups is None else _drawn_groups(groups, positions),
        sources=None if sources is None else sources._replace(numbers=sources.numbers[positions]),
        folds=None if comparison.folds is None else lambda: comparison.fold_of_item[positions],
        calibrated=None if comparison.calibrated is None else comparison.calibrated.take(positions),
        redraws=None if comparison.redraws is None else comparison.redraws.take(positions),
    )


def comparable(comparison: Comparison, swapped: Swapped) -> Comparison:
    """The comparison with predictions that two systems can swap."""
    if swapped == "scores":
        return comparison
    change = average_ranks if swapped == "ranks" else _standardised
    return replace(comparison, predicted=change(comparison.predicted))


def hybrids(comparison: Comparison, own: int, other: int, swaps: Array) -> Iterator[Comparison]:
    """One row per permutation: a system with another's predictions on the swapped items."""
    sigma, calibrated = comparison.predicted_sigma, comparison.calibrated
    for first, last in in_chunks(len(swaps), max(1, _CELLS // swaps.shape[1])):
        chosen = np.ascontiguousarray(swaps[first:last]) > 0
        yield replace(
            comparison,
            predicted=np.where(chosen, comparison.predicted[other], comparison.predicted[own]),
            predicted_sigma=None if sigma is None else np.where(chosen, sigma[other], sigma[own]),
            is_on_scale=np.repeat(comparison.is_on_scale[own] & comparison.is_on_scale[other], last - first),
            calibrated=None if calibrated is None else _swapped(calibrated, own, other, chosen),
            redraws=None,
            constants=(),
        )


def _swapped(calibrated: Calibrated, own: int, other: int, chosen: Booleans) -> Calibrated:
    scores, sigmas = calibrated.scores, calibrated.sigmas
    return calibrated._replace(
        scores=np.where(chosen, scores[other], scores[own]),
        sigmas=None if sigmas is None else np.where(chosen, sigmas[other], sigmas[own]),
    )


def _standardised(values: Array) -> Array:
    """Rows with mean 0 and standard deviation 1; constant rows become 0."""
    centred = values - values.mean(axis=1, keepdims=True)
    spread = values.std(axis=1, keepdims=True)
    return np.asarray(np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0))


def _drawn_ratings(
    comparison: Comparison, ratings: Array, items: Positions, positions: Positions
) -> tuple[Array, Positions]:
    """Every rating of every drawn item; copies of an item are separate items."""
    by_item = np.argsort(items, kind="stable")
    often = np.bincount(items, minlength=comparison.gold.size)
    sizes = often[positions]
    firsts = (np.cumsum(often) - often)[positions]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ratings[by_item[np.repeat(firsts, sizes) + within]], np.repeat(np.arange(positions.size), sizes)


def _drawn_groups(groups: Positions, positions: Positions) -> Positions:
    """A group drawn twice becomes two groups: the first copies of its items, and the second."""
    by_item = np.argsort(positions, kind="stable")
    ordered = positions[by_item]
    firsts = np.searchsorted(ordered, ordered)
    copies = np.empty_like(positions)
    copies[by_item] = np.arange(positions.size) - firsts
    _, numbers = np.unique(np.stack([groups[positions], copies]), axis=1, return_inverse=True)
    return np.asarray(numbers).ravel()
