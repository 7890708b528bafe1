"""Checks of what is there at all: rows that could not be read, items without gold, too few items."""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import percentage
from similitude.inspect.checks.findings import Finding

__all__ = ["hidden_gold", "too_few_items", "unreadable_rows"]

FEW = 30
_SPEARMAN = 0.7


@CHECKS.register("unreadable-rows")
def unreadable_rows(benchmark: Benchmark) -> Iterator[Finding]:
    """Rows that the reader left out.

    Why: figures on what is left are figures on another benchmark. Error from the first row on.
    """
    skipped = benchmark.provenance.skipped
    if skipped:
        yield Finding(
            code="unreadable-rows",
            severity="error",
            message=f"{counted(len(skipped), 'row')} could not be read and "
            f"{'was' if len(skipped) == 1 else 'were'} left out",
            count=len(skipped),
            remedy="mend these rows in the file, or publish figures as figures on the remaining rows",
            examples=tuple(f"{row.where}: {row.why}" for row in skipped[:5]),
        )


@CHECKS.register("hidden-gold")
def hidden_gold(benchmark: Benchmark) -> Iterator[Finding]:
    """Items without a score.

    Why: they cannot be evaluated on, and every figure counts one item fewer. Note from the first item on.
    """
    hidden = benchmark.frame.filter(pl.col("score").is_null())
    if hidden.is_empty():
        return
    by_split = hidden.group_by(pl.col("split").fill_null("no split"), maintain_order=True).len()
    yield Finding(
        code="hidden-gold",
        severity="note",
        message=f"{counted(hidden.height, 'item')} of {len(benchmark):,} "
        f"({percentage(hidden.height, len(benchmark))}) {'has' if hidden.height == 1 else 'have'} no gold score",
        count=hidden.height,
        remedy="evaluate on a split whose gold is known",
        examples=tuple(f"{split}: {counted(number, 'item')}" for split, number in by_split.head(5).iter_rows()),
    )


@CHECKS.register("too-few-items")
def too_few_items(benchmark: Benchmark) -> Iterator[Finding]:
    """Fewer than 30 items with gold.

    Why: a correlation over so few items says little; the message gives the 95 % interval (Fisher's z) around a
    correlation of 0.7. Note below 30; nothing where no item has gold, which `hidden_gold` says.
    """
    number = benchmark.frame["score"].count()
    if 0 < number < FEW:
        yield Finding(
            code="too-few-items",
            severity="note",
            message=f"only {counted(number, 'item')} {'has' if number == 1 else 'have'} gold: {_interval(number)}",
            count=number,
            remedy=f"collect at least {FEW} items, better a few hundred, and print intervals with every figure",
        )


def _interval(number: int) -> str:
    if number <= 3:
        return "no interval can be given for a correlation"
    reach = 1.96 / math.sqrt(number - 3)
    low, high = (math.tanh(math.atanh(_SPEARMAN) + side * reach) for side in (-1, 1))
    return f"a measured correlation of {_SPEARMAN} has a 95 % interval of about {low:.2f} to {high:.2f}"
