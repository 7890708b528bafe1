"""``similitude train pairs``: encoders that learn plain similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from similitude.cli import options, parameters, train_options
from similitude.training.conditional.request import PairArchitecture
from similitude.training.keywords import PAIR_SHAPE
from similitude.training.objectives import MseQuad, Objective

__all__ = ["pairs"]

parameters.resolved(PairArchitecture)


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class PairOptions(train_options.SimilarityOptions):
    """A request for a model of plain similarity."""

    architecture: Annotated[
        PairArchitecture, parameters.flat(parameters.MODEL, without=PAIR_SHAPE.without, **PAIR_SHAPE.names)
    ] = PairArchitecture()
    objective: Annotated[Objective, train_options.HIDDEN] = MseQuad(quad=0.0)


def pairs(
    data: options.Data,
    /,
    *,
    request: Annotated[PairOptions, parameters.flat(parameters.MODEL)],
    setup: train_options.Setup,
    cross_fit: train_options.CrossFitted = train_options.CrossFitOptions(),
    teacher: Annotated[
        train_options.ScoreTeacherOptions, parameters.flat(parameters.MODEL)
    ] = train_options.ScoreTeacherOptions(),
    cached: options.Cache = options.CacheOptions(),
) -> None:
    """Train an encoder on plain pairs of texts with scores. Conditions are ignored.

    Example: similitude train pairs stsb/ --model all-MiniLM-L6-v2 --folder my-model
    """
    train_options.train_similarity(data, request, setup, cross_fit, teacher, cached)
