"""What `similitude train gpr` is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.request import Recalibrate

__all__ = ["GprRequest", "Noise"]

Noise = Literal["shared", "raters"]


@dataclass(frozen=True, kw_only=True)
class GprRequest:
    """What is to be trained.

    Attributes:
        encoder: the system whose vectors are read, as a user writes it: ``use``, ``encoder(FOLDER)``; it stays frozen.
        evidence: sources of further numbers of a pair, as a user writes them: ``overlap``, or a system.
        recipe: how.
        noise: shared: one noise for all items, as in the paper; sigma tells how far the gold score may lie off. raters:
            the noise of each item's mean is known from its raters, and a second process learns how far people differ,
            which is then part of sigma.
        recalibrate: how sigmas are corrected on the validation items.
        device: to fit on, as torch writes it; None for a GPU where there is one.
    """

    encoder: str
    evidence: tuple[str, ...] = ()
    recipe: GprRecipe = field(default_factory=GprRecipe)
    noise: Noise = "shared"
    recalibrate: Recalibrate = "none"
    device: str | None = None
