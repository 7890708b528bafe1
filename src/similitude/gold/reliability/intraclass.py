"""Intraclass correlation: the share of the variance of ratings that is due to the items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.bootstrap import USUAL, Resampling, Statistic
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.jackknife import jackknife_estimates
from similitude.gold.reliability.pairable_ratings import checked, without_noise
from similitude.stats import Bounds
from similitude.stats.arrays import Array

__all__ = ["ICC_FORMS", "intraclass_correlations"]


ICC_FORMS = {
    "ICC(1,1)": "one rating, different raters for each item",
    "ICC(1,k)": "the mean of an item's ratings, different raters for each item",
    "ICC(2,1)": "one rating, the same raters for all items, a sample of all raters; leniency counts as error",
    "ICC(2,k)": "the mean of an item's ratings, the same raters for all items, a sample of all raters",
    "ICC(3,1)": "one rating, these particular raters; leniency does not count",
    "ICC(3,k)": "the mean of an item's ratings, these particular raters; leniency does not count",
}
"""The six forms of Shrout and Fleiss, and what each is the reliability of."""

DRAWS = 20_000
"""Draws of the generalised confidence interval."""
ROUNDING = 1e-12
"""A sum of squares below this fraction of the total counts as 0."""


def intraclass_correlations(
    values: Array,
    *,
    resampling: Resampling = USUAL,
) -> dict[str, Estimate]:
    """The six intraclass correlations with confidence intervals.

    1 is full agreement; at 0 and below, items differ no more than raters do. With mean squares between items B, within
    items W, between raters R and of the rest E, over n items and k raters:

    - ICC(1,1) = (B - W) / (B + (k - 1) W), ICC(1,k) = (B - W) / B
    - ICC(2,1) = (B - E) / (B + (k - 1) E + k (R - E) / n), ICC(2,k) = (B - E) / (B + (R - E) / n)
    - ICC(3,1) = (B - E) / (B + (k - 1) E), ICC(3,k) = (B - E) / B

    ICC(1) allows different numbers of ratings per item; k is then the usual n0 = (N - sum of k_i^2 / N) / (n - 1) of N
    ratings. ICC(2) and ICC(3) are defined only if every rater rated every item. All are undefined with one rater, one
    item, no item with two ratings, or a single value.

    Intervals are about all items from which these are a sample and, for ICC(2), about all raters, too. Where every
    rater rated every item, those of ICC(1) and ICC(3) are those of the F distribution, exact for normal ratings. That
    of ICC(2) is the generalised confidence interval: the usual one with Satterthwaite's degrees of freedom (McGraw and
    Wong) contains the truth far too seldom if raters are few. Where ratings are missing, the interval of ICC(1) is the
    jackknife's over items, on the scale of the log of the F ratio. Items with heavy tails need more room than the F
    distribution gives: see docs/reliability.md.

    Reference: Shrout and Fleiss (1979), Intraclass correlations; McGraw and Wong (1996) for F intervals; Tian and
    Cappelleri (2004) for the interval of ICC(2); for n0, Lessells and Boag (1987).

    Args:
        values: raters x items, nan where a rater did not rate an item.
        resampling: the confidence level; with ``resamples=0`` there are no intervals.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> ratings = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]])
    >>> {form: round(icc.value, 2) for form, icc in intraclass_correlations(ratings, resampling=NO_INTERVALS).items()}
    {'ICC(1,1)': 0.17, 'ICC(1,k)': 0.44, 'ICC(2,1)': 0.29, 'ICC(2,k)': 0.62, 'ICC(3,1)': 0.71, 'ICC(3,k)': 0.91}
    """
    ratings = _with_ratings(without_noise(checked(values)))
    reason = _reason(ratings)
    if reason is not None:
        return dict.fromkeys(ICC_FORMS, undefined(reason))
    missing = int(np.isnan(ratings).sum())
    if missing == 0:
        found = _MeanSquares.of(ratings).forms(None if resampling.resamples == 0 else resampling.level)
    else:
        needs = f"not every rater rated every item: {missing:,} of {ratings.size:,} ratings are missing"
        found = [*_one_way(ratings, resampling), *[undefined(needs)] * 4]
    known = (icc if icc.is_defined or icc.reason else undefined("the items' means do not differ") for icc in found)
    return dict(zip(ICC_FORMS, known, strict=True))


def _with_ratings(ratings: Array) -> Array:
    """Drop raters and items without any rating."""
    there = ~np.isnan(ratings)
    return ratings[there.any(axis=1)][:, there.any(axis=0)]


def _reason(ratings: Array) -> str | None:
    if ratings.size == 0:
        return "there are no ratings"
    if len(ratings) < 2:
        return "only one rater: there is nothing to compare"
    if ratings.shape[1] < 2:
        return "only one item was rated: there is nothing to compare it with"
    if np.count_nonzero(~np.isnan(ratings)) == ratings.shape[1]:
        return "no item was rated by two raters: there is nothing to compare"
    if np.fmin.reduce(ratings, axis=None) == np.fmax.reduce(ratings, axis=None):
        return "all ratings are the same: agreement cannot be distinguished from chance"
    return None


def _one_way(ratings: Array, resampling: Resampling) -> list[Estimate]:
    """ICC(1,1) and ICC(1,k) of any numbers of ratings."""
    statistic, per_item = _one_way_statistic(ratings)
    # A jackknife of ICC(1,1) serves both forms, because one follows from the other.
    bounds = Bounds(low=-1 / (per_item - 1), high=1.0)
    (one,) = jackknife_estimates(statistic, ratings.shape[1], bounds=bounds, resampling=resampling)
    return [one, _estimate_of_mean(one, per_item)]


def _one_way_statistic(ratings: Array) -> tuple[Statistic, float]:
    """ICC(1,1) of weighted items, and n0."""
    there = ~np.isnan(ratings)
    centred = np.where(there, ratings - np.nanmean(ratings), 0.0)
    number, sums = there.sum(axis=0).astype(np.float64), centred.sum(axis=0)
    means = sums / number
    within = np.where(there, (centred - means) ** 2, 0.0).sum(axis=0)
    features = np.stack([np.ones_like(number), number, number**2, sums, sums * means, within])

    def statistic(weights: Array) -> Array:
        items, total, squares, summed, between, inside = features @ weights.T
        with np.errstate(divide="ignore", invalid="ignore"):
            per_item = (total - squares / total) / (items - 1)
            b = _none_of_rounding(between - summed**2 / total, between + inside) / (items - 1)
            w = inside / (total - items)
            return _share(b - w, b + (per_item - 1) * w)[None]

    total = number.sum()
    return statistic, float((total - (number**2).sum() / total) / (number.size - 1))


class _MeanSquares(NamedTuple):
    """Mean squares of a complete table: between items, within items, between raters, and of the rest."""

    items: int
    raters: int
    between: float
    within: float
    among_raters: float
    rest: float

    @classmethod
    def of(cls, ratings: Array) -> _MeanSquares:
        k, n = ratings.shape
        centred = ratings - ratings.mean()
        of_item, of_rater = centred.mean(axis=0), centred.mean(axis=1)
        total = float(np.einsum("ri,ri->", centred, centred))
        between = float(_none_of_rounding(k * of_item @ of_item, np.array(total)))
        raters, inside = float(n * of_rater @ of_rater), total - float(k * of_item @ of_item)
        rest = float(_none_of_rounding(np.array(inside - raters), np.array(total))) / ((n - 1) * (k - 1))
        within = float(_none_of_rounding(np.array(inside), np.array(total))) / (n * (k - 1))
        return cls(n, k, between / (n - 1), within, raters / (k - 1), rest)

    def forms(self, level: float | None) -> list[Estimate]:
        """The six forms, with intervals of this level."""
        n, k = self.items, self.raters
        within, rest = (self._single(error) for error in (self.within, self.rest))
        absolute = self._absolute()
        ends = [(np.nan, np.nan)] * 3
        if level is not None:
            ends = [
                self._f_interval(self.within, n * (k - 1), level),
                self._generalised(level),
                self._f_interval(self.rest, (n - 1) * (k - 1), level),
            ]
        single = [Estimate(value, *each) for value, each in zip((within, absolute, rest), ends, strict=True)]
        return [form for one in single for form in (one, _estimate_of_mean(one, k))]

    def _single(self, error: float, factor: float = 1.0) -> float:
        """(B - f error) / (B + (k - 1) f error), with f = 1."""
        b, e = self.between, factor * error
        return float(_share(np.array(b - e), np.array(b + (self.raters - 1) * e)))

    def _f_interval(self, error: float, freedom: int, level: float) -> tuple[float, float]:
        above, below = _f_quantiles(level, self.items - 1, freedom)
        return self._single(error, above), self._single(error, below)

    def _absolute(self) -> float:
        """ICC(2,1)."""
        n, k, b, e = self.items, self.raters, self.between, self.rest
        return float(_share(np.array(b - e), np.array(b + (k - 1) * e + k * (self.among_raters - e) / n)))

    def _generalised(self, level: float) -> tuple[float, float]:
        """The generalised confidence interval of ICC(2,1).

        A mean square times its degrees of freedom over its expectation is a chi-square. Draws of the three chi-squares
        give draws of the three variances that are compatible with these mean squares.
        """
        n, k = self.items, self.raters
        rng = np.random.default_rng(0)  # the same ratings always have the same interval
        squares = (self.between, n - 1), (self.among_raters, k - 1), (self.rest, (n - 1) * (k - 1))
        b, r, e = (square * free / rng.chisquare(free, DRAWS) for square, free in squares)
        true, leniency = (b - e) / k, np.maximum(r - e, 0.0) / n
        drawn = _share(true, np.maximum(true, 0.0) + leniency + e)
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return low, high


def _f_quantiles(level: float, items: float, error: float) -> tuple[float, float]:
    """The factors of the error for the lower and the upper end, from F with these degrees of freedom."""
    from scipy.special import fdtri

    return float(fdtri(items, error, (1 + level) / 2)), 1 / float(fdtri(error, items, (1 + level) / 2))


def _estimate_of_mean(single: Estimate, raters: float) -> Estimate:
    """The reliability of the mean of so many ratings (Spearman-Brown); nan where it has no lower bound."""

    def of_mean(icc: float) -> float:
        part = 1 + (raters - 1) * icc
        return raters * icc / part if part > ROUNDING else float("nan")

    return Estimate(of_mean(single.value), of_mean(single.low), of_mean(single.high), single.reason)


def _share(part: Array, whole: Array) -> Array:
    return np.asarray(np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0))


def _none_of_rounding(spread: Array, size: Array) -> Array:
    """A sum of squares; 0 where it is only rounding."""
    return np.where(spread > ROUNDING * size, spread, 0.0)
