"""Fitting with q(u) integrated out: every step sees all items and optimises only the kernel's parameters.

For given parameters, the best Gaussian over the inducing values has a closed form, so only a handful of logarithms is
optimised, by L-BFGS. A step costs items x points^2 operations. There are two approximations; Q is the covariance that
the inducing points explain, and k_ii - q_ii what they miss of the variance of item i:

vfe (Titsias, 2009)
    a lower bound of the evidence: ln N(y; 0, Q + noise) - 1/2 sum (k_ii - q_ii) / noise_i.
fitc (Snelson and Ghahramani, 2006)
    the evidence of a related model, in which the missing variance is noise of that item alone:
    ln N(y; 0, Q + diag(k_ii - q_ii) + noise).

The inducing points are fixed, so distances between items and points are computed only once, block by block.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.kernel import KernelForm, covariance, has_linear_part, own_covariance
from similitude.systems.uncertain.gaussian_process.posterior import (
    Posterior,
    blocks_of,
    products_of,
    squared_distances,
)
from similitude.training.gaussian_process.learner import JITTERS, Array, RegressionProblem, cholesky, posterior_of

__all__ = ["Collapsed"]

STEPS = 10
"""The number of L-BFGS steps in an epoch."""
_GAIN = 1e-5
"""In nats per item: fitting ends with an epoch that gains less."""


class _Solved(NamedTuple):
    """For given parameters: the factor of the points, the whitened items, and the linear system."""

    factor: Tensor
    whitened: Tensor
    item_noise: Tensor
    system: Tensor
    projected: Tensor


class Collapsed:
    """Fits the kernel of a sparse process with fixed inducing points.

    Args:
        problem: rows, points and kernel.
        approximation: fitc or vfe.
    """

    def __init__(self, problem: RegressionProblem, approximation: Literal["fitc", "vfe"]) -> None:
        self.problem, self.form, self.approximation = problem, problem.form, approximation
        self.targets, device = problem.targets(), problem.device
        parts = blocks_of(problem.rows.features, problem.widths)
        points = blocks_of(problem.inducing, problem.widths)
        self._between = _tables(parts, points, self.form, device)
        self._among = _tables(points, points, self.form, device)
        self._squares = [torch.from_numpy(np.einsum("ij,ij->i", part, part)).to(device) for part in parts]
        self.logs = problem.first_logs().to(device)
        self._search = torch.optim.LBFGS(
            self.logs.parameters(),
            max_iter=STEPS,
            max_eval=2 * STEPS,
            history_size=20,
            tolerance_change=1e-9,
            line_search_fn="strong_wolfe",
        )
        self._last, self._gained = math.inf, math.inf

    @property
    def is_done(self) -> bool:
        """Whether the last epoch gained almost nothing."""
        return self._gained < _GAIN

    def epoch(self) -> list[float]:
        """Ten steps of L-BFGS; returns the lowest loss after each evaluation."""
        losses: list[float] = []

        def evaluate() -> Tensor:
            self._search.zero_grad()
            loss = self.loss()
            loss.backward()
            losses.append(loss.item())
            return loss

        self._search.step(evaluate)
        lowest = np.fmin.accumulate(losses).tolist()
        if not math.isfinite(lowest[-1]):
            raise EstimationError("the loss is not a number", remedy="check the data for extreme scores")
        self._last, self._gained = lowest[-1], self._last - lowest[-1]
        return list(lowest)

    def loss(self) -> Tensor:
        """Minus the approximate log evidence and the log prior of the parameters, in nats per item."""
        logs = self.logs()
        solved = self._solve(logs)
        values, noise = self.targets.values, solved.item_noise
        fit = (values * values / noise).sum() - solved.projected @ solved.projected
        volume = noise.log().sum() + 2.0 * solved.system.diagonal().log().sum()
        total = 0.5 * (fit + volume + len(values) * math.log(2.0 * math.pi))
        if self.approximation == "vfe":
            total = total + 0.5 * (self._missed(logs, solved.whitened) / noise).sum()
        return (total + self.logs.surprise()) / len(values)

    def posterior(self) -> Posterior:
        """The process learned so far; R is the inverse of the system's factor, a its solution."""
        with torch.no_grad():
            logs = self.logs()
            solved = self._solve(logs)
            eye = torch.eye(len(solved.system), dtype=torch.float64, device=solved.system.device)
            root = torch.linalg.solve_triangular(solved.system, eye, upper=False)
            return posterior_of(
                self.problem,
                self.targets,
                logs,
                inducing=self.problem.inducing,
                factor=solved.factor,
                mean=root.T @ solved.projected,
                root=root,
            )

    def state(self) -> dict[str, Any]:
        """The parameters and the state of L-BFGS."""
        return {
            "logs": self.logs.state_dict(),
            "search": self._search.state_dict(),
            "last": self._last,
            "gained": self._gained,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.logs.load_state_dict(state["logs"])
        self._search.load_state_dict(state["search"])
        self._last, self._gained = state["last"], state["gained"]

    def _solve(self, logs: Tensor) -> _Solved:
        noise = logs[0].exp()
        factor = cholesky(covariance(torch, self.form, logs[1:], *self._among))
        whitened = torch.linalg.solve_triangular(
            factor, covariance(torch, self.form, logs[1:], *self._between).T, upper=False
        )
        item_noise = noise + self.targets.noise
        if self.approximation == "fitc":
            item_noise = item_noise + self._missed(logs, whitened)
        scaled = whitened / item_noise.sqrt()
        eye = torch.eye(len(factor), dtype=factor.dtype, device=factor.device)
        system = cholesky(eye + scaled @ scaled.T, (0.0, *JITTERS))
        right = (whitened @ (self.targets.values / item_noise))[:, None]
        projected = torch.linalg.solve_triangular(system, right, upper=False)[:, 0]
        return _Solved(factor, whitened, item_noise, system, projected)

    def _missed(self, logs: Tensor, whitened: Tensor) -> Tensor:
        """The part of each item's variance that the inducing points do not explain; never negative."""
        own: Tensor = own_covariance(torch, self.form, logs[1:], self._squares)
        return (own - (whitened * whitened).sum(dim=0)).clamp_min(0.0)


def _tables(parts: list[Array], points: list[Array], form: KernelForm, device: str) -> tuple[Tensor, Tensor]:
    """Squared distances and, if the kernel needs them, dot products: blocks x rows x points."""
    distances = (squared_distances(part, point) for part, point in zip(parts, points, strict=True))
    products = products_of(parts, points) if has_linear_part(form) else []
    shape = (len(parts[0]), len(points[0]))
    return _stacked(distances, (len(parts), *shape), device), _stacked(products, (len(products), *shape), device)


def _stacked(tables: Iterable[Array], shape: tuple[int, int, int], device: str) -> Tensor:
    """All tables in one tensor, filled one by one to save memory."""
    stacked = torch.empty(shape, dtype=torch.float64, device=device)
    for place, table in enumerate(tables):
        stacked[place] = torch.from_numpy(table)
    return stacked
