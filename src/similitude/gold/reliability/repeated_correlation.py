"""The mean of a correlation over random repeats, with its jackknife interval."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats import Bounds, jackknife_interval
from similitude.stats.arrays import Array
from similitude.stats.unit_changes import UnitChanges

__all__ = ["RepeatedCorrelation", "stepped_up"]

ROUNDING = 1e-9
"""A correlation this close to -1 counts as -1."""


class RepeatedCorrelation:
    """A correlation that is repeated with other random halves.

    Only figures and sums over repeats are kept, so memory does not grow with repeats x units.

    Args:
        units: the number of units that the jackknife leaves out.
    """

    def __init__(self, units: int) -> None:
        self._parts: list[Array] = []
        self._sums, self._known = np.zeros(units), np.zeros(units)

    def add(self, found: UnitChanges) -> None:
        """Add the figures of some repeats, and their changes without each unit."""
        self._parts.append(found.figure)
        if found.change.shape[1]:
            self._sums += np.nansum(found.change, axis=0)
            self._known += np.isfinite(found.change).sum(axis=0)

    @property
    def figures(self) -> Array:
        """The figure of every repeat; nan where it is undefined."""
        return np.concatenate(self._parts)

    def without_units(self) -> Array:
        """The mean without each unit; nan for a unit that no repeat can do without."""
        figures = self.figures
        change = np.divide(self._sums, self._known, out=np.full_like(self._sums, np.nan), where=self._known > 0)
        return np.asarray(figures[np.isfinite(figures)].mean() + change)

    def estimate(self, resampling: Resampling, *, step_up: bool = False) -> Estimate:
        """The mean over the repeats in which the figure is defined, with its interval.

        Args:
            resampling: the level of the interval; 0 resamples for no interval.
            step_up: whether to step the mean and the ends up to twice as many answers (Spearman-Brown).
        """
        figures = self.figures
        known = figures[np.isfinite(figures)]
        if known.size == 0:
            return undefined("a half gives all items the same score, or scores fewer than two items")
        found = self._interval(float(known.mean()), resampling)
        if known.size < figures.size:
            note = (
                f"left out {figures.size - known.size:,} of {figures.size:,} repeats in which the figure is undefined"
            )
            found = found._replace(reason="; ".join(filter(None, [note, found.reason])))
        return _stepped_up_estimate(found) if step_up else found

    def deviation(self, *, step_up: bool = False) -> float:
        """The standard deviation over repeats (ddof 1); nan for fewer than two."""
        figures = stepped_up(self.figures) if step_up else self.figures
        known = figures[np.isfinite(figures)]
        return float(known.std(ddof=1)) if known.size > 1 else float("nan")

    def _interval(self, mean: float, resampling: Resampling) -> Estimate:
        if resampling.resamples == 0:
            return Estimate(mean)
        without = self.without_units()[self._known > 0]
        return Estimate(mean, *jackknife_interval(mean, without, resampling.level, Bounds(-1.0, 1.0)))


def stepped_up(r: Array) -> Array:
    """2r / (1 + r): the reliability of all answers together, from that of half of them; nan for r = -1.

    >>> stepped_up(np.array([0.5, -1.0])).round(3)
    array([0.667,   nan])
    """
    return np.divide(2 * r, 1 + r, out=np.full_like(r, np.nan), where=r > -1 + ROUNDING)


def _stepped_up_estimate(found: Estimate) -> Estimate:
    value, low, high = stepped_up(np.array(found[:3])).tolist()
    if np.isnan(value):
        return undefined("Spearman-Brown has no value for a correlation of -1")
    return Estimate(value, max(low, min(value, -1.0)), high, found.reason)
