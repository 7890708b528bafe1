"""Classification of pairs as low or high in similarity: accuracy, precision, recall, F1.

Borders are at 0.3 and 0.7 of the gold scale (1.5 and 3.5 on 0..5), exclusive: a score on a border is neither low nor
high. ``border`` sets another border, on the gold scale. Where scores were calibrated, the calibrated ones are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.additive import Additive, MeanLoss
from similitude.evaluate.measures.binary_labels import has_two_labels
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.measure import Level, Measure, Need, Sampling, Shares
from similitude.registry import Spec
from similitude.stats.arrays import Array, Booleans

__all__ = ["HIGH_BORDER", "LOW_BORDER", "AccuracyOfThreeBins", "F1OfThreeBins", "LowHigh"]

Kind = Literal["accuracy", "precision", "recall", "f1"]

LOW_BORDER, HIGH_BORDER = 0.3, 0.7
"""As fractions of the scale."""
BINS = ("low", "middle", "high")

_COMPUTE: dict[Kind, Callable[[stats.Confusion, float], Array]] = {
    "accuracy": lambda counts, _: stats.accuracy(counts),
    "precision": stats.precision,
    "recall": stats.recall,
    "f1": stats.f1,
}
_TRIALS: dict[Kind, Callable[[stats.Confusion], Array]] = {
    "accuracy": lambda counts: counts.both + counts.system_only + counts.gold_only + counts.neither,
    "precision": lambda counts: counts.both + counts.system_only,
    "recall": lambda counts: counts.both + counts.gold_only,
    "f1": lambda counts: counts.both + counts.system_only + counts.gold_only,
}
_MEANINGS: dict[Kind, str] = {
    "accuracy": "share of all pairs on which gold and system agree whether the pair is {level}",
    "precision": "share of the pairs called {level} by the system that are {level}",
    "recall": "share of the {level} pairs that the system finds",
    "f1": "harmonic mean of precision and recall for {level} pairs",
}
_FORMULAS: dict[Kind, str] = {
    "accuracy": r"\frac{1}{n} \sum_{i} [L(\hat{y}_i) = L(y_i)]",
    "precision": r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FP}}",
    "recall": r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FN}}",
    "f1": r"\frac{2 \, \mathrm{TP}}{2 \, \mathrm{TP} + \mathrm{FP} + \mathrm{FN}}",
}
_EMPTY: dict[Kind, str] = {
    "accuracy": "there are no items",
    "precision": "the system calls no pair {level}",
    "recall": "no gold pair is {level}",
    "f1": "no pair is {level}, neither in gold nor for the system",
}


@dataclass(frozen=True, repr=False)
class LowHigh(Additive):
    """Accuracy, precision, recall or F1 for "this pair is low" or "this pair is high".

    Predictions are calibrated to the gold scale first. Range 0..1, higher is better. Precision is undefined if the
    system never says yes, recall if gold never does, F1 if neither does; ``when_empty=0`` gives 0 instead, as
    scikit-learn does.

    Reference: Reimers et al. (2016), section 2.1.

    >>> from similitude.data.scale import Scale
    >>> gold, system = np.array([1.5, 1.4, 3.5, 3.6, 0, 5]), np.array([1.4, 1.5, 3.6, 3.5, 1, 4])
    >>> # low in gold: 1.4 and 0; low for the system: 1.4 and 1; both say so of one item: 2 * 1 / (2 + 2)
    >>> LowHigh(kind="f1", level="low")(Comparison.of_scores(gold, system, Scale(low=0, high=5)))[0].value
    0.5
    """

    kind: Kind
    level: Level
    border: float | None = None
    when_empty: float | None = None

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    needs: ClassVar[frozenset[Need]] = frozenset({"calibrated scale"})
    sampling: ClassVar[Sampling] = "share"

    def borders(self, scale: Scale) -> dict[Level, float]:
        """The border on the gold scale."""
        usual = scale.at(LOW_BORDER if self.level == "low" else HIGH_BORDER)
        return {self.level: usual if self.border is None else self.border}

    @property
    def name(self) -> str:  # type: ignore[override]
        """``f1_low``, ``recall_high`` and so on."""
        return f"{self.kind}_{self.level}"

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """One line for listings."""
        return _MEANINGS[self.kind].format(level=self.level)

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The definition, where a pair counts as positive if it is low, or if it is high."""
        return _FORMULAS[self.kind]

    @property
    def undefined(self) -> str:  # type: ignore[override]
        """When the figure is undefined."""
        return _EMPTY[self.kind].format(level=self.level)

    @property
    def identity(self) -> Spec:
        """Written ``f1_low(border=2)``."""
        keywords = {} if self.border is None else {"border": self.border}
        if self.when_empty is not None:
            keywords["when_empty"] = self.when_empty
        return Spec(self.name, None, (), keywords)

    def values(self, comparison: Comparison) -> Array:
        """One figure per system."""
        return _COMPUTE[self.kind](self._counts(comparison), self._without_yes)

    def shares(self, comparison: Comparison) -> Shares:
        """The share itself; for F1, the share of pairs that both call low (or high) among those that either does.

        With that share s, F1 = 2s / (1 + s), which rises with it.
        """
        trials = _TRIALS[self.kind](self._counts(comparison))
        if self.kind != "f1":
            return Shares(trials)
        return Shares(trials, lambda figure: figure / (2 - figure), lambda share: 2 * share / (1 + share))

    def caveats(self, comparison: Comparison) -> list[str]:
        """A border that is fixed is no threshold for labels."""
        if not has_two_labels(comparison.gold, comparison.scale):
            return []
        learned = {"f1": "f1_binary", "accuracy": "accuracy"}.get(self.kind, f"{self.kind}_at")
        return [f"gold has two labels: {self} cuts scores at a fixed border; {learned} learns it"]

    def features(self, comparison: Comparison) -> Array:
        """The four counts of each item."""
        return _cells(*self._answers(comparison))

    def from_sums(self, sums: Array) -> Array:
        """From the four counts."""
        return _COMPUTE[self.kind](stats.Confusion(*np.moveaxis(sums, -1, 0)), self._without_yes)

    @property
    def _without_yes(self) -> float:
        """The figure if nobody says yes: nan, which is no field because nan differs from itself."""
        return np.nan if self.when_empty is None else self.when_empty

    def _counts(self, comparison: Comparison) -> stats.Confusion:
        return stats.confusion(*self._answers(comparison))

    def _answers(self, comparison: Comparison) -> tuple[Booleans, Booleans]:
        """What gold and the systems say of each item."""
        system = self._says_yes(comparison, comparison.for_borders.predicted)
        return self._says_yes(comparison, comparison.gold), system

    def _says_yes(self, comparison: Comparison, scores: Array) -> Booleans:
        assert comparison.scale is not None  # guaranteed by ``needs``
        border = self.borders(comparison.scale)[self.level]
        return np.asarray(scores < border if self.level == "low" else scores > border)


