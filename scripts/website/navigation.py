"""The navigation beside every page: sections of pages, as ``navigation.toml`` lists them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("navigation.toml")


class Section(NamedTuple):
    """A part of the navigation.

    Attributes:
        caption: its heading.
        pages: paths of pages without their ending.
    """

    caption: str
    pages: tuple[str, ...]


def sections() -> list[Section]:
    """The sections, in order."""
    written = tomllib.loads(FILE.read_text(encoding="utf-8"))["sections"]
    return [Section(each["caption"], tuple(each["pages"])) for each in written]


def toctrees(site: Path) -> Iterator[str]:
    """The sections as Sphinx reads them at the end of the first page.

    A page that is listed and does not exist is left out; one that exists and is not listed fails the build.
    """
    for section in sections():
        pages = "\n".join(page for page in section.pages if (site / f"{_path(page)}.md").exists())
        yield f"```{{toctree}}\n:hidden:\n:caption: {section.caption}\n:maxdepth: 1\n\n{pages}\n```\n"


def _path(page: str) -> str:
    """The path of an entry, which may have a title.

    >>> _path("Gold <gold>"), _path("glossary")
    ('gold', 'glossary')
    """
    return page.partition("<")[2].rstrip(">") or page
