"""From benchmarks to training data: the mean of people's opinions of each item, their spread, and every rating.

A row of gold holds the mean, the standard deviation, and then the ratings, all as shares of the scale. Rows of items
with fewer ratings than others are padded with nan.

Where a standard deviation is known but ratings were not kept, nine values replace them: the midpoints of nine equally
likely parts of the Gaussian, rescaled so that their mean and standard deviation are exactly those known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError
from similitude.stats import kl_divergence
from similitude.training.examples import examples_of

__all__ = ["MEAN", "RATINGS", "SIGMA", "OpinionOrigin", "Opinions", "mean_divergence", "opinions_of"]

Array = NDArray[np.float64]

MEAN, SIGMA, RATINGS = 0, 1, 2
"""Columns of gold; ratings start at the last of these."""

_STAND_INS = 9
NO_SPREAD = "to learn scores alone, use --head point, which needs no spread"


class OpinionOrigin(NamedTuple):
    """A benchmark and the number of items that come from it."""

    name: str
    items: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Opinions:
    """Items with people's opinions of them, ready to learn from.

    Attributes:
        items: benchmark by benchmark, each sorted by content.
        gold: items x (2 + ratings): mean, sigma, ratings.
        scale: of the first benchmark; the model answers on it.
        origins: the benchmarks, in the order of their items.
        raters: the fewest and the most ratings that an item has; 0 where none were kept.
        sources: how much each item counts by the benchmark that it comes from; None if all count alike.
        notes: what the user should know.
    """

    items: Items
    gold: NDArray[np.float32]
    scale: Scale
    origins: tuple[OpinionOrigin, ...]
    raters: tuple[int, int]
    sources: NDArray[np.float32] | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def means(self) -> Array:
        """The mean opinion of each item, as a share of the scale."""
        return self.gold[:, MEAN].astype(np.float64)

    @property
    def sigmas(self) -> Array:
        """The standard deviation of people's opinions of each item, as a share of the scale; 0 where unknown."""
        return self.gold[:, SIGMA].astype(np.float64)

    def by_origin(self) -> Iterator[tuple[str, slice]]:
        """The name and the rows of each benchmark, where there are several."""
        end = 0
        for name, items in self.origins if len(self.origins) > 1 else ():
            yield name, slice(end, end + items)
            end += items


def opinions_of(
    benchmarks: Sequence[Benchmark], *, needs_spread: bool, balanced: bool = False, otherwise: str = NO_SPREAD
) -> Opinions:
    """The items of benchmarks that have gold, with all that is known of people's opinions.

    Args:
        benchmarks: each on its own scale, which is mapped to 0..1.
        needs_spread: whether ratings or a standard deviation must be known for each item.
        balanced: whether all benchmarks have the same total weight in the loss, whatever their size.
        otherwise: what users can do who know no spread.

    Raises:
        InputError: a spread is needed and not known, or every item has only one rating.
        ScaleError: gold lies off the scale, or there is no scale.
    """
    parts = [_part(benchmark, otherwise, needs_spread=needs_spread) for benchmark in benchmarks]
    total = sum(len(part.means) for part in parts)
    widest = max(part.ratings.shape[1] for part in parts)
    gold = np.full((total, RATINGS + widest), np.nan, np.float32)
    start = 0
    for part in parts:
        rows = slice(start, start + len(part.means))
        gold[rows, MEAN], gold[rows, SIGMA] = part.means, part.sigmas
        gold[rows, RATINGS : RATINGS + part.ratings.shape[1]] = part.ratings
        start = rows.stop
    origins = tuple(OpinionOrigin(part.name, len(part.means)) for part in parts)
    sizes = np.array([origin.items for origin in origins])
    counts = np.concatenate([part.raters for part in parts])
    return Opinions(
        items=Items(pl.concat([part.items.frame for part in parts])),
        gold=gold,
        scale=parts[0].scale,
        origins=origins,
        raters=(int(counts.min()), int(counts.max())),
        sources=np.repeat(total / (len(parts) * sizes), sizes).astype(np.float32) if balanced else None,
        notes=(*(note for part in parts for note in part.notes), *_origins_note(origins, balanced)),
    )


def mean_divergence(gold: Array, human: Array, means: Array, sigmas: Array) -> float:
    """Mean KL(people || model) of two Gaussians, over items on which people differ; nan if there are none."""
    differ = human > 0
    if not differ.any():
        return float("nan")
    return float(np.mean(kl_divergence(gold[differ], human[differ], means[differ], sigmas[differ])))


