"""Mean and spread as raters are added: how many until one more changes nothing?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError
from similitude.gold.reliability.rating_spread import (
    NOISE,
    ZeroVariance,
    divergence,
    floor_of,
    mean_divergence,
    raters_on,
    ratings_of,
    ratings_on,
    spread_of,
)
from similitude.gold.reliability.rounds import in_round, rounds_of
from similitude.stats.arrays import Array, Integers

__all__ = ["Growth", "divergence_growth", "growth", "growth_over_orders"]


START = 4
"""The number of raters at which the curves of USTS start: those of its first round."""

ORDERS, FEWEST_ORDERS, MANY = 200, 50, 200_000
"""Random orders of the raters: so many up to ``MANY`` ratings, and then fewer."""

MOST = 0.9
"""By default, the curve ends at the number of ratings that this share of the items has."""


class Growth(NamedTuple):
    """A curve over the number of raters.

    Attributes:
        curve: one row for each number of raters.
        items: number of items averaged; the same for the whole curve.
        left_out: number of items with too few ratings.
    """

    curve: pl.DataFrame
    items: int
    left_out: int


def growth(judgements: Judgements, *, start: int = START, last: int | None = None) -> Growth:
    """Mean and standard deviation, averaged over items, with the first 4, 5, 6, ... ratings of each item.

    The curves of USTS Figure 2. Raters of the first round come first, then those of later rounds, each in row order.
    Sigma is the population standard deviation, which grows with the number of ratings: of n draws it is on average
    sqrt((n - 1) / n) of the truth.

    Args:
        judgements: ratings.
        start: the first number of raters.
        last: the last number of raters; by default as many as nine in ten items have.

    Returns:
        The curve with the columns raters, mean, sigma.
    """
    ratings = _round_by_round(judgements)
    kept, numbers = _extent(judgements, ratings, start, last)
    mean, sigma = _running(kept, numbers)
    curve = pl.DataFrame({"raters": numbers, "mean": mean, "sigma": sigma})
    return Growth(curve, kept.shape[1], ratings.shape[1] - kept.shape[1])


def growth_over_orders(
    judgements: Judgements,
    *,
    rng: np.random.Generator,
    start: int = 2,
    last: int | None = None,
    orders: int | None = None,
    level: float = 0.95,
) -> Growth:
    """The same curves averaged over random orders of the raters, with bands.

    One order ranks all annotators, and applies to every item. The band shows how far the curve depends on the order.
    If raters are unnamed, each item has its own order.

    Args:
        judgements: ratings.
        rng: random generator.
        start: the first number of raters.
        last: the last number of raters; by default as many as nine in ten items have.
        orders: number of random orders; by default 200, but fewer, at least 50, if there are more than 200,000 ratings.
        level: the share of orders inside the band.

    Returns:
        The curve with the columns raters, mean, mean_low, mean_high, sigma, sigma_low, sigma_high.

    >>> import similitude as sim
    >>> found = sim.agreement.growth_over_orders("sample:opinions", rng=np.random.default_rng(0))
    >>> found.curve["raters"].to_list()
    [2, 3, 4, 5, 6, 7, 8, 9, 10]
    """
    rated = ratings_of(judgements)
    ratings, raters = ratings_on(rated, judgements.judged), raters_on(rated, judgements.judged)
    counts = np.isfinite(ratings).sum(axis=0)
    numbers = _numbers(judgements, counts, start, last)
    kept = counts >= numbers[-1]
    if orders is None:
        orders = int(np.clip(ORDERS * MANY / counts.sum(), FEWEST_ORDERS, ORDERS))
    order = _RandomOrder(ratings[:, kept], raters[:, kept])
    drawn = np.array([_running(order.draw(rng), numbers) for _ in range(orders)])
    columns = {"raters": pl.Series(numbers)}
    tail = (1 - level) / 2
    for name, curves in zip(("mean", "sigma"), (drawn[:, 0], drawn[:, 1]), strict=True):
        low, high = np.quantile(curves, [tail, 1 - tail], axis=0)
        columns |= {
            name: pl.Series(curves.mean(axis=0)),
            f"{name}_low": pl.Series(low),
            f"{name}_high": pl.Series(high),
        }
    return Growth(pl.DataFrame(columns), int(kept.sum()), int((~kept).sum()))


def divergence_growth(
    judgements: Judgements,
    *,
    at: Sequence[int] | None = None,
    second: str | None = None,
    zero_variance: ZeroVariance = "drop",
) -> Growth:
    """KL(p || q) between the first round's Gaussian p and that of the first j raters of a later round, q.

    USTS Table 4. Natural log, averaged over items; items on which either side agrees exactly have no KL.

    Args:
        judgements: ratings with rounds.
        at: the numbers j; by default from 2 to as many as nine in ten items have.
        second: the later round; by default the second of `rounds_of`.
        zero_variance: "drop" items without variance, or "floor" it at 2 % of the scale.

    Returns:
        The curve with the columns raters, kl, items (over how many the mean is taken) and dropped.
    """
    rounds = rounds_of(judgements)
    later = second or (rounds[1] if len(rounds) > 1 else None)
    if later is None:
        what = f"there is only one round, '{rounds[0]}'"
        raise ArgumentError(what, where=judgements.name, remedy="this curve needs answers with a second 'round'")
    p, q = (ratings_on(ratings_of(in_round(judgements, name)), judgements.judged) for name in (rounds[0], later))
    counts = np.where(np.isfinite(p).sum(axis=0) >= 2, np.isfinite(q).sum(axis=0), 0)
    numbers = np.array(sorted(at)) if at else _numbers(judgements, counts, 2, None)
    kept = counts >= numbers[-1]
    if not kept.any():
        what = f"no item has two ratings of round '{rounds[0]}' and {numbers[-1]} of round '{later}'"
        raise ArgumentError(what, where=judgements.name, remedy="ask for fewer raters")
    truth, floor = spread_of(p[:, kept]), floor_of(judgements, zero_variance)
    found = [mean_divergence(divergence(truth, spread_of(q[:number, kept]), floor=floor)) for number in numbers]
    curve = pl.DataFrame(found).select(pl.Series("raters", numbers), pl.all())
    return Growth(curve, int(kept.sum()), int((~kept).sum()))


def _round_by_round(judgements: Judgements) -> Array:
    """Every item's ratings, the first round's before the others'."""
    rated = ratings_of(judgements)
    place = pl.col("round").replace_strict({name: n for n, name in enumerate(rounds_of(judgements))})
    return ratings_on(rated.sort(place, maintain_order=True), judgements.judged)


