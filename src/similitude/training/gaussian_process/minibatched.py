"""Learning in minibatches, by gpytorch: for more items than fit into memory.

The bound of Hensman, Fusi and Lawrence (2013). Each step sees some items. The Gaussian over the inducing values follows
its natural gradient, kernel, noise and the inducing points themselves follow Adam.
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
from similitude.systems.uncertain.gaussian_process.kernel import (
    KernelForm,
    covariance,
    first_parameters,
    has_linear_part,
    own_covariance,
)
from similitude.systems.uncertain.gaussian_process.posterior import Posterior
from similitude.training.gaussian_process.learner import (
    JITTERS,
    Array,
    Bounded,
    Targets,
    TrainingRows,
    cholesky,
    posterior_of,
)

with warnings.catch_warnings():  # gpytorch compiles by torch.jit, of which torch says that it will go
    warnings.simplefilter("ignore", DeprecationWarning)
    import gpytorch
    from gpytorch.distributions import MultivariateNormal
    from gpytorch.variational import NaturalVariationalDistribution, VariationalStrategy
    from linear_operator.utils.errors import NanError, NotPSDError
    from linear_operator.utils.warnings import NumericalWarning

__all__ = ["Minibatched", "SparseProcess"]

_FIRST_NOISE = math.log(0.25)
_NATURAL_RATE = 0.1


class PairKernel(gpytorch.kernels.Kernel):  # type: ignore[misc]
    """The kernel of `similitude.systems.uncertain.gaussian_process.kernel`, as gpytorch asks for it."""

    def __init__(self, form: KernelForm, widths: tuple[int, ...], logs: Bounded) -> None:
        super().__init__()
        self.form, self.widths, self.logs = form, widths, logs

    def forward(self, x1: Tensor, x2: Tensor, diag: bool = False, **_: Any) -> Any:
        """Rows x rows, or of each row with itself."""
        logs = self.logs()[1:]
        left, right = x1.split(self.widths, dim=-1), x2.split(self.widths, dim=-1)
        if diag:
            return own_covariance(torch, self.form, logs, [(part * part).sum(dim=-1) for part in left])
        products = [a @ b.transpose(-1, -2) for a, b in zip(left, right, strict=True)]
        distances = [_distances(a, b, ab) for a, b, ab in zip(left, right, products, strict=True)]
        return covariance(torch, self.form, logs, distances, products if has_linear_part(self.form) else [])


class SparseProcess(gpytorch.models.ApproximateGP):  # type: ignore[misc]
    """A process with mean 0 and inducing points that learn."""

    def __init__(self, inducing: Tensor, kernel: PairKernel) -> None:
        distribution = NaturalVariationalDistribution(len(inducing), mean_init_std=0.0)
        strategy = VariationalStrategy(self, inducing, distribution, jitter_val=JITTERS[0])
        super().__init__(strategy)
        self.kernel = kernel
        self.double()

    def forward(self, rows: Tensor) -> MultivariateNormal:
        """The prior."""
        return MultivariateNormal(torch.zeros(len(rows), dtype=rows.dtype, device=rows.device), self.kernel(rows))


class Minibatched:
    """Learns kernel, noise, inducing points and q(u) of a sparse process, some items at a time.

    Args:
        rows: to learn from.
        widths: of the blocks of a row.
        inducing: where the points begin.
        form: of the kernel.
        batch: items of a step.
        lr: of Adam.
        epochs: that there will be: in the second half both rates fall to 0, so that the noise of batches averages out.
        seed: of the order of items.
        device: as torch writes it.
        evidence: blocks, at the end of a row, that are evidence.
    """

    is_done = False

    def __init__(
        self,
        rows: TrainingRows,
        widths: tuple[int, ...],
        inducing: Array,
        form: KernelForm,
        *,
        batch: int,
        lr: float,
        epochs: int,
        seed: int,
        device: str,
        evidence: int = 0,
    ) -> None:
        self.form, self.widths, self.batch, self.seed = form, widths, batch, seed
        self.targets = Targets.of(rows, device)
        self.features = torch.from_numpy(np.asarray(rows.features, np.float64)).to(device)
        self.logs = Bounded([_FIRST_NOISE, *first_parameters(form, widths, evidence)])
        self.model = SparseProcess(torch.from_numpy(inducing), PairKernel(form, widths, self.logs)).to(device)
        items = len(self.features)
        self._natural = gpytorch.optim.NGD(self.model.variational_parameters(), num_data=items, lr=_NATURAL_RATE)
        self._adam = torch.optim.Adam(self.model.hyperparameters(), lr=lr)
        self._rates, self._planned, self._epochs = (_NATURAL_RATE, lr), epochs, 0

    def epoch(self) -> list[float]:
        """Every item once."""
        order = np.random.default_rng([self.seed, self._epochs]).permutation(len(self.features))
        self.model.train()
        self._slow_down()
        losses = [self._step(torch.from_numpy(batch)) for batch in _batches(order, self.batch)]
        if not all(math.isfinite(loss) for loss in losses):
            raise EstimationError("the loss is not a number", remedy="give a lower --lr")
        self._epochs += 1
        return losses

    def posterior(self) -> Posterior:
        """With R the factor of the covariance, and a the mean, of the whitened inducing values."""
        with torch.no_grad(), _as_one_error():
            strategy = self.model.variational_strategy
            points = strategy.inducing_points
            learned = strategy.variational_distribution
            kernel = self.model.kernel(points, points).to_dense()
            jitter = JITTERS[0] * torch.eye(len(points), dtype=kernel.dtype, device=kernel.device)
            return posterior_of(
                {
                    "form": self.form,
                    "widths": self.widths,
                    "inducing": points.cpu().numpy().copy(),
                    "parameters": self.logs()[1:].cpu().numpy(),
                },
                self.targets,
                factor=cholesky(kernel + jitter, (0.0, *JITTERS)),
                mean=learned.mean,
                root=cholesky(learned.covariance_matrix, (0.0, *JITTERS)).T,
                noise=self.logs()[0].exp(),
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
        """Go on from there."""
        self.model.load_state_dict(state["model"])
        self._natural.load_state_dict(state["natural"])
        self._adam.load_state_dict(state["adam"])
        self._epochs = state["epochs"]

    def _slow_down(self) -> None:
        share = min(1.0, 2.0 * (self._planned - self._epochs) / self._planned)
        for optimiser, rate in zip((self._natural, self._adam), self._rates, strict=True):
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
        """Minus the bound, in nats an item: the items' expected surprise, and what q(u) and the parameters cost."""
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
    """Of nearly equal size, none larger."""
    yield from np.array_split(order, math.ceil(len(order) / size))


@contextmanager
def _as_one_error() -> Iterator[None]:
    """Gpytorch raises jitter by itself and warns each time; where that is not enough, our error says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumericalWarning)
        try:
            yield
        except (NotPSDError, NanError, torch.linalg.LinAlgError):  # type: ignore[attr-defined]
            raise EstimationError(
                "a covariance has no Cholesky factor, whatever was added to its diagonal",
                remedy="give fewer inducing points, a lower --lr, or --inference fitc",
            ) from None
