"""The study's Markdown texts as safe HTML."""

from __future__ import annotations

from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

__all__ = ["rendered"]


@lru_cache(maxsize=64)
def rendered(text: str) -> Markup:
    r"""Markdown as HTML. HTML tags are shown as text, images are left out, and links lead only to web pages.

    >>> rendered("**bold** <script>alert(1)</script>")
    Markup('<p><strong>bold</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n')
    """
    return Markup(_markdown().render(text))


@cache
def _markdown() -> MarkdownIt:
    # html off: what looks like a tag is escaped. The library itself refuses javascript:, vbscript:, file:, data: links.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
