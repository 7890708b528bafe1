"""Check of the best-worst judgements that a benchmark keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted, listed
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import value_range
from similitude.inspect.checks.findings import Finding, Severity

__all__ = ["judgements"]

_ITEMS = pl.col("items")


class _Fault(NamedTuple):
    code: str
    severity: Severity
    holds: pl.Expr
    what: str
    remedy: str


_FAULTS = (
    _Fault(
        "same-answer",
        "warning",
        pl.col("best") == pl.col("worst"),
        "the same item as best and as worst",
        "leave them out, or count them for both, as published scores do",
    ),
    _Fault(
        "repeated-item",
        "warning",
        _ITEMS.list.n_unique() < _ITEMS.list.len(),
        "an item twice in one tuple",
        "draw tuples of distinct items; existing scores counted each occurrence",
    ),
    _Fault(
        "stray-answer",
        "error",
        ~(_ITEMS.list.contains(pl.col("best")) & _ITEMS.list.contains(pl.col("worst"))),
        "a best or worst that is not in the tuple",
        "correct these rows; an answer must be one of the items shown",
    ),
)


@CHECKS.register("judgements")
def judgements(benchmark: Benchmark) -> Iterator[Finding]:
    """Best-worst judgements that cannot be right, or do not match the items.

    Why: scores are computed from them. Reported from the first row on: the same item as best and worst (warning), an
    item twice in a tuple (warning), an answer that is not in the tuple (error), unknown ids (warning), and tuples that
    were judged more or less often than others (note). A tuple is a set of items, in any order.
    """
    table = benchmark.judgements
    if table is None or table.is_empty():
        return
    for fault in _FAULTS:
        faulty = table.filter(fault.holds)
        if faulty.height:
            yield _faulty(fault, faulty)
    yield from _unknown_items(table, benchmark.frame)
    yield from _uneven(table)


def _faulty(fault: _Fault, faulty: pl.DataFrame) -> Finding:
    return Finding(
        code=f"judgements-{fault.code}",
        severity=fault.severity,
        message=f"{counted(faulty.height, 'judgement')} with {fault.what}",
        count=faulty.height,
        remedy=fault.remedy,
        examples=tuple(_answer(row) for row in faulty.head(5).iter_rows(named=True)),
    )


def _answer(row: dict[str, Any]) -> str:
    shown = listed(row["items"] or ())
    return f"{row['question']} by {row['annotator']}: ({shown}), best {row['best']}, worst {row['worst']}"


def _unknown_items(table: pl.DataFrame, items: pl.DataFrame) -> Iterator[Finding]:
    named = table.select(_ITEMS.explode().alias("id")).drop_nulls()
    unknown = named.group_by("id").len("times").join(items, on="id", how="anti").sort("times", "id", descending=True)
    if unknown.height:
        times = int(unknown["times"].sum())
        yield Finding(
            code="judgements-unknown-item",
            severity="warning",
            message=f"{counted(unknown.height, 'id')} in judgements without an item (shown {counted(times, 'time')})",
            count=unknown.height,
            remedy="add these items, or remove placeholders from the tuples",
            examples=tuple(f"{name}: {counted(number, 'time')}" for name, number in unknown.head(5).iter_rows()),
        )


def _uneven(table: pl.DataFrame) -> Iterator[Finding]:
    joined = _ITEMS.list.sort().list.join("\x1f", ignore_nulls=True).hash().alias("tuple")
    tuples = table.group_by(joined).agg(_ITEMS.first(), times=pl.len())
    usual = int(tuples["times"].mode().sort()[0])
    odd = tuples.filter(pl.col("times") != usual).sort("times", _ITEMS.list.first())
    if odd.height:
        yield Finding(
            code="judgements-uneven",
            severity="note",
            message=f"{odd.height:,} of {counted(tuples.height, 'tuple')} not judged {usual} times, as most are, but "
            f"{value_range(tuples['times'])} times",
            count=odd.height,
            remedy="collect the missing judgements, or use an aggregation that allows for unequal numbers",
            examples=tuple(
                f"({listed(names)}): {counted(number, 'time')}"
                for names, number in odd.select("items", "times").head(5).iter_rows()
            ),
        )
