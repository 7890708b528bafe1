"""Checks for pairs that occur more than once."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import example_rows, row_finding
from similitude.inspect.checks.findings import Finding, Severity
from similitude.inspect.checks.text_keys import keyed, repeated

__all__ = ["conflicting_scores", "exact_duplicates", "swapped_duplicates"]

LARGE_CONFLICT = 0.1
_EITHER_ORDER = ("first_key", "second_key", "condition_key", "context_key")
_SPAN = pl.col("score").max() - pl.col("score").min()


@CHECKS.register("exact-duplicates")
def exact_duplicates(benchmark: Benchmark) -> Iterator[Finding]:
    """Rows with exactly the same left, right, condition, context and score as an earlier row.

    Why: such items count twice in every result and make intervals too narrow. Warning from the first row on; the count
    leaves out the first of equal rows.
    """
    again = repeated(keyed(benchmark), "verbatim", "score")
    groups = again.group_by("verbatim", "score", maintain_order=True).agg("id", pl.col("left", "right").first())
    surplus = again.height - groups.height
    if surplus:
        message = f"{agreeing(surplus, 'row', 'repeats', 'repeat')} an earlier row with the same score"
        yield Finding("exact-duplicates", "warning", message, surplus, "keep one of each", example_rows(groups))


@CHECKS.register("swapped-duplicates")
def swapped_duplicates(benchmark: Benchmark) -> Iterator[Finding]:
    """Pairs that occur as (a, b) and as (b, a) with the same condition and context; texts are normalised.

    Why: a symmetric system scores both the same, so one item counts twice. Warning from the first pair on.
    """
    apart = keyed(benchmark).filter(pl.col("left_key") != pl.col("right_key"))
    groups = (
        repeated(apart, *_EITHER_ORDER)
        .group_by(_EITHER_ORDER, maintain_order=True)
        .agg("id", pl.col("left", "right").first(), pl.lit(None).alias("score"), ways=pl.col("left_key").n_unique())
        .filter(pl.col("ways") > 1)
    )
    if groups.height:
        message = f"{agreeing(groups.height, 'pair', 'occurs', 'occur')} in both orders, as (a, b) and as (b, a)"
        remedy = "keep one order of each, unless the benchmark is meant to test symmetry"
        yield row_finding("swapped-duplicates", "warning", groups, message, remedy)


@CHECKS.register("conflicting-scores")
def conflicting_scores(benchmark: Benchmark) -> Iterator[Finding]:
    """The same pair, in either order, with the same condition and context but different scores; texts are normalised.

    Why: no system can be right on both. Error if the largest difference exceeds 10 % of the scale, else warning.
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
        message=f"{agreeing(groups.height, 'pair', 'has', 'have')} different scores in different rows: they differ by "
        f"{gaps.mean():.1%} of the scale on average and by {gaps.max():.1%} at most",
        count=groups.height,
        remedy="average the scores of each pair or have it judged again",
        examples=example_rows(shown, "detail"),
    )
