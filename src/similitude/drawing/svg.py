"""SVG elements as escaped text."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from similitude.drawing.stylesheet import light_figures

__all__ = ["drawing", "fluid", "number", "percent", "standalone", "tag", "title"]


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An SVG element. ``class_`` becomes class, ``stroke_width`` stroke-width; attributes that are None are left out.

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
    """A whole figure; screen readers read the label."""
    return tag("svg", *children, role="img", aria_label=label, width=width, height=height, **attributes)


def fluid(width: float, height: float) -> dict[str, Any]:
    """Attributes of a figure that fills the width of its page, with coordinates from 0 to width and height."""
    return {"width": "100%", "height": height, "viewBox": f"0 0 {number(width)} {number(height)}"}


def standalone(figure: Markup) -> str:
    """A figure as a separate file, on a white background, with the colours of a page's style sheet."""
    head, _, rest = str(figure).partition(">")
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(' width="100%"', "", 1)
    return f'{head}><style>{light_figures()}</style><rect width="100%" height="100%" fill="#fff"/>{rest}\n'


def title(words: str) -> Markup:
    """The tooltip of an element."""
    return tag("title", words)


def number(value: float) -> str:
    """A number with one decimal, without a trailing zero.

    >>> number(2.0), number(0.26), number(-0.01)
    ('2', '0.3', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """A share as a percentage in SVG."""
    return f"{number(100 * share)}%"


def _attribute(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)
