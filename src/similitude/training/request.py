"""What the requests for all kinds of networks share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.training.label_weights import LabelWeights, SuspectsUse, label_weights
from similitude.training.recipe import Recipe

__all__ = ["Pooling", "Recalibrate", "TrainingRequest"]

Pooling = Literal["auto", "cls", "mean", "last"]
Recalibrate = Literal["none", "scale", "isotonic"]


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What the requests for all kinds of networks share.

    Attributes:
        model: the backbone: a folder, or a name on the hub.
        recipe: the hyperparameters.
        seeds: train with this many seeds and average the weights. The average is kept if it validates at least as well
            as the best of them.
        ensemble: train this many members and keep all of them: a deep ensemble.
        device: the device: cpu, cuda or cuda:1. By default a GPU if there is one.
        suspects: weigh labels by how probably they are right: a file of 'similitude data suspects'.
        suspects_use: weigh every label by the probability that it is right, or drop the suspects.
    """

    model: str
    recipe: Recipe = field(default_factory=Recipe)
    seeds: int = 1
    ensemble: int = 1
    device: str | None = None
    suspects: str | None = None
    suspects_use: SuspectsUse = "weigh"

    def __post_init__(self) -> None:
        for option, number in {"--seeds": self.seeds, "--ensemble": self.ensemble}.items():
            if number < 1:
                raise ArgumentError(f"{option} {number:,} is not valid", remedy="give 1 or more")

    def weights_of(self, data: Benchmark) -> LabelWeights | None:
        """The weights of the labels to learn from; None without suspects.

        Raises:
            ArgumentError: it is said how suspects are used, and there are none.
        """
        if self.suspects is None and self.suspects_use != "weigh":
            what = f"--suspects-use {self.suspects_use} has no effect without suspects"
            raise ArgumentError(what, remedy="add --suspects FILE, or omit --suspects-use")
        return None if self.suspects is None else label_weights(data, self.suspects, self.suspects_use)

    @property
    def trainings(self) -> range:
        """The seed of each training."""
        return range(self.recipe.seed, self.recipe.seed + self.seeds * self.ensemble)
