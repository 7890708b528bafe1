"""Rescaling a system's output to the gold scale, which errors and borders on the scale require.

A mapping is linear from the range that a system declares to the gold scale, or *fitted*, always on other items than
those that it maps (`similitude.evaluate.calibration`). Three kinds are fitted:

- *quantile*: the score at each quantile of a system's scores becomes gold at the same quantile. As many pairs are
  called low or high as gold calls so. In psychometrics this is equipercentile equating.
- *isotonic*: the best increasing function by least squares: the mean of gold at each score.
- *linear*: the best straight line by least squares; it never falls.

The last two have the least error, but draw the scores of a weak system to the middle of the scale, where no border is
crossed: its F1 is then 0, however well it orders the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.stats.arrays import Array, Integers

__all__ = ["FitMethod", "Rescaling", "SortedPairs", "fit_mapping", "mapping_from_range"]

FitMethod = Literal["linear", "isotonic", "quantile"]


@dataclass(frozen=True, slots=True, eq=False)
class Rescaling:
    """An increasing piecewise linear function from a system's output to the gold scale.

    Attributes:
        description: how the mapping was made; part of every result.
        knots: outputs at which the slope may change; empty if the output cannot be mapped.
        values: the value of each knot.
        extends: whether it is a line through two knots, which continues beyond them (else it is constant there).
        note: what is odd about scores or gold, if anything.
    """

    description: str
    knots: Array
    values: Array
    extends: bool = True
    note: str | None = None

    @property
    def reaches_scale(self) -> bool:
        """Whether predictions are on the gold scale after `apply`."""
        return bool(self.knots.size)

    def apply(self, predictions: Predictions) -> Predictions:
        """Predictions on the gold scale; unchanged without a mapping."""
        if not self.reaches_scale:
            return predictions
        if not self.extends:
            # A fitted step function has no slope to scale a standard deviation by.
            scores = np.interp(predictions.scores, self.knots, self.values)
            return replace(predictions, scores=scores, sigmas=None, samples=None, drawn_from=None)
        slope, offset = self._line()
        sigmas = None if predictions.sigmas is None else predictions.sigmas * abs(slope)
        samples = None if predictions.samples is None else predictions.samples * slope + offset
        ends = predictions.drawn_from
        return replace(
            predictions,
            scores=predictions.scores * slope + offset,
            sigmas=sigmas,
            samples=samples,
            drawn_from=None if ends is None else (ends[0] * slope + offset, ends[1] * slope + offset),
        )

    def output_at(self, value: float, side: Literal["left", "right"] = "left") -> float:
        """The output that is mapped to a value of the gold scale; infinite if no output reaches it, or falls below it.

        Args:
            value: on the gold scale.
            side: of several such outputs, the lowest ("left") or the highest ("right").

        >>> mapping_from_range(Scale(low=0, high=1), Scale(low=1, high=5)).output_at(2.0)
        0.25
        """
        if self.extends:
            slope, offset = self._line()
            return (value - offset) / slope
        place = int(np.searchsorted(self.values, value, side=side))
        if place in (0, self.values.size):
            return -np.inf if place == 0 else np.inf
        return float(np.interp(value, self.values[place - 1 : place + 1], self.knots[place - 1 : place + 1]))

    def thinned(self, most: int) -> Rescaling:
        """The function through at most so many of its knots, equally many knots apart, the outer ones included."""
        if self.knots.size <= most:
            return self
        chosen = np.linspace(0, self.knots.size - 1, most).round().astype(np.intp)
        return replace(self, knots=self.knots[chosen], values=self.values[chosen])

    def record(self) -> dict[str, Any]:
        """Plain values, from which `Rescaling.from_record` rebuilds the mapping."""
        return {
            "description": self.description,
            "knots": self.knots.tolist(),
            "values": self.values.tolist(),
            "extends": self.extends,
            "note": self.note,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Rescaling:
        """The mapping that `record` described; those of earlier versions have no note."""
        knots, values = (np.array(record[name], dtype=np.float64) for name in ("knots", "values"))
        return cls(record["description"], knots, values, record["extends"], record.get("note"))

    def _line(self) -> tuple[float, float]:
        (low, high), (bottom, top) = self.knots.tolist(), self.values.tolist()
        slope = (top - bottom) / (high - low)
        return slope, bottom - slope * low


def mapping_from_range(declared: Scale | None, scale: Scale | None) -> Rescaling:
    """Linear from the system's declared range to the gold scale.

    >>> unit, stars = Scale(low=0, high=1), Scale(low=1, high=5)
    >>> mapping_from_range(unit, stars).apply(Predictions(np.array([0.0, 0.25]))).scores
    array([1., 2.])
    """
    if declared is None or scale is None:
        why = "the gold scale is unknown" if scale is None else "the system declares no range"
        return Rescaling(f"not on the gold scale: {why}", np.empty(0), np.empty(0))
    if declared.same_ends(scale):
        return Rescaling(f"already on {scale}", *_ends(scale, scale))
    return Rescaling(f"linear from {declared} to {scale}", *_ends(declared, scale))


class SortedPairs(NamedTuple):
    """The scores of a system and gold, sorted once for several fits.

    Attributes:
        scores: in ascending order.
        gold: of the same items, in the same order.
        order: the item at each place.
        by_size: gold in ascending order.
        gold_order: the item at each place of ``by_size``.
    """

    scores: Array
    gold: Array
    order: Integers
    by_size: Array
    gold_order: Integers

    @classmethod
    def of(cls, scores: Array, gold: Array, gold_order: Integers | None = None) -> SortedPairs:
        """Sort scores, and gold unless its order is known."""
        order = np.argsort(scores, kind="stable")
        by_gold = np.argsort(gold, kind="stable") if gold_order is None else gold_order
        return cls(scores[order], gold[order], order, gold[by_gold], by_gold)

    def only(self, chosen: Array) -> SortedPairs:
        """Those items for which ``chosen`` is true; they keep their order."""
        here, there = chosen[self.order], chosen[self.gold_order]
        return SortedPairs(
            self.scores[here], self.gold[here], self.order[here], self.by_size[there], self.gold_order[there]
        )


def fit_mapping(kind: FitMethod, pairs: SortedPairs, description: str) -> Rescaling:
    """A mapping fitted to items that are not the ones that it is to map.

    If no increasing mapping fits (scores that are all the same, or that fall as gold rises), every score is mapped to
    one value, or the quantiles are matched all the same; the note says so.

    Args:
        kind: how it is fitted; see the module.
        pairs: scores and gold, at least one of each.
        description: of the mapping in results.

    >>> pairs = SortedPairs.of(np.array([0.1, 0.2, 0.4]), np.array([1.0, 5.0, 3.0]))
    >>> fit_mapping("quantile", pairs, "").apply(Predictions(np.array([0.0, 0.3, 0.4]))).scores
    array([1., 4., 5.])
    """
    if pairs.scores[0] == pairs.scores[-1]:
        middle = float(np.median(pairs.gold) if kind == "quantile" else pairs.gold.mean())
        note = f"its scores are all the same, so that every item is mapped to {middle:.4g}"
        return Rescaling(description, pairs.scores[:1], np.array([middle]), extends=False, note=note)
    made = _FITS[kind](pairs)
    return replace(made, description=description, note=_falling(kind, pairs))


def _quantile(pairs: SortedPairs) -> Rescaling:
    knots, starts, sizes = _levels(pairs.scores)
    places = starts + (sizes - 1) / 2
    return Rescaling("", knots, np.interp(places, np.arange(pairs.gold.size), pairs.by_size), extends=False)


def _isotonic(pairs: SortedPairs) -> Rescaling:
    from scipy.optimize import isotonic_regression

    knots, starts, sizes = _levels(pairs.scores)
    rising = isotonic_regression(np.add.reduceat(pairs.gold, starts) / sizes, weights=sizes)
    return Rescaling("", knots, np.asarray(rising.x), extends=False)


def _linear(pairs: SortedPairs) -> Rescaling:
    slope, mean = _slope(pairs), float(pairs.gold.mean())
    ends = pairs.scores[[0, -1]]
    if slope <= 0:
        return Rescaling("", ends, np.full(2, mean), extends=False)
    return Rescaling("", ends, mean + slope * (ends - pairs.scores.mean()))


_FITS: dict[FitMethod, Callable[[SortedPairs], Rescaling]] = {
    "linear": _linear,
    "isotonic": _isotonic,
    "quantile": _quantile,
}


def _levels(scores: Array) -> tuple[Array, Integers, Integers]:
    """The different values of sorted scores, where each begins, and how often each occurs."""
    starts = np.flatnonzero(np.diff(scores, prepend=-np.inf))
    return scores[starts], starts, np.diff(starts, append=scores.size)


def _slope(pairs: SortedPairs) -> float:
    centred = pairs.scores - pairs.scores.mean()
    return float(centred @ pairs.gold / (centred @ centred))


def _falling(kind: FitMethod, pairs: SortedPairs) -> str | None:
    """A note if scores fall as gold rises, by more than two standard errors of a correlation of 0."""
    spread = float(pairs.gold.std())
    correlation = _slope(pairs) * float(pairs.scores.std()) / spread if spread > 0 else 0.0
    if correlation * np.sqrt(pairs.gold.size) > -2:
        return None
    done = "quantiles are matched in rising order" if kind == "quantile" else "no rising mapping fits"
    return f"its scores fall as gold rises (Pearson {correlation:.2f}), so that {done}; is it a distance?"


def _ends(source: Scale, target: Scale) -> tuple[Array, Array]:
    return np.array([source.low, source.high]), np.array([target.low, target.high])
