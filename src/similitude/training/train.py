"""Training a model from data to folder: similarity, or people's opinions."""

from __future__ import annotations

from pathlib import Path

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener, VectorCache
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.trainer import SimilarityTrainer
from similitude.training.job import is_first_process, run_training
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.trained_model import Trained
from similitude.training.uncertain.request import OpinionRequest
from similitude.training.uncertain.trainer import OpinionTrainer

__all__ = ["OpinionRequest", "SimilarityRequest", "Trained", "is_first_process", "train_model", "train_opinions"]


def train_model(
    data: TrainingData, request: SimilarityRequest, out: str | Path, listener: Listener | None = None
) -> Trained:
    """Train a model of similarity and save it in a folder; go on where the folder holds the same training, unfinished.

    Args:
        data: to learn from and to validate on.
        request: what to train.
        out: the folder.
        listener: hears how far it is.

    Returns:
        The training; the model is ``conditional(out)``.

    Raises:
        InputError: the data cannot be learned from as asked.
        ArgumentError: the objective and the teachers do not fit together.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before is exported.
        MissingExtraError: torch is not installed.
    """
    return run_training(SimilarityTrainer(data, request), request, out, listener)


def train_opinions(
    data: SeveralData,
    request: OpinionRequest,
    out: str | Path,
    listener: Listener | None = None,
    cache: VectorCache | None = None,
    unlabelled: Benchmark | None = None,
) -> Trained:
    """Train a model of people's opinions and save it in a folder; go on as `train_model` does.

    Args:
        data: benchmarks to learn from and to validate on, each with every rater's rating or their standard deviation.
        request: what to train.
        out: the folder.
        listener: hears how far it is.
        cache: where sources of evidence and a teacher keep what they compute.
        unlabelled: pairs that nobody rated, for the teacher to label, where the request names one.

    Returns:
        The training; the model is ``uncertain(out)``.

    Raises:
        InputError: the data do not say how far people differ, and a spread is to be learned; or there are too few
            items to recalibrate on.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before is exported.
        MissingExtraError: torch is not installed.
    """
    return run_training(OpinionTrainer(data, request, cache, listener, unlabelled), request, out, listener)
