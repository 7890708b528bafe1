"""Models of choices from small sets with one utility for each option, fitted by maximum likelihood.

There are three kinds of choice from a set S; u are the utilities:

- **pair**: a best b and another worst w at once, P(b, w) = exp(u_b - u_w) / sum of exp(u_i - u_j) over all ordered
  pairs i != j of S (max-diff; Marley and Louviere, 2005);
- **best**: one option, P(b) = exp(u_b) / sum of exp(u_i) (Luce, 1959);
- **worst**: one option, P(w) = exp(-u_w) / sum of exp(-u_i).

A best from S and then a worst from the rest are the first and last step of a Plackett-Luce ranking. All these
log-likelihoods are concave, and linear in the counts of choices, so Newton's method finds the maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "ChoiceKind",
    "ChoiceMoments",
    "Choices",
    "Utilities",
    "choice_moments",
    "fit_utilities",
    "log_totals",
    "newton_step",
    "scattered",
]

ChoiceKind = Literal["pair", "best", "worst"]


class Choices(NamedTuple):
    """The sets of options that were shown, each once.

    Attributes:
        kind: the kind of choice.
        members: sets x places, the number of the option at each place; arbitrary for empty places.
        is_member: sets x places, false for empty places. No option is in a set twice.
        counts: how often each set was shown.
    """

    kind: ChoiceKind
    members: NDArray[np.intp]
    is_member: NDArray[np.bool_]
    counts: Array


class Utilities(NamedTuple):
    """Fitted utilities.

    Attributes:
        values: one utility for each option.
        information: options x options, the negative Hessian of the log-likelihood with the prior.
        log_likelihood: natural log, with the prior up to a constant.
        steepest: the largest remaining gradient: the difference between observed and expected choices.
        rounds: the number of Newton steps.
    """

    values: Array
    information: csr_array
    log_likelihood: float
    steepest: float
    rounds: int


def fit_utilities(
    chosen: Array, choices: Sequence[Choices], *, prior: float, tolerance: float = 1e-6, most_rounds: int = 100
) -> Utilities:
    """The maximum-likelihood utilities. Check ``steepest`` for convergence before use.

    Args:
        chosen: for each option, how often it was chosen as best minus how often as worst; with the sets, this is
            sufficient for the likelihood.
        choices: the sets.
        prior: precision of a Gaussian prior around 0 on every utility; 0 for none.
        tolerance: stop when no gradient is larger than this.
        most_rounds: the most steps.
    """
    utilities = np.zeros(len(chosen))
    height, slope, information = _look(utilities, chosen, choices, prior)
    rounds = 0
    while np.abs(slope).max() > tolerance and rounds < most_rounds:
        step = newton_step(information, slope)
        utilities, found = _shortened(utilities, step, height, chosen, choices, prior)
        height, slope, information = found
        rounds += 1
    return Utilities(utilities, information, height, float(np.abs(slope).max()), rounds)


class _View(NamedTuple):
    height: float
    slope: Array
    information: csr_array


def _look(utilities: Array, chosen: Array, choices: Sequence[Choices], prior: float) -> _View:
    """Log-likelihood, gradient and information at these utilities."""
    from scipy.sparse import csr_array, eye_array

    height = float(chosen @ utilities - 0.5 * prior * utilities @ utilities)
    slope = chosen - prior * utilities
    information = csr_array(prior * eye_array(len(utilities)))
    for part in choices:
        log_total, expected, covariance = choice_moments(part, utilities)
        height -= float(part.counts @ log_total)
        seen = (expected * part.counts[:, None])[part.is_member]
        slope = slope - np.bincount(part.members[part.is_member], weights=seen, minlength=len(utilities))
        information = information + scattered(part, covariance, len(utilities))
    return _View(height, slope, information)


class ChoiceMoments(NamedTuple):
    """For each set: log of the normaliser, mean and covariance of the choice (1 for the best, -1 for the worst)."""

    log_total: Array
    expected: Array
    covariance: Array


def choice_moments(part: Choices, utilities: Array) -> ChoiceMoments:
    """The moments of the choice from every set."""
    own = utilities[part.members]
    if part.kind == "pair":
        return _pair_moments(own, part.is_member)
    return _single_moments(own, part.is_member, 1.0 if part.kind == "best" else -1.0)


def log_totals(part: Choices, utilities: Array) -> Array:
    """The log of the normaliser of every set of pairs, without the moments."""
    own = np.where(part.is_member, utilities[part.members], -np.inf)
    low = np.where(part.is_member, -utilities[part.members], -np.inf)
    # All ordered pairs but those of an option with itself, of which each is exp(0) = 1.
    up, down = (np.logaddexp.reduce(side, axis=1) for side in (own, low))
    return np.asarray(up + down + np.log1p(-part.is_member.sum(axis=1) * np.exp(-up - down)))


def _pair_moments(own: Array, is_member: NDArray[np.bool_]) -> ChoiceMoments:
    is_pair = is_member[:, :, None] & is_member[:, None, :] & ~np.eye(own.shape[1], dtype=bool)
    gaps = np.where(is_pair, own[:, :, None] - own[:, None, :], -np.inf)
    top = gaps.max(axis=(1, 2), keepdims=True)
    shares = np.exp(gaps - top)
    total = shares.sum(axis=(1, 2), keepdims=True)
    shares /= total
    best, worst = shares.sum(axis=2), shares.sum(axis=1)
    covariance = _on_diagonal(best + worst) - shares - shares.transpose(0, 2, 1) - _outer(best - worst)
    return ChoiceMoments((np.log(total) + top).ravel(), best - worst, covariance)


def _single_moments(own: Array, is_member: NDArray[np.bool_], sign: float) -> ChoiceMoments:
    heights = np.where(is_member, sign * own, -np.inf)
    top = heights.max(axis=1, keepdims=True)
    shares = np.exp(heights - top)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    return ChoiceMoments((np.log(total) + top).ravel(), sign * shares, _on_diagonal(shares) - _outer(shares))


def _on_diagonal(rows: Array) -> Array:
    return rows[:, :, None] * np.eye(rows.shape[1])


def _outer(rows: Array) -> Array:
    return rows[:, :, None] * rows[:, None, :]


def scattered(part: Choices, covariance: Array, options: int) -> csr_array:
    """The sum of a matrix of each set, times how often it was shown: options x options, sparse.

    Args:
        part: the sets.
        covariance: sets x places x places.
        options: how many options there are.
    """
    from scipy.sparse import coo_array

    is_pair = part.is_member[:, :, None] & part.is_member[:, None, :]
    rows = np.broadcast_to(part.members[:, :, None], is_pair.shape)[is_pair]
    columns = np.broadcast_to(part.members[:, None, :], is_pair.shape)[is_pair]
    weighted = (covariance * part.counts[:, None, None])[is_pair]
    return coo_array((weighted, (rows, columns)), shape=(options, options)).tocsr()


def newton_step(information: csr_array, slope: Array, *, accuracy: float = 1e-8) -> Array:
    """The solution of information x step = slope, by conjugate gradients with a diagonal preconditioner."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg

    own = information.diagonal()
    scale = diags_array(1.0 / np.where(own > 0, own, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):  # No curvature: no step; the gradient shows it.
        step, _ = cg(information, slope, rtol=accuracy, maxiter=1000, M=scale)
    return np.where(np.isfinite(step), step, 0.0)


def _shortened(
    utilities: Array, step: Array, height: float, chosen: Array, choices: Sequence[Choices], prior: float
) -> tuple[Array, _View]:
    """The step, halved until it does not decrease the log-likelihood."""
    share = 1.0
    while True:
        moved = utilities + share * step
        found = _look(moved, chosen, choices, prior)
        if found.height >= height - 1e-9 * abs(height) or share < 1e-10:
            return moved, found
        share /= 2
