"""What the ways of learning a Gaussian process share. Imported only where torch is known to be there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.posterior import Posterior

__all__ = ["JITTERS", "Bounded", "Learner", "Targets", "TrainingRows", "cholesky", "posterior_of"]

Array = NDArray[np.float64]

JITTERS = (1e-6, 1e-5, 1e-4, 1e-3)
"""Added to the diagonal, as a share of its mean, each where the one before was not enough."""
_REACH = 8.0
"""How far a logarithm may move from where it begins: a factor of 3,000 up or down."""


class TrainingRows(NamedTuple):
    """Items to learn from.

    Attributes:
        features: one row an item.
        targets: one number an item.
        noise: what is known of the variance of each target; None for nothing.
    """

    features: Array
    targets: Array
    noise: Array | None = None


class Learner(Protocol):
    """One way of learning, in the middle of it."""

    @property
    def is_done(self) -> bool:
        """Whether another epoch would change nothing."""

    def epoch(self) -> list[float]:
        """Go on; the loss of each step, in nats an item."""
        ...

    def posterior(self) -> Posterior:
        """What has been learned so far."""
        ...

    def state(self) -> dict[str, Any]:
        """From which `restore` goes on to the same end; for torch.save."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""


@dataclass(frozen=True)
class Targets:
    """Targets on the inside scale, with mean 0 and standard deviation 1.

    Attributes:
        values: one an item.
        noise: known variance of each, 0 where nothing is known.
        centre: what was taken away.
        spread: what they were then divided by.
    """

    values: Tensor
    noise: Tensor
    centre: float
    spread: float

    @classmethod
    def of(cls, rows: TrainingRows, device: str) -> Targets:
        """The targets of these rows.

        Raises:
            EstimationError: they are all the same, or something is no number.
        """
        targets = np.asarray(rows.targets, np.float64)
        if not (np.isfinite(targets).all() and np.isfinite(rows.features).all()):
            raise EstimationError("a feature or a score is no number", remedy="leave such items out")
        centre, spread = float(targets.mean()), float(targets.std())
        if spread <= 1e-12 * max(1.0, abs(centre)):
            raise EstimationError("all scores are the same", remedy="a Gaussian process needs scores that differ")
        noise = np.zeros(len(targets)) if rows.noise is None else np.asarray(rows.noise, np.float64) / spread**2
        values = (targets - centre) / spread
        return cls(torch.from_numpy(values).to(device), torch.from_numpy(noise).to(device), centre, spread)


class Bounded(torch.nn.Module):
    """Logarithms that begin somewhere and never go far, so that no search ends in overflow.

    Where they begin is also where they are expected, give or take a factor of e: a prior that thousands of items do not
    feel and that few need. Without it a process over 40 items of USTS was far too sure: 3.3 nats an item of surprise on
    others, against 0.8 with it.
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
    """The lower factor, with as little added to the diagonal as makes it exist.

    Args:
        matrix: symmetric, and positive up to rounding.
        jitters: what to add, as shares of the diagonal's mean, one after the other until there is a factor.

    Raises:
        EstimationError: not even the last of them is enough.
    """
    diagonal = matrix.diagonal().mean()
    for jitter in jitters:
        eye = torch.eye(len(matrix), dtype=matrix.dtype, device=matrix.device)
        factor: Tensor
        factor, failed = torch.linalg.cholesky_ex(matrix + jitter * diagonal * eye)
        if not failed.item() and bool(torch.isfinite(factor).all()):
            return factor
    raise EstimationError(
        f"the covariance of {len(matrix):,} inducing points has no Cholesky factor, though up to {jitters[-1]:g} of "
        "its diagonal was added",
        remedy="give fewer inducing points, or another kernel",
    )


def posterior_of(
    like: dict[str, Any], targets: Targets, *, factor: Tensor, mean: Tensor, root: Tensor, noise: Tensor
) -> Posterior:
    """The learned process as plain arrays.

    Args:
        like: form, widths, parameters and inducing points.
        targets: for their scale.
        factor: L.
        mean: a.
        root: R.
        noise: variance, on the inside scale.
    """
    eye = torch.eye(len(factor), dtype=factor.dtype, device=factor.device)
    whitening = torch.linalg.solve_triangular(factor, eye, upper=False)
    arrays: dict[str, Any] = {"whitening": whitening, "mean": mean, "root": root}
    return Posterior(
        **like,
        **{name: _in_rows(value) for name, value in arrays.items()},
        noise=float(noise) * targets.spread**2,
        centre=targets.centre,
        spread=targets.spread,
    )


def _in_rows(value: Tensor) -> Any:
    """Row by row in memory, as it will be when read back: else the last bits of products differ."""
    return np.ascontiguousarray(value.detach().cpu().numpy())
