"""Checks of the scores: off the scale, inferred or barely used scale, constant or dominating values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing, counted, listed
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import example_rows, percentage, row_finding, value_range
from similitude.inspect.checks.findings import Finding

__all__ = ["constant_scores", "dominating_score", "off_scale", "scale_barely_used", "scale_inferred"]

BARELY_USED = 0.5
DOMINATING = 0.8
CONSTANT_REMEDY = "check that the right column was read as the score"


def _known(benchmark: Benchmark) -> pl.DataFrame:
    return benchmark.frame.filter(pl.col("score").is_finite())


@CHECKS.register("off-scale")
def off_scale(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores off the scale, or not finite.

    Why: the scale is wrong, or the scores are. Error from the first item on.
    """
    scored = benchmark.frame.filter(pl.col("score").is_not_null())
    if benchmark.scale is None or scored.is_empty():
        return
    off = scored.filter(~pl.Series(benchmark.scale.holds(scored["score"].to_numpy())))
    if off.height:
        lying = agreeing(off.height, "score", "lies", "lie")
        message = f"{lying} off the scale {benchmark.scale}: from {value_range(off['score'])}"
        remedy = "declare the right scale, such as --scale 0..5, or correct the scores"
        yield row_finding("off-scale", "error", off, message, remedy)


@CHECKS.register("scale-inferred")
def scale_inferred(benchmark: Benchmark) -> Iterator[Finding]:
    """A scale that was inferred, not declared.

    Why: if no score reaches the ends of the true scale, the inferred scale is wrong, and so are all measures with
    thresholds. Note; warning if there are scores but no scale.
    """
    scored = benchmark.frame["score"].count()
    if benchmark.scale is None and scored:
        message = f"{counted(scored, 'score')} without a scale"
        yield Finding("scale-inferred-none", "warning", message, scored, "declare it, such as --scale 0..5")
    elif benchmark.scale is not None and benchmark.scale.origin == "inferred":
        message = f"the scale {benchmark.scale} was inferred from the scores"
        yield Finding("scale-inferred", "note", message, scored, f"declare it: --scale {benchmark.scale}")


@CHECKS.register("scale-barely-used")
def scale_barely_used(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores that fill less than half of the scale.

    Why: the declared scale is probably not the scale of the scores, and thresholds are in the wrong place. Warning if
    the highest minus the lowest score is below 50 % of the scale's width; not for constant scores.
    """
    scores = _known(benchmark)["score"]
    if benchmark.scale is None or scores.n_unique() < 2:
        return
    used = float(np.ptp(scores.to_numpy())) / benchmark.scale.width
    if used < BARELY_USED:
        message = f"scores run from {value_range(scores)} and fill only {used:.0%} of the scale {benchmark.scale}"
        remedy = "declare the scale that people were shown"
        yield Finding("scale-barely-used", "warning", message, scores.len(), remedy)


@CHECKS.register("constant-scores")
def constant_scores(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores that are all the same, in the whole benchmark or in one split.

    Why: correlations are not defined. Error if at least two items have gold and all scores are equal.
    """
    known = _known(benchmark)
    if known.height > 1 and known["score"].n_unique() == 1:
        message = f"all {known.height:,} scores are {known['score'][0]:g}"
        yield row_finding("constant-scores", "error", known, message, CONSTANT_REMEDY)
        return
    constant = _of_larger_splits(known).filter(pl.col("score").n_unique().over("split") == 1)
    if constant.height:
        splits = listed(f"'{split}'" for split in constant["split"].unique(maintain_order=True))
        message = f"scores do not vary within {splits}"
        yield row_finding("constant-scores", "error", constant, message, CONSTANT_REMEDY)


def _of_larger_splits(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of splits with at least two rows."""
    return frame.filter(pl.col("split").is_not_null() & (pl.len().over("split") > 1))


@CHECKS.register("dominating-score")
def dominating_score(benchmark: Benchmark) -> Iterator[Finding]:
    """One value that most scores have.

    Why: results then depend on the few other items, and rank measures have many ties. Warning if more than 80 % of the
    scores are one value; if all are, see `constant_scores`.
    """
    known = _known(benchmark)
    values = known["score"].value_counts(sort=True)
    if values.height < 2 or values["count"][0] <= DOMINATING * known.height:
        return
    value, number = values.row(0)
    yield Finding(
        code="dominating-score",
        severity="warning",
        message=f"{number:,} of {counted(known.height, 'score')} ({percentage(number, known.height)}) are {value:g}",
        count=number,
        remedy="report how many items differ from it, or sample items with a wider range of scores",
        examples=example_rows(known.filter(pl.col("score") != value)),
    )
