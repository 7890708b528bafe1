"""Figures: one drawing or several side by side, with a caption, and as one SVG file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import ClassVar, Literal, NamedTuple

from markupsafe import Markup

from similitude.drawing.svg import drawing, number, standalone, tag, title

__all__ = ["Figure", "Panel", "figure_file"]

SIDE_BY_SIDE = 3
"""At most so many panels stand beside each other in a file."""
WIDE = 720.0
"""The width of a drawing that fills whatever width it is given."""
GAP, LINE = 16.0, 14.0
"""Room between panels, and for a line of words."""
LETTER = 7.1
"""Width of a letter of a name in pixels, rounded up."""
SMALL_LETTER = 5.4
"""Mean width of a letter of the caption."""


class Panel(NamedTuple):
    """One panel of a figure."""

    name: str
    words: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one panel or several, with its caption.

    Attributes:
        layout: "panels" shows the names of the panels even if there is only one; "scroll" lets a wide figure scroll.
    """

    panels: tuple[Panel, ...]
    caption: str
    layout: Literal["", "panels", "scroll"] = ""
    kind: ClassVar[str] = "figure"


def figure_file(figure: Figure) -> str:
    """The figure as one SVG file on white: its panels in rows under their names, and the caption below."""
    sizes = [_size(panel.svg) for panel in figure.panels]
    is_named = figure.layout == "panels" or len(sizes) > 1
    head = 6 + LINE * (1 + any(panel.words for panel in figure.panels)) if is_named else 0.0
    across, down = max(wide for wide, _ in sizes) + GAP, max(tall for _, tall in sizes) + head + GAP
    columns = min(SIDE_BY_SIDE, len(sizes))
    parts: list[Markup] = []
    for place, (panel, size) in enumerate(zip(figure.panels, sizes, strict=True)):
        row, column = divmod(place, columns)
        parts += _placed(panel, GAP + column * across, GAP + row * down, head, size)
    width, bottom = GAP + columns * across, GAP + (row + 1) * down
    lines = wrap(figure.caption, int((width - 2 * GAP) / SMALL_LETTER))
    parts += (
        tag("text", line, x=GAP, y=bottom + LINE * number_of, class_="tick") for number_of, line in enumerate(lines, 1)
    )
    height = bottom + LINE * len(lines) + GAP
    box = f"0 0 {number(width)} {number(height)}"
    return standalone(drawing(figure.caption, *parts, width=width, height=height, viewBox=box))


def _placed(panel: Panel, left: float, top: float, head: float, size: tuple[float, float]) -> Iterator[Markup]:
    if head:
        yield tag("text", title(panel.name), _cut(panel.name, size[0]), x=left, y=top + 10, class_="name")
        yield tag("text", panel.words, x=left, y=top + 10 + LINE, class_="tick")
    place = Markup('<svg x="{}" y="{}" width="{}" ').format(number(left), number(top + head), number(size[0]))
    opening, _, rest = str(panel.svg).partition(">")
    kept = re.sub(r' width="[^"]*"', "", opening, count=1).removeprefix("<svg ")
    yield place + Markup(f"{kept}>{rest}")


def _cut(name: str, width: float) -> str:
    """The name, or as much of it as fits."""
    fits = int(width / LETTER)
    return name if len(name) <= fits else f"{name[: fits - 1]}…"


def _size(svg: Markup) -> tuple[float, float]:
    """Width and height of a drawing, by its view box or, if it fills any width, by its height."""
    opening = str(svg).partition(">")[0]
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)
    if box:
        return float(box[1]), float(box[2])
    tall = re.search(r' height="([\d.]+)"', opening)
    return WIDE, float(tall[1]) if tall else WIDE
