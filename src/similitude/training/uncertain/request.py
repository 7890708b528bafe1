"""What the training of an uncertain model is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import DEFAULT_POOLING
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.recipe import Recipe
from similitude.training.request import Recalibrate, TrainingRequest
from similitude.training.teacher import Teaching
from similitude.training.uncertain.objectives import check_objective

__all__ = ["DEFAULT_RECIPE", "OpinionRequest"]

DEFAULT_RECIPE = Recipe(epochs=3)
"""The recipe where the user gives none; the learning rate is that of `DEFAULT_RATE`."""


@dataclass(frozen=True, kw_only=True)
class OpinionRequest(TrainingRequest):
    """A model of people's opinions.

    Attributes:
        architecture: what is built on the backbone; its scale is that of the data.
        pooling: as for similarity, or last, which is what auto means for a language model.
        objective: what is minimised.
        balanced: whether each benchmark counts the same, however many items it has.
        recalibrate: how predicted sigmas are corrected on the validation items.
        evidence: what is gathered beside the tokens: ``overlap``, or systems as a user writes them.
        usual_encoding: whether a model that cannot be read as the architecture says is read in another way.
        layers: of the backbone that are kept, from the first; 0 for all.
        adapters: the rank of adapters, beside which the backbone is left as it is; 0 for none.
        teaching: a teacher, whose labels of pairs that nobody rated are learned from as well; None for none.
    """

    pooling: Literal["auto", "cls", "mean", "last"] = DEFAULT_POOLING
    recipe: Recipe = DEFAULT_RECIPE
    architecture: OpinionArchitecture = field(default_factory=OpinionArchitecture)
    objective: str = "nll"
    balanced: bool = False
    recalibrate: Recalibrate = "none"
    evidence: tuple[str, ...] = ()
    usual_encoding: bool = False
    layers: int = 0
    adapters: int = 0
    teaching: Teaching | None = None

    def __post_init__(self) -> None:
        check_objective(self.objective, self.architecture)
        if self.evidence and self.architecture.parts > 1:
            raise ArgumentError(
                "evidence is about pairs, and encoding 'bi' compares texts read alone",
                remedy="take --encoding joint or --encoding cross, or leave --evidence out",
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
