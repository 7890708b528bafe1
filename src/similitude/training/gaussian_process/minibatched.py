"""Fitting in minibatches with gpytorch, for more items than fit into memory.

Maximises the bound of Hensman, Fusi and Lawrence (2013). The Gaussian over the inducing values follows its natural
gradient; kernel, noise and inducing points follow Adam.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.kernel import KernelForm, covariance, has_linear_part, own_covariance
from similitude.systems.uncertain.gaussian_process.posterior import Posterior
from similitude.training.gaussian_process.learner import JITTERS, Bounded, RegressionProblem, cholesky, posterior_of
from similitude.training.gaussian_process.recipe import GprRecipe

with warnings.catch_warnings():  # gpytorch uses torch.jit, which torch has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    import gpytorch
    from gpytorch.distributions import MultivariateNormal
    from gpytorch.variational import NaturalVariationalDistribution, VariationalStrategy
    from linear_operator.utils.errors import NanError, NotPSDError
    from linear_operator.utils.warnings import NumericalWarning

__all__ = ["Minibatched", "SparseProcess"]

_NATURAL_RATE = 0.1


class PairKernel(gpytorch.kernels.Kernel):  # type: ignore[misc]
    """The kernel of `similitude.systems.uncertain.gaussian_process.kernel`, for gpytorch."""

    def __init__(self, form: KernelForm, widths: tuple[int, ...], logs: Bounded) -> None:
        super().__init__()
        self.form, self.widths, self.logs = form, widths, logs

    def forward(self, x1: Tensor, x2: Tensor, diag: bool = False, **_: Any) -> Any:
        """The covariance of rows x rows, or the variance of each row."""
        logs = self.logs()[1:]
        left, right = x1.split(self.widths, dim=-1), x2.split(self.widths, dim=-1)
        if diag:
            return own_covariance(torch, self.form, logs, [(part * part).sum(dim=-1) for part in left])
        products = [a @ b.transpose(-1, -2) for a, b in zip(left, right, strict=True)]
        distances = [_distances(a, b, ab) for a, b, ab in zip(left, right, products, strict=True)]
        return covariance(torch, self.form, logs, distances, products if has_linear_part(self.form) else [])


class SparseProcess(gpytorch.models.ApproximateGP):  # type: ignore[misc]
    """A process with mean 0 and trainable inducing points."""

    def __init__(self, inducing: Tensor, kernel: PairKernel) -> None:
        distribution = NaturalVariationalDistribution(len(inducing), mean_init_std=0.0)
        strategy = VariationalStrategy(self, inducing, distribution, jitter_val=JITTERS[0])
        super().__init__(strategy)
        self.kernel = kernel
        self.double()

    def forward(self, rows: Tensor) -> MultivariateNormal:
        """The prior of the rows."""
        return MultivariateNormal(torch.zeros(len(rows), dtype=rows.dtype, device=rows.device), self.kernel(rows))


class Minibatched:
    """Fits kernel, noise, inducing points and q(u) of a sparse process in minibatches.

    In the second half of the epochs both learning rates fall to 0, so that the noise of minibatches averages out.

    Args:
        problem: rows, initial points and kernel.
        recipe: batch size, learning rate of Adam, number of epochs, and the seed of the order of items.
    """

    is_done = False

    def __init__(self, problem: RegressionProblem, recipe: GprRecipe) -> None:
        self.problem, self.recipe = problem, recipe
        self.targets = problem.targets()
        self.features = torch.from_numpy(np.asarray(problem.rows.features, np.float64)).to(problem.device)
        self.logs = problem.first_logs()
        kernel = PairKernel(problem.form, problem.widths, self.logs)
        self.model = SparseProcess(torch.from_numpy(problem.inducing), kernel).to(problem.device)
        items = len(self.features)
        self._natural = gpytorch.optim.NGD(self.model.variational_parameters(), num_data=items, lr=_NATURAL_RATE)
        self._adam = torch.optim.Adam(self.model.hyperparameters(), lr=recipe.lr)
        self._epochs = 0

    def epoch(self) -> list[float]:
        """One pass over all items."""
        order = np.random.default_rng([self.recipe.seed, self._epochs]).permutation(len(self.features))
        self.model.train()
        self._set_rates()
        losses = [self._step(torch.from_numpy(batch)) for batch in _batches(order, self.recipe.batch)]
        if not all(math.isfinite(loss) for loss in losses):
            raise EstimationError("the loss is not a number", remedy="lower --lr")
        self._epochs += 1
        return losses

    def posterior(self) -> Posterior:
        """The process learned so far; a is the mean of the whitened inducing values, R a factor of their covariance."""
        with torch.no_grad(), _as_one_error():
            strategy = self.model.variational_strategy
            points = strategy.inducing_points
            learned = strategy.variational_distribution
            kernel = self.model.kernel(points, points).to_dense()
            jitter = JITTERS[0] * torch.eye(len(points), dtype=kernel.dtype, device=kernel.device)
            return posterior_of(
                self.problem,
                self.targets,
                self.logs(),
                inducing=points.cpu().numpy().copy(),
                factor=cholesky(kernel + jitter, (0.0, *JITTERS)),
                mean=learned.mean,
                root=cholesky(learned.covariance_matrix, (0.0, *JITTERS)).T,
            )

    def state(self) -> dict[str, Any]:
        """The model and both optimisers."""
        return {
            "model": self.model.state_dict(),
            "natural": self._natural.state_dict(),
            "adam": self._adam.state_dict(),
            "epochs": self._epochs,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.model.load_state_dict(state["model"])
        self._natural.load_state_dict(state["natural"])
        self._adam.load_state_dict(state["adam"])
        self._epochs = state["epochs"]

    def _set_rates(self) -> None:
        planned = self.recipe.epochs
        share = min(1.0, 2.0 * (planned - self._epochs) / planned)
        for optimiser, rate in ((self._natural, _NATURAL_RATE), (self._adam, self.recipe.lr)):
            for group in optimiser.param_groups:
                group["lr"] = share * rate

    def _step(self, chosen: Tensor) -> float:
        self._natural.zero_grad()
        self._adam.zero_grad()
        with _as_one_error():
            loss = self._loss(chosen.to(self.features.device))
            loss.backward()
        self._natural.step()
        self._adam.step()
        return float(loss.item())

    def _loss(self, chosen: Tensor) -> Tensor:
        """Minus the bound, in nats per item: expected surprise, KL of q(u), and log prior of the parameters."""
        predicted = self.model(self.features[chosen])
        noise = self.logs()[0].exp() + self.targets.noise[chosen]
        error = (self.targets.values[chosen] - predicted.mean) ** 2 + predicted.variance
        surprise: Tensor = 0.5 * (error / noise + noise.log() + math.log(2.0 * math.pi)).mean()
        cost: Tensor = self.model.variational_strategy.kl_divergence() + self.logs.surprise()
        return surprise + cost / len(self.features)


def _distances(left: Tensor, right: Tensor, products: Tensor) -> Tensor:
    lengths = (left * left).sum(dim=-1)[..., :, None] + (right * right).sum(dim=-1)[..., None, :]
    return (lengths - 2.0 * products).clamp_min(0.0)


def _batches(order: Any, size: int) -> Iterator[Any]:
    """Batches of nearly equal size, none larger than this."""
    yield from np.array_split(order, math.ceil(len(order) / size))


@contextmanager
def _as_one_error() -> Iterator[None]:
    """Silence gpytorch's warnings about jitter, and raise our own error where its jitter is not enough."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumericalWarning)
        try:
            yield
        except (NotPSDError, NanError, torch.linalg.LinAlgError):  # type: ignore[attr-defined]
            raise EstimationError(
                "a covariance has no Cholesky factor, even with jitter on its diagonal",
                remedy="use fewer inducing points, a lower --lr, or --inference fitc",
            ) from None
