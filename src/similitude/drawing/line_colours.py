"""Colours of lines as style classes, and the key that names them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from similitude.drawing.svg import tag

__all__ = ["KEY_HEIGHT", "colour_key", "line_class"]

COLOURS = 7
"""Number of colours; further lines use the same colours again, dashed."""

KEY_HEIGHT = 18
"""Height of one line of the key."""


def line_class(place: int) -> str:
    """The class that gives a line its colour, by its place among the lines.

    >>> line_class(0), line_class(7)
    ('line line-1', 'line line-1 dashed')
    """
    dashed = " dashed" if place // COLOURS % 2 else ""
    return f"line line-{place % COLOURS + 1}{dashed}"


def colour_key(names: Sequence[str], left: float, top: float, colours: Sequence[int] | None = None) -> Iterator[Markup]:
    """The key of a figure: one line for each name, `KEY_HEIGHT` high.

    Args:
        names: what the colours stand for.
        left: the left edge.
        top: the upper edge.
        colours: the number of each colour, from 0; by default in order.
    """
    for place, name in enumerate(names):
        middle = top + KEY_HEIGHT * place + KEY_HEIGHT / 2
        line = tag("line", x1=left, x2=left + 22, y1=middle, y2=middle)
        yield tag("g", line, class_=line_class(place if colours is None else colours[place]))
        yield tag("text", name, x=left + 30, y=middle + 4, class_="key")
