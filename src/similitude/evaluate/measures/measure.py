"""The base class of measures, which turn gold and predictions into one figure per system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from similitude.data.plural import counted
from similitude.data.scale import Scale
from similitude.errors import ExtensionError, SimilitudeError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.resampled_comparison import Swapped, comparable, drawn, hybrids
from similitude.registry import Spec, spec_of
from similitude.stats import Units
from similitude.stats.arrays import Array, Integers

__all__ = [
    "ALWAYS_NO",
    "ALWAYS_YES",
    "THE_MEAN",
    "Figure",
    "Level",
    "Measure",
    "Need",
    "Sampling",
    "Shares",
    "checked_values",
    "parts_of",
    "sampling_of_range",
    "with_parts",
]

Need = Literal[
    "scale",
    "calibrated scale",
    "gold scale",
    "predicted sigma",
    "gold sigma",
    "ratings",
    "groups",
    "sources",
    "two labels",
]
"""What a measure may need.

- scale: the distance of predictions from gold counts, on the range that a system declares. Read
  ``comparison.for_errors``.
- calibrated scale: predictions are cut at borders of the gold scale, after calibration. Read
  ``comparison.for_borders``.
- gold scale: the ends of the gold scale count, whatever scale predictions are on.
"""

ALWAYS_YES, ALWAYS_NO, THE_MEAN = "always yes", "always no", "the mean"
"""Constants beside the systems; see `similitude.evaluate.trivial_baselines`."""

ROUNDING = 1e-9
"""How far a value may be off its range because of rounding."""

Level = Literal["low", "high"]

Sampling = Literal["fisher", "logit", "plain", "skewed", "share", "cut", "learned", "unknown"]
"""How a figure varies from sample to sample, which decides on its usual interval.

