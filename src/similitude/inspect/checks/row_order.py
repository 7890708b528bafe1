"""Check for gold that the order of rows predicts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.association import Association, formatted_p_value
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.findings import Finding, Severity
from similitude.inspect.checks.row_features import FEATURES, GROUP_KEY, TESTS, RowNumbers

__all__ = ["row_order"]

FEWEST = 30
MOST_SPLITS = 20
SIGNIFICANT = 0.001
STRONG, WEAK = 0.3, 0.1


class _Scope(NamedTuple):
    name: str
    frame: pl.DataFrame


class _Leak(NamedTuple):
    feature: int
    scope: _Scope
    found: Association


@CHECKS.register("row-order")
def row_order(benchmark: Benchmark) -> Iterator[Finding]:
    """Gold that the position of a row predicts.

    Why: a system that sees the order (a batch in which items influence each other, training without shuffling, a prompt
    with several items) can score well without reading a word. C-STS has each sentence pair as two rows, the higher
    label first, and row parity alone reaches Spearman 0.62 there.

    Features: the row number modulo 2, 3, 4 or 5, the place inside a group of consecutive rows, the row number, and the
    score of the row before; each in the whole file and in the 20 largest splits with at least 30 items with gold.
    p-values are multiplied by the number of tests (Bonferroni). Error if p < 0.001 and |rho| >= 0.3, warning if
    p < 0.001 and |rho| >= 0.1; the message names the file or split with the strongest correlation.
    """
    scopes = _scopes(benchmark)
    leaks = [leak for scope in scopes for leak in _leaks(scope, tests=TESTS * len(scopes))]
    leaks.sort(key=lambda leak: (leak.feature, -abs(leak.found.rho)))
    for _, same in groupby(leaks, key=lambda leak: leak.feature):
        yield _finding(list(same))


def _scopes(benchmark: Benchmark) -> list[_Scope]:
    frame = benchmark.frame.select("id", "split", "score", group_key=GROUP_KEY)
    whole = _Scope("the whole file", frame)
    sizes = frame.group_by("split", maintain_order=True).agg(known=pl.col("score").is_finite().sum())
    sizes = sizes.filter(pl.col("split").is_not_null() & (pl.col("known") >= FEWEST)).top_k(MOST_SPLITS, by="known")
    if len(benchmark.splits) < 2:
        sizes = sizes.clear()
    splits = [_Scope(f"split '{name}'", frame.filter(pl.col("split") == name)) for name in sizes["split"]]
    return [whole, *splits]


def _leaks(scope: _Scope, tests: int) -> Iterator[_Leak]:
    rows = RowNumbers.of(scope.frame)
    if len(rows) < FEWEST:
        return
    for number, feature in enumerate(FEATURES):
        found = feature(rows)
        found = found._replace(p=min(1.0, found.p * tests))
        if found.p < SIGNIFICANT and abs(found.rho) >= WEAK:
            yield _Leak(number, scope, found)


def _finding(leaks: list[_Leak]) -> Finding:
    worst = leaks[0]
    rho = worst.found.rho
    severity: Severity = "error" if abs(rho) >= STRONG else "warning"
    first = ", ".join(f"{name} = {score:g}" for name, score in _first_rows(worst.scope.frame))
    elsewhere = [
        f"{leak.scope.name}: Spearman {leak.found.rho:.2f} over {counted(leak.found.items, 'item')}" for leak in leaks
    ]
    return Finding(
        code="row-order",
        severity=severity,
        message=f"{worst.found.feature} alone predicts gold with Spearman {rho:.2f} "
        f"({formatted_p_value(worst.found.p)}) in {worst.scope.name}: rows must be shuffled before anything "
        "that sees their order is scored or trained",
        count=worst.found.items,
        remedy="shuffle the rows with a fixed seed before use",
        examples=(*elsewhere[:4], f"first rows of {worst.scope.name}: {first}"),
    )


def _first_rows(frame: pl.DataFrame) -> Iterator[tuple[str, float]]:
    yield from frame.select("id", "score").filter(pl.col("score").is_not_null()).head(6).iter_rows()
