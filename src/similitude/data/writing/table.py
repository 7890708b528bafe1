"""What writers of benchmarks and of judgements share: the choice of the format, and the table with its facts.

Facts are values that hold for the whole file, such as scale and licence. They are written as columns, so that a file
that is passed on still states them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, UnknownNameError

__all__ = ["chosen_format", "facts_of", "with_facts"]


def chosen_format(
    path: Path, format: str | None, suffixes: Mapping[str, str], known: Collection[str], what: str = "format to write"
) -> str:
    """The format that the user named, or the one that belongs to the suffix of the path.

    Args:
        path: the file to write.
        format: what the user named.
        suffixes: suffixes to formats.
        known: all formats.
        what: what formats are called in messages.

    Raises:
        UnknownNameError: there is no such format.
        ArgumentError: no format was named, and none belongs to the suffix.
    """
    name = format or suffixes.get(path.suffix.lower())
    if name is None:
        remedy = f"end it in {', '.join(suffixes)}, or name one of {', '.join(known)}"
        raise ArgumentError(f"the name '{path.name}' does not tell the format", remedy=remedy)
    if name not in known:
        raise UnknownNameError(what, name, known)
    return name


def with_facts(frame: pl.DataFrame, facts: Mapping[str, str | None], always: Collection[str]) -> pl.DataFrame:
    """The table without empty columns, and with a column for each fact.

    Args:
        frame: the rows.
        facts: names to values; those without a value are left out.
        always: columns that are kept even where they are empty.
    """
    empty = [name for name in frame.columns if frame[name].null_count() == frame.height and name not in always]
    known = {name: value for name, value in facts.items() if value}
    return frame.drop(empty).with_columns(pl.lit(value).alias(name) for name, value in known.items())


def facts_of(data: Benchmark | Judgements) -> dict[str, str | None]:
    """The facts that benchmarks and judgements have in common."""
    return {
        "scale": None if data.scale is None else data.scale.written,
        "benchmark": data.name,
        "licence": data.licence,
        "judged_by": data.provenance.judged_by,
    }
