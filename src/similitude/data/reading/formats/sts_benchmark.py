"""stsb and stsb-glue: the STS benchmark as first published, and as part of GLUE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from similitude.data.reading.column_names import has_names
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.headed_tabs import headed_tabs
from similitude.data.reading.separated_text import Dialect, read_separated
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale

__all__ = ["is_number_or_blank", "stsb", "stsb_glue"]

YEAR = re.compile(r"(19|20)\d\d")
ZERO_TO_FIVE = Scale(low=0.0, high=5.0, origin="format")
FIELDS = ("genre", "filename", "year", "number", "score", "sentence1", "sentence2", "source1", "source2")
ORIGINAL = Dialect(separator="\t", quoted=False, header=FIELDS, widths=frozenset({7, 9}))
COLUMNS = {
    "id": ("id",),
    "left": ("sentence1",),
    "right": ("sentence2",),
    "score": ("score",),
    "domain": ("genre",),
    "source": ("filename",),
}


def stsb() -> Format:
    """The STS benchmark: ``sts-train.csv`` and the like."""
    return Format(
        name="stsb",
        summary="STS benchmark as first published: tabs, no header, no quotes, rows of 7 or 9 fields",
        recognised="the first line has 7 or more tab-separated fields, the third a year, the fifth a number or blank",
        fits=_fits_original,
        tables=_original,
        layout=ColumnLayout(aliases=COLUMNS, scale=ZERO_TO_FIVE, own_ids=False),
        priority=GENERAL,
    )


def stsb_glue() -> Format:
    """The STS benchmark in GLUE, whose ``test.tsv`` has no scores."""
    summary = "STS benchmark in GLUE: tabs, a header, no quotes"
    layout = ColumnLayout(aliases={**COLUMNS, "id": ("index",)}, scale=ZERO_TO_FIVE)
    return headed_tabs("stsb-glue", summary, ("index", "genre", "filename"), layout, names=_glue_names)


def _glue_names(there: Sequence[str]) -> bool:
    return has_names(there, "index", "genre", "filename", "sentence1", "sentence2")


def is_number_or_blank(text: str) -> bool:
    """Whether a field can be a score or a hidden score."""
    try:
        return not text.strip() or bool(float(text) == float(text))
    except ValueError:
        return False


def _fits_original(sniffer: Sniffer) -> bool:
    """Whether there are a year such as 2012test, a score and two texts that are no numbers."""
    fields = sniffer.tab_fields
    if sniffer.is_told or len(fields) < 7 or not YEAR.match(fields[2].strip()):
        return False
    return is_number_or_blank(fields[4]) and not any(map(is_number_or_blank, fields[5:7]))


def _original(source: BenchmarkSource) -> list[RawTable]:
    """The table with ids such as ``MSRpar-2012test-0001``, because the file's numbers restart in every part."""
    table = read_separated(source.path, ORIGINAL, source.encoding)
    parts = pl.DataFrame([pl.Series(name, table.columns[name]) for name in ("filename", "year", "number")])
    ids = parts.select(pl.concat_str(pl.all().fill_null(""), separator="-")).to_series()
    return [replace(table, columns={**table.columns, "id": ids})]
