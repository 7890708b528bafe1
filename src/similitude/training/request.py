"""What every kind of training is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.training.recipe import Recipe

__all__ = ["Pooling", "Recalibrate", "TrainingRequest"]

Pooling = Literal["auto", "cls", "mean"]
Recalibrate = Literal["none", "scale", "isotonic"]


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What every kind of training is asked for.

    Attributes:
        model: the backbone: a folder, or a name on the hub.
        recipe: how.
        seeds: trainings, each with another order and other dropout, whose weights are averaged; the average is kept
            where it validates at least as well as the best of them.
        ensemble: trainings that are all kept, as members of one model.
        usual_lr: take the learning rate that suits the model's size, whatever the recipe says.
        device: as torch writes it; None for a GPU where there is one.
    """

    model: str
    recipe: Recipe = field(default_factory=Recipe)
    seeds: int = 1
    ensemble: int = 1
    usual_lr: bool = False
    device: str | None = None

    @property
    def trainings(self) -> range:
        """The seed of each training."""
        return range(self.recipe.seed, self.recipe.seed + self.seeds * self.ensemble)
