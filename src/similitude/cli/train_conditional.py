"""``similitude train conditional``: encoders that learn similarity under a condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from similitude.cli import options, parameters, train_options
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.loss import Loss

__all__ = ["conditional"]


def conditional(
    data: options.Data,
    /,
    *,
    request: Annotated[train_options.SimilarityOptions, parameters.flat(parameters.MODEL)],
    setup: train_options.Setup,
    loss: Annotated[Loss, parameters.flat(parameters.MODEL)] = Loss(),
    augmentation: Annotated[Augmentation, parameters.flat(parameters.MODEL)] = Augmentation(),
    cross_fit: train_options.CrossFitted = train_options.CrossFitOptions(),
    teacher: Annotated[
        train_options.ConditionTeacherOptions, parameters.flat(parameters.MODEL)
    ] = train_options.ConditionTeacherOptions(),
    cached: options.Cache = options.CacheOptions(),
) -> None:
    """Train an encoder to score how alike two texts are in the respect that a condition names.

    Example: similitude train conditional sample:conditions --model all-MiniLM-L6-v2 --folder my-model
    """
    objective = loss.objective_for(request.architecture.encoding)
    wanted = replace(request, objective=objective, augmentation=augmentation)
    train_options.train_similarity(data, wanted, setup, cross_fit, teacher, cached)
