"""Tab-separated text without quotes, recognised by the first names of its header."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import Format
from similitude.data.reading.separated_text import Dialect, read_separated

__all__ = ["headed_tabs"]

TABS = Dialect(separator="\t", quoted=False)


def headed_tabs(name: str, summary: str, header: Sequence[str], layout: ColumnLayout) -> Format:
    """A format of tab-separated text.

    Args:
        name: the name of the format.
        summary: one line for listings.
        header: the first names of the header, by which a file is recognised.
        layout: the meaning of the columns.
    """
    return Format(
        name=name,
        summary=summary,
        recognised=f"the header begins with {', '.join(header)}",
        fits=lambda sniffer: sniffer.tab_fields[: len(header)] == list(header),
        tables=lambda source: [read_separated(source.path, TABS, source.encoding)],
        layout=layout,
    )
