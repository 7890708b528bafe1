"""The hyperparameters of a Gaussian process, with recommended defaults."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from similitude.errors import ArgumentError
from similitude.systems.uncertain.gaussian_process.features import FeatureKind
from similitude.systems.uncertain.gaussian_process.kernel import KernelForm

__all__ = ["GprRecipe", "Method"]

Method = Literal["auto", "fitc", "vfe", "minibatched"]

COLLAPSED_UP_TO = 20_000
"""The most items for which `auto` uses all of them in every step; memory holds a few tables of items x points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GprRecipe:
    """The hyperparameters of a Gaussian process.

    Attributes:
        method: the inference method. Fitc and vfe use all items in every step and optimise only a handful of kernel
            parameters, because the best q(u) for given parameters has a closed form. Vfe is the bound of Titsias
            (2009); fitc (Snelson and Ghahramani, 2006) adds the variance that the inducing points miss to each item's
            noise. Minibatched is the bound of Hensman et al. (2013), with natural gradients for q(u), Adam for kernel
            and inducing points, for data that does not fit into memory. Auto: fitc for up to 20,000 items, otherwise
            minibatched.
        kernel: the covariance function.
        features: how two vectors are combined into the row of a pair.
        components: principal components kept of each block of features; 0 keeps all numbers.
        inducing: inducing points, fewer if there are fewer items.
        epochs: the most epochs. For fitc and vfe an epoch is ten steps of L-BFGS, and training ends when an epoch gains
            nothing.
        batch: items per step of minibatched.
        lr: the learning rate of Adam in minibatched.
        patience: stop after this many epochs without a better validation; 0 never stops early.
        seed: the seed of everything random.
    """

    method: Method = "auto"
    kernel: KernelForm = "matern"
    features: FeatureKind = "symmetric"
    components: int = 64
    inducing: int = 256
    epochs: int = 20
    batch: int = 256
    lr: float = 0.01
    patience: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"components": 0, "inducing": 2, "epochs": 1, "batch": 2, "patience": 0}
        for name, limit in least.items():
            if getattr(self, name) < limit:
                raise ArgumentError(f"{name} {getattr(self, name)} is not valid", remedy=f"give {limit} or more")
        if not 0 < self.lr < 1:
            raise ArgumentError(f"lr {self.lr:g} is not valid", remedy="give it between 0 and 1: 0.01")

    def method_for(self, items: int) -> Method:
        """The method for this number of items, where `auto` is resolved."""
        if self.method != "auto":
            return self.method
        return "fitc" if items <= COLLAPSED_UP_TO else "minibatched"

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)
