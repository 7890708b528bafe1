"""What the training of an uncertain model is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import DEFAULT_OBJECTIVES, DEFAULT_POOLING, ObjectiveName
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.recipe import Recipe
from similitude.training.request import Recalibrate, TrainingRequest
from similitude.training.teacher import Teaching
from similitude.training.uncertain.objectives import check_objective

__all__ = ["OpinionRecipe", "OpinionRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionRecipe(Recipe):
    """The numbers of a training on opinions, which takes fewer epochs."""

    epochs: int = 3


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
