"""The trainings that users start: similarity models, models of opinions, Gaussian processes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.errors import InputError
from similitude.systems.attach_cache import CacheChoice, chosen_answers, chosen_cache
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.taught_labels import TeachingInputs
from similitude.training.conditional.trainer import SimilarityTrainer
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.gaussian_process.trainer import GaussianProcessTrainer
from similitude.training.job import is_first_process, run_training
from similitude.training.network_job import NetworkJob
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.trained_model import Trained
from similitude.training.uncertain.request import OpinionRequest
from similitude.training.uncertain.trainer import OpinionTrainer

__all__ = [
    "GprRequest",
    "OpinionRequest",
    "SimilarityRequest",
    "Trained",
    "is_first_process",
    "train_gpr",
    "train_model",
    "train_opinions",
]


def train_model(
    data: TrainingData,
    request: SimilarityRequest,
    out: str | Path,
    listener: Listener | None = None,
    *,
    cache: CacheChoice = "usual",
    unlabelled: Benchmark | None = None,
) -> Trained:
    """Train a similarity model and save it in a folder, as the system ``conditional(out)``.

    If the folder holds the same training, unfinished, it is resumed; if finished, its result is returned.

    Args:
        data: to learn from and to validate on.
        request: what to train.
        out: the folder.
        listener: is told the progress.
        cache: where a teacher keeps what it computes, and what language models answer; "usual" for the folder that the
            command line uses, None for nowhere.
        unlabelled: unrated items that the teacher labels, if the request names a teacher.

    Raises:
        InputError: the data cannot be used as requested.
        ArgumentError: the objective cannot use teachers.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before that is exported.
        MissingExtraError: torch is not installed.
    """
    _check_that_epochs_can_be_chosen(data.validation.gold.scores, data.validation.name)
    inputs = TeachingInputs()
    if request.teaching is not None:
        answers = chosen_answers(None if cache is None else "usual", listener)
        inputs = TeachingInputs(unlabelled, chosen_cache(cache, listener), answers, listener)
    return run_training(NetworkJob(SimilarityTrainer(data, request, inputs), request, listener), out)


def _check_that_epochs_can_be_chosen(labels: NDArray[np.float64], where: str) -> None:
    """Check that a correlation with the labels of the validation items is defined.

    Raises:
        InputError: all labels are equal.
    """
    if np.ptp(labels) == 0:
        raise InputError(
            f"all {len(labels):,} labels to validate on are equal: no correlation is defined, so that no epoch can be "
            "chosen",
            where=where,
            remedy="give other items to validate on: --validation, --validation-split or a larger --validation-share",
        )


def train_opinions(
    data: SeveralData,
    request: OpinionRequest,
    out: str | Path,
    listener: Listener | None = None,
    cache: CacheChoice = "usual",
    unlabelled: Benchmark | None = None,
) -> Trained:
    """Train a model of people's opinions and save it in a folder, as the system ``uncertain(out)``.

    Resumes as `train_model` does, and raises the same errors.

    Args:
        data: benchmarks to learn from and to validate on, each with all ratings or their standard deviation.
        request: what to train.
        out: the folder.
        listener: is told the progress.
        cache: where evidence and teacher keep what they compute; "usual" for the folder that the command line uses,
            None for nowhere.
        unlabelled: unrated pairs that the teacher labels, if the request names a teacher.

    Raises:
        InputError: a spread is to be learned but not known from the data, or there are too few items to recalibrate
            on.
    """
    trainer = OpinionTrainer(data, request, chosen_cache(cache, listener), listener, unlabelled)
    if not request.architecture.has_spread:  # all other heads are validated by their loss
        where = " + ".join(part.name for part in data.validation)
        _check_that_epochs_can_be_chosen(trainer.validation.means, where)
    return run_training(NetworkJob(trainer, request, listener), out)


def train_gpr(
    data: SeveralData,
    request: GprRequest,
    out: str | Path,
    *,
    listener: Listener | None = None,
    cache: CacheChoice = "usual",
) -> Trained:
    """Train a Gaussian process and save it in a folder, as the system ``gpr(out)``.

    Resumes as `train_model` does.

    Args:
        data: benchmarks to learn from and to validate on.
        request: what to train.
        out: the folder.
        listener: is told the progress.
        cache: where encoder and evidence keep what they compute; "usual" for the folder that the command line uses,
            None for nowhere.

    Raises:
        InputError: there are too few items, or ratings are needed and were not kept.
        RunError: the folder holds something else.
        EstimationError: no process can be fitted to the data.
        UnknownNameError: there is no such encoder or source of evidence.
        MissingExtraError: torch is not installed.
    """
    trainer = GaussianProcessTrainer(data, request, listener=listener, cache=chosen_cache(cache, listener))
    return run_training(trainer, out)