- fisher, logit, plain: symmetrically on that scale. A jackknife gives the standard error.
- skewed: as the mean of skewed values does. A jackknife gives standard error and skewness.
- share: as a share of trials does (Wilson's interval).
- cut: it depends on a few items, so that only resamples show it (percentile interval).
- learned: it depends on what is learned on the items, so that only resamples show it, and learning on fewer different
  items biases them (bias-corrected percentile interval).
- unknown: nothing is known, so that only resamples show it (BCa interval).
"""


def sampling_of_range(low: float, high: float) -> Sampling:
    """The sampling that fits a range, if nothing else is known of a smooth measure."""
    if (low, high) == (-1.0, 1.0):
        return "fisher"
    return "logit" if (low, high) == (0.0, 1.0) else "skewed"


class Shares(NamedTuple):
    """The shares of trials behind the figures of a measure.

    Attributes:
        trials: the number of trials, per system.
        of_figure: from a figure to its share.
        to_figure: back.
    """

    trials: Array
    of_figure: Callable[[Array], Array] = np.asarray
    to_figure: Callable[[float], float] = float


class Figure(NamedTuple):
    """One figure; if undefined, the value is nan and the reason says why."""

    value: float
    reason: str | None = None


@dataclass(frozen=True, repr=False)
class Measure:
    """Gold x predictions -> one figure per system.

    A subclass is a frozen dataclass whose fields are its arguments. It sets the class attributes and defines ``values``
    and, if it can be undefined for its own reasons, ``why_undefined``. ``swapped`` says what a permutation test swaps
    between two systems: "ranks" or "standardised" predictions if the measure depends on nothing else. ``sampling`` says
    how the figure varies from sample to sample; a measure that says nothing gets bootstrap intervals. ``formula`` is
    the definition in LaTeX, with the symbols of the reference page (y for gold, y-hat for predictions), or empty.

    >>> import similitude as sim
    >>> spearman = sim.make_measure("spearman")
    >>> spearman.low, spearman.high, spearman.higher_is_better
    (-1.0, 1.0, True)
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    formula: ClassVar[str] = ""
    low: ClassVar[float]
    high: ClassVar[float]
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset()
    on_ties: ClassVar[str] = "do not matter"
    undefined: ClassVar[str] = "never"
    swapped: ClassVar[Swapped] = "scores"
    sampling: ClassVar[Sampling] = "unknown"

    @property
    def identity(self) -> Spec:
        """Name and arguments, from which the measure can be rebuilt."""
        return spec_of(self, self.name)

    @property
    def requires(self) -> frozenset[Need]:
        """What gold and predictions must have, given the arguments."""
        return self.needs

    def __repr__(self) -> str:
        return str(self.identity)

    def __call__(self, comparison: Comparison) -> list[Figure]:
        """One figure for each system of the comparison."""
        lacking = [self._lack(comparison, row) for row in range(comparison.systems)]
        if all(lacking):
            return [Figure(np.nan, reason) for reason in lacking]
        values = np.broadcast_to(checked_values(self, comparison), (comparison.systems,))
        return [self._figure(comparison, row, float(values[row]), lacking[row]) for row in range(comparison.systems)]

    def is_defined_on(self, comparison: Comparison) -> bool:
        """Whether gold and a system have what the measure needs."""
        return any(self._lack(comparison, row) is None for row in range(comparison.systems))

    @property
    def constants(self) -> frozenset[str]:
        """The constants that have a figure: the mean of gold, if the distance from gold or its scale counts."""
        parts = [part.constants for part in parts_of(self)]
        if parts:
            return frozenset.intersection(*parts)
        return frozenset({THE_MEAN} if {"scale", "calibrated scale"} & self.requires else ())

    def values(self, comparison: Comparison) -> Array:
        """One number per system, nan where undefined. At least one system has what the measure needs."""
        raise NotImplementedError

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """One number for each system and each resample, nan where undefined.

        This writes out the drawn items and calls ``values``, which is correct for every measure. Measures that can
        work from the weights override it, which is much faster and must give the same.

        Args:
            comparison: the full sample.
            weights: resamples x items, how often each resample holds each item.

        Returns:
            Systems x resamples.
        """
        found = np.empty((comparison.systems, len(weights)))
        for resample, counts in enumerate(weights):
            positions = np.repeat(np.arange(counts.size), counts.astype(np.intp))
            with np.errstate(divide="ignore", invalid="ignore"):
                found[:, resample] = checked_values(self, drawn(comparison, positions))
        return found

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Each system's figure with another system's predictions on some items.

        ``swapped`` names what is swapped: a measure that depends on ranks or correlation alone swaps ranks or
        standardised predictions, because raw predictions of two systems may be on different scales.

        Args:
            comparison: the full sample.
            swaps: permutations x items, 1 where the predictions are swapped, else 0.

        Returns:
            Systems x systems x permutations: the figure of the first with the other's swapped predictions.
        """
        ready, systems = comparable(comparison, self.swapped), range(comparison.systems)
        return np.array([[self._mixed_values(ready, own, other, swaps) for other in systems] for own in systems])

    def _mixed_values(self, comparison: Comparison, own: int, other: int, swaps: Array) -> Array:
        if own == other:
            return np.full(len(swaps), np.broadcast_to(self.values(comparison), comparison.systems)[own])
        made = [np.broadcast_to(self.values(mix), mix.systems) for mix in hybrids(comparison, own, other, swaps)]
        return np.concatenate(made)

    def left_out(self, comparison: Comparison, units: Units) -> Array | None:
        """The figure of each system without each unit, as a jackknife needs: systems x units.

        None if the measure knows no faster way than to count again for each unit.
        """
        return None

    def decisive_items(self, comparison: Comparison, units: Units) -> Integers | None:
        """The items on which the figures in resamples depend, but for a chance of less than 1e-9; None for all."""
        return None

    def shares(self, comparison: Comparison) -> Shares | None:
        """The shares of trials behind the figures; None if the figure is no function of one share."""
        return None

    def correlated(self, comparison: Comparison) -> tuple[Array, Array] | None:
        """The two sides (items, and systems x items) of which the figure is Pearson's r; None if it is none."""
        return None

    def borders(self, scale: Scale) -> dict[Level, float]:
        """The borders of the gold scale below which scores are low, and above which they are high; none by default."""
        return {}

    @property
    def is_correlation(self) -> bool:
        """Whether the figure is Pearson's r of two sides, as `correlated` gives them."""
        return type(self).correlated is not Measure.correlated

    def caveats(self, comparison: Comparison) -> list[str]:
        """What a reader must know of gold to understand the figures."""
        return []

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """The reason why the figure of this system is nan."""
        return "its value is not a number" if self.undefined == Measure.undefined else self.undefined

    def _lack(self, comparison: Comparison, row: int) -> str | None:
        """The first thing that this row or gold lacks, in words."""
        constant = comparison.constant(row)
        if constant is not None and constant not in self.constants:
            return f"'{constant}' has no {self}"
        return _lack(comparison, row, self.requires)

    def _figure(self, comparison: Comparison, row: int, value: float, lack: str | None) -> Figure:
        if lack is not None:
            return Figure(np.nan, lack)
        return Figure(value) if np.isfinite(value) else Figure(np.nan, self.why_undefined(comparison, row))


def parts_of(measure: Measure) -> list[Measure]:
    """The measures that a combination combines; none for other measures."""
    return [part for item in fields(measure) if isinstance(part := getattr(measure, item.name), Measure)]


def with_parts(measure: Measure, change: Callable[[Measure], Measure]) -> Measure:
    """The measure with changed parts, if it is a combination of others."""
    given = {item.name: getattr(measure, item.name) for item in fields(measure) if item.init}
    parts = {name: change(part) for name, part in given.items() if isinstance(part, Measure)}
    return replace(measure, **parts) if parts else measure


def checked_values(measure: Measure, comparison: Comparison) -> Array:
    """The values of a measure; those of one from outside must be one number a system, within the range that it states.

    Raises:
        ExtensionError: they are something else, or there are none.
    """
    if type(measure).__module__.startswith("similitude."):
        return measure.values(comparison)
    where, remedy = f"measure '{measure}'", "mend the measure"
    try:
        values = np.asarray(measure.values(comparison), dtype=float)
    except SimilitudeError:
        raise
    except Exception as error:
        raise ExtensionError(f"values() raised {type(error).__name__}: {error}", where=where, remedy=remedy) from error
    if values.shape != (comparison.systems,):
        what = f"values() gave an array of shape {values.shape} for {counted(comparison.systems, 'system')}"
        remedy = "predictions are systems x items: give one number a system, as np.mean(..., axis=1) does"
        raise ExtensionError(what, where=where, remedy=remedy)
    beyond = values[(values < measure.low - ROUNDING) | (values > measure.high + ROUNDING)]
    if beyond.size:
        what = f"values() gave {beyond[0]:g}, which is outside of its range {measure.low:g}..{measure.high:g}"
        raise ExtensionError(what, where=where, remedy="mend the measure, or its low and high")
    return values


def _lack(comparison: Comparison, row: int, needs: frozenset[Need]) -> str | None:
    """The first requirement that this system or gold lacks, in words."""
    return next((reason for need in sorted(needs) if (reason := _LACKS[need](comparison, row))), None)


def _lack_of_gold_scale(comparison: Comparison, row: int) -> str | None:
    return "the gold scale is unknown; declare it with --scale" if comparison.scale is None else None


def _lack_of_scale(comparison: Comparison, row: int) -> str | None:
    lack = None if comparison.for_errors.is_on_scale[row] else NO_RANGE
    return _lack_of_gold_scale(comparison, row) or lack


def _lack_of_calibrated_scale(comparison: Comparison, row: int) -> str | None:
    lack = None if comparison.for_borders.is_on_scale[row] else f"{NO_RANGE} without calibration"
    return _lack_of_gold_scale(comparison, row) or lack


def _lack_of_predicted_sigma(comparison: Comparison, row: int) -> str | None:
    if _has_no_sigma(comparison, row):
        return "the system gives no standard deviation"
    if _has_no_sigma(comparison.for_errors, row):
        return "the fitted mapping has no slope to scale a standard deviation by; --calibrate linear has one"
    return None


def _has_no_sigma(comparison: Comparison, row: int) -> bool:
    sigma = comparison.predicted_sigma
    return sigma is None or bool(np.isnan(sigma[row]).all())


def _lack_of_gold_sigma(comparison: Comparison, row: int) -> str | None:
    return "gold has no standard deviations" if comparison.gold_sigma is None else None


def _lack_of_ratings(comparison: Comparison, row: int) -> str | None:
    return "gold keeps no individual ratings" if comparison.ratings is None else None


def _lack_of_groups(comparison: Comparison, row: int) -> str | None:
    is_named = comparison.groups is not None and comparison.are_groups_named
    return None if is_named else "no two items share a group"


def _lack_of_sources(comparison: Comparison, row: int) -> str | None:
    return "the items name no source" if comparison.sources is None else None


def _lack_of_two_labels(comparison: Comparison, row: int) -> str | None:
    if comparison.has_labels:
        return None
    found = np.unique(comparison.gold)
    if found.size == 1:
        return "all gold scores are the same"
    if found.size == 2 and comparison.scale is not None:
        border, what = found.mean(), f"gold is {found[0]:g} or {found[1]:g}, not the ends of scale {comparison.scale}"
    else:
        border = 3.0 if comparison.scale is None else comparison.scale.at(0.6)
        what = f"gold has {found.size:,} different scores, not two labels"
    return f"{what}; border= makes two of them, as in auc(border={border:g})"


NO_RANGE = "the system declares no range, so its scores are on no known scale"

_LACKS: dict[Need, Callable[[Comparison, int], str | None]] = {
    "scale": _lack_of_scale,
    "calibrated scale": _lack_of_calibrated_scale,
    "gold scale": _lack_of_gold_scale,
    "predicted sigma": _lack_of_predicted_sigma,
    "gold sigma": _lack_of_gold_sigma,
    "ratings": _lack_of_ratings,
    "groups": _lack_of_groups,
    "sources": _lack_of_sources,
    "two labels": _lack_of_two_labels,
}
