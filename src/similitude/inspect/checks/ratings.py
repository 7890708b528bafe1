"""Check of the ratings behind gold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing, counted
from similitude.data.scale import Scale
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import row_finding, value_range
from similitude.inspect.checks.findings import Finding

__all__ = ["ratings"]

MEAN_TOLERANCE = 0.01
SIGMA_TOLERANCE = 0.006 / 5
_FLOAT_NOISE = 1e-9


@CHECKS.register("ratings")
def ratings(benchmark: Benchmark) -> Iterator[Finding]:
    """Ratings that do not fit the scale, the score or the sigma of their item.

    Why: scores are then not what the raters said. Reported are: items with one rating, which give neither agreement nor
    spread (note); ratings off the scale (error); scores that differ from the mean of their ratings by more than 1 % of
    the scale (warning); sigmas that differ from the population standard deviation of their ratings by more than 0.12 %
    of the scale, which is 0.006 on 0..5 and allows rounding to two places (warning); and ratings that agree on every
    item, which were probably copied or adjudicated (warning).
    """
    summed = _summed(benchmark)
    if summed is None:
        return
    yield from _single(summed)
    yield from _no_spread(summed)
    if benchmark.scale is not None:
        yield from _off_scale(summed, benchmark.scale)
        yield from _not_the_mean(summed, benchmark.scale)
        yield from _not_the_spread(summed, benchmark.scale)


def _summed(benchmark: Benchmark) -> pl.DataFrame | None:
    """The rated items with the number, mean, population standard deviation, minimum and maximum of their ratings."""
    kept = benchmark.gold.ratings
    if kept is None or kept[0].size == 0:
        return None
    values, positions = kept
    items, starts, numbers = np.unique(positions, return_index=True, return_counts=True)
    means = np.add.reduceat(values, starts) / numbers
    squares = np.add.reduceat(np.square(values - np.repeat(means, numbers)), starts)
    return benchmark.frame[items].with_columns(
        number=numbers,
        mean=means,
        spread=np.sqrt(squares / numbers),
        lowest=np.minimum.reduceat(values, starts),
        highest=np.maximum.reduceat(values, starts),
    )


def _single(summed: pl.DataFrame) -> Iterator[Finding]:
    single = summed.filter(pl.col("number") == 1)
    if single.height:
        message = f"{single.height:,} of {counted(summed.height, 'rated item')} with one rating only"
        remedy = "have them rated again; agreement and spread need at least two ratings"
        yield row_finding("ratings-single", "note", single, message, remedy)


def _no_spread(summed: pl.DataFrame) -> Iterator[Finding]:
    several = summed.filter(pl.col("number") > 1)
    if several.height and several.filter(pl.col("spread") > _FLOAT_NOISE).is_empty():
        message = f"ratings do not differ within any of {counted(several.height, 'item')}"
        remedy = "check that the raters' own ratings were kept, not one agreed value in several columns"
        yield row_finding("ratings-no-spread", "warning", several, message, remedy)


def _off_scale(summed: pl.DataFrame, scale: Scale) -> Iterator[Finding]:
    room = _FLOAT_NOISE * scale.width
    on_scale = pl.col("lowest", "highest").is_between(scale.low - room, scale.high + room)
    off = summed.filter(~pl.all_horizontal(on_scale))
    if off.height:
        extent = value_range(pl.concat([off["lowest"], off["highest"]]))
        message = f"{counted(off.height, 'item')} with a rating off the scale {scale}: ratings there run from {extent}"
        remedy = "declare the scale that raters were shown, or correct the ratings"
        yield row_finding("ratings-off-scale", "error", off, message, remedy)


def _not_the_mean(summed: pl.DataFrame, scale: Scale) -> Iterator[Finding]:
    gap = (pl.col("score") - pl.col("mean")).abs()
    apart = summed.with_columns(gap=gap).filter(pl.col("gap") > MEAN_TOLERANCE * scale.width + _FLOAT_NOISE)
    if apart.height:
        shown = apart.with_columns(detail="mean " + pl.col("mean").round(3).cast(pl.String))
        message = (
            f"{_differing(apart, 'score')} from the mean of the ratings by more than 1 % of the scale, "
            f"at most by {_most(apart['gap'])}"
        )
        remedy = "document how ratings became scores, or take their mean"
        yield row_finding("ratings-mean", "warning", shown, message, remedy, "detail")


def _not_the_spread(summed: pl.DataFrame, scale: Scale) -> Iterator[Finding]:
    gap = (pl.col("sigma") - pl.col("spread")).abs()
    apart = summed.with_columns(gap=gap).filter(pl.col("gap") > SIGMA_TOLERANCE * scale.width + _FLOAT_NOISE)
    if apart.height:
        sigmas = (pl.col(name).round(3).cast(pl.String) for name in ("sigma", "spread"))
        shown = apart.with_columns(detail=pl.format("sigma {}, ratings give {}", *sigmas))
        most = _most(apart["gap"])
        message = (
            f"{_differing(apart, 'sigma')} from the population standard deviation of the ratings, at most by {most}"
        )
        remedy = "divide by n, not by n - 1 (ddof 0), over all ratings that are kept"
        yield row_finding("ratings-sigma", "warning", shown, message, remedy, "detail")


def _differing(frame: pl.DataFrame, noun: str) -> str:
    return agreeing(frame.height, noun, "differs", "differ")


def _most(gaps: pl.Series) -> str:
    return f"{gaps.to_numpy().max():.3g}"
