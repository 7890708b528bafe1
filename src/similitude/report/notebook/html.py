"""The HTML that a notebook shows of an object, by its type."""

from __future__ import annotations

from functools import singledispatch

from markupsafe import escape

__all__ = ["html_of"]


@singledispatch
def html_of(shown: object) -> str:
    """The HTML of an object: a fragment that brings its own scoped style and needs no other file."""
    return f"<pre>{escape(repr(shown))}</pre>"
