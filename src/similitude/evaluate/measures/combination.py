"""Combinations of two measures: harmonic and plain mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, cast

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.catalogue import MEASURES, make_measure
from similitude.evaluate.measures.measure import Measure, Need, Sampling, checked_values, sampling_of_range
from similitude.registry import Spec
from similitude.stats.arrays import Array

__all__ = ["F1LowHigh", "HarmonicMean", "MacroAverage"]


@dataclass(frozen=True, repr=False)
class Combination(Measure):
    """Base of combinations: two measures with the same direction."""

    first: Measure
    second: Measure

    undefined: ClassVar[str] = "one of the two is undefined"

    def __post_init__(self) -> None:
        if self.first.higher_is_better != self.second.higher_is_better:
            what = f"cannot combine {self.first} and {self.second}: higher is better for one, lower for the other"
            raise ArgumentError(what, remedy="combine measures of one direction")

    @property
    def requires(self) -> frozenset[Need]:
        """What either part requires."""
        return self.first.requires | self.second.requires

    @property
    def identity(self) -> Spec:
        """Written ``hmean(pearson, f1_low)``."""
        return Spec(self.name, None, (str(self.first), str(self.second)))

    @property
    def low(self) -> float:  # type: ignore[override]
        """The lower end of both ranges."""
        return min(self.first.low, self.second.low)

    @property
    def high(self) -> float:  # type: ignore[override]
        """The upper end of both ranges."""
        return max(self.first.high, self.second.high)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """As for the parts."""
        return self.first.higher_is_better

    @property
    def sampling(self) -> Sampling:  # type: ignore[override]
        """As the part of which less is known; else on the scale that fits the range."""
        parts = {self.first.sampling, self.second.sampling}
        for less in ("unknown", "cut", "learned"):
            if less in parts:
                return cast("Sampling", less)
        return sampling_of_range(self.low, self.high)

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array | None:
        """Systems x units, from both parts; None if either part cannot tell."""
        first, second = (part.left_out(comparison, units) for part in (self.first, self.second))
        return None if first is None or second is None else self.combine(first, second)

    def caveats(self, comparison: Comparison) -> list[str]:
        """Those of both parts."""
        return [*self.first.caveats(comparison), *self.second.caveats(comparison)]

    def combine(self, first: Array, second: Array) -> Array:
        """Combine the figures of both parts."""
        raise NotImplementedError

    def values(self, comparison: Comparison) -> Array:
        """One figure per system."""
        return self.combine(checked_values(self.first, comparison), checked_values(self.second, comparison))

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, from both parts."""
        first, second = (part.weighted_values(comparison, weights) for part in (self.first, self.second))
        return self.combine(first, second)

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations, from both parts."""
        first, second = (part.swapped_values(comparison, swaps) for part in (self.first, self.second))
        return self.combine(first, second)

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which part is undefined, and why."""
        for part in (self.first, self.second):
            figure = part(comparison)[row]
            if figure.reason is not None:
                return f"{part}: {figure.reason}"
        return f"{self.first} and {self.second} add up to 0"


@dataclass(frozen=True, repr=False)
class HarmonicMean(Combination):
    """hmean(a, b) = 2ab / (a + b): high only if both are.

    Undefined if a + b is 0, if either part is undefined, and if only one part is negative: the formula then gives
    figures below both parts or above 1.

    Reference: Reimers et al. (2016), section 2.1.

    >>> import numpy as np
    >>> from similitude.data.scale import Scale
    >>> gold, system = np.array([1.0, 4.0, 5.0]), np.array([1.0, 5.0, 3.0])
    >>> # F1 for low pairs is 1, for high pairs 2/3: 2 * 1 * 2/3 / (5/3)
    >>> make_measure("hmean(f1_low, f1_high)")(Comparison.of_scores(gold, system, Scale(low=0, high=5)))[0].value
    0.8
    """

    name: ClassVar[str] = "hmean"
    meaning: ClassVar[str] = "harmonic mean of two measures: high only if both are"
    undefined: ClassVar[str] = "one of the two is undefined, or only one of them is negative"
    formula: ClassVar[str] = r"\frac{2 a b}{a + b}"

    def combine(self, first: Array, second: Array) -> Array:
        """The harmonic mean."""
        return stats.harmonic_mean(first, second)

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which part is undefined, or alone negative."""
        one, other = (part(comparison)[row].value for part in (self.first, self.second))
        if not one * other < 0:
            return super().why_undefined(comparison, row)
        negative = f"{self.first} is negative ({one:.3g})" if one < 0 else f"{self.second} is negative ({other:.3g})"
        return f"{negative} and the other part is not, so that they have no harmonic mean"


@dataclass(frozen=True, repr=False)
class MacroAverage(Combination):
    """macro_avg(a, b) = (a + b) / 2. Undefined if either part is.

    Reference: Reimers et al. (2016), section 2.1.

    >>> import numpy as np
    >>> gold = np.array([1.0, 2.0, 3.0])
    >>> make_measure("macro_avg(pearson, spearman)")(Comparison.of_scores(gold, gold))[0].value
    1.0
    """

    name: ClassVar[str] = "macro_avg"
    meaning: ClassVar[str] = "plain mean of two measures"
    formula: ClassVar[str] = r"\frac{a + b}{2}"

    def combine(self, first: Array, second: Array) -> Array:
        """The plain mean."""
        return (first + second) / 2


def _register(name: str, combine: Callable[[Measure, Measure], Measure], example: str) -> None:
    def make(first: str, second: str) -> Measure:
        return combine(make_measure(first), make_measure(second))

    make.example = example  # type: ignore[attr-defined]
    MEASURES.register(name)(make)


_register("hmean", HarmonicMean, "hmean(pearson, f1)")
_register("macro_avg", MacroAverage, "macro_avg(f1_low, f1_high)")


@MEASURES.register("f1")
@dataclass(frozen=True, repr=False)
class F1LowHigh(HarmonicMean):
    """hmean(f1_low, f1_high): the meaning of "F1" in hmean(Pearson, F1).

    >>> make_measure("hmean(pearson, f1)")
    hmean(pearson, f1)
    """

    first: Measure = field(init=False, default_factory=lambda: make_measure("f1_low"))
    second: Measure = field(init=False, default_factory=lambda: make_measure("f1_high"))

    name: ClassVar[str] = "f1"
    meaning: ClassVar[str] = "harmonic mean of f1_low and f1_high: both ends of the scale are found"
    undefined: ClassVar[str] = Combination.undefined
    formula: ClassVar[str] = r"\frac{2 F_{\mathrm{low}} F_{\mathrm{high}}}{F_{\mathrm{low}} + F_{\mathrm{high}}}"

    @property
    def identity(self) -> Spec:
        """Written ``f1``."""
        return Spec(self.name)
