"""The request for the training of a similarity model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.errors import ArgumentError
from similitude.systems.conditional.architecture import Architecture, Reads
from similitude.training.backbone_choice import BackboneChoice
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import MseQuad, Objective, check_weighable
from similitude.training.request import Pooling, TrainingRequest

__all__ = ["PairArchitecture", "SimilarityRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArchitecture(Architecture):
    """The architecture of a model that reads no conditions."""

    encoding: Literal["bi", "cross", "joint"] = "bi"
    reads: Reads = "sentences"


@dataclass(frozen=True, kw_only=True)
class SimilarityRequest(TrainingRequest):
    """A similarity model to train, with or without conditions.

    Attributes:
        architecture: what is built on the backbone.
        pooling: how token vectors are pooled. Auto is last for a language model; otherwise the backbone's own way if it
            is cls or mean, else mean.
        layers: keep only the first layers of the model; 0 for all.
        adapters: freeze the model and train adapters (LoRA) of this rank, such as 16; 0 for none.
        frozen: freeze the model and train only the layers after it, on vectors that are computed once.
        objective: the training loss.
        teachers: trained first, each on a part of the items; their scores of the other items are blended with gold.
        augmentation: changes of the items that make labels worth more.
        teaching: a teacher that labels items nobody rated, to learn from as well; None for none.
    """

    architecture: Architecture = field(default_factory=Architecture)
    pooling: Pooling = "auto"
    layers: int = 0
    adapters: int = 0
    frozen: bool = False
    objective: Objective = field(default_factory=MseQuad)
    teachers: Teachers = field(default_factory=Teachers)
    augmentation: Augmentation = field(default_factory=Augmentation)

    teaching: SimilarityTeaching | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.backbone
        self._check_effects()
        if self.suspects is not None:
            check_weighable(self.objective, "--suspects")
        if self.teaching is not None:
            self.teaching.check(self.objective)
            if self.augmentation.condition_dropout:
                raise ArgumentError(
                    f"condition-dropout {self.augmentation.condition_dropout:g} needs both conditions of each pair, "
                    "and a teacher labels items that have one",
                    remedy="omit --condition-dropout or --teacher",
                )
        if self.teachers.count and self.augmentation.rater_agreement < 1:
            raise ArgumentError(
                f"rater-agreement {self.augmentation.rater_agreement:g} and {self.teachers.count} teachers both "
                "replace labels by what is expected of another rater",
                remedy="omit --rater-agreement or --cross-fit",
            )

    def _check_effects(self) -> None:
        """Check that options are not without effect.

        Raises:
            ArgumentError: one is.
        """
        shape, change = self.architecture, self.augmentation
        encoding, reads = f"--architecture {shape.encoding}", f"--reads {shape.reads}"
        is_bare = shape.reads == "sentences"
        rules = (
            ("--combination", shape.combination != "hadamard", shape.encoding != "tri", encoding),
            ("--place", shape.place != "before", not shape.reads_sides, encoding),
            ("--place", shape.place != "before", is_bare, reads),
            (f"--rewording {change.rewording:g}", change.rewording > 0, is_bare, reads),
            (f"--condition-dropout {change.condition_dropout:g}", change.condition_dropout > 0, is_bare, reads),
            (f"--layer-decay {self.recipe.layer_decay:g}", self.recipe.layer_decay != 1, self.frozen, "--frozen"),
        )
        for option, is_chosen, is_unused, other in rules:
            if is_chosen and is_unused:
                what = f"{option} has no effect with {other}"
                raise ArgumentError(what, remedy=f"omit {option.partition(' ')[0]}")

    @property
    def backbone(self) -> BackboneChoice:
        """How much of the model is used and trained.

        Raises:
            ArgumentError: it is to be frozen with and without adapters.
        """
        in_half = self.recipe.precision != "float32"
        return BackboneChoice(layers=self.layers, adapters=self.adapters, frozen=self.frozen, in_half=in_half)
