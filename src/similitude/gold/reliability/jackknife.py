"""Jackknife intervals of figures of reliability.

How to use it for a coefficient of your own: write its `Statistic`, a function from weights (rows x units: how often
each unit counts) to figures x rows, and name the range of the figure::

    jackknife_estimates(statistic, units, bounds=Bounds(-1.0, 1.0), resampling=resampling)

For kappa and alpha, `agreement_bounds` gives the range. A unit is what is drawn from the population with all its
judgements: an item or a tuple. The interval is about the figure of all such units, judged in the same way: by other
people where items have different raters, by these people where the same raters judge all items. Nothing is drawn at
random up to 1,000 units.

If nobody disagrees, no unit changes the figure, and the jackknife has nothing to say: `all_agree` gives the lower end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from similitude.gold.reliability.bootstrap import CHUNK_CELLS, USUAL, Resampling, Statistic
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats import Bounds, in_chunks, jackknife_interval, jackknife_weights, wilson_interval
from similitude.stats.arrays import Array, Integers

__all__ = [
    "agreement_bounds",
    "all_agree",
    "jackknife_estimates",
    "left_out_estimates",
    "mean_estimates",
    "share_estimate",
]

EXACT_UP_TO = 1000
"""With more units than this, the jackknife leaves out random blocks of units, not single units."""
BLOCKS = 250
"""The number of blocks. The standard error is then known to 1 / sqrt(2 * 250), 4.5 %."""


def jackknife_estimates(
    statistic: Statistic,
    units: int,
    *,
    bounds: Bounds | Sequence[Bounds] | None = None,
    width: int = 0,
    groups: Integers | None = None,
    resampling: Resampling = USUAL,
) -> list[Estimate]:
    """Every figure of the statistic, with its jackknife interval (`similitude.stats.jackknife_interval`).

    Args:
        statistic: the figures to compute.
        units: number of units.
        bounds: the range of the figures, or of each; None if they have none.
        width: numbers that the statistic holds for each row of weights, if that is more than one per unit.
        groups: the group of each unit, if units of one group are not independent; groups are then left out.
        resampling: the confidence level; with ``resamples=0`` there is no interval.

    >>> mean = lambda weights: (weights @ np.array([1.0, 2.0, 3.0]) / weights.sum(axis=1))[None]
    >>> jackknife_estimates(mean, 3)
    [Estimate(value=2.0, low=-0.4841, high=4.4841, reason=None)]
    """
    values = statistic(np.ones((1, units)))[:, 0].tolist()
    if resampling.resamples == 0 or units < 2:
        return [Estimate(value) for value in values]
    blocks = _blocks(units, groups, resampling)
    chunks = in_chunks(int(blocks.max()) + 1, max(1, CHUNK_CELLS // max(units, width)))
    left_out = np.concatenate([statistic(jackknife_weights(blocks, *chunk)) for chunk in chunks], axis=1)
    return left_out_estimates(values, left_out, bounds, resampling.level)


def left_out_estimates(
    values: Sequence[float], left_out: Array, bounds: Bounds | Sequence[Bounds] | None, level: float
) -> list[Estimate]:
    """Figures with their intervals, from the same figures without each unit (figures x units)."""
    ranges = [bounds] * len(values) if bounds is None or isinstance(bounds, Bounds) else bounds
    return [
        Estimate(value, *jackknife_interval(value, row, level, range_)) if np.isfinite(value) else Estimate(value)
        for value, row, range_ in zip(values, left_out, ranges, strict=True)
    ]


def agreement_bounds(number: Array) -> Bounds:
    """The range of alpha, kappa or an intraclass correlation of units with so many answers each.

    If as many pairs of answers disagree as can, the figure is -1 / (answers - 1). On the scale of these bounds it is
    the log of an F ratio.

    >>> agreement_bounds(np.array([3.0, 3.0]))
    Bounds(low=-0.5, high=1.0)
    """
    return Bounds(low=-1 / (float(number.mean()) - 1), high=1.0)


def all_agree(number: Array, by_chance: float, level: float) -> Estimate:
    """The interval of alpha or kappa if all answers of every unit agree, so that the figure is 1.

    The share of units with a disagreement is at most 1 - tail^(1 / units) (Clopper and Pearson, 1934). In such a unit
    up to half of the k answers differ from the other half, that is k / (2 (k - 1)) of its pairs. ``by_chance`` is the
    share of pairs that differ by chance, so that the lower end is 1 - share * k / (2 (k - 1)) / by_chance.

    Args:
        number: answers per unit.
        by_chance: the share of all pairs of answers, of any units, that differ.
        level: the confidence level.

    >>> all_agree(np.full(20, 2.0), 0.5, 0.95)
    Estimate(value=1.0, low=0.6631, high=1.0, reason=None)
    """
    share, answers = 1 - ((1 - level) / 2) ** (1 / number.size), float(number.mean())
    return Estimate(1.0, 1 - share * answers / (2 * (answers - 1)) / by_chance, 1.0)


def mean_estimates(
    values: Array,
    *,
    resampling: Resampling = USUAL,
    why: str = "no item has this figure",
) -> list[Estimate]:
    """The mean of every row over items, with its interval. Items that are nan in a row do not count there.

    The interval is Student's, as in `similitude.stats.jackknife_interval`; Wilson's for a row of 0 and 1. A row of
    differences gets the interval of a paired comparison.

    Args:
        values: figures x items.
        resampling: the confidence level; with ``resamples=0`` there are no intervals.
        why: the reason given for a row in which no item counts.

    >>> mean_estimates(np.array([[1.0, 2.0, 3.0, np.nan], [np.nan] * 4, [1.0, 1.0, 0.0, 1.0]]))
    [Estimate(value=2.0, low=-0.4841, high=4.4841, reason=None),
     Estimate(value=nan, low=nan, high=nan, reason='no item has this figure'),
     Estimate(value=0.75, low=0.3006, high=0.9544, reason=None)]
    """
    return [_mean(row[np.isfinite(row)], resampling, why) for row in values]


def _mean(row: Array, resampling: Resampling, why: str) -> Estimate:
    if row.size == 0:
        return undefined(why)
    if ((row == 0) | (row == 1)).all():
        return share_estimate(float(row.sum()), row.size, resampling)
    mean = float(row.mean())
    if resampling.resamples == 0 or row.size < 2:
        return Estimate(mean)
    left_out = (row.sum() - row) / (row.size - 1)
    return left_out_estimates([mean], left_out[None], None, resampling.level)[0]


def share_estimate(successes: float, number: int, resampling: Resampling) -> Estimate:
    """A share of units, with Wilson's interval.

    >>> share_estimate(9, 10, USUAL)
    Estimate(value=0.9, low=0.5958, high=0.9821, reason=None)
    """
    if resampling.resamples == 0:
        return Estimate(successes / number)
    return Estimate(successes / number, *wilson_interval(successes, number, resampling.level))


def _blocks(units: int, groups: Integers | None, resampling: Resampling) -> Integers:
    """The block of each unit. Random, because neighbours in a file resemble each other."""
    of_unit = np.arange(units) if groups is None else np.unique(groups, return_inverse=True)[1]
    number = int(of_unit.max()) + 1
    if number <= EXACT_UP_TO:
        return np.asarray(of_unit)
    return np.asarray((resampling.generator.permutation(number) % BLOCKS)[of_unit])
