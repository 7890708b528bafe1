"""The training in Python of models that know how far people differ: networks and Gaussian processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from similitude.data.addresses import BenchmarkData
from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.study.model import Model
from similitude.systems.attach_cache import CacheChoice
from similitude.systems.uncertain.architecture import Encoding
from similitude.train.request_parts import Folder, several_benchmarks, trained_model
from similitude.training.keyword_types import GaussianProcessOptions, UncertainOptions
from similitude.training.keywords import GAUSSIAN_PROCESS, UNCERTAIN
from similitude.training.kinds import prepared_training
from similitude.training.options import taking

__all__ = ["gaussian_process", "uncertain"]


@with_progress_bar
@taking(UNCERTAIN)
def uncertain(
    data: BenchmarkData | Sequence[BenchmarkData],
    *,
    model: str | Path,
    out: Folder = None,
    architecture: Encoding | None = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[UncertainOptions],
) -> Model:
    """Train an encoder to predict how alike two texts are and how far people disagree.

    The same as ``similitude train uncertain``. If the items have conditions, the model reads them.

    Args:
        data: items with every rater's rating, or with sigma; a list of several is learned from together.
        model: the model to start from: a folder, or a name on the hub.
        out: save the model here. The same call resumes. By default a folder that goes with the model.
        architecture: how a pair is read: joint, cross or bi. By default joint, and cross for a point.
        cache: where evidence and teacher keep what they compute; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: a spread is to be learned but not known from the data, there are too few items, or only some items
            have a condition.
        ArgumentError: an option is unknown or not valid.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before that is saved.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> model = sim.train.uncertain("sample:opinions", model="my-encoder", head="mixture")  # doctest: +SKIP
    >>> model.evaluate(test, ["spearman", "kl"])  # doctest: +SKIP
    >>> under = sim.train.uncertain("sample:world(raters=8)", model="my-encoder")  # doctest: +SKIP
    >>> under("A red car.", "A red bus.", condition="the colour")  # doctest: +SKIP
    """
    given = {"model": model, "architecture": architecture, **options}
    wanted = prepared_training("uncertain", given, "sim.train.uncertain")
    return trained_model(wanted, several_benchmarks(data), out, listener, cache)


@with_progress_bar
@taking(GAUSSIAN_PROCESS)
def gaussian_process(
    data: BenchmarkData | Sequence[BenchmarkData],
    *,
    encoder: str,
    out: Folder = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[GaussianProcessOptions],
) -> Model:
    """Train a Gaussian process on the vectors of a frozen encoder: scores with their uncertainty.

    The same as ``similitude train gaussian-process``. If the items have conditions, the encoder reads them.

    Args:
        data: items with gold; a list of several is learned from together.
        encoder: the system whose vectors are read: use, wordllama, encoder(FOLDER), conditional(FOLDER). It stays
            frozen.
        out: save the model here. The same call resumes. By default a folder that goes with the model.
        cache: where encoder and evidence keep what they compute; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: there are too few items, ratings are needed and were not kept, or only some items have a condition.
        ArgumentError: an option is unknown or not valid.
        UnknownNameError: there is no such encoder or source of evidence.
        RunError: the folder holds something else.
        EstimationError: no process can be fitted to the data.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> model = sim.train.gaussian_process("sample:opinions", encoder="use", kernel="rbf", quiet=True)
    >>> model.trained.record["recipe"]["kernel"]
    'rbf'
    """
    wanted = prepared_training("gaussian-process", {"encoder": encoder, **options}, "sim.train.gaussian_process")
    return trained_model(wanted, several_benchmarks(data), out, listener, cache)
