"""The training of similarity models in Python: under a condition, and on plain pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.study.model import Model
from similitude.systems.attach_cache import CacheChoice
from similitude.train.request_parts import Folder, trained_model
from similitude.training.keyword_types import ConditionalOptions, PairOptions
from similitude.training.keywords import CONDITIONAL, PAIRS
from similitude.training.kinds import prepared_training
from similitude.training.options import taking

__all__ = ["conditional", "pairs"]


@with_progress_bar
@taking(CONDITIONAL)
def conditional(
    data: BenchmarkData,
    *,
    model: str | Path,
    out: Folder = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[ConditionalOptions],
) -> Model:
    """Train an encoder to score how alike two texts are in the respect that a condition names.

    The same as ``similitude train conditional``.

    Args:
        data: items with conditions and gold.
        model: the model to start from: a folder, or a name on the hub.
        out: save the model here. The same call resumes. By default a folder that goes with the model; `Model.save`
            keeps it.
        cache: where a teacher keeps what it computes, and what language models answer; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: the data cannot be used as requested.
        ArgumentError: an option is unknown or not valid.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before that is saved.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> model = sim.train.conditional("sample:conditions", model="my-encoder", out="my-model")  # doctest: +SKIP
    >>> model("A red car.", "A red bus.", condition="the colour")  # doctest: +SKIP
    0.93
    """
    wanted = prepared_training("conditional", {"model": model, **options}, "sim.train.conditional")
    return trained_model(wanted, [open_benchmark(data)], out, listener, cache)


@with_progress_bar
@taking(PAIRS)
def pairs(
    data: BenchmarkData,
    *,
    model: str | Path,
    out: Folder = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[PairOptions],
) -> Model:
    """Train an encoder on plain pairs of texts with scores. Conditions are ignored.

    The same as ``similitude train pairs``.

    Args:
        data: pairs with gold.
        model: the model to start from: a folder, or a name on the hub.
        out: save the model here. The same call resumes. By default a folder that goes with the model.
        cache: where a teacher keeps what it computes, and what language models answer; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: the data cannot be used as requested.
        ArgumentError: an option is unknown or not valid.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before that is saved.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> sim.train.pairs("stsb/", model="my-encoder", architecture="cross", epochs=3, out="my-model")  # doctest: +SKIP
    <Model conditional(my-model): spearman 0.86, pearson 0.87 on 1,500 validation items>
    """
    wanted = prepared_training("pairs", {"model": model, **options}, "sim.train.pairs")
    return trained_model(wanted, [open_benchmark(data)], out, listener, cache)
