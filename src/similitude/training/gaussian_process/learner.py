"""What the methods of fitting a sparse Gaussian process share. Needs torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.kernel import KernelForm, first_parameters
from similitude.systems.uncertain.gaussian_process.posterior import Posterior

__all__ = ["JITTERS", "Bounded", "Learner", "RegressionProblem", "Targets", "TrainingRows", "cholesky", "posterior_of"]

Array = NDArray[np.float64]

JITTERS = (1e-6, 1e-5, 1e-4, 1e-3)
"""Added to the diagonal, as shares of its mean, one after the other until a factor exists."""
_REACH = 8.0
"""How far a logarithm may move from its initial value: a factor of 3,000 up or down."""
_FIRST_NOISE = math.log(0.25)


class TrainingRows(NamedTuple):
    """Items to learn from.

    Attributes:
        features: one row per item.
        targets: one number per item.
        noise: the known variance of each target; None if unknown.
    """

    features: Array
    targets: Array
    noise: Array | None = None


class Learner(Protocol):
    """One method of fitting, in progress."""

    @property
    def is_done(self) -> bool:
        """Whether another epoch would change nothing."""

    def epoch(self) -> list[float]:
        """Run one epoch; returns the loss of each step, in nats per item."""
        ...

    def posterior(self) -> Posterior:
        """The process learned so far."""
        ...

    def state(self) -> dict[str, Any]:
        """The state for `restore`, as torch.save takes it."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state, to the same result."""


@dataclass(frozen=True)
class Targets:
    """Standardised targets, with mean 0 and standard deviation 1.

    Attributes:
        values: one per item.
        noise: known variance of each, 0 if unknown.
        centre: the mean before standardising.
        spread: the standard deviation before standardising.
    """

    values: Tensor
    noise: Tensor
    centre: float
    spread: float

    @classmethod
    def of(cls, rows: TrainingRows, device: str) -> Targets:
        """The targets of these rows.

        Raises:
            EstimationError: all targets are equal, or a value is not a number.
        """
        targets = np.asarray(rows.targets, np.float64)
        if not (np.isfinite(targets).all() and np.isfinite(rows.features).all()):
            raise EstimationError("a feature or a score is not a number", remedy="leave such items out")
        centre, spread = float(targets.mean()), float(targets.std())
        if spread <= 1e-12 * max(1.0, abs(centre)):
            raise EstimationError("all scores are the same", remedy="a Gaussian process needs scores that differ")
        noise = np.zeros(len(targets)) if rows.noise is None else np.asarray(rows.noise, np.float64) / spread**2
        values = (targets - centre) / spread
        return cls(torch.from_numpy(values).to(device), torch.from_numpy(noise).to(device), centre, spread)


@dataclass(frozen=True, kw_only=True, eq=False)
class RegressionProblem:
    """What is fitted: rows, inducing points and a kernel.

    Attributes:
        rows: to learn from.
        widths: of the blocks of a row; each block has its own length scale.
        inducing: the initial inducing points.
        form: of the kernel.
        evidence: the number of blocks, at the end of a row, that hold evidence.
        device: as torch writes it.
    """

    rows: TrainingRows
    widths: tuple[int, ...]
    inducing: Array
    form: KernelForm
    evidence: int = 0
    device: str = "cpu"

    def targets(self) -> Targets:
        """The standardised targets, on the device."""
        return Targets.of(self.rows, self.device)

    def first_logs(self) -> Bounded:
        """The logarithms of noise and kernel parameters, at their initial values."""
        return Bounded([_FIRST_NOISE, *first_parameters(self.form, self.widths, self.evidence)])


class Bounded(torch.nn.Module):
    """Logarithms that stay near their initial values, so that no search ends in overflow.

    The initial values are also the mean of a prior with a standard deviation of 1, that is, a factor of e. The prior
    matters when there are few items and has no effect on thousands. Without it, a process over 40 items of USTS was far
    too confident: its surprise on held-out items was 3.3 nats per item, against 0.8 with the prior.
    """

    first: Tensor

    def __init__(self, first: list[float]) -> None:
        super().__init__()
        self.register_buffer("first", torch.tensor(first, dtype=torch.float64))
        self.moved = torch.nn.Parameter(torch.zeros(len(first), dtype=torch.float64))

    def forward(self) -> Tensor:
        """The logarithms."""
        return self.first + _REACH * torch.tanh(self.moved / _REACH)

    def surprise(self) -> Tensor:
        """Minus their log density under the prior, up to a constant."""
        surprise: Tensor = 0.5 * ((self() - self.first) ** 2).sum()
        return surprise


def cholesky(matrix: Tensor, jitters: Sequence[float] = JITTERS) -> Tensor:
    """The lower Cholesky factor, with as little as possible added to the diagonal.

    Args:
        matrix: symmetric, and positive definite up to rounding.
        jitters: what to add, as shares of the diagonal's mean, one after the other until a factor exists.

    Raises:
        EstimationError: no factor exists even with the last of them.
    """
    diagonal = matrix.diagonal().mean()
    for jitter in jitters:
        eye = torch.eye(len(matrix), dtype=matrix.dtype, device=matrix.device)
        factor: Tensor
        factor, failed = torch.linalg.cholesky_ex(matrix + jitter * diagonal * eye)
        if not failed.item() and bool(torch.isfinite(factor).all()):
            return factor
    raise EstimationError(
        f"the covariance of {len(matrix):,} inducing points has no Cholesky factor, even with {jitters[-1]:g} of its "
        "diagonal added",
        remedy="use fewer inducing points or another kernel",
    )


def posterior_of(
    problem: RegressionProblem,
    targets: Targets,
    logs: Tensor,
    *,
    inducing: Array,
    factor: Tensor,
    mean: Tensor,
    root: Tensor,
) -> Posterior:
    """The learned process as plain arrays.

    Args:
        problem: gives kernel form and widths.
        targets: give the scale.
        logs: the learned logarithms of noise and kernel parameters.
        inducing: the learned points.
        factor: L, the Cholesky factor of the covariance of the points.
        mean: a, of the whitened inducing values.
        root: R, with R'R their covariance.
    """
    eye = torch.eye(len(factor), dtype=factor.dtype, device=factor.device)
    whitening = torch.linalg.solve_triangular(factor, eye, upper=False)
    arrays: dict[str, Any] = {"whitening": whitening, "mean": mean, "root": root}
    return Posterior(
        form=problem.form,
        widths=problem.widths,
        inducing=inducing,
        parameters=logs[1:].cpu().numpy(),
        **{name: _row_major(value) for name, value in arrays.items()},
        noise=float(logs[0].exp()) * targets.spread**2,
        centre=targets.centre,
        spread=targets.spread,
    )


def _row_major(value: Tensor) -> Any:
    """In row-major order, as it is when read from disk; otherwise the last bits of products differ."""
    return np.ascontiguousarray(value.detach().cpu().numpy())
