"""What raw ratings say of a label: whether people differ, and whether one of them is far from all others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.gold.reliability.rounds import TIPPING_POINT

__all__ = ["RatingSpread", "rating_spread"]

FEWEST = 3
"""The fewest ratings among which one can stand apart."""
FAR = 0.4
"""A rating is far from the others if it differs from their mean by more than this share of the scale."""


class RatingSpread(NamedTuple):
    """The spread of opinions on one label.

    Attributes:
        sigma: the standard deviation of the ratings; nan if unknown.
        is_contentious: whether it is above a tenth of the scale, and not because of one rating alone.
        outlier: the rating that is far from all others, which agree; nan if there is none.
        without: the mean of the others; nan if there is none.
    """

    sigma: float
    is_contentious: bool
    outlier: float
    without: float


def rating_spread(benchmark: Benchmark) -> list[RatingSpread]:
    """The spread of opinions on each label; gold needs a scale."""
    gold, width = benchmark.gold, 1.0 if benchmark.scale is None else benchmark.scale.width
    if gold.ratings is None:
        sigmas = np.full(len(benchmark), np.nan) if gold.sigmas is None else gold.sigmas
        return [_of_sigma(float(sigma), width) for sigma in sigmas]
    values, items = gold.ratings
    ends = np.searchsorted(items, np.arange(len(benchmark) + 1))
    return [_of_ratings(values[ends[place] : ends[place + 1]], width) for place in range(len(benchmark))]


def _of_sigma(sigma: float, width: float) -> RatingSpread:
    return RatingSpread(sigma, sigma > TIPPING_POINT * width, float("nan"), float("nan"))


def _of_ratings(ratings: NDArray[np.float64], width: float) -> RatingSpread:
    """One rating of five that says 5 where the others say 1 is a slip; two and three are two camps.

    >>> _of_ratings(np.array([1.0, 1.0, 1.0, 5.0]), 4.0)
    RatingSpread(sigma=1.7320508075688772, is_contentious=False, outlier=5.0, without=1.0)
    >>> _of_ratings(np.array([1.0, 1.0, 5.0, 5.0]), 4.0).is_contentious
    True
    """
    if not ratings.size:
        return _of_sigma(float("nan"), width)
    sigma = float(ratings.std())
    if len(ratings) >= FEWEST:
        odd = int(np.argmax(np.abs(ratings - np.median(ratings))))
        others = np.delete(ratings, odd)
        is_far = abs(ratings[odd] - others.mean()) > FAR * width
        if is_far and others.std() <= TIPPING_POINT * width:
            return RatingSpread(sigma, False, float(ratings[odd]), float(others.mean()))
    return _of_sigma(sigma, width)
