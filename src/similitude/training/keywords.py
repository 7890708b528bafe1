"""The options of each kind of training. Names, types, defaults and meanings come from the dataclasses alone."""

from __future__ import annotations

from typing import Final

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
from similitude.training.options import OptionPart, TrainingOptions
from similitude.training.recipe import Recipe
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest

__all__ = [
    "CONDITIONAL",
    "GAUSSIAN_PROCESS",
    "OPINION_SHAPE",
    "PAIRS",
    "PAIR_SHAPE",
    "PROCESS_RECIPE",
    "SHAPE",
    "UNCERTAIN",
]

COMPUTED: Final = ("pooling", "separator", "low", "high", "evidence", "mark", "keeps_condition")
"""Fields of an architecture that follow from the model and the data."""

BUILT: Final = ("model", "recipe", "architecture")
"""Fields of a request that have options of their own."""


SHAPE: Final = OptionPart(Architecture, without=COMPUTED, names={"encoding": "architecture"})
PAIR_SHAPE: Final = OptionPart(
    PairArchitecture, without=(*COMPUTED, "reads", "combination", "place", "pooled"), names={"encoding": "architecture"}
)
OPINION_SHAPE: Final = OptionPart(OpinionArchitecture, without=(*COMPUTED, "encoding", "reads"))
PROCESS_RECIPE: Final = OptionPart(GprRecipe, names={"method": "inference", "components": "principal_components"})
NOT_ASKED: Final = (*BUILT, "objective", "teachers", "augmentation", "teaching", "ensemble")
SIMILARITY: Final = OptionPart(SimilarityRequest, without=NOT_ASKED)

CONDITIONAL: Final = TrainingOptions(
    SHAPE,
    SIMILARITY,
    OptionPart(Loss),
    OptionPart(Augmentation),
    OptionPart(CrossFit),
    OptionPart(ConditionTeacher),
    OptionPart(Recipe),
    OptionPart(Holdout),
)
"""The options of a training under a condition."""

PAIRS: Final = TrainingOptions(
    PAIR_SHAPE, SIMILARITY, OptionPart(CrossFit), OptionPart(ScoreTeacher), OptionPart(Recipe), OptionPart(Holdout)
)
"""The options of a training on plain pairs."""

UNCERTAIN: Final = TrainingOptions(
    OPINION_SHAPE,
    OptionPart(OpinionRequest, without=(*BUILT, "default_encoding", "teaching")),
    OptionPart(TeacherChoice),
    OptionPart(OpinionRecipe),
    OptionPart(Holdout),
)
"""The options of a training on opinions, beside its architecture."""

GAUSSIAN_PROCESS: Final = TrainingOptions(
    OptionPart(GprRequest, without=("encoder", "recipe")), PROCESS_RECIPE, OptionPart(Holdout)
)
"""The options of the training of a Gaussian process."""
