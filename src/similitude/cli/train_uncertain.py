"""``similitude train uncertain``: models that predict how far people disagree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import options, parameters, train_options
from similitude.data.listeners import NoteKeeper
from similitude.systems.uncertain.architecture import Architecture, Encoding
from similitude.training.keywords import OPINION_SHAPE
from similitude.training.teacher import Teaching
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest, read_as

__all__ = ["uncertain"]

parameters.resolved(OpinionRecipe)


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class OpinionOptions(OpinionRequest):
    """A request for a model of people's opinions, each field an option."""

    model: train_options.Model
    recipe: Annotated[OpinionRecipe, parameters.flat(parameters.TRAINING)] = OpinionRecipe()
    architecture: Annotated[Architecture, parameters.flat(parameters.MODEL, without=OPINION_SHAPE.without)] = (
        Architecture()
    )
    default_encoding: Annotated[bool, train_options.HIDDEN] = False
    teaching: Annotated[Teaching | None, train_options.HIDDEN] = None
    suspects: train_options.SuspectsFile = None


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class TeacherOptions(TeacherChoice):
    """A teacher and the pairs that it labels, each field an option."""

    teacher: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    new_pairs: Annotated[int | None, Parameter(validator=Number(gte=0), metavar="N")] = None
    unlabelled: Annotated[str | None, Parameter(metavar="DATA")] = None


def uncertain(
    data: options.SeveralData,
    /,
    *,
    request: Annotated[OpinionOptions, parameters.flat(parameters.MODEL)],
    setup: train_options.Setup,
    architecture: Annotated[
        Encoding | None,
        Parameter(group=parameters.MODEL, help="How a pair is read. By default joint, and cross for a point."),
    ] = None,
    teacher: Annotated[TeacherOptions, parameters.flat(parameters.MODEL)] = TeacherOptions(),
    cached: options.Cache = options.CacheOptions(),
) -> None:
    """Train an encoder to predict how alike two texts are and how far people disagree.

    DATA holds every rater's rating, or sigma. Several are learned from together. Conditions are read if it has them.

    Example: similitude train uncertain sample:opinions --model bert-base-uncased --folder my-model
    """
    from similitude.training.train import train_opinions

    wanted = read_as(request, architecture)
    benchmarks = setup.benchmarks(data)
    pairs = None if teacher.unlabelled is None else setup.input.benchmark(teacher.unlabelled)
    parts = setup.holdout.parts(benchmarks, setup.input.benchmark, wanted.recipe.seed)
    wanted = replace(wanted, teaching=teacher.asked(sum(len(part) for part in parts.train)))
    with setup.progress(benchmarks) as bar:
        heard = NoteKeeper(bar)
        needs_cache = bool(wanted.evidence) or wanted.teaching is not None
        cache = cached.choice if needs_cache else None
        trained = train_opinions(parts, wanted, setup.folder, heard, cache, pairs)
    train_options.deliver(trained, benchmarks, heard, setup.output)
