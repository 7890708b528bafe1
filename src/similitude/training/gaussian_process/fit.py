"""Fitting a sparse Gaussian process: epochs of whatever way of learning, judged after each, the best one kept.

Imported only where torch is known to be there; gpytorch is needed for minibatches alone.
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
from similitude.training.gaussian_process.learner import Learner, TrainingRows
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.progress import Epoch, TrainingProgress

if TYPE_CHECKING:
    from similitude.data.protocols import Listener
    from similitude.training.progress import Shelf

__all__ = ["FittedProcess", "Judge", "TrainingRows", "fit"]

Judge = Callable[[Posterior], Mapping[str, float]]
"""From what has been learned to figures by name; the first one decides, higher is better."""


class FittedProcess(NamedTuple):
    """A process that has learned.

    Attributes:
        posterior: of the best epoch.
        history: every epoch.
        curve: the loss of every step, in nats an item.
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
    judge: Judge,
    *,
    evidence: int = 0,
    shelf: Shelf | None = None,
    listener: Listener | None = None,
    device: str = "cpu",
) -> FittedProcess:
    """Learn kernel, noise and inducing values from rows of features.

    Args:
        rows: to learn from.
        widths: of the blocks of a row; each has a length scale of its own.
        recipe: how.
        judge: measures what has been learned, after each epoch.
        evidence: blocks, at the end of a row, that are evidence: they count from the start.
        shelf: where the training stands is kept there, and it goes on from what is there.
        listener: hears how far it is.
        device: as torch writes it.

    Raises:
        EstimationError: there are too few items, all scores are the same, or no Cholesky factor exists.
        MissingExtraError: minibatches are asked for, and gpytorch is not installed.
    """
    count = usable_inducing(rows.features, recipe.inducing)
    notes = () if count == recipe.inducing else (_fewer(count, recipe.inducing),)
    inducing = choose_inducing(rows.features, count, np.random.default_rng(recipe.seed))
    learner = _learner(rows, widths, inducing, recipe, {"device": device, "evidence": evidence})
    course = _Course(learner, judge, shelf)
    course.resume()
    while course.progress.epoch < recipe.epochs and not learner.is_done and not course.waited(recipe.patience):
        if listener is not None:
            listener.progress("fitting", course.progress.epoch, recipe.epochs)
        with _few_threads():
            course.epoch(recipe, len(rows.targets))
    return FittedProcess(course.best(), course.progress.history, course.progress.curve, notes)


@contextmanager
def _few_threads() -> Iterator[None]:
    """Half as many threads as cores.

    Steps are short, and threads that wait for each other are slow where others work too: on two busy cores 7,000 pairs
    took 97 s with two threads and 21 s with one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(max(1, before // 2))
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _Course:
    """A learner on its way, and the best that it has been."""

    def __init__(self, learner: Learner, judge: Judge, shelf: Shelf | None) -> None:
        self.learner, self.judge, self.shelf = learner, judge, shelf
        self.progress = TrainingProgress()
        self._best: Posterior | None = None

    def resume(self) -> None:
        found = None if self.shelf is None else self.shelf.load()
        if found is not None:
            self.progress = found
            self.learner.restore(found.weights["learner"])
            self._best = _thawed(found.weights["best"])

    def waited(self, patience: int) -> bool:
        return patience > 0 and self.progress.since_best() >= patience

    def epoch(self, recipe: GprRecipe, items: int) -> None:
        started = time.monotonic()
        losses = self.learner.epoch()
        learned = time.monotonic()
        posterior = self.learner.posterior()
        figures = {name: float(value) for name, value in self.judge(posterior).items()}
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
            raise EstimationError("nothing was learned", remedy="give at least one epoch")
        return self._best

    def _save(self) -> None:
        if self.shelf is None or self._best is None:
            return
        self.progress.weights = {"learner": self.learner.state(), "best": _frozen(self._best)}
        self.shelf.tell(self.progress)
        self.shelf.save(self.progress)


def _learner(
    rows: TrainingRows, widths: tuple[int, ...], inducing: Any, recipe: GprRecipe, options: dict[str, Any]
) -> Learner:
    method = recipe.method_for(len(rows.targets))
    if method == "fitc" or method == "vfe":
        return Collapsed(rows, widths, inducing, recipe.kernel, method, **options)
    try:
        from similitude.training.gaussian_process.minibatched import Minibatched
    except ImportError:
        raise MissingExtraError("gpytorch", "uncertain") from None
    return Minibatched(
        rows,
        widths,
        inducing,
        recipe.kernel,
        batch=recipe.batch,
        lr=recipe.lr,
        epochs=recipe.epochs,
        seed=recipe.seed,
        **options,
    )


def _fewer(count: int, wanted: int) -> str:
    return f"{count:,} inducing points were taken instead of {wanted:,}: there are no more different items"


def _frozen(posterior: Posterior) -> dict[str, Any]:
    """For torch.save."""
    return {
        "record": posterior.record(),
        "arrays": {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in posterior.arrays().items()},
    }


def _thawed(frozen: dict[str, Any]) -> Posterior:
    return Posterior.from_record(frozen["record"], {name: value.numpy() for name, value in frozen["arrays"].items()})
