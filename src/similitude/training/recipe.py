"""The hyperparameters of a training, with recommended defaults."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Final, Literal

from similitude.errors import ArgumentError

__all__ = ["ADAPTER_RATE", "HEAD_RATE", "Packing", "Precision", "Recipe", "Schedule", "default_rate", "rate_at"]

Schedule = Literal["linear", "cosine", "constant"]
Precision = Literal["auto", "float32", "bfloat16"]
Packing = Literal["auto", "on", "off"]

SMALL_RATE: Final = 1e-4
"""The default learning rate of models with fewer than 60 million weights."""

ADAPTER_RATE: Final = 2e-4
"""The default learning rate of adapters, which start from zero, whatever the size of the model."""

HEAD_RATE: Final = 1e-3
"""The default learning rate of the layers after a frozen model, which are small and start from random weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The hyperparameters of a training.

    Attributes:
        epochs: passes over the data.
        batch: items per step of the optimiser. Both conditions of a pair are in the same step.
        tokens: the most tokens computed at a time, padding included. A longer step is computed in parts, with the same
            gradient. By default all at once, and in parts if memory runs out.
        lr: the highest learning rate, that of the last layer. By default it suits the model's size.
        layer_decay: the learning rate of a layer as a multiple of that of the layer above it. 1 is the same everywhere.
        warmup: the share of all steps in which the learning rate rises from 0.
        schedule: how the learning rate falls afterwards: linear or cosine to 0, or constant.
        weight_decay: the weight decay of AdamW. Biases and norms are left out.
        average: the number of epochs over which weights are averaged for validation and saving. Earlier steps count
            exponentially less. 0 keeps the last weights.
        clip: the largest norm of the gradient; 0 for no limit.
        patience: stop after this many epochs without a better validation; 0 never stops early.
        seed: the seed of everything random.
        precision: the precision of matrix products. Auto is bfloat16 on a GPU that has it and float32 elsewhere.
        compiled: compile the model with torch.compile. This pays for long trainings of large models only.
        packing: whether all texts of an item are read in one row, which has less padding and the same scores. Auto is
            on where that saves a tenth of the work on a CPU, or 15 % on a GPU.
        checkpoint_seconds: the seconds between checkpoints inside an epoch. Epochs end with one, too, unless that would
            take more than a twentieth of the time.
    """

    epochs: int = 5
    batch: int = 32
    tokens: int | None = None
    lr: float | None = None
    layer_decay: float = 1.0
    warmup: float = 0.1
    schedule: Schedule = "linear"
    weight_decay: float = 0.1
    average: float = 0.5
    clip: float = 1.0
    patience: int = 0
    seed: int = 0
    precision: Precision = "auto"
    compiled: bool = False
    packing: Packing = "auto"
    checkpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        checks = (
            ("epochs", self.epochs >= 1, "1 or more"),
            ("batch", self.batch >= 2, "2 or more"),
            ("tokens", self.tokens is None or self.tokens >= 1, "1 or more"),
            ("lr", self.lr is None or 0 < self.lr < math.inf, "more than 0"),
            ("layer_decay", 0 < self.layer_decay <= 1, "more than 0 and at most 1"),
            ("warmup", 0 <= self.warmup <= 1, "from 0 to 1"),
            ("weight_decay", 0 <= self.weight_decay < math.inf, "0 or more"),
            ("average", 0 <= self.average < math.inf, "0 or more"),
            ("clip", 0 <= self.clip < math.inf, "0 or more"),
            ("patience", self.patience >= 0, "0 or more"),
        )
        for name, is_valid, valid in checks:
            if not is_valid:
                written = name.replace("_", "-")
                raise ArgumentError(
                    f"{written} {getattr(self, name)} is not valid", remedy=f"give {written} as {valid}"
                )

    @property
    def peak_rate(self) -> float:
        """The highest learning rate; that of small models until the model's size is known."""
        return SMALL_RATE if self.lr is None else self.lr

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**dataclasses.asdict(self), "lr": self.peak_rate}

    def result_record(self) -> dict[str, Any]:
        """The numbers that the result depends on: all but the time between checkpoints."""
        return {name: value for name, value in self.record().items() if name != "checkpoint_seconds"}


def default_rate(weights: int) -> float:
    """The default learning rate by number of weights: 1e-4 for small models, 3e-5 for base, 1e-5 for large.

    Measured on C-STS: 22M weights are far better at 1e-4 than at 3e-5 (Spearman 39.3 against 34.1), 110M are best at
    3e-5. For 355M the paper uses 1e-5.

    >>> default_rate(22_000_000), default_rate(110_000_000), default_rate(355_000_000)
    (0.0001, 3e-05, 1e-05)
    """
    return SMALL_RATE if weights < 60_000_000 else 3e-5 if weights < 250_000_000 else 1e-5


def rate_at(recipe: Recipe, step: int, steps: int) -> float:
    """The learning rate at a step, counted from 0, as a share of the highest rate.

    >>> recipe = Recipe(warmup=0.2)
    >>> [round(rate_at(recipe, step, 10), 3) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.125]
    """
    rising = round(recipe.warmup * steps)
    if step < rising:
        return (step + 1) / rising
    if recipe.schedule == "constant":
        return 1.0
    done = (step - rising) / max(1, steps - rising)
    return 1.0 - done if recipe.schedule == "linear" else 0.5 * (1.0 + math.cos(math.pi * done))
