"""By what the items of a benchmark can be parted, and the parts in the order of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, UnknownNameError

__all__ = ["COLUMNS", "TURNS", "Part", "chosen_columns", "parts", "with_turns"]

TURNS = "turns"
COLUMNS = (TURNS, "domain", "source", "language", "split")
"""What items can be parted by: the number of turns of their dialogue, or a column."""

Part = tuple[str | int | None, ...]
"""The values that the items of a part share, one a column; None where they state none."""


def with_turns(frame: pl.DataFrame) -> pl.DataFrame:
    """The table of items with the number of turns of each dialogue, null where an item has none."""
    turns = pl.col("context").list.len()
    return frame.with_columns(pl.when(turns > 0).then(turns).alias(TURNS))


def chosen_columns(benchmark: Benchmark, asked: Sequence[str] | None, *, dialogues: bool) -> tuple[str, ...]:
    """What to part by: what was asked for, or else what suits the items.

    Dialogues are parted by turns and domain, as far as known; pairs by the first of domain, source, language and split
    that takes more than one value.

    Raises:
        UnknownNameError: nothing can be parted by that name; the message lists the choices.
        InputError: no item states what was asked for.
    """
    frame = with_turns(benchmark.frame)
    stated = [column for column in COLUMNS if frame[column].null_count() < frame.height]
    if asked is None:
        telling = [column for column in COLUMNS[1:] if frame[column].drop_nulls().n_unique() > 1]
        return tuple(c for c in COLUMNS[:2] if c in stated) if dialogues else tuple(telling[:1])
    for column in asked:
        if column not in COLUMNS:
            raise UnknownNameError("column to part items by", column, COLUMNS)
        if column not in stated:
            raise _nothing_stated(benchmark, column, stated)
    return tuple(dict.fromkeys(asked))


def parts(frame: pl.DataFrame, columns: Sequence[str]) -> Iterator[tuple[Part, pl.DataFrame]]:
    """Each part of a table that has turns: by number of turns first to last, else in order of appearance."""
    if not columns:
        return
    found = frame.partition_by(columns, maintain_order=True, as_dict=True, include_key=True)
    # Columns to the left part first, so that all domains of three turns stand together.
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
        what = "no item has a context, so there are no turns to part items by"
        return InputError(what, where=benchmark.name, remedy=f"{there}, or name the column: --column context=dialogue")
    what = f"no item states a {column}"
    return InputError(what, where=benchmark.name, remedy=f"{there}, or name the column: --column {column}=theirs")
