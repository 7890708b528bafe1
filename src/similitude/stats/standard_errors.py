"""Covariance and standard errors of utilities, which are determined up to a common shift.

The information matrix of one connected part is L + prior I, where L maps a common shift to 0. The shift is removed, so
that utilities sum to 0, and the rest is inverted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from similitude.stats.arrays import Array, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["centred_covariance", "centred_errors"]


EXACT_UP_TO = 3000
"""The most options for which the information is inverted; for more, the diagonal of the inverse is estimated."""
PROBES, SOLVED_EXACTLY = 200, 20
MANY, PROBES_OF_MANY = 20_000, 40
"""With more options than this, fewer random signs are drawn, and errors are accurate to about two per cent."""
TOGETHER = 4_000_000
"""How many numbers are solved for at a time: 32 MB for each of a few arrays."""
ACCURACY, MOST_ROUNDS = 1e-4, 1000
"""A solution is accurate enough if it misses its target by this share; random signs miss by more."""


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
    (Hutchinson, 1990), to about one per cent (Ruddit, 6,001 options: 0.3 % on average, 0.9 % at most), and to about two
    per cent beyond 20,000 options.

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
    own = information.diagonal()[:, None]
    size = len(own)
    total, left = np.zeros(size), _probes(size)
    while left > 0:
        number = min(left, max(1, TOGETHER // size))
        signs = rng.choice([-1.0, 1.0], size=(size, number))
        known = signs / own + (signs - information @ (signs / own)) / own
        total += (signs * (_solved(information, signs) - known)).sum(axis=1)
        left -= number
    variances = np.asarray(1.0 / own[:, 0] + total / _probes(size))
    often = np.argsort(own[:, 0])[-SOLVED_EXACTLY:]
    variances[often] = _solved(information, _units(size, often))[often, np.arange(often.size)]
    return variances


def _probes(options: int) -> int:
    """How many vectors of random signs are drawn."""
    return PROBES if options <= MANY else PROBES_OF_MANY


def _units(size: int, places: Integers) -> Array:
    """A column for each place, 1 there and 0 elsewhere."""
    units = np.zeros((size, len(places)))
    units[places, np.arange(len(places))] = 1.0
    return units


def _solved(information: csr_array, targets: Array) -> Array:
    """The solutions of information x solution = target, all columns at once, both centred.

    Conjugate gradients with a diagonal preconditioner; a column that is accurate enough does not move any more.
    """
    own = information.diagonal()[:, None]
    gaps = targets - targets.mean(axis=0)
    found, limits = np.zeros_like(gaps), ACCURACY * np.linalg.norm(gaps, axis=0)
    scaled = gaps / own
    way, size = scaled, (gaps * scaled).sum(axis=0)
    for _ in range(MOST_ROUNDS):
        is_open = np.linalg.norm(gaps, axis=0) > limits
        if not is_open.any():
            break
        ahead = information @ way
        curvature = (way * ahead).sum(axis=0)
        step = np.divide(size, curvature, out=np.zeros_like(size), where=is_open & (curvature > 0))
        found, gaps = found + step * way, gaps - step * ahead
        scaled = gaps / own
        size, before = (gaps * scaled).sum(axis=0), size
        way = scaled + way * np.divide(size, before, out=np.zeros_like(size), where=before > 0)
    return np.asarray(found - found.mean(axis=0))
