"""Intraclass correlation: the share of the variance of ratings that is due to the items."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from similitude.gold.reliability.bootstrap import USUAL, Resampling, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.pairable_ratings import checked, without_noise
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

ROUNDING = 1e-12
"""A sum of squares below this fraction of the total counts as 0."""


def intraclass_correlations(
    values: Array,
    *,
    resampling: Resampling = USUAL,
) -> dict[str, Estimate]:
    """The six intraclass correlations with bootstrap intervals over items.

    1 is full agreement; at 0 and below, items differ no more than raters do. With mean squares between items B, within
    items W, between raters R and of the rest E, over n items and k raters:

    - ICC(1,1) = (B - W) / (B + (k - 1) W), ICC(1,k) = (B - W) / B
    - ICC(2,1) = (B - E) / (B + (k - 1) E + k (R - E) / n), ICC(2,k) = (B - E) / (B + (R - E) / n)
    - ICC(3,1) = (B - E) / (B + (k - 1) E), ICC(3,k) = (B - E) / B

    ICC(1) allows different numbers of ratings per item; k is then the usual n0 = (N - sum of k_i^2 / N) / (n - 1) of N
    ratings. ICC(2) and ICC(3) are defined only if every rater rated every item. All are undefined with one rater, one
    item, no item with two ratings, or a single value.

    Reference: Shrout and Fleiss (1979), Intraclass correlations; for n0, Lessells and Boag (1987).

    Args:
        values: raters x items, nan where a rater did not rate an item.
        resampling: how intervals are drawn.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> ratings = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]])
    >>> {form: round(icc.value, 2) for form, icc in intraclass_correlations(ratings, resampling=NO_INTERVALS).items()}
    {'ICC(1,1)': 0.17, 'ICC(1,k)': 0.44, 'ICC(2,1)': 0.29, 'ICC(2,k)': 0.62, 'ICC(3,1)': 0.71, 'ICC(3,k)': 0.91}
    """
    ratings = _with_ratings(without_noise(checked(values)))
    reason = _reason(ratings)
    if reason is not None:
        return dict.fromkeys(ICC_FORMS, undefined(reason))
    missing = int(np.isnan(ratings).sum())
    statistic = _one_way(ratings) if missing else _two_way(ratings)
    estimates = bootstrap_estimates(statistic, ratings.shape[1], resampling=resampling)
    found = [icc if icc.is_defined else undefined("the items' means do not differ") for icc in estimates]
    if missing:
        needs = f"not every rater rated every item: {missing:,} of {ratings.size:,} ratings are missing"
        found += [undefined(needs)] * (len(ICC_FORMS) - len(found))
    return dict(zip(ICC_FORMS, found, strict=True))


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


def _one_way(ratings: Array) -> Callable[[Array], Array]:
    """ICC(1,1) and ICC(1,k) of any numbers of ratings."""
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
            return np.stack([_ratio(b - w, b + (per_item - 1) * w), _ratio(b - w, b)])

    return statistic


def _two_way(ratings: Array) -> Callable[[Array], Array]:
    """All six forms of a complete table."""
    k = len(ratings)
    centred = ratings - ratings.mean()
    means = centred.mean(axis=0)
    features = np.concatenate([np.ones((1, means.size)), centred, k * means[None] ** 2, (centred**2).sum(axis=0)[None]])

    def statistic(weights: Array) -> Array:
        items, *by_rater, between, squares = features @ weights.T
        of_rater = np.stack(by_rater) / items
        middle = of_rater.mean(axis=0)
        among_items = _none_of_rounding(between - items * k * middle**2, squares)
        among_raters = items * ((of_rater - middle) ** 2).sum(axis=0)
        inside = squares - between
        with np.errstate(divide="ignore", invalid="ignore"):
            b, w = among_items / (items - 1), inside / (items * (k - 1))
            r, e = among_raters / (k - 1), np.maximum(inside - among_raters, 0.0) / ((items - 1) * (k - 1))
            return np.stack(_six_forms(b, w, r, e, items, k))

    return statistic


def _six_forms(b: Array, w: Array, r: Array, e: Array, n: Array, k: int) -> list[Array]:
    return [
        _ratio(b - w, b + (k - 1) * w),
        _ratio(b - w, b),
        _ratio(b - e, b + (k - 1) * e + k * (r - e) / n),
        _ratio(b - e, b + (r - e) / n),
        _ratio(b - e, b + (k - 1) * e),
        _ratio(b - e, b),
    ]


def _ratio(part: Array, whole: Array) -> Array:
    return np.where(whole > 0, part / whole, np.nan)


def _none_of_rounding(spread: Array, size: Array) -> Array:
    """A sum of squares; 0 where it is only rounding."""
    return np.where(spread > ROUNDING * size, spread, 0.0)
