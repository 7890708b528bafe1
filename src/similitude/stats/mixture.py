"""Gaussian mixtures in one dimension, fitted to very many small samples at once.

A sample is one row: what people said of one item. All rows have the same number of values; rows of different lengths
are fitted group by group. Maximum likelihood by EM (Dempster, Laird and Rubin, 1977), with no standard deviation under
a floor, without which a component that sits on one value has infinite likelihood. The floor is part of every M step,
so the likelihood never falls.

EM climbs to the nearest hill, so that the start decides. Here it is not drawn: in one dimension the best division of
sorted values into ``k`` runs can be found exactly. Two divisions are tried, the one with the least squares (what
k-means looks for) and the one with the highest classification likelihood (which also finds narrow camps), and the
better end is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.gaussian import HALF_LOG_TWO_PI
from similitude.stats.value_runs import best_runs, least_squares, most_likely_runs, run_table

__all__ = ["Mixtures", "fit_mixtures", "mixture_log_density"]

Array = NDArray[np.float64]

CELLS_AT_ONCE = 160_000
"""Values x components that are worked on at once, which bounds the memory."""
LEAST_WEIGHT = 1e-12
"""A component that holds less of a sample than this keeps its mean: it is empty."""


class Mixtures(NamedTuple):
    """One mixture a sample.

    Attributes:
        weights: samples x components, the share of each component.
        means: samples x components, lowest first.
        sigmas: samples x components, none under the floor.
        log_likelihood: samples, natural log, summed over the values of a sample.
        has_converged: samples, whether a further round would have gained less than the tolerance.
    """

    weights: Array
    means: Array
    sigmas: Array
    log_likelihood: Array
    has_converged: NDArray[np.bool_]


def fit_mixtures(
    samples: Array, components: int, *, floor: float, tolerance: float = 1e-4, most_rounds: int = 2000
) -> Mixtures:
    """The mixture of ``components`` Gaussians under which each sample is most likely.

    Args:
        samples: samples x values, no value missing.
        components: how many Gaussians; at most the number of values.
        floor: the least standard deviation of a component, above 0.
        tolerance: a sample is done when one round of EM gains less than this in log-likelihood.
        most_rounds: what is not done then is marked as not converged.

    >>> two_camps = np.array([[1.0, 1.2, 0.8, 4.0, 4.1, 3.9]])
    >>> fit_mixtures(two_camps, 2, floor=0.1).means.round(2)
    array([[1., 4.]])
    """
    rows = max(1, CELLS_AT_ONCE // (samples.shape[1] * components))
    parts = [
        _fit_part(np.sort(samples[first : first + rows], axis=1).T, components, floor, tolerance, most_rounds)
        for first in range(0, len(samples), rows)
    ]
    return Mixtures(*(np.concatenate(column, axis=-1).T for column in zip(*parts, strict=True)))


def mixture_log_density(values: Array, weights: Array, means: Array, sigmas: Array) -> Array:
    """Natural log of the density of each value under its sample's mixture.

    Args:
        values: samples x values.
        weights: samples x components, as are means and sigmas.
        means: see weights.
        sigmas: see weights.
    """
    _, joint, top = _scaled_densities(values.T, _Camps(weights.T, means.T, sigmas.T))
    return np.asarray(np.log(joint.sum(axis=0)) + top - HALF_LOG_TWO_PI).T


class _Camps(NamedTuple):
    """Weights, means and sigmas: components x samples, so that sums over components run along whole rows."""

    weights: Array
    means: Array
    sigmas: Array

    def take(self, chosen: NDArray[np.bool_]) -> _Camps:
        return _Camps(*(column[:, chosen] for column in self))


def _fit_part(ordered: Array, components: int, floor: float, tolerance: float, most_rounds: int) -> Mixtures:
    """The better of two climbs for each sample; values x samples in, everything with samples last out."""
    first, second = _two_divisions(ordered, components, floor)
    twice = np.flatnonzero((first != second).any(axis=0))  # Where both divisions are the same one climb is enough.
    values = np.concatenate([ordered, ordered[:, twice]], axis=1)
    start = _camps_of_runs(values, np.concatenate([first, second[:, twice]], axis=1), floor)
    climbed = _climb(values, start, floor, tolerance, most_rounds)
    # For each sample the place of its better climb: the second ones stand after all first ones.
    better = np.arange(ordered.shape[1])
    seconds = ordered.shape[1] + np.arange(len(twice))
    is_better = climbed.log_likelihood[seconds] > climbed.log_likelihood[twice]
    better[twice[is_better]] = seconds[is_better]
    return _sorted_by_mean(climbed, better)


def _sorted_by_mean(climbed: Mixtures, places: NDArray[np.intp]) -> Mixtures:
    """The mixtures at these places, the lowest component first."""
    order = np.argsort(climbed.means[:, places], axis=0, kind="stable")
    weights, means, sigmas = (np.take_along_axis(column[:, places], order, axis=0) for column in climbed[:3])
    return Mixtures(weights, means, sigmas, climbed.log_likelihood[places], climbed.has_converged[places])


def _two_divisions(ordered: Array, components: int, floor: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the runs of least squares end, and those of highest classification likelihood."""
    if components == 1:
        whole = np.repeat([[0], [len(ordered)]], ordered.shape[1], axis=1)
        return whole, whole
    table = run_table(ordered)
    return best_runs(table, components, least_squares, floor), best_runs(table, components, most_likely_runs, floor)