def _cells(gold: Booleans, system: Booleans) -> Array:
    """The contribution of each item to the four counts of `stats.Confusion`: systems x 4 x items."""
    cells = np.stack([gold & system, ~gold & system, gold & ~system, ~gold & ~system], axis=-2)
    return cells.astype(np.float64)


def _register(kind: Kind, level: Level) -> None:
    def make(border: float | None = None, when_empty: float | None = None) -> Measure:
        return LowHigh(kind=kind, level=level, border=border, when_empty=when_empty)

    MEASURES.register(f"{kind}_{level}")(make)


for _kind in _COMPUTE:
    _register(_kind, "low")
    _register(_kind, "high")


@dataclass(frozen=True, repr=False)
class ThreeBins(Measure):
    """Base of measures on three bins: low, middle and high."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    needs: ClassVar[frozenset[Need]] = frozenset({"calibrated scale"})

    def borders(self, scale: Scale) -> dict[Level, float]:
        """The borders on the gold scale."""
        return {"low": scale.at(LOW_BORDER), "high": scale.at(HIGH_BORDER)}

    @staticmethod
    def bins(comparison: Comparison) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """The bins of gold and of the predictions: 0, 1 or 2 for low, middle and high."""
        assert comparison.scale is not None  # guaranteed by ``needs``
        low, high = comparison.scale.at(LOW_BORDER), comparison.scale.at(HIGH_BORDER)
        both = comparison.gold, comparison.for_borders.predicted
        gold, predicted = (np.asarray((scores >= low).astype(np.int8) + (scores > high)) for scores in both)
        return gold, predicted


@MEASURES.register("accuracy_3bin")
@dataclass(frozen=True, repr=False)
class AccuracyOfThreeBins(ThreeBins, MeanLoss):
    """Share of pairs that gold and system put into the same bin. Range 0..1, higher is better."""

    name: ClassVar[str] = "accuracy_3bin"
    meaning: ClassVar[str] = "share of pairs put into the same bin: low, middle or high"
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i} [b(\hat{y}_i) = b(y_i)]"
    sampling: ClassVar[Sampling] = "share"

    def values(self, comparison: Comparison) -> Array:
        """One share per system."""
        return np.asarray(self.losses(comparison).mean(axis=1))

    def shares(self, comparison: Comparison) -> Shares:
        """The share itself."""
        return Shares(np.full(comparison.systems, float(comparison.gold.size)))

    def losses(self, comparison: Comparison) -> Array:
        """1 for every item in the same bin (a gain rather than a loss), else 0."""
        gold, system = self.bins(comparison)
        return np.where(gold == system, 1.0, 0.0)


@MEASURES.register("f1_macro_3bin")
@dataclass(frozen=True, repr=False)
class F1OfThreeBins(ThreeBins, Additive):
    """Mean F1 over the three bins. Range 0..1, higher is better.

    The sum is always divided by three, so that all systems on one gold are comparable. A bin that neither gold nor the
    system has counts as 0 for the system; where gold has none, no system can get anything for that bin, and a note
    says so.
    """

    name: ClassVar[str] = "f1_macro_3bin"
    meaning: ClassVar[str] = "mean F1 over the bins low, middle, high; a bin that does not occur counts 0"
    formula: ClassVar[str] = r"\frac{F_{\mathrm{low}} + F_{\mathrm{middle}} + F_{\mathrm{high}}}{3}"
    sampling: ClassVar[Sampling] = "logit"

    def values(self, comparison: Comparison) -> Array:
        """One mean per system."""
        gold, system = self.bins(comparison)
        return _mean_f1([stats.confusion(gold == label, system == label) for label in range(3)])

    def caveats(self, comparison: Comparison) -> list[str]:
        """The bins that gold lacks."""
        if comparison.scale is None:
            return []
        present = np.bincount(self.bins(comparison)[0], minlength=3)
        return [
            f"{self}: gold has no {name} pair, so that bin counts as 0 for every system"
            for name, number in zip(BINS, present.tolist(), strict=True)
            if number == 0
        ]

    def features(self, comparison: Comparison) -> Array:
        """The four counts of each bin."""
        gold, system = self.bins(comparison)
        return np.concatenate([_cells(gold == label, system == label) for label in range(3)], axis=-2)

    def from_sums(self, sums: Array) -> Array:
        """From the counts of the three bins."""
        counts = np.moveaxis(sums, -1, 0).reshape(3, 4, *sums.shape[:-1])
        return _mean_f1([stats.Confusion(*each) for each in counts])


def _mean_f1(bins: Sequence[stats.Confusion]) -> Array:
    return np.asarray(np.mean([stats.f1(counts, when_empty=0.0) for counts in bins], axis=0))
