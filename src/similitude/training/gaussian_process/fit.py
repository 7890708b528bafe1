"""Fitting a sparse Gaussian process: epochs of one of the methods, each validated; the best epoch is kept.

Needs torch; gpytorch is needed only for minibatches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from similitude.errors import EstimationError, MissingExtraError
from similitude.systems.uncertain.gaussian_process.posterior import Posterior
from similitude.training.gaussian_process.collapsed import Collapsed
from similitude.training.gaussian_process.inducing_points import choose_inducing, usable_inducing
from similitude.training.gaussian_process.learner import Learner, RegressionProblem, TrainingRows
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.progress import Epoch, TrainingProgress

if TYPE_CHECKING:
    from similitude.data.protocols import Listener
    from similitude.training.progress import Checkpoints

__all__ = ["FittedProcess", "TrainingRows", "Validate", "fit"]

Validate = Callable[[Posterior], Mapping[str, float]]
"""Maps a process to figures by name; the first one selects the best epoch, higher is better."""


class FittedProcess(NamedTuple):
    """A fitted process.

    Attributes:
        posterior: of the best epoch.
        history: every epoch.
        curve: the loss of every step, in nats per item.
        notes: what the user should know.
    """

    posterior: Posterior
    history: list[Epoch]
    curve: list[float]
    notes: tuple[str, ...] = ()


def fit(
    rows: TrainingRows,
    widths: tuple[int, ...],
    recipe: GprRecipe,
    validate: Validate,
    *,
    evidence: int = 0,
    checkpoints: Checkpoints | None = None,
    listener: Listener | None = None,
    device: str = "cpu",
) -> FittedProcess:
    """Fit kernel, noise and inducing values to rows of features.

    Args:
        rows: to learn from.
        widths: of the blocks of a row; each block has its own length scale.
        recipe: method, kernel and numbers.
        validate: measures the process after each epoch.
        evidence: the number of blocks, at the end of a row, that hold evidence; they start with a larger weight.
        checkpoints: keeps the progress; fitting resumes from what it holds.
        listener: is told the progress.
        device: as torch writes it.

    Raises:
        EstimationError: there are too few items, all scores are the same, or no Cholesky factor exists.
        MissingExtraError: minibatches are requested and gpytorch is not installed.
    """
    count = usable_inducing(rows.features, recipe.inducing)
    notes = () if count == recipe.inducing else (_fewer(count, recipe.inducing),)
    problem = RegressionProblem(
        rows=rows,
        widths=widths,
        inducing=choose_inducing(rows.features, count, np.random.default_rng(recipe.seed)),
        form=recipe.kernel,
        evidence=evidence,
        device=device,
    )
    fitting = _Fitting(_learner(problem, recipe), validate, checkpoints)
    fitting.resume()
    while not fitting.is_over(recipe):
        if listener is not None:
            listener.progress("fitting", fitting.progress.epoch, recipe.epochs)
        with _few_threads():
            fitting.epoch(recipe, len(rows.targets))
    return FittedProcess(fitting.best(), fitting.progress.history, fitting.progress.curve, notes)


@contextmanager
def _few_threads() -> Iterator[None]:
    """Use half as many threads.

    Steps are short, and threads that wait for each other are slow on a busy machine: on two busy cores, 7,000 pairs
    took 97 s with two threads and 21 s with one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(max(1, before // 2))
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _Fitting:
    """A learner, its progress, and the process of its best epoch."""

    def __init__(self, learner: Learner, validate: Validate, checkpoints: Checkpoints | None) -> None:
        self.learner, self.validate, self.checkpoints = learner, validate, checkpoints
        self.progress = TrainingProgress()
        self._best: Posterior | None = None

    def resume(self) -> None:
        found = None if self.checkpoints is None else self.checkpoints.load()
        if found is not None:
            self.progress = found
            self.learner.restore(found.weights["learner"])
            self._best = _posterior_of_state(found.weights["best"])

    def is_over(self, recipe: GprRecipe) -> bool:
        waited = recipe.patience > 0 and self.progress.since_best() >= recipe.patience
        return self.progress.epoch >= recipe.epochs or self.learner.is_done or waited

    def epoch(self, recipe: GprRecipe, items: int) -> None:
        started = time.monotonic()
        losses = self.learner.epoch()
        learned = time.monotonic()
        posterior = self.learner.posterior()
        figures = {name: float(value) for name, value in self.validate(posterior).items()}
        first = next(iter(figures.values()))
        is_best = self._best is None or first > self.progress.best
        if is_best:
            self._best = posterior
        self.progress.curve += losses
        self.progress.epoch += 1
        seconds = (learned - started, time.monotonic() - learned)
        self.progress.history.append(
            Epoch(self.progress.epoch, losses[-1], figures, is_best, recipe.lr, items, *seconds)
        )
        self._save()

    def best(self) -> Posterior:
        if self._best is None:
            raise EstimationError("no epoch was run", remedy="run at least one epoch")
        return self._best

    def _save(self) -> None:
        if self.checkpoints is None or self._best is None:
            return
        self.progress.weights = {"learner": self.learner.state(), "best": _state_of_posterior(self._best)}
        self.checkpoints.publish(self.progress)
        self.checkpoints.save(self.progress)


def _learner(problem: RegressionProblem, recipe: GprRecipe) -> Learner:
    method = recipe.method_for(len(problem.rows.targets))
    if method == "fitc" or method == "vfe":
        return Collapsed(problem, method)
    try:
        from similitude.training.gaussian_process.minibatched import Minibatched
    except ImportError:
        raise MissingExtraError("gpytorch", "uncertain") from None
    return Minibatched(problem, recipe)


def _fewer(count: int, wanted: int) -> str:
    return f"{count:,} inducing points were used instead of {wanted:,}: there are no more distinct items"


def _state_of_posterior(posterior: Posterior) -> dict[str, Any]:
    """A process as torch.save takes it."""
    return {
        "record": posterior.record(),
        "arrays": {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in posterior.arrays().items()},
    }


def _posterior_of_state(state: dict[str, Any]) -> Posterior:
    return Posterior.from_record(state["record"], {name: value.numpy() for name, value in state["arrays"].items()})
