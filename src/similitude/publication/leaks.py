"""Leaks between splits: pairs, texts and groups that occur in more than one."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing, counted, listed
from similitude.errors import InputError
from similitude.inspect.checks.findings import Finding
from similitude.inspect.checks.leaks import split_leaks
from similitude.publication.splits import Together

__all__ = ["OF_GROUPS", "leaks_between_splits", "refuse_leaks"]

OF_TEXTS = "split-leaks-texts"
OF_GROUPS = "split-leaks-groups"


def leaks_between_splits(benchmark: Benchmark) -> tuple[Finding, ...]:
    """What the linter finds (pairs and texts in several splits), and groups that lie in several splits."""
    return (*_shared_groups(benchmark), *split_leaks(benchmark))


def refuse_leaks(benchmark: Benchmark, found: tuple[Finding, ...], together: Together) -> None:
    """Refuse splits of the user's own that leak.

    Args:
        benchmark: with the splits.
        found: the leaks.
        together: what must not be apart: with "pairs", texts alone may occur in several splits.

    Raises:
        InputError: there are leaks; the message names the first and its first example.
    """
    leaks = [one for one in found if one.code != OF_TEXTS or together == "texts"]
    if not leaks:
        return
    first = leaks[0]
    shown = f" (first: {first.examples[0]})" if first.examples else ""
    more = f", and {counted(len(leaks) - 1, 'more finding')}" if len(leaks) > 1 else ""
    texts = " accept texts that recur in other pairs with --keep-together pairs;" if leaks[0].code == OF_TEXTS else ""
    remedy = (
        f"draw new splits with --resplit --split train=0.7,dev=0.1,test=0.2;{texts} --allow-leaks publishes them as "
        "they are, and the card says so"
    )
    raise InputError(f"the splits leak: {first.message}{shown}{more}", where=benchmark.name, remedy=remedy)


def _shared_groups(benchmark: Benchmark) -> Iterator[Finding]:
    shared = (
        benchmark.frame.filter(pl.col("group").is_not_null(), pl.col("split").is_not_null())
        .group_by("group", maintain_order=True)
        .agg(splits=pl.col("split").unique(maintain_order=True))
        .filter(pl.col("splits").list.len() > 1)
    )
    if shared.height:
        named = [f"{row['group']}: {listed(row['splits'])}" for row in shared.head(5).iter_rows(named=True)]
        yield Finding(
            code=OF_GROUPS,
            severity="error",
            message=f"{agreeing(shared.height, 'group', 'lies', 'lie')} in more than one split",
            count=shared.height,
            remedy="put each group into one split",
            examples=tuple(named),
        )
