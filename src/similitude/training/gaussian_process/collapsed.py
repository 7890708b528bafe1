"""Learning with q(u) integrated out: all items in every step, and only the kernel's parameters to search for.

For given parameters the best Gaussian over the inducing values is known in closed form, so L-BFGS over a handful of
logarithms is all there is to do. A step costs items x points^2 operations. Two approximations, with Q the covariance
that the inducing points explain and k_ii - q_ii what they miss of item i:

vfe (Titsias, 2009)
    a lower bound of the evidence: ln N(y; 0, Q + noise) - 1/2 sum (k_ii - q_ii) / noise_i.
fitc (Snelson and Ghahramani, 2006)
    the evidence of a neighbouring model, in which what is missed is noise of that item alone:
    ln N(y; 0, Q + diag(k_ii - q_ii) + noise).

Distances between items and inducing points are computed once, block by block; they do not change, as the points do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.kernel import (
    KernelForm,
    covariance,
    first_parameters,
    has_linear_part,
    own_covariance,
)
from similitude.systems.uncertain.gaussian_process.posterior import (
    Posterior,
    blocks_of,
    products_of,
    squared_distances,
)
from similitude.training.gaussian_process.learner import (
    JITTERS,
    Array,
    Bounded,
    Targets,
    TrainingRows,
    cholesky,
    posterior_of,
)

__all__ = ["Collapsed"]

STEPS = 10
"""Of L-BFGS in an epoch."""
_FIRST_NOISE = math.log(0.25)
_GAIN = 1e-5
"""In nats an item: an epoch that gains less is the last."""


class _Solved(NamedTuple):
    """For given parameters: the factor of the points, what the items are whitened to, and the system to solve."""

    noise: Tensor
    factor: Tensor
    whitened: Tensor
    item_noise: Tensor
    system: Tensor
    projected: Tensor


class Collapsed:
    """Learns the kernel of a sparse process whose inducing points stay where they are.

    Args:
        rows: to learn from.
        widths: of the blocks of a row.
        inducing: the points.
        form: of the kernel.
        approximation: fitc or vfe.
        device: as torch writes it.
        evidence: blocks, at the end of a row, that are evidence.
    """

    def __init__(
        self,
        rows: TrainingRows,
        widths: tuple[int, ...],
        inducing: Array,
        form: KernelForm,
        approximation: Literal["fitc", "vfe"],
        device: str,
        evidence: int = 0,
    ) -> None:
        self.form, self.widths, self.inducing, self.approximation = form, widths, inducing, approximation
        self.targets = Targets.of(rows, device)
        parts, points = blocks_of(rows.features, widths), blocks_of(inducing, widths)
        self._between = _tables(parts, points, form, device)
        self._among = _tables(points, points, form, device)
        self._squares = [torch.from_numpy(np.einsum("ij,ij->i", part, part)).to(device) for part in parts]
        self.logs = Bounded([_FIRST_NOISE, *first_parameters(form, widths, evidence)]).to(device)
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
        """Whether the last epoch gained next to nothing."""
        return self._gained < _GAIN

    def epoch(self) -> list[float]:
        """Some steps of L-BFGS; the lowest loss after each evaluation."""
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
            raise EstimationError("the loss is not a number", remedy="look for odd scores in the data")
        self._last, self._gained = lowest[-1], self._last - lowest[-1]
        return list(lowest)

    def loss(self) -> Tensor:
        """Minus the approximate log evidence, and the surprise at its parameters, in nats an item."""
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
        """With R the inverse of the system's factor, and a its solution."""
        with torch.no_grad():
            logs = self.logs()
            solved = self._solve(logs)
            eye = torch.eye(len(solved.system), dtype=torch.float64, device=solved.system.device)
            root = torch.linalg.solve_triangular(solved.system, eye, upper=False)
            like = {"form": self.form, "widths": self.widths, "inducing": self.inducing}
            return posterior_of(
                {**like, "parameters": logs[1:].cpu().numpy()},
                self.targets,
                factor=solved.factor,
                mean=root.T @ solved.projected,
                root=root,
                noise=solved.noise,
            )

    def state(self) -> dict[str, Any]:
        """Parameters, and all that L-BFGS remembers."""
        return {
            "logs": self.logs.state_dict(),
            "search": self._search.state_dict(),
            "last": self._last,
            "gained": self._gained,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
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
        return _Solved(noise, factor, whitened, item_noise, system, projected)

    def _missed(self, logs: Tensor, whitened: Tensor) -> Tensor:
        """What the inducing points do not explain of each item's variance; rounding may make it a little negative."""
        own: Tensor = own_covariance(torch, self.form, logs[1:], self._squares)
        return (own - (whitened * whitened).sum(dim=0)).clamp_min(0.0)


def _tables(parts: list[Array], points: list[Array], form: KernelForm, device: str) -> tuple[Tensor, Tensor]:
    """Squared distances and, where they are needed, dot products: blocks x rows x points."""
    distances = (squared_distances(part, point) for part, point in zip(parts, points, strict=True))
    products = products_of(parts, points) if has_linear_part(form) else []
    shape = (len(parts[0]), len(points[0]))
    return _stacked(distances, (len(parts), *shape), device), _stacked(products, (len(products), *shape), device)


def _stacked(tables: Iterable[Array], shape: tuple[int, int, int], device: str) -> Tensor:
    """One tensor, of which no part is in memory twice."""
    stacked = torch.empty(shape, dtype=torch.float64, device=device)
    for place, table in enumerate(tables):
        stacked[place] = torch.from_numpy(table)
    return stacked