def _camps_of_runs(ordered: Array, ends: NDArray[np.intp], floor: float) -> _Camps:
    """Weights, means and sigmas of runs of sorted values, given where each run ends (runs + 1 x samples)."""
    sizes = np.diff(ends, axis=0)
    sums, squares = (
        np.diff(np.take_along_axis(np.insert(np.cumsum(powers, axis=0), 0, 0.0, axis=0), ends, axis=0), axis=0)
        for powers in (ordered, ordered**2)
    )
    means = sums / sizes
    sigmas = np.sqrt(np.maximum(squares / sizes - means**2, floor**2))
    return _Camps(sizes / len(ordered), means, sigmas)


def _climb(ordered: Array, start: _Camps, floor: float, tolerance: float, most_rounds: int) -> Mixtures:
    """EM until every sample gains less than the tolerance; samples that are done leave the work."""
    samples = ordered.shape[1]
    weights, means, sigmas = (np.empty_like(column) for column in start)
    ends = Mixtures(weights, means, sigmas, np.empty(samples), np.zeros(samples, dtype=bool))
    places, values, camps, reached = np.arange(samples), ordered, start, np.full(samples, -np.inf)
    for _ in range(most_rounds):
        likelihood, better = _em_round(values, camps, floor)
        is_open = likelihood - reached > tolerance
        if is_open.all():
            camps, reached = better, likelihood
            continue
        _keep(ends, places[~is_open], camps.take(~is_open), likelihood[~is_open])
        ends.has_converged[places[~is_open]] = True
        places, values, camps, reached = places[is_open], values[:, is_open], better.take(is_open), likelihood[is_open]
        if not len(places):
            return ends
    _keep(ends, places, camps, _em_round(values, camps, floor)[0])
    return ends


def _keep(ends: Mixtures, places: NDArray[np.intp], camps: _Camps, likelihood: Array) -> None:
    """Write down where these samples have come to."""
    for kept, found in zip(ends[:4], (*camps, likelihood), strict=True):
        kept[..., places] = found


def _em_round(values: Array, camps: _Camps, floor: float) -> tuple[Array, _Camps]:
    """The log-likelihood under these camps, and the camps after one round."""
    squares, shares, top = _scaled_densities(values, camps)
    total = shares.sum(axis=0)
    likelihood = (np.log(total) + top).sum(axis=0) - len(values) * HALF_LOG_TWO_PI
    shares *= 1.0 / total
    held = shares.sum(axis=1)
    divisor = np.maximum(held, LEAST_WEIGHT)
    means = np.where(held > LEAST_WEIGHT, np.einsum("kvs,vs->ks", shares, values) / divisor, camps.means)
    # Squares around the old mean less the square of its move are squares around the new one.
    variances = np.einsum("kvs,kvs->ks", shares, squares) / divisor - (means - camps.means) ** 2
    return likelihood, _Camps(held / len(values), means, np.sqrt(np.maximum(variances, floor**2)))


def _scaled_densities(values: Array, camps: _Camps) -> tuple[Array, Array, Array]:
    """Squared distances; weight x density over the largest of each value; and the natural log of that largest.

    The first two are components x values x samples.
    """
    with np.errstate(divide="ignore"):  # An empty component has weight 0: log -inf, density 0.
        heights = np.log(camps.weights) - np.log(camps.sigmas)
    squares = values - camps.means[:, None]
    squares *= squares
    joint = squares * (-0.5 / camps.sigmas**2)[:, None]
    joint += heights[:, None]
    top = joint.max(axis=0)
    joint -= top
    return squares, np.exp(joint, out=joint), top
