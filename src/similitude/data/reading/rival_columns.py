"""Rival columns: others that could be the score or the texts as well."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl

from similitude.data.reading.column_names import ALIASES, PAIRS, plain_name
from similitude.data.reading.tables import Column

__all__ = ["rival_pairs", "rivals"]

SAMPLED = 1000


def rivals(columns: Mapping[str, Column], matched: Mapping[str, str], ours: str = "score") -> list[str]:
    """Other columns of numbers that could be ours as well, because of their names, and whose values differ.

    Args:
        columns: the file's columns.
        matched: our names to the file's.
        ours: the column of ours in question.
    """
    taken = matched.get(ours)
    if taken is None:
        return []
    usual = set(map(plain_name, ALIASES[ours]))
    others = [name for name in columns if plain_name(name) in usual and name not in matched.values()]
    mine = _numbers(columns[taken]) if others else None
    return [name for name in others if _differ(mine, _numbers(columns[name]))]


def rival_pairs(columns: Mapping[str, Column], matched: Mapping[str, str]) -> list[tuple[str, str]]:
    """Other pairs of columns that could be the two texts as well, because of their names, and whose values differ.

    Pairs of numbers are none: they number the texts, or rate each of them.
    """
    mine = matched["left"], matched["right"]
    by_plain_name = {plain_name(name): name for name in columns if name not in mine}
    everything = {**{plain_name(name): name for name in mine}, **by_plain_name}
    named = [
        (everything[a], everything[b]) for a, b in PAIRS if {a, b} <= set(everything) and {a, b} & set(by_plain_name)
    ]
    left, right = (by_plain_name.get(plain_name(name), name) for name in mine)
    pairs = [*named, (left, right)] if (left, right) not in (mine, *named) else named
    return [pair for pair in pairs if any(map(partial(_is_rival, columns), mine, pair))]


def _is_rival(columns: Mapping[str, Column], mine: str, other: str) -> bool:
    """Whether two columns hold different texts in rows that have both."""
    rows = list(zip(columns[mine][:SAMPLED], columns[other][:SAMPLED], strict=True))
    both = [(here, there) for here, there in rows if here is not None and isinstance(there, str) and there.strip()]
    differ = any(str(here) != there for here, there in both)
    return differ and _numbers(pl.Series([there for _, there in both])) is None


def _numbers(column: Column) -> pl.Series | None:
    """The numbers in a column; None if it holds something else."""
    series = column if isinstance(column, pl.Series) else pl.Series(list(column), strict=False)
    if series.dtype == pl.String:
        series = series.str.strip_chars().replace("", None)
    if not (series.dtype == pl.String or series.dtype.is_numeric()):
        return None
    numbers = series.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == series.null_count() < len(series) else None


def _differ(mine: pl.Series | None, other: pl.Series | None) -> bool:
    return other is not None and (mine is None or not mine.equals(other, check_names=False))
