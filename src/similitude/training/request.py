"""What a training is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.errors import ArgumentError
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.uncertain.architecture import DEFAULT_OBJECTIVES, DEFAULT_POOLING, ObjectiveName, OpinionRecipe
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import Objective
from similitude.training.recipe import Recipe
from similitude.training.teacher import Teaching
from similitude.training.uncertain.objectives import check_objective

__all__ = ["OpinionRequest", "Pooling", "Recalibrate", "Request", "TrainingRequest"]

Pooling = Literal["auto", "cls", "mean"]
Recalibrate = Literal["none", "scale", "isotonic"]


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What every kind of training is asked for.

    Attributes:
        model: the backbone: a folder, or a name on the hub.
        recipe: how.
        seeds: train with this many seeds and average the weights. The average is kept if it validates at least as well
            as the best of them.
        ensemble: train this many members and keep all of them: a deep ensemble.
        device: the device: cpu, cuda or cuda:1. By default a GPU if there is one.
    """

    model: str
    recipe: Recipe = field(default_factory=Recipe)
    seeds: int = 1
    ensemble: int = 1
    device: str | None = None

    @property
    def trainings(self) -> range:
        """The seed of each training."""
        return range(self.recipe.seed, self.recipe.seed + self.seeds * self.ensemble)


@dataclass(frozen=True, kw_only=True)
class Request(TrainingRequest):
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


@dataclass(frozen=True, kw_only=True)
class OpinionRequest(TrainingRequest):
    """A model of people's opinions.

    Attributes:
        architecture: what is built on the backbone; its scale is that of the data.
        pooling: how token vectors become one. As for similarity, or last, which auto means for a language model.
        objective: what is minimised. By default it suits the head.
        balanced: give each of several DATA the same weight.
        recalibrate: how sigmas are corrected on the validation items.
        evidence: a further source of numbers about a pair: overlap, or a system. Repeatable.
        usual_encoding: whether a model that cannot be read as the architecture says is read in another way.
        layers: keep only the first layers of the model; 0 for all.
        adapters: leave the model as it is and train adapters (LoRA) of this rank, such as 16; 0 for none.
        teaching: a teacher, whose labels of pairs that nobody rated are learned from as well; None for none.
    """

    pooling: Literal["auto", "cls", "mean", "last"] = DEFAULT_POOLING
    recipe: Recipe = field(default_factory=OpinionRecipe)
    architecture: OpinionArchitecture = field(default_factory=OpinionArchitecture)
    objective: ObjectiveName | None = None
    balanced: bool = False
    recalibrate: Recalibrate = "none"
    evidence: tuple[str, ...] = ()
    usual_encoding: bool = False
    layers: int = 0
    adapters: int = 0
    teaching: Teaching | None = None

    def __post_init__(self) -> None:
        check_objective(self.loss, self.architecture)
        if self.evidence and self.architecture.parts > 1:
            raise ArgumentError(
                "evidence is about pairs, and architecture 'bi' compares texts read alone",
                remedy="take --architecture joint or --architecture cross, or leave --evidence out",
            )
        if self.seeds > 1 and self.ensemble > 1:
            raise ArgumentError(
                "either the weights of several trainings are averaged or all are kept",
                remedy="give --seeds or --ensemble",
            )
        if self.recalibrate != "none" and not (self.architecture.has_spread or self.ensemble > 1):
            raise ArgumentError(
                "a single point model has no spread to recalibrate", remedy="take --head gaussian, or --ensemble 5"
            )

    @property
    def loss(self) -> ObjectiveName:
        """The objective, or the one that suits the head."""
        return self.objective or DEFAULT_OBJECTIVES[self.architecture.head]
