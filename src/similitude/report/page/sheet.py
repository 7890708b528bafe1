"""A sheet: one HTML page of sections, each a sequence of paragraphs, figures, tables and other blocks."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from similitude._version import __version__
from similitude.drawing import Figure
from similitude.drawing.stylesheet import COLOURS, FIGURES, css
from similitude.report.page.disagreements import Card
from similitude.report.tables import Table

__all__ = [
    "Aside",
    "Block",
    "Border",
    "Cards",
    "Code",
    "Downloads",
    "Example",
    "Facts",
    "Fold",
    "Heading",
    "Lead",
    "Option",
    "Options",
    "Points",
    "Section",
    "Sheet",
    "Simulated",
    "asset",
    "blocks_html",
    "csv_text",
    "page_style",
    "sheet_page",
]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True, slots=True)
class Aside:
    """A paragraph in small print."""

    text: str
    kind: ClassVar[str] = "aside"


@dataclass(frozen=True, slots=True)
class Lead:
    """The main result, set off from the rest."""

    text: str
    kind: ClassVar[str] = "lead"


@dataclass(frozen=True, slots=True)
class Simulated:
    """A warning that judgements are simulated."""

    text: str
    kind: ClassVar[str] = "simulated"


@dataclass(frozen=True, slots=True)
class Points:
    """A bulleted list."""

    points: tuple[str | Markup, ...]
    kind: ClassVar[str] = "points"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with values."""

    pairs: tuple[tuple[str, str], ...]
    kind: ClassVar[str] = "facts"


@dataclass(frozen=True, slots=True)
class Cards:
    """Items with their texts."""

    cards: tuple[Card, ...]
    kind: ClassVar[str] = "cards"


class Example(NamedTuple):
    """A text, or the two of a pair.

    Attributes:
        value: what is known of it, in a few characters.
    """

    value: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Border:
    """What lies on the two sides of a border, nearest first.

    Attributes:
        name: of the border; empty if there is only one.
    """

    kept: tuple[Example, ...]
    dropped: tuple[Example, ...]
    name: str = ""
    kind: ClassVar[str] = "border"

    @property
    def sides(self) -> tuple[tuple[str, tuple[Example, ...]], ...]:
        """Both sides with their names; a side without examples is left out."""
        both = (("kept", self.kept), ("dropped", self.dropped))
        return tuple((side, examples) for side, examples in both if examples)


@dataclass(frozen=True, slots=True)
class Code:
    """A command, set in a fixed-width font."""

    text: str
    kind: ClassVar[str] = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Blocks that the reader can unfold."""

    kind: ClassVar[str] = "fold"

    summary: str
    blocks: tuple[Block, ...]
    is_code: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """Blocks that are one of several; the reader chooses by name."""

    name: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Several options, of which a script shows one; without a script, all of them, under their names.

    Attributes:
        label: what is chosen, such as a measure.
    """

    label: str
    options: tuple[Option, ...]
    kind: ClassVar[str] = "options"


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files that the page holds: names and contents. A script offers them behind buttons."""

    files: tuple[tuple[str, str], ...]
    kind: ClassVar[str] = "downloads"


def csv_text(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as a CSV file, for `Downloads`."""
    return pl.DataFrame(list(rows), infer_schema_length=None).write_csv()


Words = str | Heading | Lead | Simulated | Aside | Points | Facts | Code
Block = Words | Figure | Table | Cards | Border | Fold | Options | Downloads
"""What a section may hold; a plain text is a paragraph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a sheet: words, figures, tables and facts in this order, then any further blocks.

    Attributes:
        name: for links; letters, digits and hyphens.
        words: paragraphs.
        facts: names with values.
        blocks: further blocks, in the order given.
    """

    name: str
    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def content(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        facts = (Facts(self.facts),) if self.facts else ()
        return (*self.words, *self.figures, *self.tables, *facts, *self.blocks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page.

    Attributes:
        kind: what the page is, after the word Similitude: "reliability", "gold".
        name: of the data.
        about: the data in one line.
        summary: the main result, in one or two sentences.
        simulated: a warning where the judgements are simulated; else empty.
        lead: paragraphs above the summary, the first of them prominent.
        title: of the browser window; by default the name and the kind.
    """

    kind: str
    name: str
    about: str
    summary: str
    simulated: str = ""
    lead: tuple[str, ...] = ()
    title: str = ""
    sections: tuple[Section, ...] = ()
    version: str = field(default=__version__)

    @property
    def warnings(self) -> tuple[Block, ...]:
        """The warning as a block."""
        return (Simulated(self.simulated),) if self.simulated else ()


def sheet_page(sheet: Sheet) -> str:
    """One self-contained HTML page: no other file, no network request, readable without JavaScript."""
    style, script = page_style(), Markup('"use strict";\n') + asset("sortable.js") + asset("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return _environment().get_template("sheet.html").render(page=sheet, style=style, script=script, policy=policy)


def page_style() -> Markup:
    """The style sheet of a page."""
    parts = [asset(name) for name in ("page.css", "blocks.css", "tables.css", "panels.css")]
    return Markup("").join((Markup(css(COLOURS)), *parts, Markup(css(FIGURES)), asset("print.css")))


def blocks_html(blocks: Iterable[Block]) -> Markup:
    """Blocks without a page around them."""
    module: Any = _environment().get_template("macros.html").module
    return Markup(module.blocks(tuple(blocks)))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def asset(name: str) -> Markup:
    """One of our own style sheets or scripts, to be included verbatim."""
    return Markup(files(__package__).joinpath("templates", name).read_text(encoding="utf-8"))


def _hash(content: str) -> str:
    """The hash by which the page's security policy admits its own style sheet and script, and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
