"""The base class of features: what can be said of a pair of texts, as one number, one truth or one name a pair."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.features.described_pairs import DescribedPairs, Values
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.data.scale import Scale
from similitude.data.texts import Texts
from similitude.registry import Spec, spec_of

__all__ = ["Feature", "Kind", "Numbers", "Resolve"]

Kind = Literal["number", "truth", "name", "any"]
"""What a value is: a number or a truth (1 or 0), nan if undefined; or a name such as a language, null if undefined.

any: a column, whose values show what they are."""

Numbers = NDArray[np.float64]

Resolve = Callable[[str], "Feature"]
"""From a name as users write it to the feature that it names."""


@dataclass(frozen=True, repr=False)
class Feature:
    """A pair of texts -> one value.

    A subclass is a frozen dataclass (with ``repr=False``) whose fields are its arguments. It sets the class attributes
    and defines ``values``. The value of a pair must not depend on the other pairs of the block. What it needs of each
    text alone is a `TextProperty`, which is computed once for all pairs.

    Attributes:
        low: the least value; minus infinity if there is none.
        high: the greatest value. If both ends are finite, features and systems can be compared (`disagreement`).
        undefined: when there is no value, in words; pairs without a value pass no filter, and are counted.
        uses_vectors: whether the pairs must have vectors.

    >>> from similitude.collect.candidates.features import make_feature
    >>> make_feature("words(of=mean)"), str(make_feature("iou").range)
    (words(of=mean), '0..1')
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    kind: ClassVar[Kind] = "number"
    low: ClassVar[float] = -math.inf
    high: ClassVar[float] = math.inf
    undefined: ClassVar[str] = "never"
    uses_vectors: ClassVar[bool] = False

    @property
    def identity(self) -> Spec:
        """Name and arguments, from which the feature can be made again."""
        return spec_of(self, self.name)

    @property
    def range(self) -> Scale | None:
        """Both ends of the values; None if one is infinite."""
        is_finite = math.isfinite(self.low) and math.isfinite(self.high)
        return Scale(low=self.low, high=self.high, origin="system") if is_finite else None

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """What it needs of each text."""
        return ()

    @property
    def parts(self) -> tuple[Feature, ...]:
        """The features that it combines."""
        return ()

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns that the texts must have."""
        return ()

    def __repr__(self) -> str:
        return str(self.identity)

    def values(self, pairs: DescribedPairs) -> Values:
        """One value a pair: numbers as floats (nan if undefined), names as a series of texts (null if undefined)."""
        raise NotImplementedError

    def resolved(self, resolve: Resolve) -> Feature:
        """The feature with its parts made from their names; for features that combine others."""
        return self

    def notes(self, texts: Texts) -> list[str]:
        """What a user must know of these texts to understand the values."""
        return []
