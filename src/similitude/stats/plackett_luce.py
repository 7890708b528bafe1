"""Choices from small sets, explained by one utility an option: likelihood, gradient, information, maximum.

Three kinds of choice from a set S, u being the utilities:

- **pair**: a best b and another worst w at once, P(b, w) = exp(u_b - u_w) / sum of exp(u_i - u_j) over all ordered
  pairs i != j of S (max-diff; Marley and Louviere, 2005);
- **best**: one option, P(b) = exp(u_b) / sum of exp(u_i) (Luce, 1959);
- **worst**: one option, P(w) = exp(-u_w) / sum of exp(-u_i).

A best from S and then a worst from what is left is the first and last step of a Plackett-Luce ranking. Every one of
these log-likelihoods is concave and linear in the counts of what was chosen, so Newton's method finds the one maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["ChoiceKind", "Choices", "Utilities", "fit_utilities"]

Array = NDArray[np.float64]
ChoiceKind = Literal["pair", "best", "worst"]


class Choices(NamedTuple):
    """The sets from which something was chosen, each set once.

    Attributes:
        kind: what was chosen.
        members: sets x places, the number of the option at each place; any number where there is none.
        is_member: sets x places, where there is one. No option stands in a set twice.
        counts: how often each set was shown.
    """

    kind: ChoiceKind
    members: NDArray[np.intp]
    is_member: NDArray[np.bool_]
    counts: Array


class Utilities(NamedTuple):
    """Where the climb ended.

    Attributes:
        values: one utility an option.
        information: options x options, minus the second derivatives, the prior included.
        log_likelihood: natural log, the prior included up to a constant.
        steepest: the largest gradient left, in choices: how far what was chosen is from what is expected.
        rounds: how many steps were taken.
    """

    values: Array
    information: csr_array
    log_likelihood: float
    steepest: float
    rounds: int


def fit_utilities(
    chosen: Array, choices: Sequence[Choices], *, prior: float, tolerance: float = 1e-6, most_rounds: int = 100
) -> Utilities:
    """The utilities under which the choices are most likely. Check ``steepest`` before using them.

    Args:
        chosen: for each option, how often it was chosen as best minus how often as worst: all that the likelihood
            needs to know of the answers beside the sets.
        choices: the sets.
        prior: precision of a Gaussian prior around 0 on every utility; 0 for none.
        tolerance: the climb ends when no gradient is larger than this.
        most_rounds: or after this many steps.
    """
    utilities = np.zeros(len(chosen))
    height, slope, information = _look(utilities, chosen, choices, prior)
    rounds = 0
    while np.abs(slope).max() > tolerance and rounds < most_rounds:
        step = _newton_step(information, slope)
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
        log_total, expected, covariance = _moments(part, utilities)
        height -= float(part.counts @ log_total)
        seen = (expected * part.counts[:, None])[part.is_member]
        slope = slope - np.bincount(part.members[part.is_member], weights=seen, minlength=len(utilities))
        information = information + _scattered(part, covariance, len(utilities))
    return _View(height, slope, information)


class _Moments(NamedTuple):
    """Log of the total; mean and covariance of what is counted (1 for the best, -1 for the worst), set by set."""

    log_total: Array
    expected: Array
    covariance: Array


def _moments(part: Choices, utilities: Array) -> _Moments:
    own = utilities[part.members]
    if part.kind == "pair":
        return _pair_moments(own, part.is_member)
    return _single_moments(own, part.is_member, 1.0 if part.kind == "best" else -1.0)


def _pair_moments(own: Array, is_member: NDArray[np.bool_]) -> _Moments:
    is_pair = is_member[:, :, None] & is_member[:, None, :] & ~np.eye(own.shape[1], dtype=bool)
    gaps = np.where(is_pair, own[:, :, None] - own[:, None, :], -np.inf)
    top = gaps.max(axis=(1, 2), keepdims=True)
    shares = np.exp(gaps - top)
    total = shares.sum(axis=(1, 2), keepdims=True)
    shares /= total
    best, worst = shares.sum(axis=2), shares.sum(axis=1)
    covariance = _on_diagonal(best + worst) - shares - shares.transpose(0, 2, 1) - _outer(best - worst)
    return _Moments((np.log(total) + top).ravel(), best - worst, covariance)


def _single_moments(own: Array, is_member: NDArray[np.bool_], sign: float) -> _Moments:
    heights = np.where(is_member, sign * own, -np.inf)
    top = heights.max(axis=1, keepdims=True)
    shares = np.exp(heights - top)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    return _Moments((np.log(total) + top).ravel(), sign * shares, _on_diagonal(shares) - _outer(shares))


def _on_diagonal(rows: Array) -> Array:
    return rows[:, :, None] * np.eye(rows.shape[1])


def _outer(rows: Array) -> Array:
    return rows[:, :, None] * rows[:, None, :]


def _scattered(part: Choices, covariance: Array, options: int) -> csr_array:
    """The sum of all sets' covariances: options x options, sparse."""
    from scipy.sparse import coo_array

    is_pair = part.is_member[:, :, None] & part.is_member[:, None, :]
    rows = np.broadcast_to(part.members[:, :, None], is_pair.shape)[is_pair]
    columns = np.broadcast_to(part.members[:, None, :], is_pair.shape)[is_pair]
    weighted = (covariance * part.counts[:, None, None])[is_pair]
    return coo_array((weighted, (rows, columns)), shape=(options, options)).tocsr()


def _newton_step(information: csr_array, slope: Array) -> Array:
    """Information times step = slope, by conjugate gradients, each utility measured by its own information."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg

    own = information.diagonal()
    scale = diags_array(1.0 / np.where(own > 0, own, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):  # Flat ground: no step, and the gradient left tells.
        step, _ = cg(information, slope, rtol=1e-8, maxiter=1000, M=scale)
    return np.asarray(np.nan_to_num(step, posinf=0.0, neginf=0.0))


def _shortened(
    utilities: Array, step: Array, height: float, chosen: Array, choices: Sequence[Choices], prior: float
) -> tuple[Array, _View]:
    """The step, halved until it does not lead down."""
    share = 1.0
    while True:
        moved = utilities + share * step
        found = _look(moved, chosen, choices, prior)
        if found.height >= height - 1e-9 * abs(height) or share < 1e-10:
            return moved, found
        share /= 2
