"""What the training of a similarity model is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from similitude.systems.conditional.architecture import Architecture
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import Objective
from similitude.training.request import Pooling, TrainingRequest

__all__ = ["SimilarityRequest"]


@dataclass(frozen=True, kw_only=True)
class SimilarityRequest(TrainingRequest):
    """A model of similarity, under a condition or plain.

    Attributes:
        architecture: what is built on the backbone.
        pooling: how token vectors become one. Auto is the backbone's own way if it is cls or mean, else mean.
        objective: what is minimised.
        teachers: trained first, on parts of the items each; what they say of the other items is blended with gold.
        usual_teachers: take the teachers that suit the data, whatever ``teachers`` says.
    """

    architecture: Architecture = field(default_factory=Architecture)
    pooling: Pooling = "auto"
    objective: Objective = field(default_factory=Objective)
    teachers: Teachers = field(default_factory=Teachers)
    usual_teachers: bool = False
