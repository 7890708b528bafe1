"""Parts of a benchmark, such as splits or domains, in the order of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, UnknownNameError

__all__ = ["COLUMNS", "TURNS", "Part", "chosen_columns", "parts", "with_turns"]

TURNS = "turns"
COLUMNS = (TURNS, "domain", "source", "language", "split")
"""The columns by which items can be divided; the first is the number of turns of the dialogue."""

Part = tuple[str | int | None, ...]
"""The values that the items of a part share, one for each column; None for items without a value."""


def with_turns(frame: pl.DataFrame) -> pl.DataFrame:
    """The table of items with the number of turns of each dialogue; null for items without context."""
    turns = pl.col("context").list.len()
    return frame.with_columns(pl.when(turns > 0).then(turns).alias(TURNS))


def chosen_columns(benchmark: Benchmark, asked: Sequence[str] | None, *, dialogues: bool) -> tuple[str, ...]:
    """The columns by which to divide items.

    By default, dialogues are divided by turns and domain, if known, and pairs by the first of domain, source, language
    and split that has more than one value.

    Raises:
        UnknownNameError: items cannot be divided by this column; the message lists the choices.
        InputError: no item has a value in this column.
    """
    frame = with_turns(benchmark.frame)
    stated = [column for column in COLUMNS if frame[column].null_count() < frame.height]
    if asked is None:
        telling = [column for column in COLUMNS[1:] if frame[column].drop_nulls().n_unique() > 1]
        return tuple(c for c in COLUMNS[:2] if c in stated) if dialogues else tuple(telling[:1])
    for column in asked:
        if column not in COLUMNS:
            raise UnknownNameError("column to divide items by", column, COLUMNS)
        if column not in stated:
            raise _nothing_stated(benchmark, column, stated)
    return tuple(dict.fromkeys(asked))


def parts(frame: pl.DataFrame, columns: Sequence[str]) -> Iterator[tuple[Part, pl.DataFrame]]:
    """The parts of a table, sorted by number of turns; other columns in order of first appearance."""
    if not columns:
        return
    found = frame.partition_by(columns, maintain_order=True, as_dict=True, include_key=True)
    # The first column is the major one, so that all domains of three-turn dialogues come together.
    seen = [dict.fromkeys(part[place] for part in found) for place in range(len(columns))]
    order = [
        {value: at for at, value in enumerate(_in_order(values) if column == TURNS else values)}
        for column, values in zip(columns, seen, strict=True)
    ]
    for part in sorted(found, key=lambda part: [places[value] for places, value in zip(order, part, strict=True)]):
        yield part, found[part]


def _in_order(turns: dict[int | None, None]) -> list[int | None]:
    return sorted(turns, key=lambda count: (count is None, count or 0))


def _nothing_stated(benchmark: Benchmark, column: str, stated: Sequence[str]) -> InputError:
    there = f"--by one of {', '.join(stated)}" if stated else "leave --by out"
    if column == TURNS:
        what = "no item has a context, so items cannot be divided by turns"
        return InputError(what, where=benchmark.name, remedy=f"{there}, or name the column: --column context=dialogue")
    what = f"no item has a {column}"
    return InputError(what, where=benchmark.name, remedy=f"{there}, or name the column: --column {column}=theirs")