class _Part(NamedTuple):
    """One benchmark; ratings are items x most raters, nan where an item has fewer."""

    name: str
    items: Items
    scale: Scale
    means: Array
    sigmas: Array
    ratings: Array
    raters: NDArray[np.int64]
    notes: tuple[str, ...]


def _part(benchmark: Benchmark, otherwise: str, *, needs_spread: bool) -> _Part:
    examples = examples_of(benchmark, in_pairs=False)
    known = examples.benchmark
    scale = known.scale
    assert scale is not None  # examples_of has refused gold without a scale
    raw = _padded_ratings(known, scale)
    raters = np.isfinite(raw).sum(axis=1)
    sigmas = np.full(len(known), np.nan) if known.gold.sigmas is None else known.gold.sigmas / scale.width
    sigmas = np.where(np.isnan(sigmas) & (raters > 0), _deviations(raw), sigmas)
    means = np.clip((known.gold.scores - scale.low) / scale.width, 0.0, 1.0)
    notes = examples.notes
    if needs_spread:
        _check_spread(known, sigmas, raters, otherwise)
        single = int((raters == 1).sum())
        if single:
            notes = (
                *notes,
                f"{single:,} of {len(known):,} items of {known.name} have only one rating",
            )
    elif np.isnan(sigmas).any():
        sigmas = np.where(np.isnan(sigmas), 0.0, sigmas)
    return _Part(known.name, known.items, scale, means, sigmas, _with_stand_ins(raw, means, sigmas), raters, notes)


def _padded_ratings(known: Benchmark, scale: Scale) -> Array:
    """Items x most raters, as shares of the scale; no columns if no ratings were kept."""
    if known.gold.ratings is None:
        return np.empty((len(known), 0))
    values, items = known.gold.ratings
    off = np.flatnonzero(~scale.holds(values))
    if off.size:
        raise ScaleError(
            f"{off.size:,} of {values.size:,} ratings lie off the scale {scale}; the first is "
            f"{values[off[0]]:g} for item '{known.items.ids[items[off[0]]]}'",
            where=known.name,
            remedy="correct the rating, or declare the scale: --scale LOW..HIGH",
        )
    counts = np.bincount(items, minlength=len(known))
    places = np.arange(len(items)) - np.repeat(np.cumsum(counts) - counts, counts)
    ratings = np.full((len(known), counts.max()), np.nan)
    ratings[items, places] = np.clip((values - scale.low) / scale.width, 0.0, 1.0)
    return ratings


def _deviations(ratings: Array) -> Array:
    """The population standard deviation of each row; 0 for a row without ratings."""
    counts = np.maximum(np.isfinite(ratings).sum(axis=1), 1)
    means = np.nansum(ratings, axis=1) / counts
    return np.asarray(np.sqrt(np.nansum((ratings - means[:, None]) ** 2, axis=1) / counts))


def _with_stand_ins(ratings: Array, means: Array, sigmas: Array) -> Array:
    """The ratings, with representative values in the rows that have none."""
    without = ~np.isfinite(ratings).any(axis=1)
    if not without.any():
        return ratings
    wide = np.full((len(ratings), max(ratings.shape[1], _STAND_INS)), np.nan)
    wide[:, : ratings.shape[1]] = ratings
    wide[without, :_STAND_INS] = means[without, None] + sigmas[without, None] * _stand_ins()
    return wide


@cache
def _stand_ins() -> Array:
    """Nine quantiles of a Gaussian, with mean 0 and standard deviation 1."""
    from scipy.special import ndtri

    middles = ndtri((np.arange(_STAND_INS) + 0.5) / _STAND_INS)
    return np.asarray(middles / middles.std())


def _check_spread(known: Benchmark, sigmas: Array, raters: NDArray[np.int64], otherwise: str) -> None:
    missing = np.flatnonzero(np.isnan(sigmas))
    if missing.size:
        raise InputError(
            f"{missing.size:,} of {len(known):,} items have neither ratings nor a standard deviation, first "
            f"'{known.items.ids[missing[0]]}': disagreement cannot be learned from them",
            where=known.name,
            remedy=f"give every rater's rating, or a column sigma; {otherwise}",
        )
    if not sigmas.any() and raters.max(initial=0) <= 1:
        raise InputError(
            "every item has only one rating: disagreement cannot be learned from it",
            where=known.name,
            remedy=f"give the ratings of several people for each item; {otherwise}",
        )


def _origins_note(origins: Sequence[OpinionOrigin], balanced: bool) -> tuple[str, ...]:
    if len(origins) < 2:
        return ()
    counts = ", ".join(f"{name} {items:,} items" for name, items in origins)
    return (f"{counts}{'; all benchmarks have the same weight' if balanced else ''}",)
