"""Gaussian mixtures in one dimension, fitted to very many small samples at once.

A sample is one row, such as the ratings of one item. All rows have the same number of values; fit rows of different
lengths in groups. Maximum likelihood by EM (Dempster, Laird and Rubin, 1977), with a floor on standard deviations:
without it, a component on a single value would have infinite likelihood. The floor is part of every M step, so the
likelihood never decreases.

EM finds a local maximum that depends on the start. The start is not random: in one dimension, the best division of
sorted values into ``k`` runs can be found exactly. EM starts from two divisions, the one with the least squares (the
aim of k-means) and the one with the highest classification likelihood (which also finds narrow components), and the
better result is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.gaussian import HALF_LOG_TWO_PI
from similitude.stats.value_runs import best_runs, least_squares, most_likely_runs, run_table

__all__ = ["Mixtures", "fit_mixtures", "mixture_log_density"]


CELLS_AT_ONCE = 160_000
"""Values x components that are processed at once, which limits memory."""
LEAST_WEIGHT = 1e-12
"""A component with less weight is empty and keeps its mean."""


class Mixtures(NamedTuple):
    """One mixture for each sample.

    Attributes:
        weights: samples x components.
        means: samples x components, in ascending order.
        sigmas: samples x components, none below the floor.
        log_likelihood: the natural log of the likelihood of each sample.
        has_converged: whether the last round gained less than the tolerance.
    """

    weights: Array
    means: Array
    sigmas: Array
    log_likelihood: Array
    has_converged: NDArray[np.bool_]


def fit_mixtures(
    samples: Array, components: int, *, floor: float, tolerance: float = 1e-4, most_rounds: int = 2000
) -> Mixtures:
    """The maximum-likelihood mixture of each sample.

    Args:
        samples: samples x values, without missing values.
        components: the number of Gaussians; at most the number of values.
        floor: the least standard deviation of a component, above 0.
        tolerance: EM stops for a sample when a round gains less than this in log-likelihood.
        most_rounds: the most rounds of EM.

    >>> two_parts = np.array([[1.0, 1.2, 0.8, 4.0, 4.1, 3.9]])
    >>> fit_mixtures(two_parts, 2, floor=0.1).means.round(2)
    array([[1., 4.]])
    """
    rows = max(1, CELLS_AT_ONCE // (samples.shape[1] * components))
    parts = [
        _fit_part(np.sort(samples[first : first + rows]).T, components, floor, tolerance, most_rounds)
        for first in range(0, len(samples), rows)
    ]
    return Mixtures(*(np.concatenate(column, axis=-1).T for column in zip(*parts, strict=True)))


def mixture_log_density(values: Array, weights: Array, means: Array, sigmas: Array) -> Array:
    """The natural log of the density of each value under its sample's mixture.

    Args:
        values: samples x values.
        weights: samples x components.
        means: samples x components.
        sigmas: samples x components.
    """
    _, joint, top = _scaled_densities(values.T, _Components(weights.T, means.T, sigmas.T))
    return np.asarray(np.log(joint.sum(axis=0)) + top - HALF_LOG_TWO_PI).T


class _Components(NamedTuple):
    """Weights, means and sigmas, components x samples, so that sums over components add whole rows."""

    weights: Array
    means: Array
    sigmas: Array

    def take(self, chosen: NDArray[np.bool_]) -> _Components:
        return _Components(*(column[:, chosen] for column in self))


def _fit_part(ordered: Array, components: int, floor: float, tolerance: float, most_rounds: int) -> Mixtures:
    """The better of two runs of EM for each sample; samples are along the last axis."""
    first, second = _two_divisions(ordered, components, floor)
    twice = np.flatnonzero((first != second).any(axis=0))  # Where both divisions are equal, one run is enough.
    values = np.concatenate([ordered, ordered[:, twice]], axis=1)
    start = _parts_of_runs(values, np.concatenate([first, second[:, twice]], axis=1), floor)
    climbed = _climb(values, start, floor, tolerance, most_rounds)
    # The place of the better run of each sample; second runs come after all first ones.
    better = np.arange(ordered.shape[1])
    seconds = ordered.shape[1] + np.arange(len(twice))
    is_better = climbed.log_likelihood[seconds] > climbed.log_likelihood[twice]
    better[twice[is_better]] = seconds[is_better]
    return _sorted_by_mean(climbed, better)


def _sorted_by_mean(climbed: Mixtures, places: NDArray[np.intp]) -> Mixtures:
    """The mixtures at these places, with components in ascending order of their means."""
    order = np.argsort(climbed.means[:, places], axis=0)
    weights, means, sigmas = (np.take_along_axis(column[:, places], order, axis=0) for column in climbed[:3])
    return Mixtures(weights, means, sigmas, climbed.log_likelihood[places], climbed.has_converged[places])


def _two_divisions(ordered: Array, components: int, floor: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The ends of the runs with the least squares, and of those with the highest classification likelihood."""
    if components == 1:
        whole = np.repeat([[0], [len(ordered)]], ordered.shape[1], axis=1)
        return whole, whole
    table = run_table(ordered)
    return best_runs(table, components, least_squares, floor), best_runs(table, components, most_likely_runs, floor)


