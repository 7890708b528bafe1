"""Mean and standard deviation of each item's ratings, as arrays, and the KL divergence between two sets."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.stats import kl_divergence
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = [
    "MeanDivergence",
    "Spread",
    "ZeroVariance",
    "divergence",
    "floor_of",
    "mean_divergence",
    "raters_on",
    "ratings_of",
    "ratings_on",
    "scale_of",
    "spread_of",
]


ZeroVariance = Literal["drop", "floor"]
"""Items on which a side agrees exactly are left out and counted ("drop"), or given a small sigma ("floor")."""

FLOOR = 0.02
"""The small sigma, as a fraction of the scale: 0.1 on 0..5."""

NOISE = 1e-9
"""Ratings that differ by less are the same, as files hold 0.49999999999999994 where people wrote 0.5.

Relative to the largest rating, if that is below 1.
"""


class Spread(NamedTuple):
    """Mean and standard deviation of each item's ratings.

    Attributes:
        mean: nan where an item has no rating.
        sigma: standard deviation; with ddof 0 it is 0 for a single rating; nan without a rating.
        number: ratings per item.
    """

    mean: Array
    sigma: Array
    number: Integers

    def at(self, chosen: Booleans) -> Spread:
        """The same for a selection of items."""
        return Spread(self.mean[chosen], self.sigma[chosen], self.number[chosen])


class MeanDivergence(NamedTuple):
    """A mean divergence, the number of items, and the number of items without a divergence."""

    kl: float
    items: int
    dropped: int


def spread_of(values: Array, ddof: int = 0) -> Spread:
    """Mean and standard deviation of ratings given as raters x items, nan where missing; leading axes broadcast.

    Args:
        values: the ratings.
        ddof: 0 for the population's standard deviation, 1 for the sample's (then nan for a single rating).

    >>> spread_of(np.array([[1.0, 2.0], [3.0, np.nan]]))
    Spread(mean=array([2., 2.]), sigma=array([1., 0.]), number=array([2, 1]))
    """
    given = np.isfinite(values)
    count = given.sum(axis=-2)
    parts = np.where(count > 0, count, np.nan)
    mean = np.where(given, values, 0.0).sum(axis=-2) / parts
    apart = np.where(given, values - mean[..., None, :], 0.0)
    sigma = np.sqrt(np.einsum("...rn,...rn->...n", apart, apart) / np.where(count > ddof, count - ddof, np.nan))
    largest = np.abs(values[given]).max(initial=0.0)
    return Spread(mean, np.where(sigma < NOISE * min(1.0, largest), 0.0, sigma), count)


def divergence(p: Spread, q: Spread, *, floor: float | None = None) -> Array:
    """KL(p || q) of the Gaussians of two sets of ratings, natural log, item by item.

    nan where either side has fewer than two ratings, or where they are all equal and no floor is given.

    Args:
        p: the reference.
        q: the other set.
        floor: smallest standard deviation; None for no floor.

    >>> one, two = spread_of(np.array([[0.0], [2.0]])), spread_of(np.array([[-1.0], [3.0]]))
    >>> divergence(one, two).round(6)  # ln 2 + 1 / (2 * 4) - 1 / 2
    array([0.318147])
    """
    known = (p.number >= 2) & (q.number >= 2)
    sigmas = [side.sigma if floor is None else np.maximum(side.sigma, floor) for side in (p, q)]
    return np.where(known, kl_divergence(p.mean, sigmas[0], q.mean, sigmas[1]), np.nan)


def mean_divergence(kl: Array) -> MeanDivergence:
    """The mean over the items that have a divergence.

    >>> mean_divergence(np.array([1.0, 2.0, np.nan]))
    MeanDivergence(kl=1.5, items=2, dropped=1)
    """
    known = kl[np.isfinite(kl)]
    mean = float(known.mean()) if known.size else float("nan")
    return MeanDivergence(mean, known.size, kl.size - known.size)


def floor_of(judgements: Judgements, zero_variance: ZeroVariance) -> float | None:
    """The smallest standard deviation in a divergence: none, or 2 % of the scale.

    Raises:
        ArgumentError: neither "drop" nor "floor" was asked for.
    """
    if zero_variance not in ("drop", "floor"):
        raise ArgumentError(f"zero_variance '{zero_variance}' is unknown", remedy="use 'drop' or 'floor'")
    return None if zero_variance == "drop" else FLOOR * scale_of(judgements).width


def ratings_of(judgements: Judgements) -> pl.DataFrame:
    """The ratings that count: the last of each annotator for each item.

    Raises:
        ArgumentError: these are best-worst answers, which have no spread.
        InputError: no row holds a rating.
    """
    if judgements.kind != "rating":
        what = "these are best-worst answers; only ratings have a mean and a spread"
        raise ArgumentError(what, where=judgements.name, remedy="pass ratings")
    rated = last_answers(judgements).frame
    if rated.is_empty():
        what = "no answer holds a rating: the question never applied"
        raise InputError(what, where=judgements.name, remedy="at least one rating is needed")
    return rated


def ratings_on(rated: pl.DataFrame, items: list[str], key: str = "item") -> Array:
    """Ratings of these items in row order: one column per item, nan below its last rating.

    Rows do not correspond to raters. Every rating is taken; `ratings_of` gives those that count.

    >>> made = pl.DataFrame({"annotator": ["x", "y", "x"], "item": ["a", "a", "b"], "value": [1.0, 2.0, 3.0]})
    >>> ratings_on(made, ["b", "a"])
    array([[ 3.,  1.],
           [nan,  2.]])
    """
    columns = pl.DataFrame({key: items, "column": np.arange(len(items))}, schema_overrides={key: pl.String})
    placed = rated.join(columns, on=key, maintain_order="left")
    rows, column = placed.select(pl.int_range(pl.len()).over("column"), "column").to_numpy().T
    values = np.full((rows.max(initial=-1) + 1, len(items)), np.nan)
    values[rows, column] = placed["value"].to_numpy()
    return values


def raters_on(rated: pl.DataFrame, items: list[str]) -> Array:
    """The rater of each value of `ratings_on`: numbers from 0, as floats, nan where a rating is missing.

    Every unnamed rating has its own rater.

    >>> made = pl.DataFrame({"annotator": ["x", None, "x"], "item": ["a", "a", "b"], "value": [1.0, 2.0, 3.0]})
    >>> raters_on(made, ["a", "b"])
    array([[ 1.,  1.],
           [ 0., nan]])
    """
    nobody = pl.format("{} nobody", pl.int_range(pl.len()))
    number = pl.coalesce("annotator", nobody).rank("dense") - 1.0
    return ratings_on(rated.with_columns(value=number), items)


def scale_of(judgements: Judgements) -> Scale:
    """The declared scale, or else the narrowest usual scale that holds all ratings."""
    return judgements.scale or Scale.infer(judgements.rated()["value"].to_numpy())
