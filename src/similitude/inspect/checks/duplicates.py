"""Checks for pairs that stand in a benchmark more than once."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import example_rows
from similitude.inspect.checks.findings import Finding, Severity
from similitude.inspect.checks.text_keys import keyed, repeated

__all__ = ["conflicting_scores", "exact_duplicates", "swapped_duplicates"]

LARGE_CONFLICT = 0.1
_EITHER_ORDER = ("first_key", "second_key", "condition_key", "context_key")
_SPAN = pl.col("score").max() - pl.col("score").min()


@CHECKS.register("exact-duplicates")
def exact_duplicates(benchmark: Benchmark) -> Iterator[Finding]:
    """Rows with the same left, right, condition, context and score as an earlier row, letter by letter.

    Why: such a row counts twice in every figure and makes intervals too narrow. Warning from the first row on; the
    count is the number of rows beyond the first of each.
    """
    again = repeated(keyed(benchmark), "verbatim", "score")
    groups = again.group_by("verbatim", "score", maintain_order=True).agg("id", pl.col("left", "right").first())
    surplus = again.height - groups.height
    if surplus:
        yield Finding(
            code="exact-duplicates",
            severity="warning",
            message=f"{counted(surplus, 'row')} {'repeats' if surplus == 1 else 'repeat'} "
            "an earlier row with the same score",
            count=surplus,
            remedy="keep one of each",
            examples=example_rows(groups),
        )


@CHECKS.register("swapped-duplicates")
def swapped_duplicates(benchmark: Benchmark) -> Iterator[Finding]:
    """Pairs that stand as (a, b) and as (b, a) under the same condition and context, compared normalised.

    Why: a symmetric system scores both alike, so they are one item counted twice. Warning from the first pair on.
    """
    apart = keyed(benchmark).filter(pl.col("left_key") != pl.col("right_key"))
    groups = (
        repeated(apart, *_EITHER_ORDER)
        .group_by(_EITHER_ORDER, maintain_order=True)
        .agg("id", pl.col("left", "right").first(), pl.lit(None).alias("score"), ways=pl.col("left_key").n_unique())
        .filter(pl.col("ways") > 1)
    )
    if groups.height:
        yield Finding(
            code="swapped-duplicates",
            severity="warning",
            message=f"{counted(groups.height, 'pair')} {'stands' if groups.height == 1 else 'stand'} in both orders, "
            "as (a, b) and as (b, a)",
            count=groups.height,
            remedy="keep one order of each, unless the benchmark is meant to test symmetry",
            examples=example_rows(groups),
        )


@CHECKS.register("conflicting-scores")
def conflicting_scores(benchmark: Benchmark) -> Iterator[Finding]:
    """The same pair, in either order, under the same condition and context, with different scores.

    Why: no system can be right on both. Texts are compared normalised. Error where the largest difference exceeds
    10 % of the scale, else warning.
    """
    known = keyed(benchmark).filter(pl.col("score").is_finite())
    width = benchmark.scale.width if benchmark.scale else 1.0
    groups = (
        repeated(known, *_EITHER_ORDER)
        .group_by(_EITHER_ORDER, maintain_order=True)
        .agg("id", pl.col("left", "right").first(), gap=_SPAN, scores=pl.col("score").head(5))
        .filter(pl.col("gap") > 1e-9 * width)
    )
    if groups.height:
        yield _conflict(groups.sort("gap", descending=True, maintain_order=True), width)


def _conflict(groups: pl.DataFrame, width: float) -> Finding:
    gaps = groups["gap"].to_numpy() / width
    severity: Severity = "error" if gaps.max() > LARGE_CONFLICT else "warning"
    scores = "scores " + pl.col("scores").list.eval(pl.element().round(3).cast(pl.String)).list.join(", ")
    shown = groups.head(5).with_columns(scores.alias("detail"), pl.lit(None).alias("score"))
    return Finding(
        code="conflicting-scores",
        severity=severity,
        message=f"{counted(groups.height, 'pair')} {'has' if groups.height == 1 else 'have'} different scores in "
        f"different rows: they differ by {gaps.mean():.1%} of the scale on average and by {gaps.max():.1%} at most",
        count=groups.height,
        remedy="average the scores of each pair or have it judged again",
        examples=example_rows(shown, "detail"),
    )
