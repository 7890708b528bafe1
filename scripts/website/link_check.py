"""Links of built pages: every address and every anchor must lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

ADDRESSES = {"a": "href", "link": "href", "img": "src", "script": "src"}


class Links(HTMLParser):
    """What a page links to, and what can be linked to in it.

    Attributes:
        found: addresses as they stand there.
        anchors: ids of elements.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember addresses and ids."""
        values = dict(attrs)
        if address := values.get(ADDRESSES.get(tag, "")):
            self.found.append(address)
        if anchor := values.get("id"):
            self.anchors.add(anchor)


class Broken(NamedTuple):
    """A link that leads nowhere, or to another machine.

    Attributes:
        page: relative to the site.
        address: as it stands there.
        reason: why.
    """

    page: str
    address: str
    reason: str


def broken_links(site: Path) -> list[Broken]:
    """All links of a site's pages whose file or anchor is missing."""
    pages = {path.resolve(): _links(path) for path in sorted(site.rglob("*.html"))}
    return [found for path in pages for found in _broken_on(path, pages, site.resolve())]


def loaded_from_elsewhere(site: Path) -> list[Broken]:
    """Scripts, styles and images that a page would load from another machine."""
    found = []
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        for mark in ('src="http', 'src="//', 'rel="stylesheet" type="text/css" href="http'):
            found += [Broken(path.name, mark, "loads from elsewhere")] * (mark in text)
    return found


def _links(path: Path) -> Links:
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def _broken_on(path: Path, pages: dict[Path, Links], site: Path) -> Iterator[Broken]:
    page = path.relative_to(site).as_posix()
    for address in pages[path].found:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file():
            yield Broken(page, address, "there is no such file")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield Broken(page, address, "the page has no such anchor")
