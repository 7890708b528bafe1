"""Formats that are recognised by the names of their columns, whatever holds them, published as unquoted tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from similitude.data.reading.containers import read_tables
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import Format
from similitude.data.reading.separated_text import Dialect, read_separated
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable

__all__ = ["headed_tabs"]

TABS = Dialect(separator="\t", quoted=False)


def headed_tabs(
    name: str, summary: str, header: Sequence[str], layout: ColumnLayout, names: Callable[[Sequence[str]], bool]
) -> Format:
    """A format of tab-separated text, which may also be stored in another container.

    Args:
        name: the name of the format.
        summary: one line for listings.
        header: the first names of the header, by which a file as published is recognised.
        layout: the meaning of the columns.
        names: whether columns of these names, in any container, are of this format.
    """

    def as_published(sniffer: Sniffer) -> bool:
        return sniffer.tab_fields[: len(header)] == list(header) and names(sniffer.tab_fields)

    def tables(source: BenchmarkSource) -> Sequence[RawTable]:
        return (
            [read_separated(source.path, TABS, source.encoding)]
            if as_published(Sniffer.of(source))
            else read_tables(source)
        )

    return Format(
        name=name,
        summary=summary,
        recognised=f"there are columns {', '.join(header)}",
        fits=lambda sniffer: as_published(sniffer) or names(sniffer.header),
        tables=tables,
        layout=layout,
        names=names,
    )
