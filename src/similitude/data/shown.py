"""What a notebook shows of an object."""

from __future__ import annotations

from importlib import import_module

__all__ = ["Shown"]


class Shown:
    """A mixin for objects that a notebook shows as HTML; `similitude.report.notebook` knows how, by type."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # Reports lie above the nouns, so they are imported by name, when a notebook asks.
        html: str = import_module("similitude.report.notebook").html_of(self)
        return html
