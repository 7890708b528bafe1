"""What the generator leaves out, and people who use a keyboard or a screen reader need, is put into the built pages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

Change = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

CELL = re.compile(r'<td(?: class="([^"]*)")?>(?=<p>(.*?)</p></td>)', re.DOTALL)
SENTENCE = 36
"""Characters from which a cell holds a sentence, which nobody reads in a column of single words."""
SIGNATURE = re.compile(r'<dt class="sig.*?</dt>', re.DOTALL)
REGION = re.compile(r'(role="region" aria-label=")([^"]+)"')
FIGURES = re.compile(r"[\d .,%()\[\]±+–-]{1,24}")
CHANGES: tuple[Change, ...] = (
    (re.compile(r'<p class="caption" role="heading">'), '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="All pages">'),
    (re.compile(r'<aside class="toc-drawer([^"]*)">'), r'<aside class="toc-drawer\1" aria-label="This page">'),
    (re.compile(r"<pre>"), '<pre tabindex="0">'),  # a wide block of code is scrolled by keys, too
    (re.compile(r'<div class="table-wrapper([^"]*)">'), r'<div class="table-wrapper\1" tabindex="0">'),
    (re.compile(r'<th class="head([^"]*)"><p></p></th>'), r'<td class="head\1"></td>'),  # a corner is no heading
    (CELL, lambda found: _cell(found[1], found[2])),
    (re.compile(r'(<div id="search-results">)'), r"<h1>Search</h1>\n\1"),
    (SIGNATURE, lambda found: _parameters_as_lines(found[0])),
)


def make_accessible(site: Path) -> None:
    """Change every page of a built site."""
    for path in site.rglob("*.html"):
        path.write_text(accessible(path.read_text(encoding="utf-8")), encoding="utf-8")


def accessible(text: str) -> str:
    """A page with levels of headings, names of landmarks, and scrolling by keys.

    >>> accessible('<p class="caption" role="heading">Start</p><pre>code</pre>')
    '<p class="caption" role="heading" aria-level="2">Start</p><pre tabindex="0">code</pre>'
    >>> accessible('<td><p>94 (93-96)</p></td><td class="row-odd"><p>a word</p></td>')
    '<td class="figure"><p>94 (93-96)</p></td><td class="row-odd"><p>a word</p></td>'
    >>> accessible('<td><p>how well predictions keep the order of <em>gold</em></p></td>')
    '<td class="sentence"><p>how well predictions keep the order of <em>gold</em></p></td>'
    """
    for pattern, change in CHANGES:
        text = pattern.sub(change, text)
    numbers = itertools.count(1)
    return REGION.sub(lambda found: f'{found[1]}{found[2]} {next(numbers)}"', text)


def _cell(classes: str | None, content: str) -> str:
    """The start of a cell, with a class where it holds nothing but figures, or a sentence."""
    words = re.sub(r"<code.*?</code>|<[^>]*>", "", content, flags=re.DOTALL)
    kind = "figure" if FIGURES.fullmatch(content) else "sentence" if len(words) >= SENTENCE else None
    named = " ".join(filter(None, (classes, kind)))
    return f'<td class="{named}">' if named else "<td>"


def _parameters_as_lines(signature: str) -> str:
    """A signature whose parameters stand in lines; the generator makes a list of definitions without terms of them."""
    lines = re.sub(r"<(/?)dl>", r"<\1span>", signature)
    return lines.replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
