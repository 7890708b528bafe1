"""Bounded scores from utilities: margins of winning, with standard errors.

Utilities are unbounded, and very large where all annotators agree, so that a fixed sigmoid would compress them at its
ends. The **margin** of an option is its probability to win against a random other option of its part minus its
probability to lose: the mean of tanh(steepness (u_i - u_j)) over all others j. It lies in -1..1, keeps the order of the
utilities, and sums to 0 over a part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.standard_errors import centred_covariance, centred_errors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["UtilityScores", "margins", "score_utilities"]


WHOLE_UP_TO = 1000
"""The most options of a part for which every pair is computed."""
GRID = 2000
"""Points at which the margin of larger parts is computed; linear interpolation between them is accurate to 1e-5."""


class UtilityScores(NamedTuple):
    """For each option: its utility, the mean of its part 0; its margin; and the standard error of each."""

    utility: Array
    utility_error: Array
    margin: Array
    margin_error: Array


def score_utilities(
    utilities: Array,
    information: csr_array,
    parts: NDArray[np.intp],
    rng: np.random.Generator,
    *,
    prior: float,
    steepness: float,
) -> UtilityScores:
    """Utilities centred in each part, as choices do not say where they lie, margins, and standard errors.

    Standard errors of margins use the delta method: with all covariances in parts of up to 1,000 options; in larger
    parts from the option's own variance alone, because the errors of many others cancel out.

    Args:
        utilities: one for each option.
        information: options x options, with the prior.
        parts: the part of each option; options of different parts share no information.
        rng: source of randomness for parts whose standard errors are estimated (see `standard_errors`).
        prior: the precision of the prior in the information.
        steepness: half the log odds that the better of two options wins, per unit of utility.
    """
    order = np.argsort(parts, kind="stable")
    sizes = np.unique(parts, return_counts=True)[1]
    ordered = information[order][:, order]
    found = np.empty((4, len(utilities)))
    for first, last in zip(np.cumsum(sizes) - sizes, np.cumsum(sizes), strict=True):
        own, block = utilities[order[first:last]] - utilities[order[first:last]].mean(), ordered[first:last, first:last]
        if last - first <= WHOLE_UP_TO:
            found[:, order[first:last]] = _small_part(own, centred_covariance(block.toarray(), prior), steepness)
        else:
            found[:, order[first:last]] = _large_part(own, centred_errors(block, prior, rng), steepness)
    return UtilityScores(*found)


def margins(utilities: Array, steepness: float) -> Array:
    """The margin of each option of one part.

    >>> margins(np.array([9.0, 0.0, -9.0]), 1.0).round(3)
    array([ 1.,  0., -1.])
    """
    return _margins_at(utilities, utilities, steepness) * len(utilities) / (len(utilities) - 1)


def _margins_at(places: Array, utilities: Array, steepness: float) -> Array:
    """The mean margin of an option with each of these utilities against all options."""
    return np.asarray(np.tanh(steepness * (places[:, None] - utilities[None])).mean(axis=1))


def _small_part(utilities: Array, covariance: Array, steepness: float) -> UtilityScores:
    others = len(utilities) - 1
    slopes = steepness * (1 - np.tanh(steepness * (utilities[:, None] - utilities[None])) ** 2) / others
    gradient = np.diag(slopes.sum(axis=1)) - slopes  # the slope of an option against itself cancels
    variance = ((gradient @ covariance) * gradient).sum(axis=1)
    return UtilityScores(utilities, _root(np.diagonal(covariance)), margins(utilities, steepness), _root(variance))


def _large_part(utilities: Array, errors: Array, steepness: float) -> UtilityScores:
    number = len(utilities)
    places = np.linspace(utilities.min(), utilities.max(), GRID)
    against_all = np.concatenate([_margins_at(piece, utilities, steepness) for piece in np.array_split(places, 20)])
    margin = np.interp(utilities, places, against_all) * number / (number - 1)
    steepest = np.interp(utilities, places, np.gradient(against_all, places))
    slope = np.maximum(number * steepest - steepness, 0.0) / (number - 1)  # without the option itself
    # A utility that increases alone also increases the mean, and so is centred a little lower.
    return UtilityScores(utilities, errors, margin, slope * errors * number / (number - 1))


def _root(variances: Array) -> Array:
    return np.sqrt(np.maximum(variances, 0.0))
