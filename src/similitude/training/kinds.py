"""Trainings by kind and keywords, as Python calls and the plans of studies write them.

A plan that says ``{train = "conditional", model = "all-MiniLM-L6-v2", epochs = 3}`` and a call of
``similitude.train.conditional(data, model="all-MiniLM-L6-v2", epochs=3)`` mean the same training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, UnknownNameError
from similitude.systems.attach_cache import CacheChoice
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.loss import Loss
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.conditional.teacher_choice import ConditionTeacher, ScoreTeacher
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.holdout import Holdout
from similitude.training.keywords import CONDITIONAL, GAUSSIAN_PROCESS, PAIRS, UNCERTAIN
from similitude.training.objectives import MseQuad
from similitude.training.options import TrainingOptions
from similitude.training.recipe import Recipe
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.train import train_gpr, train_model, train_opinions
from similitude.training.trained_model import Trained
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest, read_as

__all__ = ["TRAININGS", "PreparedTraining", "TrainingKind", "prepared_training"]

Folder = str | Path
Parts = Mapping[type[Any], dict[str, Any]]


class TrainsOnData(Protocol):
    """A training that lacks only data, folder, listener and cache."""

    def __call__(self, data: SeveralData, folder: Folder, listener: Listener | None, cache: CacheChoice) -> Trained:
        """Train on this data in this folder, or resume."""
        ...


@dataclass(frozen=True)
class PreparedTraining:
    """A training whose keywords are checked.

    Attributes:
        holdout: which items are learned from.
        seed: of the training, and of a random split.
        train: does it.
    """

    holdout: Holdout
    seed: int
    train: TrainsOnData

    def parts(self, benchmarks: Sequence[Benchmark]) -> SeveralData:
        """The items of these benchmarks to learn from, and those to validate on."""
        return self.holdout.parts(benchmarks, open_benchmark, self.seed)


class TrainingKind(NamedTuple):
    """A kind of training.

    Attributes:
        options: its keywords beside the source.
        source: the keyword that names what it starts from.
        system: the registered system that opens what was trained.
        prepared: checks keywords, given the source, all others, and the caller for messages.
        others: keywords that are no field of a dataclass.
    """

    options: TrainingOptions
    source: str
    system: str
    prepared: Callable[[str, dict[str, Any], str], PreparedTraining]
    others: tuple[str, ...] = ()


def prepared_training(kind: str, keywords: Mapping[str, Any], caller: str | None = None) -> PreparedTraining:
    """Check the keywords of a training.

    Args:
        kind: conditional, pairs, uncertain or gaussian-process.
        keywords: as for the function of that name in `similitude.train`, but for data and folder.
        caller: for messages; by default the kind.

    Raises:
        UnknownNameError: there is no such kind.
        ArgumentError: a keyword is unknown, missing or has a wrong value.
    """
    if kind not in TRAININGS:
        raise UnknownNameError("training", kind, TRAININGS)
    chosen, given = TRAININGS[kind], dict(keywords)
    caller = caller or f"training '{kind}'"
    if chosen.source not in given:
        remedy = f"name what to start from: {chosen.source} = ..."
        raise ArgumentError(f"{caller}: '{chosen.source}' is missing", remedy=remedy)
    return chosen.prepared(_named_source(given.pop(chosen.source), chosen.source, caller), given, caller)


def _conditional(model: str, keywords: dict[str, Any], caller: str) -> PreparedTraining:
    parts = CONDITIONAL.read(keywords, caller)
    shape = Architecture(**parts[Architecture])
    request = SimilarityRequest(
        model=model,
        recipe=Recipe(**parts[Recipe]),
        architecture=shape,
        objective=Loss(**parts[Loss]).objective_for(shape.encoding),
        augmentation=Augmentation(**parts[Augmentation]),
        **parts[SimilarityRequest],
    )
    return _similarity(request, parts, ConditionTeacher(**parts[ConditionTeacher]))


def _pairs(model: str, keywords: dict[str, Any], caller: str) -> PreparedTraining:
    parts = PAIRS.read(keywords, caller)
    request = SimilarityRequest(
        model=model,
        recipe=Recipe(**parts[Recipe]),
        architecture=PairArchitecture(**parts[PairArchitecture]),
        objective=MseQuad(quad=0.0),
        **parts[SimilarityRequest],
    )
    return _similarity(request, parts, ScoreTeacher(**parts[ScoreTeacher]))


def _similarity(request: SimilarityRequest, parts: Parts, teacher: ScoreTeacher) -> PreparedTraining:
    cross_fit = CrossFit(**parts[CrossFit])
    teacher.applied(request, cross_fit, 0)  # what cannot be is refused before the data is read

    def train(data: SeveralData, folder: Folder, listener: Listener | None, cache: CacheChoice) -> Trained:
        if len(data.train) > 1:
            what = f"learns from one benchmark, and there are {len(data.train)}"
            raise ArgumentError(what, remedy="name one, or join the files into one")
        wanted = teacher.applied(request, cross_fit, len(data.train[0]))
        unlabelled = None if teacher.unlabelled is None else open_benchmark(teacher.unlabelled)
        part = TrainingData(data.train[0], data.validation[0], data.notes)
        return train_model(part, wanted, folder, listener, cache=cache, unlabelled=unlabelled)

    return PreparedTraining(Holdout(**parts[Holdout]), request.recipe.seed, train)


def _uncertain(model: str, keywords: dict[str, Any], caller: str) -> PreparedTraining:
    architecture = keywords.pop("architecture", None)
    parts = UNCERTAIN.read(keywords, caller)
    asked = OpinionRequest(
        model=model,
        recipe=OpinionRecipe(**parts[OpinionRecipe]),
        architecture=OpinionArchitecture(**parts[OpinionArchitecture]),
        **parts[OpinionRequest],
    )
    request, teacher = read_as(asked, architecture), TeacherChoice(**parts[TeacherChoice])

    def train(data: SeveralData, folder: Folder, listener: Listener | None, cache: CacheChoice) -> Trained:
        wanted = replace(request, teaching=teacher.asked(sum(len(part) for part in data.train)))
        unlabelled = None if teacher.unlabelled is None else open_benchmark(teacher.unlabelled)
        needs_cache = bool(wanted.evidence) or wanted.teaching is not None
        return train_opinions(data, wanted, folder, listener, cache if needs_cache else None, unlabelled)

    return PreparedTraining(Holdout(**parts[Holdout]), request.recipe.seed, train)


def _gaussian_process(encoder: str, keywords: dict[str, Any], caller: str) -> PreparedTraining:
    parts = GAUSSIAN_PROCESS.read(keywords, caller)
    recipe = GprRecipe(**parts[GprRecipe])
    request = GprRequest(encoder=encoder, recipe=recipe, **parts[GprRequest])

    def train(data: SeveralData, folder: Folder, listener: Listener | None, cache: CacheChoice) -> Trained:
        return train_gpr(data, request, folder, listener=listener, cache=cache)

    return PreparedTraining(Holdout(**parts[Holdout]), recipe.seed, train)


TRAININGS: Final = {
    "conditional": TrainingKind(CONDITIONAL, "model", "conditional", _conditional),
    "pairs": TrainingKind(PAIRS, "model", "conditional", _pairs),
    "uncertain": TrainingKind(UNCERTAIN, "model", "uncertain", _uncertain, ("architecture",)),
    "gaussian-process": TrainingKind(GAUSSIAN_PROCESS, "encoder", "gpr", _gaussian_process),
}
"""The kinds of training by name."""


def _named_source(source: object, keyword: str, caller: str) -> str:
    """What a training starts from, as a request names it.

    Raises:
        ArgumentError: it is an object, such as a loaded model.
    """
    if isinstance(source, str | Path):
        return str(source)
    remedy = "name a folder, or a model on the hub; a loaded model has to be saved in a folder first"
    raise ArgumentError(f"{caller}: {keyword}= is {type(source).__name__}, which names no model", remedy=remedy)
