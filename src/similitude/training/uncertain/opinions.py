"""From benchmarks to what is learned: for each item the mean of people's opinions, their spread, and every rating.

A row of gold holds the mean, the standard deviation, the item's weight in the loss, and then the ratings, all but the
weight in shares of the scale; an item with fewer ratings than others has nan in the places left over.

Where ratings were not kept but their standard deviation was, nine values stand for them, at the middles of nine equally
likely parts of the Gaussian and spread so that mean and standard deviation are exactly those known.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from similitude.training.examples import examples_of

__all__ = ["MEAN", "RATINGS", "SIGMA", "WEIGHT", "OpinionOrigin", "Opinions", "opinions_of"]

Array = NDArray[np.float64]

MEAN, SIGMA, WEIGHT, RATINGS = 0, 1, 2, 3
"""Columns of gold; the ratings are the third and all that follow."""

_STAND_INS = 9
_NO_SPREAD = "to learn the scores alone, take --head point, which needs no spread"


class OpinionOrigin(NamedTuple):
    """A benchmark that items come from: its name, and how many of them."""

    name: str
    items: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Opinions:
    """Items with people's opinions of them, ready to be learned from.

    Attributes:
        items: benchmark by benchmark, each sorted by content.
        gold: items x (3 + ratings): mean, sigma, weight, ratings.
        scale: of the first benchmark, in whose terms a model will answer.
        origins: the benchmarks, in the order of their items.
        raters: the fewest and the most ratings that an item has; 0 where none were kept.
        notes: what the user should know.
    """

    items: Items
    gold: NDArray[np.float32]
    scale: Scale
    origins: tuple[OpinionOrigin, ...]
    raters: tuple[int, int]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.gold)


def opinions_of(benchmarks: Sequence[Benchmark], *, needs_spread: bool, balanced: bool = False) -> Opinions:
    """The items of some benchmarks whose gold is known, with all that is known of people's opinions.

    Args:
        benchmarks: each with a scale of its own, which is mapped to 0..1.
        needs_spread: whether ratings or a standard deviation must be known for each item.
        balanced: whether each benchmark counts the same in the loss, however many items it has.

    Raises:
        InputError: a spread is needed and not known, or every item has one rating only.
        ScaleError: gold off the scale, or no scale.
    """
    parts = [_part(benchmark, needs_spread=needs_spread) for benchmark in benchmarks]
    total = sum(len(part.means) for part in parts)
    widest = max(part.ratings.shape[1] for part in parts)
    gold = np.full((total, RATINGS + widest), np.nan, np.float32)
    start = 0
    for part in parts:
        rows = slice(start, start + len(part.means))
        gold[rows, MEAN], gold[rows, SIGMA] = part.means, part.sigmas
        gold[rows, WEIGHT] = total / (len(parts) * len(part.means)) if balanced else 1.0
        gold[rows, RATINGS : RATINGS + part.ratings.shape[1]] = part.ratings
        start = rows.stop
    origins = tuple(OpinionOrigin(part.name, len(part.means)) for part in parts)
    counts = np.concatenate([part.raters for part in parts])
    return Opinions(
        items=Items(pl.concat([part.items.frame for part in parts])),
        gold=gold,
        scale=parts[0].scale,
        origins=origins,
        raters=(int(counts.min()), int(counts.max())),
        notes=(*(note for part in parts for note in part.notes), *_told(origins, balanced)),
    )


class _Part(NamedTuple):
    """One benchmark's share; ratings are items x most raters, nan where an item has fewer."""

    name: str
    items: Items
    scale: Scale
    means: Array
    sigmas: Array
    ratings: Array
    raters: NDArray[np.int64]
    notes: tuple[str, ...]


def _part(benchmark: Benchmark, *, needs_spread: bool) -> _Part:
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
        _demand_spread(known, sigmas, raters)
        single = int((raters == 1).sum())
        if single:
            notes = (*notes, f"{single:,} of {len(known):,} items of {known.name} have one rating: nothing to differ")
    elif np.isnan(sigmas).any():
        sigmas = np.where(np.isnan(sigmas), 0.0, sigmas)
    return _Part(known.name, known.items, scale, means, sigmas, _or_stand_ins(raw, means, sigmas), raters, notes)


def _padded_ratings(known: Benchmark, scale: Scale) -> Array:
    """Items x most raters, in shares of the scale; no columns where no rating was kept."""
    if known.gold.ratings is None:
        return np.empty((len(known), 0))
    values, items = known.gold.ratings
    off = np.flatnonzero(~scale.holds(values))
    if off.size:
        raise ScaleError(
            f"{off.size:,} of {values.size:,} ratings lie off the scale {scale}, the first of them "
            f"{values[off[0]]:g} of item '{known.items.ids[items[off[0]]]}'",
            where=known.name,
            remedy="mend the rating, or declare the scale: --scale LOW..HIGH",
        )
    counts = np.bincount(items, minlength=len(known))
    places = np.arange(len(items)) - np.repeat(np.cumsum(counts) - counts, counts)
    ratings = np.full((len(known), counts.max()), np.nan)
    ratings[items, places] = np.clip((values - scale.low) / scale.width, 0.0, 1.0)
    return ratings


def _deviations(ratings: Array) -> Array:
    """The population's, of each row that has any ratings."""
    counts = np.maximum(np.isfinite(ratings).sum(axis=1), 1)
    means = np.nansum(ratings, axis=1) / counts
    return np.asarray(np.sqrt(np.nansum((ratings - means[:, None]) ** 2, axis=1) / counts))


def _or_stand_ins(ratings: Array, means: Array, sigmas: Array) -> Array:
    """The ratings, or values that stand for them in the rows that have none."""
    without = ~np.isfinite(ratings).any(axis=1)
    if not without.any():
        return ratings
    wide = np.full((len(ratings), max(ratings.shape[1], _STAND_INS)), np.nan)
    wide[:, : ratings.shape[1]] = ratings
    wide[without, :_STAND_INS] = means[without, None] + sigmas[without, None] * _stand_ins()
    return wide


@cache
def _stand_ins() -> Array:
    """Nine values with mean 0 and standard deviation 1, spread as a Gaussian is."""
    from scipy.special import ndtri

    middles = ndtri((np.arange(_STAND_INS) + 0.5) / _STAND_INS)
    return np.asarray(middles / middles.std())


def _demand_spread(known: Benchmark, sigmas: Array, raters: NDArray[np.int64]) -> None:
    missing = np.flatnonzero(np.isnan(sigmas))
    if missing.size:
        raise InputError(
            f"{missing.size:,} of {len(known):,} items have neither ratings nor a standard deviation, the first of "
            f"them '{known.items.ids[missing[0]]}': how far people differ cannot be learned from them",
            where=known.name,
            remedy=f"give every rater's rating, or a column sigma; {_NO_SPREAD}",
        )
    if not sigmas.any() and raters.max(initial=0) <= 1:
        raise InputError(
            "every item has one rating: how far people differ cannot be learned from it",
            where=known.name,
            remedy=f"give the ratings of several people for each item; {_NO_SPREAD}",
        )


def _told(origins: Sequence[OpinionOrigin], balanced: bool) -> tuple[str, ...]:
    if len(origins) < 2:
        return ()
    counts = ", ".join(f"{name} {items:,} items" for name, items in origins)
    return (f"{counts}{'; each benchmark counts the same' if balanced else ''}",)
