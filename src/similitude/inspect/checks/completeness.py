"""Checks for missing data: rows that could not be read, items without gold, too few items."""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing, counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import percentage
from similitude.inspect.checks.findings import Finding

__all__ = ["hidden_gold", "too_few_items", "unreadable_rows"]

FEW = 30
_SPEARMAN = 0.7


@CHECKS.register("unreadable-rows")
def unreadable_rows(benchmark: Benchmark) -> Iterator[Finding]:
    """Rows that the reader left out.

    Why: results on the remaining rows are results on another benchmark. Error from the first row on.
    """
    skipped = benchmark.provenance.skipped
    if skipped:
        yield Finding(
            code="unreadable-rows",
            severity="error",
            message=f"{agreeing(len(skipped), 'row', 'was', 'were')} left out because of errors",
            count=len(skipped),
            remedy="correct these rows in the file, or say that results are on the remaining rows",
            examples=tuple(f"{row.where}: {row.why}" for row in skipped[:5]),
        )


@CHECKS.register("hidden-gold")
def hidden_gold(benchmark: Benchmark) -> Iterator[Finding]:
    """Items without a score.

    Why: systems cannot be evaluated on them. Note from the first item on.
    """
    hidden = benchmark.frame.filter(pl.col("score").is_null())
    if hidden.is_empty():
        return
    by_split = hidden.group_by(pl.col("split").fill_null("no split"), maintain_order=True).len()
    share = percentage(hidden.height, len(benchmark))
    message = f"{counted(hidden.height, 'item')} of {len(benchmark):,} ({share}) without a gold score"
    examples = tuple(f"{split}: {counted(number, 'item')}" for split, number in by_split.head(5).iter_rows())
    yield Finding("hidden-gold", "note", message, hidden.height, "evaluate on a split whose gold is known", examples)


@CHECKS.register("too-few-items")
def too_few_items(benchmark: Benchmark) -> Iterator[Finding]:
    """Fewer than 30 items with gold.

    Why: a correlation over so few items is uncertain; the message gives the 95 % interval (Fisher's z) around a
    correlation of 0.7. Note below 30 items; if no item has gold, only `hidden_gold` reports it.
    """
    number = benchmark.frame["score"].count()
    if 0 < number < FEW:
        message = f"only {agreeing(number, 'item', 'has', 'have')} gold: {_interval(number)}"
        remedy = f"collect at least {FEW} items, better a few hundred, and report intervals"
        yield Finding("too-few-items", "note", message, number, remedy)


def _interval(number: int) -> str:
    if number <= 3:
        return "a correlation has no interval"
    reach = 1.96 / math.sqrt(number - 3)
    low, high = (math.tanh(math.atanh(_SPEARMAN) + side * reach) for side in (-1, 1))
    return f"a measured correlation of {_SPEARMAN} has a 95 % interval of about {low:.2f} to {high:.2f}"
