"""Covariance and standard errors of utilities, which are determined up to a common shift.

The information matrix of one connected part is L + prior I, where L maps a common shift to 0. The shift is removed, so
that utilities sum to 0, and the rest is inverted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from similitude.stats.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["centred_covariance", "centred_errors"]


EXACT_UP_TO = 3000
"""The most options for which the information is inverted; for more, the diagonal of the inverse is estimated."""
PROBES, SOLVED_EXACTLY = 200, 20


def centred_covariance(information: Array, prior: float) -> Array:
    """The covariance of the utilities of one part, which sum to 0.

    Args:
        information: options x options, with the prior.
        prior: the precision of the prior.
    """
    inverse, shift = _inverse_with_shift(information.copy(), prior)
    lower = np.tril(inverse, -1)
    return lower + lower.T + np.diag(np.diagonal(inverse)) - shift


def centred_errors(
    information: csr_array, prior: float, rng: np.random.Generator, *, exact_up_to: int = EXACT_UP_TO
) -> Array:
    """The standard errors of the utilities of one part, which sum to 0.

    Exact for up to ``exact_up_to`` options; for more, the diagonal of the inverse is estimated with random signs
    (Hutchinson, 1990), to about one per cent (Ruddit, 6,001 options: 0.3 % on average, 0.9 % at most).

    Args:
        information: options x options, sparse, with the prior.
        prior: the precision of the prior.
        rng: source of randomness for the signs.
        exact_up_to: the most options for the exact computation.
    """
    if information.shape[0] > exact_up_to:
        variances = _estimated(information, rng)
    else:
        inverse, shift = _inverse_with_shift(information.toarray(), prior)
        variances = np.diagonal(inverse) - shift
    return np.sqrt(np.maximum(variances, 0.0))


def _inverse_with_shift(information: Array, prior: float) -> tuple[Array, float]:
    """The inverse of the information plus a term for the shift, and what this term adds to every cell."""
    size = len(information)
    own = float(np.trace(information)) / size or 1.0
    information += own / size
    return _inverse(information), 1.0 / ((prior + own) * size)


def _inverse(matrix: Array) -> Array:
    """The inverse of a symmetric positive definite matrix, computed in place; only its lower triangle is valid."""
    from scipy.linalg import lapack

    factor, failed = lapack.dpotrf(matrix.T, lower=1, overwrite_a=1)
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    return np.full_like(matrix, np.nan) if failed else np.asarray(inverse)


def _estimated(information: csr_array, rng: np.random.Generator) -> Array:
    """The diagonal of the inverse D + D A D + ..., where D inverts the diagonal and A is minus the rest.

    The first two terms are computed, and random signs estimate the others, which keeps the noise small. Options that
    were shown far more often than others are solved exactly, because they are correlated with all others.
    """
    own = information.diagonal()
    total = np.zeros(len(own))
    for _ in range(PROBES):
        signs = rng.choice([-1.0, 1.0], size=len(own))
        known = signs / own + (signs - information @ (signs / own)) / own
        total += signs * (_solved(information, signs) - known)
    variances = np.asarray(1.0 / own + total / PROBES)
    for often in np.argsort(own)[-SOLVED_EXACTLY:]:
        variances[often] = _solved(information, np.eye(1, len(own), often)[0])[often]
    return variances


def _solved(information: csr_array, target: Array) -> Array:
    """The solution of information x solution = target, both centred."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg

    scale = diags_array(1.0 / information.diagonal())
    found, _ = cg(information, target - target.mean(), rtol=1e-6, maxiter=1000, M=scale)
    return np.asarray(found - found.mean())