def _extent(judgements: Judgements, ratings: Array, start: int, last: int | None) -> tuple[Array, Integers]:
    counts = np.isfinite(ratings).sum(axis=0)
    numbers = _numbers(judgements, counts, start, last)
    return ratings[:, counts >= numbers[-1]], numbers


def _numbers(judgements: Judgements, counts: Integers, start: int, last: int | None) -> Integers:
    """The numbers of raters along the curve."""
    end = _reached_by_most(counts) if last is None else last
    if end > counts.max() or end < start:
        what = f"no curve from {start} to {end} raters: items have up to {counts.max()} ratings"
        what += f", nine in ten at least {end}" if last is None else ""
        raise ArgumentError(what, where=judgements.name, remedy="give other numbers of raters")
    return np.arange(start, end + 1)


def _reached_by_most(counts: Integers) -> int:
    """The largest number of ratings that nine in ten items have."""
    most = int(np.ceil(np.round(MOST * len(counts), 6)))
    return int(np.sort(counts)[len(counts) - most])


class _RandomOrder:
    """Every item's ratings in random orders of all raters, missing ones last."""

    def __init__(self, ratings: Array, raters: Array) -> None:
        given = np.isfinite(raters)
        self._raters = int(raters[given].max()) + 1
        self._who = np.ascontiguousarray(np.where(given, raters, self._raters).astype(np.intp).T)
        self._ratings = np.ascontiguousarray(ratings.T)

    def draw(self, rng: np.random.Generator) -> Array:
        """Raters x items, in one order."""
        turns = np.append(rng.permutation(self._raters), self._raters)[self._who]
        width = turns.shape[1]
        places = np.sort(turns * width + np.arange(width), axis=1) % width  # faster than np.argsort
        return np.take_along_axis(self._ratings, places, axis=1).T


def _running(ratings: Array, numbers: Integers) -> tuple[Array, Array]:
    """Mean and sigma of the first n ratings, averaged over items, for every n."""
    ratings = ratings[: numbers[-1]]
    centre = ratings.mean(axis=0)
    apart = ratings - centre  # centring keeps the sums of squares precise
    count = np.arange(1, len(ratings) + 1)[:, None]
    means, squares = apart.cumsum(axis=0) / count, (apart**2).cumsum(axis=0) / count
    sigmas = np.sqrt(np.maximum(squares - means**2, 0.0))
    sigmas[sigmas < np.sqrt(NOISE)] = 0.0
    return (means + centre).mean(axis=1)[numbers - 1], sigmas.mean(axis=1)[numbers - 1]
