"""A sheet: a page that is a row of sections, each with words, figures, tables and facts."""

from __future__ import annotations

from dataclasses import dataclass, field

from similitude._version import __version__
from similitude.report.page.figures import Figure
from similitude.report.page.renderer import render
from similitude.report.tables import Table

__all__ = ["Section", "Sheet", "sheet_page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of a sheet.

    Attributes:
        name: for links; letters, digits and hyphens.
        title: its heading.
        words: paragraphs below it.
        figures: drawings with captions.
        tables: below the figures.
        facts: names with values, at the end.
    """

    name: str
    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What the template sees.

    Attributes:
        kind: what the page is, after the word Similitude: "reliability", "gold".
        name: of the data.
        about: the data in one line.
        summary: what matters most, in one or two sentences.
        simulated: says so where nobody was asked; else empty.
        sections: in order.
    """

    kind: str
    name: str
    about: str
    summary: str
    simulated: str = ""
    sections: tuple[Section, ...] = ()
    version: str = field(default=__version__)


def sheet_page(sheet: Sheet) -> str:
    """One HTML page with everything in it."""
    return render("sheet.html", sheet)
