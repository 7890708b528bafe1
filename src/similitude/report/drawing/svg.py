"""SVG elements as escaped text."""

from __future__ import annotations

from markupsafe import Markup, escape

__all__ = ["drawing", "number", "percent", "tag", "title"]


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element. ``class_`` becomes class, ``stroke_width`` stroke-width; an attribute that is None is left out.

    >>> tag("circle", cx=1.26, r=2, class_="dot")
    Markup('<circle cx="1.3" r="2" class="dot"/>')
    """
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _attribute(value))
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Markup("<{}{}/>").format(name, written)
    return Markup("<{}{}>{}</{}>").format(name, written, Markup("").join(map(escape, children)), name)


def drawing(label: str, *children: str, width: str | float, height: float, **attributes: str | float | None) -> Markup:
    """A whole figure; the label is what people hear who cannot see it."""
    return tag("svg", *children, role="img", aria_label=label, width=width, height=height, **attributes)


def title(words: str) -> Markup:
    """What shows when the pointer rests on an element."""
    return tag("title", words)


def number(value: float) -> str:
    """One decimal, without a trailing zero.

    >>> number(2.0), number(0.26), number(-0.01)
    ('2', '0.3', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """A share as SVG wants it."""
    return f"{number(100 * share)}%"


def _attribute(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)
