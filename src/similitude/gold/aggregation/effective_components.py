"""Effective components as in USTS: one mixture over the rating vectors of all items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.errors import InputError
from similitude.stats.arrays import Array, Integers
from similitude.stats.vector_mixture import Covariance, fit_vector_mixture

__all__ = ["EffectiveComponents", "effective_components"]


class EffectiveComponents(NamedTuple):
    """The number of components that are responsible for each item.

    Attributes:
        counts: effective components of each item.
        responsibilities: items x components, the responsibility of each component for each item.
        log_likelihood: of each item, natural log.
    """

    counts: Integers
    responsibilities: Array
    log_likelihood: Array


def effective_components(
    matrix: Array,
    k: int,
    rng: np.random.Generator,
    *,
    fitted_to: Array | None = None,
    least: float = 0.2,
    covariance: Covariance = "full",
    starts: int = 1,
) -> EffectiveComponents:
    """The number of components of one mixture whose responsibility for an item is at least 0.2 (USTS section 4).

    The mixture has ``k`` Gaussians with as many dimensions as there are raters. It describes kinds of *items*, not
    camps of raters: two effective components say that an item lies between two kinds. EM starts at random, and the
    counts depend on the start: Table 6 of USTS states neither ``k`` nor the start, and cannot be reproduced exactly.
    For camps among the raters of one item use the aggregation ``mixture``.

    Args:
        matrix: items x raters, no rating missing.
        k: number of Gaussians.
        rng: draws the starts.
        fitted_to: items to fit the mixture to, if others than ``matrix`` (a training split).
        least: the smallest responsibility that counts.
        covariance: "full" or "diagonal".
        starts: number of random starts; the likeliest fit is kept.

    Raises:
        InputError: a rating is missing.

    >>> rng = np.random.default_rng(0)
    >>> vectors = rng.normal([[1.0] * 4] * 50 + [[4.0] * 4] * 50, 0.3)  # items x ratings
    >>> int(effective_components(vectors, 2, rng).counts.max())
    1
    """
    training = matrix if fitted_to is None else fitted_to
    if not (np.isfinite(matrix).all() and np.isfinite(training).all()):
        what = "effective components need every rater's rating of every item"
        raise InputError(
            what, remedy="leave out items or raters with missing ratings, or use the aggregation 'mixture'"
        )
    mixture = fit_vector_mixture(training, k, rng, covariance=covariance, starts=starts)
    shares = mixture.responsibilities(matrix)
    return EffectiveComponents((shares >= least).sum(axis=1), shares, mixture.log_density(matrix))