def _parts_of_runs(ordered: Array, ends: NDArray[np.intp], floor: float) -> _Components:
    """Weights, means and sigmas of runs of sorted values, given the ends of the runs (runs + 1 x samples)."""
    sizes = np.diff(ends, axis=0)
    sums, squares = (
        np.diff(np.take_along_axis(np.insert(np.cumsum(powers, axis=0), 0, 0.0, axis=0), ends, axis=0), axis=0)
        for powers in (ordered, ordered**2)
    )
    means = sums / sizes
    sigmas = np.sqrt(np.maximum(squares / sizes - means**2, floor**2))
    return _Components(sizes / len(ordered), means, sigmas)


def _climb(ordered: Array, start: _Components, floor: float, tolerance: float, most_rounds: int) -> Mixtures:
    """EM until every sample has converged; samples that have converged are removed from the work."""
    samples = ordered.shape[1]
    weights, means, sigmas = (np.empty_like(column) for column in start)
    ends = Mixtures(weights, means, sigmas, np.empty(samples), np.zeros(samples, dtype=bool))
    places, values, parts, reached = np.arange(samples), ordered, start, np.full(samples, -np.inf)
    for _ in range(most_rounds):
        likelihood, better = _em_round(values, parts, floor)
        is_open = likelihood - reached > tolerance
        if is_open.all():
            parts, reached = better, likelihood
            continue
        _keep(ends, places[~is_open], parts.take(~is_open), likelihood[~is_open])
        ends.has_converged[places[~is_open]] = True
        places, values, parts, reached = places[is_open], values[:, is_open], better.take(is_open), likelihood[is_open]
        if not len(places):
            return ends
    _keep(ends, places, parts, _em_round(values, parts, floor)[0])
    return ends


def _keep(ends: Mixtures, places: NDArray[np.intp], parts: _Components, likelihood: Array) -> None:
    """Store the results of these samples."""
    for kept, found in zip(ends[:4], (*parts, likelihood), strict=True):
        kept[..., places] = found


def _em_round(values: Array, parts: _Components, floor: float) -> tuple[Array, _Components]:
    """The log-likelihood under these components, and the components after one round of EM."""
    squares, shares, top = _scaled_densities(values, parts)
    total = shares.sum(axis=0)
    likelihood = (np.log(total) + top).sum(axis=0) - len(values) * HALF_LOG_TWO_PI
    shares *= 1.0 / total
    held = shares.sum(axis=1)
    divisor = np.maximum(held, LEAST_WEIGHT)
    means = np.where(held > LEAST_WEIGHT, np.einsum("kvs,vs->ks", shares, values) / divisor, parts.means)
    # Mean square around the old mean, minus the squared shift of the mean, is the variance around the new mean.
    variances = np.einsum("kvs,kvs->ks", shares, squares) / divisor - (means - parts.means) ** 2
    return likelihood, _Components(held / len(values), means, np.sqrt(np.maximum(variances, floor**2)))


def _scaled_densities(values: Array, parts: _Components) -> tuple[Array, Array, Array]:
    """Squared distances; weight x density, divided by the largest for each value; the natural log of the largest.

    The first two are components x values x samples.
    """
    with np.errstate(divide="ignore"):  # An empty component has weight 0: log -inf, density 0.
        heights = np.log(parts.weights) - np.log(parts.sigmas)
    squares = values - parts.means[:, None]
    squares *= squares
    joint = squares * (-0.5 / parts.sigmas**2)[:, None]
    joint += heights[:, None]
    top = joint.max(axis=0)
    joint -= top
    return squares, np.exp(joint, out=joint), top
