"""Several simulated raters of ``sample:world``, who differ over some similarities more than over others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.samples.opinions.crowd import POOL, Crowd
from similitude.stats.arrays import Array

__all__ = ["POOL", "rating_columns"]

_LENIENCE: Mapping[int, float] = {1: 0.2, 2: 1.6, 4: 0.8, 5: 0.0}
"""By how many steps the most lenient and the strictest rater are off, for each similarity."""


def rating_columns(
    rng: np.random.Generator, crowd: Crowd, levels: NDArray[np.int64], *, raters: int, noise: float
) -> list[pl.Series]:
    """The columns score, sigma, ratings, raters and rounds: whole ratings on 1..5 and what follows from them.

    All raters agree on the same value in other words (5). Over values of one kind (4) they differ by their lenience,
    and over near kinds (2) twice as far: to some, tennis is nearly football, and to others it is something else. Far
    kinds (1) are far to almost everybody. Each rating is then one step off with the probability of ``noise``, and never
    off the scale.

    Args:
        rng: source of randomness.
        crowd: all raters.
        levels: the similarity of each item, one of `similitude.samples.world.likeness.LEVELS`.
        raters: how many raters rate each item.
        noise: the probability that a rating is one step off.
    """
    who = rng.random((levels.size, POOL)).argsort(axis=1)[:, :raters]
    reach = np.array([_LENIENCE[level] for level in levels.tolist()])
    slips = (rng.random(who.shape) < noise) * (2 * rng.integers(0, 2, who.shape) - 1)
    answers = np.round(levels[:, None] + reach[:, None] * crowd.lenience[who]) + slips
    ratings: Array = np.clip(answers, 1.0, 5.0)
    names = np.array([f"r{number:02d}" for number in range(1, POOL + 1)])
    return [
        pl.Series("score", ratings.mean(axis=1)),
        pl.Series("sigma", ratings.std(axis=1)),
        pl.Series("ratings", ratings.tolist(), dtype=pl.List(pl.Float64)),
        pl.Series("raters", names[who].tolist(), dtype=pl.List(pl.String)),
        pl.Series("rounds", [["first"] * raters] * levels.size, dtype=pl.List(pl.String)),
    ]
