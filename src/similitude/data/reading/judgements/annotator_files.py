"""Files each of which holds the answers of one annotator, whom the name of the file names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import polars as pl

from similitude.data.judgements import KEEPS_NONE
from similitude.data.reading.column_names import find_column
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.judgements.tables import read_table
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError

__all__ = ["hint_at_files", "named_by_files"]

FLAG = "--annotator-per-file"
COLUMN = "annotator"


def named_by_files(sources: Sequence[JudgementSource]) -> list[JudgementSource]:
    """The sources with their tables, each with a column that names the annotator.

    Raises:
        ArgumentError: two files have the same name.
        ColumnError: a file names annotators itself.
    """
    stems = [source.path.stem for source in sources]
    twice = next((stem for at, stem in enumerate(stems) if stem in stems[:at]), None)
    if twice is not None:
        what = f"two files are named '{twice}', so {FLAG} cannot tell their annotators apart"
        raise ArgumentError(what, remedy="rename one of them")
    return [_named(source, stem) for source, stem in zip(sources, stems, strict=True)]


def _named(source: JudgementSource, annotator: str) -> JudgementSource:
    table = read_table(replace(source, where={}))
    there = source.columns.get(COLUMN) or find_column(table.columns, ALIASES[COLUMN])
    if there:
        raise ColumnError(f"column '{there}' names annotators", where=table.file, remedy=f"leave out {FLAG}")
    names = pl.repeat(annotator, len(table), dtype=pl.String, eager=True)
    named = {**table.columns, COLUMN: names}
    return replace(source, table=replace(table, columns=named, details={**table.details, COLUMN: "named by the file"}))


@contextmanager
def hint_at_files(number: int) -> Iterator[None]:
    """Let the error for a file without annotators name the flag for files of one annotator each.

    Args:
        number: how many files there are.
    """
    try:
        yield
    except InputError as error:
        if number > 1 and (isinstance(error, FormatError) or KEEPS_NONE in str(error)):
            error.remedy = f"{error.remedy}; if each file holds the answers of one annotator: {FLAG}"
        raise
