"""Checks of the scores against their scale and among themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted, listed
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import example_rows, percentage, value_range
from similitude.inspect.checks.findings import Finding

__all__ = ["constant_scores", "dominating_score", "off_scale", "scale_barely_used", "scale_inferred"]

BARELY_USED = 0.5
DOMINATING = 0.8


def _known(benchmark: Benchmark) -> pl.DataFrame:
    return benchmark.frame.filter(pl.col("score").is_finite())


@CHECKS.register("off-scale")
def off_scale(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores beyond the ends of the scale, or not finite.

    Why: either the scale is wrong, and all that is mapped to it, or the scores are. Error from the first item on.
    """
    scored = benchmark.frame.filter(pl.col("score").is_not_null())
    if benchmark.scale is None or scored.is_empty():
        return
    off = scored.filter(~pl.Series(benchmark.scale.holds(scored["score"].to_numpy())))
    if off.height:
        yield Finding(
            code="off-scale",
            severity="error",
            message=f"{counted(off.height, 'score')} {'lies' if off.height == 1 else 'lie'} off the scale "
            f"{benchmark.scale}: from {value_range(off['score'])}",
            count=off.height,
            remedy="declare the right scale, such as --scale 0..5, or mend the scores",
            examples=example_rows(off),
        )


@CHECKS.register("scale-inferred")
def scale_inferred(benchmark: Benchmark) -> Iterator[Finding]:
    """A scale that nobody declared.

    Why: it was guessed from the scores; where nobody used the ends, the guess is wrong, and so are all measures with
    thresholds. Note; a warning where there are scores and no scale at all.
    """
    scored = benchmark.frame["score"].count()
    if benchmark.scale is None and scored:
        yield Finding(
            code="scale-inferred-none",
            severity="warning",
            message=f"{counted(scored, 'score')} without a scale",
            count=scored,
            remedy="declare it, such as --scale 0..5",
        )
    elif benchmark.scale is not None and benchmark.scale.origin == "inferred":
        yield Finding(
            code="scale-inferred",
            severity="note",
            message=f"the scale {benchmark.scale} was inferred from the scores",
            count=scored,
            remedy=f"declare it: --scale {benchmark.scale}",
        )


@CHECKS.register("scale-barely-used")
def scale_barely_used(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores that fill less than half of the scale.

    Why: the declared scale is probably not the one that the scores stand on, and thresholds fall in the wrong place.
    Warning where highest minus lowest score is below 50 % of the scale's width; not for constant scores.
    """
    scores = _known(benchmark)["score"]
    if benchmark.scale is None or scores.n_unique() < 2:
        return
    used = float(np.ptp(scores.to_numpy())) / benchmark.scale.width
    if used < BARELY_USED:
        yield Finding(
            code="scale-barely-used",
            severity="warning",
            message=f"scores run from {value_range(scores)} and fill only {used:.0%} of the scale {benchmark.scale}",
            count=scores.len(),
            remedy="declare the scale that people were shown",
        )


@CHECKS.register("constant-scores")
def constant_scores(benchmark: Benchmark) -> Iterator[Finding]:
    """Scores that are all the same, in the whole benchmark or in one split.

    Why: no correlation is defined. Error where at least two items have gold and all of it is one value.
    """
    known = _known(benchmark)
    if known.height > 1 and known["score"].n_unique() == 1:
        yield _constant(f"all {known.height:,} scores are {known['score'][0]:g}", known)
        return
    constant = repeated_splits(known).filter(pl.col("score").n_unique().over("split") == 1)
    if constant.height:
        splits = listed(f"'{split}'" for split in constant["split"].unique(maintain_order=True))
        yield _constant(f"scores do not vary within {splits}", constant)


def repeated_splits(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows whose split is named and holds at least two of the rows."""
    return frame.filter(pl.col("split").is_not_null() & (pl.len().over("split") > 1))


def _constant(message: str, frame: pl.DataFrame) -> Finding:
    return Finding(
        code="constant-scores",
        severity="error",
        message=message,
        count=frame.height,
        remedy="check that the right column was read as the score",
        examples=example_rows(frame),
    )


@CHECKS.register("dominating-score")
def dominating_score(benchmark: Benchmark) -> Iterator[Finding]:
    """One value that most scores have.

    Why: figures then rest on the few other items, and rank measures are full of ties. Warning where more than 80 %
    of the scores are one value (all of them is `constant_scores`).
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
        remedy="report how many items differ from it, or sample items so that scores spread",
        examples=example_rows(known.filter(pl.col("score") != value)),
    )
