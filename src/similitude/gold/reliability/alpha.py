"""Krippendorff's alpha: how much less raters disagree than they would by chance.

With n ratings of items that at least two raters rated, m of them of one item, and a distance d between two values::

    alpha = 1 - (n - 1) * sum over items of [sum of d over pairs of its ratings / (m - 1)] / sum of d over all pairs

A matrix of values x values is never built when there are many values. The sum over all pairs follows from sums
(interval: n * sum of squares - square of sum), from counts of values (nominal), from mid-ranks (ordinal: the distance
of two values is the squared difference of their mid-ranks, so that ordinal alpha is interval alpha of ranks), or from
a short quadrature (ratio).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from similitude.errors import UnknownNameError
from similitude.gold.reliability.estimate import LEVEL, RESAMPLES, Estimate, Statistic, bootstrap_estimates, undefined
from similitude.gold.reliability.pairable_ratings import Pairable
from similitude.gold.reliability.value_counts import ValueCounts
from similitude.stats.arrays import Array

__all__ = ["Measurement", "krippendorff_alpha", "nominal_alpha"]

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]

ROUNDING = 1e-12
"""Disagreement that is a smaller part of what it was computed from is none."""
FEW_VALUES = 256
"""Up to so many values, ratio distances between all of them are written out."""
STEP = 0.3
"""Of the quadrature over ln t: the trapezoid rule errs by exp(-pi^2 / step), 5e-15."""


def krippendorff_alpha(
    values: Array,
    measurement: Measurement = "interval",
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    rng: np.random.Generator | None = None,
) -> Estimate:
    """Krippendorff's alpha of ratings with a bootstrap interval over items.

    1 is full agreement, 0 what chance would give, below 0 worse than chance. Items that one rater rated are left out.
    Values that agree in ten digits are the same (`without_noise`). The interval draws items with all their ratings
    and computes expected disagreement anew for each resample.

    Undefined where no item has two ratings, where only one has, where all ratings are the same, and on the ratio level
    where one is below 0.

    Reference: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Hayes and Krippendorff (2007).

    Args:
        values: raters x items, nan where a rater did not rate an item.
        measurement: what the values mean: "nominal" (the same or not), "ordinal" (their order), "interval" (their
            differences) or "ratio" (their proportions, from 0 up).
        resamples: how many to draw; 0 for no interval.
        level: the share of intervals that hold the truth.
        rng: where randomness comes from.

    Raises:
        UnknownNameError: there is no such level of measurement.

    >>> ratings = np.array([[1, 2, 3, 3, 2], [1, 2, 3, 3, 2], [np.nan, 3, 3, 3, 2]])
    >>> round(krippendorff_alpha(ratings, "nominal", resamples=0).value, 4)
    0.7797
    """
    if measurement not in _STATISTICS:
        raise UnknownNameError("level of measurement", measurement, get_args(Measurement))
    ratings = Pairable(values)
    if ratings.reason is not None:
        return undefined(ratings.reason)
    if measurement == "ratio" and ratings.domain[0] < 0:
        return undefined("a rating is below 0: proportions are defined from 0 up")
    statistic = _STATISTICS[measurement](ratings)
    units = ratings.number.size
    width = units if measurement == "interval" else units + ratings.domain.size
    return bootstrap_estimates(statistic, units, width=width, resamples=resamples, level=level, rng=rng)[0]


def nominal_alpha(number: Array, differing: Array, tally: ValueCounts) -> Statistic:
    """Nominal alpha of resamples of units, from what each unit adds to the sums.

    Args:
        number: how many answers each unit has.
        differing: for each unit, its ordered pairs of answers that differ, over the number of answers less one; where
            a unit holds several questions, added up.
        tally: how often each unit was given each answer.
    """

    def statistic(weights: Array) -> Array:
        total = weights @ number
        observed = (total - 1) * (weights @ differing)
        expected = total**2 - (tally.by_value(weights) ** 2).sum(axis=0)
        return _alpha(observed, expected, total**2)

    return statistic


def _nominal(ratings: Pairable) -> Statistic:
    return nominal_alpha(ratings.number, ratings.tally.pairs_that_differ, ratings.tally)


def _interval(ratings: Pairable) -> Statistic:
    centred, number = ratings.centred(), ratings.number
    sums, squares = centred.sum(axis=0), np.einsum("ru,ru->u", centred, centred)
    features = np.stack([number, sums, squares, (number * squares - sums**2) / (number - 1)])

    def statistic(weights: Array) -> Array:
        total, summed, squared, within = features @ weights.T
        return _alpha((total - 1) * within, total * squared - summed**2, total * squared)

    return statistic


def _ordinal(ratings: Pairable) -> Statistic:
    """Interval alpha of mid-ranks, which every resample has of its own."""
    tally, number = ratings.tally, ratings.number

    def statistic(weights: Array) -> Array:
        counts = tally.by_value(weights)
        total = counts.sum(axis=0)
        ranks = np.cumsum(counts, axis=0) - counts / 2 - total / 2  # their mean is 0
        squares = ranks**2
        within = number[:, None] * tally.by_unit(squares) - tally.by_unit(ranks) ** 2
        observed = (total - 1) * np.einsum("bu,ub->b", weights / (number - 1), within)
        return _alpha(observed, total * (counts * squares).sum(axis=0), total**4)

    return statistic


def _ratio(ratings: Pairable) -> Statistic:
    tally, number = ratings.tally, ratings.number
    apart = _ratio_distances(ratings.domain) if ratings.domain.size <= FEW_VALUES else None
    pairs = _ratio_pairs(ratings) if apart is None else tally.pairs_by(apart)
    spread = _ratio_spread(ratings.domain) if apart is None else lambda counts: (counts * (apart @ counts)).sum(axis=0)

    def statistic(weights: Array) -> Array:
        counts = tally.by_value(weights)
        total = counts.sum(axis=0)
        return _alpha((total - 1) * (weights @ (pairs / (number - 1))), spread(counts), total**2)

    return statistic


_STATISTICS: dict[Measurement, Callable[[Pairable], Statistic]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}


def _alpha(observed: Array, expected: Array, size: Array) -> Array:
    """1 - observed / expected, as one row of figures; nan where nothing is expected but rounding."""
    known = expected > ROUNDING * size
    ratio = np.divide(observed, expected, out=np.full_like(expected, np.nan), where=known)
    return np.asarray(1 - ratio)[None]


def _ratio_distances(domain: Array) -> Array:
    """((a - b) / (a + b))^2 for all pairs of values; 0 for two zeros."""
    sums = domain[:, None] + domain
    return np.divide(domain[:, None] - domain, sums, out=np.zeros_like(sums), where=sums > 0) ** 2


def _ratio_pairs(ratings: Pairable) -> Array:
    """For each item, the sum of ratio distances over ordered pairs of its ratings, without a table of all values."""
    columns = np.argsort(-ratings.number, kind="stable")
    packed, number = ratings.packed(columns), ratings.number[columns]
    found = np.zeros(number.size)
    for place in range(1, len(packed)):
        having = int(np.searchsorted(-number, -place))  # items with more ratings come first
        one, others = packed[place, :having], packed[:place, :having]
        sums = one + others
        shares = np.divide(one - others, sums, out=np.zeros_like(sums), where=sums > 0)
        found[:having] += 2 * np.einsum("pu,pu->u", shares, shares)
    return found[np.argsort(columns)]


def _ratio_spread(domain: Array) -> Callable[[Array], Array]:
    """From counts of values (values x resamples), the sum of ratio distances over all ordered pairs of ratings.

    ((a - b) / (a + b))^2 = 1 - 4ab / (a + b)^2, and 1 / (a + b)^2 is the integral of t exp(-t(a + b)) over t > 0, so
    that the sum over pairs is one integral over the square of a sum over values. Pairs of zeros have distance 0.
    """
    is_zero = domain == 0
    scaled = domain / domain[-1]
    # Beyond these ends lies less than 1e-14 of the integral.
    nodes = np.exp(np.arange(-17.0, np.log(20.0) - np.log(scaled[~is_zero][0]), STEP))
    carried = nodes[:, None] * scaled * np.exp(-nodes[:, None] * scaled)

    def spread(counts: Array) -> Array:
        alike = STEP * ((carried @ counts) ** 2).sum(axis=0)
        zeros = counts[is_zero].sum(axis=0)
        return np.asarray(counts.sum(axis=0) ** 2 - zeros**2 - 4 * alike)

    return spread
