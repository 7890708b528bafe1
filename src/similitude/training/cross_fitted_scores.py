"""Scores of trained models that never saw the labels: each model scores the fold that it was trained without.

The folds are those of `similitude.training.fold_teachers`: all conditions of a sentence pair are in one fold. Every
model is trained for all its epochs and its last weights score, because choosing an epoch would need labels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.trainer import SimilarityTrainer
from similitude.training.distillation import fold_scores
from similitude.training.examples import Examples
from similitude.training.fold_teachers import Teachers
from similitude.training.folder import TrainingFolder
from similitude.training.network_job import NetworkJob
from similitude.training.splits import TrainingData

__all__ = ["cross_fitted_scores"]

FEWEST = 3
"""Items that the trainer is handed to validate on; the validation is not used."""


def cross_fitted_scores(
    data: Benchmark, request: SimilarityRequest, folds: int, listener: Listener | None = None
) -> tuple[Examples, NDArray[np.float64]]:
    """Train one model without each fold, and score that fold.

    Args:
        data: items with gold and a scale.
        request: what is trained; its seed deals the folds.
        folds: how many models.
        listener: is told the progress of each.

    Returns:
        The items in the order of the scores, and one score per item, from 0 to 1.

    Raises:
        InputError: the data cannot be used as requested, or has fewer sentence pairs than folds.
        EstimationError: a loss is not a number.
        MissingExtraError: torch is not installed.
    """
    wanted = replace(request, teachers=Teachers(count=folds))
    trainer = SimilarityTrainer(TrainingData(data, data.take(np.arange(FEWEST))), wanted)
    job = NetworkJob(trainer, wanted, listener)
    with TemporaryDirectory(prefix="similitude-folds-") as place:
        folder = TrainingFolder(Path(place) / "model")
        folder.claim(job.plan(folder))
        job.open(folder)
        prepared = trainer.prepare(job.opened, job.recipe)
        blind = prepared._replace(setup=replace(prepared.setup, validate=_last_epoch()))
        return trainer.train, fold_scores(blind, trainer.train, job.recipe, wanted.teachers, folder, listener)


def _last_epoch() -> Callable[[Any], Mapping[str, float]]:
    """A validation that finds each epoch better than the one before."""
    epochs = itertools.count(1)
    return lambda network: {"epochs": float(next(epochs))}
