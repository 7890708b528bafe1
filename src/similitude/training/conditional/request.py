"""The request for the training of a similarity model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.systems.conditional.architecture import Architecture, Reads
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import MseQuad, Objective
from similitude.training.request import Pooling, TrainingRequest

__all__ = ["PairArchitecture", "SimilarityRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArchitecture(Architecture):
    """The architecture of a model that reads no conditions."""

    encoding: Literal["bi", "cross"] = "bi"
    reads: Reads = "sentences"


@dataclass(frozen=True, kw_only=True)
class SimilarityRequest(TrainingRequest):
    """A similarity model to train, with or without conditions.

    Attributes:
        architecture: what is built on the backbone.
        pooling: how token vectors are pooled. Auto is the backbone's own way if it is cls or mean, otherwise mean.
        objective: the training loss.
        teachers: trained first, each on a part of the items; their scores of the other items are blended with gold.
        default_teachers: use the default teachers for the data instead of ``teachers``.
    """

    architecture: Architecture = field(default_factory=Architecture)
    pooling: Pooling = "auto"
    objective: Objective = field(default_factory=MseQuad)
    teachers: Teachers = field(default_factory=Teachers)
    default_teachers: bool = False
