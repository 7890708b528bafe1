"""The request for the training of a Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.training.conditions import Reading
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.request import Recalibrate

__all__ = ["GprRequest", "Noise"]

Noise = Literal["shared", "raters"]


@dataclass(frozen=True, kw_only=True)
class GprRequest:
    """A Gaussian process to train.

    Attributes:
        encoder: the system whose vectors are read: use, wordllama, encoder(FOLDER), conditional(FOLDER). It stays
            frozen.
        evidence: a further source of numbers about a pair: overlap, or a system. Repeatable.
        recipe: the hyperparameters.
        noise: the noise model. Shared: one noise for all items, as in the paper; sigma is the expected error of the
            mean. Raters: the noise of each item's mean is known from its raters, and a second process learns how far
            people differ, which is then part of sigma.
        recalibrate: how sigmas are corrected on the validation items.
        device: the device: cpu, cuda or cuda:1. By default a GPU if there is one.
        reads: which texts are read. Auto: the sentences, and the condition if the items have one. All: the condition
            must be there. Sentences: conditions are ignored.
    """

    encoder: str
    evidence: tuple[str, ...] = ()
    recipe: GprRecipe = field(default_factory=GprRecipe)
    noise: Noise = "shared"
    recalibrate: Recalibrate = "none"
    device: str | None = None
    reads: Reading = "auto"
