"""Train models in Python: ``model = sim.train.conditional(df, model="all-MiniLM-L6-v2", out="my-model")``.

Every function takes data in any form that `similitude.read` takes, and the options of its command as keywords. It
returns a `Model`: a system with a folder, a card and ``evaluate``. If a training is stopped, the same call resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Unpack

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.study.model import Model
from similitude.study.model import load_model as load
from similitude.systems.attach_cache import CacheChoice
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.systems.uncertain.architecture import Encoding
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.loss import Loss
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.holdout import Holdout
from similitude.training.keyword_types import (
    ConditionalOptions,
    GaussianProcessOptions,
    PairOptions,
    UncertainOptions,
)
from similitude.training.keywords import CONDITIONAL, GAUSSIAN_PROCESS, PAIRS, UNCERTAIN
from similitude.training.objectives import MseQuad
from similitude.training.options import taking
from similitude.training.recipe import Recipe
from similitude.training.splits import TrainingData
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.train import Trained, train_gpr, train_model, train_opinions
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest, read_as

__all__ = ["Model", "conditional", "gaussian_process", "load", "pairs", "uncertain"]

Folder = str | Path | None
Parts = Mapping[type[Any], dict[str, Any]]


@with_progress_bar
@taking(CONDITIONAL)
def conditional(
    data: object,
    *,
    model: str,
    out: Folder = None,
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
    parts = CONDITIONAL.read(options, "sim.train.conditional")
    shape = Architecture(**parts[Architecture])
    request = SimilarityRequest(
        model=model,
        recipe=Recipe(**parts[Recipe]),
        architecture=shape,
        objective=Loss(**parts[Loss]).objective_for(shape.encoding),
        **parts[SimilarityRequest],
    )
    return _similarity(data, request, parts, out, listener)


@with_progress_bar
@taking(PAIRS)
def pairs(
    data: object,
    *,
    model: str,
    out: Folder = None,
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
    parts = PAIRS.read(options, "sim.train.pairs")
    request = SimilarityRequest(
        model=model,
        recipe=Recipe(**parts[Recipe]),
        architecture=PairArchitecture(**parts[PairArchitecture]),
        objective=MseQuad(quad=0.0),
        **parts[SimilarityRequest],
    )
    return _similarity(data, request, parts, out, listener)


@with_progress_bar
@taking(UNCERTAIN)
def uncertain(
    data: object,
    *,
    model: str,
    out: Folder = None,
    architecture: Encoding | None = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[UncertainOptions],
) -> Model:
    """Train an encoder to predict how alike two texts are and how far people disagree.

    The same as ``similitude train uncertain``.

    Args:
        data: items with every rater's rating, or with sigma; a list of several is learned from together.
        model: the model to start from: a folder, or a name on the hub.
        out: save the model here. The same call resumes. By default a folder that goes with the model.
        architecture: how a pair is read: joint, cross or bi. By default joint, and cross for a point.
        cache: where evidence and teacher keep what they compute; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: a spread is to be learned but not known from the data, or there are too few items.
        ArgumentError: an option is unknown or not valid.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before that is saved.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> model = sim.train.uncertain("sample:opinions", model="my-encoder", head="mixture")  # doctest: +SKIP
    >>> model.evaluate(test, ["spearman", "kl"])  # doctest: +SKIP
    """
    parts = UNCERTAIN.read(options, "sim.train.uncertain")
    shape = OpinionArchitecture(**parts[OpinionArchitecture])
    recipe, teacher = OpinionRecipe(**parts[OpinionRecipe]), TeacherChoice(**parts[TeacherChoice])
    asked = OpinionRequest(model=model, recipe=recipe, architecture=shape, **parts[OpinionRequest])
    request = read_as(asked, architecture)
    split = Holdout(**parts[Holdout]).parts(_several(data), open_benchmark, recipe.seed)
    request = replace(request, teaching=teacher.asked(sum(len(part) for part in split.train)))
    unlabelled = None if teacher.unlabelled is None else open_benchmark(teacher.unlabelled)
    needs_cache = bool(request.evidence) or request.teaching is not None
    return _saved(
        lambda folder: train_opinions(split, request, folder, listener, cache if needs_cache else None, unlabelled), out
    )


@with_progress_bar
@taking(GAUSSIAN_PROCESS)
def gaussian_process(
    data: object,
    *,
    encoder: str,
    out: Folder = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    **options: Unpack[GaussianProcessOptions],
) -> Model:
    """Train a Gaussian process on the vectors of a frozen encoder: scores with their uncertainty.

    The same as ``similitude train gaussian-process``.

    Args:
        data: items with gold; a list of several is learned from together.
        encoder: the system whose vectors are read: use, wordllama, encoder(FOLDER). It stays frozen.
        out: save the model here. The same call resumes. By default a folder that goes with the model.
        cache: where encoder and evidence keep what they compute; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        InputError: there are too few items, or ratings are needed and were not kept.
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
    parts = GAUSSIAN_PROCESS.read(options, "sim.train.gaussian_process")
    recipe = GprRecipe(**parts[GprRecipe])
    request = GprRequest(encoder=encoder, recipe=recipe, **parts[GprRequest])
    split = Holdout(**parts[Holdout]).parts(_several(data), open_benchmark, recipe.seed)
    return _saved(lambda folder: train_gpr(split, request, folder, listener=listener, cache=cache), out)


def _similarity(
    data: object, request: SimilarityRequest, parts: Parts, out: Folder, listener: Listener | None
) -> Model:
    found = Holdout(**parts[Holdout]).parts([open_benchmark(data)], open_benchmark, request.recipe.seed)
    split = TrainingData(found.train[0], found.validation[0], found.notes)
    wanted = CrossFit(**parts[CrossFit]).applied(request)
    return _saved(lambda folder: train_model(split, wanted, folder, listener), out)


def _saved(train: Callable[[str | Path], Trained], out: Folder) -> Model:
    """The model of a training in its folder, or in one that is removed with the model."""
    if out is not None:
        return Model(train(out))
    folder = mkdtemp(prefix="similitude-model-")
    try:
        return Model(train(folder), temporary=True)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


def _several(data: object) -> list[Benchmark]:
    """One benchmark, or each of a list of benchmarks; a list of records is one."""
    if isinstance(data, list | tuple) and not all(isinstance(each, Mapping) for each in data):
        return [open_benchmark(each) for each in data]
    return [open_benchmark(data)]
