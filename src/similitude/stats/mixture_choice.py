"""The number of components of a mixture, chosen by BIC or by held-out likelihood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.mixture import Mixtures, fit_mixtures, mixture_log_density

__all__ = ["Fold", "bic", "components_by_bic", "components_by_held_out", "most_components", "split_values"]


class Fold(NamedTuple):
    """Values to fit and values that are held out, both samples x values."""

    fitted: Array
    held_out: Array


def most_components(values: int, most: int) -> int:
    """The most components that a sample of this size can support: no more parameters (3 k - 1) than values.

    >>> [most_components(values, 3) for values in (1, 4, 5, 8, 19)]
    [1, 1, 2, 3, 3]
    """
    return max(1, min(most, (values + 1) // 3))


def bic(fit: Mixtures, values: int) -> Array:
    """-2 ln L + (3 k - 1) ln n for each sample; lower is better (Schwarz, 1978)."""
    return np.asarray(-2 * fit.log_likelihood + (3 * fit.means.shape[1] - 1) * np.log(values))


def components_by_bic(samples: Array, fits: list[Mixtures]) -> NDArray[np.intp]:
    """The number of components with the lowest BIC for each sample; the smaller number if two are equal.

    Args:
        samples: samples x values.
        fits: the fits with one component, with two, and so on.
    """
    figures = np.stack([bic(fit, samples.shape[1]) for fit in fits])
    return np.asarray(figures.argmin(axis=0) + 1)


def components_by_held_out(
    samples: Array, most: int, rng: np.random.Generator, *, floor: float, folds: int = 5
) -> NDArray[np.intp]:
    """The number of components with the highest likelihood of held-out values for each sample.

    Each value is held out once. If two numbers are equal, the smaller is chosen; a sample of one value has one.

    Args:
        samples: samples x values.
        most: the most components to try; a fold tries at most `most_components` of its fitted values.
        rng: source of randomness for the folds.
        floor: the least standard deviation of a component.
        folds: the number of folds; samples with fewer values hold out one value at a time.
    """
    likelihood = np.zeros((most, len(samples)))
    for fold in split_values(samples, folds, rng):
        possible = most_components(fold.fitted.shape[1], most)
        for components in range(1, possible + 1):
            fit = fit_mixtures(fold.fitted, components, floor=floor)
            density = mixture_log_density(fold.held_out, fit.weights, fit.means, fit.sigmas)
            likelihood[components - 1] += density.sum(axis=1)
        likelihood[possible:] = -np.inf
    return np.asarray(likelihood.argmax(axis=0) + 1)


def split_values(samples: Array, folds: int, rng: np.random.Generator) -> Iterator[Fold]:
    """Folds of nearly equal size of the values of each sample; none if samples have one value."""
    dealt = rng.permuted(samples, axis=1)
    number = min(folds, samples.shape[1])
    places = np.arange(samples.shape[1]) % number
    for fold in range(number if number > 1 else 0):
        yield Fold(dealt[:, places != fold], dealt[:, places == fold])
