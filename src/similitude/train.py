"""Train models in Python: ``model = sim.train.conditional(df, model="all-MiniLM-L6-v2", out="my-model")``.

Every function takes data in any form that `similitude.read` takes, and the options of its command as keywords. It
returns a `Model`: a system with a folder, a card and ``evaluate``. If a training is stopped, the same call resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
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
from similitude.training.keywords import CONDITIONAL, GAUSSIAN_PROCESS, PAIRS, UNCERTAIN, documented
from similitude.training.objectives import MseQuad
from similitude.training.recipe import Recipe
from similitude.training.splits import TrainingData
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.train import Trained, train_gpr, train_model, train_opinions
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest, read_as

__all__ = ["Model", "conditional", "gaussian_process", "load", "pairs", "uncertain"]

Folder = str | Path | None
Parts = Mapping[type[Any], dict[str, Any]]


@documented(CONDITIONAL)
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
    return _similarity(data, request, parts, out, listener, quiet=quiet)
