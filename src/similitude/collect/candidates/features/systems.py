"""Features that come from systems: scores, standard deviations, and how far two systems disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import ClassVar

import numpy as np

from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers, Resolve
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec, parse

__all__ = ["Disagreement", "Sigma", "SystemScore"]

DECIMALS = 6
"""Scores are rounded, because a model's last digits depend on the batch."""


@dataclass(frozen=True, repr=False)
class SystemScore(Feature):
    """The score of a system. Made from the system's name.

    Attributes:
        system: as users write it.
        scale: the range that the system declares.
    """

    system: str
    scale: Scale | None = field(default=None, repr=False)

    name: ClassVar[str] = "system"
    meaning: ClassVar[str] = "the score of a system"
    undefined: ClassVar[str] = "the system gives no score"

    @property
    def identity(self) -> Spec:
        """Written as the system."""
        return parse(self.system)

    @property
    def range(self) -> Scale | None:
        """The range of the system."""
        return self.scale

    def values(self, pairs: DescribedPairs) -> Numbers:
        """One score a pair."""
        return np.asarray(pairs.predictions_of(self.system).scores.astype(np.float64).round(DECIMALS))


@FEATURES.register("sigma")
@dataclass(frozen=True, repr=False)
class Sigma(Feature):
    """The standard deviation that a system predicts, as in ``sigma(uncertain('folder')) >= 0.16``.

    It is on the scale of the system. USTS keeps pairs from 0.16 on, where the model's scores lie in 0..5.

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), section 3.1.1.
    """

    of: str
    system: Feature | None = field(default=None, repr=False, compare=False)

    name: ClassVar[str] = "sigma"
    meaning: ClassVar[str] = "standard deviation that a system predicts"
    example: ClassVar[str] = "sigma(uncertain('my-model'))"
    low: ClassVar[float] = 0.0
    undefined: ClassVar[str] = "the system gives no standard deviation for the pair"

    @property
    def identity(self) -> Spec:
        """Written ``sigma(uncertain(my-model))``."""
        return Spec(self.name, None, (self.of,))

    @property
    def parts(self) -> tuple[Feature, ...]:
        """The system."""
        return () if self.system is None else (self.system,)

    def resolved(self, resolve: Resolve) -> Sigma:
        """With its system.

        Raises:
            ArgumentError: it names no system.
        """
        system = resolve(self.of)
        if not isinstance(system, SystemScore):
            remedy = "name a system that predicts one: sigma(uncertain('folder'))"
            raise ArgumentError(f"'{self.of}' is no system, so it has no standard deviation", remedy=remedy)
        return Sigma(self.of, system)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """One standard deviation a pair.

        Raises:
            PredictionError: the system gives none.
        """
        sigmas = pairs.predictions_of(str(parse(self.of))).sigmas
        if sigmas is None:
            remedy = "take a system that does, such as uncertain('folder')"
            raise PredictionError(f"system '{self.of}' gives no standard deviations", remedy=remedy)
        return np.asarray(sigmas.astype(np.float64).round(DECIMALS))


@FEATURES.register("disagreement")
def disagreement(*systems: str) -> Disagreement:
    """How far systems or features are apart, each mapped from its range to 0..1: ``disagreement(use, levenshtein)``."""
    return Disagreement(systems)


disagreement.example = "disagreement(iou, l2)"  # type: ignore[attr-defined]


@dataclass(frozen=True, repr=False)
class Disagreement(Feature):
    """The largest minus the smallest of two or more scores, each mapped from its range to 0..1. Range 0..1.

    USTS's first criterion, ``|mu / 5 - (1.0 - L2)| >= 0.25``, is ``disagreement(uncertain('folder'), l2) >= 0.25`` for
    a model whose range is 0..5. Scores outside their range count as its nearest end. Undefined if a score is.

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), section 3.1.1.
    """

    of: tuple[str, ...]
    scores: tuple[Feature, ...] = field(default=(), repr=False, compare=False)

    name: ClassVar[str] = "disagreement"
    meaning: ClassVar[str] = "largest minus smallest score of several systems, each mapped to 0..1"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "one of the scores is undefined"

    def __post_init__(self) -> None:
        if len(self.of) < 2:
            remedy = "name two systems or features: disagreement(use, levenshtein)"
            raise ArgumentError(f"disagreement takes two scores or more, not {len(self.of)}", remedy=remedy)

    @property
    def identity(self) -> Spec:
        """Written ``disagreement(use, levenshtein)``."""
        return Spec(self.name, None, self.of)

    @property
    def parts(self) -> tuple[Feature, ...]:
        """The systems or features."""
        return self.scores

    def resolved(self, resolve: Resolve) -> Disagreement:
        """With its parts.

        Raises:
            ArgumentError: one of them has no range.
        """
        scores = tuple(map(resolve, self.of))
        for one in scores:
            if one.range is None:
                what = f"'{one}' declares no range, so it cannot be mapped to 0..1"
                remedy = "take a system or feature that has one, such as levenshtein, use or cosine"
                raise ArgumentError(what, remedy=remedy)
        return Disagreement(self.of, scores)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """Largest minus smallest."""
        mapped = [_onto_unit(pairs.value_of(one), one.range) for one in self.scores]
        spread = reduce(np.maximum, mapped) - reduce(np.minimum, mapped)
        return np.asarray(spread.round(DECIMALS))


def _onto_unit(values: object, scale: Scale | None) -> Numbers:
    assert scale is not None
    return np.clip((np.asarray(values, dtype=np.float64) - scale.low) / scale.width, 0.0, 1.0)
