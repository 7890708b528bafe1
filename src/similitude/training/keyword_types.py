"""The types of the options of trainings, for type checkers. A test compares them with the dataclasses."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from similitude.systems.conditional.architecture import Combination, Encoding, Place, Pooled, Reads
from similitude.systems.uncertain.gaussian_process.features import FeatureKind
from similitude.systems.uncertain.gaussian_process.kernel import KernelForm
from similitude.training.conditions import Reading
from similitude.training.gaussian_process.recipe import Method
from similitude.training.gaussian_process.request import Noise
from similitude.training.label_weights import SuspectsUse
from similitude.training.recipe import Packing, Precision, Schedule
from similitude.training.request import Pooling, Recalibrate

__all__ = ["ConditionalOptions", "GaussianProcessOptions", "PairOptions", "UncertainOptions"]


class HoldoutOptions(TypedDict, total=False):
    """Items to learn from and items to validate on."""

    split: str | None
    validation: Any
    validation_split: str | None
    validation_share: float


class RecipeOptions(HoldoutOptions, total=False):
    """Hyperparameters of a network."""

    epochs: int
    batch: int
    tokens: int | None
    lr: float | None
    layer_decay: float
    warmup: float
    schedule: Schedule
    weight_decay: float
    average: float
    clip: float
    patience: int
    seed: int
    precision: Precision
    compiled: bool
    packing: Packing
    checkpoint_seconds: float
    seeds: int
    device: str | None
    suspects: str | None
    suspects_use: SuspectsUse


class SimilarityOptions(RecipeOptions, total=False):
    """A model of similarity."""

    mlp: bool
    template: str
    side_template: str
    pooling: Pooling
    layers: int
    adapters: int
    frozen: bool
    cross_fit: int | None
    teacher_weight: float
    teacher: str | None
    new_pairs: int | None
    unlabelled: Any
    taught_weight: float


class PairOptions(SimilarityOptions, total=False):
    """A model of plain similarity."""

    architecture: Literal["bi", "cross", "joint"]


class ConditionalOptions(SimilarityOptions, total=False):
    """A model of similarity under a condition."""

    architecture: Encoding
    combination: Combination
    place: Place
    pooled: Pooled
    reads: Reads
    objective: str | None
    quad_weight: float
    margin: float
    rewording: float
    condition_dropout: float
    rater_agreement: float
    consistency: float
    new_conditions: int | None
    conditions_from: str | None


class UncertainOptions(RecipeOptions, total=False):
    """A model of people's opinions."""

    head: str
    components: int
    bins: int
    hidden: int
    dropout: float
    floor: float
    template: str
    side_template: str
    ensemble: int
    pooling: Pooling
    objective: str | None
    balanced: bool
    recalibrate: Recalibrate
    evidence: tuple[str, ...]
    layers: int
    adapters: int
    teacher: str | None
    new_pairs: int | None
    unlabelled: Any
    reads: Reading


class GaussianProcessOptions(HoldoutOptions, total=False):
    """A Gaussian process."""

    evidence: tuple[str, ...]
    noise: Noise
    recalibrate: Recalibrate
    device: str | None
    reads: Reading
    inference: Method
    kernel: KernelForm
    features: FeatureKind
    principal_components: int
    inducing: int
    epochs: int
    batch: int
    lr: float
    patience: int
    seed: int
